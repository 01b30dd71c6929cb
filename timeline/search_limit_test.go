package timeline

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// holdsUp locks a table, so that readers wait until the test calls release.
func (s *site) holdsUp(table string) (release func()) {
	s.t.Helper()
	tx, err := s.db.Pool.Begin(s.t.Context())
	s.must(err)
	_, err = tx.Exec(s.t.Context(), "lock table "+pgx.Identifier{table}.Sanitize()+" in access exclusive mode")
	s.must(err)
	release = func() { _ = tx.Rollback(context.Background()) }
	s.t.Cleanup(release)
	return release
}

func TestASearchThatIsHeldUpIsBusy(t *testing.T) {
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
		sn.Close() // the snapshot would hold the table
		release := s.holdsUp("post_words")
		sn = s.snap()
		sn.SearchFor(time.Millisecond)
		if err := look(sn, q); !errors.Is(err, ErrBusy) {
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

// TestASearchIsTooBroadByWhatItLooksAt: a word that very many posts have is searched among the newest
// posts. The search is refused as too broad only if none of these matches. The result depends on
// counts, and not on time.
func TestASearchIsTooBroadByWhatItLooksAt(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	for range 5 {
		s.says("anna", "en", "red boats")
	}
	for range 5 {
		s.says("anna", "en", "boats that are red")
	}
	tests := []struct {
		name, query string
		hits        int
		broad       bool
		found       int
	}{
		{"a word of few posts", `boats`, 11, false, 10},
		{"a word of many, which the newest have", `boats`, 10, true, 10},
		{"a phrase of few", `"red boats"`, 11, false, 5},
		{"a phrase of many words, which the newest have not", `"red boats"`, 10, true, 0},
		{"a word that no post has", `boats nowhere`, 1, false, 0},
		{"words of an author's, who is walked first", `boats from:anna -nowhere`, 11, false, 10},
	}
	for _, test := range tests {
		sn := s.snap()
		q := s.compile(sn, test.query)
		sn.bounds = searchBounds{hits: test.hits, glance: 1, walk: 5, walkFrom: 5}
		found, at := 0, Top
		for i := 0; at != (Cursor{}) && i < 3; i++ {
			chosen, err := sn.Choose(t.Context(), Choice{Query: q}, at, 5)
			s.must(err)
			found += len(chosen.Posts)
			if at = chosen.Low; found == 0 && sn.TooBroad(q) != nil {
				break
			}
		}
		if err := sn.TooBroad(q); isInvalid(err) != test.broad {
			t.Errorf("%s: %v", test.name, err)
		}
		if found != test.found {
			t.Errorf("%s: %d are found, not %d", test.name, found, test.found)
		}
		sn.Close()
	}
}

func isInvalid(err error) bool {
	_, is := errors.AsType[*InvalidError](err)
	return is
}
