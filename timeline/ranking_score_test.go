package timeline

import (
	"testing"
	"time"
)

func TestScore(t *testing.T) {
	t.Parallel()
	w := Weights{Like: 1, Comment: 0.5, Fav: 2, HalfLife: time.Hour}
	at := time.UnixMilli(1_800_000_000_000)
	const hour = 3_600_000
	for _, tt := range []struct {
		what                  string
		likes, comments, favs int
		period                Period
		want                  int64
	}{
		{"nothing is worth nothing", 0, 0, 0, Rising, 1_800_000_000_000},
		{"one point is a half-life", 1, 0, 0, Rising, 1_800_000_000_000 + hour},
		{"three are two", 0, 6, 0, Rising, 1_800_000_000_000 + 2*hour},
		{"seven are three", 2, 2, 2, Rising, 1_800_000_000_000 + 3*hour},
		{"in a week points are all", 2, 3, 2, Week, 7500},
		{"over all time points are all", 2, 3, 2, Ever, 7500},
	} {
		if got := w.Score(tt.likes, tt.comments, tt.favs, at, tt.period); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.what, got, tt.want)
		}
	}
}
