package browsertest

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	window "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
)

// TestConnections breaks and restores the connections of pages.
func TestConnections(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for _, test := range []struct {
		name string
		run  func(*testing.T, *browser)
	}{
		{"a page out of sight is not connected", lookingAway},
		{"a frozen page is not connected", frozen},
		{"a page that the browser kept goes on", kept},
		{"a kept page is empty after signing out", keptFromOthers},
		{"a page without a network says so, and catches up", offline},
		{"a new version of the server loses no text", newVersion},
		{"a page polls while a proxy refuses sockets", refused},
		{"signing out in one tab ends the pages of others", signedOutElsewhere},
		{"a page that its viewer may no longer see is empty", shutOut},
		{"a page of a node that is behind says so", fallenBehind},
		{"a page of another site uses the API, and no session", fromAnotherSite},
		{"a page of another site listens with the client of Faye", fayeFromAnotherSite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t, b)
		})
	}
}

// call sends a command of the DevTools protocol to the tab.
func call[P, R any](tb *tab, command cdp.Command[P, R], params P) {
	tb.Helper()
	tb.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, command, params)
		return err
	}))
}

// look minimizes the window or restores it.
func (tb *tab) look(shown bool) {
	tb.Helper()
	state := window.WindowStateMinimized
	if shown {
		state = window.WindowStateNormal
	}
	tb.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		w, err := chromedp.Call(ctx, window.GetWindowForTarget, window.GetWindowForTargetParams{})
		if err != nil {
			return err
		}
		_, err = chromedp.Call(ctx, window.SetWindowBounds, window.SetWindowBoundsParams{
			WindowID: w.WindowID, Bounds: &window.Bounds{WindowState: state},
		})
		return err
	}))
	tb.sees("the change of document.hidden", fmt.Sprintf("document.hidden === %v", !shown))
}

// online connects the tab to the network, or disconnects it.
func (tb *tab) online(online bool) {
	tb.Helper()
	call(tb, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{Offline: !online, DownloadThroughput: -1, UploadThroughput: -1}},
	})
	call(tb, network.OverrideNetworkState, network.OverrideNetworkStateParams{
		Offline: !online, DownloadThroughput: -1, UploadThroughput: -1,
	})
}

// hasten divides by thirty the timeouts of these lengths, in milliseconds, on all later pages of
// the tab, and makes the pages reconnect after the shortest delay.
func (tb *tab) hasten(ms ...int) {
	tb.Helper()
	tb.before(fmt.Sprintf(`
		Math.random = () => 0.05;
		const wait = window.setTimeout, long = new Set(%s);
		window.setTimeout = (f, ms, ...rest) => wait(f, long.has(ms) ? ms / 30 : ms, ...rest);`, quote(append([]int{}, ms...))))
}

// Timeouts of link.ts that are too long for a test, in milliseconds.
const (
	untilSleep = 60_000
	untilDoubt = 10_000
)

// alone waits until the site has no open socket.
func (tb *tab) alone() {
	tb.Helper()
	tb.until("the end of the socket", func() bool { return tb.site.Live.Stats().Sockets == 0 })
}

// tells waits until the page's line about a subject contains a text.
func (tb *tab) tells(subject, text string) {
	tb.Helper()
	tb.sees(fmt.Sprintf("the line %q", text), fmt.Sprintf("document.querySelector('.live-%s').innerText.includes(%s)", subject, quote(text)))
}

// silent waits until the page has no line about a subject.
func (tb *tab) silent(subject string) {
	tb.Helper()
	tb.sees("no line of "+subject, fmt.Sprintf("!document.querySelector('.live-%s')", subject))
}

func lookingAway(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "some early words")
	s.shown()
	bob := b.person(s, "bob")
	bob.hasten(untilSleep)
	bob.live("/filter/everything")
	bob.look(false)
	bob.alone()
	s.comment("ann", post, "while the page was hidden")
	s.shown()
	bob.look(true)
	bob.reads("while the page was hidden")
	s.comment("ann", post, "and now it is shown")
	bob.reads("and now it is shown")
	bob.same()
}

func frozen(t *testing.T, b *browser) {
	s := newSite(t, "ann")
	post := s.post("ann", "some early words")
	s.shown()
	visitor := b.visitor(s, "visitor")
	visitor.live("/")
	call(visitor, page.SetWebLifecycleState, page.SetWebLifecycleStateParams{State: "frozen"})
	visitor.alone()
	s.comment("ann", post, "while the page was frozen")
	s.shown()
	call(visitor, page.SetWebLifecycleState, page.SetWebLifecycleStateParams{State: "active"})
	visitor.look(false)
	visitor.look(true)
	visitor.reads("while the page was frozen")
	visitor.same()
}

