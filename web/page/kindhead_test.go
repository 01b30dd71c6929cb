package page

import (
	"strings"
	"testing"

	"amstel.dev/amstel/web/catalogue"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/text"
)

// kindPages returns the pages without an owner, and the pages of a calendar.
func kindPages() []samplePage {
	cards := sampleCards()
	joosts := func(tab Tab, r Relation) *UserHead {
		return &UserHead{Card: cards.Users[joost], Tab: tab, Relation: r, Signed: true, ReturnTo: "/joost", Counts: Counts{ptr(128), ptr(1)}}
	}
	of := func(kind river.Kind, title, path string, head KindHead, entries ...river.Entry) RiverModel {
		m := sampleRiver(anneke, kind, title, path, entries...)
		m.Head = head
		return m
	}
	periods := Picker{Label: "Period", Choices: []PickerLink{{Text: "Rising", Href: BestOfPath, Current: true}, {Text: "All time", Href: BestOfPath + "?period=ever"}}}
	some := Picker{Label: "Language", Long: true, Choices: []PickerLink{{Text: "All languages", Href: BestOfPath, Current: true}, {Text: "Nederlands", Lang: "nl", Href: BestOfPath + "/nl"}}}
	many := Picker{Label: "Language", Long: true, Choices: []PickerLink{{Text: "All languages", Href: EverythingPath}}}
	for _, l := range text.Languages() {
		many.Choices = append(many.Choices, PickerLink{Text: l.Own, Lang: l.Code, Href: EverythingPath + "/" + l.Code, Current: l.Code == "nl"})
	}
	dutch, _ := text.FindLanguage("nl")

	day := of(river.KindDay, "Joost van Dam: 2 May 2024", "/joost/calendar/2024/05/02", KindHead{Days: &Days{
		Title: "2 May 2024", Calendar: CalendarPath("joost"), Up: &DayLink{Text: "May 2024", Href: "/joost/calendar/2024/05"},
		Before: &DayLink{Text: "1 May 2024", Href: "/joost/calendar/2024/05/01"}, After: &DayLink{Text: "4 June 2024", Href: "/joost/calendar/2024/06/04"},
		Strip: []*DayLink{{Text: "1", Href: "/joost/calendar/2024/05/01", Posts: 1}, {Text: "2", Href: "/joost/calendar/2024/05/02", Posts: 12, Current: true}},
	}}, sampleEntries()[0])
	day.User = joosts(TabCalendar, Relation{})
	away := of(river.KindDay, "Joost van Dam: 2012", "/joost/calendar/2012", KindHead{Days: &Days{Title: "2012", Calendar: CalendarPath("joost")}})
	away.User = joosts(TabCalendar, Relation{})
	private := of(river.KindPrivate, "Joost van Dam: private feed", "/joost/private", KindHead{})
	private.User = joosts(TabPrivate, Relation{Private: Following{Subscribed: true}})
	eyes := of(river.KindFYEO, "For your eyes only", FYEOPath, KindHead{})
	eyes.Form = &PostForm{Label: "Post for my eyes only", ReturnTo: FYEOPath, Languages: []text.Language{dutch}, Lang: "fy",
		Problems: Problems{"lang": "is unknown"}, To: []Destination{{Value: "user_fyeo", Label: "only you", Checked: true}}}

	return []samplePage{
		{"discussions-empty", River(of(river.KindDiscussions, "Discussions", DiscussionsPath, KindHead{}))},
		{"mentions-empty", River(of(river.KindMentions, "Mentions", MentionsPath, KindHead{}))},
		{"fyeo", River(eyes)},
		{"list-empty", River(of(river.KindList, "List: Night watch", ListPath("Night watch"), KindHead{Name: "Night watch"}))},
		{"everything-dutch", River(of(river.KindEverything, "Everything", EverythingPath+"/nl", KindHead{Language: dutch, Pickers: []Picker{many}}))},
		{"best-of", River(of(river.KindBestOf, "Best of", BestOfPath, KindHead{Pickers: []Picker{periods, some}}, sampleEntries()[:2]...))},
		{"most-faved-empty", River(of(river.KindMostFaved, "Most favourited", MostFavedPath, KindHead{Pickers: []Picker{periods}}))},
		{"hashtag", River(of(river.KindHashtag, "#canals", TagPath("canals"), KindHead{Name: "#canals", Tag: "canals"}))},
		{"search-empty", River(of(river.KindSearch, "Search: two words", "/s?q=two+words", KindHead{Name: "two words"}))},
		{"user-private-feed", River(private)},
		{"user-day", River(day)},
		{"user-day-empty", River(away)},
		{"user-calendar", Calendar(CalendarModel{Shell: sampleShell(anneke, "Joost van Dam: calendar", "/joost/calendar"), User: joosts(TabCalendar, Relation{}), Years: []Year{
			{DayLink{Text: "2024", Href: "/joost/calendar/2024", Posts: 13}, []*DayLink{{Text: "May", Href: "/joost/calendar/2024/05", Posts: 13}}},
		}})},
		{"user-calendar-empty", Calendar(CalendarModel{Shell: sampleShell(0, "Joost van Dam: calendar", "/joost/calendar"), User: joosts(TabCalendar, Relation{})})},
	}
}

