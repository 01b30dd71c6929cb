package web_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/ranking"
	"amstel.dev/amstel/web"
)

// shows fails the test unless the page has exactly these texts, in their order.
func (p *plainSite) shows(who, path string, texts ...string) {
	p.t.Helper()
	c := p.visitor()
	if who != "" {
		c = p.as(who)
	}
	if got := textsOn(c, path); !slices.Equal(got, texts) {
		p.t.Errorf("%s for %q has %q, want %q", path, who, got, texts)
	}
}

// textsOn are the texts of a page's entries.
func textsOn(c *client, path string) (texts []string) {
	c.b.t.Helper()
	page := c.get(path).ok()
	for i := 0; page.at("entries", i) != nil; i++ {
		texts = append(texts, page.at("entries", i, "text").(string))
	}
	return texts
}

func (p *plainSite) like(who string, post timeline.PostID) {
	p.t.Helper()
	p.must(p.store.Like(p.t.Context(), p.ids[who], post))
}

func (p *plainSite) say(who string, post timeline.PostID, text string) {
	p.t.Helper()
	_, err := p.store.AddComment(p.t.Context(), p.ids[who], post, timeline.NewComment{Text: text})
	p.must(err)
}

func (p *plainSite) list(who, name string, feeds ...string) {
	p.t.Helper()
	id, err := p.store.CreateList(p.t.Context(), p.ids[who], name)
	p.must(err)
	for _, feed := range feeds {
		p.must(p.store.AddToList(p.t.Context(), p.ids[who], id, timeline.FeedName{Name: feed}))
	}
}

func (p *plainSite) setting(key, value string) {
	p.t.Helper()
	_, err := p.store.ArrangeSite(p.t.Context(), timeline.SiteEdit{key: value})
	p.must(err)
}

// TestEveryKindOfRiver: checklist MO4. The kinds are home; a person's feed, private
// sub-feed and posts for their eyes only; likes, comments, favourites; discussions;
// directs; groups; single posts; everything and the rankings, by language too;
// searches.
func TestEveryKindOfRiver(t *testing.T) {
	t.Parallel()
	p := newPlainSite(t, pgtest.New(t), river.Settings{}, "author", "reader", "other")
	p.group("author", "tea", "public")
	lang := "nl"
	id, err := p.store.CreatePost(t.Context(), p.ids["author"], timeline.NewPost{To: []string{"user", "group:tea"}, Text: "secret00001x #tag @reader bridge", Lang: lang})
	p.must(err)
	p.publish("author", "secret00002x", "user_private")
	p.publish("author", "secret00003x", "user_fyeo")
	p.publish("author", "secret00004x", "direct:reader")
	p.like("reader", id)
	p.must(p.store.Fav(t.Context(), p.ids["reader"], id))
	p.say("reader", id, "secret00005x")
	p.list("reader", "near", "author")
	_, err = ranking.Rank(t.Context(), p.store)
	p.must(err)
	p.right("all kinds")
	const open, private, eyes, direct = "secret00001x #tag @reader bridge", "secret00002x", "secret00003x", "secret00004x"
	today := time.Now().UTC().Format("2006/01/02")
	for _, tt := range []struct {
		who, path, what string
		texts           []string
	}{
		{"author", "/index", "home", []string{open, direct, eyes, private}},
		{"reader", "/index", "home", []string{open, direct}},
		{"", "/index", "everything", []string{open}},
		{"author", "/author", "user", []string{open, eyes, private}},
		{"reader", "/author", "user", []string{open}},
		{"author", "/author/private", "user_private", []string{private}},
		{"author", "/filter/fyeo", "user_fyeo", []string{eyes}},
		{"", "/reader/likes", "user_likes", []string{open}},
		{"", "/reader/comments", "user_comments", []string{open}},
		{"reader", "/filter/favs", "favs", []string{open}},
		{"author", "/filter/discussions", "discussions", []string{open, direct, eyes, private}},
		{"reader", "/filter/discussions", "discussions", []string{open}},
		{"author", "/filter/directs", "directs", []string{direct}},
		{"reader", "/filter/directs", "directs", []string{direct}},
		{"other", "/filter/directs", "directs", nil},
		{"", "/tea", "group", []string{open}},
		{"", fmt.Sprintf("/author/%d", id), "post", []string{open}},
		{"", "/filter/everything", "everything", []string{open}},
		{"", "/filter/everything/nl", "everything", []string{open}},
		{"", "/filter/best_of", "best_of", []string{open}},
		{"", "/filter/best_of/nl", "best_of", []string{open}},
		{"", "/filter/most_faved", "most_faved", []string{open}},
		{"", "/filter/most_faved/nl", "most_faved", []string{open}},
		{"reader", "/filter/mentions", "mentions", []string{open}},
		{"author", "/filter/mentions", "mentions", nil},
		{"", "/author/calendar/" + today, "day", []string{open}},
		{"author", "/author/calendar/" + today[:7], "day", []string{eyes, private, open}},
		{"reader", "/list/near", "list", []string{open}},
	} {
		c := p.visitor()
		if tt.who != "" {
			c = p.as(tt.who)
		}
		page := c.get(tt.path + ".json").ok()
		if got := page.at("river", "what"); got != tt.what {
			t.Errorf("%s is a river of %v, want %s", tt.path, got, tt.what)
		}
		p.shows(tt.who, tt.path+".json", tt.texts...)
	}
	for query, want := range map[string]string{"%23tag": "hashtag", "bridge": "search", "from:author": "search"} {
		page := p.visitor().get("/s.json?q=" + query).ok()
		if got := page.at("river", "what"); got != want || page.at("entries", 0, "text") != open || page.at("entries", 1) != nil {
			t.Errorf("a search for %s is a river of %v, want %s, with %s", query, got, want, page.body)
		}
	}
}

