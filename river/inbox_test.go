package river

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/internal/world"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/inbox"
)

var inboxSteps = flag.Int("inbox.steps", 20, "how many writes each random life of a site with inboxes has")

// A shelf is a site whose rivers have inboxes, with a world that writes.
type shelf struct {
	t       testing.TB
	store   *timeline.Store
	inboxes *inbox.Source
	world   *world.World
	rng     *rand.Rand
	clock   atomic.Int64
	die     atomic.Pointer[string] // the point at which the work ends
	end     func()                 // ends the work
	at      func(point string)     // is called at each point; nil: nothing is
	killed  map[string]int
}

func newShelf(t testing.TB, seed uint64, pushMost int) *shelf {
	s := &shelf{t: t, rng: rand.New(rand.NewPCG(seed, 7)), killed: make(map[string]int)}
	s.clock.Store(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC).UnixMilli())
	s.inboxes = inbox.New(inbox.Options{PushMost: pushMost, FanoutMax: 30, Reached: s.reached})
	s.store = timeline.New(pgtest.New(t), timeline.Options{
		Now:   func() time.Time { return time.UnixMilli(s.clock.Load()) },
		Argon: pgtest.Argon, Source: s.inboxes,
	})
	s.world = world.New(t, s.store, seed)
	return s
}

// reached ends the work at the point where the process is to die.
func (s *shelf) reached(point string) {
	if s.at != nil {
		s.at(point)
	}
	if at := s.die.Load(); at != nil && *at == point {
		s.die.Store(nil)
		s.killed[point]++
		s.end()
	}
}

// work does some of the work of inboxes. A process that dies in the middle leaves the rest.
func (s *shelf) work(steps int) {
	s.t.Helper()
	ctx, end := context.WithCancel(s.t.Context())
	defer end()
	s.end = end
	for range steps {
		more, err := s.inboxes.Work(ctx, s.store, s.choiceOf)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			s.t.Fatal(err)
		}
		if !more {
			return
		}
	}
}

func (s *shelf) choiceOf(ctx context.Context, key timeline.InboxKey) (timeline.Choice, error) {
	return ChoiceOf(ctx, s.store, key)
}

func (s *shelf) set(key, value string) {
	s.t.Helper()
	if _, err := s.store.ArrangeSite(s.t.Context(), timeline.SiteEdit{"source." + key: value}); err != nil {
		s.t.Fatal(err)
	}
}

// keys returns the rivers to compare: the homes and lists of all people, and the shared rivers.
func (s *shelf) keys() []Key {
	s.t.Helper()
	var keys []Key
	for _, p := range s.world.People {
		keys = append(keys, Key{Viewer: p.ID, What: KindHome, TheirID: int64(p.ID)}, Key{Viewer: p.ID, What: KindDirects, TheirID: int64(p.ID)},
			Key{Viewer: p.ID, What: KindDiscussions, TheirID: int64(p.ID)})
		lists, err := s.store.Pool().Query(s.t.Context(), `select id from lists where user_id = $1`, p.ID)
		if err != nil {
			s.t.Fatal(err)
		}
		var id int64
		for lists.Next() {
			if err := lists.Scan(&id); err != nil {
				s.t.Fatal(err)
			}
			keys = append(keys, Key{Viewer: p.ID, What: KindList, TheirID: id})
		}
		about := s.world.People[s.rng.IntN(len(s.world.People))]
		keys = append(keys, Key{Viewer: p.ID, What: KindUser, TheirID: int64(about.ID)}, Key{Viewer: p.ID, What: KindLikes, TheirID: int64(about.ID)})
		for _, g := range s.world.Groups {
			keys = append(keys, Key{Viewer: p.ID, What: KindGroup, TheirID: int64(g.ID)})
		}
	}
	return append(keys, Key{What: KindEverything})
}

// pages returns all posts of a choice, read in pages, as a river would read them.
func pages(ctx context.Context, sn *timeline.Snapshot, c timeline.Choice, want int) (all []timeline.Cursor, err error) {
	for below := timeline.Top; ; {
		chosen, err := sn.Choose(ctx, c, below, want)
		if err != nil {
			return nil, err
		}
		for _, at := range chosen.Posts {
			if !at.Below(below) || at.Below(chosen.Low) {
				return nil, fmt.Errorf("%v is not between %v and %v", at, below, chosen.Low)
			}
		}
		all = append(all, chosen.Posts...)
		if chosen.Low == (timeline.Cursor{}) {
			return all, nil
		}
		if len(chosen.Posts) == 0 && !chosen.Low.Below(below) {
			return nil, fmt.Errorf("no post below %v, and no lower place", below)
		}
		below = chosen.Low
	}
}

// compare compares each river from inboxes with the same river from timelines, in one state of
// the primary.
func (s *shelf) compare(ctx context.Context, keys []Key) error {
	sn, err := s.store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer sn.Close()
	log, err := sn.Log(ctx, 0, "", "")
	if err != nil {
		return err
	}
	for _, key := range keys {
		d := newDraft(newState())
		d.log.siteState = siteState{log.Site, log.Run}
		rv, err := d.construct(ctx, sn, key)
		if err != nil {
			continue // the viewer may not open the page
		}
		c := d.choice(rv)
		read := c
		read.Inbox = timeline.InboxKey{}
		want := 1 + s.rng.IntN(8)
		got, err := pages(ctx, sn, c, want)
		if err != nil {
			return fmt.Errorf("%v by %s: %w", key, c.Inbox.Source, err)
		}
		right, err := pages(ctx, sn, read, 50)
		if err != nil {
			return fmt.Errorf("%v by timelines: %w", key, err)
		}
		if diff := gocmp.Diff(right, got); diff != "" {
			return fmt.Errorf("%v by %s, %d at a time, differs from the timelines (-want +got):\n%s", key, c.Inbox.Source, want, diff)
		}
		if err := sameContent(ctx, sn, s.store, right); err != nil {
			return fmt.Errorf("%v by %s: %w", key, c.Inbox.Source, err)
		}
	}
	return nil
}

