package timeline

import (
	"errors"
	"testing"

	"amstel.dev/amstel/internal/racetest"
)

// TestWriteAtTheSameTimeAsARemoval: Bert writes while another person blocks or bans Bert. Bert's
// writes that end before the block remain. All others are refused, even if they began before the
// block.
func TestWriteAtTheSameTimeAsARemoval(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	ctx := t.Context()
	kitchen := FeedName{Name: "kitchen"}
	excludes := func(s *site) func(*txn) error {
		return func(tx *txn) error {
			p, err := lockFeedPerson(ctx, tx, s.user("anna"), kitchen, "bert")
			if err != nil {
				return err
			}
			return tx.exclude(ctx, p)
		}
	}
	bans := func(s *site) func(*txn) error {
		return func(tx *txn) error {
			if err := lockPair(ctx, tx, s.user("anna"), s.user("bert"), pairAlone); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, `insert into bans (user_id, target_id) values ($1, $2)`, s.user("anna"), s.user("bert"))
			return err
		}
	}
	for name, tt := range map[string]struct {
		put     func(*site) func(*txn) error
		write   func(s *site, tx *txn, annas, berts PostID) error
		written string // a query that counts what the write wrote
	}{
		"posts to the group": {excludes, func(s *site, tx *txn, _, _ PostID) error {
			_, err := s.createPost(ctx, tx, s.user("bert"), NewPost{Text: "x", Linebreaks: new(true), LinkPreview: new(true)}, destinations{groups: []string{"kitchen"}})
			return err
		}, `select count(*) from posts where text = 'x'`},
		"sends a direct": {bans, func(s *site, tx *txn, _, _ PostID) error {
			_, err := s.createPost(ctx, tx, s.user("bert"), NewPost{Text: "x", Linebreaks: new(true), LinkPreview: new(true)}, destinations{directs: []string{"anna"}})
			return err
		}, `select count(*) from posts where text = 'x'`},
		"comments": {bans, func(s *site, tx *txn, annas, _ PostID) error {
			_, err := s.addComment(ctx, tx, s.user("bert"), annas, NewComment{Text: "x"})
			return err
		}, `select count(*) from comments`},
		"moves a post to the group": {excludes, func(s *site, tx *txn, _, berts PostID) error {
			p, err := lockReadable(ctx, tx, s.user("bert"), berts)
			if err != nil {
				return err
			}
			places, err := p.newPlaces(ctx, tx, destinations{groups: []string{"kitchen"}})
			if err != nil {
				return err
			}
			return s.changePost(ctx, tx, p, postChange{places: places})
		}, `select count(*) from posts where version > 1`},
	} {
		t.Run("first bert "+name, func(t *testing.T) {
			t.Parallel()
			s, annas, berts := newCooks(t)
			there := 0
			s.must(s.meanwhile(
				func(tx *txn) error { return tt.write(s, tx, annas, berts) },
				func() error {
					err := s.write(ctx, tt.put(s))
					there = one[int](s, tt.written)
					return err
				}))
			if there != 1 {
				t.Error("the author was removed before the post came in, and then it came in")
			}
			s.checkPosts()
		})
		t.Run("then bert "+name, func(t *testing.T) {
			t.Parallel()
			s, annas, berts := newCooks(t)
			err := s.meanwhile(tt.put(s), func() error {
				return s.write(ctx, func(tx *txn) error { return tt.write(s, tx, annas, berts) })
			})
			if !errors.Is(err, ErrForbidden) && !errors.Is(err, ErrNotFound) {
				t.Errorf("who was put out before: %v", err)
			}
			s.checkPosts()
		})
	}
}

// newCooks makes a site on which Anna has a private group with Bert as a member. Each of them has written
// a post.
func newCooks(t *testing.T) (s *site, annas, berts PostID) {
	t.Helper()
	s = newSite(t, "anna", "bert")
	s.group("anna", NewGroup{Name: "kitchen", Status: "private"})
	s.follow("bert", "kitchen")
	return s, s.post("anna"), s.post("bert")
}

// TestWritingWhileTheStatusFlips has a person write while the status of the person's feed changes again
// and again. No write ends in a deadlock.
func TestWritingWhileTheStatusFlips(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	s, _ := crowd(t, 2)
	post := s.post("person1")
	done := make(chan error, 1)
	go func() {
		var err error
		for range 50 {
			for _, status := range []string{"protected", "public"} {
				err = errors.Join(err, s.SetProfile(t.Context(), s.user("person0"), ProfileEdit{Status: &status}))
			}
		}
		done <- err
	}()
	for range 50 {
		s.must(s.Like(t.Context(), s.user("person0"), post))
		s.post("person0")
		s.must(s.Unlike(t.Context(), s.user("person0"), post))
	}
	s.must(<-done)
	if n := s.deadlocks(); n != 0 {
		t.Errorf("%d deadlocks", n)
	}
	s.checkPosts()
}
