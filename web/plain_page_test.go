package web_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"amstel.dev/amstel/internal/plainrule"
	"amstel.dev/amstel/internal/world"
)

// plainPage is a page that lists posts, with its entries by the plain rule.
type plainPage struct {
	path, query   string
	person, group int64 // the owner
	entries       func() []plainrule.Entry
	refused       int  // the status of the refusal; 0: the viewer may open the page
	still         bool // the page is not live
}

// pagesOf returns all pages with posts, for one viewer; the viewer's home is the second.
func (p *plainSite) pagesOf(v int64) (pages []plainPage) {
	s := p.site
	add := func(page plainPage, entries func() []plainrule.Entry) {
		page.entries = sync.OnceValue(entries)
		pages = append(pages, page)
	}
	add(plainPage{path: "/filter/everything"}, func() []plainrule.Entry { return s.Everything(v) })
	if v == 0 {
		add(plainPage{path: "/"}, func() []plainrule.Entry { return s.Everything(0) })
	} else {
		add(plainPage{path: "/"}, func() []plainrule.Entry { return s.Home(v) })
	}
	for _, own := range []struct {
		path    string
		entries func(int64) []plainrule.Entry
	}{{"directs", s.Directs}, {"favs", s.FavsPage}, {"discussions", s.Discussions}, {"mentions", s.MentionsPage}, {"fyeo", s.FYEO}} {
		page := plainPage{path: "/filter/" + own.path}
		if v == 0 {
			page.refused = 401
		}
		add(page, func() []plainrule.Entry { return own.entries(v) })
	}
	closed := func(open bool, status string) int {
		switch {
		case status == "deleted":
			return 404
		case !open:
			return 403
		}
		return 0
	}
	day := p.now().UTC().Format(time.DateOnly)
	for _, id := range slices.Sorted(maps.Keys(s.People)) {
		whose := s.People[id]
		for _, sub := range []struct {
			path string
			page func(int64, int64) ([]plainrule.Entry, bool)
			open bool
		}{
			{"", s.PersonPage, s.Opens(v, s.Feed("user", id)) || s.Opens(v, s.Feed("user_private", id))},
			{"/photos", s.PhotosPage, s.Opens(v, s.Feed("user", id)) || s.Opens(v, s.Feed("user_private", id))},
			{"/comments", s.CommentsPage, s.Opens(v, s.Feed("user", id))},
			{"/likes", s.LikesPage, s.Opens(v, s.Feed("user", id))},
			{"/private", s.PrivatePage, s.Opens(v, s.Feed("user_private", id))},
			{"/calendar/" + strings.ReplaceAll(day[:[]int{4, 7, 10}[id%3]], "-", "/"), func(v, id int64) ([]plainrule.Entry, bool) {
				return s.DayPage(v, id, day[:[]int{4, 7, 10}[id%3]])
			}, s.Opens(v, s.Feed("user", id)) || s.Opens(v, s.Feed("user_private", id))},
		} {
			page := plainPage{path: "/" + whose.Name + sub.path, person: id, refused: closed(sub.open, whose.Status)}
			if s.Gone(v, id) || whose.Gone() {
				page.refused = 404
			}
			add(page, func() []plainrule.Entry {
				entries, _ := sub.page(v, id)
				return entries
			})
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.Groups)) {
		whose := s.Groups[id]
		for path, page := range map[string]func(int64, int64) ([]plainrule.Entry, bool){"": s.GroupPage, "/photos": s.GroupPhotosPage} {
			add(plainPage{path: "/" + whose.Name + path, group: id, refused: closed(s.Opens(v, s.Feed("group", id)), whose.Status)}, func() []plainrule.Entry {
				entries, _ := page(v, id)
				return entries
			})
		}
	}
	p.addKinds(v, add)
	return pages
}

// A pageBody is the compared part of a page's JSON.
type pageBody struct {
	Entries []plainrule.Shown          `json:"entries"`
	Users   map[string]json.RawMessage `json:"users"`
	Groups  map[string]json.RawMessage `json:"groups"`
	Older   string                     `json:"precise_older_entries_url"`
}

