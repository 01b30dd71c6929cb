package browsertest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"amstel.dev/amstel/timeline"
)

// TestOffline opens pages while the server is away; the service worker answers.
func TestOffline(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for _, test := range []struct {
		name string
		run  func(*testing.T, *browser)
	}{
		{"the pages seen last are shown, and come to life again", lastPages},
		{"a page that was open before the worker is kept", firstPage},
		{"nothing is left after signing out", leftAfterSigningOut},
		{"nothing is left while signing out", leftWhileSigningOut},
		{"a page that comes after signing out is not kept", lateAnswer},
		{"nothing is left for another account", leftForAnother},
		{"nothing is left after a session ended elsewhere", endedElsewhere},
		{"what was taken away is not shown after the connection was back", takenAway},
		{"a page that its viewer may no longer see is forgotten", closedPage},
		{"an old page is not shown", oldPage},
		{"the newest pages are kept", newestPages},
		{"a new version of the site keeps its own files", newFiles},
		{"a fault of the server forgets nothing", faultyServer},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t, b)
		})
	}
}

// away makes the site drop each new connection, as if the server were gone.
func (s *site) away() {
	s.door.put(func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) })
}

// awaits waits until a promise of JavaScript has a true value.
func (tb *tab) awaits(what, script string) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if is, err := chromedp.Run(ctx, chromedp.Evaluate[bool](script, chromedp.EvalAwaitPromise)); err == nil && is {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			tb.Fatalf("%s waits in vain for %s\n%s", tb.name, what, tb.where())
		}
	}
}

// allKept is JavaScript: a promise of all that is kept, as pairs of an address and a text.
const allKept = `(async () => {
	const all = [];
	for (const name of await caches.keys()) {
		const cache = await caches.open(name);
		for (const request of await cache.keys()) {
			const answer = await cache.match(request);
			if (answer) all.push([request.url.slice(location.origin.length), await answer.text()]);
		}
	}
	return all;
})()`

// keeps waits until the service worker keeps the page at a path, with a text.
func (tb *tab) keeps(path, text string) {
	tb.Helper()
	tb.awaits(fmt.Sprintf("the kept page %s with %q", path, text), fmt.Sprintf("%s.then((all) => all.some(([path, text]) => path === %s && text.includes(%s)))", allKept, quote(path), quote(text)))
}

// keepsNothing waits until the service worker keeps nothing that contains a text.
func (tb *tab) keepsNothing(text string) {
	tb.Helper()
	tb.awaits(fmt.Sprintf("nothing kept with %q", text), fmt.Sprintf("%s.then((all) => !all.some(([, kept]) => kept.includes(%s)))", allKept, quote(text)))
}

// visit goes to a page, again and again until the service worker keeps it: a page of the reader
// before may make the worker forget all pages meanwhile, and a busy server may refuse one.
func (tb *tab) visit(path, text string) {
	tb.Helper()
	kept := fmt.Sprintf("%s.then((all) => all.some(([path, text]) => path === %s && text.includes(%s)))", allKept, quote(path), quote(text))
	deadline := time.Now().Add(patience)
	for n := 0; ; n++ {
		if n%50 == 0 {
			tb.open(path)
		}
		ctx, cancel := context.WithTimeout(tb.ctx, patience)
		is, err := chromedp.Run(ctx, chromedp.Evaluate[bool](kept, chromedp.EvalAwaitPromise))
		cancel()
		tb.must(err)
		if is {
			return
		}
		if time.Now().After(deadline) {
			tb.Fatalf("%s: the page %s is never kept\n%s", tb.name, path, tb.where())
		}
		time.Sleep(20 * time.Millisecond) // a condition of another process: polled
	}
}

// notice is the beginning of the notice on a kept page.
const notice = "You are offline. This is the page as of "

// showsKept opens a page that must be a kept one, with a text.
func (tb *tab) showsKept(path, text string) {
	tb.Helper()
	tb.open(path)
	tb.sees("the notice", fmt.Sprintf("document.querySelector('.notice.offline').innerText.startsWith(%s)", quote(notice)))
	tb.reads(text)
}

// showsShell opens a page that must be the one shown for pages that are not kept.
func (tb *tab) showsShell(path, without string) {
	tb.Helper()
	tb.open(path)
	tb.sees("that there is no connection", "document.querySelector('h1').innerText === 'You are offline'")
	tb.lacks(without)
}