func TestKindsSayWhatTheyAre(t *testing.T) {
	t.Parallel()
	dutch, _ := text.FindLanguage("nl")
	for _, tt := range []struct {
		kind        river.Kind
		head        KindHead
		title, says string
	}{
		{river.KindDiscussions, KindHead{}, "Discussions", "Posts you write or comment on"},
		{river.KindMentions, KindHead{}, "Mentions", "Posts that mention you as @anneke"},
		{river.KindFYEO, KindHead{}, "For your eyes only", "no one else can read them"},
		{river.KindList, KindHead{Name: "<b>"}, "<b>", "Nothing in this list yet"},
		{river.KindEverything, KindHead{Language: dutch}, "Everything in Dutch", "Nothing in Dutch yet"},
		{river.KindBestOf, KindHead{}, "Best of", "Posts with likes"},
		{river.KindMostFaved, KindHead{}, "Most favourited", "as favourites"},
		{river.KindHashtag, KindHead{Tag: "canals"}, "#canals", "Posts with #canals in their text"},
		{river.KindSearch, KindHead{Tag: "canals"}, "#canals", "Posts with #canals in their text"},
		{river.KindSearch, KindHead{Name: "two words"}, "Search", "New posts that match appear"},
	} {
		m := sampleRiver(anneke, tt.kind, "", "/x")
		m.Head = tt.head
		doc := pageOf(t, m)
		if got := words(one(t, doc, "h1")); got != tt.title {
			t.Errorf("%s is headed %q, want %q", tt.kind, got, tt.title)
		}
		if got := words(one(t, doc, "#river > div.empty")); !strings.Contains(got, tt.says) {
			t.Errorf("%s: %q does not say %q", tt.kind, got, tt.says)
		}
	}
}

func TestTabsAreThoseTheViewerMayOpen(t *testing.T) {
	t.Parallel()
	card := sampleCards().Users[joost]
	for _, tt := range []struct {
		name string
		head UserHead
		want []string
	}{
		{"a stranger", UserHead{Card: card, Tab: TabCalendar}, []string{"/joost Posts", "/joost/photos Photos", "/joost/comments Comments", "/joost/likes Likes", "/joost/calendar Calendar *"}},
		{"a reader of the private feed", UserHead{Card: card, Tab: TabPrivate, Relation: Relation{Private: Following{Subscribed: true}}},
			[]string{"/joost Posts", "/joost/private Private *", "/joost/photos Photos", "/joost/comments Comments", "/joost/likes Likes", "/joost/calendar Calendar"}},
		{"one's own", UserHead{Card: card, Tab: TabPosts, Relation: Relation{Self: true}},
			[]string{"/joost Posts *", "/joost/private Private", "/joost/photos Photos", "/joost/comments Comments", "/joost/likes Likes", "/joost/calendar Calendar"}},
	} {
		var got []string
		for _, a := range all(parse(t, render(t, tabs(catalogue.English, "Joost", tt.head.tabs(catalogue.English)))), "nav.tabs a") {
			line := attr(a, "href") + " " + words(a)
			if has(a, "aria-current") {
				line += " *"
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestPickersFoldWhatIsLong(t *testing.T) {
	t.Parallel()
	for n, folds := range map[int]bool{0: false, 2: true, 8: true} {
		p := Picker{Label: "Language", Long: true}
		for range n {
			p.Choices = append(p.Choices, PickerLink{Text: "x", Href: "/x", Lang: "nl"})
		}
		doc := parse(t, render(t, pickers(catalogue.English, []Picker{p})))
		if got := len(all(doc, "details")) == 1; got != folds || len(all(doc, `a[lang=nl]`)) != n {
			t.Errorf("%d choices: folded %v", n, got)
		}
	}
}

func TestEmptyPageAddressesItsOwner(t *testing.T) {
	t.Parallel()
	for kind, want := range map[river.Kind][2]string{
		river.KindUser:     {"What you write appears", "What Joost van Dam writes appears"},
		river.KindPrivate:  {"What you write for", "What Joost van Dam writes for"},
		river.KindComments: {"Posts you comment on", "Posts that Joost van Dam comments on"},
		river.KindPhotos:   {"Your posts with a photo", "Posts by Joost van Dam with a photo"},
		river.KindLikes:    {"Posts you like appear", "Posts that Joost van Dam likes appear"},
	} {
		for i, self := range []bool{true, false} {
			m := sampleRiver(joost, kind, "", "/joost")
			m.User = &UserHead{Card: sampleCards().Users[joost], Relation: Relation{Self: self}, Signed: true}
			if got := render(t, River(m)); !strings.Contains(got, want[i]) {
				t.Errorf("%s does not say %q", kind, want[i])
			}
		}
	}
}

// TestRankingsShowPoints: the entries of rankings, and no others, have points. The head says
// which actions count, and whether age does.
func TestRankingsShowPoints(t *testing.T) {
	t.Parallel()
	for points, want := range map[int64]string{0: "", 400: "1 point", 1000: "1 point", 2500: "3 points"} {
		e := post(5, joost, "x")
		e.Points = points
		if got := strings.Join(texts(all(article(t, model(0, e)), ".bem-post__likes .mark")), ""); got != want {
			t.Errorf("%d thousandths of a point are %q, want %q", points, got, want)
		}
	}
	best := timeline.Weights{Like: 1, Comment: 0.5, Fav: 2}
	for _, tt := range []struct {
		weights timeline.Weights
		period  timeline.Period
		want    string
	}{
		{best, timeline.Rising, "Points: 1 for a like, 0.5 for a comment, 2 for a favourite. The older a post is, the more points it needs to stay near the top."},
		{best, timeline.Ever, "Points: 1 for a like, 0.5 for a comment, 2 for a favourite. Age does not count."},
		{timeline.Weights{Fav: 1}, timeline.Day, "Points: 1 for a favourite. Age does not count."},
	} {
		if got := PointsRule(catalogue.English, tt.weights, tt.period); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
