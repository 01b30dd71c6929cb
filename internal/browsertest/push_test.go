package browsertest

import (
	"context"
	"strings"
	"testing"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"

	"amstel.dev/amstel/internal/nodetest"
)

// TestPush turns notices on and off by the page of the settings, and shows them by the service worker. A browser of a test has no push
// service, so the test delivers the message to the worker, and gives the page an endpoint.
func TestPush(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for _, test := range []struct {
		name string
		run  func(*testing.T, *browser)
	}{
		{"the worker shows a message, once for each tag, until its reader signs out", shownMessage},
		{"a browser that can't get an endpoint says so", noEndpoint},
		{"a reader who allows no notifications is told where to allow them", deniedNotifications},
		{"notices are turned on and off", turnedOnAndOff},
		{"a browser that can show no notices has no button", noPushManager},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t, b)
		})
	}
}

// allow sets whether the site may show notifications in the tab.
func (tb *tab) allow(setting cdpbrowser.PermissionSetting) {
	tb.Helper()
	tb.do(chromedp.Func(func(ctx context.Context, at *chromedp.Target) error {
		_, err := chromedp.CallBrowser(ctx, cdpbrowser.SetPermission, cdpbrowser.SetPermissionParams{
			Permission: &cdpbrowser.PermissionDescriptor{Name: "notifications"}, Setting: setting, Origin: tb.url, BrowserContextID: tb.own,
		})
		return err
	}))
}

// deliver gives a message to the service worker of the site, as a push service does.
func (tb *tab) deliver(message string) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	ours := func(e serviceworker.EventWorkerRegistrationUpdated) bool {
		for _, r := range e.Registrations {
			if strings.HasPrefix(r.ScopeURL, tb.url) && !r.IsDeleted {
				return true
			}
		}
		return false
	}
	enable := chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, serviceworker.Enable, struct{}{})
		return err
	})
	found, err := chromedp.Run(ctx, chromedp.WaitEvent(serviceworker.WorkerRegistrationUpdated, ours, enable))
	tb.must(err)
	for _, r := range found.Registrations {
		if strings.HasPrefix(r.ScopeURL, tb.url) && !r.IsDeleted {
			call(tb, serviceworker.DeliverPushMessage, serviceworker.DeliverPushMessageParams{Origin: tb.url, RegistrationID: r.RegistrationID, Data: message})
		}
	}
	call(tb, serviceworker.Disable, struct{}{})
}

// shownNotifications is JavaScript: a promise of the notifications that the site shows.
const shownNotifications = `navigator.serviceWorker.ready.then((r) => r.getNotifications()).then((all) => all.map((n) => [n.title, n.body, n.lang, n.tag, n.data].join("|")).join())`

func shownMessage(t *testing.T, b *browser) {
	s := newSite(t, "ann")
	ann := b.person(s, "ann")
	ann.allow(cdpbrowser.PermissionSettingGranted)
	ann.open("/about")
	ann.served()
	ann.deliver(`{"title": "bob commented on your post", "body": "I bring boots.", "path": "/ann/1", "lang": "en", "tag": "one"}`)
	ann.awaits("the notification", shownNotifications+`.then((all) => all === "bob commented on your post|I bring boots.|en|one|/ann/1")`)
	ann.deliver(`{"title": "bob commented on your post", "body": "I bring two boots.", "path": "/ann/1", "lang": "en", "tag": "one"}`)
	ann.awaits("the notification that replaces it", shownNotifications+`.then((all) => all === "bob commented on your post|I bring two boots.|en|one|/ann/1")`)
	ann.leave(".nav-own form button") // signs out
	// The worker answers when it has closed them. Chromium itself closes them after some time, so the test does not wait.
	ctx, cancel := context.WithTimeout(ann.ctx, patience)
	defer cancel()
	left, err := chromedp.Run(ctx, chromedp.Evaluate[string](shownNotifications, chromedp.EvalAwaitPromise))
	if err != nil || left != "" {
		t.Errorf("after signing out the browser shows %q, %v", left, err)
	}
}

const turnOn = "[data-push] button"

func noEndpoint(t *testing.T, b *browser) {
	s := newSite(t, "ann")
	ann := b.person(s, "ann")
	ann.allow(cdpbrowser.PermissionSettingGranted)
	ann.open("/settings/notices")
	ann.served()
	ann.click(turnOn) // the push service of Chromium is not there for browsers of tests
	ann.sees("what went wrong", `document.querySelector("[data-push] [role=status]").innerText.startsWith("Your browser could not turn notifications on.")`)
	ann.sees("a button to try again", `!document.querySelector("[data-push] button").disabled`)
	if all, err := s.store.PushReceivers(t.Context(), s.ids["ann"]); err != nil || len(all) > 0 {
		t.Errorf("the browsers with notices are %+v, %v", all, err)
	}
}

func deniedNotifications(t *testing.T, b *browser) {
	s := newSite(t, "ann")
	ann := b.person(s, "ann")
	ann.allow(cdpbrowser.PermissionSettingDenied)
	ann.open("/settings/notices")
	ann.click(turnOn)
	ann.sees("where to allow notifications", `document.querySelector("[data-push] [role=status]").innerText.startsWith("Your browser does not allow notifications from this site.")`)
}

func turnedOnAndOff(t *testing.T, b *browser) {
	s := newSite(t, "ann")
	ann := b.person(s, "ann")
	ann.allow(cdpbrowser.PermissionSettingGranted)
	// The first call fails, as for a browser with an endpoint for another key.
	ann.before(`
		let calls = 0;
		PushManager.prototype.getSubscription = async () => ({ unsubscribe: async () => { calls += 10; } });
		PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey: key }) => {
			if (!userVisibleOnly || key !== "` + nodetest.PushKey + `" || ++calls === 1) throw new Error("another key");
			return { endpoint: "https://push.example/" + calls, expirationTime: null, keys: { p256dh: key, auth: "BTBZMqHH6r4Tts7J_aSIgg" } };
		};`)
	ann.open("/settings/notices")
	ann.served()
	ann.click(turnOn)
	ann.sees("this device in the list", `document.querySelector("section[aria-labelledby=pushes] .rows").innerText.includes("this device") && !document.querySelector("[data-push]")`)
	ann.same()
	var endpoint string
	s.must(s.pool.QueryRow(t.Context(), `select endpoint from push_receivers`).Scan(&endpoint))
	if endpoint != "https://push.example/12" {
		t.Errorf("the endpoint is %q", endpoint)
	}
	ann.leave("section[aria-labelledby=pushes] .row button")
	ann.sees("that the notices are off", `document.querySelector("section[aria-labelledby=pushes] .saved") && document.querySelector("[data-push] button").checkVisibility()`)
	if all, err := s.store.PushReceivers(t.Context(), s.ids["ann"]); err != nil || len(all) > 0 {
		t.Errorf("the browsers with notices are %+v, %v", all, err)
	}
}

func noPushManager(t *testing.T, b *browser) {
	s := newSite(t, "ann")
	ann := b.person(s, "ann")
	ann.before(`delete window.PushManager`)
	ann.open("/settings/notices")
	ann.sees("no button", `document.querySelector("[data-push]") && !document.querySelector("section[aria-labelledby=pushes]").checkVisibility()`)
}
