package timeline

import (
	"bytes"
	"context"
	"errors"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/racetest"
)

func TestPrimaryAway(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	server := pgtest.Server(t)
	s := &site{Store: New(pgtest.Open(t, server.URL()), Options{Argon: cheap}), t: t, people: make(map[string]UserID)}
	ctx := t.Context()
	anna := s.add("anna")
	s.must(s.SetPassword(ctx, anna, "correct horse"))
	secret, err := s.NewSession(ctx, anna, true, "")
	s.must(err)
	post := s.post("anna")
	all := map[string]func() error{
		"post":     func() error { _, err := s.CreatePost(ctx, anna, NewPost{To: []string{"user"}, Text: "x"}); return err },
		"comment":  func() error { _, err := s.AddComment(ctx, anna, post, NewComment{Text: "x"}); return err },
		"edit":     func() error { return s.EditPost(ctx, anna, post, PostEdit{Text: new("y")}) },
		"profile":  func() error { return s.SetProfile(ctx, anna, ProfileEdit{Description: new("y")}) },
		"session":  func() error { _, err := s.Session(ctx, secret); return err },
		"sign in":  func() error { _, err := s.Authenticate(ctx, "anna", "correct horse", Client{}); return err },
		"lookup":   func() error { _, err := s.Lookup(ctx, "anna"); return err },
		"head":     func() error { _, err := s.FindPost(ctx, anna, post); return err },
		"requests": func() error { _, err := s.Requests(ctx, anna); return err },
		"counts":   func() error { _, err := s.CountSubscribers(ctx, 0, "anna"); return err },
		"follows":  func() error { _, _, err := s.CountSubscriptions(ctx, &Sets{}, "anna"); return err },
		"sequence": func() error { _, err := s.Sequence(ctx); return err },
		"prune":    func() error { return s.PrunePrimary(ctx, Ages{}) },
		"job": func() error {
			_, err := s.RunOnce(ctx, "x", time.Now(), func(context.Context) error { return nil })
			return err
		},
	}
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	for name, do := range all {
		if err := do(); !errors.Is(err, ErrUnavailable) {
			t.Errorf("%s while the primary is away: %v, want %v", name, err, ErrUnavailable)
		}
	}
	s.must(server.Restart(ctx))
	for name, do := range all {
		if err := do(); err != nil {
			t.Errorf("%s after the primary came back: %v", name, err)
		}
	}
}

// TestStaleConnectionsAreNoError kills every connection of the pool. A write that was not committed yet is
// repeated on another connection.
func TestStaleConnectionsAreNoError(t *testing.T) {
	long(t)
	t.Parallel()
	s := newSite(t, "anna", "bert")
	post := s.post("anna")
	const kill = `
		select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
	other := pgtest.Open(t, s.db.Pool.Config().ConnString())
	for range 5 {
		if _, err := other.Exec(t.Context(), kill); err != nil {
			t.Fatal(err)
		}
		s.comment("bert", post)
	}
	if got := s.state(post); got.Comments != 5 {
		t.Errorf("%d comments, want 5", got.Comments)
	}
}

// A thief is a connection that, once armed, loses the answer to a commit.
type thief struct {
	net.Conn
	armed *atomic.Bool
}

func (c thief) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	if err == nil && bytes.Contains(b, []byte("commit\x00")) && c.armed.CompareAndSwap(true, false) {
		// The statement has reached the server. Wait for the answer, and keep it from the
		// client.
		_, _ = c.Conn.Read(make([]byte, 1))
		return n, c.Conn.Close()
	}
	return n, err
}

func TestLostAnswerToACommitIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	config, err := pgxpool.ParseConfig(pgtest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	var armed atomic.Bool
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		return thief{conn, &armed}, err
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	s := &site{Store: New(pool, Options{}), t: t, people: make(map[string]UserID)}
	s.add("anna")
	bert := s.add("bert")
	post := s.post("anna")
	bell, stop := s.Listen()
	defer stop()

	armed.Store(true)
	say := NewComment{UUID: "0f8fad5b-d9cb-469f-a165-70867728950e", Text: "once"}
	if _, err := s.AddComment(t.Context(), bert, post, say); !errors.Is(err, ErrUnavailable) {
		t.Fatalf("%v, want %v", err, ErrUnavailable)
	}
	if armed.Load() {
		t.Fatal("no answer was taken")
	}
	select {
	case <-bell:
	default:
		t.Error("did not ring for what may be in")
	}
	if got := s.state(post); got.Comments != 1 {
		t.Errorf("%d comments, want the one of the lost answer", got.Comments)
	}
	// The person tries again and gets the same comment.
	id, err := s.AddComment(t.Context(), bert, post, say)
	if err != nil || s.state(post).Comments != 1 || id != one[CommentID](s, `select id from comments`) {
		t.Errorf("the same comment again is %d, %v", id, err)
	}
}
