package river

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"amstel.dev/amstel/timeline"
)

// A quarantine has the posts that can't be read, decided, folded or rendered without a panic,
// which is a bug. Every river leaves these posts out, as if they did not exist, so that all other
// posts stay visible. A quarantined post is tried again when the post changes, and by the next
// process, which may be a version without the bug.
//
// Many posts are read at once. If the reading panics, the cause is unknown: all of these posts
// become suspects, and each suspect is read alone until one reading does not panic. For example,
// if reading posts 1, 2 and 3 together panics, the next try reads each post alone; if post 2
// panics again, only post 2 is quarantined.
type quarantine struct {
	mu       sync.Mutex
	posts    map[timeline.PostID]int64 // the quarantined posts, each with the change at its last try
	suspects map[timeline.PostID]bool
	released map[timeline.PostID]bool // posts released by a turn that is not yet published
	rev      int64                    // raised when posts changes
	hooks    hooks
}

func newQuarantine(h hooks) *quarantine {
	return &quarantine{hooks: h, posts: make(map[timeline.PostID]int64), suspects: make(map[timeline.PostID]bool), released: make(map[timeline.PostID]bool)}
}

// errPoison reports that a panic had a known cause, or has suspects. Trying again
// makes sense, because the post is left out then, or the suspects are read alone.
var errPoison = errors.New("a post that can't be shown")

// mostPoison limits how often a page is tried again. Each try leaves out one more
// post.
const mostPoison = 100

func (q *quarantine) has(post timeline.PostID) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	_, has := q.posts[post]
	return has
}

// list returns the quarantined posts, sorted, and the revision of the quarantine.
func (q *quarantine) list() ([]timeline.PostID, int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Sorted(maps.Keys(q.posts)), q.rev
}

// revision returns a number that rises whenever posts enter or leave the
// quarantine.
func (q *quarantine) revision() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.rev
}

// suspect records the posts that the loop was handling when the loop panicked. A single post is
// quarantined, and returned unless it was quarantined before. Several posts become suspects.
// Without a post suspect returns false: another try would fail in the same way.
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

// release releases a post that has changed since the last try. It reports whether the post was
// in quarantine until this turn.
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

// keepUnchanged notes that quarantined posts failed again at these changes: the posts stay until
// they change again.
func (q *quarantine) keepUnchanged(changes []timeline.Change) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, c := range changes {
		if at, has := q.posts[c.Post]; has {
			q.posts[c.Post] = max(at, c.ID)
		}
	}
}

// clearSuspects clears posts that were handled alone without a panic.
func (q *quarantine) clearSuspects(posts []timeline.PostID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, post := range posts {
		delete(q.suspects, post)
	}
}

// confirmReleased ends the trial of the released posts, once the turn that released
// them is published.
func (q *quarantine) confirmReleased() {
	q.mu.Lock()
	defer q.mu.Unlock()
	clear(q.released)
}

// batches splits posts into the batches in which they are read: all together, except that
// suspects are read alone and quarantined posts are left out.
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

// An attempt records the posts that a draft handles, so that the quarantine can find the post
// that caused a panic.
type attempt struct {
	handling     []timeline.PostID // the posts being handled now
	handledAlone []timeline.PostID // posts that were handled alone without a panic
}

// begin notes that the draft is about to handle posts, in case of a panic.
func (d *draft) begin(stage string, posts ...timeline.PostID) {
	d.handling = posts
	d.base.quarantine.hooks.handles(stage, posts)
}

// end notes that the posts were handled without a panic.
func (d *draft) end() {
	if len(d.handling) == 1 {
		d.handledAlone = append(d.handledAlone, d.handling[0])
	}
	d.handling = nil
}

// poisonError returns the error for a panic during the making of d, which may be nil. It
// quarantines the post that caused the panic, if the post is known. The error wraps errPoison if
// a retry makes sense.
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

// Quarantine leaves a post out of all rivers from the next turn on, until the post
// changes. The caller gives the reason why rendering the post failed, which is
// logged.
func (n *Node) Quarantine(post timeline.PostID, why any) {
	if out, _ := n.quarantine.suspect([]timeline.PostID{post}); out != 0 {
		n.log.Error("a post is left out of all rivers, until it changes", "post", post, "err", why)
		n.Ring()
	}
}

// routeQuarantined removes quarantined posts from the rivers that hold them.
func (r *router) routeQuarantined() {
	posts, _ := r.node.quarantine.list()
	for _, post := range posts {
		if h := r.node.st.held[post]; h != nil {
			for rv := range h.entries {
				r.draft.enqueue(rv, post)
			}
		}
	}
}

// quarantine writes the list of quarantined posts if the list differs from the stored one.
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
