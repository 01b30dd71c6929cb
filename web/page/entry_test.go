package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// model returns an entry for a viewer, on the page at "/x?page=2".
func model(viewer timeline.UserID, e river.Entry) EntryModel {
	return EntryModel{Entry: &e, Sets: sampleSets(viewer), Cards: sampleCards(), ReturnTo: "/x?page=2#p7"}
}

// article renders an entry and finds its element.
func article(t *testing.T, m EntryModel) *html.Node {
	t.Helper()
	return one(t, parse(t, render(t, Entry(m))), "article")
}

func texts(nodes []*html.Node) []string {
	all := make([]string, len(nodes))
	for i, n := range nodes {
		all[i] = words(n)
	}
	return all
}

func TestEntryIsWhatTheClientReads(t *testing.T) {
	t.Parallel()
	for _, viewer := range []timeline.UserID{0, anneke, joost} {
		for _, e := range append(sampleEntries(), post(1, anneke, "")) {
			a := article(t, model(viewer, e))
			id := attr(a, "data-post-id")
			if attr(a, "id") != "p"+id || attr(a, "data-tag") != e.Tag {
				t.Errorf("entry %d of viewer %d is %v", e.Fold.Post, viewer, a.Attr)
			}
			if !fits(a, ".entry.bem-post") {
				t.Errorf("entry %d has the class %q", e.Fold.Post, attr(a, "class"))
			}
			var parts []string
			for _, child := range below(a, false) {
				class, _, _ := strings.Cut(attr(child, "class"), " ")
				parts = append(parts, class)
			}
			want := []string{"entry-head", "text", "bem-post__likes", "bem-post__comments"}
			if model(viewer, e).attached() {
				want = slices.Insert(want, 2, "attachments")
			}
			if e.Fold.Comments.All {
				want = append(want, "comment-form")
			}
			if e.Hidden {
				want = []string{"entry-folded"}
			}
			if diff := cmp.Diff(want, parts); diff != "" {
				t.Errorf("parts of entry %d for viewer %d (-want +got):\n%s", e.Fold.Post, viewer, diff)
			}
			link := one(t, a, "a.bem-post__timestamp-link")
			if got, want := attr(link, "href"), model(viewer, e).path(); got != want {
				t.Errorf("entry %d is at %q, want %q", e.Fold.Post, got, want)
			}
			if got := attr(one(t, link, "time"), "datetime"); got != machineTime(e.Fold.Text.PublishedAt) {
				t.Errorf("entry %d is of %q", e.Fold.Post, got)
			}
		}
	}
}

func TestEntryHTMLIsTheEntryOfThePage(t *testing.T) {
	t.Parallel()
	m := model(anneke, sampleEntries()[0])
	if diff := cmp.Diff(render(t, Entry(m)), EntryHTML(m, "")); diff != "" {
		t.Errorf("(-page +fragment):\n%s", diff)
	}
	first, second := EntryHTML(m, ""), EntryHTML(m, "")
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("rendered twice (-first +second):\n%s", diff)
	}
}

