package river

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
)

// filled returns a site with more rivers than one turn saves, one of them open.
func filled(t *testing.T) (p *testSite, open *Watch) {
	long(t)
	t.Helper()
	p = newTestSite(t, "ann", "bob", "dan", "eve")
	p.stop()
	p.set.saved, p.set.SaveAgain = 100, time.Millisecond
	p.start()
	p.follow("ann", "bob")
	p.follow("dan", "bob")
	for i := range 8 {
		post := p.post("bob", fmt.Sprint("bob ", i))
		p.comment("eve", post, "hello")
		p.like("ann", post)
	}
	p.visit(p.home("dan"))
	for _, viewer := range []string{"", "ann", "dan", "eve"} {
		p.visit(everything(p.user(viewer)))
		p.visit(p.page(viewer, KindUser, "bob"))
		p.visit(p.page(viewer, KindComments, "eve"))
		for _, e := range p.visitAll(everything(p.user(viewer))) {
			if viewer != "dan" {
				p.visit(single(p.user(viewer), e.Facts.ID))
			}
		}
	}
	_, open = p.opened(p.home("ann"), At{})
	return p, open
}

func (p *testSite) visitAll(key Key) []Entry {
	p.t.Helper()
	v, err := p.node.Visit(p.t.Context(), key, At{Count: 100})
	p.must(err)
	return v.Entries
}

// TestLostRiverDBIsSavedAnew: the file is lost under a running node, in several ways. Pages
// stay right. Soon a new file has the whole state, and a restart goes on from it.
func TestLostRiverDBIsSavedAnew(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(p *testSite){
		"deleted": func(p *testSite) { p.removeRiverDB() },
		"replaced": func(p *testSite) {
			p.must(os.WriteFile(p.path+".other", []byte("another program's file"), 0o600))
			p.must(os.Rename(p.path+".other", p.path))
		},
		"truncated": func(p *testSite) { p.must(os.Truncate(p.path, 5000)) },
		"noise":     func(p *testSite) { p.must(os.WriteFile(p.path, bytes.Repeat([]byte("noise "), 20_000), 0o600)) },
		"its journal is gone": func(p *testSite) {
			p.must(os.Remove(p.path + "-wal"))
		},
		"its folder is gone": func(p *testSite) { p.must(os.RemoveAll(filepath.Dir(p.path))) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, open := filled(t)
			p.waitSettled()
			before := p.node.Stats()
			home, _, err := open.Resume(Resume{})
			p.must(err)
			p.sync()
			spoil(p)
			p.comment("dan", p.post("bob", "while it is saved"), "indeed")
			p.follow("dan", "eve")
			if n := p.compareAll(); n != len(p.node.st.rivers) {
				t.Errorf("%d rivers are right", n)
			}
			after := p.node.Stats()
			if after.Renewed != 1 || after.RiverDBIncomplete {
				t.Errorf("%d river DBs were made, adrift %v", after.Renewed, after.RiverDBIncomplete)
			}
			for kind, n := range before.Living {
				if after.Living[kind] != n {
					t.Errorf("of %q %d rivers live, %d before", kind, after.Living[kind], n)
				}
			}
			patch, err := open.Patch(home.To, Window{High: timeline.Top})
			if err != nil || len(patch.Ops) != 1 {
				t.Errorf("the open page is told %+v (%v)", patch, err)
			}
			open.Close()
			p.stop()
			p.start()
			if n := p.compareAll(); n != len(p.node.st.rivers) || n < 20 {
				t.Errorf("after a restart %d rivers live", n)
			}
		})
	}
}

