package web

import (
	"net/http"
	"strconv"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// editUser changes the actor's profile, or the audience of their feed.
func (s *Server) editUser(w http.ResponseWriter, q *request) error {
	// An actor may change only themselves. A wrong id is not told apart from an unknown one.
	if id, err := strconv.ParseInt(q.param("name"), 10, 64); err != nil || timeline.UserID(id) != q.who.User {
		return timeline.ErrForbidden
	}
	edit, err := profileEdit(q.body)
	if err == nil {
		err = s.store.SetProfile(q.Context(), q.who.User, edit)
	}
	if err != nil {
		if f, may := fixableByUser(err); q.html && may {
			return s.settingsAgain(w, q, f, func(m *page.SettingsModel) {
				m.ProfileProblems = q.problems(f)
				fillProfile(m, edit)
			})
		}
		return err
	}
	s.people.forgetUser(q.who.User)
	s.addresses.Names.Forget(address.Account{User: q.who.User})
	whose, err := s.addresses.Names.Lookup(q.Context(), q.who.Name)
	if err != nil {
		return err
	}
	user, err := s.userAs(q, whose)
	if err != nil {
		return err
	}
	return s.done(w, q, page.SettingsPath, editedUser{user, s.effectOnNamed(w, q)})
}

// editedUser is the answer to a change of the actor's profile.
type editedUser struct {
	User mokum.User `json:"user"`
	effect
}

func profileEdit(body input) (edit timeline.ProfileEdit, err error) {
	in, err := body.in("user")
	if err == nil {
		in, err = in.changed()
	}
	if err != nil {
		return edit, err
	}
	for name, to := range map[string]**string{
		"name": &edit.Name, "display_name": &edit.DisplayName, "description": &edit.Description, "status": &edit.Status,
		"directs_from": &edit.DirectsFrom, "lang": &edit.Lang, "page_language": &edit.PageLanguage,
	} {
		if *to, err = in.optional(name); err != nil {
			return edit, err
		}
	}
	if edit.PageLanguage != nil && *edit.PageLanguage != "" {
		if _, spoken := catalogue.Find(*edit.PageLanguage); !spoken {
			return edit, &timeline.InvalidError{Field: "page_language", Reason: "must be a language that pages speak, or empty", Code: "choice"}
		}
	}
	if edit.OwnPosts, err = in.flag("own_posts"); err != nil {
		return edit, err
	}
	if edit == (timeline.ProfileEdit{}) && !in.has("was") {
		return edit, &timeline.InvalidError{Field: "user", Reason: "says nothing to change"}
	}
	return edit, nil
}

// fillTyped puts what was typed into a field of a form, if anything was.
func fillTyped(shown, typed *string) {
	if typed != nil {
		*shown = *typed
	}
}
