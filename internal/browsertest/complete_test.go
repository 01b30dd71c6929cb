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

// TestComplete tests the list of names and hashtags that opens while a text is typed, and the counter of
// its characters.
func TestComplete(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for _, test := range []struct {
		name string
		run  func(*testing.T, *browser)
	}{
		{"names and hashtags of a post are completed", completesPost},
		{"a list stays open while the page changes", completesLive},
		{"fields for names are completed", completesFields},
		{"a list is used by touch", completesByTouch},
		{"a text that an input method composes is left alone", completesComposed},
		{"a text that gets long is counted", counts},
		{"the form says who can read the post", saysReaders},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t, b)
		})
	}
}

const (
	offered = "[...document.querySelectorAll('[role=listbox] [role=option]')].map((option) => option.innerText.replace(/\\s+/g, ' ').trim()).join('; ')"
	typed   = "document.activeElement.value"
)

// offers waits until the list offers exactly this.
func (tb *tab) offers(want string) {
	tb.Helper()
	tb.sees("the offer of "+want, offered+" === "+quote(want))
}

// holds waits until the field with the focus has a text.
func (tb *tab) holds(want string) {
	tb.Helper()
	tb.sees("the text "+want, typed+" === "+quote(want))
}

// types presses the keys of a text.
func (tb *tab) types(text string) {
	tb.Helper()
	tb.press(strings.Split(text, "")...)
}

// renamed gives a person a display name.
func (s *site) renamed(name, display string) {
	s.Helper()
	s.must(s.store.SetProfile(s.Context(), s.ids[name], timeline.ProfileEdit{DisplayName: &display}))
}

func completesPost(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob", "bobby", "carol")
	s.renamed("carol", "Ольга")
	s.post("ann", "early words of #boats")
	s.post("bob", "and #books")
	s.must(s.store.Ban(s.Context(), s.ids["bobby"], "ann"))
	s.shown()
	ann := b.person(s, "ann")
	ann.live("/filter/everything")
	ann.live("/ann")
	ann.click("#post-form textarea")
	ann.types("hi @bo")
	ann.offers("bob @bob") // bobby is across a ban
	// Nothing is chosen, so Enter begins a line.
	ann.press(kb.Enter)
	ann.holds("hi @bo\n")
	ann.sees("no list", "!document.querySelector('[role=listbox]')")
	ann.types("@bo")
	ann.offers("bob @bob")
	ann.sees("no choice", "!document.activeElement.hasAttribute('aria-activedescendant')")
	ann.press(kb.ArrowDown)
	ann.sees("a choice that is announced", `document.getElementById(document.activeElement.getAttribute("aria-activedescendant")).ariaSelected === "true"`)
	ann.press(kb.Enter)
	ann.holds("hi @bo\n@bob ")
	// By the display name, with Tab.
	ann.types("@оль")
	ann.offers("Ольга @carol")
	ann.press(kb.ArrowUp, kb.Tab)
	ann.holds("hi @bo\n@bob @carol ")
	// Her own hashtags, and those on the page.
	ann.types("#bo")
	ann.offers("boats")
	ann.press(kb.Escape)
	ann.sees("no list", "!document.querySelector('[role=listbox]')")
	ann.press(kb.ArrowDown)
	ann.holds("hi @bo\n@bob @carol #bo")
	ann.same()
}

