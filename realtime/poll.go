package realtime

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// Changes serves GET /live/changes, for pages that can't open a socket. The answer is the frame
// that a socket would get, or a beat.
func (s *Server) Changes(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), s.config.SubWithin)
	defer cancel()
	body, err := s.changes(ctx, r)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.stats.polls.Add(1)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "private, no-store")
	w.Write(body) // an error means that the client has gone
}

// changes reads the parameters of a poll and returns the frame that answers it.
func (s *Server) changes(ctx context.Context, r *http.Request) ([]byte, error) {
	s.mu.Lock()
	draining := s.draining
	s.mu.Unlock()
	if draining {
		return nil, river.ErrBehind
	}
	query := r.URL.Query()
	m := message{
		River: query.Get("river"), Page: query.Get("page"), Epoch: query.Get("epoch"), As: Form(query.Get("as")), Lang: query.Get("lang"),
	}
	for name, n := range map[string]*int64{"counter": &m.Counter, "position": &m.Position} {
		if text := query.Get(name); text != "" {
			var err error
			if *n, err = strconv.ParseInt(text, 10, 64); err != nil {
				return nil, &timeline.InvalidError{Field: name, Reason: "is not a number"}
			}
		}
	}
	switch {
	case m.River == "":
		return nil, &timeline.InvalidError{Field: "river", Reason: "is missing"}
	case m.Page == "":
		return nil, &timeline.InvalidError{Field: "page", Reason: "is missing"}
	case m.As == "":
		m.As = AsJSON
	case m.As != AsJSON && m.As != AsHTML:
		return nil, &timeline.InvalidError{Field: "as", Reason: "must be json or html"}
	}
	who, err := s.config.Identify(r)
	if err != nil {
		return nil, err
	}
	key, at, err := s.resolve(ctx, who.User, string(who.Hash), m.River, m.Page)
	if err != nil {
		return nil, err
	}
	if s.config.Rivers.Age() > s.config.Away {
		return nil, river.ErrBehind
	}
	if m.Position > 0 {
		if err := s.config.Rivers.WaitPosition(ctx, m.Position); err != nil {
			return nil, errors.Join(river.ErrBehind, err)
		}
	}
	from := m.resume(at)
	from.Poll = true
	return s.pollFrame(ctx, key, clientName(who.User, s.config.Client(r)), from, s.form(&m))
}

// pollFrame returns the frame for a page that polls, with the numbers of unread notices, and
// whether the node is behind.
func (s *Server) pollFrame(ctx context.Context, key river.Key, client string, from river.Resume, as Form) ([]byte, error) {
	w, err := s.open(ctx, key, client)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	frame, err := s.missedFrame(w, from, as)
	if err != nil {
		return nil, err
	}
	if s.config.Rivers.Age() > s.config.Behind {
		frame = withField(frame, "behind", true)
	}
	if unread, known := w.Unread(); known {
		frame = withField(withField(frame, "unread", unread.Notices), "directs", unread.Directs)
	}
	return frame, nil
}

// missedFrame returns the frame with the changes that a page has missed.
func (s *Server) missedFrame(w Watch, from river.Resume, as Form) ([]byte, error) {
	p, _, err := w.Resume(from)
	if err != nil {
		return nil, err
	}
	s.stats.composed.Add(1)
	switch {
	case p.Reset:
		return encodeReset(p, as, s), nil
	case len(p.Ops) > 0:
		return encodePatch(p, from.Counter, as, s), nil
	}
	return encodeBeat(from.Counter), nil
}

// refuse answers a poll that failed, in the form of the API's errors.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	status, code, text := http.StatusServiceUnavailable, "unavailable", unavailableText
	why, known := closureOf(err)
	switch why.code {
	case CodeBad:
		status, code, text = http.StatusUnprocessableEntity, "invalid", why.reason
	case CodeSignedOut:
		status, code, text = http.StatusUnauthorized, "unauthorized", "Sign in first."
	case CodeForbidden:
		status, code, text = http.StatusForbidden, "forbidden", "This page can't be shown to you."
	default:
		w.Header().Set("Retry-After", "2")
		if !known {
			s.config.Log.ErrorContext(r.Context(), "could not answer a poll", "err", err) // without the address, which names a river or a search
		}
	}
	body, _ := json.Marshal(map[string]string{"error": text, "err": text, "code": code}) // a map of strings can't fail
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(body) // an error means that the client has gone
}