// comparePages compares every page with posts, to its end.
func (p *plainSite) comparePages(v int64) {
	p.t.Helper()
	for i, page := range p.pagesOf(v) {
		if i > 20 && (i+int(v)+len(p.states))%2 == 0 {
			continue // in the next round
		}
		p.seen["pages"]++
		// Most pages have 25 posts; a few have fewer, so that there are many older pages.
		path := page.json()
		if i%4 == 0 {
			path += map[bool]string{true: "?", false: "&"}[page.query == ""] + "count=" + strconv.Itoa(3+i%7)
		}
		if page.refused != 0 {
			p.seen["closed pages"]++
			for _, path := range []string{path, page.address()} {
				got, want := p.viewer(v).get(path), page.refused
				if want == 403 && path == page.address() && strings.Count(page.path, "/") == 1 {
					want = 200 // a page about a person or group themselves
				}
				if refused := got.status == want || got.status == 303 && want == 401; !refused {
					p.t.Errorf("%s for %s: %d, want %d", path, p.name(v), got.status, want)
				}
				if articles.MatchString(got.body) || got.store != "" {
					p.t.Errorf("%s for %s has entries", path, p.name(v))
				}
				if leaked := p.leaks(v, got.body); len(leaked) > 0 {
					p.t.Errorf("%s, refused to %s, tells %v", path, p.name(v), leaked)
				}
			}
			p.compareTags(v, path, p.viewer(v).get(path))
			p.compareFeed(v, page, i)
			continue
		}
		p.comparePage(v, page, path)
		p.compareFeed(v, page, i)
		p.compareHTML(v, page)
		if page.person+page.group != 0 && strings.Count(page.path, "/") == 1 {
			p.compareLists(v, page)
		}
	}
}

// sort returns the kind of the page, to count pages by.
func (page plainPage) sort() string {
	parts := strings.Split(page.path, "/")
	switch {
	case page.path == "/" && page.query == "":
		return "home"
	case page.path == "/":
		return page.query
	case page.path == "/s" && strings.HasPrefix(page.query, "q=%23") && !strings.Contains(page.query, "+"):
		return "hashtag"
	case page.path == "/s":
		return "search"
	case page.person != 0 && len(parts) > 2:
		return "person's " + parts[2]
	case page.person != 0:
		return "person"
	case page.group != 0 && len(parts) > 2:
		return "group's " + parts[2]
	case page.group != 0:
		return "group"
	case len(parts) > 3:
		return parts[2] + " of a language"
	case parts[1] == "list":
		return "list"
	}
	return parts[len(parts)-1]
}

// address is the page's, for people.
func (page plainPage) address() string {
	if page.query == "" {
		return page.path
	}
	return page.path + "?" + page.query
}

func (page plainPage) json() string {
	of := page
	if of.path += ".json"; page.path == "/" {
		of.path = "/index.json"
	}
	return of.address()
}

// comparePage follows the links to older posts, and compares all pages together.
func (p *plainSite) comparePage(v int64, page plainPage, path string) {
	p.t.Helper()
	var got []plainrule.Shown
	for at, n := path, 0; at != ""; n++ {
		answer := p.viewer(v).get(at)
		if answer.status != 200 {
			p.t.Errorf("%s for %s: %d %.200s", at, p.name(v), answer.status, answer.body)
			return
		}
		if leaked := p.leaks(v, answer.body); len(leaked) > 0 {
			p.t.Errorf("%s tells %s %v", at, p.name(v), leaked)
		}
		p.compareTags(v, at, answer)
		var body pageBody
		if err := json.Unmarshal([]byte(answer.body), &body); err != nil {
			p.t.Fatalf("%s: %v", at, err)
		}
		p.compareCards(v, page, at, body)
		got = append(got, body.Entries...)
		at = body.Older
		if n > 0 {
			p.seen["older pages"]++
		}
		if n > 500 {
			p.t.Fatalf("%s never ends", path)
		}
	}
	var want []plainrule.Shown
	for _, e := range page.entries() {
		want = append(want, p.site.Show(v, e, false))
	}
	p.seen["entries"] += len(want)
	p.seen["entries of "+page.sort()] += len(want)
	for _, e := range page.entries() {
		if page.sort() == "home" && e.Place > e.Post.Fresh() {
			p.seen["lifted entries"]++
		}
	}
	if order := func(all []plainrule.Shown) (ids []int64) {
		for _, e := range all {
			ids = append(ids, e.ID)
		}
		return ids
	}; p.cut {
		all := len(want)
		want = slices.DeleteFunc(want, func(e plainrule.Shown) bool { return !slices.Contains(order(got), e.ID) })
		p.seen["entries cut off"] += all - len(want)
		if !slices.Equal(order(got), order(want)) {
			p.t.Errorf("%s for %s has %v, of which it may have %v", path, p.name(v), order(got), order(want))
			return
		}
	} else if !slices.Equal(order(got), order(want)) {
		p.t.Errorf("%s for %s has %v, want %v", path, p.name(v), order(got), order(want))
		return
	}
	for i := range want {
		p.compareEntry(path, v, got[i], want[i])
	}
}

