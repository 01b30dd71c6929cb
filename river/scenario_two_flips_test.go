package river

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/timeline"
)

// A flipped is a site on which ann's feed is private, public and private again,
// while eve, a stranger, likes a post of it. Sam subscribes to ann; fred and sam
// subscribe to eve; gill liked the post when it was public, long ago.
type flipped struct {
	*testSite
	gates map[string]*gate
	post  timeline.PostID
	keys  map[string]Key
}

func newFlipped(t *testing.T) *flipped {
	racetest.Long(t)
	f := &flipped{testSite: newTestSite(t, "ann", "eve", "fred", "gill", "sam")}
	f.set.chunk = 2
	f.gates = f.testSite.gates()
	f.follow("sam", "ann")
	for _, name := range []string{"eve", "gill"} {
		f.follow("fred", name)
		f.follow("sam", name)
	}
	return f
}

// begin makes another post, and rivers of all viewers concerned.
func (f *flipped) begin() {
	f.t.Helper()
	f.status("ann", "public")
	f.post = f.testSite.post("ann", "liked")
	f.like("gill", f.post)
	f.status("ann", "private")
	f.sync()
	f.keys = make(map[string]Key)
	for _, viewer := range []string{"", "ann", "eve", "fred", "gill", "sam"} {
		for _, liker := range []string{"eve", "gill"} {
			f.keys[fmt.Sprintf("%s's likes, for %q", liker, viewer)] = f.page(viewer, KindLikes, liker)
		}
		if viewer != "" {
			f.keys[viewer+"'s home"] = f.home(viewer)
		}
		f.keys[fmt.Sprintf("everything, for %q", viewer)] = everything(f.user(viewer))
	}
	for _, key := range f.keys {
		f.visit(key)
	}
}

// state fails the test unless every page shows the post, with all likes, iff its viewer may read
// the post and there is a reason.
func (f *flipped) state(when, status string, liked bool) {
	f.t.Helper()
	count := 1
	if liked {
		count = 2
	}
	for name, key := range f.keys {
		may := status == "public" || key.Viewer == f.user("ann") || key.Viewer == f.user("sam")
		there := may
		switch key.What {
		case KindLikes:
			there = may && (liked || key.TheirID != int64(f.user("eve")))
		case KindHome:
			switch key.Viewer {
			case f.user("eve"): // her own likes are in her home
				there = may && liked
			}
		case KindEverything:
			there = status == "public" // none of its places is public or protected
		}
		v, err := f.node.Visit(f.t.Context(), key, At{})
		f.must(err)
		i := slices.IndexFunc(v.Entries, func(e Entry) bool { return e.Facts.ID == f.post })
		switch {
		case i < 0 != !there:
			f.t.Errorf("%s: %s shows the post: %v, want %v", when, name, i >= 0, there)
		case i >= 0 && len(v.Entries[i].Fold.Likes.Users)+v.Entries[i].Fold.Likes.More != count:
			f.t.Errorf("%s: %s counts %d likes, want %d", when, name, len(v.Entries[i].Fold.Likes.Users), count)
		}
	}
}

// TestLikeBeforeBetweenAndAfterTwoFlips: a stranger's like counts if the stranger could
// read the post at the time of the like; later changes of access do not matter. For any
// timing of the loop's turns, the like is shown to exactly those viewers who may read
// the post.
func TestLikeBeforeBetweenAndAfterTwoFlips(t *testing.T) {
	t.Parallel()
	for _, position := range []string{"before", "between", "after"} {
		t.Run(position, func(t *testing.T) {
			t.Parallel()
			f := newFlipped(t)
			for turns := range 8 { // a bit for each point where a turn may end
				if !*soak && bits.OnesCount(uint(turns))%2 == 1 {
					continue // of each two places, the others have all combinations
				}
				f.begin()
				when := fmt.Sprintf("%s, turns %03b", position, turns)
				boundary, status, liked := 0, "private", false
				turn := func() {
					if turns&(1<<boundary) != 0 {
						f.gates["a turn begins"].release()
						f.sync()
						f.state(when+fmt.Sprint(", at ", boundary), status, liked)
						g := f.gates["a turn begins"]
						g.arm(1)
						f.node.Ring()
						g.held(t)
					}
					boundary++
				}
				like := func(at string) {
					if at != position {
						return
					}
					err := f.store.Like(t.Context(), f.user("eve"), f.post)
					if status == "private" != errors.Is(err, timeline.ErrNotFound) || status == "public" && err != nil {
						t.Errorf("%s: a stranger likes a %s post: %v", when, status, err)
					}
					liked = err == nil
				}
				f.holding(f.gates, func() {
					like("before")
					turn()
					f.status("ann", "public")
					status = "public"
					like("between")
					turn()
					f.status("ann", "private")
					status = "private"
					like("after")
					turn()
				})
				f.waitSettled()
				f.state(when, status, liked)
				f.compareAll()
				f.status("ann", "public")
				f.waitSettled()
				f.state(when+", and public again", "public", liked)
				f.compareAll()
			}
		})
	}
}
