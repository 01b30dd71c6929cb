package bench

import (
	"context"
	"fmt"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// Two members of the square are expelled, one while everybody reads it and one
// while its members do.
const expelledFirst, expelledThen = 2, 5

// group measures a group with very many members.
func (m *mayor) group(ctx context.Context) error {
	open := []river.Key{square(0)}
	for _, i := range []int{expelledFirst, expelledThen} {
		open = append(open, home(folk(i)), square(folk(i)))
	}
	var living []river.Key
	for k := range m.Rivers / 10 { // others than those about the star
		member := folk(m.Members - 1 - k)
		if k%2 == 0 {
			open = append(open, home(member), square(member))
		} else {
			living = append(living, home(member), square(member))
		}
	}
	if err := m.living(ctx, living...); err != nil {
		return err
	}
	feed := timeline.FeedName{Name: squareName}
	expel := func(i int) func(context.Context) error {
		return func(ctx context.Context) error { return m.store.RemoveSubscriber(ctx, theChair, feed, folkName(i)) }
	}
	set := func(status string) func(context.Context) error {
		return func(ctx context.Context) error {
			return m.store.EditGroup(ctx, theChair, squareName, timeline.GroupEdit{Status: &status})
		}
	}
	for _, s := range []step{
		{Name: "group.expel", Act: expel(expelledFirst)},
		{Name: "group.private", Act: set("private")},
		{Name: "group.expel.private", Act: expel(expelledThen)},
		{Name: "group.public", Act: set("public")},
	} {
		if err := m.open(ctx, open...); err != nil {
			return err
		}
		s.Of = "a group with very many members"
		if err := m.step(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// account measures the deletion of one that wrote much.
func (m *mayor) account(ctx context.Context) error {
	const password = "to be forgotten soon"
	if err := m.store.SetPassword(ctx, theLeaver, password); err != nil {
		return err
	}
	comments := river.Key{What: river.KindComments, TheirID: int64(theLeaver)}
	open := []river.Key{
		home(theLeaver), feedOf(0, theLeaver), comments, {What: river.KindLikes, TheirID: int64(theLeaver)}, everything(0),
	}
	view, err := m.node.Visit(ctx, comments, river.At{})
	if err != nil {
		return err
	}
	for i := range view.Entries {
		open = append(open, river.Key{What: river.KindPost, TheirID: int64(view.Entries[i].Facts.ID)})
	}
	for k := range m.Open / 10 {
		open = append(open, home(folk(4+12*k))) // who follows him
	}
	if err := m.open(ctx, open...); err != nil {
		return err
	}
	if err := m.step(ctx, step{
		Name: "account.delete", Of: "the account of somebody who wrote very much",
		Act: func(ctx context.Context) error { return m.store.DeleteAccount(ctx, theLeaver, password) },
	}); err != nil {
		return err
	}
	return m.step(ctx, step{Name: "account.workoff", Of: "all that he left, taken away", Act: m.workOff})
}

// workPause lies between two chunks of work; see cmd/amstel.
const workPause = 20 * time.Millisecond

// workOff does all that the primary has still to finish. What it calls done may
// wait for a transaction that was under way to end: one that never does is an
// error.
func (m *mayor) workOff(ctx context.Context) error {
	const left = `select count(*) from jobs`
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for idle := time.Now(); ; {
		more, err := m.store.WorkOff(ctx)
		if err != nil {
			return err
		}
		if more {
			idle = time.Now()
			select { // as the program does, so that nodes keep up
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(workPause):
			}
			continue
		}
		var jobs int
		if err := m.store.Pool().QueryRow(ctx, left).Scan(&jobs); err != nil || jobs == 0 {
			return err
		}
		if time.Since(idle) > unsettled {
			return fmt.Errorf("work off: %d jobs wait for transactions that do not end", jobs)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
}