// compareEntry compares each field of an entry.
func (p *plainSite) compareEntry(path string, v int64, got, want plainrule.Shown) {
	p.t.Helper()
	slices.Sort(got.Timelines)
	slices.Sort(got.CanRemoveFrom)
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		p.t.Errorf("%s shows %s post %d otherwise (-want +got):\n%s", path, p.name(v), want.ID, diff)
	}
}

// compareCards checks that an answer has a card for each person it names, and for no
// other.
func (p *plainSite) compareCards(v int64, page plainPage, path string, body pageBody) {
	p.t.Helper()
	users, groups := map[int64]bool{page.person: true, v: true}, map[int64]bool{page.group: true}
	for _, e := range body.Entries {
		users[e.UserID] = true
		for _, liker := range e.Likes {
			users[liker] = true
		}
		for _, c := range e.Comments {
			users[c.UserID] = true
		}
		for what, ids := range e.Reason {
			for _, id := range ids {
				if what == "group" {
					groups[id] = true
				} else {
					users[id] = true
				}
			}
		}
		if e.IsDirect && e.UserID != v { // the parties of a direct are its places
			for _, f := range p.site.VisiblePlaces(v, p.site.Posts[e.ID]) {
				users[f.Their] = true
			}
		}
	}
	delete(users, 0)
	delete(groups, 0)
	told := func(cards map[string]json.RawMessage) []string { return slices.Sorted(maps.Keys(cards)) }
	want := func(ids map[int64]bool) (names []string) {
		for id := range ids {
			names = append(names, strconv.FormatInt(id, 10))
		}
		slices.Sort(names)
		return names
	}
	if got, want := told(body.Users), want(users); !slices.Equal(got, want) {
		p.t.Errorf("%s tells %s of the people %v, want %v", path, p.name(v), got, want)
	}
	if got, want := told(body.Groups), want(groups); !slices.Equal(got, want) {
		p.t.Errorf("%s tells %s of the groups %v, want %v", path, p.name(v), got, want)
	}
}

var (
	articles         = regexp.MustCompile(`<article[^>]* data-post-id="(\d+)"`)
	subscriptionHead = regexp.MustCompile(`>(\d+) subscriptions?</a>`)
	badge            = regexp.MustCompile(`id="notices" data-unread="(\d+)"`)
	badgeOfDirects   = regexp.MustCompile(`id="directs" data-unread="(\d+)"`)
	pointsOf         = regexp.MustCompile(`<span class="mark">(\d+) points?</span>`)
	naming           = regexp.MustCompile(`<a [^>]*>@[^<]*</a>`)
	asWritten        = regexp.MustCompile(`^[\pL\pN .,]+$`) // a text that stands in HTML as it was written
	subscriberHead   = regexp.MustCompile(`>\s*(\d+) (?:subscriber|member)s?\s*</a>`)
)

