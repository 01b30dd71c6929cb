package timeline

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/racetest"
)

// crowd makes n people on a site with a fast clock, so that rows written at most once a minute
// are written often.
func crowd(t *testing.T, n int) (*site, []string) {
	t.Helper()
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("person%d", i)
	}
	s := newSite(t, names...)
	s.pace = 25 * time.Second
	return s, names
}

// deadlocks returns how often PostgreSQL had to end a transaction because of a deadlock.
func (s *site) deadlocks() int {
	s.t.Helper()
	return one[int](s, `select deadlocks from pg_stat_database where datname = current_database()`)
}

func TestFiftyPeopleActOnOnePost(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	const people = 50
	s, names := crowd(t, people)
	s.add("author")
	post := s.post("author")
	ctx := t.Context()
	var wg sync.WaitGroup
	for _, name := range names {
		who := s.user(name)
		wg.Go(func() {
			if err := s.Like(ctx, who, post); err != nil {
				t.Errorf("like: %v", err)
			}
		})
		wg.Go(func() {
			id, err := s.AddComment(ctx, who, post, NewComment{Text: "hm"})
			if err != nil {
				t.Errorf("comment: %v", err)
				return
			}
			if err := s.LikeComment(ctx, s.user("author"), post, id); err != nil {
				t.Errorf("like of a comment: %v", err)
			}
		})
		wg.Go(func() { // two simultaneous likes count as one
			if err := s.Like(ctx, who, post); err != nil {
				t.Errorf("second like: %v", err)
			}
		})
	}
	wg.Wait()
	got := s.state(post)
	want := state{Version: 1 + 3*people, CommentsVersion: 2 * people, FreshAt: got.FreshAt, Comments: people, Likes: people}
	if got != want {
		t.Errorf("the post is %+v, want %+v", got, want)
	}
	if n := one[int](s, `select count(*) from changes where post_id = $1`, post); n != got.Version {
		t.Errorf("%d changes for %d versions", n, got.Version)
	}
	if n := s.deadlocks(); n != 0 {
		t.Errorf("%d deadlocks", n)
	}
	s.checkPosts()
}

// refusal reports whether a write either succeeded or was refused by a rule.
func refusal(err error) bool {
	for _, no := range []error{nil, ErrNotFound, ErrForbidden, ErrConflict} {
		if errors.Is(err, no) {
			return true
		}
	}
	_, isInvalid := errors.AsType[*InvalidError](err)
	return isInvalid
}

