package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
)

// excludeFromMine excludes a person from the actor's feed. Pages call this "block from
// your feed".
func (s *Server) excludeFromMine(w http.ResponseWriter, q *request) error {
	whose, err := s.named(q, false)
	if err != nil {
		return err
	}
	return s.exclude(w, q, timeline.FeedName{Name: q.who.Name}, whose.Name, "/"+whose.Name)
}

// readmitToMine ends the exclusion of a person from the actor's feed.
func (s *Server) readmitToMine(w http.ResponseWriter, q *request) error {
	whose, err := s.named(q, false)
	if err != nil {
		return err
	}
	return s.readmit(w, q, timeline.FeedName{Name: q.who.Name}, whose.Name, "/"+whose.Name)
}

// excludeFromGroup excludes a person from a group that the actor administers. Pages call it
// "block from the group".
func (s *Server) excludeFromGroup(w http.ResponseWriter, q *request) error {
	feed, err := s.feed(q, groupFeed)
	if err != nil {
		return err
	}
	return s.exclude(w, q, feed, q.param("who"), "/"+feed.Name+"/subscribers")
}

// readmitToGroup ends the exclusion of a person from a group.
func (s *Server) readmitToGroup(w http.ResponseWriter, q *request) error {
	feed, err := s.feed(q, groupFeed)
	if err != nil {
		return err
	}
	return s.readmit(w, q, feed, q.param("who"), "/"+feed.Name+"/subscribers")
}

func (s *Server) exclude(w http.ResponseWriter, q *request, feed timeline.FeedName, who, to string) error {
	if err := s.store.Exclude(q.Context(), q.who.User, feed, who); err != nil {
		return err
	}
	s.recount(q)
	s.exclusions.drop(q.who.User)
	return s.done(w, q, to, map[string]any{"result": "excluded"})
}

func (s *Server) readmit(w http.ResponseWriter, q *request, feed timeline.FeedName, who, to string) error {
	if err := s.store.Readmit(q.Context(), q.who.User, feed, who); err != nil {
		return err
	}
	s.exclusions.drop(q.who.User)
	return s.done(w, q, to, map[string]any{"result": "readmitted"})
}
