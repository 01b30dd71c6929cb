package web_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/internal/plainrule"
	"amstel.dev/amstel/internal/world"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
	"amstel.dev/amstel/web/catalogue"
)

// addKinds adds a viewer's lists, the rankings and languages of the site, searches,
// and pages in other orders.
func (p *plainSite) addKinds(v int64, add func(plainPage, func() []plainrule.Entry)) {
	s := p.site
	for _, id := range s.ListsOf(v) {
		add(plainPage{path: "/list/" + url.PathEscape(s.Lists[id].Name)}, func() []plainrule.Entry { return s.ListPage(id) })
		add(plainPage{path: "/list/" + url.PathEscape(strings.ToUpper(s.Lists[id].Name)), query: "exclude_replies=1", still: true}, func() []plainrule.Entry {
			return plainrule.WithoutReplies(s.ListPage(id))
		})
	}
	if v == 0 {
		add(plainPage{path: "/list/anybodys", refused: 401}, nothing)
	} else {
		add(plainPage{path: "/list/nobodys", refused: 404}, nothing)
		add(plainPage{path: "/", query: "exclude_replies=1"}, func() []plainrule.Entry { return plainrule.WithoutReplies(s.Home(v)) })
		add(plainPage{path: "/", query: "order=created", still: true}, func() []plainrule.Entry { return plainrule.Created(s.Home(v)) })
	}
	add(plainPage{path: "/filter/everything", query: "order=created", still: true}, func() []plainrule.Entry { return plainrule.Created(s.Everything(v)) })
	ranked := func(page plainPage, what, lang string, period timeline.Period) {
		their := timeline.RankedID(lang, period) // a number without a meaning
		add(page, func() []plainrule.Entry { return s.Ranked(v, what, their) })
	}
	for i, what := range []string{"best_of", "most_faved"} {
		ranked(plainPage{path: "/filter/" + what}, what, "", timeline.Rising)
		ranked(plainPage{path: "/filter/" + what, query: "period=ever"}, what, "", timeline.Ever)
		ranked(plainPage{path: "/filter/" + what, query: "period=" + []string{"day", "week"}[i]}, what, "", []timeline.Period{timeline.Day, timeline.Week}[i])
	}
	for i, lang := range append([]string{"eo"}, world.Languages...) {
		page := plainPage{path: "/filter/everything/" + lang}
		// A language without posts that the viewer may read has no page.
		if len(s.EverythingOf(0, lang)) == 0 && len(s.EverythingOf(v, lang)) == 0 {
			page.refused = 404
		}
		add(page, func() []plainrule.Entry { return s.EverythingOf(v, lang) })
		page.path = "/filter/most_faved/" + lang
		ranked(page, "most_faved", lang, timeline.Rising)
		page.path, page.query = "/filter/best_of/"+lang, "period=ever"
		ranked(page, "best_of", lang, timeline.Ever)
		page.query = "period=month"
		if i%2 == 0 {
			ranked(page, "best_of", lang, timeline.Month)
		}
	}
	for _, tag := range append([]string{"nobodys-tag"}, world.Tags...) {
		add(plainPage{path: "/s", query: "q=" + url.QueryEscape("#"+tag)}, func() []plainrule.Entry { return s.HashtagPage(v, tag) })
	}
	for _, q := range p.searches() {
		add(plainPage{path: "/s", query: "q=" + url.QueryEscape(q.Text())}, func() []plainrule.Entry { return s.SearchPage(v, q) })
	}
}

var yearHead = regexp.MustCompile(`(?s)class="year">.*?<small>(\d+) posts?</small>`)

// compareCalendars compares how many posts people's calendars count.
func (p *plainSite) compareCalendars(v int64) {
	p.t.Helper()
	for id, who := range p.site.People {
		entries, open := p.site.PersonPage(v, id)
		got := p.viewer(v).get("/" + who.Name + "/calendar")
		if open != (got.status == 200) {
			p.t.Errorf("the calendar of %s for %s: %d", who.Name, p.name(v), got.status)
			continue
		}
		n := 0
		for _, found := range yearHead.FindAllStringSubmatch(got.body, -1) {
			year, _ := strconv.Atoi(found[1])
			n += year
		}
		if open && n != len(entries) {
			p.t.Errorf("the calendar of %s counts %d posts for %s, want %d", who.Name, n, p.name(v), len(entries))
		}
		if leaked := p.leaks(v, got.body); len(leaked) > 0 {
			p.t.Errorf("the calendar of %s tells %s %v", who.Name, p.name(v), leaked)
		}
		p.seen["calendars"]++
	}
}

func nothing() []plainrule.Entry { return nil }

