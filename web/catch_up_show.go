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
	// discussionsShown is how many discussions with news are listed.
	discussionsShown = 5
	// discussionsWait is how long a page waits for that list.
	discussionsWait = time.Second
	// fastClock is how far ahead the clock of a reporting client may be.
	fastClock = time.Hour
)

// homeOf returns the river of a person's home.
func homeOf(user timeline.UserID) river.Key {
	return river.Key{Viewer: user, What: river.KindHome, TheirID: int64(user)}
}

// discussionsOf returns the river of a person's discussions.
func discussionsOf(user timeline.UserID) river.Key {
	return river.Key{Viewer: user, What: river.KindDiscussions, TheirID: int64(user)}
}

// catchUpJSON is what happened since the viewer's last visit of their home.
type catchUpJSON struct {
	Since       *string          `json:"since"` // null: there was no visit
	Posts       int              `json:"posts"`
	Moved       int              `json:"moved"`
	More        bool             `json:"more,omitempty"` // there may be more than was counted
	Discussions []discussionJSON `json:"discussions"`
	MoreTalked  bool             `json:"more_discussions,omitempty"`
}

// A discussionJSON is a post that the viewer wrote or commented on, with newer comments by
// others.
type discussionJSON struct {
	ID       timeline.PostID `json:"id"`
	URL      string          `json:"url"`
	Text     string          `json:"text"`
	Comments int             `json:"comments"`
}

// showCatchUp serves the changes since the last visit of home.
func (s *Server) showCatchUp(w http.ResponseWriter, q *request) error {
	home := homeOf(q.who.User)
	key, _ := leftOffKeyOf(home)
	l, err := s.leftOffs.leftOff(q.Context(), key)
	if err != nil {
		return err
	}
	answer := catchUpJSON{Discussions: []discussionJSON{}}
	place, at, before := l.LastVisit(s.now())
	if !before {
		s.json(w, q, http.StatusOK, answer)
		return nil
	}
	if _, err := s.rivers.Visit(q.Context(), home, river.At{Count: address.PageCount}); err != nil {
		return err // only a living river can be counted
	}
	news, _ := s.rivers.Since(home, place)
	talked, more := s.discussionsSince(q, place)
	answer.Since, answer.Posts, answer.Moved, answer.More, answer.MoreTalked = new(mokum.Stamp(at)), news.Posts, news.Moved, news.More, more
	for _, d := range talked {
		answer.Discussions = append(answer.Discussions, discussionJSON(d))
	}
	s.json(w, q, http.StatusOK, answer)
	return nil
}

// catchUpBox returns what happened since the last visit, for the top of home; nil if
// nothing did.
func (s *Server) catchUpBox(q *request, home river.Key, left page.LeftOff) *page.CatchUp {
	news, ok := s.rivers.Since(home, left.Cursor)
	if !ok {
		return nil
	}
	talked, more := s.discussionsSince(q, left.Cursor)
	if news.Posts+news.Moved+len(talked) == 0 {
		return nil
	}
	box := &page.CatchUp{Since: left.At, Posts: news.Posts, Moved: news.Moved, More: news.More, Talked: len(talked), MoreTalked: more}
	for _, d := range talked[:min(len(talked), discussionsShown)] {
		box.Discussions = append(box.Discussions, page.CatchUpPost{Path: d.URL, Text: d.Text, Comments: d.Comments})
	}
	return box
}

// A discussion is a post that the viewer wrote or commented on, with new comments by
// others.
type discussion struct {
	ID       timeline.PostID
	URL      string
	Text     string
	Comments int
}

// discussionsSince returns the visitor's discussions with comments by others above a place, the
// newest first. more reports that further ones may follow below. It returns none if the node
// does not answer in time.
func (s *Server) discussionsSince(q *request, place timeline.Cursor) (found []discussion, more bool) {
	ctx, cancel := context.WithTimeout(q.Context(), discussionsWait)
	defer cancel()
	view, err := s.rivers.Visit(ctx, discussionsOf(q.who.User), river.At{Count: address.PageCount})
	if err != nil {
		s.logMissedEffect(q, err)
		return nil, false
	}
	c := mokum.Cards{Users: view.Users, Groups: view.Groups}
	for i := range view.Entries {
		e := &view.Entries[i]
		if !place.Below(e.Cursor) {
			return found, false
		}
		if by, since := river.TalkedSince(e.Fold, place); !since || by == q.who.User || e.Hidden {
			continue
		}
		text := beginning(q.words, e.Fold.Text.Text, firstFile(e.Fold.Attachments), 60)
		if e.Fold.Text.NSFW {
			text = q.words.CatchUpNsfw()
		}
		found = append(found, discussion{e.Fold.Post, mokum.PostPath(e, c), text, e.Fold.Comments.Count})
	}
	return found, view.Older != nil
}

// noteSeen records how far the visitor has seen a page. Our own pages report the entries that
// came while they were open; programs report the entries that they showed.
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
	key, kept := leftOffKeyOf(shown)
	if !kept {
		return &timeline.InvalidError{Field: "page", Reason: "has no mark of where you left off, as it is a post, a day or a ranking: send the address of another page"}
	}
	place, err := s.readPlace(q.body)
	if err != nil {
		return err
	}
	s.leftOffs.record(key, place)
	return s.done(w, q, "", map[string]any{"result": "seen"})
}

// readPlace reads the place of the uppermost entry that was seen.
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

// dismissedCookie holds the time of the visit since which a browser no longer shows the news.
// Other devices of the viewer still show them.
const dismissedCookie = "amstel-caught-up"

// dismissCatchUp makes the browser hide the news since the last visit, until there is a newer
// visit.
func (s *Server) dismissCatchUp(w http.ResponseWriter, q *request) error {
	key, _ := leftOffKeyOf(homeOf(q.who.User))
	l, err := s.leftOffs.leftOff(q.Context(), key)
	if err != nil {
		return err
	}
	if _, at, before := l.LastVisit(s.now()); before {
		http.SetCookie(w, &http.Cookie{
			Name: dismissedCookie, Value: strconv.FormatInt(at.UnixMilli(), 10), Path: "/",
			Secure: s.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
		})
	}
	return s.done(w, q, "/", map[string]any{"result": "put away"})
}

// dismissed reports whether the browser hides the news since the visit that ended then.
func dismissed(r *http.Request, ended time.Time) bool {
	cookie, err := r.Cookie(dismissedCookie)
	return err == nil && cookie.Value == strconv.FormatInt(ended.UnixMilli(), 10)
}