// TestConcurrentActionsKeepThePrimarySound has people act on the same few posts and on each other at the
// same time, and then audits the primary.
func TestConcurrentActionsKeepThePrimarySound(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	const people, rounds = 12, 60
	s, names := crowd(t, people)
	s.group(names[0], NewGroup{Name: "kitchen", Posting: "anybody"})
	posts := make([]PostID, 6)
	for i := range posts {
		posts[i] = s.post(names[i], "user", "group:kitchen")
	}
	ctx := t.Context()
	var made, deleted atomic.Int64
	var wg sync.WaitGroup
	for i, name := range names {
		who := s.user(name)
		random := rand.New(rand.NewPCG(1, uint64(i)))
		wg.Go(func() {
			var mine []CommentID
			var on []PostID
			for range rounds {
				post, other := posts[random.IntN(len(posts))], names[random.IntN(people)]
				var err error
				switch random.IntN(22) {
				case 0, 1, 2:
					var id CommentID
					if id, err = s.AddComment(ctx, who, post, NewComment{Text: "hm"}); err == nil {
						mine, on = append(mine, id), append(on, post)
						made.Add(1)
					}
				case 3:
					if len(mine) > 0 {
						last := len(mine) - 1
						if err = s.DeleteComment(ctx, who, on[last], mine[last]); err == nil {
							deleted.Add(1)
						}
						mine, on = mine[:last], on[:last]
					}
				case 4, 5:
					err = s.Like(ctx, who, post)
				case 6:
					err = s.Unlike(ctx, who, post)
				case 7:
					_, err = s.Subscribe(ctx, who, FeedName{Name: other}, SubscribeOptions{})
				case 8:
					err = s.Ban(ctx, who, other)
				case 9:
					err = s.Unban(ctx, who, other)
				case 10:
					err = s.SetProfile(ctx, who, ProfileEdit{Status: new([]string{"public", "protected", "private"}[random.IntN(3)])})
				case 11:
					_, err = s.CreatePost(ctx, who, NewPost{To: []string{"user", "group:kitchen"}, Text: "x"})
				case 12:
					err = s.Fav(ctx, who, post)
				case 13:
					err = s.Unfav(ctx, who, post)
				case 14:
					_, err = s.Subscribe(ctx, who, FeedName{Name: "kitchen"}, SubscribeOptions{ForwardOnly: true})
				case 15:
					_, err = s.Invite(ctx, who, FeedName{Name: names[i], Private: random.IntN(2) == 0}, other)
				case 16:
					feed := FeedName{Name: []string{names[i], "kitchen"}[random.IntN(2)]}
					err = errors.Join(s.Exclude(ctx, who, feed, other), s.Readmit(ctx, who, feed, other))
				case 17:
					var invitations []Invitation
					invitations, err = s.Invitations(ctx, who)
					for _, invitation := range invitations {
						err = errors.Join(err, s.AcceptInvitation(ctx, who, invitation.UUID))
					}
				case 18:
					err = s.AddAdmin(ctx, who, "kitchen", other)
				case 19:
					err = s.RemoveAdmin(ctx, who, "kitchen", other)
				case 20:
					err = s.RemoveSubscriber(ctx, who, FeedName{Name: "kitchen"}, other)
				case 21:
					err = s.Unsubscribe(ctx, who, FeedName{Name: "kitchen"})
				}
				if !refusal(err) {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if made.Load() == 0 || deleted.Load() == 0 {
		t.Errorf("%d comments made and %d deleted: nothing was tested", made.Load(), deleted.Load())
	}
	if n := s.deadlocks(); n != 0 {
		t.Errorf("%d deadlocks: locks are not taken in one order", n)
	}
	s.checkPosts()
}

// TestTwoPeopleAtOnce has two people do to each other everything that people can do, at the same time. All
// writes lock the two rows in the same order, so no write ends in a deadlock.
func TestTwoPeopleAtOnce(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx := t.Context()
	var wg sync.WaitGroup
	for _, pair := range [][2]string{{"anna", "bert"}, {"bert", "anna"}} {
		who, other := s.user(pair[0]), pair[1]
		for _, do := range []func() error{
			func() error {
				_, err := s.Subscribe(ctx, who, FeedName{Name: other}, SubscribeOptions{})
				return err
			},
			func() error { return s.Unsubscribe(ctx, who, FeedName{Name: other}) },
			func() error { return errors.Join(s.Ban(ctx, who, other), s.Unban(ctx, who, other)) },
			func() error { return s.SetProfile(ctx, who, ProfileEdit{Status: new("private")}) },
			func() error { return s.SetProfile(ctx, who, ProfileEdit{Status: new("public")}) },
			func() error { return s.SetProfile(ctx, who, ProfileEdit{Status: new("fyeo")}) },
			func() error { _, err := s.Invite(ctx, who, FeedName{Name: pair[0]}, other); return err },
			func() error {
				return errors.Join(s.Exclude(ctx, who, FeedName{Name: pair[0]}, other), s.Readmit(ctx, who, FeedName{Name: pair[0]}, other))
			},
			func() error { return s.RemoveSubscriber(ctx, who, FeedName{Name: pair[0]}, other) },
			func() error { return s.SetForwardOnly(ctx, who, FeedName{Name: other}, true) },
			func() error { return s.Withdraw(ctx, who, FeedName{Name: other}) },
			func() error {
				requests, err := s.Requests(ctx, who)
				for _, r := range requests {
					err = errors.Join(err, s.Accept(ctx, who, r.UUID))
				}
				return err
			},
			func() error {
				invitations, err := s.Invitations(ctx, who)
				for _, i := range invitations {
					err = errors.Join(err, s.AcceptInvitation(ctx, who, i.UUID))
				}
				return err
			},
		} {
			wg.Go(func() {
				for range 60 {
					if err := do(); err != nil && !errors.Is(err, ErrForbidden) && !errors.Is(err, ErrNotFound) {
						t.Error(err)
					}
				}
			})
		}
	}
	wg.Wait()
	if n := s.deadlocks(); n != 0 {
		t.Errorf("%d deadlocks", n)
	}
	s.checkPosts()
}

func TestSameUUIDAtOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx := t.Context()
	const uuid = "0F8FAD5B-D9CB-469F-A165-70867728950E"
	ids := make([]PostID, 8)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			var err error
			if ids[i], err = s.CreatePost(ctx, s.user("anna"), NewPost{UUID: uuid, To: []string{"user"}, Text: "once"}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, id := range ids {
		if id != ids[0] {
			t.Errorf("two posts were made: %d and %d", ids[0], id)
		}
	}
	if n := one[int](s, `select count(*) from posts`); n != 1 {
		t.Errorf("%d posts, want 1", n)
	}
	// The uuids of two people are independent.
	if other, err := s.CreatePost(ctx, s.user("bert"), NewPost{UUID: uuid, To: []string{"user"}, Text: "once"}); err != nil || other == ids[0] {
		t.Errorf("Bert's post is %d, %v", other, err)
	}
	say := NewComment{UUID: "0f8fad5b-d9cb-469f-a165-000000000001", Text: "once"}
	first, err := s.AddComment(ctx, s.user("bert"), ids[0], say)
	s.must(err)
	s.same(nil, s.changesOf(func() {
		if again, err := s.AddComment(ctx, s.user("bert"), ids[0], say); err != nil || again != first {
			t.Errorf("the same comment again is %d, %v; want %d", again, err, first)
		}
	}))
	if _, err := s.AddComment(ctx, s.user("bert"), s.post("anna"), say); !errors.Is(err, ErrConflict) {
		t.Errorf("the same comment on another post: %v, want %v", err, ErrConflict)
	}
}

func TestDeadlockIsTriedAgain(t *testing.T) {
	t.Parallel()
	config, err := pgxpool.ParseConfig(pgtest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	config.ConnConfig.RuntimeParams["deadlock_timeout"] = "10ms"
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	s := &site{Store: New(pool, Options{}), t: t, people: make(map[string]UserID)}
	anna, bert := s.add("anna"), s.add("bert")

	// Each transaction locks one row, waits until the other transaction has locked its row, and then locks
	// that row too. So on purpose the order differs.
	var tries atomic.Int64
	var met sync.WaitGroup
	met.Add(2)
	meet := func(first, second UserID) error {
		var once sync.Once
		return s.write(t.Context(), func(tx *txn) error {
			tries.Add(1)
			const query = `update users set description = description || 'x' where id = $1`
			if _, err := tx.Exec(t.Context(), query, first); err != nil {
				return err
			}
			once.Do(met.Done)
			met.Wait()
			tx.noteViewers(first)
			_, err := tx.Exec(t.Context(), query, second)
			return err
		})
	}
	var wg sync.WaitGroup
	for _, pair := range [][2]UserID{{anna, bert}, {bert, anna}} {
		wg.Go(func() {
			if err := meet(pair[0], pair[1]); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if tries.Load() < 3 {
		t.Errorf("%d tries: there was no deadlock", tries.Load())
	}
	rows, err := pool.Query(t.Context(), `select description from users`)
	s.must(err)
	texts, err := pgx.CollectRows(rows, pgx.RowTo[string])
	s.must(err)
	if texts[0] != "xx" || texts[1] != "xx" {
		t.Errorf("descriptions are %q, want each written twice", texts)
	}
	if n := one[int](s, `select count(*) from changes`); n != 2 {
		t.Errorf("%d changes, want one for each write that came through", n)
	}
}
