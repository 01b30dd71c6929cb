package browsertest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"amstel.dev/amstel/timeline"
)

// axeFile is the script of axe-core, which npm installs beside the compiler of the client.
const axeFile = "../../web/client/node_modules/axe-core/axe.min.js"

// TestAxeFindsNothing checks that axe-core finds no fault of any level on each kind of page. In the dark theme only
// the colours of the same page differ, so there only the two rules about colours run.
func TestAxeFindsNothing(t *testing.T) {
	t.Parallel()
	axe, err := os.ReadFile(filepath.FromSlash(axeFile))
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	b := startBrowser(t)
	s := newSite(t, "ann", "bob", "carol")
	post := s.post("ann", "some words of #boats, a [link](https://example.org) and `code`\n\n> a quote")
	s.discuss(post, 45)
	s.must(s.store.Like(s.Context(), s.ids["bob"], post))
	s.must(s.store.Fav(s.Context(), s.ids["bob"], post))
	_, err = s.store.CreateGroup(s.Context(), s.ids["ann"], timeline.NewGroup{Name: "olives", Description: "of trees"})
	s.must(err)
	_, err = s.store.CreatePost(s.Context(), s.ids["bob"], timeline.NewPost{To: []string{"direct:ann"}, Text: "between us"})
	s.must(err)
	_, err = s.store.Subscribe(s.Context(), s.ids["ann"], timeline.FeedName{Name: "bob"}, timeline.SubscribeOptions{})
	s.must(err)
	_, err = s.store.CreateList(s.Context(), s.ids["ann"], "near")
	s.must(err)
	edited := "some words of #boats that were changed"
	again := s.post("ann", "some words of #boats")
	_, err = s.store.Subscribe(s.Context(), s.ids["carol"], timeline.FeedName{Name: "ann"}, timeline.SubscribeOptions{})
	s.must(err)
	s.must(s.store.EditPost(s.Context(), s.ids["ann"], again, timeline.PostEdit{Text: &edited}))
	for i := range 10 {
		_, err = s.store.CreateGroup(s.Context(), s.ids["ann"], timeline.NewGroup{Name: fmt.Sprintf("club-%d", i)})
		s.must(err)
	}
	hidden := s.post("bob", "hidden words")
	s.must(s.store.HidePost(s.Context(), s.ids["ann"], hidden))
	s.must(s.store.SendReport(s.Context(), s.ids["bob"], timeline.ReportDraft{Person: "carol", Reason: "spam"})) // ann administers the site
	s.must(s.store.SendReport(s.Context(), s.ids["carol"], timeline.ReportDraft{Post: hidden, Reason: "spam"}))
	s.shown()
	own := fmt.Sprintf("/ann/%d", post)
	ann, visitor := b.person(s, "ann"), b.visitor(s, "visitor")
	for tb, paths := range map[*tab][]string{
		visitor: {"/", "/users/sign_up", "/users/sign_in", "/users/forgot", "/about", "/about/status", "/about/keys", "/ann", own, "/olives", "/filter/groups", "/nobody-here", own + "/likes", "/sh", "/filter/best_of"},
		ann: {
			"/", own, own + "/menu", own + "/edit", "/ann", "/bob", "/ann/comments", "/ann/likes", "/ann/calendar", "/ann/subscribers", "/ann/subscriptions",
			"/olives", "/olives/edit", "/groups/new", "/filter/everything", "/filter/best_of", "/filter/directs", "/filter/discussions", "/filter/mentions",
			"/filter/favs", "/filter/people", "/filter/groups", "/list/near", "/s?q=words", "/s?q=nothing-like-this", "/notifications", "/requests",
			"/settings", "/settings/account", "/settings/privacy", "/settings/people", "/settings/lists", "/settings/notifications",
			"/settings/appearance", "/settings/tokens", "/settings/imports", "/settings/data", "/settings/invite", "/settings/report?name=bob", "/settings/reports", "/settings/suspensions", "/admin", "/about/ban-hide-mute-block",
			fmt.Sprintf("/ann/%d/history", again), own + "/likes", own + "/comments", "/posts/new", "/sh", "/sh?t=A+page&u=https%3A%2F%2Fexample.org%2F&q=words", "/filter/most_faved",
		},
	} {
		for _, path := range paths {
			tb.device("light")
			tb.do(chromedp.Navigate(s.url + path))
			tb.eval(string(axe) + ";undefined")
			for _, theme := range []struct{ name, rules string }{{"light", "{}"}, {"dark", `{ runOnly: ["color-contrast", "link-in-text-block"] }`}} {
				tb.device(theme.name)
				for _, fault := range tb.axe(theme.rules) {
					t.Errorf("%s, %s, for %s: %s", path, theme.name, tb.name, fault)
				}
			}
		}
	}
}

// axe runs axe-core with its options on the page, which has the script of axe-core. It returns the faults
// found, with the first elements of each.
func (tb *tab) axe(options string) (faults []string) {
	tb.Helper()
	type fault struct {
		ID, Impact string
		Nodes      []struct{ HTML string }
	}
	found, err := chromedp.Run(tb.ctx, chromedp.Evaluate[string](
		"axe.run("+options+").then((result) => JSON.stringify(result.violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.slice(0, 3).map(({ html }) => ({ html })) }))))",
		chromedp.EvalAwaitPromise))
	tb.must(err)
	var all []fault
	tb.must(json.Unmarshal([]byte(found), &all))
	for _, f := range all {
		var where []string
		for _, n := range f.Nodes {
			where = append(where, n.HTML[:min(len(n.HTML), 160)])
		}
		faults = append(faults, fmt.Sprintf("%s (%s): %s", f.ID, f.Impact, strings.Join(where, "; ")))
	}
	return faults
}