// searches returns some searches for words, people and tags of the site; others after each
// post.
func (p *plainSite) searches() []plainrule.Search {
	n := len(p.site.Posts)
	word := func(i int) string { return world.Words[(n+i)%len(world.Words)] }
	tag := world.Tags[n%len(world.Tags)]
	var people, groups []string
	for id := int64(1); id <= int64(len(p.site.People)); id++ {
		if who := p.site.People[id]; who != nil && !who.Gone() {
			people = append(people, who.Name)
		}
	}
	for id := int64(1); id <= int64(len(p.site.Groups)); id++ {
		if g := p.site.Groups[id]; g != nil && g.Status != "deleted" {
			groups = append(groups, g.Name)
		}
	}
	if len(people) == 0 || len(groups) == 0 {
		return nil
	}
	someone := func(i int) string { return people[(n+i)%len(people)] }
	today := p.now().UTC()
	day := func(days int) string { return today.AddDate(0, 0, days).Format("2006-01-02") }
	return []plainrule.Search{
		{Words: []string{word(0)}},
		{Words: []string{word(1), word(2)}},
		{Words: []string{word(3)}, InComments: true},
		{Phrases: []string{word(4) + " " + word(5)}},
		{Phrases: []string{word(5) + " " + word(4)}, InComments: true},
		{Words: []string{word(6)}, Without: []string{word(7)}},
		{Words: []string{word(8)}, From: someone(0)},
		{Words: []string{word(9)}, LikedBy: someone(1)},
		{From: someone(2)},
		{Group: groups[n%len(groups)]},
		{Group: groups[(n+1)%len(groups)], Without: []string{word(0)}},
		{LikedBy: someone(3)},
		{CommentedBy: someone(4)},
		{CommentedBy: someone(5), Tags: []string{tag}},
		{Tags: []string{tag}, Words: []string{word(1)}},
		{Words: []string{word(2)}, After: day(0)},
		{Words: []string{word(3)}, Before: day(0)},
		{After: day(-1), Before: day(1), From: someone(1)},
		{Has: []string{"image"}},
		{Has: []string{"image"}, From: someone(6)},
		{Has: []string{"image"}, Group: groups[n%len(groups)], Words: []string{word(4)}},
	}
}

// compareNotices compares the notices of a viewer, and the number of unread ones.
func (p *plainSite) compareNotices(v int64) {
	p.t.Helper()
	const path = "/notifications"
	html := p.viewer(v).get(path)
	if v == 0 {
		if got := p.viewer(v).get(path + ".json").status; got != 401 || html.status != 303 {
			p.t.Errorf("%s for a visitor: %d, %d as HTML", path, got, html.status)
		}
		return
	}
	type notice struct {
		ID      int64  `json:"id"`
		Kind    string `json:"kind"`
		By      int64  `json:"user_id"`
		Post    int64  `json:"post_id"`
		Comment int64  `json:"comment_id"`
		Read    bool   `json:"read"`
	}
	var got, want []notice
	for at := path + ".json?count=7"; at != ""; {
		answer := p.viewer(v).get(at).ok()
		var body struct {
			Notifications []notice
			Unread        int
			Directs       int
			Users         map[string]json.RawMessage
			Older         string `json:"older_notifications_url"`
		}
		if err := json.Unmarshal([]byte(answer.body), &body); err != nil {
			p.t.Fatalf("%s: %v", at, err)
		}
		if leaked := p.leaks(v, answer.body); len(leaked) > 0 {
			p.t.Errorf("%s tells %s %v", at, p.name(v), leaked)
		}
		for id := range body.Users {
			if n, err := strconv.ParseInt(id, 10, 64); err != nil || p.site.Apart(v, n) {
				p.t.Errorf("%s tells %s of user %s, across a ban", at, p.name(v), id)
			}
		}
		if unread, directs := min(100, p.site.Unread(v)), min(100, p.site.UnreadDirects(v)); body.Unread != unread || body.Directs != directs {
			p.t.Errorf("%s: %s has %d unread and %d directs, want %d and %d", at, p.name(v), body.Unread, body.Directs, unread, directs)
		} else if directs > 0 {
			p.seen["unread directs"]++
		}
		got = append(got, body.Notifications...)
		at = body.Older
	}
	for _, n := range p.site.NoticesOf(v) {
		one := notice{n.ID, n.Kind, n.By, n.Post, n.Comment, n.Read}
		if n.Kind == "comment_like" {
			one.By = 0 // the notice does not name the liker
		}
		want = append(want, one)
		p.seen["notices"]++
		p.seen["notices of "+n.Kind]++
	}
	if !slices.Equal(got, want) {
		p.t.Errorf("%s is told %v, want %v", p.name(v), got, want)
	}
	if leaked := p.leaks(v, html.ok().body); len(leaked) > 0 {
		p.t.Errorf("%s, as HTML, tells %s %v", path, p.name(v), leaked)
	}
	if untold := p.site.MissingNotices(v); len(untold) > 0 && !p.picky(v) {
		p.t.Errorf("%s was not told %+v", p.name(v), untold)
	}
}