func TestEntryNamesAuthorAndPlaces(t *testing.T) {
	t.Parallel()
	fyeo := timeline.Timeline{What: timeline.WhatUserFYEO, TheirID: int64(sanne), Access: timeline.AccessOwner}
	for _, tt := range []struct {
		name   string
		viewer timeline.UserID
		entry  river.Entry
		want   string
	}{
		{"one's own feed goes without saying", anneke, post(1, joost, "x"), "Joost van Dam"},
		{"a group is named", anneke, post(1, joost, "x", to(groupFeed(cooks))), "Joost van Dam to Cooks of Noord"},
		{"so are several", anneke, post(1, joost, "x", to(feedOf(joost), groupFeed(cooks), groupFeed(gitApply))), "Joost van Dam to Cooks of Noord and git apply"},
		{"the private feed", anneke, post(1, vera, "x", to(privateFeedOf(vera)), locked), "Вера Павлова to private feed"},
		{"for one's eyes only", sanne, post(1, sanne, "x", to(fyeo), locked), "Sanne Bakker"},
		{"a direct to the viewer", anneke, post(1, emre, "x", to(directsOf(anneke)), locked), "Emre Yıldız direct message to you"},
		{"a direct by the viewer", emre, post(1, emre, "x", to(directsOf(emre), directsOf(anneke), directsOf(vera)), locked), "Emre Yıldız direct message to Anneke de Wit and Вера Павлова"},
		{"a direct message to no one else", emre, post(1, emre, "x", to(directsOf(emre)), locked), "Emre Yıldız direct message to no one"},
		{"an author without a card", anneke, post(1, 99, "x"), "Someone"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := words(one(t, article(t, model(tt.viewer, tt.entry)), ".entry-head > p")); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestEntryShowsItsReaders(t *testing.T) {
	t.Parallel()
	fyeo := timeline.Timeline{What: timeline.WhatUserFYEO, TheirID: int64(sanne), Access: timeline.AccessOwner}
	private := func(t timeline.Timeline) timeline.Timeline { return with(timeline.AccessPrivate, t) }
	for _, tt := range []struct {
		name             string
		entry            river.Entry
		icon, word, long string
	}{
		{"public needs no mark", post(1, joost, "x"), "", "", ""},
		{"also where one of its places is not public", post(1, joost, "x", to(private(feedOf(joost)), groupFeed(cooks))), "", "", ""},
		{"people who are signed in", post(1, joost, "x", to(private(feedOf(joost)), with(timeline.AccessProtected, groupFeed(cooks))), locked),
			"shield", "signed in only", "Visible to everyone who is signed in."},
		{"subscribers", post(1, sanne, "x", to(private(feedOf(sanne))), locked), "lock", "subscribers only", "Visible to subscribers to Sanne Bakker."},
		{"members", post(1, sanne, "x", to(private(groupFeed(cooks)), private(groupFeed(gitApply))), locked),
			"lock", "members only", "Visible to members of Cooks of Noord and members of git apply."},
		{"both", post(1, sanne, "x", to(privateFeedOf(sanne), private(groupFeed(cooks))), locked),
			"lock", "subscribers and members only", "Visible to subscribers to the private feed of Sanne Bakker and members of Cooks of Noord."},
		{"only the author", post(1, sanne, "x", to(fyeo), locked), "eye", "only you", "For your eyes only: no one else can read it."},
		{"recipients", post(1, sanne, "x", to(directsOf(sanne), directsOf(emre)), locked), "envelope", "direct", "Direct message: only the people it was sent to can read it."},
		{"some readers, if the places are not known", post(1, sanne, "x", to(), locked), "lock", "not public", "Not everyone can read it."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			found := all(article(t, model(sanne, tt.entry)), "span.audience")
			if len(found) != min(len(tt.word), 1) {
				t.Fatalf("it is said %d times", len(found))
			}
			if tt.word != "" && (words(found[0]) != tt.word || attr(found[0], "title") != tt.long || !fits(found[0], ".i-"+tt.icon)) {
				t.Errorf("it says %q: %q", words(found[0]), attr(found[0], "title"))
			}
		})
	}
}

func TestEntryMeta(t *testing.T) {
	t.Parallel()
	e := post(1, joost, "x",
		because1(timeline.WhatUserLikes, int64(anneke), int64(emre)),
		because1(timeline.WhatUserComments, int64(sanne), int64(lotte), int64(vera), int64(olga), int64(pieter)),
		because1(timeline.WhatGroup, int64(cooks)))
	e.Fold.Text.Platform = "Android App"
	e.Fold.Text.CommentsDisabled = true
	a := article(t, model(anneke, e))
	want := []string{"commented on by Sanne Bakker, Lotte K., Вера Павлова, and 2 others"}
	if diff := cmp.Diff(want, texts(all(a, "span.reason"))); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"via Android App", "comments are off"}, texts(all(a, ".bem-post__likes span.mark"))); diff != "" {
		t.Errorf("marks (-want +got):\n%s", diff)
	}
}

