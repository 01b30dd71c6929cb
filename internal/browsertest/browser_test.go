package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// patience is the limit of what hangs: far longer than a machine with other work
// stands still.
const patience = time.Minute

// browser is a running Chromium.
type browser struct{ ctx context.Context }

// startBrowser starts Chromium for a test and its subtests.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	found := false
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless_shell"} {
		_, err := exec.LookPath(name)
		found = found || err == nil
	}
	if !found {
		const why = "Chromium is not installed: nothing is tested in a browser"
		if os.Getenv("CI") != "" {
			t.Fatal(why)
		}
		t.Skip(why)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(1280, 900))
	allocator, free := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(func() {
		ending, stop := context.WithTimeout(ctx, patience)
		defer stop()
		if err := chromedp.Cancel(ending); err != nil {
			t.Logf("Chromium did not end well: %v", err)
		}
		cancel()
		free()
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start Chromium: %v", err)
	}
	return &browser{ctx}
}

// A tab is the window of one reader, with cookies of its own.
type tab struct {
	*site
	ctx  context.Context
	name string // for messages
}

// visitor opens a window that is not signed in.
func (b *browser) visitor(s *site, name string) *tab {
	s.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	tb := &tab{s, ctx, name}
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
		cancel()
		listening.Wait()
	})
	return tb
}

// person opens a window that is signed in as the person of the name.
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

// another opens another tab of the same person's.
func (tb *tab) another() *tab {
	tb.Helper()
	ctx, cancel := chromedp.NewContext(tb.ctx)
	tb.Cleanup(cancel)
	other := &tab{tb.site, ctx, tb.name + ", elsewhere"}
	if err := chromedp.Do(ctx); err != nil {
		tb.Fatalf("%s: open a tab: %v", other.name, err)
	}
	return other
}

// do runs actions, within a time.
func (tb *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		tb.Fatalf("%s: %v\n%s", tb.name, err, tb.where())
	}
}

// open goes to a page of the site, and marks it, so that a reload is seen. A page
// of a river is open when it is live.
func (tb *tab) open(path string) {
	tb.Helper()
	tb.do(chromedp.Navigate(tb.url + path))
	tb.eval("window.unloaded = false")
}

// live goes to a river's page and waits until it is kept up to date.
func (tb *tab) live(path string) {
	tb.Helper()
	before := tb.site.Live.Stats().Subs
	tb.open(path)
	tb.until("a live page", func() bool { return tb.site.Live.Stats().Subs > before })
}

// until waits for a condition of the server's.
func (tb *tab) until(what string, is func() bool) {
	tb.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !is() {
		select {
		case <-tick.C:
		case <-deadline.C:
			tb.Fatalf("%s: %s did not come\n%s", tb.name, what, tb.where())
		}
	}
}

// eval evaluates JavaScript, without its value.
func (tb *tab) eval(script string) {
	tb.Helper()
	tb.do(chromedp.Evaluate[chromedp.Void](script))
}

// value is what JavaScript evaluates to.
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

// sees waits until JavaScript evaluates to something true, through loads of the
// page.
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

// reads waits until the river has the text.
func (tb *tab) reads(text string) {
	tb.Helper()
	tb.sees(fmt.Sprintf("%q", text), fmt.Sprintf("document.querySelector('#river').innerText.includes(%s)", quote(text)))
}

// missesText waits until the river does not have the text.
func (tb *tab) missesText(text string) {
	tb.Helper()
	tb.sees("that there is no "+text, fmt.Sprintf("!document.querySelector('#river').innerText.includes(%s)", quote(text)))
}

// same fails if the page was loaded anew since it was opened.
func (tb *tab) same() {
	tb.Helper()
	if !value[bool](tb, "window.unloaded === false") {
		tb.Errorf("%s: the page was loaded anew", tb.name)
	}
}

// click clicks on what a CSS selector finds.
func (tb *tab) click(selector string) {
	tb.Helper()
	tb.do(chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

// enter types into what a CSS selector finds.
func (tb *tab) enter(selector, text string) {
	tb.Helper()
	tb.do(chromedp.SendKeys(chromedp.CSS(selector), text, chromedp.NodeVisible))
}

// leave clicks on what leads to another page, and waits for it. It works without
// script in the page.
func (tb *tab) leave(selector string) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	click := chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible)
	if _, err := chromedp.Run(ctx, chromedp.WaitEvent(page.LoadEventFired, nil, click)); err != nil {
		tb.Fatalf("%s: click on %s: %v\n%s", tb.name, selector, err, tb.where())
	}
}

// source is the page's HTML as it stands. It can be had without script in the
// page, too.
func (tb *tab) source() string {
	tb.Helper()
	return value[string](tb, "document.documentElement.outerHTML")
}

// where is the page's address and text, for messages of failures.
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

// quote is a value as JavaScript has it.
func quote(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// has says whether all texts are on the page, told by its HTML.
func (tb *tab) has(texts ...string) {
	tb.Helper()
	html := tb.source()
	for _, text := range texts {
		if !strings.Contains(html, text) {
			tb.Errorf("%s does not find %q on the page\n%s", tb.name, text, html)
		}
	}
}

// before has every page of the window run a script before its own.
func (tb *tab) before(script string) {
	tb.Helper()
	tb.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
		return err
	}))
}

// withoutSockets has no page of the window ever get a socket.
func (tb *tab) withoutSockets() {
	tb.Helper()
	tb.before(`window.WebSocket = class extends EventTarget {
		constructor() { super(); this.readyState = 0; }
		send() {}
		close() {}
	};`)
}

// back goes back by the browser's history, perhaps to a page that was kept, in
// which case nothing is loaded.
func (tb *tab) back() {
	tb.Helper()
	tb.eval("history.back()")
	tb.sees("the page before", "location.pathname !== '/about' && document.querySelector('#river')")
}
