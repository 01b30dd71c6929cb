package timeline

import (
	"errors"
	"regexp"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// versions matches the versions of a post among the values of its row.
var versions = regexp.MustCompile(`"(comments_)?version": \d+`)

// unchanged returns the rows of the primary that a suspension and its end leave as they were.
func (s *site) unchanged() map[string]string {
	rows := s.lasting()
	rows["posts"] = versions.ReplaceAllString(rows["posts"], "")
	return rows
}

// namesOf returns how often the folds of all posts name a person: as commenter or liker, and in the counts.
func (s *site) namesOf(user UserID) (named int) {
	s.t.Helper()
	posts := one[[]PostID](s, `select array_agg(id order by id) from posts where deleted_at is null and user_id <> $1`, user)
	folds, err := readFolds(s.t.Context(), s.Pool(), posts, FoldOptions{AllComments: true})
	s.must(err)
	for _, f := range folds {
		for _, c := range f.Comments.Comments {
			if c.User == user {
				named++
			}
			if slices.Contains(c.Likers, user) {
				named++
			}
		}
		if f.Comments.Count != len(f.Comments.Comments) {
			s.t.Errorf("post %d counts %d comments, and shows %d", f.Post, f.Comments.Count, len(f.Comments.Comments))
		}
		if slices.Contains(f.Likes.Users, user) {
			named++
		}
		named += f.Likes.Favs // only Zoe has favourites
	}
	return named
}

// TestSuspensionHidesAllAndItsEndShowsAll suspends Zoe, who has written and liked in every way, and restores her.
func TestSuspensionHidesAllAndItsEndShowsAll(t *testing.T) {
	long(t)
	t.Parallel()
	s := newCircle(t, 120) // more than a chunk of each kind
	ctx, zoe, carl := t.Context(), s.user("zoe"), s.user("carl")
	before, named := s.unchanged(), s.namesOf(zoe)
	if named < 4*120 {
		t.Fatalf("Zoe is named %d times before", named)
	}
	posts := one[[]PostID](s, `select array_agg(id) from posts where user_id = $1`, zoe)
	direct := one[PostID](s, `select p.id from posts p join timelines t on t.id = any(p.places) where t.what = 'user_directs' and t.their_id = $1 and p.user_id <> $1`, zoe)
	bell, stop := s.ListenAccountJobs()
	defer stop()

	s.must(s.Suspend(ctx, zoe))
	select {
	case <-bell:
	default:
		t.Error("the suspension did not ring for the work that is left")
	}
	for _, post := range posts { // at once, before the job has run
		for _, viewer := range []UserID{0, carl, s.user("bert"), zoe} {
			if _, err := s.FindPost(ctx, viewer, post); !errors.Is(err, ErrNotFound) {
				t.Fatalf("post %d of the suspended person, for %d: %v", post, viewer, err)
			}
		}
	}
	cards, err := s.UserCards(ctx, []UserID{zoe})
	s.must(err)
	if card := cards[zoe]; !card.Gone() || card.DisplayName != "" || card.Status != StatusSuspended {
		t.Errorf("the card is %+v", card)
	}
	s.runAccountJobs()
	if left := s.namesOf(zoe); left != 0 {
		t.Errorf("the folds name Zoe %d times", left)
	}
	if _, err := s.FindPost(ctx, carl, direct); err != nil {
		t.Errorf("the direct that she got too: %v", err)
	}
	s.checkPosts()
	s.audit()

	s.must(s.Restore(ctx, zoe))
	s.runAccountJobs()
	if diff := gocmp.Diff(before, s.unchanged()); diff != "" {
		t.Errorf("after the end of the suspension (-before +after):\n%s", diff)
	}
	if now := s.namesOf(zoe); now != named {
		t.Errorf("the folds name Zoe %d times, %d times before", now, named)
	}
	if n := one[int](s, `select count(*) from suspension_jobs`); n != 0 {
		t.Errorf("%d jobs are left", n)
	}
	s.checkPosts()
	s.audit()
}

// TestSuspensionsThatFollowEachOther: whatever happens between two chunks, in the end only the last suspension or
// restoration counts, or the end of the account.
func TestSuspensionsThatFollowEachOther(t *testing.T) {
	t.Parallel()
	chunk := func(s *site) error {
		_, err := s.RunAccountJob(s.t.Context())
		return err
	}
	suspend := func(s *site) error { return s.Suspend(s.t.Context(), s.user("zoe")) }
	restore := func(s *site) error { return s.Restore(s.t.Context(), s.user("zoe")) }
	end := func(s *site) error { return s.DeleteAccount(s.t.Context(), s.user("zoe"), zoesPassword) }
	for name, test := range map[string]struct {
		steps []func(*site) error
		shown bool
	}{
		"restored before the first chunk":     {[]func(*site) error{suspend, restore}, true},
		"restored after two chunks":           {[]func(*site) error{suspend, chunk, chunk, restore}, true},
		"restored, and suspended again":       {[]func(*site) error{suspend, chunk, chunk, restore, chunk, suspend}, false},
		"restored, and deleted after a chunk": {[]func(*site) error{suspend, chunk, chunk, chunk, restore, chunk, end}, false},
		"restored, and deleted at once":       {[]func(*site) error{suspend, chunk, chunk, chunk, chunk, restore, end}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newCircle(t, 1)
			zoe, before := s.user("zoe"), s.unchanged()
			for _, step := range test.steps {
				s.must(step(s))
			}
			s.runAccountJobs()
			if test.shown {
				if diff := gocmp.Diff(before, s.unchanged()); diff != "" {
					t.Errorf("not as before (-before +after):\n%s", diff)
				}
			} else if left := s.namesOf(zoe); left != 0 {
				t.Errorf("the folds name Zoe %d times", left)
			}
			s.checkPosts()
			s.audit()
		})
	}
}

// TestSuspensionTakesAPostOutOfMentions: a comment that is withheld mentions no person.
func TestSuspensionTakesAPostOutOfMentions(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "zoe")
	ctx, anna, zoe := t.Context(), s.user("anna"), s.user("zoe")
	post := s.post("bert")
	_, err := s.AddComment(ctx, zoe, post, NewComment{Text: "look, @anna"})
	s.must(err)
	mentions := func() (found []Mention) {
		facts, _, err := readFacts(ctx, s.Pool(), []PostID{post})
		s.must(err)
		return facts[post].Mentions
	}
	said := []Mention{{anna, zoe}}
	s.must(s.Suspend(ctx, zoe))
	changes := s.changesOf(func() { s.runAccountJobs() })
	if got := mentions(); len(got) != 0 {
		t.Errorf("the post mentions %v", got)
	}
	if !slices.ContainsFunc(changes, func(c Change) bool {
		return c.Post == post && slices.Contains(c.Timelines, s.timeline(WhatMentions, "anna"))
	}) {
		t.Errorf("no change tells the reader of Anna's mentions: %+v", changes)
	}
	if page, err := s.NoticesOf(ctx, anna, 0, 10); err != nil || len(page.Notices) != 0 {
		t.Errorf("Anna's notices are %+v, %v", page.Notices, err)
	}
	s.must(s.Restore(ctx, zoe))
	s.runAccountJobs()
	if diff := gocmp.Diff(said, mentions()); diff != "" {
		t.Errorf("after the end of the suspension (-want +got):\n%s", diff)
	}
	if page, err := s.NoticesOf(ctx, anna, 0, 10); err != nil || len(page.Notices) != 1 {
		t.Errorf("Anna's notices are %+v afterwards, %v", page.Notices, err)
	}
}
