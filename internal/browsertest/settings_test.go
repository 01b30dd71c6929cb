package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp"
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
		})
	}
}

// visits goes to a page of the settings by the links to all of them.
func (tb *tab) visits(path string) {
	tb.Helper()
	tb.leave(".settings > nav a[href='" + path + "']")
	tb.sees("the page "+path, "location.pathname === "+quote(path)+" && document.querySelector('.settings > nav [aria-current=page]').getAttribute('href') === "+quote(path))
}

// saved waits until the page says that the form was saved, beside the button, which has the
// focus and is in sight. The page says so once, and its address is that of the page.
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
