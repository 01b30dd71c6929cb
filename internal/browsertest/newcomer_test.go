package browsertest

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestNewcomer goes the way of a newcomer, with the script and without: the front page, a form with mistakes, the
// account, three steps, and home.
func TestNewcomer(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for _, scripted := range []bool{true, false} {
		s := newSite(t, "ann", "bob", "cyd")
		for _, name := range []string{"ann", "bob", "cyd"} {
			s.post(name, "the words of "+name)
		}
		s.shown()
		eve := b.visitor(s, "eve")
		if !scripted {
			eve.withoutScript()
		}
		eve.do(chromedp.Navigate(s.url + "/"))
		eve.has("People talking here", "the words of ann")
		eve.leave(".welcome a.primary")

		t.Log("signs up, at first with mistakes")
		eve.enter("#user-display", "Eve")
		eve.enter("#user-name", "ann")
		eve.enter("#user-email", "eve@example.org")
		eve.enter("#user-password", "password of eve")
		eve.leave("form button.primary")
		eve.has("already taken")
		eve.until("the focus on the name", func() bool { return value[string](eve, "document.activeElement.id") == "user-name" })
		eve.rewrite("#user-name", "eve")
		eve.enter("#user-password", "password of eve")
		eve.leave("form button.primary")

		t.Log("follows three")
		follows := func(n string) bool {
			return value[string](eve, `document.querySelector("[data-follows]").textContent`) == n
		}
		for _, n := range []string{"1", "2", "3"} {
			const next = ".steps .row-acts button:not(.quiet)"
			if scripted {
				eve.click(next)
			} else {
				eve.leave(next)
			}
			eve.until(n+" followed", func() bool { return follows(n) })
			if rows := value[int](eve, `document.querySelectorAll(".steps .row").length`); rows != 3 {
				t.Errorf("after %s, %d people are suggested", n, rows)
			}
			if done := value[bool](eve, `document.querySelector(".steps li").classList.contains("is-done")`); done != (n == "3") {
				t.Errorf("with %s followed, the step is done: %v", n, done)
			}
		}
		if scripted {
			eve.click(".steps .row-acts button.quiet")
			eve.until("one fewer", func() bool { return follows("2") })
			eve.click(".steps .row-acts button:not(.quiet)")
			eve.until("three again", func() bool { return follows("3") })
		}
		eve.do(chromedp.Navigate(s.url + "/"))
		eve.has("the words of ann", "the words of bob", "the words of cyd")
		if n := strings.Count(eve.source(), "Subscribed ✓</button>"); n != 3 {
			t.Errorf("%d buttons say that eve is subscribed", n)
		}

		t.Log("says hello, and puts the steps away")
		eve.enter("#post-form textarea", "hello from eve")
		if scripted {
			eve.click("#post-form button.primary")
			eve.until("the post", func() bool { return strings.Contains(eve.source(), "hello from eve</") })
			eve.do(chromedp.Navigate(s.url + "/"))
		} else {
			eve.leave("#post-form button.primary")
		}
		eve.has("hello from eve")
		if done := value[int](eve, `document.querySelectorAll(".steps li.is-done").length`); done != 2 {
			t.Errorf("%d steps are done, want 2", done)
		}
		eve.leave(".steps > .act button")
		eve.lacks(`class="steps"`)
		eve.has("hello from eve")
	}
}

// TestDirectoryButtonsInPlace subscribes in the directory of people without leaving it.
func TestDirectoryButtonsInPlace(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	s := newSite(t, "ann", "bob")
	ann := b.person(s, "ann")
	ann.open("/filter/people")
	button := func() string {
		return value[string](ann, `document.querySelector("main .row-acts button").textContent.trim()`)
	}
	ann.click("main .row-acts button")
	ann.until("subscribed", func() bool { return button() == "Subscribed ✓" })
	ann.same()
	ann.open("/filter/people?q=bob")
	if got := button(); got != "Subscribed ✓" {
		t.Errorf("the button says %q", got)
	}
	ann.click("main .row-acts button")
	ann.until("not subscribed", func() bool { return button() == "Subscribe" })
}
