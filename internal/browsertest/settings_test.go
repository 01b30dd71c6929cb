package browsertest

import (
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"amstel.dev/amstel/timeline"
)

// TestSettings sends the forms of the settings, with script and without.
func TestSettings(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for name, scripted := range map[string]bool{"with script": true, "without script": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, "ann")
			s.must(s.store.SetPassword(t.Context(), s.ids["ann"], "correct horse"))
			ann := b.person(s, "ann")
			if !scripted {
				ann.withoutScript()
			}
			answersBesideButton(ann)
			marksWrongPassword(ann)
			showsTokenOnce(ann)
			looksAsChosen(ann)
			signsOutDevices(ann, b.person(s, "ann"))
		})
	}
}

// visits goes to a page of the settings by the links to all of them.
func (tb *tab) visits(path string) {
	tb.Helper()
	tb.leave(".settings > nav a[href='" + path + "']")
	tb.sees("the page "+path, "location.pathname === "+quote(path)+" && document.querySelector('.settings > nav [aria-current=page]').getAttribute('href') === "+quote(path))
}

// saved waits until the page says beside the button that the form was saved. The button has the
// focus and is in sight. The page says so once, and its address is the page's own.
func (tb *tab) saved(path, form string) {
	tb.Helper()
	tb.sees("that the form "+form+" was saved", `(() => {
		const said = document.getElementById(`+quote(form+"-saved")+`);
		const button = said.parentElement.querySelector("button");
		const at = said.getBoundingClientRect();
		return document.activeElement === button && at.top >= 0 && at.bottom <= innerHeight && location.pathname === `+quote(path)+` && location.search === "";
	})()`)
	tb.do(chromedp.Reload())
	tb.sees("the page without the word", `location.pathname === `+quote(path)+` && !document.querySelector(".saved")`)
}

func answersBesideButton(ann *tab) {
	ann.do(chromedp.Navigate(ann.url + "/settings"))
	ann.rewrite("#user-display", "Ann Again")
	ann.leave("form[action*='form=profile'] button.primary")
	ann.saved("/settings", "profile")
	ann.visits("/settings/privacy")
	ann.click("input[name='user[status]'][value='protected']")
	ann.leave("form[action*='form=privacy'] button.primary")
	ann.saved("/settings/privacy", "privacy")
	ann.visits("/settings/notices")
	ann.click("input[name='notifications[like]'][type=checkbox]")
	ann.leave("form[action*='form=notices'] button.primary")
	ann.saved("/settings/notices", "notices")
	ann.visits("/settings/appearance")
	ann.click("input[name='user[own_posts]'][value='false']")
	ann.leave("form[action*='form=appearance'] button.primary")
	ann.saved("/settings/appearance", "appearance")
}

func marksWrongPassword(ann *tab) {
	ann.visits("/settings/account")
	ann.enter("#password-old", "not the password")
	ann.enter("#password-new", "battery staple")
	ann.leave("form[action*='form=password'] button.primary")
	ann.sees("the wrong password", `(() => {
		const field = document.getElementById("password-old");
		const problem = document.getElementById("password-old-problem").getBoundingClientRect();
		return document.activeElement === field && field.getAttribute("aria-invalid") === "true" &&
			problem.top >= 0 && problem.bottom <= innerHeight && location.pathname === "/settings/account";
	})()`)
	ann.enter("#password-old", "correct horse")
	ann.enter("#password-new", "battery staple")
	ann.leave("form[action*='form=password'] button.primary")
	ann.saved("/settings/account", "password")
}

func showsTokenOnce(ann *tab) {
	ann.visits("/settings/tokens")
	ann.enter("#token-name", "a bot")
	ann.leave("form[action*='form=token'] button")
	ann.sees("the new token", `document.activeElement.matches(".secret") && /^[0-9a-f-]{36}$/.test(document.activeElement.value)`)
	ann.do(chromedp.Reload())
	ann.sees("one token without its secret", `!document.querySelector(".secret") && document.querySelectorAll(".rows > .row").length === 1`)
}

// signsOutDevices changes the e-mail address, and signs out another device.
func signsOutDevices(ann, other *tab) {
	other.do(chromedp.Navigate(other.url + "/settings/account"))
	ann.visits("/settings/account")
	ann.rewrite("#email-address", "ann@new.example")
	ann.enter("#email-password", "battery staple")
	ann.leave("form[action*='form=email'] button.primary")
	ann.saved("/settings/account", "email")
	ann.leave("#sessions ~ form.act button")
	ann.sees("that the device is signed out", `document.activeElement.matches(".saved") && document.querySelectorAll("#sessions ~ .rows > .row").length === 1`)
	other.do(chromedp.Reload())
	other.sees("the form to sign in", `location.pathname === "/users/sign_in"`)
}

