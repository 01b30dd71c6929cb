package river

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/timeline"
)

// holdsUp blocks each search for words until the test releases it.
func (p *testSite) holdsUp() (release func()) {
	p.t.Helper()
	tx, err := p.store.Pool().Begin(p.t.Context())
	p.must(err)
	_, err = tx.Exec(p.t.Context(), `lock table post_words in access exclusive mode`)
	p.must(err)
	release = func() { _ = tx.Rollback(context.Background()) }
	p.t.Cleanup(release)
	return release
}

func TestSearchThatIsHeldUpIsBusyAndNotMade(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna")
	p.stop()
	p.set.Search = time.Millisecond
	p.start()
	p.post("anna", "boats")
	p.sync()
	key := p.search("", "boats")
	release := p.holdsUp()
	look := map[string]func() error{
		"a visit":      func() error { _, err := p.node.Visit(t.Context(), key, At{}); return err },
		"the primary":  func() error { _, err := p.node.FromPrimary(t.Context(), key, At{}); return err },
		"an old order": func() error { _, err := p.node.Visit(t.Context(), key, At{Order: OrderTop}); return err },
	}
	for what, err := range look {
		if err := err(); !errors.Is(err, timeline.ErrBusy) {
			t.Errorf("%s: %v", what, err)
		}
	}
	p.sync() // the loop has not noticed
	p.node.mu.RLock()
	if p.node.st.byKey[key] != nil {
		t.Error("the river of the search was made")
	}
	p.node.mu.RUnlock()
	release()
	p.stop()
	p.set.patient()
	p.start()
	if got := p.visit(key); !slices.Equal(got, []string{"boats"}) {
		t.Errorf("then it finds %q", got)
	}
}

// TestTurnAsksForWordsOfReadablePostsOnly: a turn looks up the words of a post only for viewers
// who can read the post. So the text of the post does not affect the time of turns for other
// viewers.
func TestTurnAsksForWordsOfReadablePostsOnly(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna", "carl")
	key := p.search("carl", "boats")
	p.live(key)
	p.status("anna", "private")
	p.sync()
	p.stop()
	p.post("anna", "boats")
	release := p.holdsUp()
	started := make(chan struct{})
	go func() { defer close(started); p.start() }()
	select {
	case <-started:
	case <-time.After(patience):
		t.Error("a turn asks for the words of a post that the viewer can't read")
	}
	release()
	<-started
	p.shows(key)
	p.status("anna", "public")
	p.sync()
	p.shows(key, "boats")
	p.compareAll()
}

// heldUp returns after a goroutine has waited a while for the blocked search.
func (p *testSite) heldUp() {
	p.t.Helper()
	const query = `
		select from pg_locks
		where relation = 'post_words'::regclass and database = (select oid from pg_database where datname = current_database())
			and not granted and waitstart < clock_timestamp() - interval '50 ms'`
	limit, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	for {
		tag, err := p.store.Pool().Exec(limit, query)
		p.must(err)
		if tag.RowsAffected() > 0 {
			return
		}
	}
}

// TestTurnIsNotBoundAsSearchesAre: a turn has to know which posts match, however long the
// primary takes to answer.
func TestTurnIsNotBoundAsSearchesAre(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna")
	key := p.search("", "boats")
	p.live(key)
	p.stop()
	p.set.Search = time.Millisecond
	p.post("anna", "boats")
	release := p.holdsUp()
	started := make(chan struct{})
	go func() { defer close(started); p.start() }()
	p.heldUp()
	release()
	<-started
	p.shows(key, "boats")
	p.compareAll()
}

func TestSearchesDelayNoOtherPages(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	p := newTestSite(t, "anna")
	p.stop()
	p.set.builders, p.set.searchers = 1, 1
	p.set.Patience = time.Hour // of the second search
	p.start()
	p.post("anna", "boats")
	p.sync()
	release := p.holdsUp()
	found := make(chan []string)
	for _, query := range []string{"boats", "boats from:anna"} {
		go func() {
			v, err := p.node.Visit(t.Context(), p.search("", query), At{})
			if err != nil {
				found <- []string{err.Error()}
				return
			}
			found <- texts(v.Entries)
		}()
	}
	p.heldUp()
	limit, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, err := p.node.Visit(limit, p.home("anna"), At{}); err != nil {
		t.Errorf("a home beside a search that takes long: %v", err)
	}
	if _, err := p.node.FromPrimary(limit, everything(p.user("anna")), At{}); err != nil {
		t.Errorf("a member's page of the primary's beside a search that takes long: %v", err)
	}
	release()
	for range 2 {
		if got := <-found; !slices.Equal(got, []string{"boats"}) {
			t.Errorf("the search finds %q", got)
		}
	}
}
