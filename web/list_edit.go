package web

import (
	"errors"
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// createList creates a list of the actor's.
func (s *Server) createList(w http.ResponseWriter, q *request) error {
	name, err := q.body.text("name")
	var id timeline.ListID
	if err == nil {
		id, err = s.store.CreateList(q.Context(), q.who.User, name)
	}
	return s.answerOwnList(w, q, id, 0, err)
}

// renameList renames a list of the actor's.
func (s *Server) renameList(w http.ResponseWriter, q *request) error {
	id, err := q.list()
	if err != nil {
		return err
	}
	name, err := q.body.text("name")
	if err == nil {
		err = s.store.RenameList(q.Context(), q.who.User, id, name)
	}
	return s.answerOwnList(w, q, id, id, err)
}

// answerOwnList serves a list that was created or renamed. If err is not nil, answerOwnList shows the
// problems of the form instead: of the form of list at, or of the form for a new list.
func (s *Server) answerOwnList(w http.ResponseWriter, q *request, id, at timeline.ListID, err error) error {
	if err != nil {
		if f, may := fixableByUser(err); q.html && may {
			return s.listsAgain(w, q, f, at, false)
		}
		return err
	}
	list, err := s.list(q, id)
	if err != nil {
		return err
	}
	return s.done(w, q, page.MyListsPath, map[string]any{"list": list})
}

// deleteList deletes a list of the actor's.
func (s *Server) deleteList(w http.ResponseWriter, q *request) error {
	id, err := q.list()
	if err != nil {
		return err
	}
	if err := s.store.DeleteList(q.Context(), q.who.User, id); err != nil {
		return err
	}
	return s.done(w, q, page.MyListsPath, map[string]any{"result": "deleted"})
}

// addToList adds a feed to a list of the actor's.
func (s *Server) addToList(w http.ResponseWriter, q *request) error {
	id, feed, err := q.member()
	if err != nil {
		return err
	}
	err = s.store.AddToList(q.Context(), q.who.User, id, feed)
	if errors.Is(err, timeline.ErrNotFound) {
		if _, none := s.list(q, id); none != nil {
			return none
		}
		err = &timeline.InvalidError{Field: "name", Reason: "belongs to nobody here", Code: "nobody"}
	}
	if err != nil {
		f, may := fixableByUser(err)
		if errors.Is(err, timeline.ErrForbidden) {
			const reason = "is of a feed that you may not read"
			f.Fields = map[string]string{"name": reason}
			f.wrong = []*timeline.InvalidError{{Field: "name", Reason: reason, Code: "unreadable"}}
		}
		if q.html && may {
			return s.listsAgain(w, q, f, id, true)
		}
		return err
	}
	return s.doneOn(w, q, page.MyListsPath, "added")
}

// removeFromList removes a feed from a list of the actor's.
func (s *Server) removeFromList(w http.ResponseWriter, q *request) error {
	id, feed, err := q.member()
	if err != nil {
		return err
	}
	if err := s.store.RemoveFromList(q.Context(), q.who.User, id, feed); err != nil {
		return err
	}
	return s.doneOn(w, q, page.MyListsPath, "removed")
}

// list returns the id of the list in the path.
func (q *request) list() (timeline.ListID, error) {
	id, err := q.id("id")
	return timeline.ListID(id), err
}

// member returns the list in the path, and the feed in the body.
func (q *request) member() (id timeline.ListID, feed timeline.FeedName, err error) {
	if id, err = q.list(); err != nil {
		return 0, feed, err
	}
	if feed.Name, err = q.body.name("name"); err != nil {
		return 0, feed, err
	}
	feed.Private, err = q.body.set("private")
	return id, feed, err
}
