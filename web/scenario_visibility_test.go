package web_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/timeline/ranking"
)

// An audience is a kind of post, and the post's readers.
type audience struct {
	name, author string
	to           []string
	readers      string // of the people below; its author always is a reader
	listed       bool   // in everything
}

// audiences are the posts, of these people:
//
//   - pub, pro and pri write to a public, a protected and a private feed; hermit writes
//     posts for hermit's eyes only.
//   - friend follows the first three, is in the groups open and closed, gets the direct
//     messages, and likes, comments on and makes a favourite of every readable post.
//   - insider subscribes to pub's private sub-feed alone.
//   - shut is excluded from pro's feed and from the guild.
//   - late follows pub and pri from some time on, forward only.
//   - second gets a direct beside friend.
//   - stranger, and warden, an administrator of the site, follow no feed.
//   - outcast is banned by pub, pro and pri.
var audiences = []audience{
	{"public", "pub", []string{"user"}, "anonymous " + signedIn, true},
	{"protected", "pro", []string{"user"}, without(signedIn, "shut"), true},
	{"private", "pri", []string{"user"}, "friend late", false},
	{"fyeo", "hermit", []string{"user"}, "", false},
	{"opengroup", "pub", []string{"group:open"}, "anonymous " + signedIn, true},
	{"guild", "pub", []string{"group:guild"}, without(signedIn, "shut"), true},
	{"closedgroup", "pub", []string{"group:closed"}, "friend", false},
	{"bothgroups", "pub", []string{"group:open", "group:closed"}, "anonymous " + signedIn, true},
	{"guildandclosed", "pub", []string{"group:guild", "group:closed"}, without(signedIn, "shut"), true},
	{"privateandopen", "pri", []string{"user", "group:open"}, "anonymous " + signedIn, true},
	{"subfeedandclosed", "pub", []string{"user_private", "group:closed"}, "insider friend", false},
	{"privateandsubfeed", "pri", []string{"user", "user_private"}, "friend late", false},
	{"direct", "pub", []string{"direct:friend"}, "friend", false},
	{"directs", "pub", []string{"direct:friend", "direct:second"}, "friend second", false},
	{"eyesonly", "pub", []string{"user_fyeo"}, "", false},
	{"subfeed", "pub", []string{"user_private"}, "insider", false},
}

// signedIn are all people who may read protected posts: all but outcast.
const signedIn = "stranger friend warden pub pro pri hermit insider shut late second"

var viewers = append([]string{"anonymous", "outcast"}, strings.Fields(signedIn)...)

// without returns a list without one of its elements.
func without(list, one string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(list), func(name string) bool { return name == one }), " ")
}

func (a audience) open(viewer string) bool {
	return viewer == a.author || slices.Contains(strings.Fields(a.readers), viewer)
}

func (a audience) marker() string { return "marker-" + a.name + "-end" }

// text returns the text of a post of the kind: it names people, and has a tag and a word to
// search for.
func (a audience) text() string { return a.marker() + " #marked bridge @friend @stranger @outcast" }

// stage creates the people and the posts, and returns the posts' ids.
func stage(t *testing.T) (b *bundle, clients map[string]*client, posts map[string]string) {
	b = setup(t, "warden", "stranger", "friend", "outcast", "pub", "pro", "pri", "hermit", "insider", "shut", "late", "second")
	clients = map[string]*client{"anonymous": b.visitor()}
	for name := range b.ids {
		clients[name] = b.as(name)
	}
	set := func(name, status string) {
		clients[name].send("PATCH", "/api/v1/users/"+numberText(float64(b.ids[name])), object{"user": object{"status": status}}).ok()
	}
	set("pro", "protected")
	set("pri", "private")
	set("hermit", "fyeo")
	for name, status := range map[string]string{"open": "public", "closed": "private", "guild": "protected"} {
		clients["pub"].send("POST", "/api/v1/groups", object{"group": object{"name": name, "display_name": name, "status": status}}).ok()
	}
	for _, name := range []string{"pub", "pro", "pri"} {
		clients["friend"].send("POST", "/api/v1/users/"+name+"/subscribers", nil).ok()
	}
	clients["friend"].send("POST", "/api/v1/groups/open/subscribers", nil).ok()
	clients["friend"].send("POST", "/api/v1/groups/closed/subscribers", nil).ok()
	clients["pri"].send("POST", "/api/v1/groups/open/subscribers", nil).ok()
	for _, name := range []string{"pub", "pro", "pri"} {
		for _, r := range clients[name].get("/api/v1/subscription_requests").ok().at("subscription_requests").([]any) {
			clients[name].send("PUT", "/api/v1/subscription_requests/"+at(r, "request", "uuid").(string), nil).ok()
		}
		clients[name].send("POST", "/api/v1/users/outcast/ban", nil).ok()
	}
	clients["pub"].send("POST", "/api/v1/users/pub/private/invitations", object{"to": "insider"}).ok()
	clients["insider"].send("PUT", "/api/v1/invitations/"+clients["insider"].get("/api/v1/invitations").at("invitations", 0, "uuid").(string), nil).ok()
	clients["pro"].send("POST", "/api/v1/users/shut/exclusion", nil).ok()
	clients["pub"].send("POST", "/api/v1/groups/guild/exclusions/shut", nil).ok()
	posts = make(map[string]string)
	for _, a := range audiences {
		posts[a.name] = clients[a.author].post(a.text(), a.to...)
		if a.open("friend") {
			clients["friend"].send("POST", "/api/v1/posts/"+posts[a.name]+"/likes", nil).ok()
			clients["friend"].send("POST", "/api/v1/posts/"+posts[a.name]+"/favs", nil).ok()
			clients["friend"].comment(posts[a.name], "about "+a.marker()+" @stranger @insider")
		}
	}
	for _, name := range []string{"friend", "stranger"} {
		list := "/api/v1/lists/" + clients[name].send("POST", "/api/v1/lists", object{"name": "near"}).ok().id("list", "id")
		for _, feed := range []string{"pub", "pro", "pri", "hermit", "open", "closed", "guild", "friend"} {
			clients[name].send("POST", list+"/members", object{"name": feed}) // refused for feeds that they can't read
		}
	}
	if _, err := ranking.Rank(t.Context(), b.store); err != nil {
		t.Fatal(err)
	}
	clients["pri"].send("POST", "/api/v1/users/pri/invitations", object{"to": "late"}).ok()
	for _, name := range []string{"pub", "pri"} {
		clients["late"].send("POST", "/api/v1/users/"+name+"/subscribers", object{"forward_only": true}).result("subscribed")
	}
	return b, clients, posts
}

