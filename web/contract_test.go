package web_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestContract checks the promises to programs written for Mokum, row by row of docs/wire.md.
// The rows share one server and run one after another, so each row must leave the people and
// posts that the others expect. A row that changes people or posts creates its own.

// contractRows are all rows, by the names that docs/wire.md has in "TestContract/NAME".
var contractRows = merged(ruleRows, pageRows, apiRows, shapeRows, htmlRows)

func merged(all ...map[string]func(*contract)) map[string]func(*contract) {
	rows := make(map[string]func(*contract))
	for _, some := range all {
		maps.Copy(rows, some)
	}
	return rows
}

func TestContract(t *testing.T) {
	long(t)
	t.Parallel()
	b := setup(t, "warden", "alice", "bobby", "carol", "david", "erika", "fiona", "gerda", "hermit")
	site := newContract(b)
	for _, name := range slices.Sorted(maps.Keys(contractRows)) {
		t.Run(name, func(t *testing.T) { contractRows[name](site.in(t)) })
	}
}

func TestContractIsDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/wire.md")
	if err != nil {
		t.Fatal(err)
	}
	told := make(map[string]bool)
	for _, found := range regexp.MustCompile("`TestContract/([a-z0-9_]+)`").FindAllStringSubmatch(string(text), -1) {
		told[found[1]] = true
		if contractRows[found[1]] == nil {
			t.Errorf("docs/wire.md names TestContract/%s, which is not there", found[1])
		}
	}
	for name := range contractRows {
		if !told[name] {
			t.Errorf("docs/wire.md does not name TestContract/%s", name)
		}
	}
}

// contract is a site with the posts that the rows are about. Bobby and alice follow each other;
// hermit's feed is private; alice administers the group cooks.
type contract struct {
	*testing.T
	b *bundle

	popular, both, secret, eyes, direct, nsfw string // posts by alice
	comment                                   string // the first on popular, by bobby
}

// popularText has links, characters to escape, and a line break.
const popularText = "Soup & <b>: https://example.org/a\n@bobby #soup"

func newContract(b *bundle) *contract {
	c := &contract{T: b.t, b: b}
	alice, bobby := b.as("alice"), b.as("bobby")
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "cooks", "display_name": "Cooks", "description": "We cook."}}).ok()
	alice.send("POST", "/api/v1/users/bobby/subscribers", nil).result("subscribed")
	bobby.send("POST", "/api/v1/users/alice/subscribers", nil).result("subscribed")
	b.as("hermit").send("PATCH", "/api/v1/users/9", object{"user": object{"status": "private", "description": "I am alone."}}).ok()
	c.secret, c.eyes = alice.post("for few", "user_private"), alice.post("for me", "user_fyeo")
	c.direct = alice.post("psst", "direct:bobby")
	c.nsfw = alice.send("POST", "/api/v1/posts", object{"post": object{"text": "hm", "timelines": []string{"user"}, "nsfw": true, "comments_disabled": 1}}).id("post", "id")
	c.both = alice.post("in two places", "user", "group:cooks")
	c.popular = alice.post(popularText, "user")
	for i, name := range []string{"bobby", "carol", "david", "erika", "fiona", "gerda"} {
		fan := b.as(name)
		fan.send("POST", "/api/v1/posts/"+c.popular+"/likes.json", nil).result("liked")
		id := fan.comment(c.popular, "by "+name)
		if i == 0 {
			c.comment = id
		}
		if i == 2 {
			bobby.send("POST", "/api/v1/posts/"+c.popular+"/clike/"+id, nil).result("liked")
		}
	}
	return c
}

// in returns the site for the test of one row.
func (c *contract) in(t *testing.T) *contract {
	site, b := *c, *c.b
	site.T, b.t = t, t
	site.b = &b
	return &site
}

// same fails the row unless a part of an answer is as wanted.
func (c *contract) same(a answer, want any, path ...any) {
	c.Helper()
	if got := a.at(path...); got != want {
		c.Errorf("%v is %v, want %v, in %.600s", path, got, want, a.body)
	}
}

// refused fails the row unless an answer is a refusal in the shape of all refusals.
func (c *contract) refused(a answer, status int, code string) {
	c.Helper()
	said, _ := a.at("error").(string)
	if a.status != status || a.at("code") != code || said == "" || a.at("err") != said || !strings.HasPrefix(a.header.Get("Content-Type"), "application/json") {
		c.Errorf("answered %d, want %d %s: %s", a.status, status, code, a.body)
	}
}

// entry returns the entry of a post on a page.
func (c *contract) entry(a answer, post string) object {
	c.Helper()
	for _, e := range a.ok().at("entries").([]any) {
		if numberText(at(e, "id")) == post {
			return e.(object)
		}
	}
	c.Fatalf("no entry of post %s in %s", post, a.body)
	return nil
}

// posts returns the posts of a page, in order.
func posts(a answer) (ids []string) {
	list, _ := a.ok().at("entries").([]any)
	for _, e := range list {
		ids = append(ids, numberText(at(e, "id")))
	}
	return ids
}
