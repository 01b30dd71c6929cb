package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// showNoticeSettings shows which kinds of notices the visitor wants.
func (s *Server) showNoticeSettings(w http.ResponseWriter, q *request) error {
	if !q.html {
		return s.listNoticeKinds(w, q)
	}
	saved, _ := s.justSaved(w, q)
	return s.noticeSettings(w, q, http.StatusOK, saved, nil)
}

func (s *Server) noticeSettings(w http.ResponseWriter, q *request, status int, saved page.SettingsForm, wrong page.Problems) error {
	wanted, err := s.store.NoticeKinds(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	m := page.NoticeSettingsModel{Shell: s.settingsShell(q, page.NoticeSettingsPath), Problems: wrong}
	m.Saved = saved
	for _, kind := range timeline.NoticeKinds() {
		m.Kinds = append(m.Kinds, page.NoticeChoice{Kind: kind, Wanted: wanted[kind]})
	}
	return s.page(w, q, status, page.NoticeSettings(m))
}

// listNoticeKinds serves the kinds of notices that the visitor wants.
func (s *Server) listNoticeKinds(w http.ResponseWriter, q *request) error {
	wanted, err := s.store.NoticeKinds(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	s.json(w, q, http.StatusOK, map[string]any{"notifications": wanted})
	return nil
}

// setNoticeKinds changes which kinds of notices the actor wants.
func (s *Server) setNoticeKinds(w http.ResponseWriter, q *request) error {
	err := s.wantNotices(q)
	if f, is := fixableByUser(err); err != nil && q.html && is {
		return s.noticeSettings(w, q, f.Status, "", q.problems(f))
	}
	if err != nil {
		return err
	}
	if q.html {
		return s.saved(w, q, page.NoticesForm, nil)
	}
	return s.listNoticeKinds(w, q)
}

func (s *Server) wantNotices(q *request) error {
	part, err := q.body.in("notifications")
	if err == nil {
		part, err = part.changed()
	}
	if err != nil {
		return err
	}
	wanted := make(map[timeline.NoticeKind]bool)
	for name := range part {
		if name == "was" {
			continue
		}
		want, err := part.flag(name)
		if err != nil {
			return err
		}
		if want != nil {
			wanted[timeline.NoticeKind(name)] = *want
		}
	}
	return s.store.SetNoticeKinds(q.Context(), q.who.User, wanted)
}
