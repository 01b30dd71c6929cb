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

// Poisoned is what drawing an entry panics with: a fault of ours, by which post.
type Poisoned struct {
	Post  timeline.PostID
	Cause any // what it panicked with
	Stack []byte
}

func (p *Poisoned) Error() string {
	return fmt.Sprintf("drawing post %d panicked: %v\n%s", p.Post, p.Cause, p.Stack)
}

// Blame, deferred, says of a panic which entry was being drawn: it panics with a
// *[Poisoned].
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

// guarded is the entry, whose faults are its own.
func guarded(m EntryModel) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		defer Blame(m.Entry)
		return Entry(m).Render(ctx, w)
	})
}