// compareHTML compares the posts of the page as HTML, and checks that the page has no other
// secrets.
func (p *plainSite) compareHTML(v int64, page plainPage) {
	p.t.Helper()
	p.seen["HTML pages"]++
	answer := p.viewer(v).get(page.address())
	if answer.status != 200 {
		p.t.Errorf("%s, as HTML, for %s: %d", page.address(), p.name(v), answer.status)
		return
	}
	body := answer.body
	if leaked := p.leaks(v, body+answer.store); len(leaked) > 0 {
		p.t.Errorf("%s, as HTML, tells %s %v", page.address(), p.name(v), leaked)
	}
	p.compareHead(v, page, body)
	var got, want []string
	for _, found := range articles.FindAllStringSubmatch(body, -1) {
		got = append(got, found[1])
	}
	entries := page.entries()
	entries = entries[:min(25, len(entries))]
	if n := len(got); p.cut && n < len(entries) { // the page may end early if it says how to go on
		if !strings.Contains(body, `rel="next"`) {
			p.t.Errorf("%s, as HTML, has %d entries for %s instead of %d, and no link to older ones", page.address(), n, p.name(v), len(entries))
		}
		p.seen["HTML pages cut off"]++
		entries = entries[:n]
	}
	p.comparePoints(v, page, body, entries)
	for _, e := range entries {
		want = append(want, strconv.FormatInt(e.Post.ID, 10))
		said := mark(e.Post.Text)
		if !asWritten.MatchString(said) { // of the random walk through the API, without a secret
			continue
		}
		if has := strings.Contains(body, said); has == p.site.Hides(v, e.Post) {
			p.t.Errorf("%s, as HTML, has the text of post %d for %s: %v", page.path, e.Post.ID, p.name(v), has)
		}
	}
	if !slices.Equal(got, want) {
		p.t.Errorf("%s, as HTML, has %v for %s, want %v", page.address(), got, p.name(v), want)
	}
	if told := badge.FindStringSubmatch(body); v != 0 && (told == nil || told[1] != strconv.Itoa(min(100, p.site.Unread(v)))) {
		p.t.Errorf("%s tells %s of %v unread notices, want %d", page.address(), p.name(v), told, p.site.Unread(v))
	}
	if told := badgeOfDirects.FindStringSubmatch(body); v != 0 && (told == nil || told[1] != strconv.Itoa(min(100, p.site.UnreadDirects(v)))) {
		p.t.Errorf("%s tells %s of %v unread directs, want %d", page.address(), p.name(v), told, p.site.UnreadDirects(v))
	}
	outside := naming.ReplaceAllString(body, "") // a text may name any person
	for id, other := range p.site.People {
		if id != page.person && p.site.Apart(v, id) && (strings.Contains(outside, `href="/`+other.Name+`"`) || strings.Contains(outside, `/avatars/`+other.Name+`.`)) {
			p.t.Errorf("%s, as HTML, tells %s of %s, across a ban", page.path, p.name(v), other.Name)
		}
	}
	if f := p.feedOf(page); f != nil {
		people, open := p.site.Subscribers(v, f)
		if found := subscriberHead.FindStringSubmatch(body); open && (found == nil || found[1] != strconv.Itoa(len(people))) {
			p.t.Errorf("%s counts %v subscribers for %s, want %d", page.path, found, p.name(v), len(people))
		}
	}
	if page.person != 0 {
		people, _, open := p.site.Subscriptions(v, page.person)
		if found := subscriptionHead.FindStringSubmatch(body); open && (found == nil || found[1] != strconv.Itoa(len(people))) {
			p.t.Errorf("%s counts %v subscriptions for %s, want %d", page.path, found, p.name(v), len(people))
		}
	}
}

// comparePoints checks that the entries of a ranking, and of no other page, have points: by the
// default weights, from the likes and comments that the viewer sees.
func (p *plainSite) comparePoints(v int64, page plainPage, body string, entries []plainrule.Entry) {
	p.t.Helper()
	var got, want []string
	for _, found := range pointsOf.FindAllStringSubmatch(body, -1) {
		got = append(got, found[1])
	}
	for _, e := range entries {
		shown := p.site.Show(v, e, false)
		n := len(shown.Likes) + shown.MoreLikes + shown.CommentsCount + 2*shown.FavCount
		if strings.Contains(page.path, "most_faved") {
			n = shown.FavCount
		}
		ranking := strings.Contains(page.path, "best_of") || strings.Contains(page.path, "most_faved")
		if ranking && n > 0 && !p.site.Hides(v, e.Post) {
			want = append(want, strconv.Itoa(n))
			p.seen["points"]++
		}
	}
	if !slices.Equal(got, want) {
		p.t.Errorf("%s, as HTML, has the points %v for %s, want %v", page.address(), got, p.name(v), want)
	}
}