func lastPages(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	s.post("ann", "some early words")
	s.shown()
	bob := b.person(s, "bob")
	bob.hasten(untilLook)
	bob.visit("/filter/everything", "some early words")
	bob.visit("/ann", "some early words")
	s.post("ann", "and some later words")
	s.shown()
	bob.visit("/ann", "and some later words") // no kept page is shown while the connection works

	s.away()
	bob.showsKept("/ann", "and some later words")
	if at := value[string](bob, "document.querySelector('.notice.offline').innerText"); !regexp.MustCompile(`as of \d\d:\d\d;`).MatchString(at) {
		t.Errorf("the notice is %q", at)
	}
	bob.sees("its style", "getComputedStyle(document.querySelector('.notice.offline')).position === 'sticky'")
	bob.sees("forms that can't be used", "document.forms.length > 3 && [...document.forms].every((form) => form.inert)")
	bob.showsKept("/filter/everything", "some early words")
	bob.missesText("and some later words")
	bob.showsShell("/bob", "some early words")
	bob.sees("links to the pages that are kept", `[...document.querySelectorAll("#kept a")].map((a) => a.innerText + " " + a.getAttribute("href")).join() === "ann /ann,Everything /filter/everything"`)
	bob.leave("#kept li:last-child a")
	bob.reads("some early words")

	before := s.Live.Stats().Subs
	s.door.open()
	bob.until("a live page", func() bool { return s.Live.Stats().Subs > before })
	bob.reads("and some later words")
	bob.sees("no notice, and forms", "!document.querySelector('.offline') && ![...document.forms].some((form) => form.inert)")
	s.post("ann", "on the live page")
	bob.reads("on the live page")
	bob.keepsNothing("<title>ann · Amstel") // the connection was back, so older pages are gone
}

// untilLook is how often a page without a connection looks for the server, in milliseconds (offline.ts).
const untilLook = 10_000

func firstPage(t *testing.T, b *browser) {
	s := newSite(t, "ann")
	s.post("ann", "some early words")
	s.shown()
	visitor := b.visitor(s, "visitor")
	visitor.open("/ann")
	visitor.keeps("/ann", "some early words")
	s.away()
	visitor.showsKept("/ann", "some early words")
}

// withDirect returns a site on which ann has sent a secret to bob.
func withDirect(t *testing.T) *site {
	t.Helper()
	s := newSite(t, "ann", "bob")
	s.post("ann", "some early words")
	_, err := s.store.CreatePost(t.Context(), s.ids["ann"], timeline.NewPost{To: []string{"direct:bob"}, Text: "between us"})
	s.must(err)
	s.shown()
	return s
}

func leftAfterSigningOut(t *testing.T, b *browser) {
	s := withDirect(t)
	bob := b.person(s, "bob")
	bob.visit("/filter/directs", "between us")
	bob.visit("/filter/everything", "some early words")
	bob.open("/about")
	bob.leave(".nav-own form button") // signs out
	bob.sees("the front page of all", "document.querySelector('.nav-in a.button')")
	bob.keepsNothing("between us")
	bob.visit("/", "some early words")
	bob.keepsNothing("bob")
	s.away()
	bob.showsShell("/filter/directs", "between us")
	bob.showsShell("/filter/everything", "bob")
	bob.showsKept("/", "some early words")
}

func leftWhileSigningOut(t *testing.T, b *browser) {
	s := withDirect(t)
	bob := b.person(s, "bob")
	bob.withoutSockets() // through which a page would learn that bob is signed out
	bob.visit("/filter/directs", "between us")
	other := bob.another()
	other.withoutSockets()
	other.open("/about")
	asked, answer, gone := make(chan struct{}, 1), make(chan struct{}), make(chan struct{})
	s.door.put(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/users/sign_out" {
			return false
		}
		asked <- struct{}{}
		select {
		case <-answer:
		case <-r.Context().Done():
		}
		s.Web.ServeHTTP(w, r)
		s.away() // before the browser learns that bob is signed out
		close(gone)
		return true
	})
	bob.eval(`document.querySelector(".nav-own form").submit()`)
	<-asked
	other.keepsNothing("between us")
	other.visit("/filter/directs", "between us") // the session has not ended yet
	close(answer)
	<-gone
	other.keepsNothing("between us")
	other.showsShell("/filter/directs", "between us")
}

