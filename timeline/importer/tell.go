package importer

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"amstel.dev/amstel/timeline/text"
)

// To tell the languages of posts takes longer than all else that is done here, so
// it is done beside what the primary is asked: by a teller, ahead of who takes the
// lines, and by who takes them, for what is left.

// tell answers the language of a post, told from its text.
func (l *line) tell() string {
	l.telling.Do(func() { l.lang = text.Detect(l.text) })
	return l.lang
}

// A teller tells languages ahead.
type teller struct {
	todo chan []*line
	idle atomic.Bool // what is read was taken before, and need not be told
}

func newTeller() *teller { return &teller{todo: make(chan []*line, 2)} }

// run tells what is to be, until todo is closed.
func (t *teller) run(ctx context.Context) {
	for lines := range t.todo {
		for _, l := range lines {
			if ctx.Err() == nil && !t.idle.Load() && l.kind == kindPost {
				l.tell()
			}
		}
	}
}

// tell tells what is left of the batch's new posts.
func (t *taking) tell() {
	var todo []*line
	for _, l := range t.lines {
		if p := t.posts[l.id]; l.kind == kindPost && p.line == l && !p.gone && t.members[l.user].lang == "" {
			todo = append(todo, l)
		}
	}
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for i := range workers {
		wg.Go(func() {
			for j := i; j < len(todo); j += workers {
				todo[j].tell()
			}
		})
	}
	wg.Wait()
}
