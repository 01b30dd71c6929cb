package browsertest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"amstel.dev/amstel/timeline"
)

// TestKeys tests single keys on a page.
func TestKeys(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for _, test := range []struct {
		name string
		run  func(*testing.T, *browser)
	}{
		{"the selection moves among entries, also while these move", keysMove},
		{"the selected entry is liked, commented on and opened", keysAct},
		{"on the page of a post the comments are selected", keysOnPost},
		{"keys lead to pages and to the search", keysGo},
		{"keys are text where text is typed", keysTyped},
		{"the sheet lists the keys and switches them off", keysSheet},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t, b)
		})
	}
}

// press presses keys one after another, at the focus. A letter or sign is sent as a keyboard
// sends it: as one event, so that a key that the page handles types no text.
func (tb *tab) press(keys ...string) {
	tb.Helper()
	for _, key := range keys {
		if key == kb.Enter {
			tb.pressAs("Enter", "Enter", "\r")
			continue
		}
		if len(key) > 1 || key < " " {
			tb.do(chromedp.KeyEvent(key))
			continue
		}
		tb.pressAt(key, "Key"+strings.ToUpper(key))
	}
}

// pressAt presses the key with a letter or sign in a place of the keyboard.
func (tb *tab) pressAt(letter, code string) {
	tb.Helper()
	tb.pressAs(letter, code, letter)
}

func (tb *tab) pressAs(letter, code, text string) {
	tb.Helper()
	tb.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		down := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: letter, Code: code, Text: text}
		if _, err := chromedp.Call(ctx, input.DispatchKeyEvent, down); err != nil {
			return err
		}
		up := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp, Key: letter, Code: code}
		_, err := chromedp.Call(ctx, input.DispatchKeyEvent, up)
		return err
	}))
}

// selects waits until the element of a CSS selector has the focus and a visible bar beside it.
func (tb *tab) selects(selector string) {
	tb.Helper()
	tb.sees("the selection at "+selector, fmt.Sprintf(`(() => {
		const at = document.querySelector(%q);
		return at && document.activeElement === at && getComputedStyle(at, '::before').content !== 'none';
	})()`, selector))
}

func keysMove(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	var posts []timeline.PostID
	for i := range 16 {
		posts = append(posts, s.post("ann", fmt.Sprintf("words %d\n\n\n\n\n\n\n\nand more", i)))
	}
	s.shown()
	bob := b.person(s, "bob")
	bob.live("/filter/everything")
	bob.press("j")
	bob.selects(entry(posts[15]))
	bob.press("j")
	bob.selects(entry(posts[14]))
	bob.press("j", "j", "j", "k")
	bob.selects(entry(posts[12]))
	bob.sees("the whole selected entry on the screen", fmt.Sprintf(`(() => {
		const box = document.querySelector(%q).getBoundingClientRect();
		return box.top >= 0 && box.bottom <= innerHeight;
	})()`, entry(posts[12])))
	// Changes in the entry and above it move neither the selection nor the entry.
	top := fmt.Sprintf("document.querySelector(%q).getBoundingClientRect().top", entry(posts[12]))
	before := value[float64](bob, top)
	s.comment("ann", posts[0], "a comment that brings the post to the top")
	s.must(s.store.Like(s.Context(), s.ids["bob"], posts[12]))
	bob.reads("a comment that brings")
	bob.reads("You liked this")
	bob.selects(entry(posts[12]))
	if after := value[float64](bob, top); after-before > 1 || before-after > 1 {
		t.Errorf("the selected entry moved from %v to %v", before, after)
	}
	bob.pressAt("о", "KeyJ")
	bob.selects(entry(posts[11]))
	// When the selected entry goes away, the next key selects the entry being read.
	s.must(s.store.DeletePost(s.Context(), s.ids["ann"], posts[11]))
	bob.sees("the entry gone", fmt.Sprintf("!document.querySelector(%q)", entry(posts[11])))
	bob.press("j")
	bob.sees("another entry selected, on the screen", `(() => {
		const box = document.activeElement.closest('#river > article').getBoundingClientRect();
		return box.bottom > 0 && box.top < innerHeight;
	})()`)
	bob.same()
}