// everyPage are the pages on which posts could be listed.
var everyPage = []string{
	"/", "/filter/everything", "/filter/directs", "/filter/favs", "/open", "/closed", "/guild",
	"/pub", "/pub/comments", "/pub/likes", "/pro", "/pro/comments", "/pri", "/pri/comments", "/pri/likes",
	"/friend", "/friend/comments", "/friend/likes", "/stranger", "/stranger/comments", "/outcast", "/warden",
	"/hermit", "/hermit/comments", "/insider", "/insider/likes", "/late", "/second/comments",
	"/filter/discussions", "/filter/mentions", "/filter/fyeo", "/pub/private", "/pri/private", "/hermit/private", "/list/near",
	"/filter/best_of", "/filter/most_faved", "/filter/best_of?period=day", "/s?q=%23marked", "/s?q=bridge", "/s?q=bridge+from:pub",
	"/s?q=marker+in:comments", "/s?q=liked-by:friend", "/s?q=commented-by:friend+%23marked", "/s?q=group:closed",
	"/pub/calendar/" + thisYear, "/pri/calendar/" + thisYear, "/?order=created", "/?exclude_replies=1", "/notifications",
}

var thisYear = time.Now().UTC().Format("2006")

// asJSON is the address of a page for programs.
func asJSON(path string) string {
	at, query, asks := strings.Cut(path, "?")
	if at == "/" {
		at = "/index"
	}
	if at += ".json"; asks {
		at += "?" + query
	}
	return at
}

func TestVisibility(t *testing.T) {
	long(t)
	t.Parallel()
	b, clients, posts := stage(t)

	for _, a := range audiences {
		for _, viewer := range viewers {
			c, post := clients[viewer], posts[a.name]
			want := 404
			if a.open(viewer) {
				want = 200
			}
			for _, path := range []string{
				"/" + a.author + "/" + post, "/" + a.author + "/" + post + ".json",
				"/" + a.author + "/" + post + "/comments.json", "/" + a.author + "/" + post + "/likes.json",
			} {
				got := c.get(path)
				if got.status != want {
					t.Errorf("%s for %s: %s: %d, want %d", a.name, viewer, path, got.status, want)
				}
				if want == 404 && strings.Contains(got.body, a.marker()) {
					t.Errorf("%s for %s: %s tells it", a.name, viewer, path)
				}
			}
			// An address with a wrong name leads only readers of the post to the right one.
			if got := c.get("/wrong/" + post); a.open(viewer) != (got.status == 302) {
				t.Errorf("%s for %s: under a wrong name: %d", a.name, viewer, got.status)
			}
		}
	}

	// No page lists posts that its reader may not see; between them the pages list the rest.
	for _, viewer := range viewers {
		seen := make(map[string]bool)
		for _, path := range everyPage {
			for _, form := range []string{path, asJSON(path)} {
				got := clients[viewer].get(form)
				for _, a := range audiences {
					has := strings.Contains(got.body, a.marker())
					seen[a.name] = seen[a.name] || has
					if has && !a.open(viewer) {
						t.Errorf("%s tells %s of %s", form, viewer, a.name)
					}
					if path == "/filter/everything" && has != (a.listed && a.open(viewer)) {
						t.Errorf("%s, for %s, has %s: %v", form, viewer, a.name, has)
					}
				}
			}
		}
		for _, a := range audiences {
			if a.open(viewer) && !seen[a.name] {
				t.Errorf("no page shows %s to %s", a.name, viewer)
			}
		}
	}
	// late's home has only posts from after the subscription; the pages of people have all.
	for _, path := range []string{"/", "/index.json"} {
		if got := clients["late"].get(path).ok(); strings.Contains(got.body, "marker-") {
			t.Errorf("%s of a forward-only subscriber has earlier posts: %s", path, got.body)
		}
	}
	if got := clients["late"].get("/pri.json").ok(); !strings.Contains(got.body, "marker-private-end") {
		t.Error("the page of a person followed forward only is not whole")
	}
	visibleBySocket(t, b, clients, posts)
	if got := clients["late"].get("/").html(); !strings.Contains(got, "marker-private-end") || !strings.Contains(got, "marker-public-end") {
		t.Error("the home of a person who follows forward only lacks a newer post")
	}
}

