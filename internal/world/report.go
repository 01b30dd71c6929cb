package world

import (
	"context"
	"errors"
	"slices"

	"amstel.dev/amstel/timeline"
)

// report reports a person, a post or a comment.
func (w *World) report(ctx context.Context, who *Person) error {
	d := timeline.ReportDraft{Reason: "look at this", Person: w.other(who).Name}
	switch p, c := w.commented(); {
	case p != nil && w.likely(40):
		d.Post, d.Comment = p.ID, c.id
	case w.likely(70):
		if p := w.post(); p != nil {
			d.Post = p.ID
		}
	}
	if d.Post != 0 && w.likely(50) {
		d.Group = pick(w, w.Groups).Name
	}
	return w.store.SendReport(ctx, who.ID, d)
}

// hold has a person write a post with a link while all accounts count as new, so that the post waits for an administrator
// of the site.
func (w *World) hold(ctx context.Context, who *Person) error {
	if _, err := w.store.ArrangeSite(ctx, timeline.SiteEdit{"newcomers.days": "90", "newcomers.posts": "10000"}); err != nil {
		return err
	}
	id, err := w.store.CreatePost(ctx, who.ID, timeline.NewPost{To: w.destinations(who), Text: w.richText("held", who) + " https://example.org/held"})
	if err == nil {
		w.Posts = append(w.Posts, &Post{ID: id, Author: who})
	}
	_, after := w.store.ArrangeSite(ctx, timeline.SiteEdit{"newcomers.days": "0"})
	return errors.Join(err, after)
}

// decideHeld publishes or deletes a post that waits, as an administrator of the site.
func (w *World) decideHeld(ctx context.Context, _ *Person) error {
	admin := w.People[0]
	held, _, err := w.store.HeldPosts(ctx, admin.ID, 20)
	if err != nil {
		return err
	}
	if len(held) == 0 {
		return errNothing
	}
	id := pick(w, held).ID
	if w.likely(60) {
		return w.store.ReleasePost(ctx, admin.ID, id)
	}
	err = w.store.RefusePost(ctx, admin.ID, id, "not that")
	if err == nil {
		w.Posts = slices.DeleteFunc(w.Posts, func(p *Post) bool { return p.ID == id })
	}
	return err
}

// decideReport closes an open report, as an administrator of the site or of a group.
func (w *World) decideReport(ctx context.Context, _ *Person) error {
	who := w.People[0]
	if w.likely(50) {
		_, who = w.groupAndAdmin()
	}
	p, err := w.store.Reports(ctx, who.ID, false, 0, 20)
	if err != nil {
		return err
	}
	if len(p.Reports) == 0 {
		return errNothing
	}
	r := pick(w, p.Reports)
	d := timeline.Decision{Act: pick(w, []string{timeline.ActDismiss, timeline.ActWarn, timeline.ActHide, timeline.DecideDelete}), Reason: "so it is"}
	err = w.store.DecideReport(ctx, who.ID, r.ID, d)
	if err != nil || d.Act != timeline.DecideDelete {
		return err
	}
	for _, p := range w.Posts {
		if p.ID == r.Post {
			p.comments = slices.DeleteFunc(p.comments, func(c comment) bool { return c.id == r.Comment })
		}
	}
	if r.Comment == 0 && r.Group == 0 {
		w.Posts = slices.DeleteFunc(w.Posts, func(p *Post) bool { return p.ID == r.Post })
	}
	return nil
}
