package river

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"amstel.dev/amstel/timeline"
)

// A quarantine has the posts that can't be read, decided, folded or drawn without
// a panic, which is a fault of ours. Each is left out of every river, as if it were
// not there; all others live. It is tried again when it changes, and by the next
// process, which may know better.
//
// Many posts are read at once. When that panics nobody knows which one it was: all
// of them are suspects then, and read alone until they have passed.
type quarantine struct {
	mu       sync.Mutex
	posts    map[timeline.PostID]int64 // the change at which it was last tried
	suspects map[timeline.PostID]bool
	released map[timeline.PostID]bool // let out again, by a turn that is not through
	rev      int64                    // raised when out changes
	hooks    hooks
}

func newQuarantine(h hooks) *quarantine {
	return &quarantine{hooks: h, posts: make(map[timeline.PostID]int64), suspects: make(map[timeline.PostID]bool), released: make(map[timeline.PostID]bool)}
}

// errPoison says that something panicked, and that who is to blame, or may be, is
// known: it is to be tried again.
var errPoison = errors.New("a post that can't be shown")

// mostPoison is how often a page is tried again, each time without one post more.
const mostPoison = 100

func (q *quarantine) has(post timeline.PostID) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	_, has := q.posts[post]
	return has
}

// posts are those left out, sorted, and the revision of that.
func (q *quarantine) list() ([]timeline.PostID, int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Sorted(maps.Keys(q.posts)), q.rev
}

// revision returns a number that rises when other posts are left out.
func (q *quarantine) revision() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.rev
}

// blame notes what was under way when something panicked, and answers the post that
// is left out from now on for it, 0 if there is none; false if nothing is known, so
// that trying again would come to the same.
func (q *quarantine) suspect(posts []timeline.PostID) (out timeline.PostID, known bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(posts) != 1 {
		for _, post := range posts {
			q.suspects[post] = true
		}
		return 0, len(posts) > 0
	}
	post := posts[0]
	delete(q.released, post)
	delete(q.suspects, post)
	if _, has := q.posts[post]; has {
		return 0, true
	}
	q.posts[post] = 0
	q.rev++
	return post, true
}

// changed lets a post out that has changed since it was last tried, and says
// whether it was left out until this turn.
func (q *quarantine) release(c *timeline.Change) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if at, has := q.posts[c.Post]; has && at < c.ID {
		delete(q.posts, c.Post)
		q.released[c.Post], q.suspects[c.Post] = true, true
		q.rev++
	}
	return q.released[c.Post]
}

// back keeps posts that were let out, by a turn that found them no better, in until
// they change again.
func (q *quarantine) keep(changes []timeline.Change) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, c := range changes {
		if at, has := q.posts[c.Post]; has {
			q.posts[c.Post] = max(at, c.ID)
		}
	}
}

// passed ends the suspicion of what was read alone, and came through.
func (q *quarantine) clearSuspects(posts []timeline.PostID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, post := range posts {
		delete(q.suspects, post)
	}
}

// through says that a turn is: what it let out is in.
func (q *quarantine) confirmReleased() {
	q.mu.Lock()
	defer q.mu.Unlock()
	clear(q.released)
}

// portions are posts as they are to be read: together, suspects each alone, and
// not at all what is left out.
func (q *quarantine) batches(posts []timeline.PostID) (portions [][]timeline.PostID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var most []timeline.PostID
	for _, post := range posts {
		_, out := q.posts[post]
		switch {
		case out:
		case q.suspects[post]:
			portions = append(portions, []timeline.PostID{post})
		default:
			most = append(most, post)
		}
	}
	if len(most) > 0 {
		portions = append(portions, most)
	}
	return portions
}

// An attempt is what a draft does with posts, for the quarantine to know which post is to
// blame for a panic.
type attempt struct {
	handling     []timeline.PostID // what is under way is done with these
	handledAlone []timeline.PostID // what was done with one post alone
}

// doing notes what the draft is about to do with which posts, for a panic to be
// blamed on.
func (d *draft) begin(stage string, posts ...timeline.PostID) {
	d.handling = posts
	d.base.quarantine.hooks.handles(stage, posts)
}

// did says that it went well.
func (d *draft) end() {
	if len(d.handling) == 1 {
		d.handledAlone = append(d.handledAlone, d.handling[0])
	}
	d.handling = nil
}

// blame says of a panic in the making of a draft, which may be nil, which post it
// was, if that can be known, and has it left out.
func (n *Node) poisonError(d *draft, panicked any) error {
	err := fmt.Errorf("panicked: %v\n%s", panicked, stack())
	if d == nil {
		return err
	}
	post, known := n.quarantine.suspect(d.handling)
	if !known {
		return err
	}
	if post != 0 {
		n.log.Error("a post is left out of all rivers, until it changes", "post", post, "err", err)
	}
	return fmt.Errorf("%w: %w", errPoison, err)
}

// Quarantine has a post left out of all rivers from the next turn on, until it
// changes: drawing it failed, for the reason given, which is logged.
func (n *Node) Quarantine(post timeline.PostID, why any) {
	if out, _ := n.quarantine.suspect([]timeline.PostID{post}); out != 0 {
		n.log.Error("a post is left out of all rivers, until it changes", "post", post, "err", why)
		n.Ring()
	}
}

// leaveOut has what is left out taken from the rivers that have it.
func (r *router) routeQuarantined() {
	posts, _ := r.node.quarantine.list()
	for _, post := range posts {
		if h := r.node.st.held[post]; h != nil {
			for rv := range h.rivers {
				r.draft.enqueue(rv, post)
			}
		}
	}
}

// quarantine writes which posts are left out, where that is not what is there.
func (w *writer) quarantine(d *draft, r *riverDB) {
	posts, rev := d.base.quarantine.list()
	if rev == r.outRev {
		return
	}
	r.outRev = rev
	w.do(`delete from quarantine`)
	for _, post := range posts {
		w.do(`insert into quarantine (post_id) values (?)`, post)
	}
}
