package web_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
)

// compareSuggestions compares the people and groups that a viewer is suggested to follow, and the number of
// friends that follow each, with the rule: the viewer may read each feed, has no other relation to it, and
// may know of each friend's subscription. What the viewer followed within the last hour may still be there.
func (p *plainSite) compareSuggestions(v int64) {
	p.t.Helper()
	s := p.site
	if v == 0 {
		return
	}
	got := p.viewer(v).get("/api/v1/suggestions.json").ok()
	if leaked := p.leaks(v, got.body); len(leaked) > 0 {
		p.t.Errorf("the suggestions tell %s %v", p.name(v), leaked)
	}
	type suggested struct{ ID, Friends int64 }
	var told struct {
		People []suggested `json:"suggested_users"`
		Groups []suggested `json:"suggested_groups"`
		Users  map[int64]json.RawMessage
	}
	if err := json.Unmarshal([]byte(got.body), &told); err != nil {
		p.t.Fatal(err)
	}
	for id := range told.Users {
		if s.Apart(v, id) {
			p.t.Errorf("the suggestions tell %s of %s, across a ban", p.name(v), p.name(id))
		}
	}
	friends := map[string]map[int64]int64{"user": {}, "group": {}}
	for friend := range s.People {
		if f := s.Feed("user", friend); f == nil || !followed(f.Subscribers, v) {
			continue
		}
		people, groups, _ := s.Subscriptions(v, friend)
		for _, id := range people {
			friends["user"][id]++
		}
		for _, id := range groups {
			friends["group"][id]++
		}
	}
	const most = 8 // of each
	may := func(what string, id int64) bool {
		f := s.Feed(what, id)
		if what == "group" && (s.Groups[id].Status == "deleted" || s.Groups[id].Admins[v]) || what == "user" && (id == v || s.HiddenPeople[[2]int64{v, id}]) {
			return false
		}
		return s.Opens(v, f) && !f.Excluded[v]
	}
	compare := func(what string, list []suggested, all []int64) {
		var ids []int64
		for _, one := range list {
			p.seen["suggestions"]++
			ids = append(ids, one.ID)
			switch {
			case !slices.Contains(all, one.ID) || !may(what, one.ID):
				p.t.Errorf("%s %d is suggested to %s", what, one.ID, p.name(v))
			case one.Friends > friends[what][one.ID]:
				p.t.Errorf("%s %d is suggested to %s for %d friends who follow it, who knows of %d", what, one.ID, p.name(v), one.Friends, friends[what][one.ID])
			}
		}
		for _, id := range all {
			f := s.Feed(what, id)
			if len(list) == most || slices.Contains(ids, id) || !may(what, id) || followed(f.Subscribers, v) || s.Requests[[2]int64{v, f.ID}] {
				continue
			}
			for _, post := range s.Posts {
				if slices.Contains(post.Places, f.ID) {
					p.t.Errorf("%s %d, which has post %d, is not suggested to %s", what, id, post.ID, p.name(v))
					break
				}
			}
		}
	}
	compare("user", told.People, slices.Collect(maps.Keys(s.People)))
	compare("group", told.Groups, slices.Collect(maps.Keys(s.Groups)))
}

func followed[T any](subscribers map[int64]T, v int64) bool {
	_, follows := subscribers[v]
	return follows
}

var (
	welcomed = regexp.MustCompile(`(?s)<header class="subject welcome">.*?</header>`)
	ofName   = regexp.MustCompile(`href="/([a-z0-9_-]+)"`)
)

// compareFront compares the people and groups at the top of the front page of visitors with the posts below
// them: the people wrote there, and the groups have one of the posts and are open to all.
func (p *plainSite) compareFront() {
	p.t.Helper()
	s := p.site
	people, groups := make(map[string]bool), make(map[string]bool)
	for _, e := range s.Everything(0)[:min(25, len(s.Everything(0)))] {
		people[s.People[e.Post.Author].Name] = true
		for _, c := range s.Comments(0, e.Post) {
			people[s.People[c.Author].Name] = true
		}
		for _, f := range s.VisiblePlaces(0, e.Post) {
			if f.What == "group" {
				groups[s.Groups[f.Their].Name] = true
			}
		}
	}
	body := p.viewer(0).get("/").html()
	for _, link := range ofName.FindAllStringSubmatch(welcomed.FindString(body), -1) {
		p.seen["names of the front page"]++
		if !people[link[1]] && !groups[link[1]] {
			p.t.Errorf("the front page welcomes visitors with %s", link[1])
		}
	}
}
