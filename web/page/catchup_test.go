package page

import (
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/web/catalogue"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

func TestCatchUpSentences(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		c            CatchUp
		news, talked string
	}{
		{CatchUp{Posts: 1, Talked: 1}, "1 new post", "1 of your discussions has new comments:"},
		{CatchUp{Posts: 34, Moved: 12, Talked: 3}, "34 new posts, 12 came up again", "3 of your discussions have new comments:"},
		{CatchUp{Moved: 1}, "1 came up again", ""},
		{CatchUp{Posts: 20, Moved: 5, More: true, Talked: 25, MoreTalked: true}, "20+ new posts, 5+ came up again", "25+ of your discussions have new comments:"},
		{CatchUp{Talked: 2}, "no new posts", "2 of your discussions have new comments:"},
	} {
		if got := tt.c.news(catalogue.English); got != tt.news {
			t.Errorf("%+v is %q, want %q", tt.c, got, tt.news)
		}
		if got := tt.c.talked(catalogue.English); tt.talked != "" && got != tt.talked {
			t.Errorf("%+v is %q, want %q", tt.c, got, tt.talked)
		}
	}
}

// TestLineStandsBetweenEntries places the line among entries of the times 50, 40 and 30.
func TestLineStandsBetweenEntries(t *testing.T) {
	t.Parallel()
	place := func(fresh int64) timeline.Cursor { return timeline.Cursor{FreshAt: fresh, Post: 1} }
	for _, tt := range []struct {
		name         string
		left         int64
		newer, older string
		above        int64 // of the last entry of the page above
		want         string
	}{
		{"below the first", 45, "", "", 0, "a | a a"},
		{"above the last", 35, "", "/?before=1,1", 0, "a a | a"},
		{"an entry at the place itself is not newer", 40, "", "", 0, "a | a a"},
		{"nothing is newer", 50, "", "", 0, "(|) a a a"},
		{"all is newer, and there is no more", 20, "", "", 0, "a a a"},
		{"all is newer, and there is more", 20, "", "/?before=1,1", 0, "a a a …"},
		{"on a page below", 35, "/", "", 60, "a a | a"},
		{"just where the page above ended", 55, "/", "", 60, "| a a a"},
		{"on a page above", 60, "/", "", 60, "a a a"},
		{"perhaps just there, by the number of the page", 55, "/", "", 0, "a a a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			entries := []river.Entry{post(50, joost, "one"), post(40, joost, "two"), post(30, joost, "three")}
			for i, fresh := range []int64{50, 40, 30} {
				entries[i].Cursor = place(fresh)
			}
			m := sampleRiver(anneke, river.KindHome, "Home", "/", entries...)
			m.Newer, m.Older = tt.newer, tt.older
			m.LeftOff = &LeftOff{Cursor: place(tt.left), At: time.Date(2026, 5, 18, 21, 40, 0, 0, time.UTC)}
			if tt.above != 0 {
				m.LeftOff.Above = place(tt.above)
			}
			var got []string
			for _, c := range below(one(t, pageOf(t, m), "#river"), false) {
				switch class := attr(c, "class"); {
				case c.Data == "article":
					got = append(got, "a")
				case strings.Contains(class, "left-off-more"):
					got = append(got, "…")
				case !strings.Contains(class, "left-off"):
				case has(c, "hidden"):
					got = append(got, "(|)")
				default:
					got = append(got, "|")
					if text := words(c); text != "You left off here · 18 May 2026, 21:40 UTC" {
						t.Errorf("it says %q", text)
					}
				}
			}
			if got := strings.Join(got, " "); got != tt.want {
				t.Errorf("it is %q, want %q", got, tt.want)
			}
		})
	}
}

// backHome returns the home of a viewer who was away for a while.
func backHome() RiverModel {
	m := sampleRiver(anneke, river.KindHome, "Home", "/", sampleEntries()...)
	m.Keeps, m.Older = true, "/?before=1779090000000,24"
	m.LeftOff = &LeftOff{Cursor: cursorOf(&m.View.Entries[1]), At: at("2026-11-18 21:40:00")}
	m.CatchUp = &CatchUp{
		Since: at("2026-11-18 21:40:00"), Posts: 34, Moved: 12, Talked: 2,
		Discussions: []CatchUpPost{{"/joost/31", "<b>The lock</b> at Zeeburg", 6}, {"/anneke/29", "No comments so far.", 1}},
	}
	return m
}