func kept(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "some early words")
	s.shown()
	bob := b.person(s, "bob")
	bob.live("/filter/everything")
	textarea := bob.commentOn(post, "half a sentence")
	bob.served()
	bob.open("/about")
	bob.alone()
	s.comment("ann", post, "while the page was gone")
	s.post("ann", "so was this")
	s.shown()
	bob.back()
	bob.same() // the browser kept the page: a loaded page would have no mark
	bob.reads("while the page was gone")
	bob.reads("so was this")
	s.comment("ann", post, "and after the return")
	bob.reads("and after the return")
	bob.sees("the text", fmt.Sprintf("document.querySelector(%q).value === 'half a sentence'", textarea))
}

func keptFromOthers(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	s.post("ann", "some early words")
	s.shown()
	bob := b.person(s, "bob")
	bob.live("/filter/everything")
	bob.reads("some early words")
	bob.served()
	bob.open("/about")
	bob.leave(".nav-own form button") // signs out
	bob.eval("history.go(-2)")
	bob.tells("standing", "You have been signed out.")
	bob.missesText("some early words")
}

func offline(t *testing.T, b *browser) {
	s := newSite(t, "ann")
	post := s.post("ann", "some early words")
	s.shown()
	visitor := b.visitor(s, "visitor")
	visitor.hasten(untilDoubt)
	visitor.live("/")
	visitor.online(false)
	s.Live.Shed()
	s.comment("ann", post, "while there was no network")
	visitor.tells("standing", "Not connected")
	visitor.online(true)
	visitor.reads("while there was no network")
	visitor.silent("standing")
	visitor.same()

	// What could not be sent is kept, and the form says so until the connection is back.
	ann := b.person(s, "ann")
	ann.hasten(untilDoubt)
	ann.live("/")
	textarea := ann.commentOn(post, "written without a network")
	ann.online(false)
	s.Live.Shed()
	ann.send(post)
	problem := entry(post) + " .comment-form .problem"
	ann.sees("that it was not sent", fmt.Sprintf("document.querySelector(%q)?.innerText.includes('offline')", problem))
	ann.online(true)
	ann.sees("no problem, and the text", fmt.Sprintf("!document.querySelector(%q) && document.querySelector(%q).value === 'written without a network'", problem, textarea))
	ann.send(post)
	ann.sees("the comment", fmt.Sprintf("document.querySelector(%q).innerText.includes('written without a network')", entry(post)+" .bem-post__comments"))
	ann.same()
}

func newVersion(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "some early words")
	s.shown()
	bob := b.person(s, "bob")
	bob.hasten()
	bob.live("/filter/everything")
	textarea := bob.commentOn(post, "half a sentence")
	bob.eval(fmt.Sprintf("window.typing = document.querySelector(%q); typing.setSelectionRange(3, 7)", textarea))
	// The server stops, and later another version of it starts.
	away := func(w http.ResponseWriter, r *http.Request) bool {
		http.Error(w, "No server is here.", http.StatusBadGateway)
		return true
	}
	s.door.put(away)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	s.must(s.Live.Close(ctx))
	s.comment("ann", post, "while it was away")
	next := realtime.New(realtime.Config{
		Rivers: realtime.OfNode(s.Node), Identify: s.Web.Identify, Resolve: s.Web.Addresses().Resolve, Render: web.Renderer{},
		Origin: s.url, Limits: realtime.Limits{ByeWithin: 100 * time.Millisecond}, Build: "another",
	})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := next.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	s.door.put(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/live" {
			next.ServeHTTP(w, r)
		}
		return r.URL.Path == "/live"
	})
	bob.reads("while it was away")
	bob.tells("build", "There is a newer version of Amstel.")
	state := "[typing === document.activeElement, typing.value, typing.selectionStart, typing.selectionEnd].join()"
	if got, want := value[string](bob, state), "true,half a sentence,3,7"; got != want {
		t.Errorf("the field with the text is %s, want %s", got, want)
	}
	bob.same()
	bob.leave(".live-build a") // loads the page
	bob.sees("the text again", fmt.Sprintf("document.querySelector(%q).value === 'half a sentence'", textarea))
}

