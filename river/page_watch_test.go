package river

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

// opened returns a page on a watched river, as its hub and browser know it.
func (p *testSite) opened(key Key, at At) (*View, *Watch) {
	p.t.Helper()
	v, err := p.node.Visit(p.t.Context(), key, at)
	p.must(err)
	w, err := p.node.Watch(p.t.Context(), key)
	p.must(err)
	p.t.Cleanup(w.Close)
	return v, w
}

func haveOf(v *View) []Have {
	var have []Have
	for _, e := range v.Entries {
		have = append(have, Have{e.Facts.ID, e.Tag})
	}
	return have
}

// ops returns the ops of a patch, with the texts of the posts.
func ops(p *Patch, names map[timeline.PostID]string) []string {
	var all []string
	for _, op := range p.Ops {
		switch {
		case op.Gone:
			all = append(all, names[op.Post]+" gone")
		case op.After == 0:
			all = append(all, names[op.Post]+" first")
		default:
			all = append(all, names[op.Post]+" after "+names[op.After])
		}
	}
	return all
}

func TestResume(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	names := make(map[timeline.PostID]string)
	write := func(name string) timeline.PostID {
		id := p.post("bob", name)
		names[id] = name
		return id
	}
	a, b, c := write("a"), write("b"), write("c")
	p.sync()
	v, w := p.opened(everything(0), At{})
	want(t, "page", texts(v.Entries), "c", "b", "a")
	resume := func(r Resume) *Patch {
		t.Helper()
		patch, _, err := w.Resume(r)
		p.must(err)
		return patch
	}
	known := Resume{Epoch: v.Epoch, Counter: v.Counter, Have: haveOf(v)}
	if patch := resume(known); len(patch.Ops) != 0 || patch.Reset {
		t.Errorf("nothing happened, and the page is told %v", ops(patch, names))
	}
	// The page sleeps for a night.
	p.comment("ann", a, "bump")
	p.must(p.store.DeletePost(t.Context(), p.user("bob"), b))
	p.like("ann", c)
	d := write("d")
	p.sync()
	for _, test := range []struct {
		name string
		page Resume
		want []string
	}{
		{"by counter", known, []string{"d first", "a after d", "c after a", "b gone"}},
		{"by what it has", Resume{Epoch: "another", Have: known.Have}, []string{"d first", "a after d", "c after a", "b gone"}},
		{"from the future", Resume{Epoch: v.Epoch, Counter: 1 << 40, Have: known.Have}, []string{"d first", "a after d", "c after a", "b gone"}},
	} {
		if diff := cmp.Diff(test.want, ops(resume(test.page), names)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	if patch := resume(Resume{Epoch: "another"}); !patch.Reset || len(patch.Entries) != 3 || patch.Entries[0].Facts.ID != d {
		t.Errorf("a page that has nothing is told %+v", patch)
	}
}

func TestPatchIsOfTheWindow(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	names := make(map[timeline.PostID]string)
	var ids []timeline.PostID
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		id := p.post("bob", name)
		names[id] = name
		ids = append(ids, id)
	}
	p.sync()
	first, w := p.opened(everything(0), At{Count: 2})
	second, err := p.node.Visit(t.Context(), everything(0), At{Count: 2, Before: *first.Older})
	p.must(err)
	want(t, "second page", texts(second.Entries), "d", "c")
	windowOf := func(v *View, at At) Window {
		t.Helper()
		_, window, err := w.Resume(Resume{At: at, Epoch: v.Epoch, Counter: v.Counter, Have: haveOf(v)})
		p.must(err)
		return window
	}
	top, below := windowOf(first, At{Count: 2}), windowOf(second, At{Count: 2, Before: *first.Older})
	counter := w.Counter()
	check := func(what string, window Window, want ...string) {
		t.Helper()
		patch, err := w.Patch(counter, window)
		p.must(err)
		if diff := cmp.Diff(want, ops(patch, names)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	p.like("ann", ids[3]) // d, on the second page
	p.sync()
	check("a like below, at the top", top)
	check("a like on the second page", below, "d first")
	counter = w.Counter()
	p.comment("ann", ids[2], "up") // c rises to the top
	p.sync()
	check("what rises, at the top", top, "c first")
	check("what rises, on the second page", below, "c gone", "b after d")
}

func TestWatchEnds(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "eve")
	p.post("ann", "one")
	p.sync()
	_, w := p.opened(p.page("eve", KindUser, "ann"), At{})
	p.status("ann", "private")
	p.node.WaitRevoked()
	<-w.C()
	if _, err := w.Patch(w.Counter(), Window{High: timeline.Top}); !errors.Is(err, ErrGone) {
		t.Errorf("a page that may no longer be opened: %v, want %v", err, ErrGone)
	}
	if _, err := p.node.Watch(t.Context(), p.page("eve", KindUser, "ann")); !errors.Is(err, timeline.ErrForbidden) {
		t.Errorf("watching it anew: %v", err)
	}
}

// TestResumeWindow: an entry that moved or changed while the page slept does not move the page.
func TestResumeWindow(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		at   At
		page []string
		then func(p *testSite, up timeline.CommentID, ids map[string]timeline.PostID)
		want []string
	}{
		{"the first sinks", At{Count: 3}, []string{"a", "f", "e"}, func(p *testSite, up timeline.CommentID, ids map[string]timeline.PostID) {
			p.must(p.store.DeleteComment(p.t.Context(), p.user("ann"), ids["a"], up))
		}, []string{"d after e", "a gone"}},
		{"the last rises", At{Count: 3}, []string{"a", "f", "e"}, func(p *testSite, _ timeline.CommentID, ids map[string]timeline.PostID) {
			p.comment("ann", ids["e"], "up")
		}, []string{"e first"}},
		{"all change in their places", At{Count: 3}, []string{"a", "f", "e"}, func(p *testSite, _ timeline.CommentID, _ map[string]timeline.PostID) {
			p.status("bob", "protected")
		}, []string{"a first", "f after a", "e after f", "d gone", "c gone", "b gone"}},
		{"the first of a numbered page rises", At{Skip: 2, Count: 2}, []string{"e", "d"}, func(p *testSite, _ timeline.CommentID, ids map[string]timeline.PostID) {
			p.comment("ann", ids["e"], "up")
		}, []string{"e gone", "c after d"}},
		{"all rise", At{Count: 2}, []string{"a", "f"}, func(p *testSite, _ timeline.CommentID, ids map[string]timeline.PostID) {
			p.comment("ann", ids["a"], "up")
			p.comment("ann", ids["f"], "up")
		}, []string{"f first", "a after f"}},
		{"all go", At{Count: 2}, []string{"a", "f"}, func(p *testSite, _ timeline.CommentID, ids map[string]timeline.PostID) {
			p.must(p.store.DeletePost(p.t.Context(), p.user("bob"), ids["a"]))
			p.must(p.store.DeletePost(p.t.Context(), p.user("bob"), ids["f"]))
		}, []string{"e first", "d after e", "a gone", "f gone"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newTestSite(t, "ann", "bob")
			ids, names := make(map[string]timeline.PostID), make(map[timeline.PostID]string)
			for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
				ids[name] = p.post("bob", name)
				names[ids[name]] = name
			}
			up := p.comment("ann", ids["a"], "up")
			p.sync()
			v, w := p.opened(p.page("ann", KindUser, "bob"), test.at)
			want(t, "page", texts(v.Entries), test.page...)
			test.then(p, up, ids)
			p.sync()
			patch, _, err := w.Resume(Resume{At: test.at, Epoch: v.Epoch, Counter: v.Counter, Have: haveOf(v)})
			p.must(err)
			want(t, "told", ops(patch, names), test.want...)
		})
	}
}

