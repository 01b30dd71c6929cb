package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// editUser changes the actor's profile, or the audience of their feed.
func (s *Server) editUser(w http.ResponseWriter, q *request) error {
	if !q.isOwn() { // the answer is the same whether or not another account has the id
		return timeline.ErrForbidden
	}
	form := page.SettingsFormOf(q.URL.Query())
	edit, err := profileEdit(q.body)
	if err == nil {
		err = s.store.SetProfile(q.Context(), q.who.User, edit)
	}
	if err != nil {
		return s.refuseSettings(w, q, form, err, func(m *page.SettingsModel) { fillProfile(m, edit) })
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
	return s.saved(w, q, form, editedUser{user, s.effectOnNamed(w, q)})
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
		"theme": &edit.Theme, "density": &edit.Density, "time_zone": &edit.TimeZone,
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
	if edit.KeepsVisits, err = in.flag("visit_times"); err != nil {
		return edit, err
	}
	if edit == (timeline.ProfileEdit{}) && !in.has("was") {
		return edit, &timeline.InvalidError{Field: "user", Reason: "has no setting to change"}
	}
	return edit, nil
}

// fillTyped puts a typed value into a field of a form that is shown again. A nil value was not sent.
func fillTyped(shown, typed *string) {
	if typed != nil {
		*shown = *typed
	}
}
