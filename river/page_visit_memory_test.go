package river

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

// TestEntryFromMemoryIsThatOfThePrimary changes a site at random, and compares the entries of posts' own pages, as far
// as the node composes them from memory, with those that the primary has.
func TestEntryFromMemoryIsThatOfThePrimary(t *testing.T) {
	t.Parallel()
	r := newRun(t, seedOf(t), faults{})
	people := slices.Clone(r.world.People[:4])
	for _, person := range people {
		r.visit(Key{Viewer: person.ID, What: KindHome, TheirID: int64(person.ID)})
	}
	compared, withheld := 0, 0
	for range 12 {
		for range 10 {
			r.step()
		}
		r.sync()
		for _, person := range people {
			viewer := person.ID
			for _, post := range r.world.Posts[max(0, len(r.world.Posts)-12):] {
				got, folded := r.node.EntryFromMemory(viewer, post.ID, false), r.node.EntryFromMemory(viewer, post.ID, true)
				if folded == nil {
					continue
				}
				want, err := r.node.entryFromPrimary(t.Context(), Key{Viewer: viewer, What: KindPost, TheirID: int64(post.ID)}, post.ID)
				if err != nil || len(want.Entries) != 1 {
					withheld++
					t.Errorf("viewer %d may not read post %d (%v), which is composed from memory", viewer, post.ID, err)
					continue
				}
				of := func(c timeline.Comment) bool {
					return !slices.ContainsFunc(want.Entries[0].Fold.Comments.Comments, func(one timeline.Comment) bool { return cmp.Equal(one, c) })
				}
				if slices.ContainsFunc(folded.Entries[0].Fold.Comments.Comments, of) {
					t.Errorf("post %d for viewer %d has a comment that the primary does not have", post.ID, viewer)
				}
				if got == nil {
					continue
				}
				if diff := cmp.Diff(haveOf(want), haveOf(got)); diff != "" {
					t.Errorf("post %d for viewer %d (-primary +memory):\n%s", post.ID, viewer, diff)
				}
				if diff := cmp.Diff(want.Users, got.Users); diff != "" {
					t.Errorf("people with post %d for viewer %d (-primary +memory):\n%s", post.ID, viewer, diff)
				}
				compared++
			}
		}
	}
	if compared < 50 || withheld > 0 {
		t.Errorf("%d entries were compared", compared)
	}
}

// TestNoEntryFromMemoryWithoutEnough: a node composes no entry of a post that it does not hold, or that the viewer must
// be shown in another form than all others, and none at all while it is sealed.
func TestNoEntryFromMemoryWithoutEnough(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "cat")
	post := p.post("bob", "one")
	if v := p.node.EntryFromMemory(p.user("ann"), post, false); v != nil {
		t.Errorf("a node that holds nothing of the post has %d entries", len(v.Entries))
	}
	p.visit(p.page("ann", KindUser, "bob"))
	if v := p.node.EntryFromMemory(p.user("ann"), post, false); v == nil || len(v.Entries) != 1 || v.Live {
		t.Fatalf("the view is %v", v)
	}
	p.like("cat", post)
	p.must(p.store.Ban(t.Context(), p.user("ann"), "cat"))
	p.sync()
	if v := p.node.EntryFromMemory(p.user("ann"), post, false); v != nil {
		t.Error("a post with a like across a ban is composed from the fold that all others share")
	}
	p.node.sealUntil(p.node.lastTurn.Load() + 1<<40)
	if v := p.node.EntryFromMemory(p.user("ann"), post, false); v != nil {
		t.Error("a sealed node composes an entry")
	}
}
