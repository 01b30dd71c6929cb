package web

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/text"
)

// noRivers answers what the site asks before it has visitors.
type noRivers struct{ Rivers }

func (noRivers) Age() time.Duration             { return 0 }
func (noRivers) Position() int64                { return 0 }
func (noRivers) Named(string) (river.Key, bool) { return river.Key{}, false }

func newSite(t *testing.T) *Server {
	t.Helper()
	none := http.NotFoundHandler()
	s, err := New(Config{Rivers: noRivers{}, URL: "http://amstel.example", Live: none, Changes: none})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestNobodyCanHaveAPagesName holds that a name that somebody can have leads to
// that somebody and nowhere else.
func TestNobodyCanHaveAPagesName(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`^[a-z0-9_][a-z0-9_-]{2,48}$`)
	reserved := text.Reserved()
	routes := 0
	err := chi.Walk(newSite(t).routes.(chi.Routes), func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		routes++
		first, _, _ := strings.Cut(strings.TrimPrefix(route, "/"), "/")
		if name.MatchString(first) && !slices.Contains(reserved, first) {
			t.Errorf("%s %s: somebody could be called %q", method, route, first)
		}
		return nil
	})
	if err != nil || routes < 60 {
		t.Errorf("%d routes, %v", routes, err)
	}
}