// TestTrimmedUnderAPage trims a river below the last entry of an open page. The page does not
// keep the entries that the river no longer holds.
func TestTrimmedUnderAPage(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.stop()
	p.set.OpenMost = 10
	p.start()
	names := make(map[timeline.PostID]string)
	first := p.post("bob", "first")
	p.sync()
	v, w := p.opened(everything(0), At{})
	_, window, err := w.Resume(Resume{Epoch: v.Epoch, Counter: v.Counter, Have: haveOf(v)})
	p.must(err)
	counter := v.Counter
	for range 12 {
		p.post("bob", "more")
		p.sync()
	}
	p.must(p.store.DeletePost(t.Context(), p.user("bob"), first))
	names[first] = "first"
	p.sync()
	patch, err := w.Patch(counter, window)
	if err == nil {
		for _, op := range patch.Ops {
			if op.Post == first && op.Gone {
				return
			}
		}
		t.Errorf("the page is told %v, and goes on showing what was deleted", ops(patch, names))
	}
}

// TestDeepPageAfterARebuild: a page further down keeps its entries when its river is rebuilt
// from the top.
func TestDeepPageAfterARebuild(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	names := make(map[timeline.PostID]string)
	for i := range 60 {
		name := fmt.Sprint(i)
		names[p.post("bob", name)] = name
	}
	p.sync()
	v, err := p.node.Visit(t.Context(), everything(0), At{Count: 25})
	p.must(err)
	at := At{Count: 10, Before: *v.Older}
	deep, err := p.node.Visit(t.Context(), everything(0), at)
	p.must(err)
	if !deep.Live {
		t.Fatal("not live")
	}
	farther := At{Count: 10, Before: *deep.Older}
	third, err := p.node.Visit(t.Context(), everything(0), farther)
	p.must(err)
	p.clock.advance(5 * time.Hour)
	p.expire()
	w, err := p.node.Watch(t.Context(), everything(0))
	p.must(err)
	defer w.Close()
	patch, _, err := w.Resume(Resume{At: farther, Epoch: third.Epoch, Counter: third.Counter, Have: haveOf(third)})
	p.must(err)
	if !patch.Reset {
		t.Errorf("the third page is told %v", ops(patch, names))
	}
	want(t, "third page", texts(patch.Entries), texts(third.Entries)...)
	patch, _, err = w.Resume(Resume{At: at, Epoch: deep.Epoch, Counter: deep.Counter, Have: haveOf(deep)})
	p.must(err)
	if patch.Reset {
		t.Error("the second page is reset")
	}
	want(t, "the second page is told", ops(patch, names))
}
