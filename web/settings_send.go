package web

import (
	"net/http"
	"strconv"
	"strings"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// settingsForms returns the action of each form of the settings. The actions are the API's; the
// forms have addresses of their own, so that a refused form is shown again under the address of
// its page.
func (s *Server) settingsForms() map[page.SettingsForm]action {
	return map[page.SettingsForm]action{
		page.ProfileForm:    s.editUser,
		page.NameForm:       s.editUser,
		page.PrivacyForm:    s.editUser,
		page.AppearanceForm: s.editUser,
		page.AudienceForm:   s.askPrivacy,
		page.AvatarForm:     s.setOwnPicture(timeline.Avatar),
		page.CoverForm:      s.setOwnPicture(timeline.Cover),
		page.EmailForm:      s.setEmail,
		page.PasswordForm:   s.setPassword,
		page.NoticesForm:    s.setNoticeKinds,
		page.TokenForm:      s.createToken,
		page.FeedForm:       s.createFeedAddress,
		page.IntakeForm:     s.addIntake,
		page.DeleteForm:     s.deleteUser,
		page.SiteForm:       s.editSite,
	}
}

// sendSettings returns the action that carries out the form of the settings that a request names.
func (s *Server) sendSettings() action {
	forms := s.settingsForms()
	return func(w http.ResponseWriter, q *request) error {
		form := page.SettingsFormOf(q.URL.Query())
		do := forms[form]
		if do == nil || form.Page() != pagePath(q.Request) {
			return timeline.ErrNotFound
		}
		return do(w, q)
	}
}

// isOwn reports whether the request is about the visitor's own account. Addresses of the API
// have the account's id; addresses of the settings do not.
func (q *request) isOwn() bool {
	named := q.param("name")
	id, err := strconv.ParseInt(named, 10, 64)
	return named == "" || err == nil && timeline.UserID(id) == q.who.User
}

// saved responds to a form of the settings that was saved. It redirects the browser to the page of
// the form, which shows "Saved" beside the button. So a reload of the page does not send the form
// again.
func (s *Server) saved(w http.ResponseWriter, q *request, form page.SettingsForm, body any) error {
	if q.html {
		s.setSaved(w, q, form, "")
	}
	return s.done(w, q, form.Page(), body)
}

// savedFor is how long a browser keeps the cookie about the saved form.
const savedFor = 60 // seconds

// savedCookie returns the name of a cookie. It tells the next page of the settings which form
// was saved, and the secret of a new token, which no address may contain. The page removes the
// cookie.
func (s *Server) savedCookie() string { return s.cookie + "-saved" }

// setSaved sets the cookie about the saved form.
func (s *Server) setSaved(w http.ResponseWriter, q *request, form page.SettingsForm, secret string) {
	value := strings.Join([]string{strconv.FormatInt(int64(q.who.User), 10), string(form), secret}, ".")
	cookie := s.newCookie(value)
	cookie.Name, cookie.MaxAge, cookie.SameSite = s.savedCookie(), savedFor, http.SameSiteStrictMode
	http.SetCookie(w, cookie)
}

// justSaved returns the form that the visitor has just saved, with the secret of a new token,
// and removes the cookie.
func (s *Server) justSaved(w http.ResponseWriter, q *request) (form page.SettingsForm, secret string) {
	held, err := q.Cookie(s.savedCookie())
	if err != nil {
		return "", ""
	}
	gone := s.newCookie("")
	gone.Name, gone.MaxAge = s.savedCookie(), -1
	http.SetCookie(w, gone)
	part := strings.SplitN(held.Value, ".", 3)
	if len(part) != 3 || part[0] != strconv.FormatInt(int64(q.who.User), 10) {
		return "", ""
	}
	return page.SettingsForm(part[1]), part[2]
}
