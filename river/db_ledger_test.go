package river

import (
	"bytes"
	"os"
	"sync/atomic"
	"testing"
	"time"
)

// damages are the ways in which other programs damage a river DB.
func damages() map[string]func(p *testSite) {
	return map[string]func(p *testSite){
		"truncated":            func(p *testSite) { p.must(os.Truncate(p.path, 5000)) },
		"cut by half":          func(p *testSite) { p.must(os.Truncate(p.path, half(p, p.path))) },
		"noise":                func(p *testSite) { p.must(os.WriteFile(p.path, bytes.Repeat([]byte("noise "), 20_000), 0o600)) },
		"noise in its middle":  func(p *testSite) { p.scribble(p.path, half(p, p.path)) },
		"noise at its end":     func(p *testSite) { p.scribble(p.path, 2*half(p, p.path)-100) },
		"its journal cut off":  func(p *testSite) { p.must(os.Truncate(p.path+"-wal", half(p, p.path+"-wal"))) },
		"noise in its journal": func(p *testSite) { p.scribble(p.path+"-wal", half(p, p.path+"-wal")) },
		"deleted":              func(p *testSite) { p.removeRiverDB() },
	}
}

func half(p *testSite, path string) int64 {
	info, err := os.Stat(path)
	p.must(err)
	return info.Size() / 2
}

// scribble writes noise into a file without changing the file's size and time.
func (p *testSite) scribble(path string, at int64) {
	info, err := os.Stat(path)
	p.must(err)
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	p.must(err)
	_, err = file.WriteAt(bytes.Repeat([]byte{'!'}, 100), at)
	p.must(err)
	p.must(file.Close())
	p.must(os.Chtimes(path, info.ModTime(), info.ModTime()))
}

// TestRiverDBSpoiltDuringATurnIsSavedAnew: another program damages the files while a turn reads,
// while a turn writes, or after the last turn before the node's end. The node notices the
// damage, and a restart loses no river.
func TestRiverDBSpoiltDuringATurnIsSavedAnew(t *testing.T) {
	t.Parallel()
	for _, point := range []string{"reading", "writing", "ended"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			p, open := filled(t)
			open.Close()
			p.waitSettled()
			p.stop()
			var armed atomic.Pointer[func(*testSite)]
			at := func(here string) {
				if here == point {
					if spoil := armed.Swap(nil); spoil != nil {
						(*spoil)(p)
					}
				}
			}
			p.faults.sequenced = func() { at("reading") }
			p.faults.disk = func() error { at("writing"); return nil }
			if point == "ended" {
				p.set.Poll = time.Hour
			}
			p.start()
			all := len(p.node.st.rivers)
			for name, spoil := range damages() {
				p.comment("dan", p.post("bob", "so that there is a journal"), "indeed")
				p.waitSettled()
				before := p.node.Stats().Renewed
				if point == "ended" {
					spoil(p)
				} else {
					armed.Store(&spoil)
					p.comment("dan", p.post("bob", name), "indeed")
					p.sync()
					if p.waitSettled(); armed.Load() != nil || p.node.Stats().Renewed != before+1 {
						t.Errorf("%s: %d river DBs were made", name, p.node.Stats().Renewed-before)
					}
				}
				p.stop()
				p.start()
				p.waitSettled()
				if n := len(p.node.st.rivers); n != all || n < 20 {
					t.Fatalf("%s: after a restart %d rivers live, of %d", name, n, all)
				}
			}
			p.compareAll()
		})
	}
}
