package river

import (
	"testing"

	"amstel.dev/amstel/timeline"
)

// TestActedBelowWhatIsHeld: a page far down shows posts that its river does not hold. A
// write on such a post returns the entry, so that the page keeps it.
func TestActedBelowWhatIsHeld(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "anna", "boris")
	p.follow("boris", "anna")
	var posts []timeline.PostID
	for range 40 {
		posts = append(posts, p.post("anna", "one of many"))
	}
	home := p.home("boris")
	if shown := p.visit(home); len(shown) != 25 {
		t.Fatalf("%d are shown", len(shown))
	}
	p.like("boris", posts[0])
	v, err := p.node.EntryAfterWrite(t.Context(), home, posts[0])
	p.must(err)
	if len(v.Entries) != 1 || !v.Entries[0].Liked {
		t.Errorf("a like on an older page is answered with %+v", v.Entries)
	}
	if v, err = p.node.EntryAfterWrite(t.Context(), home, p.post("boris", "own", "direct:anna")); err != nil || len(v.Entries) != 1 || !v.Live {
		t.Errorf("what is held: %+v %v", v, err)
	}
	p.must(p.store.DeletePost(t.Context(), p.user("anna"), posts[1]))
	if v, err = p.node.EntryAfterWrite(t.Context(), home, posts[1]); err != nil || len(v.Entries) != 0 {
		t.Errorf("what is gone: %+v %v", v, err)
	}
}