func completesLive(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "early words of #boats")
	s.shown()
	ann := b.person(s, "ann")
	ann.live("/filter/everything")
	ann.click(entry(post) + " a[href$='#f']")
	ann.types("dear @bo")
	ann.offers("bob @bob")
	ann.press(kb.ArrowDown)
	ann.sees("a choice", "document.activeElement.getAttribute('aria-activedescendant') === 'completion-0'")
	top := "document.querySelector('[role=listbox]').getBoundingClientRect().top - document.activeElement.getBoundingClientRect().top"
	before := value[float64](ann, top)
	for i := range 5 {
		s.comment("bob", post, fmt.Sprintf("live %d.", i))
		s.post("bob", fmt.Sprintf("another post %d", i))
	}
	ann.reads("live 4.")
	ann.sees("the choice still", `document.getElementById(document.activeElement.getAttribute("aria-activedescendant")).ariaSelected === "true"`)
	ann.holds("dear @bo")
	if after := value[float64](ann, top); after != before {
		t.Errorf("the list moved from %v to %v below the field", before, after)
	}
	ann.sees("the caret at the end", "document.activeElement.selectionStart === 8")
	ann.press(kb.Enter)
	ann.holds("dear @bob ")
	// Escape first closes the list, and then the form if it is empty.
	ann.types("@bo")
	ann.offers("bob @bob")
	ann.press(kb.Escape)
	ann.holds("dear @bob @bo")
	ann.same()
}

func completesFields(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob", "carol")
	s.renamed("carol", "Ольга Ивановна")
	_, err := s.store.CreateGroup(s.Context(), s.ids["bob"], timeline.NewGroup{Name: "olives"})
	s.must(err)
	s.shown()
	ann := b.person(s, "ann")
	ann.live("/filter/directs")
	ann.click("#post-to")
	ann.types("bo")
	ann.offers("bob @bob")
	ann.sees("a combobox", "document.activeElement.getAttribute('role') === 'combobox' && document.activeElement.ariaExpanded === 'true'")
	ann.press(kb.ArrowDown, kb.Enter)
	ann.holds("bob, ")
	ann.types("ольга и")
	ann.offers("Ольга Ивановна @carol")
	ann.press(kb.ArrowDown, kb.Enter)
	ann.holds("bob, carol, ")
	ann.same()
	ann.open("/settings/people")
	ann.click("#invite-feed")
	ann.types("ol")
	ann.types("x")
	ann.press(kb.Backspace, kb.Backspace, kb.Backspace)
	ann.types("car")
	ann.offers("Ольга Ивановна @carol")
	ann.press(kb.ArrowDown, kb.Tab)
	ann.holds("carol")
	_, err = s.store.CreateList(s.Context(), s.ids["ann"], "near")
	s.must(err)
	ann.open("/settings/lists")
	ann.click("[data-complete=feed]")
	ann.types("ol")
	ann.offers("olives @olives")
	ann.press(kb.ArrowDown, kb.Enter)
	ann.holds("olives")
}

func completesByTouch(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	s.shown()
	ann := b.person(s, "ann")
	ann.phone()
	ann.live("/")
	ann.click("#post-form textarea")
	ann.types("@bo")
	ann.offers("bob @bob")
	box := value[[]float64](ann, `(() => {
		const box = document.querySelector("[role=option]").getBoundingClientRect();
		return [box.x + box.width / 2, box.y + box.height / 2, box.height];
	})()`)
	if box[2] < 44 {
		t.Errorf("an offer is %v pixels high", box[2])
	}
	ann.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		at := input.TouchPoint{X: box[0], Y: box[1]}
		start := input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{&at}}
		if _, err := chromedp.Call(ctx, input.DispatchTouchEvent, start); err != nil {
			return err
		}
		end := input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}}
		_, err := chromedp.Call(ctx, input.DispatchTouchEvent, end)
		return err
	}))
	ann.holds("@bob ")
}

func completesComposed(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	s.shown()
	ann := b.person(s, "ann")
	ann.live("/")
	ann.click("#post-form textarea")
	ann.types("@")
	compose := func(text string) {
		t.Helper()
		ann.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
			n := int64(len(text))
			_, err := chromedp.Call(ctx, input.ImeSetComposition, input.ImeSetCompositionParams{Text: text, SelectionStart: n, SelectionEnd: n})
			return err
		}))
	}
	compose("bo")
	ann.offers("bob @bob")
	compose("bobo")
	ann.sees("no list", "!document.querySelector('[role=listbox]')")
	ann.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, input.InsertText, input.InsertTextParams{Text: "bobo"})
		return err
	}))
	ann.holds("@bobo")
}

