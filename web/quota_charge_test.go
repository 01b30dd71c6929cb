package web_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"amstel.dev/amstel/internal/nodetest"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
)

// quotaSite starts a site whose web clock stands at 20 minutes past an hour, behind a proxy of this
// machine, with these quotas.
func quotaSite(t *testing.T, quotas timeline.SiteEdit, people ...string) (b *bundle, config web.Config, now *atomic.Int64) {
	t.Helper()
	now = new(atomic.Int64)
	now.Store(time.Now().Truncate(time.Hour).Add(20 * time.Minute).UnixNano())
	config = web.Config{
		Now:        func() time.Time { return time.Unix(0, now.Load()) },
		TrustProxy: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
	}
	b = setupOn(t, pgtest.New(t), config, people...)
	b.set(quotas)
	return b, config, now
}

// set sets quotas, and waits until the node follows them.
func (b *bundle) set(quotas timeline.SiteEdit) {
	b.t.Helper()
	settings, err := b.store.ArrangeSite(b.t.Context(), quotas)
	if err != nil {
		b.t.Fatal(err)
	}
	b.follows(settings)
}

// follows waits until the node has these settings.
func (b *bundle) follows(settings timeline.SiteSettings) {
	b.t.Helper()
	b.waitUntilNothingWrong(func() string {
		if got := b.node.Site(); got != settings {
			return fmt.Sprintf("the node has %+v", got.Quotas)
		}
		return ""
	})
}

// admitted returns how many of n requests are not answered 429.
func (c *client) admitted(path string, n int) (all int) {
	for range n {
		switch a := c.get(path); a.status {
		case http.StatusOK:
			all++
		case http.StatusTooManyRequests:
		default:
			c.b.t.Fatalf("%s: %d %s", path, a.status, a.body)
		}
	}
	return all
}