func lateAnswer(t *testing.T, b *browser) {
	s := withDirect(t)
	bob := b.person(s, "bob")
	bob.visit("/filter/everything", "some early words")
	asked, answer := make(chan struct{}, 1), make(chan struct{})
	s.door.put(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/filter/directs" {
			return false
		}
		held := httptest.NewRecorder()
		s.Web.ServeHTTP(held, r)
		select {
		case asked <- struct{}{}:
		default:
		}
		select {
		case <-answer:
		case <-r.Context().Done():
		}
		for name, values := range held.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(held.Code)
		_, _ = w.Write(held.Body.Bytes())
		return true
	})
	late := bob.another()
	late.withoutSockets() // through which the page would learn that bob is signed out
	late.eval(fmt.Sprintf("location.href = %s", quote(s.url+"/filter/directs")))
	<-asked
	bob.open("/about")
	bob.leave(".nav-own form button") // signs out
	bob.visit("/", "some early words")
	bob.sees("the front page of all", "document.querySelector('.nav-in a.button')")
	close(answer)
	late.sees("the page that was asked for before", "document.querySelector('#river').innerText.includes('between us')")
	s.away()
	late.showsShell("/filter/directs", "between us")
	late.keepsNothing("between us")
}

// become replaces the tab's cookie with one of another person's session.
func (tb *tab) become(name string) {
	tb.Helper()
	secret, err := tb.store.NewSession(tb.Context(), tb.ids[name], true, "browsertest")
	tb.must(err)
	call(tb, network.SetCookie, network.SetCookieParams{Name: "amstel", Value: secret, URL: tb.url})
}

func leftForAnother(t *testing.T, b *browser) {
	s := withDirect(t)
	bob := b.person(s, "bob")
	bob.visit("/filter/directs", "between us")
	bob.visit("/", "between us")
	bob.become("ann")
	bob.visit("/ann", "some early words")
	bob.keepsNothing("between us")
	s.away()
	bob.showsShell("/filter/directs", "between us")
	bob.showsShell("/", "between us")
}

func endedElsewhere(t *testing.T, b *browser) {
	s := withDirect(t)
	bob := b.person(s, "bob")
	bob.visit("/filter/directs", "between us")
	s.must(s.store.SetPassword(t.Context(), s.ids["bob"], "another password")) // ends all sessions
	s.shown()
	bob.visit("/ann", "some early words")
	bob.keepsNothing("between us")
	s.away()
	bob.showsShell("/filter/directs", "between us")
}

func takenAway(t *testing.T, b *browser) {
	s := withDirect(t)
	bob := b.person(s, "bob")
	bob.visit("/filter/directs", "between us")
	bob.visit("/ann", "some early words")
	s.away()
	bob.showsKept("/filter/directs", "between us")
	s.door.open()
	bob.open("/about")
	bob.keepsNothing("between us")
	s.away()
	bob.showsShell("/filter/directs", "between us")
	bob.showsShell("/ann", "some early words")
}

func closedPage(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	s.post("ann", "some early words")
	s.shown()
	bob := b.person(s, "bob")
	bob.visit("/ann", "some early words")
	bob.open("/about")
	s.must(s.store.Ban(t.Context(), s.ids["ann"], "bob"))
	s.shown()
	bob.open("/ann") // which does not exist for bob
	bob.keepsNothing("some early words")

	// An open page learns that its viewer may no longer see it.
	s.must(s.store.Unban(t.Context(), s.ids["ann"], "bob"))
	s.shown()
	bob.visit("/ann", "some early words")
	s.must(s.store.Ban(t.Context(), s.ids["ann"], "bob"))
	bob.keepsNothing("some early words")
	s.away()
	bob.showsShell("/ann", "some early words")
}

func oldPage(t *testing.T, b *browser) {
	s := newSite(t, "ann")
	s.post("ann", "some early words")
	s.shown()
	visitor := b.visitor(s, "visitor")
	visitor.visit("/ann", "some early words")
	visitor.awaits("a page that is older than a day", `(async () => {
		for (const name of await caches.keys()) {
			const cache = await caches.open(name);
			const page = await cache.match("/ann");
			if (!page) continue;
			const headers = new Headers(page.headers);
			headers.set("Amstel-Kept-At", Date.now() - 25 * 60 * 60 * 1000);
			await cache.put("/ann", new Response(await page.text(), { headers }));
			return true;
		}
	})()`)
	s.away()
	visitor.showsShell("/ann", "some early words")
}