// sameContent compares the folds and cards embedded in inboxes, as a snapshot read them, with
// the primary's.
func sameContent(ctx context.Context, sn *timeline.Snapshot, store *timeline.Store, places []timeline.Cursor) error {
	other, err := store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer other.Close()
	var ids []timeline.PostID
	for _, at := range places {
		ids = append(ids, at.Post)
	}
	contents := func(sn *timeline.Snapshot) (all []any, err error) {
		facts, _, err := sn.Facts(ctx, ids)
		if err != nil {
			return nil, err
		}
		folds, err := sn.Folds(ctx, ids, timeline.FoldOptions{})
		if err != nil {
			return nil, err
		}
		var authors []timeline.UserID
		for _, f := range facts {
			authors = append(authors, f.Author)
		}
		slices.Sort(authors)
		cards, _, err := sn.Cards(ctx, slices.Compact(authors), nil)
		return []any{facts, folds, cards}, err
	}
	right, err := contents(other)
	if err != nil {
		return err
	}
	got, err := contents(sn)
	if err != nil {
		return err
	}
	if !gocmp.Equal(right[0], got[0]) {
		return nil // another process wrote meanwhile
	}
	if diff := gocmp.Diff(right, got); diff != "" {
		return fmt.Errorf("embedded content differs (-want +got):\n%s", diff)
	}
	return nil
}

// TestInboxesEqualTimelines runs a random site with each source, and with changing sources,
// while workers are late or die. After every few writes, each river from its inbox equals the
// river from timelines.
func TestInboxesEqualTimelines(t *testing.T) {
	t.Parallel()
	racetest.Long(t)
	seed := rand.Uint64()
	for i, source := range append(timeline.Sources()[1:], "mixed") {
		pushMosts := []int{1, 200}
		if !*soak {
			pushMosts = pushMosts[seed>>i%2:][:1]
		}
		for j, pushMost := range pushMosts {
			t.Run(fmt.Sprintf("%s/%d", source, pushMost), func(t *testing.T) {
				t.Parallel()
				seed := seed + uint64(10*i+j)
				t.Logf("seed %d", seed)
				s := newShelf(t, seed, pushMost)
				for _, what := range slices.Concat(slices.Repeat([]string{"subscribe", "post", "like"}, 25), slices.Repeat([]string{"comment", "subscribe"}, 10)) {
					s.clock.Add(60_000)
					if err := s.world.Do(t.Context(), what); err != nil && !world.Refused(err) {
						t.Fatal(err)
					}
				}
				for key, value := range map[string]string{"depth": "6", "sized": "3", "cap": "5", "slots": "2", "hybrid": "2", "period_hours": "1"} {
					s.set(key, value)
				}
				for _, kind := range timeline.SourceKinds() {
					if source == "mixed" {
						s.set(kind, pickOne(s.rng, timeline.Sources()[1:]))
					} else {
						s.set(kind, source)
					}
				}
				s.set("embed", []string{"none", "author+text+data", "text", "data", "author+data"}[s.rng.IntN(5)])
				for step := range *inboxSteps {
					s.clock.Add(int64(s.rng.IntN(20)) * 60_000)
					if _, err := s.world.Step(t.Context()); err != nil && !world.Refused(err) {
						t.Fatal(err)
					}
					switch n := s.rng.IntN(100); {
					case source == "mixed" && n < 10:
						s.set(timeline.SourceKinds()[s.rng.IntN(len(timeline.SourceKinds()))], pickOne(s.rng, timeline.Sources()))
					case n < 13:
						s.set(pickOne(s.rng, []string{"slots", "sized", "cap"}), strconv.Itoa(1+s.rng.IntN(5)))
					case n < 15:
						s.set("embed", pickOne(s.rng, []string{"none", "author", "text+data", "author+text+data"}))
					case n < 17:
						s.set("fanout_limit", pickOne(s.rng, []string{"0", "3", "20"}))
					}
					if s.rng.IntN(4) == 0 {
						at := pickOne(s.rng, []string{inbox.PointMade, inbox.PointRead, inbox.PointFilled, inbox.PointTold})
						s.die.Store(&at)
					}
					if s.rng.IntN(3) > 0 {
						s.work(s.rng.IntN(12))
					}
					if step%5 == 0 {
						if err := s.compare(t.Context(), s.keys()); err != nil {
							t.Fatalf("after %d writes: %v", step+1, err)
						}
					}
				}
				s.die.Store(nil)
				// If the log has begun another life, the workers fill the inboxes again as soon as pages ask for them.
				var before inbox.Counts
				for range 2 {
					s.work(1 << 20)
					before = s.inboxes.Counts()
					if err := s.compare(t.Context(), s.keys()); err != nil {
						t.Fatalf("at the end: %v", err)
					}
				}
				after := s.inboxes.Counts()
				t.Logf("%+v, killed %v", after, s.killed)
				if after.Chosen == before.Chosen {
					t.Error("no page came from an inbox")
				}
				if source == timeline.SourceHybrid && after.Pulls == 0 {
					t.Error("no timeline was pulled")
				}
			})
		}
	}
}

func pickOne[T any](rng *rand.Rand, from []T) T { return from[rng.IntN(len(from))] }
