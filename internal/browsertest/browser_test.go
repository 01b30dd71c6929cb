package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// patience is the limit of each wait: far longer than a busy machine stands still.
const patience = time.Minute

// A browser is a running Chromium, which all tests share: its start takes more than most tests do.
type browser struct {
	ctx  context.Context
	stop func()

	mu     sync.Mutex
	unused []cdp.BrowserContextID // used by no test
}

// startBrowser returns the browser of all tests, which its first call starts. The test is skipped
// with -short.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	found := false
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless_shell"} {
		_, err := exec.LookPath(name)
		found = found || err == nil
	}
	if !found {
		const why = "Chromium is not installed"
		if os.Getenv("CI") != "" {
			t.Fatal(why)
		}
		t.Skip(why)
	}
	b, err := chromium()
	if err != nil {
		t.Fatalf("start Chromium: %v", err)
	}
	return b
}

// chromium starts Chromium once, and returns it. [TestMain] stops it.
var chromium = sync.OnceValues(func() (*browser, error) {
	started.Store(true)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(1280, 900))
	allocator, free := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	b := &browser{ctx: ctx, stop: func() {
		ending, stop := context.WithTimeout(ctx, patience)
		defer stop()
		if err := chromedp.Cancel(ending); err != nil {
			fmt.Fprintln(os.Stderr, "stop Chromium:", err)
		}
		cancel()
		free()
	}}
	return b, chromedp.Do(ctx)
})

// started reports whether a test has called chromium.
var started atomic.Bool

// stopBrowser stops the browser, if a test has started it.
func stopBrowser() {
	if started.Load() {
		b, _ := chromium()
		b.stop()
	}
}

// takeBrowserContext returns a browser context that no test uses: one with cookies and stored data of its
// own. A new one takes as much as five pages do, so tests use those of earlier tests.
func (b *browser) takeBrowserContext() (cdp.BrowserContextID, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if last := len(b.unused) - 1; last >= 0 {
		id := b.unused[last]
		b.unused = b.unused[:last]
		// An answer may have set a cookie until its tab was closed.
		_, err := chromedp.CallBrowser(b.ctx, storage.ClearCookies, storage.ClearCookiesParams{BrowserContextID: id})
		return id, err
	}
	made, err := chromedp.CallBrowser(b.ctx, target.CreateBrowserContext, target.CreateBrowserContextParams{})
	return made.BrowserContextID, err
}

// putBrowserContext keeps a browser context without open tabs for another test.
func (b *browser) putBrowserContext(id cdp.BrowserContextID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.unused = append(b.unused, id)
}

// forget leaves the page, and removes all that the browser has stored of the tab's site: another site may
// get the same port.
func (tb *tab) forget() error {
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		return err
	}
	if _, err := chromedp.Call(ctx, network.ClearBrowserCache, cdp.Empty{}); err != nil {
		return err
	}
	_, err := chromedp.Call(ctx, storage.ClearDataForOrigin, storage.ClearDataForOriginParams{Origin: tb.url, StorageTypes: "all"})
	return err
}

// A tab is a tab of a browser, with the cookies of one viewer.
type tab struct {
	*site
	ctx  context.Context
	name string // for messages
	own  cdp.BrowserContextID
}

// visitor opens a window without a session, with cookies of its own. The test fails when a
// script of its pages throws.
func (b *browser) visitor(s *site, name string) *tab {
	s.Helper()
	own, err := b.takeBrowserContext()
	if err != nil {
		s.Fatalf("%s: make a browser context: %v", name, err)
	}
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithExistingBrowserContext(own))
	tb := &tab{s, ctx, name, own}
	if err := chromedp.Do(ctx); err != nil {
		cancel()
		s.Fatalf("%s: open a window: %v", name, err)
	}
	said := chromedp.Console(ctx)
	var listening sync.WaitGroup
	listening.Go(func() {
		for m, err := range said {
			if err != nil {
				return
			}
			if m.Type == chromedp.ConsoleException {
				s.Errorf("%s: the page's script failed: %s", name, m)
			}
		}
	})
	s.Cleanup(func() {
		err := tb.forget()
		cancel()
		listening.Wait()
		if err == nil { // else the tab is broken, and no test uses its browser context again
			b.putBrowserContext(own)
		}
	})
	return tb
}

// person opens a window with a session of a person.
func (b *browser) person(s *site, name string) *tab {
	s.Helper()
	tb := b.visitor(s, name)
	secret, err := s.store.NewSession(s.Context(), s.ids[name], true, "browsertest")
	s.must(err)
	tb.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, network.SetCookie, network.SetCookieParams{Name: "amstel", Value: secret, URL: s.url})
		return err
	}))
	return tb
}

// another opens a second tab with the same cookies.
func (tb *tab) another() *tab {
	tb.Helper()
	ctx, cancel := chromedp.NewContext(tb.ctx)
	tb.Cleanup(cancel)
	other := &tab{tb.site, ctx, tb.name + ", elsewhere", tb.own}
	if err := chromedp.Do(ctx); err != nil {
		tb.Fatalf("%s: open a tab: %v", other.name, err)
	}
	return other
}

