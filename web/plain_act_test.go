package web_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"

	"amstel.dev/amstel/internal/plainrule"
)

// A plainAct is an action that a viewer tries on a post, and whether the rule allows it.
type plainAct struct {
	what         string
	method, path string
	body         any
	may          bool
	across       bool // the rule allows it also if the viewer can't read the post
}

// actsOn returns the actions to try on a post and one of its comments.
func (p *plainSite) actsOn(v int64, post *plainrule.Post, c *plainrule.Comment) []plainAct {
	s := p.site
	at := fmt.Sprintf("/api/v1/posts/%d", post.ID)
	text := func(what string) object { return object{"text": p.world.Text(what)} }
	acts := []plainAct{
		{what: "like", method: "POST", path: at + "/likes", may: s.MayLike(v, post)},
		{what: "unlike", method: "DELETE", path: at + "/likes", may: true},
		{what: "fav", method: "POST", path: at + "/favs", may: s.MayFav(v, post)},
		{what: "unfav", method: "DELETE", path: at + "/favs", may: true},
		{what: "comment", method: "POST", path: at + "/comments", body: object{"comment": text("comment")}, may: s.MayComment(v, post)},
		{what: "edit", method: "PATCH", path: at, body: object{"post": text("edited")}, may: s.MayEdit(v, post.Author)},
		{what: "leave", method: "DELETE", path: at + "/recipients", may: s.MayLeave(v, post)},
	}
	for _, g := range s.Groups {
		if g.Status == "deleted" { // closed with the account of its last member: 404
			continue
		}
		// Removing a post from a group that does not hold the post succeeds and changes nothing.
		acts = append(acts, plainAct{
			what: "remove from group", method: "DELETE", path: at + "/groups/" + g.Name, may: v == post.Author || g.Admins[v],
			across: slices.Contains(s.RemoveFrom(v, post), g.Name),
		})
	}
	if c != nil {
		seen := !s.Apart(v, c.Author)
		on, likes := fmt.Sprintf("%s/comments/%d", at, c.ID), fmt.Sprintf("%s/clike/%d", at, c.ID)
		acts = append(acts,
			plainAct{what: "edit comment", method: "PATCH", path: on, body: object{"comment": text("edited comment")}, may: s.MayEdit(v, c.Author)},
			plainAct{what: "like comment", method: "POST", path: likes, may: seen && s.MayLikeComment(v, post, c)},
			plainAct{
				what: "delete comment", method: "DELETE", path: on, may: seen && (s.MayEdit(v, c.Author) || s.MayModerate(v, post)) || s.Moderates(v, post),
				across: s.Moderates(v, post),
			})
	}
	return acts
}

// act lets a random viewer try an action by HTTP, with their home on the screen. The action
// must succeed exactly if the rule allows it, and answer 404 if the viewer may not read the
// post. The answer must show the post as the viewer's home then has it.
func (p *plainSite) act(rng *rand.Rand) {
	p.t.Helper()
	viewers, posts := p.viewers(), slices.Sorted(maps.Keys(p.site.Posts))
	v, post := viewers[rng.IntN(len(viewers))], p.site.Posts[posts[rng.IntN(len(posts))]]
	var c *plainrule.Comment
	if len(post.Comments) > 0 {
		c = post.Comments[rng.IntN(len(post.Comments))]
	}
	acts := p.actsOn(v, post, c)
	act := acts[rng.IntN(len(acts))]
	client := p.viewer(v)
	uuid, _ := client.get("/index.json").ok().at("river", "uuid").(string)
	client.header.Set("X-River-Signature", uuid)
	answer := client.send(act.method, act.path, act.body)
	client.header.Del("X-River-Signature")
	seen, what := p.site.MayRead(v, post), fmt.Sprintf("%s: %s of post %d by %s", act.method, act.what, post.ID, p.name(v))
	p.recordApplied(what)
	switch {
	case v == 0:
		if answer.status != 401 {
			p.t.Errorf("%s: %d, want 401", what, answer.status)
		}
	case !seen && act.across:
		if answer.status >= 300 {
			p.t.Errorf("%s, who moderates it: %d %.200s", what, answer.status, answer.body)
		}
		p.seen["acts across bans"]++
	case !seen:
		if answer.status != 404 {
			p.t.Errorf("%s, who may not read it: %d, want 404", what, answer.status)
		}
	case act.may != (answer.status < 300):
		p.t.Errorf("%s, who may: %v: %d %.200s", what, act.may, answer.status, answer.body)
	}
	if leaked := p.leaks(v, answer.body); len(leaked) > 0 {
		p.t.Errorf("%s tells %v", what, leaked)
	}
	p.seen["acts refused"]++
	if answer.status >= 300 {
		return
	}
	p.seen["acts refused"]--
	p.seen["acts done"]++
	var told struct {
		Entries map[string]struct{ Post plainrule.Shown }
	}
	if err := json.Unmarshal([]byte(answer.body), &told); err != nil {
		p.t.Fatalf("%s: %v", what, err)
	}
	home := p.site.Home(v)
	at := slices.IndexFunc(home, func(e plainrule.Entry) bool { return e.Post.ID == post.ID })
	entry, is := told.Entries[uuid]
	switch {
	case is != (at >= 0):
		p.t.Errorf("%s: the answer shows the entry as in the actor's home: %v", what, is)
	case is:
		p.compareEntry(what, v, entry.Post, p.site.Show(v, home[at], false))
	}
}

