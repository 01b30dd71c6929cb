package browsertest

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// withoutScript makes the browser run no script on all later pages of the tab.
func (tb *tab) withoutScript() {
	tb.Helper()
	tb.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		// A click would miss a form to which the page still scrolls.
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-reduced-motion", Value: "reduce"},
		}})
		if err == nil {
			_, err = chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		}
		return err
	}))
}

// rewrite replaces the text of a field.
func (tb *tab) rewrite(selector, text string) {
	tb.Helper()
	tb.do(chromedp.SetValue(chromedp.CSS(selector), text, chromedp.NodeVisible))
}

// lacks fails the test if the page's HTML contains a text.
func (tb *tab) lacks(text string) {
	tb.Helper()
	if html := tb.source(); strings.Contains(html, text) {
		tb.Errorf("%s finds %q on the page\n%s", tb.name, text, html)
	}
}

// TestWithoutScript uses the site in a browser that runs no script: people can read and write
// everything there too.
func TestWithoutScript(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	s := newSite(t, "ann", "bob")
	s.post("ann", "some early words")
	s.shown()
	eve := b.visitor(s, "eve")
	eve.withoutScript()
	goTo := func(path string) {
		t.Helper()
		eve.do(chromedp.Navigate(s.url + path))
	}

	goTo("/")
	eve.has("some early words")
	if html := eve.source(); strings.Contains(html, "data-connected") {
		t.Fatal("the page's script ran")
	}
	eve.leave(".welcome-acts a.button") // sign up
	eve.enter("#user-name", "eve")
	eve.enter("#user-display", "Eve")
	eve.enter("#user-email", "eve@example.org")
	eve.enter("#user-password", "password of eve")
	eve.leave("form button.primary")
	eve.has("Sign out")

	t.Log("writes a post")
	eve.enter("#post-form textarea", "written without script")
	eve.leave("#post-form button.primary")
	eve.has("written without script")
	const own = "article.entry:nth-of-type(1)"
	goTo("/eve")

	t.Log("comments on it")
	eve.leave(own + " a[href$='#f']")
	eve.enter(own+" form.comment-form textarea", "and commented")
	eve.leave(own + " form.comment-form button")
	eve.has("written without script", "and commented")

	t.Log("edits the comment")
	eve.leave(own + " .comment a[data-edit]")
	eve.rewrite("#edit-text", "and commented twice")
	eve.leave("form button.primary")
	eve.has("and commented twice", "edited")

	t.Log("edits the post")
	goTo("/eve")
	eve.leave(own + " a[href$='/menu']")
	eve.leave(".menu-box a[href$='/edit']")
	eve.rewrite("#edit-text", "written without script, then edited")
	eve.leave("form button.primary")
	eve.has("written without script, then edited")

	t.Log("likes another person's post, and takes the like back")
	goTo("/ann")
	eve.leave(own + " .actions > button")
	eve.has("liked this", "Unlike")
	eve.leave(own + " .actions > button")
	eve.lacks("liked this")

	t.Log("subscribes, and reads it at home")
	eve.leave(".subject .act button")
	goTo("/")
	eve.has("some early words")
	goTo("/ann")
	eve.leave(".subject .act button")
	goTo("/")
	eve.lacks("some early words")

	t.Log("is told what is wrong, and finds the text again")
	goTo("/eve")
	eve.leave(own + " a[href$='#f']")
	eve.enter(own+" form.comment-form textarea", "   ")
	eve.leave(own + " form.comment-form button")
	eve.has("Write something, or add a file.")

	t.Log("deletes the comment and the post")
	goTo("/eve")
	eve.leave(own + " .comment a[href$='/delete']")
	eve.leave(".menu-box .danger")
	goTo("/eve")
	eve.lacks("and commented twice")
	eve.has("written without script, then edited")
	eve.leave(own + " a[href$='/menu']")
	eve.click(".menu-box details.confirm > summary")
	eve.leave(".menu-box details.confirm form button")
	goTo("/eve")
	eve.lacks("written without script")

	t.Log("signs out and in")
	eve.leave(".nav-own form button")
	eve.has("Sign in")
	goTo("/users/sign_in")
	eve.enter("#user-email", "eve")
	eve.enter("#user-password", "password of eve")
	eve.leave("main form button.primary")
	eve.has("Sign out")
}
