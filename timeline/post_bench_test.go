package timeline

import (
	"fmt"
	"testing"
)

func BenchmarkLike(b *testing.B) {
	s := newSite(b, "anna", "bert")
	post := s.post("anna")
	for b.Loop() {
		s.must(s.Like(b.Context(), s.user("bert"), post))
		s.must(s.Unlike(b.Context(), s.user("bert"), post))
	}
}

// BenchmarkComment comments on a post with a thousand likes, so each comment moves the post in a
// thousand timelines.
func BenchmarkComment(b *testing.B) {
	for _, likers := range []int{0, 1000} {
		b.Run(fmt.Sprintf("likers=%d", likers), func(b *testing.B) {
			s := newSite(b, "anna", "bert")
			s.pace = 1e6
			post := s.post("anna")
			for i := range likers {
				s.must(s.Like(b.Context(), s.add(fmt.Sprintf("liker%d", i)), post))
			}
			for b.Loop() {
				s.comment("bert", post)
			}
		})
	}
}

func BenchmarkPost(b *testing.B) {
	s := newSite(b, "anna")
	for b.Loop() {
		s.post("anna")
	}
}