// TestSinglePostIsARiver: checklist MO5. The page of a single post is updated, guarded
// and kept like any other river.
func TestSinglePostIsARiver(t *testing.T) {
	t.Parallel()
	p := newPlainSite(t, pgtest.New(t), river.Settings{}, "author", "reader")
	id := p.publish("author", "secret00001x", "user")
	path := fmt.Sprintf("/author/%d", id)
	reader := p.as("reader")
	page := reader.get(path + ".json").ok()
	if page.at("river", "is_single_post") != true || page.at("river", "live") != true || page.at("entries", 0, "text") != "secret00001x" || page.at("entries", 1) != nil {
		t.Fatal(page.body)
	}
	s, _, ok := reader.open(path, page.at("river", "uuid").(string), "json")
	if !ok {
		t.Fatal("no socket")
	}
	p.publish("author", "secret00002x", "user") // another river's
	for i := range 7 {
		p.say("author", id, fmt.Sprintf("secret0001%dx", i))
	}
	if told := s.until("secret00016x"); strings.Contains(told, "secret00002x") {
		t.Error("another post came into it")
	}
	if page := reader.get(path + ".json").ok(); page.at("entries", 0, "comments", 6) == nil {
		t.Error("not all comments are there")
	}
	p.status("author", "private")
	p.recordApplied("closed")
	for {
		f, ok := s.read()
		if !ok || strings.Contains(string(f), `"gone":true`) {
			break
		}
	}
	if got := reader.get(path + ".json").status; got != 404 {
		t.Errorf("what may not be read any more: %d", got)
	}
}

// TestTwoServersShowAndPushTheSame: checklist MO12. Two servers with river DBs of
// their own show the same page to the same person, and both push.
func TestTwoServersShowAndPushTheSame(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	p := newPlainSite(t, pool, river.Settings{}, "author", "reader", "fan")
	second := setupWith(t, pool, web.Config{}, river.Settings{})
	second.ids = p.ids
	p.follow("reader", "fan")
	p.list("reader", "near", "author")
	id, err := p.store.CreatePost(t.Context(), p.ids["author"], timeline.NewPost{To: []string{"user"}, Text: "secret00001x #tag @reader bridge", Lang: "en"})
	p.must(err)
	p.like("fan", id)
	paths := []string{"/index.json", "/list/near.json", "/filter/mentions.json", "/filter/everything/en.json", "/s.json?q=bridge", "/s.json?q=%23tag",
		"/author.json", fmt.Sprintf("/author/%d.json", id)}
	clients := []*client{p.as("reader"), second.as("reader")}
	same := func(want ...string) {
		t.Helper()
		p.must(p.node.WaitApplied(t.Context()))
		p.must(second.node.WaitApplied(t.Context()))
		for _, path := range paths {
			one, other := clients[0].get(path).ok(), clients[1].get(path).ok()
			if fmt.Sprint(one.at("entries")) != fmt.Sprint(other.at("entries")) {
				t.Errorf("%s: %v and %v", path, one.at("entries"), other.at("entries"))
			}
			for _, text := range want {
				if !strings.Contains(one.body, text) {
					t.Errorf("%s is without %s", path, text)
				}
			}
		}
	}
	same("secret00001x")
	var sockets []*socket
	for _, c := range clients {
		for _, path := range paths {
			s, _, ok := c.open(path, c.get(path).ok().at("river", "uuid").(string), "json")
			if !ok {
				t.Fatalf("no socket for %s", path)
			}
			sockets = append(sockets, s)
		}
	}
	clients[1].comment(fmt.Sprint(id), "secret00002x") // by one of them
	for _, s := range sockets {
		s.until("secret00002x")
	}
	same("secret00001x", "secret00002x")
}

