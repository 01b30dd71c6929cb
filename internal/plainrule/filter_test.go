package plainrule

import (
	"fmt"
	"strings"
	"testing"
)

func TestTagsAndNames(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a #Tag, (#вода) #day-trip- #day-trip C# a#b #- # ##x": "[tag вода day-trip]",
		"https://example.org/x#tag #2024_":                     "[2024_]",
		"":                                                     "[]",
	} {
		if got := fmt.Sprint(Tags(text)); got != want {
			t.Errorf("tags of %q: %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"@Anna, (@boris) me@vera @anna! https://x.org/@gleb": "[anna boris]",
		"@night-walks. @": "[night-walks]",
	} {
		if got := fmt.Sprint(names(text)); got != want {
			t.Errorf("names in %q: %s, want %s", text, got, want)
		}
	}
}

func TestMentions(t *testing.T) {
	t.Parallel()
	s := small()
	s.Names["anja"] = anna // an old name
	post := s.post(boris, s.Feed("user", boris))
	post.Text = "@anja and @boris, who is myself"
	said := s.post(gleb, s.Feed("user", gleb))
	s.comment(said, vera).Text = "@ANNA?"
	hidden := s.post(gleb, s.Feed("user_private", gleb))
	hidden.Text = "@anna must not know"
	want(t, "mentions", ids(s.MentionsPage(anna)), said.ID, post.ID)
	want(t, "by the person themselves", ids(s.MentionsPage(boris)))
	s.Bans[[2]int64{vera, anna}] = true
	want(t, "by an author across a ban", ids(s.MentionsPage(anna)), post.ID)
}

func TestFilterPages(t *testing.T) {
	t.Parallel()
	s := small()
	tagged := s.post(anna, s.Feed("user", anna))
	tagged.Text, tagged.Lang = "#canal", "nl"
	closed := s.post(boris, s.Feed("user_private", boris), s.Feed("user_fyeo", boris))
	closed.Text, closed.Lang = "#canal", "nl"
	s.comment(tagged, vera)
	want(t, "hashtag", ids(s.HashtagPage(gleb, "canal")), tagged.ID)
	want(t, "hashtag, for its author", ids(s.HashtagPage(boris, "canal")), closed.ID, tagged.ID)
	want(t, "Dutch", ids(s.EverythingOf(gleb, "nl")), tagged.ID)
	want(t, "Russian", ids(s.EverythingOf(gleb, "ru")))
	want(t, "discussions of the author", ids(s.Discussions(anna)), tagged.ID)
	want(t, "discussions of a commenter", ids(s.Discussions(vera)), tagged.ID)
	want(t, "discussions of a person who did neither", ids(s.Discussions(gleb)))
	want(t, "for the owner's eyes only", ids(s.FYEO(boris)), closed.ID)
	eyes := s.post(boris, s.Feed("user_fyeo", boris))
	page, _ := s.PersonPage(boris, boris)
	want(t, "one's own page", ids(page), eyes.ID, closed.ID)
	page, _ = s.PersonPage(gleb, boris)
	want(t, "the page for another person", ids(page))
	if _, open := s.PrivatePage(gleb, boris); open {
		t.Error("a private sub-feed opens")
	}
	tagged.Published, closed.Published = 1714521600000, 1714608000000 // 1 and 2 May 2024
	for period, days := range map[string][]int64{"2024": {2, 1}, "2024-05": {2, 1}, "2024-05-01": {1}, "2023": nil} {
		s.Posts[2].Author, s.Posts[2].Places = anna, []int64{s.Feed("user", anna).ID}
		entries, _ := s.DayPage(gleb, anna, period)
		want(t, "of "+period, ids(entries), days...)
	}
}

func TestRanked(t *testing.T) {
	t.Parallel()
	s := small()
	f := s.feed(2000, "best_of", 0)
	for i, rank := range []int64{5, 9, 0, 7} {
		p := s.post(anna, s.Feed("user", anna))
		if p.Ranks = make(map[int64]int64); rank != 0 {
			p.Ranks[f.ID] = rank
		}
		if i == 3 {
			p.Places = []int64{s.Feed("user_private", anna).ID}
		}
	}
	want(t, "best of", ids(s.Ranked(boris, "best_of", 0)), 2, 1)
}

func TestHomesAsChosen(t *testing.T) { // checklist SO9, BE3, FF2, FF7
	t.Parallel()
	s := small()
	s.follow(anna, s.Feed("user", boris))
	own := s.post(anna, s.Feed("user", anna))
	liked := s.post(gleb, s.Feed("user", gleb))
	s.like(liked, boris)
	said := s.post(vera, s.Feed("user", vera))
	s.comment(said, boris)
	byFriend := s.post(boris, s.Feed("user", boris))
	want(t, "home", ids(s.Home(anna)), byFriend.ID, said.ID, liked.ID, own.ID)
	want(t, "without replies", ids(WithoutReplies(s.Home(anna))), byFriend.ID, own.ID)
	s.People[anna].OwnPosts = false
	want(t, "own posts left out", ids(s.Home(anna)), byFriend.ID, said.ID, liked.ID)
	s.Muted[[2]int64{anna, s.Feed("user_likes", boris).ID}] = true
	want(t, "a friend's likes muted", ids(s.Home(anna)), byFriend.ID, said.ID)
	s.Lift = true
	said.Entered[s.Feed("user_comments", boris).ID] = 1000
	byFriend.Entered[s.Feed("user", boris).ID] = 2000
	want(t, "lifted", ids(s.Home(anna)), said.ID, byFriend.ID)
	want(t, "by publication", ids(Created(s.Home(anna))), byFriend.ID, said.ID)
	s.Lists[1] = &List{ID: 1, Owner: anna, Name: "near", Members: map[int64]bool{s.Feed("user", gleb).ID: true, s.Feed("user", vera).ID: true}}
	s.Groups[1].Status = "private"
	s.Lists[1].Members[s.Feed("group", 1).ID] = true
	want(t, "a list", ids(s.ListPage(1)), said.ID, liked.ID)
	s.People[vera].Status = "fyeo"
	want(t, "a list with a member whose feed was closed", ids(s.ListPage(1)), liked.ID)
}

func TestSearches(t *testing.T) {
	t.Parallel()
	s := small()
	a := s.post(anna, s.Feed("user", anna))
	a.Text, a.Published = "Canal bridge, #Boat", 1714521600000
	b := s.post(boris, s.Feed("group", 1))
	b.Text = "bridge canal мост"
	s.comment(b, vera).Text = "a ferry"
	s.like(b, vera)
	for _, tt := range []struct {
		search Search
		text   string
		want   []int64
	}{
		{Search{Words: []string{"canal"}}, "canal", []int64{1, 2}},
		{Search{Phrases: []string{"canal bridge"}}, `"canal bridge"`, []int64{1}},
		{Search{Words: []string{"bridge"}, Without: []string{"мост"}}, "bridge -мост", []int64{1}},
		{Search{Words: []string{"ferry"}}, "ferry", nil},
		{Search{Words: []string{"ferry"}, InComments: true}, "ferry in:comments", []int64{2}},
		{Search{Tags: []string{"boat"}, From: "anna"}, "#boat from:anna", []int64{1}},
		{Search{Group: "amici"}, "group:amici", []int64{2}},
		{Search{LikedBy: "vera", CommentedBy: "vera"}, "liked-by:vera commented-by:vera", []int64{2}},
		{Search{After: "2024-05-01", Before: "2024-05-02"}, "before:2024-05-02 after:2024-05-01", []int64{1}},
		{Search{Words: []string{"canal"}, Before: "2024-05-01"}, "canal before:2024-05-01", []int64{2}},
	} {
		if tt.search.Text() != tt.text {
			t.Errorf("%+v is written as %q", tt.search, tt.search.Text())
		}
		want(t, tt.text, ids(s.SearchPage(gleb, tt.search)), tt.want...)
	}
	s.Bans[[2]int64{vera, gleb}] = true
	want(t, "a comment across a ban", ids(s.SearchPage(gleb, Search{Words: []string{"ferry"}, InComments: true})))
	want(t, "likes of a person across a ban", ids(s.SearchPage(gleb, Search{LikedBy: "vera"})))
}

func TestNotices(t *testing.T) {
	t.Parallel()
	s := small()
	p := s.post(anna, s.Feed("user", anna))
	c := s.comment(p, boris)
	c.Text = "@vera, look"
	s.like(p, gleb)
	s.Notices = []Notice{
		{1, anna, "comment", boris, p.ID, c.ID, 0, 0, 0, true}, {2, vera, "mention", boris, p.ID, c.ID, 0, 0, 0, false}, {3, anna, "like", gleb, p.ID, 0, 0, 0, 0, false},
	}
	told := func(v int64) (ids []int64) {
		for _, n := range s.NoticesOf(v) {
			ids = append(ids, n.ID)
		}
		return ids
	}
	want(t, "notices of Anna", told(anna), 3, 1)
	want(t, "notices of Vera", told(vera), 2)
	if s.Unread(anna) != 1 {
		t.Errorf("Anna has %d unread notices, want 1", s.Unread(anna))
	}
	for _, n := range s.Notices {
		if !s.happened(n) {
			t.Errorf("%+v counts as not happened", n)
		}
	}
	if untold := s.MissingNotices(anna); len(untold) != 0 {
		t.Errorf("missing notices: %+v", untold)
	}
	c.Text = "look"
	want(t, "notices of Vera after an edit removed her name", told(vera))
	c.Text = strings.Repeat("@nobody1 ", 2) + "@a @ana1 @ana2 @ana3 @ana4 @ana5 @ana6 @ana7 @ana8 @ana9 @bob1 @bob2 @bob3 @bob4 @bob5 @bob6 @bob7 @bob8 @bob9 @vera @bob0"
	want(t, "notices of Vera, whose name is the twentieth", told(vera), 2)
	c.Text = "@bob0 " + c.Text
	want(t, "notices of Vera, whose name is the twenty-first", told(vera))
	c.Text = "@vera, look"
	all := s.Notices
	s.Notices = all[:1]
	if len(s.MissingNotices(anna)) != 1 || len(s.MissingNotices(vera)) != 1 {
		t.Errorf("missing notices: %+v, %+v, want one each", s.MissingNotices(anna), s.MissingNotices(vera))
	}
	s.Notices = all
	s.Bans[[2]int64{vera, boris}] = true
	want(t, "notices by a person across a ban", told(vera))
	s.People[gleb].Status = "deleted"
	want(t, "notices by a deleted account", told(anna), 1)
	p.Places = []int64{s.Feed("user_private", anna).ID}
	s.Bans = map[[2]int64]bool{}
	want(t, "notices of a post that Vera may not read", told(vera))
	s.People[gleb].Status, p.Likes = "public", nil
	if s.happened(s.Notices[2]) {
		t.Error("a notice of a like that was taken back counts as happened")
	}
}
