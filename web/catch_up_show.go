package web

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

const (
	// discussionsShown is how many discussions that moved are named.
	discussionsShown = 5
	// discussionsWait is how long a page waits to be told of them.
	discussionsWait = time.Second
	// fastClock is by how much the clock may be wrong of who says what he saw.
	fastClock = time.Hour
)

// homeOf is somebody's home.
func homeOf(user timeline.UserID) river.Key {
	return river.Key{Viewer: user, What: river.KindHome, TheirID: int64(user)}
}

// catchUpJSON is what happened since somebody's last visit of his home.
type catchUpJSON struct {
	Since       *string          `json:"since"` // null: there was none
	Posts       int              `json:"posts"`
	Moved       int              `json:"moved"`
	More        bool             `json:"more,omitempty"` // there may be more than was counted
	Discussions []discussionJSON `json:"discussions"`
	MoreTalked  bool             `json:"more_discussions,omitempty"`
}

// discussionJSON is a post that somebody had a part in, and that others went on
// talking about.
type discussionJSON struct {
	ID       timeline.PostID `json:"id"`
	URL      string          `json:"url"`
	Text     string          `json:"text"`
	Comments int             `json:"comments"`
}

// showCatchUp tells what happened since the last visit of home.
func (s *Server) showCatchUp(w http.ResponseWriter, q *request) error {
	home := homeOf(q.who.User)
	key, _ := placed(home)
	l, err := s.places.leftOff(q.Context(), key)
	if err != nil {
		return err
	}
	answer := catchUpJSON{Discussions: []discussionJSON{}}
	place, at, before := l.Before(s.now())
	if !before {
		s.json(w, q, http.StatusOK, answer)
		return nil
	}
	if _, err := s.rivers.Visit(q.Context(), home, river.At{Count: address.PageCount}); err != nil {
		return err // only what lives can be counted
	}
	news, _ := s.rivers.Since(home, place)
	talked, more := s.talkedSince(q, place)
	answer.Since, answer.Posts, answer.Moved, answer.More, answer.MoreTalked = new(mokum.Stamp(at)), news.Posts, news.Moved, news.More, more
	for _, d := range talked {
		answer.Discussions = append(answer.Discussions, discussionJSON(d))
	}
	s.json(w, q, http.StatusOK, answer)
	return nil
}

// whatHappened is the same for the top of home; nil: nothing did.
func (s *Server) whatHappened(q *request, home river.Key, left page.LeftOff) *page.CatchUp {
	news, ok := s.rivers.Since(home, left.Place)
	if !ok {
		return nil
	}
	talked, more := s.talkedSince(q, left.Place)
	if news.Posts+news.Moved+len(talked) == 0 {
		return nil
	}
	box := &page.CatchUp{Since: left.At, Posts: news.Posts, Moved: news.Moved, More: news.More, Talked: len(talked), MoreTalked: more}
	for _, d := range talked[:min(len(talked), discussionsShown)] {
		box.Discussions = append(box.Discussions, page.CatchUpPost{Path: d.URL, Text: d.Text, Comments: d.Comments})
	}
	return box
}

// talked is a discussion that moved.
type talked struct {
	ID       timeline.PostID
	URL      string
	Text     string
	Comments int
}

// talkedSince lists who asks' discussions that others brought up above a place,
// newest first; more: there may be others, farther down. What can't be told in
// time is left out.
func (s *Server) talkedSince(q *request, place timeline.Cursor) (found []talked, more bool) {
	ctx, cancel := context.WithTimeout(q.Context(), discussionsWait)
	defer cancel()
	mine := river.Key{Viewer: q.who.User, What: river.KindDiscussions, TheirID: int64(q.who.User)}
	view, err := s.rivers.Visit(ctx, mine, river.At{Count: address.PageCount})
	if err != nil {
		s.logMissedEffect(q, err)
		return nil, false
	}
	c := mokum.Cards{Users: view.Users, Groups: view.Groups}
	for i := range view.Entries {
		e := &view.Entries[i]
		if !place.Below(e.Place) {
			return found, false
		}
		if by, since := river.TalkedSince(e.Fold, place); !since || by == q.who.User || e.Hidden {
			continue
		}
		text := firstWords(e.Fold.Text.Text, 60)
		if e.Fold.Text.NSFW {
			text = q.words.CatchUpNsfw()
		}
		found = append(found, talked{e.Fold.Post, mokum.PostPath(e, c), text, e.Fold.Comments.Count})
	}
	return found, view.Older != nil
}

// noteSeen notes how far somebody has seen a page. Our own pages tell of what
// came while they were open, programs of what they showed.
func (s *Server) noteSeen(w http.ResponseWriter, q *request) error {
	seen, err := q.body.text("page")
	if err != nil {
		return err
	}
	if seen == "" {
		return &timeline.InvalidError{Field: "page", Reason: "is missing: it is the path of the page that was seen"}
	}
	name, err := q.body.text("river")
	if err != nil {
		return err
	}
	var named func(river.Key) bool
	if name != "" {
		named = func(key river.Key) bool { return s.rivers.Name(key, q.who.Hash) == name }
	}
	shown, _, err := s.addresses.Resolve(q.Context(), q.who.User, seen, named)
	if err != nil {
		return err
	}
	key, kept := placed(shown)
	if !kept {
		return &timeline.InvalidError{Field: "page", Reason: "is not one that is read from the top down to where one left off"}
	}
	place, err := s.readPlace(q.body)
	if err != nil {
		return err
	}
	s.places.see(key, place)
	return s.done(w, q, "", map[string]any{"result": "seen"})
}

// readPlace reads the place of the uppermost entry that somebody saw.
func (s *Server) readPlace(body input) (timeline.Cursor, error) {
	fresh, err := body.text("fresh_at")
	if err != nil {
		return timeline.Cursor{}, err
	}
	at, ok := address.ReadTime(fresh)
	if !ok || at.UnixMilli() <= 0 || at.After(s.now().Add(fastClock)) {
		return timeline.Cursor{}, &timeline.InvalidError{Field: "fresh_at", Reason: "is not the time of an entry, like 2016-06-18T18:08:14.000Z"}
	}
	post, _ := body["post"].(string)
	if number, is := body["post"].(json.Number); is {
		post = number.String()
	}
	id, err := strconv.ParseInt(post, 10, 64)
	if err != nil || id <= 0 {
		return timeline.Cursor{}, &timeline.InvalidError{Field: "post", Reason: "is not the number of a post"}
	}
	return timeline.Cursor{FreshAt: at.UnixMilli(), Post: timeline.PostID(id)}, nil
}

// awayCookie has the visit of which a browser is to say no more what happened
// since. Another device may well.
const awayCookie = "amstel-caught-up"

// putCatchUpAway has home say no more what happened since the last visit, until
// the next.
func (s *Server) putCatchUpAway(w http.ResponseWriter, q *request) error {
	key, _ := placed(homeOf(q.who.User))
	l, err := s.places.leftOff(q.Context(), key)
	if err != nil {
		return err
	}
	if _, at, before := l.Before(s.now()); before {
		http.SetCookie(w, &http.Cookie{
			Name: awayCookie, Value: strconv.FormatInt(at.UnixMilli(), 10), Path: "/",
			Secure: s.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
		})
	}
	return s.done(w, q, "/", map[string]any{"result": "put away"})
}

// putAway says whether a browser is to say no more what happened since the visit
// that ended then.
func putAway(r *http.Request, ended time.Time) bool {
	cookie, err := r.Cookie(awayCookie)
	return err == nil && cookie.Value == strconv.FormatInt(ended.UnixMilli(), 10)
}
