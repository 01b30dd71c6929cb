package timeline

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// holdsUp keeps whoever reads a table waiting, until the test lets go.
func (s *site) holdsUp(table string) (release func()) {
	s.t.Helper()
	tx, err := s.pool.Begin(s.t.Context())
	s.must(err)
	_, err = tx.Exec(s.t.Context(), "lock table "+pgx.Identifier{table}.Sanitize()+" in access exclusive mode")
	s.must(err)
	release = func() { _ = tx.Rollback(context.Background()) }
	s.t.Cleanup(release)
	return release
}

func TestASearchThatTakesTooLongIsRefused(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	post := s.says("anna", "en", "boats")
	for what, look := range map[string]func(*Snapshot, *Query) error{
		"choosing": func(sn *Snapshot, q *Query) error {
			_, err := sn.Choose(t.Context(), Choice{Query: q}, Top, 10)
			return err
		},
		"matching": func(sn *Snapshot, q *Query) error {
			_, err := sn.Match(t.Context(), []Matching{{Query: q}}, []PostID{post})
			return err
		},
	} {
		sn := s.snap()
		q := s.compile(sn, "boats")
		sn.SearchFor(time.Minute)
		s.must(look(sn, q))
		if sn.Searched() {
			t.Errorf("%s takes a minute", what)
		}
		sn.Close() // it would hold the table
		release := s.holdsUp("post_words")
		sn = s.snap()
		sn.SearchFor(time.Millisecond)
		if err := look(sn, q); !isInvalid(err) {
			t.Errorf("%s, for ever: %v", what, err)
		}
		if !sn.Searched() {
			t.Errorf("%s, for ever, took no time", what)
		}
		release()
		sn.Close()
	}
}

func TestOnlySearchingIsBounded(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	s.says("anna", "en", "boats")
	sn := s.snap()
	sn.SearchFor(time.Minute)
	_, err := sn.Choose(t.Context(), Choice{Query: s.compile(sn, "boats")}, Top, 10)
	s.must(err)
	var bound string
	s.must(sn.tx.QueryRow(t.Context(), `show statement_timeout`).Scan(&bound))
	if bound != "0" {
		t.Errorf("what comes after a search may take %s", bound)
	}
}
