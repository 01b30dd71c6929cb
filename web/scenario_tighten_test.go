package web_test

import (
	"slices"
	"strings"
	"testing"
)

// A taking is a write that takes a right away from a person, with the posts that the person can no
// longer read after it.
type taking struct {
	name, actor, method, path string
	body                      any
	loser                     string
	lost                      []string
}

// take does the write by a token, or by a session if a token may not do it.
func (b *bundle) take(clients map[string]*client, t taking) {
	b.t.Helper()
	actor := clients[t.actor]
	if t.method == "DELETE" && strings.HasPrefix(t.path, "users/") && strings.Count(t.path, "/") == 1 {
		actor = b.session(t.actor)
	}
	before := b.waits.tight.Load()
	actor.send(t.method, "/api/v1/"+t.path, t.body).ok()
	if b.waits.tight.Load() == before {
		b.t.Errorf("%s: the answer waited for no turn", t.name)
	}
}

// takings returns one write of each kind that takes a right away. Each is done after the writes
// before it.
func (b *bundle) takings(posts map[string]string) []taking {
	user := func(name string) string { return "users/" + numberText(float64(b.ids[name])) }
	return []taking{
		{"blocked from a group", "pub", "POST", "groups/guild/exclusions/stranger", nil, "stranger", []string{"guild", "guildandclosed"}},
		{"expelled from a group", "pub", "DELETE", "groups/closed/subscribers/friend", nil, "friend", []string{"closedgroup", "subfeedandclosed"}},
		{"put out of a private sub-feed", "pub", "DELETE", "users/pub/private/subscribers/insider", nil, "insider", []string{"subfeed", "subfeedandclosed"}},
		{"excluded from a protected feed", "pro", "POST", "users/second/exclusion", nil, "second", []string{"protected"}},
		{"put out of a private feed", "pri", "DELETE", "users/pri/subscribers/late", nil, "late", []string{"private", "privateandsubfeed"}},
		{"gone from a direct", "second", "DELETE", "posts/" + posts["directs"] + "/recipients", nil, "second", []string{"directs"}},
		{"the reader bans the author", "hermit", "POST", "users/pub/ban", nil, "hermit", []string{"public", "opengroup", "bothgroups"}},
		{"a post taken out of a group", "pub", "DELETE", "posts/" + posts["opengroup"] + "/groups/open", nil, "anonymous", []string{"opengroup"}},
		{"a post moved", "pub", "PATCH", "posts/" + posts["public"], object{"post": object{"timelines": []string{"user_fyeo"}}}, "stranger", []string{"public"}},
		{"a group gone private", "pub", "PATCH", "groups/guild", object{"group": object{"status": "private"}}, "warden", []string{"guild", "guildandclosed"}},
		{"gone from a private feed", "friend", "DELETE", "users/pri/subscribers", nil, "friend", []string{"private", "privateandsubfeed"}},
		{"banned", "pub", "POST", "users/friend/ban", nil, "friend", []string{"direct", "directs", "bothgroups"}},
		{"a feed for its owner's eyes only", "pro", "PATCH", user("pro"), object{"user": object{"status": "fyeo"}}, "friend", []string{"protected"}},
		{"a post deleted", "pub", "DELETE", "posts/" + posts["bothgroups"], nil, "warden", []string{"bothgroups"}},
		{"one's own post deleted", "pub", "DELETE", "posts/" + posts["eyesonly"], nil, "pub", []string{"eyesonly"}},
		{"an account deleted", "pri", "DELETE", user("pri"), object{"password": "password of pri"}, "stranger", []string{"privateandopen"}},
	}
}

// TestPostsOfALostRightAreOnNoPage does every write that takes a right away, while the person
// who loses the right has all pages open. No page that the person requests after the answer
// shows the post.
func TestPostsOfALostRightAreOnNoPage(t *testing.T) {
	long(t)
	t.Parallel()
	b, clients, posts := stage(t)
	for _, tt := range b.takings(posts) {
		loser := clients[tt.loser]
		paths := slices.Clone(everyPage)
		for _, name := range tt.lost {
			at := slices.IndexFunc(audiences, func(a audience) bool { return a.name == name })
			paths = append(paths, "/"+audiences[at].author+"/"+posts[name])
		}
		had := map[string]bool{}
		for _, path := range paths {
			page := loser.get(path).body
			for _, name := range tt.lost {
				had[name] = had[name] || strings.Contains(page, "marker-"+name+"-end")
			}
		}
		b.take(clients, tt)
		for _, name := range tt.lost {
			if !had[name] {
				t.Errorf("%s: %s was not shown %s before", tt.name, tt.loser, name)
			}
		}
		for _, path := range paths {
			for _, form := range []string{path, asJSON(path)} {
				page := loser.get(form).body
				for _, name := range tt.lost {
					if strings.Contains(page, "marker-"+name+"-end") {
						t.Errorf("%s: %s still shows %s to %s", tt.name, form, name, tt.loser)
					}
				}
			}
		}
	}
}
