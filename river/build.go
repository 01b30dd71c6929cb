package river

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"amstel.dev/amstel/timeline"
)

// errAgain reports that a build was overtaken by a change of its viewer's rights,
// and must begin again.
var errAgain = errors.New("overtaken while building")

// A build reads a range of a river from the primary, beside the loop: the top of a
// river that does not live yet, or the entries below a river's floor. The loop
// installs the result. For example, the first visit of a home builds its first 26
// entries, and a visit of its second page builds the next 26 below them.
type build struct {
	key    Key
	client string // the client in whose queue the build waits
	rv     *river // nil: the river does not live yet
	from   timeline.Cursor
	need   int // entries wanted

	dirty readChanges // the changes that turns read since the build was registered
	draft *draft      // the result, over an empty state
	made  *river      // the river as built
	err   error
	done  chan struct{} // closed when installed or failed
}

// readChanges are the posts, viewers, cards and timelines of which turns read
// changes.
type readChanges struct {
	posts   map[timeline.PostID]bool
	viewers map[timeline.UserID]bool
	users   map[timeline.UserID]bool
	groups  map[timeline.GroupID]bool
	access  map[timeline.TimelineID]bool
	spoilt  bool // the log broke: nothing that the build read is valid
}

// builds has the builds under way. All visits that need the same range of a river
// share one build.
type builds struct {
	mu    sync.Mutex
	under map[buildID]*build
	// members and strangers are the slots of reads for viewers who are signed in,
	// and for those who are not: a flood of requests without a session delays only
	// such requests.
	members, strangers slots
	closed             bool // the loop has ended
	wg                 sync.WaitGroup
}

type buildID struct {
	key  Key
	from timeline.Cursor
}

// noteChanges adds the changes that a turn read to every registered build.
func (bs *builds) noteChanges(changes []timeline.Change) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	for _, b := range bs.under {
		for _, c := range changes {
			switch c.Kind {
			case timeline.ChangePost:
				put(&b.dirty.posts, c.Post, true)
			case timeline.ChangeViewer:
				put(&b.dirty.viewers, c.User, true)
			case timeline.ChangeCard:
				put(&b.dirty.users, c.User, true)
				put(&b.dirty.groups, c.Group, true)
			case timeline.ChangeAccess:
				for _, id := range c.Timelines {
					put(&b.dirty.access, id, true)
				}
			}
		}
	}
}

// spoil makes every build begin again.
func (bs *builds) spoil() {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	for _, b := range bs.under {
		b.dirty.spoilt = true
	}
}

// wait stops further builds from beginning, and waits for those under way.
func (bs *builds) wait() {
	bs.mu.Lock()
	bs.closed = true
	bs.mu.Unlock()
	bs.wg.Wait()
}

// build registers a build and returns it, or returns the build of the same range
// under way. Turns note in a registered build the changes that they read. The
// build's snapshot is taken after the registration, so no change falls between the
// two.
func (n *Node) build(b *build) *build {
	id := buildID{b.key, b.from}
	n.builds.mu.Lock()
	defer n.builds.mu.Unlock()
	if under := n.builds.under[id]; under != nil {
		return under
	}
	b.done = make(chan struct{})
	if n.builds.closed { // the loop has ended and would not install the build
		b.err = ErrBehind
		close(b.done)
		return b
	}
	put(&n.builds.under, id, b)
	n.builds.wg.Go(func() {
		leave, err := n.builds.slotsFor(b.key).Enter(context.WithoutCancel(n.life), b.client)
		if err != nil {
			n.fail(b, err)
			return
		}
		defer leave()
		// A build outlives the request that began it, since other visits may wait
		// for it.
		ctx, cancel := context.WithTimeout(n.life, n.cfg.Settings.Blind)
		defer cancel()
		if err := n.reached(pointRegistered); err != nil {
			n.fail(b, err)
			return
		}
		began := time.Now()
		err = n.read(ctx, b)
		for tries := 1; tries < mostPoison && errors.Is(err, errPoison); tries++ {
			err = n.read(ctx, b)
		}
		if err != nil && ctx.Err() != nil { // the build hung or the node ends: the page is not at fault
			err = fmt.Errorf("%w: %w", ErrBehind, err)
		}
		n.counts.built(err)
		if n.cfg.Built != nil {
			n.cfg.Built(b.key.What, time.Since(began), err)
		}
		if err != nil {
			n.fail(b, err)
			return
		}
		n.asks.mu.Lock()
		n.asks.built = append(n.asks.built, b)
		n.asks.mu.Unlock()
		n.Ring()
		if b.key.Viewer == 0 {
			// Strangers have no more rivers built in a turn than they have slots, since each
			// river that is installed makes the turn longer, and members wait for turns.
			select {
			case <-b.done:
			case <-n.life.Done():
			}
		}
	})
	return b
}

// forget removes a build from the register.
func (n *Node) forget(b *build) {
	n.builds.mu.Lock()
	defer n.builds.mu.Unlock()
	id := buildID{b.key, b.from}
	if n.builds.under[id] == b {
		delete(n.builds.under, id)
	}
}

// fail ends a build with an error.
func (n *Node) fail(b *build, err error) {
	n.forget(b)
	b.err = err
	close(b.done)
}