func counts(t *testing.T, b *browser) {
	s := newSite(t, "ann")
	s.shown()
	ann := b.person(s, "ann")
	ann.live("/")
	ann.click("#post-form textarea")
	says := func(want string) {
		t.Helper()
		ann.sees("the counter "+want, fmt.Sprintf("(document.querySelector('#post-form .left')?.textContent ?? '') === %q", want))
	}
	fill := func(text string) {
		t.Helper()
		ann.eval(fmt.Sprintf(`(() => {
			const field = document.querySelector("#post-form textarea");
			field.value = %s;
			field.dispatchEvent(new InputEvent("input", { bubbles: true }));
		})()`, text))
	}
	fill("'x'")
	ann.types("y")
	fill("'x'.repeat(2800)")
	says("200 characters left")
	fill("'x'.repeat(2799)")
	says("")
	fill("'👋'.repeat(2999)") // each counts as one character, as on the server
	says("1 character left")
	fill("'x'.repeat(3012)")
	says("Too long by 12 characters")
	ann.click("#post-form .post-acts button.primary")
	ann.sees("the refusal", "!!document.querySelector('#post-form .problem')")
	fill("'e\u0301'.repeat(3000) + '  '") // composed, and without space at the end
	says("0 characters left")
	ann.click("#post-form .post-acts button.primary")
	ann.sees("an empty form", "document.querySelector('#post-form textarea').value === ''")
	says("")
	ann.same()
}

func saysReaders(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	for name, status := range map[string]string{"cooks": "private", "walks": "public"} {
		_, err := s.store.CreateGroup(s.Context(), s.ids["ann"], timeline.NewGroup{Name: name, DisplayName: strings.ToUpper(name), Status: status})
		s.must(err)
	}
	s.shown()
	ann := b.person(s, "ann")
	ann.live("/")
	says := func(places, readers string) {
		t.Helper()
		ann.sees(places+" "+readers, fmt.Sprintf(`document.querySelector(".post-to > summary").innerText === %q && document.querySelector(".readers").innerText === %q`, places, readers))
	}
	choose := func(place string) {
		t.Helper()
		ann.click(fmt.Sprintf("#post-form input[value='%s']", place))
	}
	says("To your feed", "Everyone can read this.")
	ann.click("#post-form textarea")
	ann.click(".post-to > summary")
	choose("user")
	says("Choose where it goes", "Choose where it goes.")
	choose("user_private")
	choose("group:cooks")
	says("To your private feed, COOKS", "Only for the subscribers of your private feed, the members of COOKS.")
	choose("group:walks")
	says("To your private feed, COOKS, WALKS", "Everyone can read this.")
	choose("user_fyeo")
	says("To only you", "Only for you.")
	ann.eval("document.querySelector('#post-form').reset()")
	says("To your feed", "Everyone can read this.")
	private := "private"
	s.must(s.store.SetProfile(s.Context(), s.ids["ann"], timeline.ProfileEdit{Status: &private}))
	s.shown()
	ann.live("/")
	says("To your feed", "Only for your subscribers.")
	ann.live("/cooks")
	ann.sees("the group's name", "document.querySelector('#post-form textarea').placeholder === 'Write to COOKS…'")
	ann.sees("its readers", "document.querySelector('.readers').innerText === 'Only for the members of COOKS.'")
	ann.live("/filter/directs?to=bob")
	direct := func(readers string) {
		t.Helper()
		ann.sees("the readers of a direct", "document.querySelector('.readers').textContent === "+quote(readers))
	}
	direct("Only for bob, you.")
	ann.click("#post-to")
	ann.types(", ann")
	direct("Only for bob, ann, you.")
	ann.eval("document.querySelector('#post-form').reset()")
	direct("Only for bob, you.")
}
