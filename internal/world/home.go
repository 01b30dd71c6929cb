package world

import (
	"context"
	"fmt"
	"strings"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/ranking"
)

func (w *World) makeList(ctx context.Context, who *Person) error {
	_, err := w.store.CreateList(ctx, who.ID, fmt.Sprintf("List %d", w.rng.IntN(5)))
	return err
}

// onList calls do with a person and one of their lists. The person is who, if they have a list.
func (w *World) onList(ctx context.Context, who *Person, do func(*Person, timeline.OwnList) error) error {
	for range len(w.People) {
		lists, err := w.store.Lists(ctx, who.ID)
		if err != nil {
			return err
		}
		if len(lists) > 0 {
			return do(who, pick(w, lists))
		}
		who = pick(w, w.People)
	}
	return errNothing
}

// renameList renames a list; at times only the case of letters changes.
func (w *World) renameList(ctx context.Context, who *Person) error {
	return w.onList(ctx, who, func(who *Person, l timeline.OwnList) error {
		name := fmt.Sprintf("List %d", w.rng.IntN(5))
		if w.likely(20) {
			name = strings.ToUpper(l.Name)
		}
		return w.store.RenameList(ctx, who.ID, l.ID, name)
	})
}

func (w *World) deleteList(ctx context.Context, who *Person) error {
	return w.onList(ctx, who, func(who *Person, l timeline.OwnList) error { return w.store.DeleteList(ctx, who.ID, l.ID) })
}

func (w *World) addToList(ctx context.Context, who *Person) error {
	return w.onList(ctx, who, func(who *Person, l timeline.OwnList) error {
		return w.store.AddToList(ctx, who.ID, l.ID, w.feed(who))
	})
}

// removeFromList removes a feed from a list; at times the feed is not in it.
func (w *World) removeFromList(ctx context.Context, who *Person) error {
	return w.onList(ctx, who, func(who *Person, l timeline.OwnList) error {
		feed := w.feed(who)
		for range 10 {
			if f := w.feed(who); w.holds(l, f) {
				feed = f
				break
			}
		}
		return w.store.RemoveFromList(ctx, who.ID, l.ID, feed)
	})
}

// holds reports whether a feed is in a list.
func (w *World) holds(l timeline.OwnList, feed timeline.FeedName) bool {
	for _, t := range l.Members {
		for _, p := range w.People {
			if t.What.OfUser() && t.TheirID == int64(p.ID) && p.Name == feed.Name && feed.Private == (t.What == timeline.WhatUserPrivate) {
				return true
			}
		}
		for _, g := range w.Groups {
			if t.What == timeline.WhatGroup && t.TheirID == int64(g.ID) && g.Name == feed.Name {
				return true
			}
		}
	}
	return false
}

func (w *World) mute(ctx context.Context, who *Person) error {
	parts := timeline.MutedParts{Likes: w.likely(60), Comments: w.likely(60)}
	return w.store.Mute(ctx, who.ID, w.other(who).Name, parts)
}

// unmute unmutes a person who is muted: their likes and comments, or only their comments.
func (w *World) unmute(ctx context.Context, who *Person) error {
	for range len(w.People) {
		muted, err := w.store.Muted(ctx, who.ID)
		if err != nil {
			return err
		}
		for _, p := range w.People {
			if parts := muted[p.ID]; parts != (timeline.MutedParts{}) {
				if w.likely(30) {
					parts.Likes = false
				}
				return w.store.Unmute(ctx, who.ID, p.Name, parts)
			}
		}
		who = pick(w, w.People)
	}
	return errNothing
}

func (w *World) ownPosts(ctx context.Context, who *Person) error {
	return w.store.SetOwnPosts(ctx, who.ID, w.likely(60))
}

// noticeKinds turns a kind of notices on or off for a picky person. The others get notices of
// all kinds, so that a test knows which notices they must have.
func (w *World) noticeKinds(ctx context.Context, who *Person) error {
	if !who.Picky {
		return errNothing
	}
	kind := pick(w, timeline.NoticeKinds())
	return w.store.SetNoticeKinds(ctx, who.ID, map[timeline.NoticeKind]bool{kind: w.likely(50)})
}

// readNotices marks notices as read, all or those of a post.
func (w *World) readNotices(ctx context.Context, who *Person) error {
	if p := w.post(); p != nil && w.likely(60) {
		return w.store.ReadNoticesOf(ctx, who.ID, p.ID)
	}
	return w.store.ReadNotices(ctx, who.ID, 1<<62)
}

// importFeed adds an imported feed that fails, or makes one succeed again, or removes one.
func (w *World) importFeed(ctx context.Context, who *Person) error {
	if n := len(w.intakes); n > 0 && w.likely(30) {
		l := pick(w, w.intakes)
		if w.likely(30) {
			return w.store.RemoveIntake(ctx, l.User, l.ID)
		}
		if err := w.store.EditIntake(ctx, l.User, l.ID, timeline.IntakeEdit{Pause: new(false)}); err != nil {
			return err
		}
		return w.store.FinishIntake(ctx, *l, nil, nil, "", 0)
	}
	to := pick(w, []string{"user", "user_private", "group:" + pick(w, w.Groups).Name, "group:" + pick(w, w.Groups).Name})
	feed := timeline.NewIntake{To: to, Address: fmt.Sprintf("https://blog.example/%d", w.rng.Int()), Feed: timeline.IntakeDocument{Title: "Blog"}}
	l, err := w.store.AddIntake(ctx, who.ID, feed, 0)
	if err != nil {
		return err
	}
	l.Failures = 1
	w.intakes = append(w.intakes, l)
	return w.store.FailIntake(ctx, *l, timeline.IntakeFault{Code: timeline.IntakeGone}, 0, true)
}

func (w *World) rank(ctx context.Context, _ *Person) error {
	_, err := ranking.Rank(ctx, w.store)
	return err
}

// lift turns the site setting lift on or off, which sorts all homes anew.
func (w *World) lift(ctx context.Context, _ *Person) error {
	_, err := w.store.ArrangeSite(ctx, timeline.SiteEdit{"lift": pick(w, []string{"on", "on", "off"})})
	return err
}

// previews turns the previews of links on or off for the whole site.
func (w *World) previews(ctx context.Context, _ *Person) error {
	_, err := w.store.ArrangeSite(ctx, timeline.SiteEdit{"link_previews": pick(w, []string{"on", "on", "off"})})
	return err
}

func (w *World) bump(ctx context.Context, _ *Person) error {
	_, err := w.store.ArrangeSite(ctx, timeline.SiteEdit{"bump": pick(w, []string{timeline.BumpComment, timeline.BumpFreeFeed})})
	return err
}
