package browsertest

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"amstel.dev/amstel/timeline"
)

// TestPages tests pages with their script.
func TestPages(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for _, test := range []struct {
		name string
		run  func(*testing.T, *browser)
	}{
		{"posts and comments of other people appear", othersWrite},
		{"a page shows its own writes from the answers", ownWrite},
		{"a half-typed comment survives", halfTyped},
		{"a half-typed post keeps its places", draftedPlaces},
		{"the form for a post offers more groups when asked", morePlaces},
		{"the entry that is read does not move", reading},
		{"a page does not shift", shifts},
		{"a finger hits what it presses", fingers},
		{"a page whose connection ended catches up", cutOff},
		{"a comment that is sent twice is written once", sentTwice},
		{"a failed comment is kept and explained", failed},
		{"a session that ends stops its pages", signedOut},
		{"a page without sockets polls", polling},
		{"coming back shows what happened meanwhile", comingBack},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t, b)
		})
	}
}

// entry returns the CSS selector of a post's entry.
func entry(post timeline.PostID) string { return fmt.Sprintf("#p%d", post) }

// commentOn opens the form under a post, types a text, and returns the selector of the field. It does not
// send the form.
func (tb *tab) commentOn(post timeline.PostID, text string) (textarea string) {
	tb.Helper()
	textarea = entry(post) + " form.comment-form textarea"
	tb.click(entry(post) + " a[href$='#f']")
	tb.enter(textarea, text)
	return textarea
}

// send sends the form under a post.
func (tb *tab) send(post timeline.PostID) {
	tb.Helper()
	tb.click(entry(post) + " form.comment-form button")
}

func othersWrite(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	first := s.post("ann", "some early words")
	s.shown()
	ann, bob, visitor := b.person(s, "ann"), b.person(s, "bob"), b.visitor(s, "visitor")
	ann.live("/ann")
	bob.live("/filter/everything")
	visitor.live("/")

	bob.commentOn(first, "a comment of bob's")
	bob.send(first)
	for _, tb := range []*tab{bob, ann, visitor} {
		tb.reads("a comment of bob's")
		tb.same()
	}

	bob.click(entry(first) + " .actions > button")
	for _, tb := range []*tab{ann, visitor} {
		tb.reads("liked this")
	}

	ann.enter("#post-form textarea", "another post of ann's")
	ann.click("#post-form .post-acts button.primary")
	for _, tb := range []*tab{ann, bob, visitor} {
		tb.reads("another post of ann's")
		tb.sees("it above the older one", "document.querySelector('#river article .text').innerText.includes('another')")
	}

	ann.openMenu(first)
	ann.click(entry(first) + " .menu-box details.confirm > summary")
	ann.click(entry(first) + " .menu-box details.confirm form button")
	for _, tb := range []*tab{ann, bob, visitor} {
		tb.missesText("some early words")
		tb.reads("another post of ann's")
		tb.same()
	}
}

// ownWrite uses a page without a socket, so all changes come from the answers to its writes.
func ownWrite(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "some early words")
	s.shown()
	bob := b.person(s, "bob")
	bob.withoutSockets()
	bob.open("/filter/everything")
	textarea := bob.commentOn(post, "of my own")
	bob.send(post)
	bob.reads("of my own")
	bob.sees("no form", fmt.Sprintf("!document.querySelector(%q)", textarea))
	bob.click(entry(post) + " .actions > button")
	bob.reads("liked this")
	bob.reads("Unlike")
	bob.click(entry(post) + " .actions > button")
	bob.missesText("liked this")
	bob.click(entry(post) + " .comment a[href$='/delete']")
	bob.click(entry(post) + " .comment .menu .danger")
	bob.missesText("of my own")
	bob.same()
}

func halfTyped(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "some early words")
	other := s.post("bob", "the second post")
	s.comment("ann", post, "an early comment")
	s.shown()
	ann := b.person(s, "ann")
	ann.live("/filter/everything")
	textarea := ann.commentOn(post, "half a sentence")
	ann.eval(fmt.Sprintf("window.typing = document.querySelector(%q); typing.setSelectionRange(4, 6)", textarea))
	// Another person does everything else on the page.
	mine := s.comment("bob", post, "a comment meanwhile")
	s.must(s.store.Like(s.Context(), s.ids["bob"], post))
	s.post("bob", "a post meanwhile")
	s.comment("bob", other, "the other one rises")
	ann.reads("a comment meanwhile")
	ann.reads("liked this")
	ann.reads("a post meanwhile")
	ann.reads("the other one rises")
	s.must(s.store.DeleteComment(s.Context(), s.ids["bob"], post, mine))
	ann.missesText("a comment meanwhile")
	got := value[string](ann, fmt.Sprintf(`[
		typing === document.querySelector(%q), typing === document.activeElement,
		typing.value, typing.selectionStart, typing.selectionEnd].join()`, textarea))
	if want := "true,true,half a sentence,4,6"; got != want {
		t.Errorf("the field with the text is %s, want %s", got, want)
	}
	ann.same()
	// A reload keeps the text as well.
	ann.live("/filter/everything")
	ann.sees("the text again", fmt.Sprintf("document.querySelector(%q).value === 'half a sentence'", textarea))
}

