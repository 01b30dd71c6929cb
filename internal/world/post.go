package world

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"amstel.dev/amstel/timeline"
)

// destinations returns the destinations of a new post: one or two places, or one or two people
// as a direct.
func (w *World) destinations(who *Person) []string {
	group := func() string { return "group:" + pick(w, w.Groups).Name }
	switch n := w.rng.IntN(20); {
	case n < 7:
		return []string{"user"}
	case n < 10:
		return []string{group()}
	case n < 12:
		return []string{"user", group()}
	case n < 13:
		return []string{"user_private", group()}
	case n < 14:
		return []string{group(), group()}
	case n < 16:
		return []string{"user_private"}
	case n < 17:
		return []string{"user_fyeo"}
	case n < 19:
		return []string{"direct:" + w.other(who).Name}
	default:
		return []string{"direct:" + w.other(who).Name, "direct:" + w.other(who).Name}
	}
}

func (w *World) publish(ctx context.Context, who *Person) error {
	to := w.destinations(who)
	post := timeline.NewPost{To: to, Text: w.richText("post", who)}
	if w.likely(30) {
		post.Lang = pick(w, Languages)
	}
	id, err := w.store.CreatePost(ctx, who.ID, post)
	if err != nil {
		return err
	}
	w.Posts = append(w.Posts, &Post{ID: id, Author: who, Direct: strings.HasPrefix(to[0], "direct:")})
	return nil
}

func (w *World) comment(ctx context.Context, who *Person) error {
	p := w.post()
	if p == nil {
		return errNothing
	}
	id, err := w.store.AddComment(ctx, who.ID, p.ID, timeline.NewComment{Text: w.richText("comment", who)})
	if err == nil {
		p.comments = append(p.comments, comment{id, who})
	}
	return err
}

// onPost calls do with a person and one of the newest posts.
func (w *World) onPost(who *Person, do func(timeline.UserID, timeline.PostID) error) error {
	if p := w.post(); p != nil {
		return do(who.ID, p.ID)
	}
	return errNothing
}

func (w *World) like(ctx context.Context, who *Person) error {
	return w.onPost(who, func(u timeline.UserID, p timeline.PostID) error { return w.store.Like(ctx, u, p) })
}

func (w *World) unlike(ctx context.Context, who *Person) error {
	return w.onPost(who, func(u timeline.UserID, p timeline.PostID) error { return w.store.Unlike(ctx, u, p) })
}

func (w *World) fav(ctx context.Context, who *Person) error {
	return w.onPost(who, func(u timeline.UserID, p timeline.PostID) error { return w.store.Fav(ctx, u, p) })
}

func (w *World) unfav(ctx context.Context, who *Person) error {
	return w.onPost(who, func(u timeline.UserID, p timeline.PostID) error { return w.store.Unfav(ctx, u, p) })
}

func (w *World) likeComment(ctx context.Context, who *Person) error {
	p, c := w.commented()
	if p == nil {
		return errNothing
	}
	return w.store.LikeComment(ctx, who.ID, p.ID, c.id)
}

func (w *World) unlikeComment(ctx context.Context, who *Person) error {
	p, c := w.commented()
	if p == nil {
		return errNothing
	}
	return w.store.UnlikeComment(ctx, who.ID, p.ID, c.id)
}

// by returns the author in nine of ten calls, else any person: the store must refuse most others.
func (w *World) by(author *Person) timeline.UserID {
	if w.likely(10) {
		return pick(w, w.People).ID
	}
	return author.ID
}

func (w *World) editPost(ctx context.Context, _ *Person) error {
	p := w.post()
	if p == nil {
		return errNothing
	}
	text := w.richText("edited post", p.Author)
	return w.store.EditPost(ctx, w.by(p.Author), p.ID, timeline.PostEdit{Text: &text})
}

// correctLang sets the language of a post, leaves the language to detection, or sets a language
// that does not exist.
func (w *World) correctLang(ctx context.Context, _ *Person) error {
	p := w.post()
	if p == nil {
		return errNothing
	}
	lang := pick(w, append([]string{"", "xx"}, Languages...))
	return w.store.EditPost(ctx, w.by(p.Author), p.ID, timeline.PostEdit{Lang: &lang})
}

func (w *World) disableComments(ctx context.Context, _ *Person) error {
	p := w.post()
	if p == nil {
		return errNothing
	}
	off := w.likely(60)
	return w.store.EditPost(ctx, w.by(p.Author), p.ID, timeline.PostEdit{CommentsDisabled: &off})
}

func (w *World) deletePost(ctx context.Context, _ *Person) error {
	p := w.post()
	if p == nil {
		return errNothing
	}
	err := w.store.DeletePost(ctx, w.by(p.Author), p.ID)
	if err == nil {
		w.Posts = slices.DeleteFunc(w.Posts, func(o *Post) bool { return o == p })
	}
	return err
}

func (w *World) editComment(ctx context.Context, _ *Person) error {
	p, c := w.commented()
	if p == nil {
		return errNothing
	}
	return w.store.EditComment(ctx, w.by(c.by), p.ID, c.id, timeline.CommentEdit{Text: new(w.richText("edited comment", c.by))})
}

func (w *World) deleteComment(ctx context.Context, _ *Person) error {
	p, c := w.commented()
	if p == nil {
		return errNothing
	}
	who := c.by.ID
	if w.likely(30) {
		who = w.by(p.Author)
	}
	err := w.store.DeleteComment(ctx, who, p.ID, c.id)
	if err == nil {
		p.comments = slices.DeleteFunc(p.comments, func(o comment) bool { return o == c })
	}
	return err
}

