package demo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"amstel.dev/amstel/realtime/client"
	"amstel.dev/amstel/timeline"
)

// A Span is the shortest and the longest of some times. Each time is chosen at random between them.
type Span struct{ Least, Most time.Duration }

// A Rhythm says how long people wait before they act.
type Rhythm struct {
	Post   Span // between two posts
	React  Span // between two likes or comments
	Answer Span // before an answer to the guest
}

// Lively returns the rhythm of a demonstration: a person can follow it at an open page.
func Lively() Rhythm {
	return Rhythm{
		Post:   Span{10 * time.Second, 30 * time.Second},
		React:  Span{2 * time.Second, 6 * time.Second},
		Answer: Span{2 * time.Second, 7 * time.Second},
	}
}

// A Config says how the people of the community act.
type Config struct {
	Store  *timeline.Store
	URL    string // the address of the site
	Seed   uint64 // of the texts
	Rhythm Rhythm
	Posts  int // the number of posts of the people that are kept; 0: a thousand
	Log    *slog.Logger
}

const (
	postsKept = 1000
	// commentsMost is how many comments a post has before the people only like it. They answer the
	// guest without limit.
	commentsMost = 8
	// newest is how many of the newest posts the people like and comment on.
	newest = 12
	// speakersLeast is how many people must comment in each language: the author of a post, the last who
	// commented on it, and another.
	speakersLeast = 3
	// application is the name of the tokens by which the people act.
	application = "amstel demo"
	// pause is how long a person waits before they follow a page again that could not be followed.
	pause = 2 * time.Second
)

// ErrFew reports that too few people of the community are left to act.
var ErrFew = errors.New("too few people of the demonstration are left: start afresh")

// An actor is a person who acts, through the API.
type actor struct {
	*person
	id     int64
	client *client.Client
}

// An activity is the acting of all people of the community.
type activity struct {
	Config
	community *community
	actors    []*actor
	byID      map[int64]*actor

	mu      sync.Mutex
	random  *rand.Rand
	recent  []client.Entry     // the newest posts of the site, from the newest down
	unsaid  map[int64][]string // by post: comments that fit it and that are not written yet
	noticed map[int64]bool     // texts of other people that were answered, or will be
}

// Run has the people of the community act until the context ends. The site must serve at the address.
func Run(ctx context.Context, c Config) error {
	a, err := newActivity(ctx, c)
	if err != nil {
		return err
	}
	acting, ctx := errgroup.WithContext(ctx)
	acting.Go(func() error { return a.repeat(ctx, c.Rhythm.Post, a.post) })
	acting.Go(func() error { return a.repeat(ctx, c.Rhythm.React, a.react) })
	acting.Go(func() error {
		anyone := func() *actor {
			a.mu.Lock()
			defer a.mu.Unlock()
			return pick(a.random, a.actors)
		}
		return a.watch(ctx, acting, anyone, "/filter/everything", func(entries []client.Entry) {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.recent = entries
		})
	})
	for _, each := range a.actors {
		acting.Go(func() error {
			return a.watch(ctx, acting, func() *actor { return each }, directs, func([]client.Entry) {})
		})
	}
	return acting.Wait()
}

// newActivity returns an activity of the people of the community, each with a new token. It leaves out people
// whom the guest has suspended, and people who were not in the community when it was made.
func newActivity(ctx context.Context, c Config) (*activity, error) {
	c.Posts = cmp.Or(c.Posts, postsKept)
	all, err := load()
	if err != nil {
		return nil, err
	}
	present := *all
	present.People = nil
	a := &activity{Config: c, community: &present, byID: map[int64]*actor{}, unsaid: map[int64][]string{}, noticed: map[int64]bool{}}
	// The hour makes the texts of another start differ from those of the first.
	a.random = newRandom(c.Seed + uint64(time.Now().Unix()/int64(time.Hour/time.Second)))
	for i := range all.People {
		switch each, err := newActor(ctx, c, &all.People[i]); {
		case err == nil:
			a.actors = append(a.actors, each)
			a.byID[each.id] = each
			present.People = append(present.People, all.People[i])
		case !errors.Is(err, timeline.ErrNotFound) && !errors.Is(err, timeline.ErrUnauthorized):
			return nil, err
		}
	}
	for _, language := range []string{"en", "ru"} {
		able := 0
		for i := range present.People {
			if present.People[i].speaks(language) {
				able++
			}
		}
		if able < speakersLeast {
			return nil, ErrFew
		}
	}
	return a, nil
}

// newActor returns a person who acts with a new token.
func newActor(ctx context.Context, c Config, p *person) (*actor, error) {
	named, err := c.Store.Lookup(ctx, p.Name)
	if err != nil {
		return nil, err
	}
	token, err := newToken(ctx, c.Store, named.User)
	if err != nil {
		return nil, err
	}
	sender, err := client.New(c.URL, token)
	return &actor{person: p, id: int64(named.User), client: sender}, err
}

// newToken makes a token for a person, in place of those of earlier starts.
func newToken(ctx context.Context, store *timeline.Store, user timeline.UserID) (string, error) {
	tokens, err := store.Tokens(ctx, user)
	if err != nil {
		return "", err
	}
	for _, token := range tokens {
		if token.Name == application {
			if err := store.RevokeToken(ctx, user, token.ID); err != nil {
				return "", err
			}
		}
	}
	return store.NewToken(ctx, user, timeline.TokenSpec{Name: application, Scopes: timeline.DefaultScopes})
}

