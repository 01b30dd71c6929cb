package main

import (
	"context"
	"errors"
	"fmt"

	"amstel.dev/amstel/internal/mail"
	"amstel.dev/amstel/timeline"
)

type bounceCmd struct {
	primary
}

// A laterError is a fault after which a mail server should try again.
type laterError struct{ error }

func (e *laterError) Unwrap() error { return e.error }

// Run reads a message to the sender of the site's mail. It prints what became of the message, and returns no error for one that it
// can't use, because a mail server would send that back to its sender.
func (c *bounceCmd) Run(ctx context.Context, to streams) (err error) {
	b, err := mail.ReadBounce(to.in)
	if err != nil {
		return c.say(to, "ignored: "+err.Error())
	}
	db, err := c.open(ctx, to)
	if err != nil {
		return &laterError{err}
	}
	defer db.close(&err)
	switch err := timeline.New(db.pool, timeline.Options{}).NoteBounce(ctx, b.Message, b.Reason, b.ForGood); {
	case errors.Is(err, timeline.ErrNotFound):
		return c.say(to, "ignored: no mail with this Message-ID was sent in the last month")
	case err != nil:
		return &laterError{err}
	case b.ForGood:
		return c.say(to, "noted: the address gets no more mail about notifications until it is confirmed again")
	}
	return c.say(to, "noted: the mail did not arrive; later ones may")
}

// say prints what became of the message.
func (c *bounceCmd) say(to streams, sentence string) error {
	_, err := fmt.Fprintln(to.out, sentence)
	return err
}