// TestSeveralHomes: checklist FF2, FF9 and SO9. Homes and lists act for one person and
// are visible to that person only. The default home has the feeds of friends, groups
// and oneself, what friends and oneself like and comment on, and one's directs; one's
// own posts can be left out.
func TestSeveralHomes(t *testing.T) {
	t.Parallel()
	p := newPlainSite(t, pgtest.New(t), river.Settings{}, "owner", "friend", "stranger", "author")
	p.group("author", "tea", "public")
	p.follow("owner", "friend")
	p.follow("owner", "tea")
	p.list("owner", "far", "author", "tea")
	p.list("owner", "empty")
	p.publish("friend", "secret00001x", "user")
	p.publish("author", "secret00002x", "group:tea")
	liked := p.publish("author", "secret00003x", "user")
	p.like("friend", liked)
	p.publish("owner", "secret00004x", "user")
	p.publish("stranger", "secret00005x", "direct:owner")
	mine := p.publish("author", "secret00006x", "user")
	p.like("owner", mine)
	p.publish("stranger", "secret00007x", "user")
	p.right("homes")
	p.shows("owner", "/index.json", "secret00006x", "secret00005x", "secret00004x", "secret00003x", "secret00002x", "secret00001x")
	p.shows("owner", "/list/far.json", "secret00006x", "secret00003x", "secret00002x")
	p.shows("owner", "/list/empty.json")
	for _, who := range []string{"friend", "author"} {
		if got := p.as(who).get("/list/far.json").status; got != 404 {
			t.Errorf("%s opens another's list: %d", who, got)
		}
	}
	if got := p.visitor().get("/list/far.json").status; got != 401 {
		t.Errorf("a visitor opens a list: %d", got)
	}
	p.must(p.store.SetOwnPosts(t.Context(), p.ids["owner"], false))
	p.right("without own posts")
	p.shows("owner", "/index.json", "secret00006x", "secret00005x", "secret00003x", "secret00002x", "secret00001x")
	p.must(p.store.Mute(t.Context(), p.ids["owner"], "friend", timeline.MutedParts{Likes: true}))
	p.right("without a friend's likes")
	p.shows("owner", "/index.json", "secret00006x", "secret00005x", "secret00002x", "secret00001x")
}

// TestBothOrdersOfEveryFeed: checklist FF6.
func TestBothOrdersOfEveryFeed(t *testing.T) {
	t.Parallel()
	p := newPlainSite(t, pgtest.New(t), river.Settings{}, "author", "reader")
	p.follow("reader", "author")
	p.list("reader", "near", "author")
	first := p.publish("author", "secret00001x #tag", "user")
	second := p.publish("author", "secret00002x #tag", "user")
	p.like("reader", first)
	p.like("reader", second)
	p.say("reader", first, "secret00003x")
	p.say("reader", second, "secret00004x")
	p.say("reader", first, "secret00005x")
	p.right("two posts")
	for _, path := range []string{"/index.json", "/author.json", "/reader/likes.json", "/reader/comments.json", "/filter/everything.json",
		"/filter/discussions.json", "/list/near.json", "/s.json?q=%23tag&unknown=", "/s.json?q=from:author&unknown="} {
		and := map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")]
		p.shows("reader", path, "secret00001x #tag", "secret00002x #tag")
		p.shows("reader", path+and+"order=fresh", "secret00001x #tag", "secret00002x #tag")
		p.shows("reader", path+and+"order=created", "secret00002x #tag", "secret00001x #tag")
	}
}

