package web_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
)

func TestLeftOffLine(t *testing.T) {
	long(t)
	t.Parallel()
	v := newVisits(t, "anna", "bert")
	bert, anna := v.as("bert"), v.browser("anna")
	post := map[string]string{}
	write := func(names ...string) {
		t.Helper()
		for _, name := range names {
			post[name] = bert.post("post-"+name, "user")
		}
	}
	write("a", "b")
	v.shows(anna, "/bert", "b a") // a first visit has left nothing off
	v.advance(31 * time.Minute)
	v.shows(anna, "/bert", "(|) b a") // nothing new, but the line waits for new posts
	write("c")
	v.shows(anna, "/bert", "c | b a")
	bert.comment(post["a"], "up it goes")
	v.shows(anna, "/bert", "a c | b")
	v.advance(20 * time.Minute)
	v.shows(anna, "/bert", "a c | b") // the same visit
	v.advance(31 * time.Minute)
	v.shows(anna, "/bert", "(|) a c b")
	write("d", "e", "f")
	v.shows(anna, "/bert?count=2", "f e …")
	first := anna.get("/bert.json?count=2").ok()
	older, _ := first.at("precise_older_entries_url").(string)
	v.shows(anna, strings.Replace(older, ".json", "", 1), "d | a")
	v.shows(anna, "/bert?count=3", "f e d …")
	first = anna.get("/bert.json?count=3").ok()
	older, _ = first.at("precise_older_entries_url").(string)
	v.shows(anna, strings.Replace(older, ".json", "", 1), "| a c b") // exactly where the page above ended

	for name, want := range map[string]any{"fresh_at": anna.get("/bert.json?count=6").at("entries", 3, "fresh_at"), "post": number(t, post["a"])} {
		if got := first.at("river", "left_off", name); got != want {
			t.Errorf("left_off has %s %v, want %v", name, got, want)
		}
	}
	// Others, and other pages, have lines of their own or none.
	v.shows(v.browser("bert"), "/bert", "f e d a c b")
	v.shows(anna, "/filter/everything", "f e d a c b")
	if a := v.visitor().get("/bert.json"); a.at("river", "left_off") != nil {
		t.Error("the page of a visitor says where they left off")
	}
	if body := v.visitor().get("/bert").body; strings.Contains(body, "left-off") || strings.Contains(body, "data-keeps") {
		t.Error("the HTML page of a visitor says where they left off")
	}
	v.shows(anna, "/bert/"+post["a"], "a") // pages of one post have no line either
}

func TestOnlyPagesThatAreLookedAtCountAsVisits(t *testing.T) {
	t.Parallel()
	v := newVisits(t, "anna", "bert")
	bert, anna := v.as("bert"), v.browser("anna")
	bert.post("post-a", "user")
	v.shows(anna, "/bert", "a")
	v.advance(time.Hour)
	bert.post("post-b", "user")
	program := v.as("anna")
	prefetching := *anna
	prefetching.header = http.Header{"Sec-Purpose": {"prefetch;prerender"}}
	for range 2 {
		v.advance(time.Hour)
		anna.do("HEAD", "/bert", "", nil).ok()
		prefetching.get("/bert").ok()
		program.get("/bert.json").ok()
		anna.get("/bert.json").ok()
		for _, query := range []string{"?page=2", "?start_from=2100-01-01T00:00:00Z", "?before=4102444800000,1"} {
			anna.get("/bert" + query).ok()
		}
	}
	v.advance(time.Minute)
	v.shows(anna, "/bert", "b | a")

	// A program reports the entries that it showed.
	v.advance(time.Hour)
	bert.post("post-c", "user")
	top := program.get("/bert.json").at("entries", 0).(object)
	program.send("POST", "/api/v1/catch_up.json", object{"page": "/bert", "fresh_at": top["fresh_at"], "post": top["id"]}).ok()
	v.advance(time.Hour)
	v.shows(anna, "/bert", "(|) c b a")
}

// TestLeftOffPlaceIsSharedByDevicesAndNodes has one person use two devices at two nodes.
func TestLeftOffPlaceIsSharedByDevicesAndNodes(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	pool := pgtest.New(t)
	one := &visits{}
	one.bundle = setupOn(t, pool, web.Config{Now: one.now}, "anna", "bert")
	other := &visits{}
	other.bundle = setupOn(t, pool, web.Config{Now: other.now})
	other.ids = one.ids
	later := func(d time.Duration) {
		t.Helper()
		one.advance(d)
		other.advance(d)
	}
	posts := func(c *client, text string) { // both nodes know the post
		t.Helper()
		c.post(text, "user")
		if err := other.node.WaitApplied(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	bert, desk, phone := one.as("bert"), one.browser("anna"), other.browser("anna")
	posts(bert, "post-a")
	one.shows(desk, "/bert", "a")
	later(time.Hour)
	posts(bert, "post-b")
	one.shows(phone, "/bert", "b | a")
	later(time.Hour)
	posts(bert, "post-c")
	one.shows(desk, "/bert", "c | b a") // the post that the phone showed
	later(5 * time.Minute)
	one.shows(phone, "/bert", "c | b a") // the same visit
	later(time.Hour)
	// A node that ends writes the places that it has only noted so far.
	posts(bert, "post-d")
	one.shows(desk, "/bert", "d | c b a")
	if err := one.site.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	later(time.Hour)
	one.shows(phone, "/bert", "(|) d c b a")
}

// TestVisitsOfHomesAreNoted: a person who looks at the top of their home comes, and neither a
// program, nor a browser that prefetches, nor a reader of another page, nor a visitor.
func TestVisitsOfHomesAreNoted(t *testing.T) {
	t.Parallel()
	var came []timeline.UserID
	var mu sync.Mutex
	b := setupOn(t, pgtest.New(t), web.Config{Visited: func(user timeline.UserID) {
		mu.Lock()
		defer mu.Unlock()
		came = append(came, user)
	}}, "anna", "bert")
	anna := b.browser("anna")
	b.as("anna").post("soup", "user")
	prefetching := *anna
	prefetching.header = http.Header{"Sec-Purpose": {"prefetch;prerender"}}
	prefetching.get("/").ok()
	anna.do("HEAD", "/", "", nil).ok()
	b.as("anna").get("/index.json").ok()
	anna.get("/?page=2").ok()
	anna.get("/anna").ok()
	anna.get("/filter/everything").ok()
	b.visitor().get("/").ok()
	if len(came) != 0 {
		t.Errorf("%v came, before a person looked at their home", came)
	}
	anna.get("/").ok()
	anna.get("/").ok()
	if want := timeline.UserID(b.ids["anna"]); !slices.Equal(came, []timeline.UserID{want, want}) {
		t.Errorf("%v came, want Anna twice", came)
	}
}