// compareMail compares the notices in the mail that a viewer would get now.
func (p *plainSite) compareMail(v int64) {
	p.t.Helper()
	if v == 0 {
		return
	}
	if _, err := p.pool.Exec(p.t.Context(), `update users set email_confirmed_at = now() where id = $1`, v); err != nil {
		p.t.Fatal(err)
	}
	hence := time.Hour + time.Duration(p.clock.Load()) // mails tell of no fresh notices
	later := timeline.New(p.pool, timeline.Options{Now: func() time.Time { return time.Now().Add(hence) }})
	page, _, err := later.NoticesToMail(p.t.Context(), timeline.UserID(v))
	if err != nil {
		p.t.Fatalf("the mail to %s: %v", p.name(v), err)
	}
	var got, want []int64
	for _, n := range page.Notices {
		got = append(got, n.ID)
	}
	all := p.site.NoticesOf(v)
	for _, n := range all[:min(len(all), 90)] {
		if !n.Read && len(want) < 30 {
			want = append(want, n.ID)
			p.seen["mailed notices"]++
		}
	}
	if !slices.Equal(got, want) {
		p.t.Errorf("a mail tells %s of the notices %v, want %v", p.name(v), got, want)
	}
	for _, line := range web.NoticeLines(catalogue.English, page) {
		if leaked := p.leaks(v, line.Said+" "+line.Comment+" "+line.Path); len(leaked) > 0 {
			p.t.Errorf("a mail tells %s %v: %+v", p.name(v), leaked, line)
		}
	}
}

// mostPushed is how many of a viewer's unread notices comparePushes looks at.
const mostPushed = 3

// comparePushes compares which of a viewer's newest unread notices a push would tell of now, and what it says.
func (p *plainSite) comparePushes(v int64) {
	p.t.Helper()
	const device = `
		with session as (
			insert into sessions (token_hash, user_id, seen_at)
			select sha256(id::text::bytea), id, $2 from users where id = $1 and suspended_at is null and status <> 'deleted'
			on conflict (token_hash) do update set seen_at = $2 returning token_hash, user_id
		)
		insert into push_receivers (user_id, session_hash, endpoint, public_key, auth, created_at)
		select user_id, token_hash, 'https://push.example/' || user_id, '', '', now() from session
		on conflict (session_hash) do update set failures = 0 returning id`
	const unread = `
		select n.id from notices n join users u on u.id = n.user_id
		where n.user_id = $1 and n.read_at is null and n.kind in ('mention', 'direct', 'comment') and n.kind <> all (u.notices_off)
		order by n.id desc limit $2`
	if v == 0 {
		return
	}
	must := func(err error) {
		p.t.Helper()
		if err != nil {
			p.t.Fatalf("the pushes to %s: %v", p.name(v), err)
		}
	}
	lease := timeline.PushLease{User: timeline.UserID(v), CreatedAt: time.Now().Add(time.Duration(p.clock.Load()))}
	err := p.pool.QueryRow(p.t.Context(), device, v, lease.CreatedAt).Scan(&lease.Receiver)
	if errors.Is(err, pgx.ErrNoRows) { // the account is suspended or deleted, and has no session
		return
	}
	must(err)
	rows, err := p.pool.Query(p.t.Context(), unread, v, mostPushed)
	must(err)
	newest, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	must(err)
	shown := make(map[int64]bool)
	for _, n := range p.site.NoticesOf(v) {
		shown[n.ID] = !n.Read
	}
	for _, lease.Notice = range newest {
		page, err := p.store.NoticeToPush(p.t.Context(), lease)
		if errors.Is(err, timeline.ErrNotFound) {
			if shown[lease.Notice] {
				p.t.Errorf("no push tells %s of the notice %d", p.name(v), lease.Notice)
			}
			p.seen["pushes that are dropped"]++
			continue
		}
		must(err)
		if !shown[lease.Notice] {
			p.t.Errorf("a push tells %s of the notice %d", p.name(v), lease.Notice)
		}
		p.seen["pushes"]++
		for _, line := range web.NoticeLines(catalogue.English, page) {
			if leaked := p.leaks(v, line.Did+" "+line.About+" "+line.Comment+" "+line.Path); len(leaked) > 0 {
				p.t.Errorf("a push tells %s %v: %+v", p.name(v), leaked, line)
			}
		}
	}
}

// picky reports whether a person may have switched some kinds of notices off.
func (p *plainSite) picky(v int64) bool {
	return p.world != nil && slices.ContainsFunc(p.world.People, func(who *world.Person) bool { return int64(who.ID) == v && who.Picky })
}
