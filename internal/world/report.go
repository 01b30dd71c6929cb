package world

import (
	"context"
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
	d := timeline.Decision{Act: pick(w, []string{timeline.ActDismiss, timeline.ActWarn, timeline.DecideDelete}), Reason: "so it is"}
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