// TestEveryRouteOfARiverIsAPlace holds that what the router serves as a river
// is found by its path alone too, as open pages name it.
func TestEveryRouteOfARiverIsAPlace(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.names.put("alice", owner{Named: timeline.Named{Name: "alice", User: 3}, feed: 30}, time.Time{})
	s.names.put("cooks", owner{Named: timeline.Named{Name: "cooks", Group: 4}, feed: 40}, time.Time{})
	dutch, _ := text.FindLanguage("nl")
	s.spokenIn.Store(&languages{[]text.Language{dutch}, s.now()})
	for _, tt := range []struct {
		page   string
		viewer timeline.UserID
		want   river.Key
		at     river.At
	}{
		{"/", 3, river.Key{Viewer: 3, What: river.KindHome, TheirID: 3}, river.At{Count: 25}},
		{"/", 0, river.Key{What: river.KindEverything}, river.At{Count: 25}},
		{"/index.json", 3, river.Key{Viewer: 3, What: river.KindHome, TheirID: 3}, river.At{Count: 25}},
		{"", 3, river.Key{Viewer: 3, What: river.KindHome, TheirID: 3}, river.At{Count: 25}},
		{"/user.json", 3, river.Key{Viewer: 3, What: river.KindUser, TheirID: 3}, river.At{Count: 25}},
		{"/filter/everything", 3, river.Key{Viewer: 3, What: river.KindEverything}, river.At{Count: 25}},
		{"/filter/directs.json", 3, river.Key{Viewer: 3, What: river.KindDirects, TheirID: 3}, river.At{Count: 25}},
		{"/filter/favs", 3, river.Key{Viewer: 3, What: river.KindFavs, TheirID: 3}, river.At{Count: 25}},
		{"/alice", 5, river.Key{Viewer: 5, What: river.KindUser, TheirID: 3}, river.At{Count: 25}},
		{"//alice.json?page=2", 0, river.Key{What: river.KindUser, TheirID: 3}, river.At{Count: 25, Skip: 25}},
		{"/alice/comments?count=3", 0, river.Key{What: river.KindComments, TheirID: 3}, river.At{Count: 3}},
		{"/alice/likes.json", 0, river.Key{What: river.KindLikes, TheirID: 3}, river.At{Count: 25}},
		{"/cooks", 0, river.Key{What: river.KindGroup, TheirID: 4}, river.At{Count: 25}},
		{"/alice/77", 5, river.Key{Viewer: 5, What: river.KindPost, TheirID: 77}, river.At{Count: 25}},
		{"/cooks/77.json", 5, river.Key{Viewer: 5, What: river.KindPost, TheirID: 77}, river.At{Count: 25}},
		{"/alice/private", 5, river.Key{Viewer: 5, What: river.KindPrivate, TheirID: 3}, river.At{Count: 25}},
		{"/alice/calendar/2024", 5, river.Key{Viewer: 5, What: river.KindDay, TheirID: 3, Query: "2024"}, river.At{Count: 25}},
		{"/alice/calendar/2024/05.json", 0, river.Key{What: river.KindDay, TheirID: 3, Query: "2024-05"}, river.At{Count: 25}},
		{"/alice/calendar/2024/05/01?page=2", 5, river.Key{Viewer: 5, What: river.KindDay, TheirID: 3, Query: "2024-05-01"}, river.At{Count: 25, Skip: 25}},
		{"/alice/calendar/2024-02-29", 5, river.Key{Viewer: 5, What: river.KindDay, TheirID: 3, Query: "2024-02-29"}, river.At{Count: 25}},
		{"/filter/discussions", 3, river.Key{Viewer: 3, What: river.KindDiscussions, TheirID: 3}, river.At{Count: 25}},
		{"/filter/mentions.json", 3, river.Key{Viewer: 3, What: river.KindMentions, TheirID: 3}, river.At{Count: 25}},
		{"/filter/fyeo", 3, river.Key{Viewer: 3, What: river.KindFYEO, TheirID: 3}, river.At{Count: 25}},
		{"/filter/everything/nl", 3, river.Key{Viewer: 3, What: river.KindEverything, TheirID: timeline.LangID("nl")}, river.At{Count: 25}},
		{"/filter/everything/NL.json", 0, river.Key{What: river.KindEverything, TheirID: timeline.LangID("nl")}, river.At{Count: 25}},
		{"/filter/best_of", 0, river.Key{What: river.KindBestOf, TheirID: timeline.RankedID("", timeline.Rising)}, river.At{Count: 25}},
		{"/filter/best_of/nl?period=rising", 0, river.Key{What: river.KindBestOf, TheirID: timeline.RankedID("nl", timeline.Rising)}, river.At{Count: 25}},
		{"/filter/best_of/nl?period=ever", 0, river.Key{What: river.KindBestOf, TheirID: timeline.RankedID("nl", timeline.Ever)}, river.At{Count: 25}},
		{"/filter/best_of.json?period=week", 3, river.Key{Viewer: 3, What: river.KindBestOf, TheirID: timeline.RankedID("", timeline.Week)}, river.At{Count: 25}},
		{"/filter/best_of/nl?period=day", 3, river.Key{Viewer: 3, What: river.KindBestOf, TheirID: timeline.RankedID("nl", timeline.Day)}, river.At{Count: 25}},
		{"/filter/most_faved?period=ever", 0, river.Key{What: river.KindMostFaved, TheirID: timeline.RankedID("", timeline.Ever)}, river.At{Count: 25}},
		{"/filter/most_faved/nl.json?period=month&run=7", 0, river.Key{What: river.KindMostFaved, TheirID: timeline.RankedID("nl", timeline.Month)}, river.At{Count: 25, Run: 7}},
		{"/alice?run=7&order=created&exclude_replies=1", 0, river.Key{What: river.KindUser, TheirID: 3}, river.At{Count: 25, Order: river.OrderCreated, NoReplies: true}},
		{"/alice/calendar/2024?order=created", 0, river.Key{What: river.KindDay, TheirID: 3, Query: "2024"}, river.At{Count: 25}},
		{"/s?q=two+words", 3, river.Key{Viewer: 3, What: river.KindSearch, Query: "two words"}, river.At{Count: 25}},
		{"/s.json?q=%22two+words%22+-three&page=2", 0, river.Key{What: river.KindSearch, Query: `"two words" -three`}, river.At{Count: 25, Skip: 25}},
	} {
		key, at, err := s.Resolve(t.Context(), tt.viewer, tt.page, nil)
		if err != nil || key != tt.want || at != tt.at {
			t.Errorf("%q: %v %v %v, want %v %v", tt.page, key, at, err, tt.want, tt.at)
		}
	}
	for page, status := range map[string]int{
		"/filter/directs": 401, "/filter/favs": 401, "/user": 401, "/filter/nothing": 404, "/users/sign_in": 404, "/cooks/comments": 404,
		"/alice/0": 404, "/alice/77/comments": 404, "/alice?page=0": 422, "/alice/%zz": 404,
		"/filter/discussions": 401, "/filter/mentions": 401, "/filter/fyeo": 401, "/list/friends": 401, "/list": 404, "/list/a/b": 404, "/filter": 404,
		"/filter/everything/xx": 404, "/filter/everything/dutch": 404, "/filter/everything/nl/ru": 404, "/filter/everything/ru": 404, "/filter/best_of/ru": 404,
		"/filter/favs/nl": 404, "/filter/nothing/nl": 404, "/filter/best_of?period=year": 422, "/filter/most_faved/nl?period=1": 422,
		"/filter/best_of?order=created": 422, "/filter/best_of?start_from=2016-06-18T18:08:14Z": 422, "/filter/best_of?since_id=77": 422, "/filter/most_faved?max_id=77": 422,
		"/filter/best_of?run=first": 422, "/alice?order=top&max_id=77": 422, "/alice?order=created&start_from=2016-06-18T18:08:14Z": 422, "/alice/calendar/2024?start_from=2016-06-18T18:08:14Z": 422,
		"/alice?since_id=x": 422, "/alice?max_id=0": 422, "/alice?order=oldest": 422, "/alice?exclude_replies=2": 422,
		"/alice/calendar": 404, "/alice/calendar/1999": 404, "/alice/calendar/2024/13": 404, "/alice/calendar/2024/5": 404, "/alice/calendar/2023/02/29": 404,
		"/alice/calendar/2024/05/01/1": 404, "/alice/calendar/may": 404, "/alice/calendar/9999": 404, "/cooks/calendar/2024": 404, "/cooks/private": 404, "/alice/nothing": 404,
		"/s": 422, "/s?q=": 422,
	} {
		if _, _, err := s.Resolve(t.Context(), 0, page, nil); err == nil || explain(err).Status != status {
			t.Errorf("%q: %v, want a %d", page, err, status)
		}
	}
}

func TestPublicAddress(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "amstel.example", "ftp://amstel.example", "/", "http://"} {
		if _, err := New(Config{Rivers: noRivers{}, URL: address}); err == nil {
			t.Errorf("%q passes for a public address", address)
		}
	}
}
