package web_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"amstel.dev/amstel/internal/plainrule"
	"amstel.dev/amstel/timeline"
)

// compareTags requests a page with all ETags of it that any viewer got before. The page is confirmed only if one
// of them is that of the page as the viewer sees it now. compareTags skips two of three pages in each round.
func (p *plainSite) compareTags(v int64, path string, now answer) {
	p.t.Helper()
	tag := now.header.Get("ETag")
	if seen := p.tags[path]; len(seen) > 0 && (len(path)+int(v)+len(p.states))%3 == 0 {
		c := *p.viewer(v)
		c.header = maps.Clone(c.header)
		c.header.Set("If-None-Match", strings.Join(seen, ", "))
		want := now.status
		if tag != "" && slices.Contains(seen, tag) {
			want = 304
		} else {
			p.seen["foreign tags"]++
		}
		if got := c.get(path); got.status != want {
			p.t.Errorf("%s for %s with earlier and others' ETags: %d, want %d", path, p.name(v), got.status, want)
		}
	}
	if tag != "" && !slices.Contains(p.tags[path], tag) {
		p.tags[path] = append(p.tags[path], tag)
	}
}

// compareFeed compares the web feed of a page: for visitors the public one, and for members that of a private
// address, which is revoked afterwards. In each round it skips some pages of members.
func (p *plainSite) compareFeed(v int64, page plainPage, i int) {
	p.t.Helper()
	ending := []string{".atom", ".rss", ".feed.json"}[i%3]
	if v != 0 {
		if (i+int(v)+len(p.states))%3 == 0 {
			p.comparePrivateFeed(v, page, ending)
		}
		return
	}
	of := page
	if of.path += ending; page.path == "/" {
		of.path = "/index" + ending
	}
	if strings.HasPrefix(page.path, "/list/") {
		return // has no public feed
	}
	got := p.visitor().get(of.address())
	if page.refused == 401 { // a page of one's own has none
		page.refused = 404
	}
	p.compareItems(0, page, of.address(), got)
	p.seen["feeds"]++
}

func (p *plainSite) comparePrivateFeed(v int64, page plainPage, ending string) {
	p.t.Helper()
	id, secret, err := p.store.NewFeedAddress(p.t.Context(), timeline.UserID(v), timeline.FeedAddress{Page: page.address()})
	if err != nil {
		p.t.Fatal(err)
	}
	path := "/feed/" + secret + ending
	p.compareItems(v, page, page.address()+" at "+path, p.visitor().get(path))
	if err := p.store.RevokeFeedAddress(p.t.Context(), timeline.UserID(v), id); err != nil {
		p.t.Fatal(err)
	}
	if got := p.visitor().get(path).status; got != 404 {
		p.t.Errorf("%s after it was revoked: %d", path, got)
	}
	p.seen["private feeds"]++
}

// compareItems compares the items of a feed.
func (p *plainSite) compareItems(v int64, page plainPage, at string, got answer) {
	p.t.Helper()
	if leaked := p.leaks(v, got.body); len(leaked) > 0 {
		p.t.Errorf("the feed %s tells %s %v", at, p.name(v), leaked)
	}
	if page.refused != 0 {
		p.seen["closed feeds"]++
		if got.status != page.refused {
			p.t.Errorf("the feed %s for %s: %d, want %d", at, p.name(v), got.status, page.refused)
		}
		return
	}
	if got.status != 200 {
		p.t.Errorf("the feed %s for %s: %d %.200s", at, p.name(v), got.status, got.body)
		return
	}
	want := []string{}
	entries := page.entries()
	for _, e := range entries[:min(25, len(entries))] {
		if !p.site.Hides(v, e.Post) {
			want = append(want, "post/"+strconv.FormatInt(e.Post.ID, 10))
		}
	}
	items := itemsOf(p.t, got.body)
	if p.cut { // the page may end early
		want = slices.DeleteFunc(want, func(id string) bool { return !slices.Contains(items, id) })
	}
	if !slices.Equal(items, want) && len(items)+len(want) > 0 {
		p.t.Errorf("the feed %s has %v for %s, want %v", at, items, p.name(v), want)
	}
	p.seen["items of feeds"] += len(want)
}

// comparePostFeed compares the feed of a post's comments.
func (p *plainSite) comparePostFeed(v int64, post *plainrule.Post, path string, open bool) {
	p.t.Helper()
	if v != 0 {
		return
	}
	got := p.visitor().get(path + ".atom")
	if leaked := p.leaks(v, got.body); len(leaked) > 0 {
		p.t.Errorf("the feed %s.atom tells %v", path, leaked)
	}
	if want := map[bool]int{true: 200, false: 404}[open]; got.status != want {
		p.t.Errorf("the feed %s.atom: %d, want %d", path, got.status, want)
		return
	}
	if !open {
		return
	}
	want := []string{}
	for _, c := range p.site.Comments(v, post) {
		want = append(want, "comment/"+strconv.FormatInt(c.ID, 10))
	}
	slices.Reverse(want)
	if items := itemsOf(p.t, got.body); !slices.Equal(items, want[:min(100, len(want))]) && len(items)+len(want) > 0 {
		p.t.Errorf("the feed %s.atom has %v, want %v", path, items, want)
	}
	p.seen["feeds of comments"]++
}
