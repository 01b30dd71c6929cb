package browsertest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"amstel.dev/amstel/internal/export"
	"amstel.dev/amstel/internal/intake"
	"amstel.dev/amstel/timeline"
)

// TestFeedsExportsAndTheAPI brings a feed of another site in and removes it, downloads everything, and
// runs an example of the page about the API with a token.
func TestFeedsExportsAndTheAPI(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	s := newSite(t, "ann")
	ann := b.person(s, "ann")
	importsAFeed(ann)
	downloadsEverything(ann)
	triesTheAPI(ann)
}

func importsAFeed(ann *tab) {
	blog := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `<rss version="2.0"><channel><title>A blog</title><item><guid>1</guid><title>Leek soup</title></item></channel></rss>`)
	}))
	ann.Cleanup(blog.Close)
	ann.feeds.Worker = intake.New(ann.store, intake.Options{Permit: []netip.AddrPort{netip.MustParseAddrPort(blog.Listener.Addr().String())}})
	ann.open("/settings/imports")
	ann.enter("#intake-address", blog.URL+"/feed")
	ann.leave("form[action*='form=intake'] button.primary")
	ann.saved("/settings/imports", "intake")
	ann.sees("the feed", `document.querySelector(".rows .row").innerText.includes("A blog")`)
	ann.open("/ann")
	ann.reads("Leek soup")
	ann.open("/settings/imports")
	ann.click(".row-acts details summary")
	ann.click(".row-acts details button.danger")
	ann.sees("no feed", `location.pathname === "/settings/imports" && document.querySelector("#intake-address") && !document.querySelector(".rows .row")`)
	ann.open("/ann")
	ann.reads("Leek soup")
}

func downloadsEverything(ann *tab) {
	ann.open("/settings/data")
	ann.click("section[aria-labelledby=export] form button")
	ann.sees("that the file is being made", `document.querySelector("[data-export][data-state=queued] progress")`)
	worker := export.New(ann.store, ann.files, export.Options{})
	if more, err := worker.Work(ann.Context()); err != nil || !more {
		ann.Fatalf("the worker: %v, %v", more, err)
	}
	ann.sees("the file", `document.querySelector("[data-export][data-state=ready] a[download]")`)
	ann.eval(`fetch(document.querySelector("[data-state=ready] a[download]").href).then((a) => a.text()).then((text) => { window.begins = text.slice(0, 2) })`)
	ann.sees("that the file is a zip file", `window.begins === "PK"`)
}

func triesTheAPI(ann *tab) {
	secret, err := ann.store.NewToken(ann.Context(), ann.ids["ann"], timeline.TokenSpec{Name: "mine", Scopes: timeline.ScopeRead})
	ann.must(err)
	const operation = "details[data-method=GET][data-path='/api/v1/intakes']"
	ann.open("/api")
	ann.click(operation + " > summary")
	ann.enter(operation+" form.try [data-token] input", secret)
	ann.click(operation + " form.try button")
	ann.sees("the answer", `document.querySelector("`+operation+` form.try pre").innerText.includes('"intakes": []')`)
}