func TestEntryLikes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		viewer timeline.UserID
		entry  river.Entry
		want   []string
	}{
		{"no one", anneke, post(1, joost, "x"), []string{}},
		{"one", anneke, post(1, joost, "x", likedBy(0, emre)), []string{"Emre Yıldız liked this"}},
		{"two, the newest first", anneke, post(1, joost, "x", likedBy(0, emre, olga)), []string{"Olga and Emre Yıldız liked this"}},
		{"three", 0, post(1, joost, "x", likedBy(0, emre, olga, vera)), []string{"Вера Павлова, Olga, and Emre Yıldız liked this"}},
		{"many", 0, post(1, joost, "x", likedBy(3, emre, olga)), []string{"Olga, Emre Yıldız, and 3 other people liked this"}},
		{"one more", 0, post(1, joost, "x", likedBy(1, emre)), []string{"Emre Yıldız and 1 other person liked this"}},
		{"the viewer comes first", anneke, post(1, joost, "x", liked, likedBy(0, emre, anneke, olga)), []string{"You, Olga, and Emre Yıldız liked this"}},
		{"also from among those not named", anneke, post(1, joost, "x", liked, likedBy(3, emre, olga, vera)), []string{"You, Вера Павлова, Olga, Emre Yıldız, and 2 other people liked this"}},
		{"and is then counted once", anneke, post(1, joost, "x", liked, likedBy(1, emre)), []string{"You and Emre Yıldız liked this"}},
		{"a visitor likes nothing", 0, post(1, joost, "x", liked, likedBy(0, emre)), []string{"Emre Yıldız liked this"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := texts(all(article(t, model(tt.viewer, tt.entry)), ".bem-post__likes-list"))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestEntryComments(t *testing.T) {
	t.Parallel()
	keys := func(a *html.Node) (found []string) {
		for _, c := range below(one(t, a, "div.bem-post__comments"), false) {
			found = append(found, attr(c, "data-key")+attr(c, "id"))
		}
		return found
	}
	two := commented(7, said{emre, "first"}, said{joost, "last"})
	a := article(t, model(0, post(5, joost, "x", two)))
	if diff := cmp.Diff([]string{"c500", "more", "c501"}, keys(a)); diff != "" {
		t.Errorf("folded (-want +got):\n%s", diff)
	}
	fold := one(t, a, ".bem-post__more-comments a")
	if words(fold) != "7 more comments" || attr(fold, "href") != "/joost/5" {
		t.Errorf("the fold is %q to %q", words(fold), attr(fold, "href"))
	}
	if got := words(one(t, article(t, model(0, post(5, joost, "x", commented(1, said{emre, "a"}, said{emre, "b"})))), ".bem-post__more-comments")); got != "1 more comment" {
		t.Errorf("a fold of one is %q", got)
	}
	whole := article(t, model(0, post(5, joost, "x", single, commented(0, said{emre, "a"}, said{joost, "b"}, said{vera, "c"}))))
	if diff := cmp.Diff([]string{"c500", "c501", "c502"}, keys(whole)); diff != "" {
		t.Errorf("whole (-want +got):\n%s", diff)
	}

	// What browser extensions look for: the author is the first link to a page
	// of ours outside the text.
	c := one(t, a, "#c500")
	if !fits(c, ".bem-post__comment") || words(one(t, c, ".bem-post__comment-text")) != "first" {
		t.Errorf("the comment is %q", words(c))
	}
	if by := all(c, ".bem-post__comment-rest a")[0]; attr(by, "href") != "/emre" || words(by) != "Emre Yıldız" {
		t.Errorf("the author is %q at %q", words(by), attr(by, "href"))
	}
	if got := attr(one(t, c, "a[name]"), "href"); got != "/joost/5#c500" {
		t.Errorf("the comment is at %q", got)
	}
}

// TestLongThreadOpensAtItsEnd counts the comments that a post's own page collapses and leaves
// open. The border stands still while twenty comments come.
func TestLongThreadOpensAtItsEnd(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ n, earlier int }{{40, 0}, {41, 20}, {59, 20}, {60, 40}, {79, 40}, {300, 280}} {
		many := make([]said, tt.n)
		for i := range many {
			many[i] = said{emre, "x"}
		}
		a := article(t, model(0, post(5, joost, "x", single, commented(0, many...))))
		folded := all(a, "details.comments-earlier .comment")
		if len(folded) != tt.earlier || len(all(a, ".comment")) != tt.n {
			t.Errorf("of %d comments %d are collapsed, want %d of %d", len(all(a, ".comment")), len(folded), tt.earlier, tt.n)
		}
		if tt.earlier > 0 && words(one(t, a, "details.comments-earlier > summary")) != fmt.Sprint(tt.earlier, " earlier comments") {
			t.Errorf("the fold of %d says %q", tt.earlier, words(one(t, a, "details.comments-earlier > summary")))
		}
	}
	// A page of many posts has few comments of each, and collapses none of these.
	if found := all(article(t, model(0, post(5, joost, "x", commented(60, said{emre, "a"}, said{emre, "b"})))), "details.comments-earlier"); len(found) != 0 {
		t.Error("a river collapses comments that it shows")
	}
}

func TestEntrySaysWhenItWasEdited(t *testing.T) {
	t.Parallel()
	edited := func(e *river.Entry) { e.Fold.Text.UpdatedAt = e.Fold.Text.PublishedAt.Add(3 * time.Hour) }
	marks := func(a *html.Node) []string { return texts(all(a, ".bem-post__likes .mark")) }
	if got := marks(article(t, model(0, post(5, joost, "x")))); len(got) != 0 {
		t.Errorf("a post that was not edited is marked %q", got)
	}
	a := article(t, model(0, post(5, joost, "x", edited)))
	if got := marks(a); len(got) != 1 || !strings.HasPrefix(got[0], "edited ") || len(all(a, ".bem-post__likes .mark time")) != 1 {
		t.Errorf("a post that was edited is marked %q", got)
	}
}

func TestCommentIsAnswered(t *testing.T) {
	t.Parallel()
	both := commented(0, said{emre, "theirs"}, said{anneke, "mine"})
	for viewer, want := range map[timeline.UserID]int{0: 0, anneke: 1} {
		links := all(article(t, model(viewer, post(5, joost, "x", both))), ".bem-post__comment-rest a[href='/joost/5#f']")
		if len(links) != want || want == 1 && words(links[0]) != "Reply" {
			t.Errorf("viewer %d is offered %d answers, want %d", viewer, len(links), want)
		}
	}
}

func TestEntryFoldsOddCounts(t *testing.T) {
	t.Parallel()
	e := post(5, joost, "x", commented(0, said{emre, "a"}))
	e.Fold.Comments.Count = 0 // fewer than there are: never "-1 more comments"
	if found := all(article(t, model(0, e)), ".bem-post__more-comments"); len(found) != 0 {
		t.Errorf("a fold of %q", words(found[0]))
	}
	e.Fold.Comments.Count, e.Fold.Comments.Gap = 9, 7
	if got := words(one(t, article(t, model(0, e)), ".bem-post__more-comments")); got != "8 more comments" {
		t.Errorf("a fold of %q", got)
	}
}

func TestEntryNotSafeForWork(t *testing.T) {
	t.Parallel()
	a := article(t, model(0, post(1, joost, "shown on demand", nsfw)))
	details := one(t, a, "div.bem-post__text details.nsfw")
	if has(details, "open") || !strings.Contains(words(details), "shown on demand") {
		t.Errorf("the text stands open: %v", details.Attr)
	}
}

func TestEntryHidden(t *testing.T) {
	t.Parallel()
	e := post(1, joost, "not to be read", hidden1, commented(0, said{emre, "nor this"}))
	a := article(t, model(anneke, e))
	if got := words(a); strings.Contains(got, "not to be read") || strings.Contains(got, "nor this") {
		t.Errorf("a hidden entry says %q", got)
	}
	if diff := cmp.Diff([]string{"DELETE /api/v1/posts/1/hide.json Show again"}, actionsIn(t, a)); diff != "" {
		t.Errorf("shown again by (-want +got):\n%s", diff)
	}
	all := model(anneke, e)
	all.Sets.HiddenUsers = map[timeline.UserID]bool{joost: true}
	if diff := cmp.Diff([]string{"DELETE /api/v1/users/joost/hide.json Show posts by Joost van Dam again"}, actionsIn(t, article(t, all))); diff != "" {
		t.Errorf("a post hidden with all posts of its author is shown again by (-want +got):\n%s", diff)
	}
	e.Fold.Comments.All = true
	if got := words(article(t, model(anneke, e))); !strings.Contains(got, "not to be read") || !strings.Contains(got, "You hid this.") {
		t.Errorf("on its own page it says %q", got)
	}
}

func TestEntryFoldsHiddenComments(t *testing.T) {
	t.Parallel()
	m := model(anneke, post(5, joost, "x", commented(0, said{emre, "folded"}, said{vera, "open"})))
	m.Sets.HiddenComments = map[timeline.UserID]bool{emre: true}
	a := article(t, m)
	folded := one(t, a, "#c500 > details")
	if got := words(one(t, folded, "summary")); got != "a hidden comment by Emre Yıldız" || has(folded, "open") || !strings.Contains(words(folded), "folded") {
		t.Errorf("folded it is %q: %q", got, words(folded))
	}
	if len(all(a, "#c501 details")) != 0 {
		t.Error("a comment by another person is hidden, too")
	}
}

// menuOf returns the list of an entry's menu page.
func menuOf(t *testing.T, m EntryModel) *html.Node {
	t.Helper()
	return one(t, parse(t, render(t, EntryMenu(sampleShell(anneke, "", "/"), m))), "main .menu-box")
}

// actionsIn returns method, action and label of all that a part of a page offers to do, in order.
func actionsIn(t *testing.T, root *html.Node) (found []string) {
	t.Helper()
	for _, button := range all(root, "button") {
		form := button.Parent
		for form != nil && form.Data != "form" {
			form = form.Parent
		}
		method, action := "POST", attr(button, "formaction")
		if action == "" {
			action = attr(form, "action")
			for _, does := range all(form, "input[name=_action]") {
				action = attr(does, "value")
			}
			if attr(form, "method") == "get" {
				method = "GET"
			}
			for _, m := range all(form, "input[name=_method]") {
				method = attr(m, "value")
			}
		} else if attr(button, "name") == "_method" {
			method = attr(button, "value")
		}
		label := words(button)
		if has(button, "aria-label") {
			label = attr(button, "aria-label")
		}
		found = append(found, method+" "+action+" "+label)
	}
	return found
}

func TestEntryForms(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		viewer timeline.UserID
		entry  river.Entry
		want   []string // method, action and label, in order
	}{
		{"a visitor has no buttons but that of the likes", 0, sampleEntries()[0], []string{"GET /joost/31/likes 4 other people"}},
		{"a reader likes, keeps and hides", anneke, post(9, joost, "x"), []string{
			"POST /api/v1/posts/9/likes.json Like", "POST /api/v1/posts/9/favs.json Favourite", "POST /api/v1/posts/9/hide.json Hide"}},
		{"and takes that back", anneke, post(9, joost, "x", single, hidden1, liked, likedBy(0, anneke), func(e *river.Entry) { e.Faved = true }), []string{
			"DELETE /api/v1/posts/9/hide.json Show again",
			"DELETE /api/v1/posts/9/likes.json Unlike 1", "DELETE /api/v1/posts/9/favs.json Unfavourite", "POST /api/v1/posts/9/comments.json Comment"}},
		{"an author deletes and keeps it, and likes nothing", joost, post(9, joost, "x"), []string{
			"POST /api/v1/posts/9/favs.json Favourite", "DELETE /api/v1/posts/9.json Delete post"}},
		{"the author removes it from a group", joost, post(9, joost, "x", to(feedOf(joost), groupFeed(cooks))), []string{
			"POST /api/v1/posts/9/favs.json Favourite", "DELETE /api/v1/posts/9/groups/cooks.json Remove the post", "DELETE /api/v1/posts/9.json Delete post"}},
		{"and sends a direct to more people", joost, post(9, joost, "x", to(directsOf(joost), directsOf(emre)), locked), []string{
			"POST /api/v1/posts/9/favs.json Favourite", "DELETE /api/v1/posts/9.json Delete post", "POST /api/v1/posts/9/recipients.json Add people"}},
		{"a recipient leaves it", emre, post(9, joost, "x", to(directsOf(emre)), locked), []string{
			"POST /api/v1/posts/9/likes.json Like", "POST /api/v1/posts/9/favs.json Favourite",
			"POST /api/v1/posts/9/hide.json Hide", "DELETE /api/v1/posts/9/recipients.json Leave the conversation"}},
		{"comments are liked, and deleted by their authors", emre, post(9, joost, "x", commented(0, said{emre, "a"}, said{vera, "b"})), []string{
			"POST /api/v1/posts/9/likes.json Like", "POST /api/v1/posts/9/favs.json Favourite",
			"POST /api/v1/posts/9/clike/901.json Like",
			"POST /api/v1/posts/9/hide.json Hide"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := model(tt.viewer, tt.entry)
			got := actionsIn(t, article(t, m))
			if tt.viewer != 0 {
				got = append(got, actionsIn(t, menuOf(t, m))...)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestExcludedReaderGetsNoForms(t *testing.T) {
	t.Parallel()
	m := model(anneke, post(9, joost, "x", single, commented(0, said{emre, "a"})))
	m.Sets.Excluded = map[timeline.TimelineID]bool{feedOf(joost).ID: true}
	a := article(t, m)
	if offered := append(actionsIn(t, a), actionsIn(t, menuOf(t, m))...); len(offered) != 1 || offered[0] != "POST /api/v1/posts/9/hide.json Hide" {
		t.Errorf("there is %q", offered)
	}
	if got := words(one(t, a, ".comment-form")); got != "You can read this, but you can't comment on it." {
		t.Errorf("it says %q", got)
	}
}

func TestCommentLikesAreCounted(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		likers []timeline.UserID
		want   string
	}{
		{nil, ""},
		{[]timeline.UserID{emre}, "1 like"},
		{[]timeline.UserID{emre, vera}, "2 likes"},
		{[]timeline.UserID{anneke}, "liked by you"},
		{[]timeline.UserID{anneke, emre}, "liked by you and 1 other"},
		{[]timeline.UserID{anneke, emre, vera}, "liked by you and 2 others"},
	} {
		e := post(9, joost, "x", commented(0, said{pieter, "a"}))
		e.Fold.Comments.Comments[0].Likers, e.Fold.Comments.Comments[0].Likes = tt.likers, len(tt.likers)
		if got := strings.Join(texts(all(article(t, model(anneke, e)), ".bem-post__comment-rest .mark")), "; "); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.likers, got, tt.want)
		}
	}
}

func TestFavouritesAreCounted(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "", 1: "1 favourite", 12: "12 favourites"} {
		if got := strings.Join(texts(all(article(t, model(0, post(9, joost, "x", faved(n)))), ".bem-post__likes > .likes")), ""); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestEntryEdits(t *testing.T) {
	t.Parallel()
	e := post(9, joost, "x", commented(0, said{joost, "mine"}, said{emre, "theirs"}))
	var got []string
	for _, a := range append(all(menuOf(t, model(joost, e)), "a"), all(article(t, model(joost, e)), "a")...) {
		if words(a) == "Edit" {
			got = append(got, attr(a, "href"))
		}
	}
	if diff := cmp.Diff([]string{"/joost/9/edit", "/joost/9/comments/900/edit"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestEntryIsTheSameOnEveryPage: the HTML of an entry does not depend on the page around it, and
// equals the HTML in frames.
func TestEntryIsTheSameOnEveryPage(t *testing.T) {
	t.Parallel()
	for _, e := range sampleEntries() {
		for _, viewer := range []timeline.UserID{0, anneke, joost} {
			here, there := model(viewer, e), model(viewer, e)
			here.ReturnTo, there.ReturnTo = "/here", "/there?page=2"
			if !e.Fold.Comments.All {
				here.NewUUID = func() string { return "a-key" }
			}
			if diff := cmp.Diff(render(t, Entry(here)), render(t, Entry(there))); diff != "" {
				t.Errorf("entry %d for viewer %d (-here +there):\n%s", e.Fold.Post, viewer, diff)
			}
		}
	}
}

// TestMenuComesBack checks where the forms of an entry's menu lead.
func TestMenuComesBack(t *testing.T) {
	t.Parallel()
	back := func(m EntryModel) (found []string) {
		for _, input := range all(menuOf(t, m), "input[name=return_to]") {
			found = append(found, attr(input, "value"))
		}
		slices.Sort(found)
		return slices.Compact(found)
	}
	m := model(joost, post(9, joost, "x", to(feedOf(joost), groupFeed(cooks))))
	if diff := cmp.Diff([]string{"/x?page=2", "/x?page=2#p9"}, back(m)); diff != "" {
		t.Errorf("on a page (-want +got):\n%s", diff)
	}
	m.Entry.Fold.Comments.All = true
	if diff := cmp.Diff([]string{"/cooks", "/joost"}, back(m)); diff != "" {
		t.Errorf("on its own page (-want +got):\n%s", diff)
	}
	m.ReturnTo, m.Entry.Fold.Comments.All = "", false
	if diff := cmp.Diff([]string(nil), back(m)); diff != "" {
		t.Errorf("anywhere (-want +got):\n%s", diff)
	}
}

func TestCommentFormHasAKey(t *testing.T) {
	t.Parallel()
	m := model(anneke, post(9, joost, "x", single))
	if found := all(article(t, m), "input[name=_uuid]"); len(found) != 0 {
		t.Error("a form without a key has one")
	}
	m.NewUUID = func() string { return "the-key" }
	if got := attr(one(t, article(t, m), "form.comment-form input[name=_uuid]"), "value"); got != "the-key" {
		t.Errorf("the key is %q", got)
	}
	if got := attr(one(t, article(t, m), "form.comment-form textarea"), "name"); got != "comment[text]" {
		t.Errorf("the text is sent as %q", got)
	}
}

// TestEntryIsSmall holds how many bytes of HTML an entry and a comment have beside what people wrote: a
// home of 25 entries of the imported community has 60,000 bytes with them.
func TestEntryIsSmall(t *testing.T) {
	t.Parallel()
	const id = 3525528225115470
	bytes := func(change ...func(*river.Entry)) int {
		e := post(id, joost, "x", change...)
		e.Tag = "q3nDw1rFCqUkM9eKLqUFVw"
		return len(render(t, Entry(model(anneke, e))))
	}
	entry := bytes(commented(0))
	if most := 940; entry > most {
		t.Errorf("an entry has %d bytes, want at most %d", entry, most)
	}
	if comment, most := bytes(commented(0, said{emre, "a"}))-entry, 640; comment > most {
		t.Errorf("a comment has %d bytes, want at most %d", comment, most)
	}
}
