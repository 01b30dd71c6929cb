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
		page.SuspendForm:    s.suspend,
		page.ReportForm:     s.sendReport,
		page.DecideForm:     s.decideReport,
		page.SignUpLinkForm: s.createSignUpLink,
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

// How long a browser keeps the cookie about the saved form, in seconds: before a page has shown what is saved, and after a
// request that the browser sent ahead of the page's service worker. The worker asks again if the browser gave up that
// request.
const (
	savedFor      = 60
	savedForAgain = 5
)

// aheadHeader is the header of a request that a browser sends ahead of the service worker, which may ask once more. The name
// is from the specification of service workers.
const aheadHeader = "Service-Worker-Navigation-Preload"

// shownMark begins the value of the cookie after such a request.
const shownMark = "shown."

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
// and removes the cookie. For a request that was sent ahead the cookie stays a moment longer, for the worker's own request.
// If the browser sends another request ahead in that moment, the page is loaded again, and shows nothing as saved.
func (s *Server) justSaved(w http.ResponseWriter, q *request) (form page.SettingsForm, secret string) {
	held, err := q.Cookie(s.savedCookie())
	if err != nil {
		return "", ""
	}
	value, shown := strings.CutPrefix(held.Value, shownMark)
	ahead := q.Header.Get(aheadHeader) != ""
	next := s.newCookie("")
	next.Name, next.MaxAge = s.savedCookie(), -1
	if ahead && !shown {
		next.Value, next.MaxAge, next.SameSite = shownMark+value, savedForAgain, http.SameSiteStrictMode
	}
	http.SetCookie(w, next)
	if ahead && shown {
		return "", ""
	}
	part := strings.SplitN(value, ".", 3)
	if len(part) != 3 || part[0] != strconv.FormatInt(int64(q.who.User), 10) {
		return "", ""
	}
	return page.SettingsForm(part[1]), part[2]
}
