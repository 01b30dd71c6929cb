package web

import (
	"net/http"
	"strconv"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// manyAcross is how many posts or comments across bans a page has.
const manyAcross = 50

// A postAcrossJSON is a post across a ban, or the post whose comments are listed.
type postAcrossJSON struct {
	ID            timeline.PostID    `json:"id"`
	UserID        timeline.UserID    `json:"user_id"`
	Text          string             `json:"text,omitempty"`
	FilesCount    int                `json:"files_count,omitempty"`
	CommentsCount int                `json:"comments_count"`
	PublishedAt   string             `json:"published_at"`
	GroupIDs      []timeline.GroupID `json:"group_ids"`
}

// A commentAcrossJSON is a comment that a ban hides.
type commentAcrossJSON struct {
	ID         timeline.CommentID `json:"id"`
	UserID     timeline.UserID    `json:"user_id"`
	Text       string             `json:"text"`
	FilesCount int                `json:"files_count,omitempty"`
	CreatedAt  string             `json:"created_at"`
}

// showPostAcross shows the comments of a post that bans hide from a visitor who moderates the post.
func (s *Server) showPostAcross(w http.ResponseWriter, q *request) error {
	post, err := q.post()
	if err != nil {
		return err
	}
	after, err := q.idInQuery("after")
	if err != nil {
		return err
	}
	a, err := s.store.PostAcrossBans(q.Context(), q.who.User, post, timeline.CommentID(after), manyAcross)
	if err != nil {
		return err
	}
	more := ""
	if a.More {
		more = "?after=" + strconv.FormatInt(int64(a.Comments[len(a.Comments)-1].ID), 10)
	}
	return s.across(w, q, a, more)
}

// showGroupAcross shows the posts of a group that bans hide from a visitor who administers the group.
func (s *Server) showGroupAcross(w http.ResponseWriter, q *request) error {
	before, err := q.idInQuery("before")
	if err != nil {
		return err
	}
	a, err := s.store.GroupAcrossBans(q.Context(), q.who.User, q.param("name"), timeline.PostID(before), manyAcross)
	if err != nil {
		return err
	}
	more := ""
	if a.More {
		more = "?before=" + strconv.FormatInt(int64(a.Posts[len(a.Posts)-1].ID), 10)
	}
	return s.across(w, q, a, more)
}

// across shows posts or comments across bans; more is the query of the next page, if there is one.
func (s *Server) across(w http.ResponseWriter, q *request, a *timeline.AcrossBans, more string) error {
	path := pagePath(q.Request)
	if q.html {
		m := page.AcrossModel{Shell: s.shell(q, ""), AcrossBans: a}
		if more != "" {
			m.More = path + more
		}
		m.Title, m.Path = m.Words.AcrossTitle(), path
		return s.page(w, q, http.StatusOK, page.Across(m))
	}
	posts, comments := make([]postAcrossJSON, 0, len(a.Posts)), make([]commentAcrossJSON, 0, len(a.Comments))
	for _, p := range a.Posts {
		posts = append(posts, postAcrossJSON{p.ID, p.Author, p.Text, p.Files, p.Comments, mokum.Stamp(p.PublishedAt), mokum.NotNil(p.Groups)})
	}
	for _, c := range a.Comments {
		comments = append(comments, commentAcrossJSON{c.ID, c.User, c.Text, c.Files, mokum.Stamp(c.CreatedAt)})
	}
	users, groups := mokum.Cards{Users: a.Users, Groups: a.Groups}.Shapes(a.Sets)
	body := map[string]any{"posts": posts, "comments": comments, "users": users, "groups": groups}
	if more != "" {
		body["more_url"] = path + ".json" + more
	}
	s.json(w, q, http.StatusOK, body)
	return nil
}