// deleteHistory deletes the earlier texts of a post or of a comment.
func (w *World) deleteHistory(ctx context.Context, _ *Person) error {
	if p, c := w.commented(); p != nil && w.likely(40) {
		return w.store.DeleteHistory(ctx, w.by(c.by), p.ID, c.id)
	}
	p := w.post()
	if p == nil {
		return errNothing
	}
	return w.store.DeleteHistory(ctx, w.by(p.Author), p.ID, 0)
}

// move moves a post to other places, in one edit.
func (w *World) move(ctx context.Context, _ *Person) error {
	p := w.post()
	if p == nil || p.Direct && w.likely(90) {
		return errNothing
	}
	return w.store.EditPost(ctx, w.by(p.Author), p.ID, timeline.PostEdit{To: w.destinations(p.Author)})
}

func (w *World) removeFromGroup(ctx context.Context, _ *Person) error {
	p := w.post()
	if p == nil {
		return errNothing
	}
	g, admin := w.groupAndAdmin()
	return w.store.RemoveFromGroup(ctx, admin.ID, p.ID, g.Name)
}

func (w *World) addRecipients(ctx context.Context, _ *Person) error {
	p := w.direct()
	if p == nil {
		return errNothing
	}
	return w.store.AddRecipients(ctx, w.by(p.Author), p.ID, []string{w.other(p.Author).Name})
}

func (w *World) leaveDirect(ctx context.Context, who *Person) error {
	p := w.direct()
	if p == nil {
		return errNothing
	}
	return w.store.LeaveDirect(ctx, who.ID, p.ID)
}

// attach replaces the files of a post or a comment by new ones, or removes them. In some calls
// it makes a file ready afterwards, in others never.
func (w *World) attach(ctx context.Context, _ *Person) error {
	p, by, id := w.post(), (*Person)(nil), timeline.CommentID(0)
	if p == nil {
		return errNothing
	}
	by = p.Author
	if on, c := w.commented(); on != nil && w.likely(40) {
		p, by, id = on, c.by, c.id
	}
	var files, late []timeline.AttachmentID
	for range w.rng.IntN(3) {
		file, err := w.upload(ctx, by)
		if err != nil {
			return err
		}
		if w.likely(30) {
			late = append(late, file)
		} else if err := w.finish(ctx, file); err != nil {
			return err
		}
		files = append(files, file)
	}
	to := &timeline.Files{IDs: files}
	edit := func() error { return w.store.EditPost(ctx, w.by(by), p.ID, timeline.PostEdit{Files: to}) }
	if id != 0 {
		edit = func() error { return w.store.EditComment(ctx, w.by(by), p.ID, id, timeline.CommentEdit{Files: to}) }
	}
	if err := edit(); err != nil {
		return err
	}
	for _, file := range late {
		if w.likely(70) {
			if err := w.finish(ctx, file); err != nil {
				return err
			}
		}
	}
	return nil
}

// upload queues a file of a person, with secrets in name and description. No file
// store has the file.
func (w *World) upload(ctx context.Context, who *Person) (timeline.AttachmentID, error) {
	id, _, err := w.store.ReserveAttachment(ctx, who.ID, timeline.NewAttachment{
		FileName: w.Text("file") + ".jpg", Alt: w.Text("picture"), Size: 1,
	}, timeline.AttachmentLimits{Unattached: 1 << 30})
	if err != nil {
		return 0, err
	}
	return id, w.store.ReceiveAttachment(ctx, who.ID, id, timeline.FileName{1}, 1, kept)
}

// finish marks an upload as ready, as a picture.
func (w *World) finish(ctx context.Context, id timeline.AttachmentID) error {
	made := timeline.FinishedFile{Kind: "image", MediaType: "image/jpeg", Frames: 1}
	for i, name := range []string{"original", "medium", "thumb", "grid", "grid2x"} {
		made.Renditions = append(made.Renditions, timeline.Rendition{
			Name: name, File: timeline.FileName{2, byte(i)}, MediaType: "image/jpeg", Size: 1, Width: 3, Height: 2,
		})
	}
	return w.store.FinishAttachment(ctx, id, made, kept)
}

// kept reports that the file store has every file.
func kept(context.Context, timeline.FileName) (bool, error) { return true, nil }

// preview finishes the preview that has been due longest, with secrets in its texts; in some
// calls with nothing to show.
func (w *World) preview(ctx context.Context, _ *Person) error {
	lease, err := w.store.TakePreview(ctx, time.Hour)
	if err != nil || lease == nil {
		return cmp.Or(err, errNothing)
	}
	if w.likely(15) {
		return w.store.FinishPreview(ctx, *lease, nil, nil)
	}
	made := &timeline.Preview{Title: w.Text("page"), Site: "pages", About: w.Text("about")}
	if w.likely(50) {
		made.Picture = &timeline.Rendition{Name: timeline.PreviewPicture, File: timeline.FileName{3}, MediaType: "image/webp", Size: 1, Width: 3, Height: 2}
	}
	return w.store.FinishPreview(ctx, *lease, made, kept)
}

// choosePreview switches the preview of a post on or off.
func (w *World) choosePreview(ctx context.Context, _ *Person) error {
	p := w.post()
	if p == nil {
		return errNothing
	}
	on := w.likely(60)
	return w.store.EditPost(ctx, w.by(p.Author), p.ID, timeline.PostEdit{LinkPreview: &on})
}