// looksAsChosen chooses a theme other than the device's.
func looksAsChosen(ann *tab) {
	const ground = `getComputedStyle(document.body).backgroundColor`
	ann.visits("/settings/appearance")
	ann.sees("the light theme", ground+` === "rgb(247, 245, 240)"`)
	ann.click("input[name='user[theme]'][value='dark']")
	ann.click("input[name='user[density]'][value='compact']")
	ann.leave("form[action*='form=appearance'] button.primary")
	ann.sees("the dark theme", ground+` === "rgb(18, 24, 27)" && getComputedStyle(document.documentElement).colorScheme === "dark"`)
	ann.saved("/settings/appearance", "appearance")
	ann.device("dark")
	ann.click("input[name='user[theme]'][value='light']")
	ann.leave("form[action*='form=appearance'] button.primary")
	ann.sees("the light theme on a dark device", ground+` === "rgb(247, 245, 240)" && getComputedStyle(document.documentElement).colorScheme === "light"`)
	ann.click("input[name='user[theme]'][value='system']")
	ann.leave("form[action*='form=appearance'] button.primary")
	ann.sees("the theme of the device", ground+` === "rgb(18, 24, 27)"`)
}

// device sets the theme of the tab's device.
func (tb *tab) device(theme string) {
	tb.Helper()
	call(tb, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}})
}

// TestTimesOfTheReader reads a post of January in New York, with script and without, and in the zone
// that the account sets.
func TestTimesOfTheReader(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "from the winter")
	at := time.Date(2026, 1, 22, 13, 5, 9, 0, time.UTC)
	s.published(post, at)
	const shown = `document.querySelector("#river time").textContent.replaceAll("\u202f", " ")`
	const whole = `document.querySelector("#river time").title.replaceAll("\u202f", " ")`

	visitor := b.visitor(s, "a visitor")
	visitor.in("America/New_York", "en-US")
	visitor.live("/ann")
	visitor.sees("the time in New York", shown+` === "Jan 22, 2026, 8:05 AM" && `+whole+` === "Thursday, January 22, 2026 at 8:05:09 AM EST"`)
	s.comment("bob", post, "and from the summer") // the whole entry comes again, with its time in UTC
	visitor.reads("and from the summer")
	visitor.sees("the time in New York still", shown+` === "Jan 22, 2026, 8:05 AM"`)
	visitor.same()
	visitor.withoutScript()
	visitor.do(chromedp.Navigate(s.url + "/ann"))
	visitor.sees("the time in UTC", shown+` === "22 Jan 2026, 13:05 UTC"`)

	ann := b.person(s, "ann")
	ann.in("America/New_York", "en-GB")
	ann.open("/settings/appearance")
	ann.sees("the zone of the browser", `document.querySelector("[data-own-zone]").textContent.endsWith("(America/New_York)")`)
	ann.live("/ann")
	ann.sees("the time in New York, as written in Britain", shown+` === "22 Jan 2026, 08:05"`)
	ann.open("/settings/appearance")
	ann.do(chromedp.SetValue(chromedp.CSS("#user-time-zone"), "Europe/Amsterdam", chromedp.NodeVisible))
	ann.leave("form[action*='form=appearance'] button.primary")
	ann.sees("the choice", `document.querySelector("#user-time-zone").value === "Europe/Amsterdam" && document.querySelector(".saved")`)
	ann.live("/ann")
	ann.sees("the time in Amsterdam", shown+` === "22 Jan 2026, 14:05"`)
	ann.withoutScript()
	ann.do(chromedp.Navigate(s.url + "/ann"))
	ann.sees("the time in Amsterdam, named", shown+` === "22 Jan 2026, 14:05 CET"`)
}

// published sets when a post was published. No page may have shown the post yet.
func (s *site) published(post timeline.PostID, at time.Time) {
	s.Helper()
	_, err := s.pool.Exec(s.Context(), `update posts set published_at = $2, updated_at = $2 where id = $1`, post, at)
	s.must(err)
}

// in sets the time zone and the locale of the tab's browser.
func (tb *tab) in(zone, locale string) {
	tb.Helper()
	call(tb, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: zone})
	call(tb, emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{Locale: locale})
	tb.before(`Object.defineProperty(navigator, "languages", {value: [` + quote(locale) + `]})`)
}