// compareOthers checks that the pages without posts tell nothing that their viewer may not know.
func (p *plainSite) compareOthers(v int64) {
	p.t.Helper()
	paths := []string{"/requests", "/settings", "/settings/account", "/filter/people", "/filter/groups?sort=activity", "/settings/people", "/api/v1/invitations.json", "/api/v1/subscription_requests.json"}
	for _, g := range p.site.Groups {
		paths = append(paths, "/"+g.Name+"/edit", "/"+g.Name+"/subscribers", "/api/v1/groups/"+g.Name+".json", "/api/v1/groups/"+g.Name+"/admins.json")
	}
	for _, who := range p.site.People {
		paths = append(paths, "/"+who.Name+"/subscribers", "/"+who.Name+"/subscriptions", "/api/v1/users/"+who.Name+".json")
	}
	for i, id := range slices.Sorted(maps.Keys(p.site.Posts)) {
		post := p.site.Posts[id]
		if (i+int(v)+len(p.states))%5 != 0 {
			continue
		}
		at := fmt.Sprintf("/%s/%d", p.site.People[post.Author].Name, id)
		paths = append(paths, at+"/edit")
		for _, c := range post.Comments {
			paths = append(paths, fmt.Sprintf("%s/comments/%d/edit", at, c.ID))
			one := fmt.Sprintf("/api/v1/posts/%d/comments/%d.json", id, c.ID)
			want := 404
			if p.site.MayRead(v, post) && !p.site.Apart(v, c.Author) {
				want = 200
			}
			if got := p.viewer(v).get(one).status; got != want {
				p.t.Errorf("%s for %s: %d, want %d", one, p.name(v), got, want)
			}
			paths = append(paths, one)
		}
	}
	for _, path := range paths {
		p.seen["other pages"]++
		got := p.viewer(v).get(path)
		if got.status >= 500 {
			p.t.Errorf("%s for %s: %d", path, p.name(v), got.status)
		}
		if leaked := p.leaks(v, got.body); len(leaked) > 0 {
			p.t.Errorf("%s tells %s %v", path, p.name(v), leaked)
		}
	}
}

// compareCompletions compares the people, groups and hashtags that a viewer is offered for the beginning
// of a name with the rule.
func (p *plainSite) compareCompletions(v int64) {
	p.t.Helper()
	s := p.site
	if v == 0 {
		return
	}
	var told struct {
		People, Groups []struct{ Name string }
		Tags           []string
	}
	ask := func(typed string) {
		p.t.Helper()
		got := p.viewer(v).get("/api/v1/completions.json?q=" + url.QueryEscape(typed)).ok()
		if leaked := p.leaks(v, got.body); len(leaked) > 0 {
			p.t.Errorf("the completions of %q tell %s %v", typed, p.name(v), leaked)
		}
		told.People, told.Groups, told.Tags = nil, nil, nil
		if err := json.Unmarshal([]byte(got.body), &told); err != nil {
			p.t.Fatal(err)
		}
		p.seen["completions"]++
	}
	for id, who := range s.People {
		ask(who.Name)
		offered := slices.ContainsFunc(told.People, func(one struct{ Name string }) bool { return one.Name == who.Name })
		if want := !who.Gone() && !s.Apart(v, id); offered != want {
			p.t.Errorf("%s is offered to %s: %v, want %v", who.Name, p.name(v), offered, want)
		}
	}
	for id, g := range s.Groups {
		ask(g.Name)
		offered := slices.ContainsFunc(told.Groups, func(one struct{ Name string }) bool { return one.Name == g.Name })
		if want := s.Opens(v, s.Feed("group", id)); offered != want {
			p.t.Errorf("group %s is offered to %s: %v, want %v", g.Name, p.name(v), offered, want)
		}
	}
	ask("#")
	for _, tag := range told.Tags {
		said := func(text string) bool { return strings.Contains(strings.ToLower(text), "#"+tag) }
		own := false
		for _, post := range s.Posts {
			own = own || post.Author == v && said(post.Text)
			for _, c := range post.Comments {
				own = own || c.Author == v && said(c.Text)
			}
		}
		if !own {
			p.t.Errorf("the hashtag %q is offered to %s, who has not used it", tag, p.name(v))
		}
	}
}