// read reads a build's range in a snapshot of its own.
func (n *Node) read(ctx context.Context, b *build) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("building %v: %w", b.key, n.poisonError(b.draft, p))
		}
	}()
	sn, err := n.store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer sn.Close()
	d := newDraft(n.empty())
	b.draft = d
	b.made, err = d.construct(ctx, sn, b.key)
	if err != nil {
		return err
	}
	if err := n.reached(pointBuilding); err != nil {
		return err
	}
	sn.SearchFor(n.cfg.Settings.searchFor)
	if err := d.fillRange(ctx, sn, b.made, b.from, timeline.Cursor{}, b.need, n.cfg.Settings.Candidates); err != nil {
		return err
	}
	n.quarantine.clearSuspects(d.handledAlone)
	if kinds[b.key.What].single && len(d.rivers[b.made].put) == 0 {
		return timeline.ErrNotFound // a post that does not exist and one that the viewer must not know of get the same answer
	}
	return nil
}

// construct makes a river without entries, in a draft over an empty state. It
// returns an error if the viewer may not open the page.
func (d *draft) construct(ctx context.Context, sn *timeline.Snapshot, key Key) (*river, error) {
	if !d.access().addressable(key) {
		return nil, timeline.ErrNotFound
	}
	k := kinds[key.What]
	sets, feeds, err := sn.Sets(ctx, []timeline.UserID{key.Viewer})
	if err != nil {
		return nil, err
	}
	d.sets[key.Viewer] = sets[key.Viewer]
	maps.Copy(d.timelines, feeds)
	rv := &river{key: key, epoch: rand.Text(), sorted: orderOf(d, key), entries: make(map[timeline.PostID]*entry)}
	if whats := k.timelines(); len(whats) > 0 {
		found, err := sn.TimelinesOf(ctx, key.TheirID, whats...)
		if err != nil {
			return nil, err
		}
		for id, t := range found {
			d.timelines[id] = t
			for _, what := range k.subject {
				if t.What == what {
					put(&rv.wants, id, true)
				}
			}
		}
		if len(rv.wants) == 0 {
			return nil, timeline.ErrNotFound
		}
		for _, what := range k.gates {
			for id, t := range found {
				if t.What == what {
					rv.gates = append(rv.gates, id)
				}
			}
		}
	}
	if k.fedBySets() {
		rv.wants = homeOf(key, d.sets[key.Viewer])
	}
	if k.search {
		if err := rv.compile(ctx, sn); err != nil {
			return nil, err
		}
		if err := d.speaksOf(ctx, sn, rv); err != nil {
			return nil, err
		}
	}
	if err := mayOpen(d, rv); err != nil {
		return nil, err
	}
	rd := d.of(rv)
	rd.made = true
	rd.floor = &timeline.Cursor{}
	rd.finished = true // so that every chosen post can be decided
	return rv, nil
}

// outlinesFrom is the number of posts that a page looks at in full. A page that is
// not complete by then will probably reject most of the next posts too, so it reads
// only the outlines of these, which suffice to decide.
const outlinesFrom = 200

// fillRange decides the posts of a river below from and at or above low, newest
// first, and reads the folds and cards that the entries show. It stops when need
// entries are found, when candidates posts were looked at, or when the snapshot has
// searched for too long. The floor in the river's draft tells how far it came.
func (d *draft) fillRange(ctx context.Context, sn *timeline.Snapshot, rv *river, from, low timeline.Cursor, need, candidates int) error {
	rd := d.of(rv)
	if kinds[rv.key.What].single {
		d.enqueue(rv, timeline.PostID(rv.key.TheirID))
		return d.fill(ctx, sn)
	}
	choice := d.choice(rv)
	at, found, looked := from, 0, 0
	for chunk := min(need, 50); ; chunk = min(2*chunk, 200) {
		chosen, err := sn.Choose(ctx, choice, at, chunk)
		if err != nil {
			return err
		}
		facts := d.factsOf
		if looked < outlinesFrom || rv.query != nil {
			for _, c := range chosen.Posts {
				d.need.facts[c.Post] = true
			}
			if err := d.fillFacts(ctx, sn); err != nil {
				return err
			}
			if err := d.matchChosen(ctx, sn, rv, chosen.Posts); err != nil {
				return err
			}
		} else { // most posts are rejected here; fill reads the facts of those that are not
			read, err := d.outlines(ctx, sn, rv, choice, chosen.Posts, true)
			if err != nil {
				return err
			}
			facts = func(post timeline.PostID) *timeline.Facts { return read[post] }
		}
		bottom := chosen.Low == timeline.Cursor{}
		for _, c := range chosen.Posts {
			if c.Below(low) {
				bottom = true
				break
			}
			at = c
			looked++
			if rv.chosen != nil {
				rv.chosen[c.Post] = c
			}
			if e := d.decideGuarded(rv, facts(c.Post)); e == nil || rv.includes != nil && !rv.includes(e) {
				delete(d.facts, c.Post)
				delete(rv.chosen, c.Post)
				continue
			}
			d.enqueue(rv, c.Post)
			if found++; found == need {
				break
			}
		}
		if found < need && !bottom {
			if at = chosen.Low; at.Below(low) {
				bottom = true
			}
		}
		if bottom && found < need || found == need || looked >= candidates || sn.Searched() {
			if found == 0 && !bottom && sn.Searched() {
				if err := sn.TooBroad(rv.query); err != nil {
					return err
				}
			}
			rd.finished = bottom && found < need
			if rd.finished {
				at = timeline.Cursor{}
			}
			rd.floor = &at
			// Posts below the floor are not part of the result.
			for post, f := range d.facts {
				if rv.sorted == timeline.OrderFresh && f != nil && f.Cursor().Below(at) {
					delete(d.facts, post)
				}
			}
			return d.fill(ctx, sn)
		}
	}
}

func keysOf[K comparable, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}