func refused(t *testing.T, b *browser) {
	s := newSite(t, "ann")
	post := s.post("ann", "some early words")
	s.shown()
	visitor := b.visitor(s, "visitor")
	visitor.before(`
		Math.random = () => 0.05;
		const wait = window.setTimeout;
		window.setTimeout = (f, ms, ...rest) => wait(f, ms / 50, ...rest); // a minute is long for a test`)
	for _, status := range []int{http.StatusForbidden, http.StatusBadGateway} {
		s.door.put(func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path == "/live" {
				w.WriteHeader(status)
			}
			return r.URL.Path == "/live"
		})
		visitor.open("/")
		before := s.Live.Stats().Subs
		text := fmt.Sprintf("for who comes and asks, though it is %d", status)
		s.comment("ann", post, text)
		visitor.reads(text)
		visitor.silent("standing")
		s.door.open()
		visitor.until("a socket", func() bool { return s.Live.Stats().Subs > before })
		visitor.same()
	}
}

func signedOutElsewhere(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "some early words")
	s.shown()
	bob := b.person(s, "bob")
	bob.live("/filter/everything")
	textarea := bob.commentOn(post, "half a sentence")
	other := bob.another()
	other.open("/about")
	other.leave(".nav-own form button")
	bob.tells("standing", "You have been signed out. Sign in")
	bob.reads("some early words") // the page keeps the posts that bob saw before the session ended
	bob.sees("the text", fmt.Sprintf("document.querySelector(%q).value === 'half a sentence'", textarea))
	bob.same()
}

func shutOut(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "some early words")
	s.post("ann", "and some more")
	s.shown()
	bob := b.person(s, "bob")
	bob.live("/ann")
	textarea := bob.commentOn(post, "half a sentence")
	s.must(s.store.Ban(t.Context(), s.ids["ann"], "bob"))
	bob.tells("standing", "You can no longer see this page.")
	bob.missesText("some early words")
	bob.missesText("and some more")
	bob.sees("the text", fmt.Sprintf("document.querySelector(%q).value === 'half a sentence'", textarea))
	bob.same()

	club := timeline.FeedName{Name: "club"}
	_, err := s.store.CreateGroup(t.Context(), s.ids["ann"], timeline.NewGroup{Name: club.Name, Description: "what the club is about"})
	s.must(err)
	_, err = s.store.Subscribe(t.Context(), s.ids["bob"], club, timeline.SubscribeOptions{})
	s.must(err)
	_, err = s.store.CreatePost(t.Context(), s.ids["ann"], timeline.NewPost{To: []string{"group:club"}, Text: "among us"})
	s.must(err)
	s.shown()
	bob.live("/club")
	bob.sees("its description", "document.body.innerText.includes('what the club is about')")
	bob.enter("#post-form textarea", "half a post")
	closed := "private"
	s.must(s.store.EditGroup(t.Context(), s.ids["ann"], club.Name, timeline.GroupEdit{Status: &closed}))
	s.must(s.store.RemoveSubscriber(t.Context(), s.ids["ann"], club, "bob"))
	bob.tells("standing", "You can no longer see this page.")
	bob.missesText("among us")
	bob.sees("nothing else of it", "!document.body.innerText.includes('what the club is about') && document.title === 'Amstel'")
	bob.sees("the text", "document.querySelector('#post-form textarea').value === 'half a post'")
	bob.same()
}

func fallenBehind(t *testing.T, b *browser) {
	m := newModelSite(t)
	for range 20 {
		m.write()
	}
	visitor := b.visitor(m.site, "visitor")
	visitor.live("/everything/0")
	visitor.eval("document.querySelectorAll('article')[9].scrollIntoView({behavior: 'instant'})")
	const top = "Math.round(document.querySelectorAll('article')[9].getBoundingClientRect().top)"
	before := value[int](visitor, top)
	for _, behind := range []bool{true, false} {
		age := 200 * time.Millisecond
		if behind {
			age = 5 * time.Second
		}
		m.rivers.SetAge(age)
		visitor.sees("the banner, or none", fmt.Sprintf("document.querySelector('#banner').hidden === %v", !behind))
		if after := value[int](visitor, top); after < before-2 || after > before+2 {
			t.Errorf("the entry that is read moved from %d to %d pixels", before, after)
		}
	}
	m.rivers.SetAge(5 * time.Second)
	later := b.visitor(m.site, "a later visitor")
	later.live("/everything/0")
	later.sees("the banner", "!document.querySelector('#banner').hidden")
}
