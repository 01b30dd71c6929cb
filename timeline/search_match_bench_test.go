package timeline

import (
	"fmt"
	"testing"
)

// BenchmarkMatch measures the cost of a new post with a thousand open searches. All searches
// differ: some have two words, a phrase, a tag, a comment, or no words.
func BenchmarkMatch(b *testing.B) {
	s := newSite(b, "anna", "bert")
	post := s.says("anna", "en", `It was a bright cold day in April, and the clocks were striking thirteen. Winston
		Smith, his chin nuzzled into his breast in an effort to escape the vile wind, slipped quickly through the glass doors
		of Victory Mansions, though not quickly enough to prevent a swirl of gritty dust from entering along with him. #april`)
	for range 20 {
		s.replies("bert", post, "The hallway smelt of boiled cabbage and old rag mats. At one end of it a coloured poster had been tacked to the wall.")
	}
	words := []string{"clock", "door", "wind", "boat", "harbour", "лодка", "dust", "cabbage", "river", "haus"}
	for _, bench := range []struct {
		name  string
		query func(i int) string
	}{
		{"searches that don't match", func(i int) string { return fmt.Sprintf("%s nothing%d", words[i%len(words)], i) }},
		{"one in ten matches", func(i int) string {
			if i%10 > 0 {
				return fmt.Sprintf("%s nothing%d", words[i%len(words)], i)
			}
			return fmt.Sprintf("clock door -nothing%d", i)
		}},
		{"all match", func(i int) string { return fmt.Sprintf("clock wind -nothing%d", i) }},
		{"in comments, one in ten matches", func(i int) string {
			if i%10 > 0 {
				return fmt.Sprintf("in:comments %s nothing%d", words[i%len(words)], i)
			}
			return fmt.Sprintf("in:comments cabbage -nothing%d", i)
		}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			sn, err := s.Snapshot(b.Context())
			s.must(err)
			defer sn.Close()
			var searches []Matching
			for i := range 1000 {
				searches = append(searches, Matching{Query: s.compile(sn, bench.query(i)), Viewer: s.user("bert")})
			}
			b.ResetTimer()
			for b.Loop() {
				_, err := sn.Match(b.Context(), searches, []PostID{post})
				s.must(err)
			}
		})
	}
}