// compareDirectories compares the people and groups in the directories, and the sizes of their
// feeds, with the rule. Only feeds that all may read are in the order by activity.
func (p *plainSite) compareDirectories(v int64) {
	p.t.Helper()
	s := p.site
	for _, order := range []string{"size", "name", "activity"} {
		var people, groups []int64
		for id, who := range s.People {
			if !who.Gone() && !s.Apart(v, id) && (order != "activity" || s.Opens(0, s.Feed("user", id))) {
				people = append(people, id)
			}
		}
		for id, g := range s.Groups {
			if g.Status != "deleted" && (order != "activity" || s.Opens(0, s.Feed("group", id))) {
				groups = append(groups, id)
			}
		}
		p.compareDirectory(v, "/filter/people.json", order, "user", people)
		p.compareDirectory(v, "/filter/groups.json", order, "group", groups)
	}
}

func (p *plainSite) compareDirectory(v int64, path, order, what string, want []int64) {
	p.t.Helper()
	sizes := make(map[int64]int)
	for next := path + "?sort=" + order; next != ""; {
		got := p.viewer(v).get(next).ok()
		if leaked := p.leaks(v, got.body); len(leaked) > 0 {
			p.t.Errorf("%s tells %s %v", next, p.name(v), leaked)
		}
		var part struct {
			Users  []struct{ ID, Subscribers int64 } `json:"found_users"`
			Groups []struct{ ID, Members int64 }     `json:"found_groups"`
			Older  string                            `json:"older_url"`
		}
		if err := json.Unmarshal([]byte(got.body), &part); err != nil {
			p.t.Fatal(err)
		}
		for _, one := range part.Users {
			sizes[one.ID] = int(one.Subscribers)
		}
		for _, one := range part.Groups {
			sizes[one.ID] = int(one.Members)
		}
		next = part.Older
		p.seen["directories"]++
	}
	for id, n := range sizes {
		if !slices.Contains(want, id) {
			p.t.Errorf("%s by %s has %s %d for %s", path, order, what, id, p.name(v))
		} else if people, open := p.site.Subscribers(v, p.site.Feed(what, id)); open && n != len(people) {
			p.t.Errorf("%s by %s: %s %d has %d subscribers for %s, want %d", path, order, what, id, n, p.name(v), len(people))
		}
	}
	if order != "activity" && len(sizes) != len(want) { // by activity, groups without a post are left out
		p.t.Errorf("%s by %s has %d for %s, want %d", path, order, len(sizes), p.name(v), len(want))
	}
}

// compareAudiences compares the audience that the server reports with the rule's readers.
func (p *plainSite) compareAudiences(v int64) {
	p.t.Helper()
	s := p.site
	if v == 0 {
		return
	}
	compare := func(query string, want plainrule.Audience) {
		got := p.viewer(v).get("/api/v1/audience.json?" + query)
		if got.status != 200 {
			return // the viewer may not post or move the post there
		}
		p.seen["audiences"]++
		var told plainrule.Audience
		if err := json.Unmarshal([]byte(got.body), &told); err != nil {
			p.t.Fatal(err)
		}
		if told != want {
			p.t.Errorf("%s tells %s %+v, want %+v", query, p.name(v), told, want)
		}
	}
	for _, status := range []string{"public", "protected", "private", "fyeo"} {
		compare("status="+status, s.AudienceOf(v, status))
	}
	destinations := map[string][]int64{
		"user": {s.Feed("user", v).ID}, "user_private": {s.Feed("user_private", v).ID}, "user_fyeo": {s.Feed("user_fyeo", v).ID},
		"user,user_private": {s.Feed("user", v).ID, s.Feed("user_private", v).ID},
	}
	for id, g := range s.Groups {
		destinations["group:"+g.Name] = []int64{s.Feed("group", id).ID}
		destinations["user,group:"+g.Name] = []int64{s.Feed("user", v).ID, s.Feed("group", id).ID}
	}
	for id, who := range s.People {
		destinations["direct:"+who.Name] = []int64{s.Feed("user_directs", v).ID, s.Feed("user_directs", id).ID}
	}
	var mine *plainrule.Post
	for _, post := range s.Posts {
		if post.Author == v && !s.IsDirect(post) {
			mine = post
		}
	}
	for to, places := range destinations {
		compare("timelines="+to, s.AudienceIn(v, nil, places))
		if mine != nil && !strings.HasPrefix(to, "direct:") {
			compare(fmt.Sprintf("timelines=%s&post=%d", to, mine.ID), s.AudienceIn(v, mine, places))
		}
	}
}
