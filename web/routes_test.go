package web

import (
	"context"
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
	"amstel.dev/amstel/web/address"
)

// A noRivers answers the calls that the site makes before it has visitors.
type noRivers struct{ Rivers }

func (noRivers) Age() time.Duration                                      { return 0 }
func (noRivers) Site() timeline.SiteSettings                             { return timeline.SiteSettings{} }
func (noRivers) Position() int64                                         { return 0 }
func (noRivers) Named(string, timeline.UserID, []byte) (river.Key, bool) { return river.Key{}, false }
func (noRivers) Holder(string) (river.Holder, bool)                      { return river.Holder{}, false }

func newSite(t *testing.T) *Server {
	t.Helper()
	none := http.NotFoundHandler()
	s, err := New(Config{Rivers: noRivers{}, URL: "http://amstel.example", Live: none, Changes: none, Faye: none})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestNoAccountCanHaveThePathOfAPage: no path of the site is a possible name of an account. The
// path of each allowed name leads to the account.
func TestNoAccountCanHaveThePathOfAPage(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`^[a-z0-9_][a-z0-9_-]{2,48}$`)
	reserved := text.Reserved()
	routes := 0
	err := chi.Walk(newSite(t).routes, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		routes++
		first, _, _ := strings.Cut(strings.TrimPrefix(route, "/"), "/")
		if name.MatchString(first) && !slices.Contains(reserved, first) {
			t.Errorf("%s %s: an account could have the name %q", method, route, first)
		}
		return nil
	})
	if err != nil || routes < 60 {
		t.Errorf("%d routes, %v", routes, err)
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

// A townhall is a primary for tests that need none: it knows alice, and that posts in Dutch
// exist.
type townhall struct{ address.Store }

func (townhall) Lookup(_ context.Context, name string) (timeline.Named, error) {
	if name != "alice" {
		return timeline.Named{}, timeline.ErrNotFound
	}
	return timeline.Named{Name: "alice", User: 3}, nil
}

func (townhall) FeedsOf(context.Context, timeline.Named) (feed, private timeline.TimelineID, err error) {
	return 30, 31, nil
}

func (townhall) LanguagesUsed(context.Context) ([]text.Language, error) {
	dutch, _ := text.FindLanguage("nl")
	return []text.Language{dutch}, nil
}

// withoutPrimary lets a site find addresses by the names of the townhall.
func withoutPrimary(s *Server) { s.addresses = address.New(townhall{}, s.rivers, s.now, s.log) }