// compareHead checks the metadata for previews of links in the head of a page: pages for viewers
// without an account have it, and all other pages have none. The search for secrets in the page
// covers it.
func (p *plainSite) compareHead(v int64, page plainPage, body string) {
	p.t.Helper()
	search := page.path == "/s" && page.sort() != "hashtag"
	told := shared(body)
	if has := len(told) > 0; has != (v == 0 && !search) {
		p.t.Errorf("%s tells previews %v for %s", page.address(), told, p.name(v))
	}
	if v == 0 && !search {
		p.seen["heads"]++
		p.seen["heads of "+page.sort()]++
	}
}

// mark returns the part of a text by which a test recognises it, however it is written: its
// secret.
func mark(text string) string {
	if secrets := world.Secrets(text); len(secrets) > 0 {
		return secrets[0]
	}
	return text
}

// feedOf returns the feed to which a page offers a subscription.
func (p *plainSite) feedOf(page plainPage) *plainrule.Feed {
	switch {
	case page.person != 0:
		return p.site.Feed("user", page.person)
	case page.group != 0:
		return p.site.Feed("group", page.group)
	}
	return nil
}

// compareLists compares the lists of subscribers, subscriptions, members and administrators.
func (p *plainSite) compareLists(v int64, page plainPage) {
	p.t.Helper()
	p.seen["lists"]++
	list := func(path string, open bool, want map[string][]int64) {
		got := p.viewer(v).get(path)
		if !open {
			if got.status != 403 {
				p.t.Errorf("%s for %s: %d, want 403", path, p.name(v), got.status)
			}
			return
		}
		for key, ids := range want {
			var told []int64
			for i := 0; got.ok().at(key, i) != nil; i++ {
				told = append(told, int64(got.at(key, i).(float64)))
			}
			slices.Sort(told)
			if !slices.Equal(told, ids) {
				p.t.Errorf("%s tells %s of %s %v, want %v", path, p.name(v), key, told, ids)
			}
		}
	}
	people, open := p.site.Subscribers(v, p.feedOf(page))
	list(page.path+"/subscribers.json", open, map[string][]int64{"subscribers": people})
	if page.person != 0 {
		people, groups, open := p.site.Subscriptions(v, page.person)
		list(page.path+"/subscriptions.json", open, map[string][]int64{"subscriptions": people, "group_subscriptions": groups})
	}
}

// compareMenu searches for secrets in the menu of a post, as a viewer gets it on their home and
// on the post's own page.
func (p *plainSite) compareMenu(v int64, path string, open bool) {
	p.t.Helper()
	want := map[bool]int{true: 200, false: 404}[open]
	if v == 0 {
		want = 303
	}
	for _, from := range []string{"/", path} {
		c := *p.viewer(v)
		c.header = http.Header{"Referer": {p.http.URL + from}}
		got := c.get(path + "/menu")
		if got.status != want {
			p.t.Errorf("%s/menu from %s for %s: %d, want %d", path, from, p.name(v), got.status, want)
		}
		if leaked := p.leaks(v, got.body); len(leaked) > 0 {
			p.t.Errorf("%s/menu from %s tells %s %v", path, from, p.name(v), leaked)
		}
	}
	p.seen["menus"]++
}