// TestBumps: checklist FF7. A new comment bumps everywhere if the post is younger than
// a day or had more than two comments in the last day; coming into a home by an event
// bumps there only.
func TestBumps(t *testing.T) {
	t.Parallel()
	p := newPlainSite(t, pgtest.New(t), river.Settings{}, "author", "friend", "reader")
	p.follow("reader", "friend")
	p.setting("bump", timeline.BumpFreeFeed)
	p.setting("lift", "on")
	old := p.publish("author", "secret00001x", "user")
	// The post was published two days ago.
	for _, query := range []string{
		`update posts set published_at = published_at - interval '2 days', fresh_at = fresh_at - 172800000 where id = $1`,
		`update timeline_entries set fresh_at = fresh_at - 172800000, entered_at = entered_at - 172800000 where post_id = $1`,
	} {
		_, err := p.pool.Exec(t.Context(), query, old)
		p.must(err)
	}
	_, err := p.pool.Exec(t.Context(), `update log_head set uuid = gen_random_uuid()`) // written behind the log
	p.must(err)
	p.publish("friend", "secret00002x", "user")
	p.right("an old post")
	p.shows("", "/filter/everything.json", "secret00002x", "secret00001x")
	p.shows("reader", "/index.json", "secret00002x")
	for i := range 3 {
		p.say("author", old, fmt.Sprintf("secret0001%dx", i))
	}
	p.right("three comments do not bump what is old")
	p.shows("", "/filter/everything.json", "secret00002x", "secret00001x")
	p.like("friend", old)
	p.right("a friend's like lifts it into a home, there only")
	p.shows("reader", "/index.json", "secret00001x", "secret00002x")
	p.shows("", "/filter/everything.json", "secret00002x", "secret00001x")
	p.shows("", "/friend/likes.json", "secret00001x")
	p.say("author", old, "secret00013x")
	p.right("a fourth comment in a day bumps it everywhere")
	p.shows("", "/filter/everything.json", "secret00001x", "secret00002x")
}

// TestPostComesToMoreFeeds: checklist FF8 and FF10. A post that comes into more feeds comes into
// the homes of their followers who may read the feeds. When a post leaves feeds, each home
// decides again: the post stays while a reason remains.
func TestPostComesToMoreFeeds(t *testing.T) {
	t.Parallel()
	p := newPlainSite(t, pgtest.New(t), river.Settings{}, "author", "member", "friend")
	p.group("author", "tea", "private")
	p.follow("member", "tea")
	p.follow("friend", "author")
	p.list("member", "groups", "tea")
	id := p.publish("author", "secret00001x", "user")
	p.right("in one feed")
	p.shows("member", "/index.json")
	p.shows("friend", "/index.json", "secret00001x")
	move := func(to ...string) {
		p.must(p.store.EditPost(t.Context(), p.ids["author"], id, timeline.PostEdit{To: to}))
		p.right(fmt.Sprintf("moved to %v", to))
	}
	move("user", "group:tea")
	p.shows("member", "/index.json", "secret00001x")
	p.shows("friend", "/index.json", "secret00001x")
	p.shows("member", "/list/groups.json", "secret00001x")
	move("group:tea")
	p.shows("member", "/index.json", "secret00001x")
	p.shows("friend", "/index.json")
	move("user")
	p.shows("member", "/index.json")
	p.shows("friend", "/index.json", "secret00001x")
}

// TestPostThatComesBackIsNotLiftedAgain: checklist FF15.
func TestPostThatComesBackIsNotLiftedAgain(t *testing.T) {
	t.Parallel()
	p := newPlainSite(t, pgtest.New(t), river.Settings{}, "author", "friend", "reader")
	p.setting("lift", "on")
	p.follow("reader", "friend")
	liked := p.publish("author", "secret00001x", "user")
	p.like("friend", liked)
	p.publish("friend", "secret00002x", "user")
	p.right("liked")
	p.shows("reader", "/index.json", "secret00002x", "secret00001x")
	p.must(p.store.Unlike(t.Context(), p.ids["friend"], liked))
	p.right("not liked")
	p.shows("reader", "/index.json", "secret00002x")
	p.like("friend", liked)
	p.right("liked again")
	p.shows("reader", "/index.json", "secret00002x", "secret00001x")
	// Nor in a rebuilt river.
	p.must(p.store.Unsubscribe(t.Context(), p.ids["reader"], timeline.FeedName{Name: "friend"}))
	p.follow("reader", "friend")
	p.right("subscribed anew")
	p.shows("reader", "/index.json", "secret00002x", "secret00001x")
}

// An asked notes the statements to the primary.
type asked struct {
	mu    sync.Mutex
	texts []string
}

