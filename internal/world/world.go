package world

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"amstel.dev/amstel/timeline"
)

// A World makes random writes on a site, and remembers them. Only one goroutine may use it.
type World struct {
	People []*Person // with an account
	Gone   []*Person // with a deleted or suspended account
	Groups []*Group
	Posts  []*Post // not deleted, as far as the world knows, the oldest first
	// Without holds the kinds of writes that Step does not make.
	Without map[string]bool
	// Did counts the successful writes, Refused the writes that a rule refused, by kind.
	Did, Refused map[string]int

	store     *timeline.Store
	rng       *rand.Rand
	secrets   int
	people    int // accounts made so far, for the next name
	groups    int
	intakes   []*timeline.IntakeLease // of the imported feeds that were added
	suspended []*Person               // among Gone
	leaving   []*Person               // among Gone: those who can come back
}

// A Person has an account, or had one.
type Person struct {
	ID       timeline.UserID
	Name     string
	Password string
	Picky    bool     // may turn kinds of notices off
	oldNames []string // earlier names
}

// A Group is a group, with the people the world takes for its administrators.
type Group struct {
	ID     timeline.GroupID
	Name   string
	admins []*Person
}

// A Post is a post with its comments.
type Post struct {
	ID       timeline.PostID
	Author   *Person
	Direct   bool
	comments []comment
}

type comment struct {
	id timeline.CommentID
	by *Person
}

// How many people and groups New makes. Later there are about as many.
const (
	manyPeople = 8
	manyGroups = 3
	manyPosts  = 40 // the newest posts, from which post chooses
)

// New returns a world on a store, with eight people and three groups. The seed decides all
// random choices. New ends the test at an error.
func New(t testing.TB, store *timeline.Store, seed uint64) *World {
	t.Helper()
	w := &World{store: store, rng: rand.New(rand.NewPCG(seed, 3)), Did: make(map[string]int), Refused: make(map[string]int)}
	for range manyPeople {
		if err := w.signUp(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for i := range manyGroups {
		g := timeline.NewGroup{
			Status:  []string{"public", "protected", "private"}[i%3],
			Posting: []string{"members", "anybody", "members"}[i%3],
			Joining: []string{"open", "request", "open"}[i%3],
		}
		if err := w.makeGroup(t.Context(), w.People[i], g); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// Refused reports whether an error is the refusal of a rule, and not a fault.
func Refused(err error) bool {
	for _, refusal := range []error{timeline.ErrNotFound, timeline.ErrForbidden, timeline.ErrUnauthorized, timeline.ErrTaken, timeline.ErrConflict, timeline.ErrThrottled} {
		if errors.Is(err, refusal) {
			return true
		}
	}
	_, invalid := errors.AsType[*timeline.InvalidError](err)
	return invalid
}

var secret = regexp.MustCompile(`secret\d{5}x`)

// Secrets returns the secrets in a text, in their order.
func Secrets(text string) []string { return secret.FindAllString(text, -1) }

// Step makes one random write and returns its kind. The error is a refusal or a fault. If the
// write needs something that does not exist, such as a comment to delete, Step writes nothing
// and returns an empty kind.
func (w *World) Step(ctx context.Context) (kind string, err error) {
	all := 0
	for _, e := range events {
		if !w.Without[e.what] {
			all += e.weight
		}
	}
	n := w.rng.IntN(all)
	for _, e := range events {
		if w.Without[e.what] {
			continue
		}
		if n -= e.weight; n < 0 {
			return w.do(ctx, e)
		}
	}
	panic("world: the weights do not add up")
}

// Do makes a write of a kind. It returns an error for an unknown kind.
func (w *World) Do(ctx context.Context, what string) error {
	for _, e := range events {
		if e.what == what {
			_, err := w.do(ctx, e)
			return err
		}
	}
	return fmt.Errorf("world: no kind of write is called %q", what)
}

func (w *World) do(ctx context.Context, e event) (string, error) {
	err := e.do(w, ctx, pick(w, w.People))
	switch {
	case errors.Is(err, errNothing):
		return "", nil
	case err == nil:
		w.Did[e.what]++
	case Refused(err):
		w.Refused[e.what]++
	}
	return e.what, err
}

// Kinds returns all kinds of writes.
func Kinds() (all []string) {
	for _, e := range events {
		all = append(all, e.what)
	}
	return all
}

// Finish runs the jobs of deleted and suspended accounts until none is left, and waits for the jobs of suspended accounts
// at which a node works.
func (w *World) Finish(ctx context.Context) error {
	if err := timeline.FinishSuspensions(ctx, w.store); err != nil {
		return err
	}
	for {
		more, err := w.store.RunAccountJob(ctx)
		if err != nil || !more {
			return err
		}
	}
}

// errNothing is returned by an event that finds nothing to act on.
var errNothing = errors.New("nothing to do it with")

// pick returns a random element of a slice, which must not be empty.
func pick[T any](w *World, from []T) T { return from[w.rng.IntN(len(from))] }

// likely returns true with a probability of percent in a hundred.
func (w *World) likely(percent int) bool { return w.rng.IntN(100) < percent }

// other returns another person than the given one.
func (w *World) other(than *Person) *Person {
	for {
		if p := pick(w, w.People); p != than {
			return p
		}
	}
}

// post returns one of the newest 40 posts, in half of the calls one of the newest six, so that
// some posts get many writes. It returns nil if there are no posts.
func (w *World) post() *Post {
	many := manyPosts
	switch {
	case len(w.Posts) == 0:
		return nil
	case w.likely(50):
		many = 6
	}
	return pick(w, w.Posts[max(0, len(w.Posts)-many):])
}

// commented returns a post and one of its comments, or nil if none of ten random posts has
// comments.
func (w *World) commented() (*Post, comment) {
	for range 10 {
		if p := w.post(); p != nil && len(p.comments) > 0 {
			return p, pick(w, p.comments)
		}
	}
	return nil, comment{}
}

// direct returns a direct message; nil if none of twenty random posts is one.
func (w *World) direct() *Post {
	for range 20 {
		if p := w.post(); p != nil && p.Direct {
			return p
		}
	}
	return nil
}

// admin returns an administrator of the group, as far as the world knows, or at times any person.
func (w *World) admin(g *Group) *Person {
	if len(g.admins) == 0 || w.likely(15) {
		return pick(w, w.People)
	}
	return pick(w, g.admins)
}

// feedAndOwner returns the feed of a group or of this person, and a person who mostly owns
// or administers the feed.
func (w *World) feedAndOwner(who *Person) (timeline.FeedName, *Person) {
	switch n := w.rng.IntN(10); {
	case n < 4:
		g := pick(w, w.Groups)
		return timeline.FeedName{Name: g.Name}, w.admin(g)
	case n < 7:
		return timeline.FeedName{Name: who.Name, Private: true}, who
	default:
		return timeline.FeedName{Name: who.Name}, who
	}
}

// feed returns a feed that a person might subscribe to.
func (w *World) feed(who *Person) timeline.FeedName {
	switch n := w.rng.IntN(10); {
	case n < 3:
		return timeline.FeedName{Name: pick(w, w.Groups).Name}
	case n < 5:
		return timeline.FeedName{Name: w.other(who).Name, Private: true}
	default:
		return timeline.FeedName{Name: w.other(who).Name}
	}
}

// remove returns a copy of a list without a person.
func remove(list []*Person, who *Person) []*Person {
	return slices.DeleteFunc(slices.Clone(list), func(p *Person) bool { return p == who })
}