// compareHistory compares the history of a post that a viewer may read, or of one of its
// comments, with the rule. As HTML it may have no other secrets.
func (p *plainSite) compareHistory(v int64, path string, post *plainrule.Post, c *plainrule.Comment) {
	p.t.Helper()
	if c != nil {
		path += fmt.Sprintf("/comments/%d", c.ID)
	}
	want := p.site.History(v, post, c)
	var body struct{ Versions []struct{ Text string } }
	if err := json.Unmarshal([]byte(p.viewer(v).get(path+"/history.json").body), &body); err != nil {
		p.t.Fatal(err)
	}
	var got []string
	for _, version := range body.Versions {
		got = append(got, version.Text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		p.t.Errorf("%s/history.json for %s (-want +got):\n%s", path, p.name(v), diff)
	}
	html := p.viewer(v).get(path + "/history")
	for _, secret := range world.Secrets(html.body) {
		if !slices.Contains(world.Secrets(strings.Join(want, " ")), secret) {
			p.t.Errorf("%s/history tells %s %s", path, p.name(v), secret)
		}
	}
	if len(want) > 1 {
		p.seen["histories"]++
	}
	whole := post.Earlier
	if c != nil {
		whole = c.Earlier
	}
	p.seen["earlier texts not shown"] += len(whole) + 1 - len(want)
}

// comparePosts compares the pages and the lists of single posts.
func (p *plainSite) comparePosts(v int64) {
	p.t.Helper()
	for i, id := range slices.Sorted(maps.Keys(p.site.Posts)) {
		if (i+int(v)+len(p.states))%3 != 0 { // others in the next round
			continue
		}
		e, open := p.site.PostPage(v, id)
		path := fmt.Sprintf("/%s/%d", p.site.People[e.Post.Author].Name, id)
		bodies := make(map[string]answer)
		for _, form := range []string{"", ".json", "/comments.json", "/likes.json", "/likes", "/history.json"} {
			if form == "/history.json" && open {
				continue // it may show texts that no other page shows
			}
			got := p.viewer(v).get(path + form)
			if want := map[bool]int{true: 200, false: 404}[open]; got.status != want {
				p.t.Errorf("%s for %s: %d, want %d", path+form, p.name(v), got.status, want)
			}
			if leaked := p.leaks(v, got.body+got.store); len(leaked) > 0 {
				p.t.Errorf("%s tells %s %v", path+form, p.name(v), leaked)
			}
			bodies[form] = got
		}
		p.compareMenu(v, path, open)
		p.comparePostFeed(v, e.Post, path, open)
		if !open || bodies[".json"].status != 200 {
			p.seen["posts not there"]++
			continue
		}
		p.seen["posts"]++
		nsfw := strings.Contains(bodies[".json"].body, `"nsfw":true`) // tells previews nothing else
		if told := shared(bodies[""].body); (len(told) > 0) != (v == 0) || v == 0 && len(e.Post.Text) < 200 && !nsfw && !strings.Contains(told["og:description"], mark(e.Post.Text)) {
			p.t.Errorf("%s tells previews %v for %s", path, told, p.name(v))
		} else if v == 0 {
			p.seen["heads"]++
			p.seen["heads of posts"]++
		}
		p.compareHistory(v, path, e.Post, nil)
		for _, c := range e.Post.Comments {
			if shown := slices.Contains(p.site.Comments(v, e.Post), c); shown && len(c.Earlier) > 0 {
				p.compareHistory(v, path, e.Post, c)
			} else if !shown {
				if got := p.viewer(v).get(fmt.Sprintf("%s/comments/%d/history.json", path, c.ID)); got.status != 404 {
					p.t.Errorf("the history of comment %d, which %s is not shown: %d", c.ID, p.name(v), got.status)
				}
			}
		}
		want := p.site.Show(v, e, true)
		var body pageBody
		if err := json.Unmarshal([]byte(bodies[".json"].body), &body); err != nil || len(body.Entries) != 1 {
			p.t.Fatalf("%s: %v, %d entries", path, err, len(body.Entries))
		}
		p.compareEntry(path+".json", v, body.Entries[0], want)
		p.compareCards(v, plainPage{}, path+".json", body)
		var all plainrule.Shown // comments_count and the like of the lists
		if err := json.Unmarshal([]byte(bodies["/comments.json"].body), &all); err != nil {
			p.t.Fatal(err)
		}
		if diff := cmp.Diff(want.Comments, all.Comments, cmpopts.EquateEmpty()); diff != "" || all.CommentsCount != want.CommentsCount {
			p.t.Errorf("%s/comments.json for %s (-want +got):\n%s", path, p.name(v), diff)
		}
		all = plainrule.Shown{}
		if err := json.Unmarshal([]byte(bodies["/likes.json"].body), &all); err != nil {
			p.t.Fatal(err)
		}
		likes := p.site.Likes(v, e.Post)
		slices.Sort(likes)
		slices.Sort(all.Likes)
		if !slices.Equal(likes, all.Likes) || all.FavCount != want.FavCount || all.UserLiked != want.UserLiked || all.CanLike != want.CanLike {
			p.t.Errorf("%s/likes.json tells %s %+v, want %v of %+v", path, p.name(v), all, likes, want)
		}
		for other, person := range p.site.People {
			if told := strings.Contains(bodies["/likes"].body, `class="card" href="/`+person.Name+`"`); told != slices.Contains(likes, other) {
				p.t.Errorf("%s/likes tells %s of %s: %v", path, p.name(v), person.Name, told)
			}
		}
	}
}
