package web_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"amstel.dev/amstel/internal/world"
	"amstel.dev/amstel/timeline"
)

// compareAcross compares the posts and comments across bans that a viewer reads as the author of a post
// or an administrator of a group. Every fifth post is asked for by viewers who do not moderate it.
func (p *plainSite) compareAcross(v int64) {
	p.t.Helper()
	s := p.site
	for i, id := range slices.Sorted(maps.Keys(s.Posts)) {
		post := s.Posts[id]
		hidden := s.CommentsAcross(v, post)
		if len(hidden) == 0 && (i+int(v)+len(p.states))%5 != 0 {
			continue
		}
		want := acrossPage{status: 404}
		switch {
		case v == 0:
			want.status = 401
		case s.Moderates(v, post):
			want = acrossPage{status: 200, Posts: []acrossText{{ID: post.ID, User: post.Author}}}
			if s.Apart(v, post.Author) {
				want.Posts[0].Text = post.Text
				p.seen["comments of posts across bans"]++
			}
			for _, c := range hidden {
				want.Comments = append(want.Comments, acrossText{c.ID, c.Author, c.Text})
				p.seen["comments across bans"]++
			}
		}
		p.compareAcrossPage(v, fmt.Sprintf("/%s/%d/across_bans.json", s.People[post.Author].Name, id), want)
	}
	for _, g := range s.Groups {
		want := acrossPage{status: 403}
		switch {
		case v == 0:
			want.status = 401
		case g.Status == timeline.StatusDeleted:
			want.status = 404
		case g.Admins[v]:
			want.status = 200
			for _, post := range s.PostsAcross(v, g) {
				want.Posts = append(want.Posts, acrossText{post.ID, post.Author, post.Text})
				p.seen["posts across bans"]++
			}
		}
		p.compareAcrossPage(v, "/"+g.Name+"/across_bans.json", want)
	}
}

// An acrossPage is a page of posts or comments across bans.
type acrossPage struct {
	status          int
	Posts, Comments []acrossText
}

type acrossText struct {
	ID   int64
	User int64 `json:"user_id"`
	Text string
}

// compareAcrossPage compares a page of posts or comments across bans with the rule.
func (p *plainSite) compareAcrossPage(v int64, path string, want acrossPage) {
	p.t.Helper()
	answer := p.viewer(v).get(path)
	got := acrossPage{status: answer.status}
	if err := json.Unmarshal([]byte(answer.body), &got); err != nil {
		p.t.Fatalf("%s for %s: %v", path, p.name(v), err)
	}
	if got.status != want.status || !slices.Equal(got.Posts, want.Posts) || !slices.Equal(got.Comments, want.Comments) {
		p.t.Errorf("%s for %s: %+v, want %+v", path, p.name(v), got, want)
	}
	told := p.leaks(v, answer.body)
	for _, one := range append(want.Posts, want.Comments...) {
		for _, secret := range world.Secrets(one.Text) {
			told = slices.DeleteFunc(told, func(s string) bool { return s == secret })
		}
	}
	if len(told) > 0 {
		p.t.Errorf("%s tells %s %v", path, p.name(v), told)
	}
}
