package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"amstel.dev/amstel/timeline"
)

// audienceJSON is the audience of a post or a feed: all readers or a number of people, the number
// of people who could not see the post or feed before, and the number of people who will lose
// sight of it.
type audienceJSON struct {
	Everybody bool `json:"everybody"`
	People    int  `json:"people"`
	Gain      int  `json:"gain"`
	Lose      int  `json:"lose"`
	Opens     bool `json:"opens"`
	Closes    bool `json:"closes"`
}

// showAudience serves the audience that a post of the actor's would have in some places, or
// that the actor's feed or group would have with another status. The store refuses questions
// that the actor may not ask.
func (s *Server) showAudience(w http.ResponseWriter, q *request) error {
	if s.writes.OnLimit(w, q.Request, q.quotaKey()) {
		return timeline.ErrThrottled // the answer counts accounts, which costs more than a page
	}
	audience, err := s.audience(q, q.URL.Query())
	if err != nil {
		return err
	}
	s.json(w, q, http.StatusOK, audienceJSON(audience))
	return nil
}

func (s *Server) audience(q *request, query url.Values) (timeline.Audience, error) {
	if status := query.Get("status"); status != "" {
		name := q.who.Name
		if group := query.Get("group"); group != "" {
			found, err := s.addresses.Names.Lookup(q.Context(), group)
			if err != nil {
				return timeline.Audience{}, err
			}
			if found.Group == 0 {
				return timeline.Audience{}, timeline.ErrNotFound
			}
			name = found.Name
		}
		return s.store.AudienceOfStatus(q.Context(), q.who.User, name, status)
	}
	var post timeline.PostID
	if text := query.Get("post"); text != "" {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil || id <= 0 {
			return timeline.Audience{}, timeline.ErrNotFound
		}
		post = timeline.PostID(id)
	}
	var to []string
	for _, list := range query["timelines"] {
		for place := range strings.SplitSeq(list, ",") {
			if place = strings.TrimSpace(place); place != "" {
				to = append(to, place)
			}
		}
	}
	if len(to) == 0 {
		return timeline.Audience{}, &timeline.InvalidError{Field: "timelines", Reason: "are empty", Code: "where"}
	}
	return s.store.AudienceOfPost(q.Context(), q.who.User, post, to)
}
