package livetest

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"strconv"
	"strings"
	"time"

	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// Identify returns the viewer and the credential of a request, from a header "X-Session:
// VIEWER-SECRET" or a cookie "session" of that form; viewer 0 without either. A session that
// ends in "-ended" is refused with [timeline.ErrUnauthorized]. One that ends in "-for-5s" is a token
// that expires in five seconds.
func Identify(r *http.Request) (timeline.Bearer, error) {
	session := r.Header.Get("X-Session")
	if c, err := r.Cookie("session"); err == nil {
		session = c.Value
	}
	if session == "" {
		return timeline.Bearer{}, nil
	}
	viewer, secret, _ := strings.Cut(session, "-")
	id, err := strconv.ParseInt(viewer, 10, 64)
	if err != nil || strings.HasSuffix(secret, "-ended") {
		return timeline.Bearer{}, timeline.ErrUnauthorized
	}
	who := timeline.Bearer{User: timeline.UserID(id), Hash: []byte(session)}
	if _, lasts, ends := strings.Cut(secret, "-for-"); ends {
		d, err := time.ParseDuration(lasts)
		if err != nil {
			return timeline.Bearer{}, err
		}
		who.Expires = time.Now().Add(d)
	}
	return who, nil
}

// Resolve returns the river of a page "/WHAT/ID", and the part that "?skip=N&count=N" names.
func Resolve(_ context.Context, viewer timeline.UserID, page string, _ func(river.Key) bool) (river.Key, river.At, error) {
	path, query, _ := strings.Cut(page, "?")
	what, id, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return river.Key{}, river.At{}, timeline.ErrNotFound
	}
	var at river.At
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		switch name {
		case "skip":
			at.Skip, _ = strconv.Atoi(value)
		case "count":
			at.Count, _ = strconv.Atoi(value)
		}
	}
	return river.Key{Viewer: viewer, What: river.Kind(what), TheirID: n}, at, nil
}

// A Render renders entries: as the JSON that a [liveclient.Page] reads, or as HTML like that of
// pages.
type Render struct{}

// EntryJSON returns an entry as the JSON of a [liveclient.Shown].
func (Render) EntryJSON(_ *timeline.Sets, e *river.Entry, _ realtime.Users, _ realtime.Groups) json.RawMessage {
	data, err := json.Marshal(map[string]any{"id": e.Fold.Post, "version": e.Fold.Version, "text": e.Fold.Text.Text})
	if err != nil {
		panic(err)
	}
	return data
}

// Cards returns no cards.
func (Render) Cards(*timeline.Sets, realtime.Users, realtime.Groups) (users, groups json.RawMessage) {
	return json.RawMessage("{}"), json.RawMessage("{}")
}

// EntryHTML returns an entry as an article like those of pages, with a part of each kind.
func (Render) EntryHTML(_ string, _ *timeline.Sets, e *river.Entry, _ realtime.Users, _ realtime.Groups) string {
	var b strings.Builder
	id := e.Fold.Post
	at := func(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
	fmt.Fprintf(&b, `<article class="entry bem-post" id="p%d" data-post-id="%d" data-tag="%s">`, id, id, e.Tag)
	fmt.Fprintf(&b, `<header class="entry-head"><b>user %d</b> <time datetime="%s">then</time></header>`, e.Fold.Author, at(e.Fold.Text.PublishedAt))
	fmt.Fprintf(&b, `<div class="bem-post__text">%s</div>`, html.EscapeString(e.Fold.Text.Text))
	fmt.Fprintf(&b, `<div class="bem-post__likes"><span class="likes">%d</span><form method="post" action="/api/v1/posts/%d/likes" data-action="like"><button>Like</button></form></div>`, len(e.Fold.Likes.Users), id)
	b.WriteString(`<div class="bem-post__comments">`)
	for i, c := range e.Fold.Comments.Comments {
		if i == 1 && e.Fold.Comments.Gap == 1 {
			fmt.Fprintf(&b, `<div data-key="more" class="bem-post__more-comments">%d more comments</div>`, e.Fold.Comments.Count-2)
		}
		fmt.Fprintf(&b, `<div class="comment bem-post__comment" id="c%d" data-key="c%d"><details><summary>…</summary>%s</details><span>%s</span></div>`, c.ID, c.ID, at(c.CreatedAt), html.EscapeString(c.Text))
	}
	fmt.Fprintf(&b, `</div><form method="post" class="comment-form" action="/api/v1/posts/%d/comments"><textarea name="text"></textarea><button>Comment</button></form></article>`, id)
	return b.String()
}

// Config returns the configuration of a server of sockets for the rivers.
func Config(rivers *Rivers) realtime.Config {
	return realtime.Config{Rivers: rivers, Identify: Identify, Resolve: Resolve, Render: Render{}, Build: "test"}
}