// draftedPlaces: what was typed for few people does not come back, after a reload, as a post for all.
func draftedPlaces(t *testing.T, b *browser) {
	s := newSite(t, "ann")
	s.shown()
	ann := b.person(s, "ann")
	ann.live("/")
	chosen := "[...document.querySelectorAll('#post-form [name=\"post[timelines][]\"]:checked')].map((box) => box.value).join()"
	ann.enter("#post-form textarea", "for myself")
	ann.click("#post-form details.post-to > summary")
	ann.click("#post-form input[value='user_fyeo']")
	ann.sees("the place chosen", chosen+" === 'user_fyeo'")
	ann.live("/")
	ann.sees("the text again", "document.querySelector('#post-form textarea').value === 'for myself'")
	ann.sees("the place again", chosen+" === 'user_fyeo'")
	ann.sees("who can read it", "document.querySelector('#post-form .readers').textContent.includes('you')")
	ann.click("#post-form button.primary")
	ann.sees("an empty form", "document.querySelector('#post-form textarea').value === ''")
	ann.live("/")
	ann.sees("the usual place for the next post", chosen+" === 'user'")
}

// morePlaces: a member of twelve groups chooses a group that the form does not offer at once.
func morePlaces(t *testing.T, b *browser) {
	s := newSite(t, "ann")
	for i := range 12 {
		_, err := s.store.CreateGroup(s.Context(), s.ids["ann"], timeline.NewGroup{Name: fmt.Sprintf("club-%02d", i)})
		s.must(err)
	}
	// Several groups may be made within a millisecond.
	const apart = `
		update subscriptions s set created_at = s.created_at + t.their_id * interval '1 second'
		from timelines t where t.id = s.timeline_id and t.what = 'group'`
	_, err := s.store.Pool().Exec(s.Context(), apart)
	s.must(err)
	s.shown()
	ann := b.person(s, "ann")
	ann.live("/")
	offered := "[...document.querySelectorAll('#post-form .choice:has([name=\"post[timelines][]\"])')].filter((label) => !label.hidden).map((label) => label.querySelector('input').value).join()"
	chosen := "[...document.querySelectorAll('#post-form [name=\"post[timelines][]\"]:checked')].map((box) => box.value).join()"
	own := "user,user_private,user_fyeo"
	newest := own + ",group:club-11,group:club-10,group:club-09,group:club-08,group:club-07"
	ann.enter("#post-form textarea", "for few")
	ann.click("#post-form details.post-to > summary")
	ann.sees("the newest groups", offered+fmt.Sprintf(" === %q", newest))
	ann.click("#post-form a[data-places]")
	ann.sees("the field that finds a group in focus", "document.activeElement.matches('#post-form input[type=search]')")
	all := newest
	for i := range 7 {
		all += fmt.Sprintf(",group:club-%02d", i)
	}
	ann.sees("all groups", offered+fmt.Sprintf(" === %q", all))
	ann.do(chromedp.KeyEvent("LUB-03"))
	ann.sees("the chosen place and the group of that name", offered+" === 'user,group:club-03'")
	ann.click("#post-form input[value='group:club-03']")
	ann.click("#post-form input[value='user']")
	ann.sees("the group chosen", chosen+" === 'group:club-03'")
	ann.same()
	// The draft keeps a place that the loaded form lacks.
	ann.live("/")
	ann.sees("the place again", chosen+" === 'group:club-03'")
	ann.click("#post-form button.primary")
	ann.sees("an empty form", "document.querySelector('#post-form textarea').value === ''")
	ann.open("/club-03")
	ann.reads("for few")
}