func (a *asked) note(texts ...string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.texts = append(a.texts, strings.Join(texts, ";\n"))
}

func (a *asked) take() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	taken := a.texts
	a.texts = nil
	return taken
}

func (a *asked) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	a.note(data.SQL)
	return ctx
}
func (*asked) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (a *asked) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	var texts []string
	for _, q := range data.Batch.QueuedQueries {
		texts = append(texts, q.SQL)
	}
	a.note(texts...)
	return ctx
}
func (*asked) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (*asked) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

// TestStatementsOfEachKindOfPage: checklist FF1. A first visit chooses its posts by one
// statement, or by two for a home or list with lift. A visit to a living page needs none.
func TestStatementsOfEachKindOfPage(t *testing.T) {
	t.Parallel()
	config, err := pgxpool.ParseConfig(pgtest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	primary := &asked{}
	config.ConnConfig.Tracer = primary
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	p := newPlainSite(t, pool, river.Settings{}, "author", "reader")
	p.group("author", "tea", "public")
	p.follow("reader", "author")
	p.follow("reader", "tea")
	p.list("reader", "near", "author", "tea")
	for i := range 60 {
		id, err := p.store.CreatePost(t.Context(), p.ids["author"], timeline.NewPost{
			To: []string{"user", "group:tea"}, Text: fmt.Sprintf("secret%05dx bridge #tag @reader", i), Lang: "en"})
		p.must(err)
		p.like("reader", id)
		p.must(p.store.Fav(t.Context(), p.ids["reader"], id))
		p.say("reader", id, fmt.Sprintf("secret%05dx ferry", 100+i))
	}
	p.publish("author", "secret00300x", "direct:reader")
	_, err = ranking.Rank(t.Context(), p.store)
	p.must(err)
	p.recordApplied("all there")
	reader := p.as("reader")
	// All pages share the statements of the loop, and the statements that identify the viewer.
	usual := make(map[string]bool)
	primary.take()
	reader.get("/api/v1/whoami").ok()
	for range 5 {
		p.must(p.node.WaitApplied(t.Context()))
	}
	for _, text := range primary.take() {
		usual[text] = true
	}
	of := func(path string) (all, choosing []string) {
		primary.take()
		reader.get(path).ok()
		for _, text := range primary.take() {
			if usual[text] {
				continue
			}
			all = append(all, text)
			if flat := strings.Join(strings.Fields(text), " "); (strings.Contains(flat, "limit $") || strings.Contains(flat, "limit @")) && (strings.Contains(flat, "timeline_entries") || strings.Contains(flat, "post_words")) {
				choosing = append(choosing, text)
			}
		}
		return all, choosing
	}
	for _, path := range []string{"/index", "/author", "/author/private", "/reader/likes", "/reader/comments", "/tea", "/list/near", "/filter/directs", "/filter/favs",
		"/filter/discussions", "/filter/mentions", "/filter/fyeo", "/filter/everything", "/filter/everything/en", "/filter/best_of", "/filter/most_faved",
		"/filter/best_of/en?period=day", "/s?q=bridge", "/s?q=ferry+in:comments", "/s?q=liked-by:reader", "/s?q=%23tag",
		"/author/calendar/" + time.Now().UTC().Format("2006")} {
		if path == "/author/private" {
			path = "/reader/private"
		}
		path = strings.Replace(path, "?", ".json?", 1)
		if !strings.Contains(path, ".json") {
			path += ".json"
		}
		first, choosing := of(path)
		want := 1
		if path == "/index.json" || path == "/list/near.json" {
			want = 2 // the freshest posts, and the posts that likes and comments brought last
		}
		if len(choosing) != want || len(first) > 14 {
			t.Errorf("a first visit of %s is %d statements, of which %d choose:\n%s", path, len(first), len(choosing), strings.Join(choosing, "\n--\n"))
		}
		hot, _ := of(path)
		t.Logf("%s: %d statements, then %d", path, len(first), len(hot))
		if strings.Contains(path, "/calendar/") {
			continue // the days around are counted each time
		}
		if len(hot) > 2 || slices.ContainsFunc(hot, func(text string) bool {
			return strings.Contains(text, "timeline_entries") || strings.Contains(text, "comments")
		}) {
			t.Errorf("a hot visit of %s is %d statements:\n%s", path, len(hot), strings.Join(hot, "\n--\n"))
		}
	}
}
