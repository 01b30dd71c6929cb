package river

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/timeline"
)

// A transcript has the statements that a primary received.
type transcript struct {
	mu    sync.Mutex
	texts []string
}

func (tr *transcript) note(text string) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.texts = append(tr.texts, text)
}

// take returns the statements since the last call.
func (tr *transcript) take() []string {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	texts := tr.texts
	tr.texts = nil
	return texts
}

func (tr *transcript) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	tr.note(data.SQL)
	return ctx
}

func (tr *transcript) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (tr *transcript) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	for _, q := range data.Batch.QueuedQueries {
		tr.note(q.SQL)
	}
	return ctx
}

func (tr *transcript) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

func (tr *transcript) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// traced returns a store of the same site and the same inboxes whose statements are noted.
func (s *shelf) traced() (*timeline.Store, *transcript) {
	s.t.Helper()
	tr := &transcript{}
	config := s.store.Pool().Config()
	config.ConnConfig.Tracer = tr
	pool, err := pgxpool.NewWithConfig(s.t.Context(), config)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(pool.Close)
	return timeline.New(pool, timeline.Options{Now: func() time.Time { return time.UnixMilli(s.clock.Load()) }, Source: s.inboxes}), tr
}

// onNode calls do while a node without rivers runs on a store.
func (s *shelf) onNode(store *timeline.Store, do func(*Node)) {
	s.t.Helper()
	var set Settings
	set.patient()
	node, err := Open(s.t.Context(), Config{
		Store: store, Path: filepath.Join(s.t.TempDir(), "river.db"), Settings: set, Log: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return time.UnixMilli(s.clock.Load()) },
	})
	if err != nil {
		s.t.Fatal(err)
	}
	looping, end := context.WithCancel(s.t.Context())
	var loop sync.WaitGroup
	loop.Go(func() {
		if err := node.Run(looping); err != nil {
			s.t.Error(err)
		}
	})
	defer func() { end(); loop.Wait() }()
	<-node.wait(nil)
	do(node)
}

// TestSegmentsKnowWhatTheyHaveWithoutACount: checklist KA5. The counter of an inbox equals the
// number of its entries, also after entries were displaced, posts deleted and posts hidden. A
// page knows whether older entries exist, by statements that count nothing.
func TestSegmentsKnowWhatTheyHaveWithoutACount(t *testing.T) {
	t.Parallel()
	const counter = `select coalesce(sum(i.entries), 0) ` + homeOfViewer
	const has = `select count(*) from inbox_rows r where r.inbox_id in (select i.id` + homeOfViewer + `)`
	s := newShelf(t, 1, 200)
	reader, writer := s.pair()
	s.set("home", "segments")
	s.set("slots", "12")
	s.work(1 << 20)
	store, asked := s.traced()
	var posts []timeline.PostID
	for range 14 {
		posts = append(posts, s.post(writer))
	}
	for step, change := range map[string]func() error{
		"posts":  func() error { return nil },
		"a hide": func() error { return s.store.HidePost(t.Context(), reader, posts[9]) },
		"deletions": func() error {
			for _, post := range posts[11:13] {
				if err := s.store.DeletePost(t.Context(), writer, post); err != nil {
					return err
				}
			}
			return nil
		},
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		s.work(1 << 20)
		if known, n := s.count(counter, reader), s.count(has, reader); known != n || n == 0 {
			t.Errorf("after %s the counter says %d, and there are %d entries", step, known, n)
		}
		left := s.count(`select count(*) from posts where user_id = $1 and deleted_at is null`, writer)
		s.onNode(store, func(node *Node) {
			key := Key{Viewer: reader, What: KindHome, TheirID: int64(reader)}
			for shown, at := 0, (At{Count: 5}); ; {
				asked.take()
				v, err := node.Visit(t.Context(), key, at)
				if err != nil {
					t.Fatal(err)
				}
				for _, text := range asked.take() {
					if strings.Contains(text, "count(") && (strings.Contains(text, "inbox_") || strings.Contains(text, "timeline_entries")) {
						t.Errorf("after %s a page counts: %s", step, text)
					}
				}
				if shown += len(v.Entries); v.Older == nil {
					if shown != left {
						t.Errorf("after %s pages end after %d of %d posts", step, shown, left)
					}
					break
				}
				if shown >= left {
					t.Errorf("after %s there is an older page below %d of %d posts", step, shown, left)
					break
				}
				at.Before = *v.Older
			}
		})
	}
}

// TestEmbeddedFieldsSaveStatements: if the inbox of a home embeds all fields of its posts, the
// first visit reads no texts, likes or comments.
func TestEmbeddedFieldsSaveStatements(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 200)
	reader, writer := s.pair()
	s.set("home", "sized")
	for range 3 {
		s.post(writer)
	}
	store, asked := s.traced()
	visit := func(embed string) (all []string) {
		s.set("embed", embed)
		s.work(1 << 20)
		before := s.inboxes.Counts().Chosen
		s.onNode(store, func(node *Node) {
			asked.take()
			v, err := node.Visit(t.Context(), Key{Viewer: reader, What: KindHome, TheirID: int64(reader)}, At{})
			if err != nil {
				t.Fatal(err)
			}
			if len(v.Entries) != 3 || v.Entries[0].Fold.Text.Text != "soup" || v.Users[writer] == nil {
				t.Errorf("with %s the home shows %d entries", embed, len(v.Entries))
			}
			all = asked.take()
		})
		if s.inboxes.Counts().Chosen == before {
			t.Errorf("with %s the home came from no inbox", embed)
		}
		return all
	}
	contents := func(texts []string) (n int) {
		for _, text := range texts {
			if strings.Contains(text, "from comments") || strings.Contains(text, "from likes") || strings.Contains(text, "p.text") {
				n++
			}
		}
		return n
	}
	if linked := visit("none"); contents(linked) == 0 {
		t.Fatalf("no statement of a visit reads contents: %q", linked)
	}
	if n := contents(visit("author+text+data")); n != 0 {
		t.Errorf("with all fields embedded a visit asks %d statements for contents", n)
	}
}
