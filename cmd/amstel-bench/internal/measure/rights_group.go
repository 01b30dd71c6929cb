package measure

import (
	"context"
	"fmt"
	"time"

	"amstel.dev/amstel/cmd/amstel-bench/internal/dataset"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// The two members of the big group whom the administrator expels: the first while the group is
// public, the second while only its members may read it.
const expelledFirst, expelledThen = 2, 5

// group measures a group with very many members: two are expelled, and it goes private and public.
func (m *rightsRun) group(ctx context.Context) error {
	open := []river.Key{bigGroup(0)}
	for _, i := range []int{expelledFirst, expelledThen} {
		open = append(open, home(dataset.Member(i)), bigGroup(dataset.Member(i)))
	}
	var living []river.Key
	for k := range m.Rivers / 10 { // the last members, because the first ones have the author's rivers open
		member := dataset.Member(m.Members - 1 - k)
		if k%2 == 0 {
			open = append(open, home(member), bigGroup(member))
		} else {
			living = append(living, home(member), bigGroup(member))
		}
	}
	if err := m.living(ctx, living...); err != nil {
		return err
	}
	feed := timeline.FeedName{Name: dataset.BigGroupName}
	expel := func(i int) func(context.Context) error {
		return func(ctx context.Context) error {
			return m.store.RemoveSubscriber(ctx, dataset.Admin, feed, dataset.MemberName(i))
		}
	}
	set := func(status string) func(context.Context) error {
		return func(ctx context.Context) error {
			return m.store.EditGroup(ctx, dataset.Admin, dataset.BigGroupName, timeline.GroupEdit{Status: &status})
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

// account measures the deletion of an account that wrote much.
func (m *rightsRun) account(ctx context.Context) error {
	const password = "to be forgotten soon"
	if err := m.store.SetPassword(ctx, dataset.Leaver, password); err != nil {
		return err
	}
	comments := river.Key{What: river.KindComments, TheirID: int64(dataset.Leaver)}
	open := []river.Key{
		home(dataset.Leaver), feedOf(0, dataset.Leaver), comments, {What: river.KindLikes, TheirID: int64(dataset.Leaver)}, everything(0),
	}
	view, err := m.node.Visit(ctx, comments, river.At{})
	if err != nil {
		return err
	}
	for i := range view.Entries {
		open = append(open, river.Key{What: river.KindPost, TheirID: int64(view.Entries[i].Facts.ID)})
	}
	for k := range m.Open / 10 {
		open = append(open, home(dataset.Member(4+12*k))) // a follower
	}
	if err := m.open(ctx, open...); err != nil {
		return err
	}
	if err := m.step(ctx, step{
		Name: "account.delete", Of: "the account of a person with very many posts",
		Act: func(ctx context.Context) error { return m.store.DeleteAccount(ctx, dataset.Leaver, password) },
	}); err != nil {
		return err
	}
	if err := m.step(ctx, step{Name: "account.withhold", Of: "the hiding of everything that the person wrote", Act: m.workOff}); err != nil {
		return err
	}
	if err := m.step(ctx, step{
		Name: "account.erase", Of: "the end of the account, as if the time for coming back were over",
		Act: func(ctx context.Context) error {
			if _, err := m.Pool.Exec(ctx, `update users set erase_at = 'epoch' where id = $1`, dataset.Leaver); err != nil {
				return err
			}
			return m.store.EraseAccounts(ctx)
		},
	}); err != nil {
		return err
	}
	return m.step(ctx, step{Name: "account.workoff", Of: "the deletion of everything that the person left", Act: m.workOff})
}

// workPause is the time between two chunks of work, as in cmd/amstel.
const workPause = 20 * time.Millisecond

// workOff does all work that is left in the tables of jobs of accounts. A job may have to wait until an older
// transaction ends; it is an error if it waits for too long.
func (m *rightsRun) workOff(ctx context.Context) error {
	const left = `select (select count(*) from jobs) + (select count(*) from suspension_jobs)`
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for idle := time.Now(); ; {
		more, err := m.store.RunAccountJob(ctx)
		if err != nil {
			return err
		}
		if more {
			idle = time.Now()
			select { // the server pauses too, so that nodes keep up
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
		if time.Since(idle) > report.SilenceWithin {
			return fmt.Errorf("work off: %d jobs wait for transactions that do not end", jobs)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
}