// visibleBySocket opens every page that a viewer may open, and has things
// happen to every post.
func visibleBySocket(t *testing.T, b *bundle, clients map[string]*client, posts map[string]string) {
	type open struct {
		viewer, path string
		socket       *socket
		told         string
	}
	var all []*open
	for _, viewer := range viewers {
		for i, path := range everyPage {
			page := clients[viewer].get(path)
			if page.status != 200 || path == "/notifications" || strings.Contains(path, "order=") {
				continue // refused, or not live
			}
			if attribute(page.body, "data-river") == "" { // the page of a closed feed has no posts
				if got := clients[viewer].get(asJSON(path)); got.status != 403 {
					t.Errorf("%s has no river for %s, and is answered %d as JSON", path, viewer, got.status)
				}
				continue
			}
			as := []string{"html", "json"}[i%2]
			s, first, ok := clients[viewer].open(attribute(page.body, "data-page"), attribute(page.body, "data-river"), as)
			if !ok {
				t.Errorf("%s: no socket for %s", path, viewer)
				continue
			}
			all = append(all, &open{viewer, path, s, string(first)})
		}
	}
	for _, a := range audiences {
		if a.open("friend") {
			clients["friend"].comment(posts[a.name], "more about "+a.marker())
		}
		clients[a.author].comment(posts[a.name], "again about "+a.marker())
		clients[a.author].post(a.text(), a.to...)
	}
	// A frame is one state of the whole page, so a page that lists this comment has got all
	// changes before it.
	last := clients["stranger"].post("the last word", "user")
	clients["friend"].comment(last, "really the last")
	for _, o := range all {
		if slices.Contains([]string{"/filter/everything", "/stranger", "/friend/comments"}, o.path) || o.path == "/" && o.viewer == "anonymous" {
			o.told += o.socket.until("really the last")
		}
		for _, a := range audiences {
			if strings.Contains(o.told, a.marker()) && !a.open(o.viewer) {
				t.Errorf("the socket of %s tells %s of %s", o.path, o.viewer, a.name)
			}
			if o.path == "/filter/everything" && a.listed && a.open(o.viewer) && !strings.Contains(o.told, "again about "+a.marker()) {
				t.Errorf("the socket of %s does not tell %s of %s", o.path, o.viewer, a.name)
			}
		}
		_ = o.socket.conn.CloseNow()
	}
	if len(all) < 180 {
		t.Errorf("only %d sockets were opened", len(all))
	}
}

func TestFeedThatGoesPrivateLeavesOpenPages(t *testing.T) {
	long(t)
	t.Parallel()
	b, clients, posts := stage(t)
	friend := clients["friend"]
	page := friend.get("/pri").html()
	s, first, ok := friend.open("/pri", attribute(page, "data-river"), "html")
	if !ok || !strings.Contains(string(first), "marker-private-end") {
		t.Fatalf("%v %s", ok, first)
	}
	friend.send("DELETE", "/api/v1/users/pri/subscribers", nil).ok()
	// No page requested after the answer shows the lost posts.
	for _, path := range append(everyPage, "/pri/"+posts["private"]) {
		if got := friend.get(path); strings.Contains(got.body, "marker-private-end") {
			t.Errorf("%s still shows what the reader unsubscribed from", path)
		}
	}
	clients["pri"].post("after the parting", "user")
	for {
		f, ok := s.read()
		if !ok {
			break // closed: the page may not be opened any more
		}
		if strings.Contains(string(f), "after the parting") {
			t.Fatal("an open page is told what its reader may not see any more")
		}
	}
	clients["pub"].send("PATCH", "/api/v1/users/"+numberText(float64(b.ids["pub"])), object{"user": object{"status": "private"}}).ok()
	for _, path := range append(everyPage, "/pub/"+posts["public"]) {
		for _, viewer := range []string{"anonymous", "stranger"} {
			if got := clients[viewer].get(path); strings.Contains(got.body, "marker-public-end") {
				t.Errorf("%s shows %s what went private", path, viewer)
			}
		}
	}
}