func keysAct(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	first := s.post("ann", "early words")
	second := s.post("ann", "late words")
	comment := s.comment("ann", second, "and a comment")
	s.shown()
	bob := b.person(s, "bob")
	bob.live("/filter/everything")
	// Without a selection a key selects, and does nothing else.
	bob.press("l")
	bob.selects(entry(second))
	if likes := value[bool](bob, "document.querySelector('#river').innerText.includes('You liked')"); likes {
		t.Error("a key liked an entry that was not selected")
	}
	bob.press("l")
	bob.reads("You liked this")
	bob.sees("the answer, too", "!document.querySelector('#river [aria-busy]')")
	bob.press("l")
	bob.missesText("You liked this")
	bob.press("c")
	field := entry(second) + " form.comment-form textarea"
	bob.sees("the form", fmt.Sprintf("document.activeElement === document.querySelector(%q)", field))
	bob.press("jkl", kb.Enter)
	bob.sees("the letters", fmt.Sprintf("document.querySelector(%q).value === 'jkl\\n'", field))
	bob.eval(fmt.Sprintf("document.querySelector(%q).select()", field))
	bob.press(kb.Backspace, kb.Escape)
	bob.sees("no form", fmt.Sprintf("!document.querySelector(%q)", field))
	bob.press("r")
	bob.sees("the name in the form", fmt.Sprintf("document.querySelector(%q).value === '@ann ' && document.activeElement === document.querySelector(%q)", field, field))
	bob.press("thanks")
	bob.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(2))) // with Ctrl
	bob.reads("thanks")
	bob.sees("no form", fmt.Sprintf("!document.querySelector(%q)", field))
	bob.press("j")
	bob.selects(entry(first))
	bob.press("k")
	bob.selects(entry(second))
	bob.same()
	bob.press(kb.Enter)
	bob.sees("the post's page", fmt.Sprintf("location.pathname === '/ann/%d'", second))
	bob.sees("the comment", fmt.Sprintf("!!document.querySelector('#c%d')", comment))
}

func keysOnPost(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "early words")
	ids := s.discuss(post, 3)
	s.shown()
	bob := b.person(s, "bob")
	bob.live(fmt.Sprintf("/ann/%d", post))
	bob.press("l") // the only post needs no selection
	bob.reads("You liked this")
	bob.press("j", "j")
	bob.selects(fmt.Sprintf("#c%d", ids[0]))
	bob.press("l")
	bob.sees("the comment liked", fmt.Sprintf("document.querySelector('#c%d').innerText.includes('Unlike')", ids[0]))
	bob.press("r")
	bob.sees("the name in the form", "document.activeElement.value === '@ann '")
	bob.press("x", kb.Backspace)
	bob.eval("document.activeElement.select()")
	bob.press(kb.Backspace, kb.Escape)
	bob.press("j", "j", "j")
	bob.press("j")
	bob.selects(fmt.Sprintf("#c%d", ids[2]))
	bob.same()
}

func keysGo(t *testing.T, b *browser) {
	s := newSite(t, "ann")
	s.post("ann", "early words")
	s.shown()
	ann := b.person(s, "ann")
	ann.live("/filter/everything")
	ann.press("/")
	ann.sees("the search field", "document.activeElement.matches('[role=search] input') && document.activeElement.value === ''")
	for _, place := range []struct{ key, path string }{
		{"d", "/filter/discussions"}, {"m", "/filter/directs"}, {"n", "/notifications"}, {"h", "/"},
	} {
		ann.eval("document.activeElement.blur()")
		ann.press("g", place.key)
		ann.sees(place.path, fmt.Sprintf("location.pathname === %q && document.readyState === 'complete'", place.path))
	}
	ann.eval("window.unloaded = false")
	ann.press("n", "g", "j", "n") // not consecutive
	ann.sees("a selection", "document.activeElement.matches('#river > article')")
	ann.same()
}

func keysTyped(t *testing.T, b *browser) {
	s := newSite(t, "ann")
	post := s.post("ann", "early words")
	s.shown()
	ann := b.person(s, "ann")
	ann.live("/")
	ann.enter("#post-form textarea", "jk/?gh")
	ann.sees("the text", "document.querySelector('#post-form textarea').value === 'jk/?gh'")
	ann.eval("document.activeElement.blur()")
	// With a modifier a key is the browser's.
	for _, modifier := range []chromedp.Modifier{1, 2, 4} { // Alt, Ctrl, Meta
		ann.do(chromedp.KeyEvent("j", chromedp.KeyModifiers(modifier)))
	}
	ann.press("?")
	ann.sees("the sheet", "!!document.querySelector('dialog[open]')")
	ann.press("j")
	ann.press(kb.Escape)
	ann.sees("no sheet", "!document.querySelector('dialog')")
	if at := value[bool](ann, "document.activeElement === document.body"); !at {
		t.Error("a key with a modifier, or in the sheet, selected an entry")
	}
	ann.press("j")
	ann.selects(entry(post))
	ann.same()
}

func keysSheet(t *testing.T, b *browser) {
	s := newSite(t, "ann")
	post := s.post("ann", "early words")
	s.shown()
	ann := b.person(s, "ann")
	ann.live("/")
	ann.click(".foot a[data-keys]")
	ann.sees("the sheet with its keys", "document.querySelectorAll('dialog[open] kbd').length > 10")
	ann.sees("its name", "document.getElementById(document.querySelector('dialog').getAttribute('aria-labelledby')).textContent === 'Keyboard shortcuts'")
	ann.click("dialog .keys-switch input")
	ann.click("dialog > button")
	ann.sees("no sheet", "!document.querySelector('dialog')")
	ann.same()
	ann.live("/")
	ann.press("j", "?")
	if loads := value[bool](ann, "performance.getEntriesByType('resource').some((file) => file.name.includes('extra'))"); loads {
		t.Error("a key was used that is switched off")
	}
	ann.open("/about/keys")
	ann.sees("the switch off", "document.querySelector('.keys-switch input').checked === false")
	ann.click(".keys-switch input")
	ann.live("/")
	ann.press("j")
	ann.selects(entry(post))
}