// TestKilledWhileSaving kills a node at each chunk that it saves. The next node begins with the
// saved rivers, and they are right.
func TestKilledWhileSaving(t *testing.T) {
	t.Parallel()
	p, open := filled(t)
	open.Close()
	p.waitSettled()
	all := len(p.node.st.rivers)
	for kill := 1; ; kill++ {
		p.stop()
		var armed atomic.Bool
		left := kill
		hit := make(chan struct{})
		p.faults.written = func() error {
			if armed.Load() {
				if left--; left == 0 {
					close(hit)
				}
				if left <= 0 {
					return errors.New("killed")
				}
			}
			return nil
		}
		p.start()
		p.waitSettled()
		armed.Store(true)
		p.removeRiverDB()
		p.post("bob", fmt.Sprint("kill ", kill)) // a turn has something else to do, too
		saved := make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			defer close(saved)
			for p.node.WaitApplied(ctx) == nil && !p.node.settled() {
			}
		}()
		over := false
		select {
		case <-hit:
		case <-saved:
			over = true
		}
		p.cancel()
		p.stop()
		cancel()
		<-saved
		p.faults.written = nil
		p.start()
		n := p.compareAll()
		if over {
			if kill < 5 || n != all {
				t.Errorf("after %d kills all is saved at once, and %d rivers live of %d", kill-1, n, all)
			}
			return
		}
		for _, viewer := range []string{"", "ann", "dan", "eve"} { // as many rivers as before
			p.visit(everything(p.user(viewer)))
			p.visit(p.page(viewer, KindUser, "bob"))
			p.visit(p.page(viewer, KindComments, "eve"))
			for _, e := range p.visitAll(everything(p.user(viewer)))[kill:] {
				if viewer != "dan" {
					p.visit(single(p.user(viewer), e.Facts.ID))
				}
			}
		}
		p.visit(p.home("dan"))
		p.visit(p.home("ann"))
		all = len(p.node.st.rivers)
	}
}

// TestFullDisk fills the disk of the river DB. Pages go on as before, and only the
// log and the metrics report the fault. When there is room again, everything is
// written.
func TestFullDisk(t *testing.T) {
	long(t)
	t.Parallel()
	p, before := filled(t)
	before.Close()
	p.waitSettled()
	p.stop()
	var full atomic.Bool
	p.faults.disk = func() error {
		if full.Load() {
			return syscall.ENOSPC
		}
		return nil
	}
	p.start()
	_, open := p.opened(p.home("ann"), At{})
	full.Store(true)
	p.post("bob", "where is it to go?")
	p.sync()
	want(t, "home", p.visit(p.home("ann"))[:1], "where is it to go?")
	if s := p.node.Stats(); !s.RiverDBIncomplete || s.Renewed != 0 {
		t.Errorf("a full disk: adrift %v, %d river DBs", s.RiverDBIncomplete, s.Renewed)
	}
	if _, err := os.Stat(p.path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what it held of the disk: %v", err)
	}
	for range 5 {
		p.comment("eve", p.post("bob", "and this?"), "hello")
		p.sync()
	}
	full.Store(false)
	p.compareAll()
	if s := p.node.Stats(); s.RiverDBIncomplete || s.Renewed != 1 {
		t.Errorf("with room again: adrift %v, %d river DBs", s.RiverDBIncomplete, s.Renewed)
	}
	open.Close()
	p.stop()
	p.start()
	want(t, "after a restart", p.visit(p.home("ann"))[:1], "and this?")
	if p.node.Stats().Builds != 0 {
		t.Error("the home was built anew")
	}
}

// TestNoDiskAtStart: a node that finds no place for a river DB serves all the same.
func TestNoDiskAtStart(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann")
	p.post("ann", "one")
	p.stop()
	p.set.SaveAgain = time.Millisecond
	place := p.path
	p.must(os.WriteFile(place+".file", nil, 0o600))
	p.path = place + ".file/river.db" // no folder
	p.start()
	want(t, "everything", p.visit(everything(0)), "one")
	if !p.node.Stats().RiverDBIncomplete {
		t.Error("it says that it can be saved")
	}
	p.must(os.Remove(place + ".file"))
	p.compareAll()
}
