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

// A World is a site on which things happen. It is for one goroutine.
type World struct {
	People []*Person // with an account
	Gone   []*Person // with a deleted account
	Groups []*Group
	Posts  []*Post // that are not known to be deleted, the oldest first
	// Without are the names of what does not happen now.
	Without map[string]bool
	// Did counts what happened, by its name, and what a rule refused.
	Did, Refused map[string]int

	store   *timeline.Store
	rng     *rand.Rand
	secrets int
	people  int // that ever signed up
	groups  int
}

// A Person has, or had, an account.
type Person struct {
	ID       timeline.UserID
	Name     string
	Password string
	Picky    bool     // may want no notices of some kinds
	oldNames []string // the names before
}

// A Group is a group, with the people that the world takes for its administrators.
type Group struct {
	ID     timeline.GroupID
	Name   string
	admins []*Person
}

// A Post is one with what was said on it.
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

// How many there are of each, at the beginning and about as many later.
const (
	manyPeople = 8
	manyGroups = 3
	manyPosts  = 40 // of which one is likely to be picked
)

// New makes a site's first people and groups. What happens on it from then on
// is decided by the seed.
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

// Refused says whether an error is a rule's no, and not a fault.
func Refused(err error) bool {
	for _, no := range []error{timeline.ErrNotFound, timeline.ErrForbidden, timeline.ErrUnauthorized, timeline.ErrTaken, timeline.ErrConflict} {
		if errors.Is(err, no) {
			return true
		}
	}
	_, invalid := errors.AsType[*timeline.InvalidError](err)
	return invalid
}

var secret = regexp.MustCompile(`secret\d{5}x`)

// Secrets are those that a text has, in the order in which they stand there.
func Secrets(text string) []string { return secret.FindAllString(text, -1) }

// Step has one random thing happen and says what; the error is a refusal or a
// fault. Some things need others first: then what is empty, and nothing happened.
func (w *World) Step(ctx context.Context) (what string, err error) {
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

// Do has a thing of that name happen.
func (w *World) Do(ctx context.Context, what string) error {
	for _, e := range events {
		if e.what == what {
			_, err := w.do(ctx, e)
			return err
		}
	}
	return fmt.Errorf("world: nothing is called %q", what)
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

// Kinds are the names of all that can happen.
func Kinds() (all []string) {
	for _, e := range events {
		all = append(all, e.what)
	}
	return all
}

// Finish works off what the primary has still to finish.
func (w *World) Finish(ctx context.Context) error {
	for {
		more, err := w.store.RunEraseJob(ctx)
		if err != nil || !more {
			return err
		}
	}
}

// errNothing says that there is nothing to do such a thing with.
var errNothing = errors.New("nothing to do it with")

func pick[T any](w *World, from []T) T { return from[w.rng.IntN(len(from))] }

// likely picks yes, that often of a hundred times.
func (w *World) likely(percent int) bool { return w.rng.IntN(100) < percent }

// other returns another person than the given one.
func (w *World) other(than *Person) *Person {
	for {
		if p := pick(w, w.People); p != than {
			return p
		}
	}
}

// post is one of the newest, often of the very newest, so that much happens on
// some; nil if there is none.
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

// commented is a post with comments, and one of them; nil if none of a few has any.
func (w *World) commented() (*Post, comment) {
	for range 10 {
		if p := w.post(); p != nil && len(p.comments) > 0 {
			return p, pick(w, p.comments)
		}
	}
	return nil, comment{}
}

// direct is a direct message; nil if none of a few is one.
func (w *World) direct() *Post {
	for range 20 {
		if p := w.post(); p != nil && p.Direct {
			return p
		}
	}
	return nil
}

// admin returns a person that the world takes for an administrator of the group.
func (w *World) admin(g *Group) *Person {
	if len(g.admins) == 0 || w.likely(15) {
		return pick(w, w.People)
	}
	return pick(w, g.admins)
}

// feedAndOwner returns a feed and a person, most often one that keeps the feed.
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

func remove(list []*Person, who *Person) []*Person {
	return slices.DeleteFunc(slices.Clone(list), func(p *Person) bool { return p == who })
}