// wait waits for a random time of a span. It returns an error if the context ends first.
func (a *activity) wait(ctx context.Context, s Span) error {
	d := s.Least
	if s.Most > s.Least {
		a.mu.Lock()
		d += time.Duration(a.random.Int64N(int64(s.Most - s.Least)))
		a.mu.Unlock()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// repeat acts again and again. A refusal does not end it: what a person acts on may be deleted meanwhile.
func (a *activity) repeat(ctx context.Context, every Span, act func(context.Context) error) error {
	for {
		if err := a.wait(ctx, every); err != nil {
			return err
		}
		if err := act(ctx); err != nil && ctx.Err() == nil {
			a.Log.Debug("a person of the demonstration could not act", "err", err)
		}
	}
}

// post writes a post of a random person, and deletes the posts that are too many then.
func (a *activity) post(ctx context.Context) error {
	a.mu.Lock()
	author := pick(a.random, a.actors)
	chosen := pick(a.random, author.Posts)
	text := expand(a.random, chosen.Text)
	for range 5 { // the same text as a post above would look odd
		if !slices.ContainsFunc(a.recent, func(e client.Entry) bool { return e.Text == text }) {
			break
		}
		chosen = pick(a.random, author.Posts)
		text = expand(a.random, chosen.Text)
	}
	unsaid := slices.Clone(chosen.Comments)
	a.random.Shuffle(len(unsaid), func(i, j int) { unsaid[i], unsaid[j] = unsaid[j], unsaid[i] })
	a.mu.Unlock()
	to := []string{"user"}
	if len(chosen.To) > 0 {
		to = nil
		for _, group := range chosen.To {
			to = append(to, "group:"+group)
		}
	}
	id, err := author.client.Post(ctx, text, uniqueUUID(), to...)
	if err != nil {
		return err
	}
	a.mu.Lock()
	a.unsaid[id] = unsaid
	a.mu.Unlock()
	return a.deleteOldest(ctx)
}

// uniqueUUID returns a UUID that was never used, so that a request that is sent twice acts once.
func uniqueUUID() string { return client.UUID(fmt.Sprint(time.Now().UnixNano(), rand.Uint64())) }

// deleteOldest deletes the oldest posts of the people, as many as are too many.
func (a *activity) deleteOldest(ctx context.Context) error {
	const query = `
		select id, user_id from posts
		where user_id = any($1) and deleted_at is null
		order by published_at desc, id desc
		offset $2`
	people := make([]int64, 0, len(a.actors))
	for _, each := range a.actors {
		people = append(people, each.id)
	}
	type old struct{ ID, Author int64 }
	rows, err := a.Store.Pool().Query(ctx, query, people, a.Posts)
	if err != nil {
		return err
	}
	many, err := pgx.CollectRows(rows, pgx.RowToStructByPos[old])
	if err != nil {
		return err
	}
	for _, post := range many {
		if err := a.byID[post.Author].client.Do(ctx, "DELETE", fmt.Sprintf("/api/v1/posts/%d", post.ID), nil, nil); err != nil {
			return err
		}
		a.mu.Lock()
		delete(a.unsaid, post.ID)
		a.mu.Unlock()
	}
	return nil
}

// react has a random person like one of the newest posts, or comment on it.
func (a *activity) react(ctx context.Context) error {
	a.mu.Lock()
	if len(a.recent) == 0 {
		a.mu.Unlock()
		return nil
	}
	// The smaller of two random places, so that newer posts get more.
	among := min(len(a.recent), newest)
	e := a.recent[min(a.random.IntN(among), a.random.IntN(among))]
	text, by := "", pick(a.random, a.actors)
	if author := a.byID[e.UserID]; author != nil && e.CommentsCount < commentsMost && a.random.IntN(2) == 0 {
		if unsaid := a.unsaid[e.ID]; len(unsaid) > 0 {
			text, a.unsaid[e.ID] = expand(a.random, unsaid[0]), unsaid[1:]
		} else if e.CommentsCount < commentsMost/2 {
			text = expand(a.random, pick(a.random, a.community.remarks(languageOf(e.Text))))
		}
		if text != "" {
			but := []*person{author.person}
			if n := len(e.Comments); n > 0 && a.byID[e.Comments[n-1].UserID] != nil {
				but = append(but, a.byID[e.Comments[n-1].UserID].person)
			}
			by = a.actors[speakers(a.random, a.community.People, languageOf(text), but...)]
		}
	}
	a.mu.Unlock()
	switch {
	case text != "":
		_, err := by.client.Comment(ctx, e.ID, text, uniqueUUID())
		return err
	case by.id == e.UserID || slices.Contains(e.Likes, by.id):
		return nil
	}
	return by.client.Like(ctx, e.ID)
}

// watch follows a page as one of the people, and has the texts of other people on the page answered. It
// calls changed with the entries of the page at first and after each change. If the page can't be followed,
// because the guest has suspended the person for example, watch asks for a person again.
func (a *activity) watch(ctx context.Context, acting *errgroup.Group, who func() *actor, path string, changed func([]client.Entry)) error {
	for {
		by := who()
		err := by.client.Follow(ctx, path, func(r *client.River, c client.Change) error {
			changed(r.Entries())
			for _, e := range slices.Concat(c.Added, c.Changed) {
				a.notice(ctx, acting, by, path, e)
			}
			return nil
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		a.Log.Debug("a person of the demonstration could not follow a page", "path", path, "err", err)
		if err := a.wait(ctx, Span{pause, pause}); err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
}
