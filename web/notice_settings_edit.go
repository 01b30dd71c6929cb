package web

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

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
	if m.Pushes, err = s.pushes(q); err != nil {
		return err
	}
	if s.store.Mails() {
		wish, err := s.store.MailWish(q.Context(), q.who.User)
		if err != nil {
			return err
		}
		email, err := s.store.Email(q.Context(), q.who.User)
		if err != nil {
			return err
		}
		m.Mail = &page.MailWish{Often: wish.Often, Hour: wish.Hour, Confirmed: email.Confirmed}
	}
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
	body := map[string]any{"notifications": wanted}
	if s.store.Mails() {
		wish, err := s.store.MailWish(q.Context(), q.who.User)
		if err != nil {
			return err
		}
		body["mail"] = map[string]any{"often": wish.Often, "hour": wish.Hour}
	}
	s.json(w, q, http.StatusOK, body)
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
	if err := s.store.SetNoticeKinds(q.Context(), q.who.User, wanted); err != nil {
		return err
	}
	return s.wishMail(q)
}

// wishMail changes when the actor wants mail about notices, if the request says so.
func (s *Server) wishMail(q *request) error {
	part, err := q.body.in("mail")
	if err != nil || len(part) == 0 || !s.store.Mails() {
		return err
	}
	wish, err := s.store.MailWish(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	before := wish
	if part.has("often") {
		if wish.Often, err = part.text("often"); err != nil {
			return err
		}
	}
	if part.has("hour") {
		if wish.Hour, err = strconv.Atoi(fmt.Sprint(part["hour"])); err != nil {
			return &timeline.InvalidError{Field: "hour", Reason: "is not a number"}
		}
	}
	if wish == before {
		return nil
	}
	return s.store.SetMailWish(q.Context(), q.who.User, wish)
}

// showStop asks whether to stop mails about notices. A GET stops nothing, because mail programs open links before people do.
func (s *Server) showStop(w http.ResponseWriter, q *request) error {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	m := page.StopModel{Shell: s.shell(q, q.words.NoticeStopTitle()), Path: pagePath(q.Request)}
	return s.page(w, q, http.StatusOK, page.Stop(m))
}

// stopMails stops mails about notices, by the link of a mail. Mail programs send the request without a session, as RFC 8058
// describes.
func (s *Server) stopMails(w http.ResponseWriter, q *request) error {
	err := s.store.StopMails(q.Context(), q.param("secret"))
	if errors.Is(err, timeline.ErrUnauthorized) {
		return errLink
	}
	if err != nil {
		return err
	}
	return s.done(w, q, page.StoppedPath, map[string]any{"result": "stopped"})
}

// showStopped says that mails about notices are stopped.
func (s *Server) showStopped(w http.ResponseWriter, q *request) error {
	return s.page(w, q, http.StatusOK, page.Stop(page.StopModel{Shell: s.shell(q, q.words.NoticeStoppedTitle()), Done: true}))
}