func newestPages(t *testing.T, b *browser) {
	s := newSite(t, "ann")
	s.post("ann", "some early words")
	s.shown()
	visitor := b.visitor(s, "visitor")
	visitor.visit("/ann", "some early words")
	for n := range 13 {
		visitor.visit(fmt.Sprintf("/ann?count=%d", 10+n), "some early words")
	}
	s.away()
	visitor.showsShell("/ann", "some early words")
	if n := value[int](visitor, `document.querySelectorAll("#kept a").length`); n != 12 {
		t.Errorf("%d pages are kept, want 12", n)
	}
}

func newFiles(t *testing.T, b *browser) {
	s := newSite(t, "ann")
	s.post("ann", "some early words")
	s.shown()
	visitor := b.visitor(s, "visitor")
	visitor.visit("/ann", "some early words")
	style := regexp.MustCompile(`/static/amstel\.[0-9a-f]{12}\.css`)
	const later = "/static/amstel.0123456789ab.css"
	s.door.put(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == later {
			w.Header().Set("Content-Type", "text/css")
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
			_, _ = w.Write([]byte(".offline { color: rgb(1, 2, 3) }"))
			return true
		}
		if strings.HasPrefix(r.URL.Path, "/static/") || r.URL.Path == "/live" {
			return false
		}
		r.Header.Del("Accept-Encoding")
		r.Header.Del("If-None-Match")
		held := httptest.NewRecorder()
		s.Web.ServeHTTP(held, r)
		for name, values := range held.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(held.Code)
		_, _ = w.Write(style.ReplaceAll(held.Body.Bytes(), []byte(later)))
		return true
	})
	visitor.visit("/", later)
	visitor.visit("/ann", later)
	visitor.keeps(later, "rgb(1, 2, 3)")
	visitor.keeps("/about/offline", later)
	s.away()
	visitor.showsKept("/ann", "some early words")
	visitor.sees("the later style", "getComputedStyle(document.querySelector('.offline')).color === 'rgb(1, 2, 3)'")
	visitor.showsShell("/bob", "some early words")
}

func faultyServer(t *testing.T, b *browser) {
	s := withDirect(t)
	bob := b.person(s, "bob")
	bob.visit("/filter/directs", "between us")
	for _, status := range []int{http.StatusBadGateway, http.StatusServiceUnavailable} {
		s.door.put(func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Amstel-Reader", "anyone") // a server that can't reach its primary knows no reader
			http.Error(w, "There is a fault.", status)
			return true
		})
		bob.open("/filter/directs")
		bob.sees("the fault, for no kept page is shown while a server answers", "document.body.innerText.includes('There is a fault.')")
	}
	s.away()
	bob.showsKept("/filter/directs", "between us")
}

// TestInstallable asks Chromium for the faults of the manifest, and for reasons why the site
// can't be installed.
func TestInstallable(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	s := newSite(t, "ann")
	visitor := b.visitor(s, "visitor")
	visitor.open("/ann")
	visitor.keeps("/ann", "ann")
	manifest := ask(visitor, page.GetAppManifest, page.GetAppManifestParams{})
	for _, fault := range manifest.Errors {
		t.Errorf("the manifest: %s", fault.Message)
	}
	if manifest.URL != s.url+"/manifest.webmanifest?lang=en" || !strings.Contains(manifest.Data, `"name":"Amstel"`) {
		t.Errorf("the manifest at %s is %s", manifest.URL, manifest.Data)
	}
	for _, fault := range ask(visitor, page.GetInstallabilityErrors, cdp.Empty{}).InstallabilityErrors {
		if fault.ErrorID != "in-incognito" { // each window of these tests is in incognito mode
			t.Errorf("the site can't be installed: %s", fault.ErrorID)
		}
	}
}

// ask sends a command of the DevTools protocol to the tab, and returns its answer.
func ask[P, R any](tb *tab, command cdp.Command[P, R], params P) (answer R) {
	tb.Helper()
	tb.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) (err error) {
		answer, err = chromedp.Call(ctx, command, params)
		return err
	}))
	return answer
}
