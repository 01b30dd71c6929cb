package web_test

import (
	"net/url"
	"strings"
	"testing"
)

// An opened is the page of a river: its path, and the name and the epoch of its river.
type opened struct {
	path, uuid, epoch string
}

func (c *client) opens(path string) opened {
	c.b.t.Helper()
	shown := c.get(path).ok()
	return opened{path, shown.at("river", "uuid").(string), shown.at("river", "epoch").(string)}
}

// connects returns the first frame for an open page that connects again, and whether it may
// connect.
func (c *client) connects(o opened) (string, bool) {
	c.b.t.Helper()
	s, first, ok := c.open(o.path, o.uuid, "json")
	s.conn.CloseNow()
	return string(first), ok
}

// polls returns the answer to a poll of the same page.
func (c *client) polls(o opened) answer {
	c.b.t.Helper()
	query := url.Values{"river": {o.uuid}, "page": {o.path}, "epoch": {o.epoch}, "counter": {"1"}, "as": {"json"}}
	return c.get("/live/changes?" + query.Encode())
}

// TestOpenPageOfAnUnreadableTagAnswersLikeAnUnusedOne subscribes to the page of a tag that only
// an unreadable post has, and to the page of an unused tag, each from a page of either tag. The
// answers are the same.
func TestOpenPageOfAnUnreadableTagAnswersLikeAnUnusedOne(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	b.as("alice").post("#secret", "user_fyeo")
	for _, c := range []*client{b.visitor(), b.as("bobby")} {
		for _, by := range []string{"", "&by=tag", "&by=search"} {
			for _, made := range []bool{false, true} {
				told := make(map[string]string)
				for _, tag := range []string{"secret", "never"} {
					o := c.opens("/s.json?q=%23" + tag)
					own := o.uuid
					if o.path += by; made {
						o.uuid = "11111111-1111-8111-8111-111111111111"
					}
					a := c.polls(o)
					sent, ok := c.connects(o)
					if ok == made || (a.status == 200) == made {
						t.Errorf("%s, by a name of its own %v: the poll is answered %d, the socket %v", o.path, !made, a.status, ok)
					}
					sent, _, _ = strings.Cut(sent, `"epoch"`)
					told[tag] = strings.ReplaceAll(strings.ReplaceAll(a.header.Get("Content-Type")+" "+sent, own, "UUID"), tag, "TAG")
				}
				if told["secret"] != told["never"] {
					t.Errorf("%q: a tag of a secret post is answered with %s, a tag of no post with %s", by, told["secret"], told["never"])
				}
			}
		}
	}
}

// TestPageOfATagConnectsAgainAsWhatItWas: a page that was opened before its reader could read a
// post with its tag can connect again afterwards, and the other way round. The page connects by
// its address, which says nothing about the post.
func TestPageOfATagConnectsAgainAsWhatItWas(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, bobby := b.as("alice"), b.as("bobby")
	search := bobby.opens("/s.json?q=%23canals")
	post := alice.post("along the #canals", "user")
	tag := bobby.opens("/s.json?q=%23canals")
	if tag.uuid == search.uuid {
		t.Error("the page that was a search is the tag's now, by the same name")
	}
	for what, o := range map[string]opened{"search": search, "tag": tag} {
		if sent, ok := bobby.connects(o); !ok || !strings.Contains(sent, "along the") {
			t.Errorf("what was opened as a %s: %v %s", what, ok, sent)
		}
	}
	alice.send("DELETE", "/api/v1/posts/"+post, nil).ok()
	for what, o := range map[string]opened{"search": search, "tag": tag} {
		if sent, ok := bobby.connects(o); !ok || strings.Contains(sent, "along the") {
			t.Errorf("what was opened as a %s, after its only post went: %v %s", what, ok, sent)
		}
		if a := bobby.polls(o); a.status != 200 {
			t.Errorf("a poll for what was opened as a %s: %d", what, a.status)
		}
		if _, ok := alice.connects(o); ok {
			t.Errorf("another's, opened as a %s, connects", what)
		}
	}
}

// TestPageOfAListConnectsAgainAfterItIsRenamed checks that the page of a renamed list connects
// again, even if another list has the old name by then, and that the page's left-off place is
// kept.
func TestPageOfAListConnectsAgainAfterItIsRenamed(t *testing.T) {
	long(t)
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice := b.as("alice")
	b.as("bobby").post("of bobby", "user")
	made := alice.send("POST", "/api/v1/lists", object{"name": "Cats"}).ok()
	list := "/api/v1/lists/" + made.id("list", "id")
	alice.send("POST", list+"/members", object{"name": "bobby"}).result("added")
	cats := alice.opens("/list/Cats.json")
	holds := func(when string) {
		t.Helper()
		if sent, ok := alice.connects(cats); !ok || !strings.Contains(sent, "of bobby") {
			t.Errorf("%s: %v %s", when, ok, sent)
		}
		if a := alice.polls(cats); a.status != 200 {
			t.Errorf("%s a poll is answered %d %s", when, a.status, a.body)
		}
		seen := object{"page": cats.path, "river": cats.uuid, "fresh_at": "2016-06-18T18:08:14.000Z", "post": 5}
		alice.send("POST", "/api/v1/catch_up", seen).result("seen")
		if _, ok := b.as("bobby").connects(cats); ok {
			t.Errorf("%s another connects to it", when)
		}
	}
	holds("as it was")
	alice.send("PATCH", list, object{"name": "Dogs"}).ok()
	holds("renamed")
	alice.send("POST", "/api/v1/lists", object{"name": "Cats"}).ok()
	holds("where another has its name")
	if a := alice.polls(opened{"/list/Cows.json", cats.uuid + "0", cats.epoch}); a.status != 403 {
		t.Errorf("a list that is not there, by a name that is none's: %d", a.status)
	}
	alice.send("DELETE", list, nil).result("deleted")
	if sent, ok := alice.connects(cats); ok {
		t.Errorf("deleted: %s", sent)
	}
}
