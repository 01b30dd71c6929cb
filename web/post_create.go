package web

import (
	"net/http"
	"net/url"
	"strings"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
)

// A madePost is a new post in the answer to its creation: an entry, and more fields that clients
// read.
type madePost struct {
	mokum.Entry
	CommentsVersion  int    `json:"comments_version"`
	CommentsDisabled bool   `json:"comments_disabled"`
	NSFW             bool   `json:"nsfw"`
	CreatedAt        string `json:"created_at"`
	UpdatedAt        string `json:"updated_at"`
	MyChange         bool   `json:"my_change"`
}

// createPost publishes a post.
func (s *Server) createPost(w http.ResponseWriter, q *request) error {
	post, err := newPost(q.body)
	var id timeline.PostID
	if err == nil {
		err = q.unkept
	}
	if err == nil {
		post.Files.Most = s.mostFiles()
		id, err = s.store.CreatePost(q.Context(), q.who.User, post)
	}
	if err != nil {
		if f, may := fixableByUser(err); q.html && may {
			return s.postAgain(w, q, post, f, err)
		}
		return err
	}
	s.addresses.Languages.Wrote(post.Lang)
	told, view := s.effectAndView(w, q, id)
	answer := struct {
		Post   any          `json:"post"`
		Users  mokum.Users  `json:"users"`
		Groups mokum.Groups `json:"groups"`
		effect
	}{
		// The post is published, even if its entry can't be read now.
		Post: map[string]any{"id": id, "text": post.Text}, Users: mokum.Users{}, Groups: mokum.Groups{}, effect: told,
	}
	if view != nil {
		c := s.cardsOf(view)
		answer.Post = madeOf(view, c)
		answer.Users, answer.Groups = c.Shapes(view.Sets)
	}
	own := "/" + q.who.Name + "/" + mokum.IDText(id)
	if q.html && !s.hasPost(q, id) {
		http.Redirect(w, q.Request, own, http.StatusSeeOther)
		return nil
	}
	return s.done(w, q, own, answer)
}

// hasPost reports whether the answer to a form leads to a page that has the post. On
// another page, as a home without the viewer's own posts, the post would seem to be lost.
func (s *Server) hasPost(q *request, post timeline.PostID) bool {
	at, err := url.Parse(q.goesTo(""))
	if err != nil {
		return true
	}
	where, err := s.addresses.River(q.Context(), q.who.User, strings.TrimSuffix(at.Path, ".json"), at.Query())
	if err != nil {
		return true
	}
	view, err := s.rivers.EntryAfterWrite(q.Context(), where.Key, post)
	return err != nil || len(view.Entries) > 0
}

// newPost reads a post from the body. Its places are a list or, for a direct, names as
// people type them.
func newPost(body input) (post timeline.NewPost, err error) {
	in, err := body.in("post")
	if err != nil {
		return post, err
	}
	var names string
	for name, to := range map[string]*string{"text": &post.Text, "platform": &post.Platform, "lang": &post.Lang, "to": &names} {
		if *to, err = in.text(name); err != nil {
			return post, err
		}
	}
	if post.UUID, err = body.text("_uuid"); err != nil {
		return post, err
	}
	if post.To, err = in.texts("timelines"); err != nil {
		return post, err
	}
	links, err := in.texts("links")
	if err != nil {
		return post, err
	}
	for _, link := range links { // of the form with what a share button sent
		post.Text += "\n" + link
	}
	for _, name := range typedNames(names) {
		post.To = append(post.To, "direct:"+name)
	}
	if post.CommentsDisabled, err = in.set("comments_disabled"); err != nil {
		return post, err
	}
	if post.NSFW, err = in.set("nsfw"); err != nil {
		return post, err
	}
	files, err := in.files()
	if err != nil {
		return post, err
	}
	if files != nil {
		post.Files = *files
	}
	if post.LinkPreview, err = in.flag("link_preview"); err != nil {
		return post, err
	}
	post.Linebreaks, err = in.flag("linebreaks")
	return post, err
}

// madeOf returns the entry of a new post.
func madeOf(view *river.View, c mokum.Cards) madePost {
	e := &view.Entries[0]
	entry := mokum.EntryOf(view.Sets, e, c)
	return madePost{
		Entry:           entry,
		CommentsVersion: e.Fold.Text.CommentsVersion, CommentsDisabled: e.Fold.Text.CommentsDisabled, NSFW: e.Fold.Text.NSFW,
		CreatedAt: entry.PublishedAt, UpdatedAt: mokum.Stamp(e.Fold.Text.UpdatedAt), MyChange: true,
	}
}
