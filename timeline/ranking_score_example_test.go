package timeline_test

import (
	"fmt"
	"time"

	"amstel.dev/amstel/timeline"
)

// A post with three points stands as high in Rising as one without any that is two
// half-lives younger: log2(1 + 3) is 2. In the other periods only the points count.
func ExampleWeights_Score() {
	weights := timeline.Weights{Like: 1, Comment: 1, Fav: 2, HalfLife: 24 * time.Hour}
	published := time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)

	rising := weights.Score(1, 0, 1, published, timeline.Rising) // one like and one favourite: 3 points
	fmt.Println(time.UnixMilli(rising).UTC().Format(time.DateTime))

	nothing := weights.Score(0, 0, 0, published.Add(48*time.Hour), timeline.Rising)
	fmt.Println(rising == nothing)

	week := weights.Score(1, 0, 1, published, timeline.Week)
	fmt.Println(week) // in thousandths of a point
	// Output:
	// 2026-11-22 12:00:00
	// true
	// 3000
}