func TestQuotaOfAToken(t *testing.T) {
	t.Parallel()
	b, _, now := quotaSite(t, timeline.SiteEdit{"quotas.token": "10", "quotas.person": "1000"}, "alice", "bob")
	alice, other, bob := b.as("alice"), b.as("alice"), b.as("bob")
	a := alice.get("/alice.json").ok()
	for name, want := range map[string]string{
		"RateLimit-Policy": `"token";q=10;w=3600, "person";q=1000;w=3600`,
		"RateLimit":        `"token";r=9;t=2400, "person";r=999;t=2400`,
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if n := alice.admitted("/alice.json", 20); n != 9 {
		t.Errorf("%d more requests are admitted, want 9", n)
	}
	a = alice.send("POST", "/api/v1/posts", object{"post": object{"text": "hoi", "timelines": []string{"user"}}})
	if a.status != 429 || a.at("code") != "throttled" || a.at("error") != "All requests of this hour are used up. Try again in 40 minutes." ||
		a.header.Get("Retry-After") != "2400" || !strings.HasPrefix(a.header.Get("RateLimit"), `"token";r=0;t=2400`) {
		t.Errorf("a write over the quota: %d %v %s", a.status, a.header, a.body)
	}
	if n := len(b.session("alice").get("/alice.json").ok().at("entries").([]any)); n != 0 {
		t.Error("a write over the quota was done")
	}
	other.get("/alice.json").ok()
	bob.get("/alice.json").ok()
	b.session("alice").get("/alice.json").ok()
	now.Add(int64(40 * time.Minute))
	if left := alice.get("/alice.json").ok().header.Get("RateLimit"); !strings.HasPrefix(left, `"token";r=9;t=3600`) {
		t.Errorf("in the next hour: %s", left)
	}
}

// TestQuotaOfAPerson checks that all tokens and sessions of a person have one quota together, that pages
// say so in the reader's language, and that another person has another quota.
func TestQuotaOfAPerson(t *testing.T) {
	t.Parallel()
	b, _, _ := quotaSite(t, timeline.SiteEdit{"quotas.person": "12"}, "alice", "bob")
	all := 0
	for range 5 {
		all += b.as("alice").admitted("/alice.json", 3)
	}
	if all != 12 {
		t.Errorf("%d requests are admitted by five tokens, want 12", all)
	}
	alice := b.session("alice")
	alice.accept = "text/html"
	alice.header.Set("Accept-Language", "ru")
	a := alice.get("/alice")
	if a.status != 429 || !strings.Contains(a.body, "Все запросы этого часа израсходованы. Попробуйте через 40 минут.") || a.header.Get("Retry-After") != "2400" {
		t.Errorf("a page over the quota: %d %s", a.status, a.body)
	}
	b.as("bob").get("/alice.json").ok()
	b.visitor().get("/alice.json").ok()
}

// TestQuotaOfAnAddress checks that visitors without an account have a quota for each IPv4 address and
// each IPv6 /64, that requests for pictures do not count, and that pages for people have no numbers.
func TestQuotaOfAnAddress(t *testing.T) {
	t.Parallel()
	b, _, _ := quotaSite(t, timeline.SiteEdit{"quotas.address": "10"}, "alice")
	from := func(address string) *client {
		c := b.visitor()
		c.header.Set("X-Forwarded-For", address)
		return c
	}
	one := from("198.51.100.1")
	if a := one.get("/alice.json").ok(); a.header.Get("RateLimit") != `"address";r=9;t=2400` || a.header.Get("RateLimit-Policy") != `"address";q=10;w=3600` {
		t.Error(a.header)
	}
	one.accept = "text/html"
	if a := one.get("/alice").ok(); a.header.Get("RateLimit") != "" {
		t.Errorf("a page has the header %q", a.header.Get("RateLimit"))
	}
	for range 20 {
		one.get("/system/avatars/alice.svg").ok()
		one.get("/robots.txt").ok()
	}
	if n := one.admitted("/alice", 20); n != 8 {
		t.Errorf("%d more pages are admitted, want 8", n)
	}
	if a := one.form("POST", "/users/sign_in", "user[email]", "alice", "user[password]", "wrong"); a.status != 429 {
		t.Errorf("a form over the quota: %d", a.status)
	}
	bad := from("198.51.100.1")
	bad.token = "0-1-2"
	if a := bad.get("/alice.json"); a.status != 429 {
		t.Errorf("a guess of a token over the quota: %d", a.status)
	}
	signed := b.as("alice")
	signed.header.Set("X-Forwarded-For", "198.51.100.1")
	signed.get("/alice.json").ok()
	from("198.51.100.2").get("/alice.json").ok()
	six := 0
	for i := range 20 {
		six += from(fmt.Sprintf("2001:db8:1:2::%x", i)).admitted("/alice.json", 1)
	}
	if six != 10 {
		t.Errorf("%d requests from one /64 are admitted, want 10", six)
	}
	from("2001:db8:1:3::1").get("/alice.json").ok()
	if n := b.visitor().admitted("/alice.json", 30); n != 30 {
		t.Errorf("%d of 30 requests of this machine are admitted", n)
	}
}

// TestQuotaOnTwoNodesAndAfterARestart sends the requests of a token to two nodes with one primary. The nodes
// are restarted in the middle. Together they admit the whole quota, and at most a tenth more.
func TestQuotaOnTwoNodesAndAfterARestart(t *testing.T) {
	t.Parallel()
	long(t)
	const limit = 200
	b, config, now := quotaSite(t, timeline.SiteEdit{"quotas.token": strconv.Itoa(limit)}, "alice")
	token, other := b.as("alice").token, b.as("alice").token
	node := func() *nodetest.Site {
		site := nodetest.Start(t, nodetest.Config{Store: timeline.New(b.pool, timeline.Options{Argon: pgtest.Argon}), Web: config})
		(&bundle{t: t, node: site.Node}).follows(b.node.Site())
		return site
	}
	at := func(site *nodetest.Site, token string) *client {
		c := (&bundle{t: t, http: site.HTTP}).visitor()
		c.token = token
		return c
	}
	sites := []*nodetest.Site{node(), node()}
	all := 0
	for i := range limit / 2 {
		all += at(sites[i%2], token).admitted("/alice.json", 1)
	}
	if all != limit/2 {
		t.Fatalf("%d of the first %d requests are admitted", all, limit/2)
	}
	for i, site := range sites { // one node is stopped, the other is killed: it saves nothing
		site.Stop()
		if i == 0 {
			if err := site.Web.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	sites = []*nodetest.Site{node(), node()}
	for i := range limit {
		all += at(sites[i%2], token).admitted("/alice.json", 1)
	}
	t.Logf("%d requests are admitted of a quota of %d", all, limit)
	if all < limit || all > limit*11/10 {
		t.Errorf("%d requests are admitted of a quota of %d", all, limit)
	}
	for _, site := range sites {
		at(site, other).get("/alice.json").ok()
	}
	now.Add(int64(time.Hour))
	for _, site := range sites {
		at(site, token).get("/alice.json").ok()
	}
}

func TestSettingsShowQuotas(t *testing.T) {
	t.Parallel()
	b, _, _ := quotaSite(t, timeline.SiteEdit{"quotas.token": "50", "quotas.person": "0"}, "alice")
	alice := b.browser("alice")
	alice.form("POST", "/settings/tokens?form=token", "token[name]", "my bot", "token[scopes][]", "", "token[scopes][]", "read", "token[days]", "30")
	page := alice.get("/settings/tokens").ok().body
	secret := regexp.MustCompile(`class="secret"[^>]*value="([^"]+)"`).FindStringSubmatch(page)
	if secret == nil || !strings.Contains(page, "0 requests this hour, of 50") || !strings.Contains(page, "ends ") {
		t.Fatalf("the page has no new token: %s", page)
	}
	bot := b.visitor()
	bot.token = secret[1]
	bot.admitted("/alice.json", 3)
	if page = alice.get("/settings/tokens").ok().body; !strings.Contains(page, "3 requests this hour, of 50") {
		t.Error(page)
	}
	if a := bot.send("POST", "/api/v1/posts", object{"post": object{"text": "hoi"}}); a.status != 403 || a.at("code") != "scope" {
		t.Errorf("the token may only read: %d %s", a.status, a.body)
	}
	a := alice.form("POST", "/settings/tokens?form=token", "token[name]", "kept name", "token[scopes][]", "", "token[days]", "90")
	if a.status != 422 || !strings.Contains(a.body, "Choose at least one.") || !strings.Contains(a.body, `value="kept name"`) || !strings.Contains(a.body, `value="90" selected`) {
		t.Errorf("a form without a scope: %d %s", a.status, a.body)
	}
}