func reading(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	var posts []timeline.PostID
	for i := range 25 {
		posts = append(posts, s.post("ann", fmt.Sprintf("post number %d", i)))
	}
	s.shown()
	visitor := b.visitor(s, "visitor")
	visitor.live("/")
	middle := posts[12]
	visitor.eval(fmt.Sprintf("document.querySelector('%s').scrollIntoView({behavior: 'instant'}); window.scrollBy({top: -100, behavior: 'instant'})", entry(middle)))
	top := fmt.Sprintf("document.querySelector('%s').getBoundingClientRect().top", entry(middle))
	before := value[float64](visitor, top)
	s.post("bob", "a new one far above")
	s.comment("bob", posts[2], "raised from far below")
	visitor.reads("a new one far above")
	visitor.reads("raised from far below")
	s.comment("bob", posts[20], "raised to the top from above")
	visitor.reads("raised to the top from above")
	if after := value[float64](visitor, top); after < before-1 || after > before+1 {
		t.Errorf("the entry that is read moved from %.2f to %.2f pixels", before, after)
	}
	visitor.same()
	visitor.sees("that something is new above, and whose", `(() => {
		const button = document.querySelector(".live-new");
		return !button.hidden && /^\d+ new posts? ↑$/.test(button.innerText.trim()) && [...button.querySelectorAll("img")].some((face) => face.src.includes("/avatars/bob."));
	})()`)
	visitor.click(".live-new")
	visitor.sees("the top of the page", `scrollY === 0 && document.querySelector(".live-new").hidden`)
}

func cutOff(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "some early words")
	s.shown()
	visitor := b.visitor(s, "visitor")
	visitor.live("/")
	s.Live.Shed()
	visitor.until("the end of the socket", func() bool { return s.Live.Stats().Sockets == 0 })
	s.comment("bob", post, "while no page listened")
	s.post("bob", "so was this")
	visitor.reads("while no page listened")
	visitor.reads("so was this")
	visitor.same()
}

func sentTwice(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "some early words")
	s.shown()
	bob, visitor := b.person(s, "bob"), b.visitor(s, "visitor")
	bob.live("/filter/everything")
	visitor.live("/")
	textarea := bob.commentOn(post, "said once")
	bob.eval(fmt.Sprintf("{ const {form} = document.querySelector(%q); form.requestSubmit(); form.requestSubmit() }", textarea))
	bob.reads("said once")
	bob.sees("no form", fmt.Sprintf("!document.querySelector(%q)", textarea))
	bob.commentOn(post, "by hand")
	bob.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	for _, tb := range []*tab{bob, visitor} {
		tb.reads("by hand")
		if n := value[int](tb, fmt.Sprintf("document.querySelectorAll('%s .comment').length", entry(post))); n != 2 {
			t.Errorf("%s sees %d comments, want 2", tb.name, n)
		}
	}
}

func failed(t *testing.T, b *browser) {
	s := newSite(t, "ann")
	post := s.post("ann", "some early words")
	s.shown()
	ann := b.person(s, "ann")
	ann.live("/ann")
	form := entry(post) + " form.comment-form"
	textarea := ann.commentOn(post, "   ") // the server refuses a comment of spaces
	ann.send(post)
	ann.sees("why", fmt.Sprintf("document.querySelector('%s [role=alert]').innerText.match(/Write something/)", form))
	if got := value[string](ann, fmt.Sprintf("document.querySelector('%s').value", textarea)); got != "   " {
		t.Errorf("the text is %q", got)
	}
	ann.enter(textarea, "now with words")
	ann.send(post)
	ann.reads("now with words")
	ann.sees("no more error", fmt.Sprintf("!document.querySelector('%s [role=alert]')", form))
	ann.same()
}

func signedOut(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	s.post("ann", "some early words")
	s.shown()
	bob := b.person(s, "bob")
	bob.live("/")
	bob.eval("fetch('/users/sign_out', {method: 'POST'})")
	bob.until("the end of the socket", func() bool { return s.Live.Stats().Sockets == 0 })
	bob.sees("a word about it", "document.body.innerText.match(/signed out|sign in/i)")
}

func comingBack(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "some early words")
	s.shown()
	visitor := b.visitor(s, "visitor")
	visitor.live("/")
	visitor.open("/about")
	s.comment("bob", post, "while the page was gone")
	s.shown()
	visitor.back()
	visitor.reads("while the page was gone")
	s.comment("bob", post, "and after the return")
	visitor.reads("and after the return")
}

func polling(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "some early words")
	s.shown()
	visitor := b.visitor(s, "visitor")
	visitor.before(`window.WebSocket = class extends EventTarget {
		constructor() { super(); this.readyState = 0; queueMicrotask(() => this.fail()); }
		fail() {
			this.readyState = 3;
			const end = new CloseEvent("close", {code: 1006});
			this.onerror?.(new Event("error"));
			this.onclose?.(end);
			this.dispatchEvent(end);
		}
		send() {}
		close() {}
	};
	const wait = window.setTimeout;
	window.setTimeout = (f, ms, ...rest) => wait(f, ms / 50, ...rest); // half a minute is long for a test`)
	visitor.open("/")
	s.comment("bob", post, "for who comes and asks")
	visitor.reads("for who comes and asks")
	s.post("bob", "so is this")
	visitor.reads("so is this")
	visitor.same()
	if n := s.Live.Stats().Subs; n != 0 {
		t.Errorf("the page subscribed %d times over sockets, want none", n)
	}
}
