package models

import (
	"context"
	"fmt"
	"reflect"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// compare compares homes from the source with the homes of a store without inboxes: the first page on a
// node, and then the posts far down. A difference is an error.
func (l *laboratory) compare(ctx context.Context) error {
	if err := l.work(ctx); err != nil {
		return err
	}
	plain := timeline.New(l.pool, timeline.Options{})
	return l.onEmptyNode(ctx, l.store, func(node *river.Node) error {
		return l.onEmptyNode(ctx, plain, func(right *river.Node) error {
			compared := 0
			for _, at := range l.people.Homes {
				user := l.people.People[at].ID
				got, err := node.Visit(ctx, homeOf(user), river.At{})
				if err != nil {
					return err
				}
				want, err := right.Visit(ctx, homeOf(user), river.At{})
				if err != nil {
					return err
				}
				if err := samePage(got, want); err != nil {
					return fmt.Errorf("the home of user %d differs from that of the timelines: %w", user, err)
				}
				if err := l.compareChoice(ctx, user); err != nil {
					return fmt.Errorf("the home of user %d differs from that of the timelines: %w", user, err)
				}
				compared++
			}
			l.result.Compared += compared
			return nil
		})
	})
}

// samePage returns an error if two pages differ in any entry.
func samePage(got, want *river.View) error {
	if len(got.Entries) != len(want.Entries) {
		return fmt.Errorf("%d entries, not %d", len(got.Entries), len(want.Entries))
	}
	for i := range got.Entries {
		g, w := &got.Entries[i], &want.Entries[i]
		if g.Facts.ID != w.Facts.ID || g.Cursor != w.Cursor || !reflect.DeepEqual(g.Fold, w.Fold) {
			return fmt.Errorf("entry %d is post %d, not %d", i, g.Facts.ID, w.Facts.ID)
		}
	}
	return nil
}

// deepest is how many posts of a home are compared.
const deepest = 1000

// compareChoice compares the posts of a home as the source chooses them with the posts as the timelines
// have them, in one state of the primary.
func (l *laboratory) compareChoice(ctx context.Context, user timeline.UserID) error {
	c, err := l.choiceOf(ctx, timeline.InboxKey{Kind: string(river.KindHome), Viewer: user, Their: int64(user)})
	if err != nil {
		return err
	}
	sn, err := l.store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer sn.Close()
	posts := func(c timeline.Choice) (all []timeline.Cursor, err error) {
		for below := timeline.Top; len(all) < deepest; {
			chosen, err := sn.Choose(ctx, c, below, 60)
			if err != nil {
				return nil, err
			}
			all = append(all, chosen.Posts...)
			if below = chosen.Low; below == (timeline.Cursor{}) {
				return all, nil
			}
		}
		return all[:deepest], nil
	}
	got, err := posts(c)
	if err != nil {
		return err
	}
	c.Inbox = timeline.InboxKey{}
	want, err := posts(c)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("%d posts are others than the %d of the timelines", len(got), len(want))
	}
	return nil
}