// do runs actions, and ends the test if they fail or do not end within patience.
func (tb *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		tb.Fatalf("%s: %v\n%s", tb.name, err, tb.where())
	}
}

// open goes to a page of the site. It marks the page, so that same can recognise a reload.
func (tb *tab) open(path string) {
	tb.Helper()
	tb.do(chromedp.Navigate(tb.url + path))
	tb.eval("window.unloaded = false")
}

// live goes to a page of a river, and waits until the page has subscribed.
func (tb *tab) live(path string) {
	tb.Helper()
	before := tb.site.Live.Stats().Subs
	tb.open(path)
	tb.until("a live page", func() bool { return tb.site.Live.Stats().Subs > before })
}

// until waits until a condition of the server holds.
func (tb *tab) until(what string, holds func() bool) {
	tb.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline.C:
			tb.Fatalf("%s: waited in vain for %s\n%s", tb.name, what, tb.where())
		}
	}
}

// eval evaluates JavaScript on the page.
func (tb *tab) eval(script string) {
	tb.Helper()
	tb.do(chromedp.Evaluate[chromedp.Void](script))
}

// value returns the value of JavaScript on the page.
func value[T any](tb *tab, script string) T {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](script))
	if err != nil {
		tb.Fatalf("%s: %s: %v", tb.name, script, err)
	}
	return v
}

// sees waits until JavaScript evaluates to a true value. The page may be loaded meanwhile.
func (tb *tab) sees(what, script string) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	look := chromedp.Evaluate[bool](fmt.Sprintf("(() => { try { return !!(%s) } catch { return false } })()", script))
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if seen, err := chromedp.Run(ctx, look); err == nil && seen {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			tb.Fatalf("%s does not see %s\n%s", tb.name, what, tb.where())
		}
	}
}

// reads waits until the river on the page contains a text.
func (tb *tab) reads(text string) {
	tb.Helper()
	tb.sees(fmt.Sprintf("%q", text), fmt.Sprintf("document.querySelector('#river').innerText.includes(%s)", quote(text)))
}

// missesText waits until the river on the page does not contain a text.
func (tb *tab) missesText(text string) {
	tb.Helper()
	tb.sees("that there is no "+text, fmt.Sprintf("!document.querySelector('#river').innerText.includes(%s)", quote(text)))
}

// same fails the test if the page was loaded again since open.
func (tb *tab) same() {
	tb.Helper()
	if !value[bool](tb, "window.unloaded === false") {
		tb.Errorf("%s: the page was loaded again", tb.name)
	}
}

// click clicks on the element of a CSS selector, when it is visible.
func (tb *tab) click(selector string) {
	tb.Helper()
	tb.do(chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

// enter types a text into the element of a CSS selector, when it is visible.
func (tb *tab) enter(selector, text string) {
	tb.Helper()
	tb.do(chromedp.SendKeys(chromedp.CSS(selector), text, chromedp.NodeVisible))
}

// leave clicks on an element that leads to another page, and waits until that page is loaded.
// The page needs no script.
func (tb *tab) leave(selector string) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	click := chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible)
	if _, err := chromedp.Run(ctx, chromedp.WaitEvent(page.LoadEventFired, nil, click)); err != nil {
		tb.Fatalf("%s: click on %s: %v\n%s", tb.name, selector, err, tb.where())
	}
}

// source returns the present HTML of the page, also of a page that may run no script.
func (tb *tab) source() string {
	tb.Helper()
	return value[string](tb, "document.documentElement.outerHTML")
}

// where returns the page's address, text and river, for failure messages.
func (tb *tab) where() string {
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](
		`location.href + "\n" + document.body.innerText + "\n" + (document.querySelector("#river")?.outerHTML ?? "").slice(0, 3000)`))
	if err != nil {
		return "(the page can't be read: " + err.Error() + ")"
	}
	return text
}

// quote returns a value as a literal of JavaScript.
func quote(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// has fails the test for each text that the page's HTML does not contain.
func (tb *tab) has(texts ...string) {
	tb.Helper()
	html := tb.source()
	for _, text := range texts {
		if !strings.Contains(html, text) {
			tb.Errorf("%s does not find %q on the page\n%s", tb.name, text, html)
		}
	}
}

// before makes all later pages of the tab run a script before their own.
func (tb *tab) before(script string) {
	tb.Helper()
	tb.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
		return err
	}))
}

// withoutSockets gives all later pages of the tab sockets that never open.
func (tb *tab) withoutSockets() {
	tb.Helper()
	tb.before(`window.WebSocket = class extends EventTarget {
		constructor() { super(); this.readyState = 0; }
		send() {}
		close() {}
	};`)
}

// served waits until the page has its service worker. A browser drops a page from its back cache
// when the page gets a worker.
func (tb *tab) served() {
	tb.Helper()
	tb.sees("a service worker", "navigator.serviceWorker.controller !== null")
}

// back goes back in the browser's history. If the browser kept the page, it is not loaded.
func (tb *tab) back() {
	tb.Helper()
	tb.eval("history.back()")
	tb.sees("the page before", "location.pathname !== '/about' && document.querySelector('#river')")
}
