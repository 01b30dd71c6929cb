package measure

import (
	"context"
	"errors"

	"amstel.dev/amstel/cmd/amstel-bench/internal/dataset"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// flips is how often the status of a feed is changed back and forth without a pause.
const flips = 6

func home(u timeline.UserID) river.Key {
	return river.Key{Viewer: u, What: river.KindHome, TheirID: int64(u)}
}

func feedOf(viewer, of timeline.UserID) river.Key {
	return river.Key{Viewer: viewer, What: river.KindUser, TheirID: int64(of)}
}

func bigGroup(viewer timeline.UserID) river.Key {
	return river.Key{Viewer: viewer, What: river.KindGroup, TheirID: int64(dataset.BigGroup)}
}

func everything(viewer timeline.UserID) river.Key {
	return river.Key{Viewer: viewer, What: river.KindEverything}
}

// measure makes the rivers live, and measures every step.
func (m *rightsRun) measure(ctx context.Context) error {
	m.notice("Opening pages.")
	open, living, err := m.authorRivers(ctx)
	if err != nil {
		return err
	}
	if err := errors.Join(m.open(ctx, open...), m.living(ctx, living...)); err != nil {
		return err
	}
	m.notice("Measuring the reader of %d feeds.", m.Subscriptions)
	if err := m.reader(ctx); err != nil {
		return err
	}
	m.notice("Measuring the feed of %d posts.", m.AuthorPosts)
	if err := m.author(ctx, open); err != nil {
		return err
	}
	m.notice("Measuring the group of %d members.", m.Members)
	if err := m.group(ctx); err != nil {
		return err
	}
	m.notice("Measuring the account of %d posts and %d comments.", m.LeaverPosts, m.LeaverComments)
	return m.account(ctx)
}

// authorRivers returns rivers that hold the author's posts, divided into rivers to keep open as pages
// and rivers that only live. They are the homes of subscribers; for people who do not subscribe, their
// homes, the author's feed, everything and the page of a post; and the author's feed and everything
// for readers without an account.
func (m *rightsRun) authorRivers(ctx context.Context) (open, living []river.Key, err error) {
	view, err := m.node.Visit(ctx, feedOf(0, dataset.Author), river.At{})
	if err != nil {
		return nil, nil, err
	}
	open = []river.Key{feedOf(0, dataset.Author), everything(0)}
	const block = 20
	for j := range m.Rivers {
		subscriber, stranger := dataset.Member(3*j), dataset.Member(3*j+1)
		var key river.Key
		switch k := j % block; {
		case k < 10:
			key = home(subscriber)
		case k < 14:
			key = home(stranger)
		case k < 17:
			key = feedOf(stranger, dataset.Author)
		case k < 19:
			key = everything(stranger)
		default:
			post := view.Entries[j/block%len(view.Entries)].Facts.ID
			key = river.Key{Viewer: stranger, What: river.KindPost, TheirID: int64(post)}
		}
		if j/block%(m.Rivers/m.Open) == 0 {
			open = append(open, key)
		} else {
			living = append(living, key)
		}
	}
	return open, living, nil
}

// reader measures a reader of very many feeds who unsubscribes, subscribes, bans and is banned, first
// with an open home and then with a closed one.
func (m *rightsRun) reader(ctx context.Context) error {
	if err := m.open(ctx, home(dataset.Reader)); err != nil {
		return err
	}
	view, err := m.node.Visit(ctx, home(dataset.Reader), river.At{})
	if err != nil {
		return err
	}
	target, name := timeline.UserID(0), timeline.FeedName{}
	for i := range view.Entries {
		if e := &view.Entries[i]; e.Facts.Author >= dataset.FirstMember && len(e.Reasons.Of(timeline.WhatUser)) > 0 {
			target = e.Facts.Author
			break
		}
	}
	if target == 0 {
		return errors.New("the reader's home shows no post of a person the reader follows")
	}
	name.Name = dataset.MemberName(int(target - dataset.FirstMember))
	subscribe := func(ctx context.Context) error {
		_, err := m.store.Subscribe(ctx, dataset.Reader, name, timeline.SubscribeOptions{})
		return err
	}
	again := func(end func(context.Context) error) func(context.Context) error {
		return func(ctx context.Context) error { return errors.Join(end(ctx), subscribe(ctx)) }
	}
	// Beside the reader's home, the banned person's home and feed are open.
	pages := []river.Key{home(dataset.Reader), home(target), feedOf(dataset.Reader, target)}
	for _, where := range []string{"", ".closed"} {
		var closed []river.Key
		of := "the reader who follows most, with an open home"
		if where != "" {
			m.close(home(dataset.Reader))
			closed, of = pages[:1], "the same reader, with a closed home"
		}
		for _, s := range []struct {
			step
			undo func(context.Context) error
		}{
			{step{Name: "unsubscribe", Act: func(ctx context.Context) error { return m.store.Unsubscribe(ctx, dataset.Reader, name) }}, nil},
			{step{Name: "subscribe", Act: subscribe}, nil},
			{step{Name: "ban", Act: func(ctx context.Context) error { return m.store.Ban(ctx, dataset.Reader, name.Name) }},
				again(func(ctx context.Context) error { return m.store.Unban(ctx, dataset.Reader, name.Name) })},
			{step{Name: "banned", Act: func(ctx context.Context) error { return m.store.Ban(ctx, target, dataset.ReaderName) }},
				again(func(ctx context.Context) error { return m.store.Unban(ctx, target, dataset.ReaderName) })},
		} {
			if err := m.open(ctx, pages[1:]...); err != nil {
				return err
			}
			s.Name, s.Of, s.Pages, s.Closed = "reader."+s.Name+where, of, pages, closed
			if err := m.step(ctx, s.step); err != nil {
				return err
			}
			if s.undo == nil {
				continue
			}
			if err := s.undo(ctx); err != nil {
				return err
			}
		}
	}
	for _, key := range pages {
		m.close(key)
	}
	return nil
}

// author measures a feed with very many posts that changes its status.
func (m *rightsRun) author(ctx context.Context, open []river.Key) error {
	set := func(status string) func(context.Context) error {
		return func(ctx context.Context) error {
			return m.store.SetProfile(ctx, dataset.Author, timeline.ProfileEdit{Status: &status})
		}
	}
	for _, s := range []step{
		{Name: "feed.private", Act: set("private")},
		{Name: "feed.public", Act: set("public")},
		{Name: "feed.flips", Act: func(ctx context.Context) error {
			for i := range flips {
				if err := set([]string{"private", "public"}[i%2])(ctx); err != nil {
					return err
				}
			}
			return set("private")(ctx)
		}},
		{Name: "feed.back", Act: set("public")},
	} {
		if err := m.open(ctx, open...); err != nil {
			return err
		}
		s.Of = "a feed with very many posts, in many rivers"
		if err := m.step(ctx, s); err != nil {
			return err
		}
	}
	return nil
}
