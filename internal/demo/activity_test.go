package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"amstel.dev/amstel/internal/audit"
	"amstel.dev/amstel/internal/nodetest"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/realtime/client"
	"amstel.dev/amstel/timeline"
)

// onlyAnswers is a rhythm in which people answer at once, and do not act by themselves while a test runs.
var onlyAnswers = Rhythm{Post: Span{Least: 24 * time.Hour}, React: Span{Least: 24 * time.Hour}}

// served returns the configuration of a demonstration whose site serves until the test ends, and a client of the guest.
func served(t *testing.T) (Config, *client.Client) {
	t.Helper()
	store := timeline.New(pgtest.New(t), timeline.Options{})
	if err := Make(t.Context(), store, 1, time.Now()); err != nil {
		t.Fatal(err)
	}
	site := nodetest.Start(t, nodetest.Config{Store: store})
	guest, err := store.Lookup(t.Context(), Guest)
	if err != nil {
		t.Fatal(err)
	}
	token, err := store.NewToken(t.Context(), guest.User, timeline.TokenSpec{Name: "test", Scopes: timeline.DefaultScopes})
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.New(site.HTTP.URL, token)
	if err != nil {
		t.Fatal(err)
	}
	return Config{Store: store, URL: site.HTTP.URL, Seed: 1, Rhythm: onlyAnswers, Log: slog.New(slog.DiscardHandler)}, c
}

// running runs the demonstration until the test ends.
func running(t *testing.T, c Config) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, c) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Run returns %v", err)
		}
	})
}

// commentsOf waits until a page shows n comments, and returns them.
func commentsOf(t *testing.T, c *client.Client, path string, n int) (comments []client.Comment) {
	t.Helper()
	errEnough := errors.New("enough")
	err := c.Follow(t.Context(), path, func(r *client.River, _ client.Change) error {
		if comments = r.Entries()[0].Comments; len(comments) >= n {
			return errEnough
		}
		return nil
	})
	if !errors.Is(err, errEnough) {
		t.Fatal(err)
	}
	return comments
}

func TestPeopleAnswerTheGuest(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	c, guest := served(t)
	me, err := guest.WhoAmI(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	running(t, c)
	for _, tt := range []struct{ name, text, to, language string }{
		{"a post", "Hello, everyone", "user", "en"},
		{"a post in Russian", "Всем привет", "group:kniga-nedeli", "ru"},
		{"a direct", "Are you there?", "direct:wendy", "en"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			id, err := guest.Post(t.Context(), tt.text, "", tt.to)
			if err != nil {
				t.Fatal(err)
			}
			path := fmt.Sprintf("/%s/%d", Guest, id)
			first := commentsOf(t, guest, path, 1)[0]
			if first.UserID == me.ID || languageOf(first.Text) != tt.language {
				t.Errorf("the post is answered by %d with %q", first.UserID, first.Text)
			}
			if _, err := guest.Comment(t.Context(), id, tt.text, ""); err != nil {
				t.Fatal(err)
			}
			third := commentsOf(t, guest, path, 3)[2]
			if third.UserID != first.UserID {
				t.Errorf("the comment is answered by %d with %q, want an answer of %d", third.UserID, third.Text, first.UserID)
			}
		})
	}
}

func TestPeopleActAndTheSiteDoesNotGrow(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	c, guest := served(t)
	ctx := t.Context()
	kept, err := guest.Post(ctx, "A post of the guest", "", "user")
	if err != nil {
		t.Fatal(err)
	}
	c.Posts = 20
	a, err := newActivity(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := a.post(ctx); err != nil {
			t.Fatal(err)
		}
	}
	page, err := a.actors[0].client.Timeline(ctx, "/filter/everything")
	if err != nil {
		t.Fatal(err)
	}
	a.recent = page.Entries
	if len(a.recent) != 21 || a.recent[3].ID != kept {
		t.Errorf("the site has %d posts, want the newest 20 and the guest's as the fourth", len(a.recent))
	}
	before := countReactions(t, c.Store)
	for range 30 {
		if err := a.react(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if after := countReactions(t, c.Store); after[0] == before[0] || after[1] == before[1] {
		t.Errorf("likes and comments are %v after reactions, and were %v", after, before)
	}
	faults, err := audit.Check(ctx, c.Store.Pool())
	if err != nil || len(faults) > 0 {
		t.Errorf("the audit finds %q, %v", faults, err)
	}
}

func TestSuspendedPeopleDoNotAct(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	c, _ := served(t)
	all, err := load()
	if err != nil {
		t.Fatal(err)
	}
	suspend := func(p person) {
		t.Helper()
		named, err := c.Store.Lookup(t.Context(), p.Name)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Store.Suspend(t.Context(), named.User); err != nil {
			t.Fatal(err)
		}
	}
	suspend(all.People[0])
	a, err := newActivity(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.actors) != len(all.People)-1 || a.actors[0].person.Name == all.People[0].Name {
		t.Errorf("%d people act, the first is %s", len(a.actors), a.actors[0].person.Name)
	}
	for i, each := range a.actors {
		if each.Name != a.community.People[i].Name {
			t.Errorf("place %d has %s and %s", i, each.Name, a.community.People[i].Name)
		}
	}
	for _, p := range all.People[1:] {
		if p.speaks("ru") {
			suspend(p)
		}
	}
	if _, err := newActivity(t.Context(), c); !errors.Is(err, ErrFew) {
		t.Errorf("without people who write Russian: %v, want %v", err, ErrFew)
	}
}

// countReactions returns the numbers of likes and comments of the posts that are not deleted.
func countReactions(t *testing.T, store *timeline.Store) (n [2]int) {
	t.Helper()
	const query = `select sum(likes_count), sum(comments_count) from posts where deleted_at is null`
	if err := store.Pool().QueryRow(t.Context(), query).Scan(&n[0], &n[1]); err != nil {
		t.Fatal(err)
	}
	return n
}
