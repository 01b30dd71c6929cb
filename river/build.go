package river

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/timeline"
)

// errAgain reports that changes overtook a build, for example a change of the viewer's rights. The
// build must begin again.
var errAgain = errors.New("overtaken while building")

// A build reads a range of a river from the primary, beside the loop: the top of a
// river that does not live yet, or the entries below a river's floor. The loop
// installs the result. For example, the first visit of a home builds its first 26
// entries, and a visit of its second page builds the next 26 below them.
type build struct {
	key    Key
	client string // the build waits in this client's queue
	rv     *river // nil: the river does not live yet
	from   timeline.Cursor
	need   int  // entries wanted
	ahead  bool // no reader has asked for the river; see [Node.Prepare]

	dirty readChanges // the changes that turns read since the build was registered
	draft *draft      // the result, over an empty state
	made  *river      // the river as built
	err   error
	done  chan struct{} // closed when installed or failed
}

// readChanges has the posts, viewers, cards and timelines whose changes turns have read since a
// build was registered.
type readChanges struct {
	posts   map[timeline.PostID]bool
	viewers map[timeline.UserID]bool
	users   map[timeline.UserID]bool
	groups  map[timeline.GroupID]bool
	access  map[timeline.TimelineID]bool
	spoilt  bool // the log broke: nothing that the build read is valid
}

// builds is the register of the builds under way. All visits that need the same range of a river
// share one build.
type builds struct {
	mu    sync.Mutex
	under map[buildID]*build
	// members are the slots of reads for signed-in viewers, and strangers those for
	// viewer 0: a flood of requests without a session delays only such requests.
	members, strangers slots
	// ahead is the slot of builds that no reader has asked for.
	ahead  *turnstile.Turnstile
	closed bool // the loop has ended
	wg     sync.WaitGroup
}

// A buildID identifies the range of a river that a build reads.
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

// restartAll makes every build under way begin again, because the log broke: no turn can tell
// which changes the builds missed.
func (bs *builds) restartAll() {
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
		slots := n.builds.slotsFor(b.key)
		if b.ahead {
			slots = n.builds.ahead
		}
		leave, err := slots.Enter(context.WithoutCancel(n.life), b.client)
		if err != nil {
			n.fail(b, err)
			return
		}
		defer leave()
		// A build outlives its request, because other visits may wait for the build.
		ctx, cancel := context.WithTimeout(readFor(n.life, b.client, b.key.Viewer), n.cfg.Settings.Blind)
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
		n.Ring()
		n.asks.mu.Unlock()
		if b.key.Viewer == 0 {
			// A build for strangers keeps its slot until a turn has installed it. So a turn
			// installs no more rivers of strangers than strangers have slots. Each installed
			// river makes the turn longer, and members wait for turns.
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

// keysOf returns the keys of a map. The result is never nil, because a nil slice becomes null in JSON,
// and not [].
func keysOf[K comparable, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}
