package web_test

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"

	"amstel.dev/amstel/internal/plainrule"
	"amstel.dev/amstel/internal/world"
)

// compareReports compares the reports about which a viewer decides, and what the viewer sees of the reported posts and
// comments.
func (p *plainSite) compareReports(v int64) {
	p.t.Helper()
	decides := v != 0 && p.site.People[v].Admin
	for _, g := range p.site.Groups {
		decides = decides || v != 0 && g.Admins[v]
	}
	for _, closed := range []bool{false, true} {
		path := "/api/v1/reports.json"
		if closed {
			path += "?closed=1"
		}
		if !decides {
			want := 403
			if v == 0 {
				want = 401
			}
			if got := p.viewer(v).get(path).status; got != want {
				p.t.Errorf("%s for %s: %d, want %d", path, p.name(v), got, want)
			}
			continue
		}
		type report struct {
			ID      int64
			By      int64 `json:"user_id"`
			User    int64 `json:"reported_id"`
			Group   int64 `json:"group_id"`
			Post    int64 `json:"post_id"`
			Comment int64 `json:"comment_id"`
			Text    string
		}
		var got, want []report
		for at := path; at != ""; {
			answer := p.viewer(v).get(at).ok()
			var body struct {
				Reports []report
				Older   string `json:"older_reports_url"`
			}
			if err := json.Unmarshal([]byte(answer.body), &body); err != nil {
				p.t.Fatalf("%s: %v", at, err)
			}
			if leaked := p.leaks(v, answer.body); len(leaked) > 0 {
				p.t.Errorf("%s tells %s %v", at, p.name(v), leaked)
			}
			got, at = append(got, body.Reports...), body.Older
		}
		for _, r := range p.site.Reports {
			if (r.Act != "") == closed && p.site.Decides(v, r) {
				text, author := p.site.ReportedText(v, r)
				if utf8.RuneCountInString(text) > 1000 {
					text = string([]rune(text)[:1000])
				}
				want = append(want, report{r.ID, r.By, r.User, r.Group, r.Post, r.Comment, text})
				p.seen["reports"]++
				if author == 0 && r.Post != 0 {
					p.seen["reports of what the administrator may not read"]++
				}
			}
		}
		slices.SortFunc(want, func(a, b report) int { return cmp.Compare(b.ID, a.ID) })
		if !slices.Equal(got, want) {
			p.t.Errorf("%s for %s has %+v, want %+v", path, p.name(v), got, want)
		}
	}
	if page := p.viewer(v).get("/settings/reports"); decides {
		leaked := p.leaks(v, page.ok().body)
		for _, id := range p.site.Held(v) {
			for _, secret := range world.Secrets(p.site.Posts[id].Text) {
				leaked = slices.DeleteFunc(leaked, func(s string) bool { return s == secret })
			}
		}
		if len(leaked) > 0 {
			p.t.Errorf("the page of reports tells %s %v", p.name(v), leaked)
		}
	}
	p.compareReportForm(v)
}

// compareReportForm compares the forms for reports about the newest post and about each person: a viewer who may not read the post,
// or find the person, gets none.
func (p *plainSite) compareReportForm(v int64) {
	p.t.Helper()
	var newest *plainrule.Post
	for _, post := range p.site.Posts {
		if newest == nil || post.ID > newest.ID {
			newest = post
		}
	}
	if newest == nil || v == 0 {
		return
	}
	for id, who := range p.site.People {
		want := 200
		if p.site.Gone(v, id) || who.Status == "deleted" {
			want = 404
		}
		if got := p.viewer(v).get("/settings/report?name=" + who.Name).status; got != want {
			p.t.Errorf("the form about %s for %s: %d, want %d", who.Name, p.name(v), got, want)
		}
	}
	form := p.viewer(v).get("/settings/report?post=" + strconv.FormatInt(newest.ID, 10))
	want := 404
	if p.site.MayRead(v, newest) {
		want = 200
	}
	if leaked := p.leaks(v, form.body); form.status != want || len(leaked) > 0 {
		p.t.Errorf("the form about post %d for %s: %d, want %d; it tells %v", newest.ID, p.name(v), form.status, want, leaked)
	}
}

// compareHeld compares the posts that wait for an administrator of the site.
func (p *plainSite) compareHeld(v int64) {
	p.t.Helper()
	const path = "/api/v1/held_posts.json"
	answer := p.viewer(v).get(path)
	if v == 0 || !p.site.People[v].Admin {
		want := 403
		if v == 0 {
			want = 401
		}
		if answer.status != want {
			p.t.Errorf("%s for %s: %d, want %d", path, p.name(v), answer.status, want)
		}
		return
	}
	var body struct {
		Posts []struct {
			ID   int64
			Text string
		}
	}
	if err := json.Unmarshal([]byte(answer.ok().body), &body); err != nil {
		p.t.Fatalf("%s: %v", path, err)
	}
	var got []int64
	told := p.leaks(v, answer.body)
	for _, one := range body.Posts {
		got = append(got, one.ID)
		if want := p.site.Posts[one.ID].Text; one.Text != want {
			p.t.Errorf("%s shows post %d as %q, want %q", path, one.ID, one.Text, want)
		}
		for _, secret := range world.Secrets(one.Text) {
			told = slices.DeleteFunc(told, func(s string) bool { return s == secret })
		}
		p.seen["held posts"]++
	}
	slices.Sort(got)
	if want := p.site.Held(v); !slices.Equal(got, want[:min(len(want), 50)]) {
		p.t.Errorf("%s for %s: %v, want %v", path, p.name(v), got, want)
	}
	if len(told) > 0 {
		p.t.Errorf("%s tells %s %v", path, p.name(v), told)
	}
}
