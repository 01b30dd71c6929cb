package page

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/a-h/templ"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// A Poisoned is the value with which the rendering of an entry panics: a fault of the
// server, caused by a post.
type Poisoned struct {
	Post  timeline.PostID
	Cause any // the value of the original panic
	Stack []byte
}

func (p *Poisoned) Error() string {
	return fmt.Sprintf("rendering post %d panicked: %v\n%s", p.Post, p.Cause, p.Stack)
}

// Blame turns a panic into one with a *[Poisoned], which names the entry that was being
// rendered. The caller defers Blame.
func Blame(e *river.Entry) {
	cause := recover()
	if cause == nil {
		return
	}
	if _, known := cause.(*Poisoned); known {
		panic(cause)
	}
	panic(&Poisoned{Post: e.Post(), Cause: cause, Stack: debug.Stack()})
}

// guarded renders an entry; a panic names the entry.
func guarded(m EntryModel) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		defer Blame(m.Entry)
		return Entry(m).Render(ctx, w)
	})
}
