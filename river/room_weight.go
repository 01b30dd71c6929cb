package river

import (
	"reflect"

	"amstel.dev/amstel/timeline"
)

// A tally is the estimate, in bytes, of the memory that a state takes, made from the
// lengths of its parts. The budget of [Settings.Memory] applies to this estimate. Each
// change updates the sum, so that no turn has to walk over the state. The weight of
// each part depends on its lengths alone, so counting the whole state again
// ([state.weighAll]) gives exactly the same sum.
//
// A tally also counts how many parts show each person's and each group's card, and
// how many held posts are in each timeline. So cards and timelines that nothing
// needs any longer are known without a search, and can be purged (see
// [Node.purge]).
type tally struct {
	bytes int64 // the weight of the state

	showUser  map[timeline.UserID]int     // how many parts of the state show each person
	showGroup map[timeline.GroupID]int    // the same for groups
	places    map[timeline.TimelineID]int // how many held posts are in each timeline

	idle idle
}

// idle holds the parts of a state that nothing needs any longer.
type idle struct {
	posts     map[timeline.PostID]bool // posts that no river holds
	users     map[timeline.UserID]bool
	groups    map[timeline.GroupID]bool
	timelines map[timeline.TimelineID]bool
}

// count returns the number of idle parts.
func (i *idle) count() int {
	return len(i.posts) + len(i.users) + len(i.groups) + len(i.timelines)
}

// sizeOf returns the size of a type's values, without what they point to.
func sizeOf[T any]() int64 { return int64(reflect.TypeFor[T]().Size()) }

// Sizes of the parts. An entry of one of the state's own maps counts one and a half
// times, as such a map is two thirds full on average.
var (
	riverSize    = sizeOf[river]() + 32 + (16+64+17+16)*3/2 + 56 // its struct, its epoch, its places in maps and lists
	entrySize    = sizeOf[entry]() + 8 + 10                      // with its place in the order
	extraSize    = sizeOf[extra]()
	heldSize     = sizeOf[held]() + 48 + 17*3/2
	factsSize    = sizeOf[timeline.Facts]()
	foldSize     = sizeOf[timeline.Fold]()
	commentSize  = sizeOf[timeline.Comment]()
	attachSize   = sizeOf[timeline.Attachment]()
	fileSize     = sizeOf[timeline.Rendition]()
	unreadySize  = sizeOf[timeline.Unready]()
	previewSize  = sizeOf[timeline.Preview]()
	mentionSize  = sizeOf[timeline.Mention]()
	viewerSize   = sizeOf[viewer]() + 48 + 17*3/2 + sizeOf[timeline.Sets]()
	listSize     = sizeOf[timeline.List]() + 16
	timelineSize = (sizeOf[timeline.Timeline]()+9)*3/2 + 24 // in a map, with its words
	userSize     = sizeOf[timeline.UserCard]() + (sizeOf[card[*timeline.UserCard]]()+9+17)*3/2
	passageSize  = (sizeOf[deepPath]()+9)*3/2 + sizeOf[deepProgress]()
	cursorSize   = sizeOf[timeline.Cursor]()
	groupSize    = sizeOf[timeline.GroupCard]() + (sizeOf[card[*timeline.GroupCard]]()+9+17)*3/2
)

const (
	linkSize   = 17 * 3 / 2 // an id's place in a map of maps
	queryFixed = 1024       // a compiled search, beside its text
	noticeSize = 256        // a post's place among what viewers have not read
)

// mapSize returns the bytes that a map of n entries takes, with size bytes for each
// key and value: Go's maps have groups of eight slots, and double when seven
// eighths are full.
func mapSize(n int, size int64) int64 {
	if n == 0 {
		return 0
	}
	slots := int64(8)
	for n > 8 && int64(n) > slots*7/8 {
		slots *= 2
	}
	return 48 + slots*size + slots + slots/1024*40
}

// textSize returns the bytes that a string takes, in allocations of multiples of
// eight bytes.
func textSize(s string) int64 {
	if s == "" {
		return 0
	}
	return int64(len(s)+7) &^ 7
}

// factsWeight returns the bytes that facts take.
func factsWeight(f *timeline.Facts) int64 {
	n := len(f.Places) + len(f.In) + len(f.Entered) + len(f.Ranks) + len(f.Likers) + len(f.Commenters) + len(f.CommentLikers) + len(f.FavedBy)
	return factsSize + 8*int64(n) + mentionSize*int64(len(f.Mentions))
}

// foldWeight returns the bytes that a fold takes: 0 for nil.
func foldWeight(f *timeline.Fold) int64 {
	if f == nil {
		return 0
	}
	sum := foldSize + textSize(f.Text.Text) + textSize(f.Text.Platform) + textSize(f.Text.Lang) + 8*int64(len(f.Likes.Users)) + commentSize*int64(len(f.Comments.Comments))
	for i := range f.Comments.Comments {
		c := &f.Comments.Comments[i]
		sum += textSize(c.Text) + textSize(c.Platform) + 8*int64(len(c.Likers))
		if c.UpdatedAt != nil {
			sum += 24
		}
		sum += attachmentsWeight(c.Attachments) + unreadyWeight(c.Unready)
	}
	return sum + attachmentsWeight(f.Attachments) + unreadyWeight(f.Text.Unready) + previewWeight(f.Text.Preview)
}

// attachmentsWeight returns the bytes that the files of a post or comment take.
func attachmentsWeight(files []timeline.Attachment) (sum int64) {
	for i := range files {
		a := &files[i]
		sum += attachSize + textSize(a.FileName) + textSize(a.Kind) + textSize(a.Alt) + fileSize*int64(len(a.Renditions))
		for _, r := range a.Renditions {
			sum += textSize(r.Name) + textSize(r.MediaType)
		}
	}
	return sum
}

// unreadyWeight returns the bytes of the unready files of a post or comment.
func unreadyWeight(files []timeline.Unready) (sum int64) {
	for _, u := range files {
		sum += unreadySize + textSize(u.FileName) + textSize(string(u.Refused))
	}
	return sum
}

// previewWeight returns the bytes that a preview takes: 0 for nil.
func previewWeight(p *timeline.Preview) int64 {
	if p == nil {
		return 0
	}
	sum := previewSize + textSize(p.Address) + textSize(p.Title) + textSize(p.Site) + textSize(p.About)
	if p.Picture != nil {
		sum += fileSize + textSize(p.Picture.Name) + textSize(p.Picture.MediaType)
	}
	return sum
}

// weight returns the bytes of an entry, with its own fold.
func (e *entry) weight() int64 {
	sum := entrySize + textSize(string(e.reasons))
	if e.extra == nil {
		return sum
	}
	sum += extraSize + 8*int64(len(e.extra.without)) + foldWeight(e.extra.fold)
	for _, hit := range e.extra.hits {
		sum += 16 + textSize(hit)
	}
	return sum
}

// weight returns the bytes of a held post, without its links to rivers.
func (h *held) weight() int64 {
	return heldSize + factsWeight(h.facts) + foldWeight(h.fold) + foldWeight(h.all)
}

// weight returns the bytes of a river, with its entries.
func (rv *river) weight() int64 {
	sum := riverSize + 2*textSize(rv.key.Query) + 8*int64(len(rv.gates)) + rv.load +
		mapSize(len(rv.wants), 16) + mapSize(len(rv.tombs), 24) + mapSize(len(rv.marks), 16)
	if rv.query != nil {
		sum += queryFixed
	}
	return sum
}

// weight returns the bytes that a viewer takes, without rivers.
func (v *viewer) weight() int64 {
	sum := viewerSize
	if s := v.sets; s != nil {
		for _, n := range []int{len(s.Subscribed), len(s.SubscribedAt), len(s.Feeds), len(s.Since), len(s.Requested), len(s.Invited), len(s.Bans), len(s.Excluded),
			len(s.Administers), len(s.HiddenPosts), len(s.HiddenUsers), len(s.HiddenComments), len(s.Muted), len(s.Lists)} {
			sum += mapSize(n, 16)
		}
		sum += mapSize(len(s.Own), 24)
		for _, l := range s.Lists {
			sum += listSize + textSize(l.Name) + mapSize(len(l.Members), 16) + mapSize(len(l.Feeds), 16)
		}
	}
	if u := v.unread; u != nil {
		sum += 8*int64(len(u.Posts)+len(u.People)+len(u.Places)+len(u.Groups)) + noticeSize*int64(len(u.Posts))
	}
	return sum
}

func userWeight(c *timeline.UserCard) int64 {
	if c == nil {
		return userSize
	}
	return userSize + textSize(c.Name) + textSize(c.DisplayName) + textSize(c.Description) + textSize(c.Status) + textSize(c.AvatarURL) + textSize(c.CoverURL)
}

func groupWeight(c *timeline.GroupCard) int64 {
	if c == nil {
		return groupSize
	}
	return groupSize + textSize(c.Name) + textSize(c.DisplayName) + textSize(c.Description) + textSize(c.Status) + textSize(c.AvatarURL) + textSize(c.CoverURL) + textSize(c.Posting) + textSize(c.Joining)
}

// cardCounter returns a visitor that adds by, which is 1, 0 or -1, to the number of parts
// showing each card.
func (st *state) cardCounter(by int) cardVisitor {
	return cardVisitor{
		user:  func(id timeline.UserID) { countUse(st.users, &st.showUser, &st.idle.users, id, by) },
		group: func(id timeline.GroupID) { countUse(st.groups, &st.showGroup, &st.idle.groups, id, by) },
	}
}

// countUse adds to the number of uses of an id, and updates the set of ids that are
// known but not used.
func countUse[K comparable, V any](known map[K]V, needed *map[K]int, idle *map[K]bool, id K, by int) {
	now := (*needed)[id] + by
	if now != 0 {
		put(needed, id, now)
		delete(*idle, id)
		return
	}
	delete(*needed, id)
	if _, is := known[id]; is {
		put(idle, id, true)
	}
}

// weigh adds a held post and its cards to the tally, or with by = -1 removes them. To change a
// post, remove the post, change it, and add it again.
func (st *state) weigh(h *held, by int) {
	st.bytes += int64(by) * h.weight()
	on := st.cardCounter(by)
	on.visitFold(h.fold)
	on.visitFold(h.all)
	on.visitPlaces(h.facts, st.timeline)
	for _, id := range h.facts.Places {
		put(&st.places, id, st.places[id]+by)
		if st.places[id] == 0 {
			delete(st.places, id)
		}
		st.noteTimelineUse(id)
	}
}

// noteTimelineUse updates whether a timeline is idle.
func (st *state) noteTimelineUse(id timeline.TimelineID) {
	if st.places[id] != 0 || st.fed[id] != nil || st.gated[id] != nil {
		delete(st.idle.timelines, id)
	} else if _, known := st.timelines[id]; known {
		put(&st.idle.timelines, id, true)
	}
}

// weighEntry adds an entry and its cards to the tally, or with by = -1 removes them. The caller
// then calls reweigh for the river.
func (st *state) weighEntry(rv *river, e *entry, by int) {
	rv.load += int64(by) * e.weight()
	st.countEntryCards(e, by)
}

func (st *state) countEntryCards(e *entry, by int) {
	on := st.cardCounter(by)
	on.visitFold(e.rest().fold)
	on.visitReasons(e.reasons)
}

// reweigh updates the tally with a living river's present weight.
func (st *state) reweigh(rv *river) {
	now := rv.weight()
	st.bytes += now - rv.bytes
	st.order.addWeight(rv, now-rv.bytes)
	rv.bytes = now
}

// reweighViewer updates the tally with a viewer's present weight.
func (st *state) reweighViewer(v *viewer) {
	now := v.weight()
	st.bytes += now - v.bytes
	v.bytes = now
}

// setTimeline stores a timeline; forgetTimeline removes one.
func (st *state) setTimeline(t timeline.Timeline) {
	if _, known := st.timelines[t.ID]; !known {
		st.bytes += timelineSize
	}
	st.timelines[t.ID] = t
	st.noteTimelineUse(t.ID)
}

func (st *state) forgetTimeline(id timeline.TimelineID) {
	if _, known := st.timelines[id]; known {
		st.bytes -= timelineSize
		delete(st.timelines, id)
	}
	delete(st.accessAt, id)
	delete(st.accessBefore, id)
	delete(st.idle.timelines, id)
}

func (st *state) setUser(id timeline.UserID, c card[*timeline.UserCard]) {
	st.forgetUser(id)
	st.bytes += userWeight(c.card)
	st.users[id] = c
	st.cardCounter(0).user(id)
}

func (st *state) forgetUser(id timeline.UserID) {
	if was, known := st.users[id]; known {
		st.bytes -= userWeight(was.card)
		delete(st.users, id)
	}
	delete(st.idle.users, id)
}

func (st *state) setGroup(id timeline.GroupID, c card[*timeline.GroupCard]) {
	st.forgetGroup(id)
	st.bytes += groupWeight(c.card)
	st.groups[id] = c
	st.cardCounter(0).group(id)
}

func (st *state) forgetGroup(id timeline.GroupID) {
	if was, known := st.groups[id]; known {
		st.bytes -= groupWeight(was.card)
		delete(st.groups, id)
	}
	delete(st.idle.groups, id)
}

// link adds a river to the set of an id, in one of the state's indexes; unlink removes the
// river.
func link[K comparable](st *state, m map[K]map[*river]bool, id K, rv *river) {
	of := m[id]
	if of == nil {
		of = make(map[*river]bool)
		m[id] = of
		st.bytes += linkSize
	}
	st.bytes -= mapSize(len(of), 16)
	of[rv] = true
	st.bytes += mapSize(len(of), 16)
}

func unlink[K comparable](st *state, m map[K]map[*river]bool, id K, rv *river) {
	of := m[id]
	if of == nil {
		return
	}
	st.bytes -= mapSize(len(of), 16)
	delete(of, rv)
	st.bytes += mapSize(len(of), 16)
	if len(of) == 0 {
		delete(m, id)
		st.bytes -= linkSize
	}
}

// hold notes that a river holds a post, by an entry; unhold notes that the river no longer does.
func (st *state) hold(h *held, rv *river, e *entry) {
	st.bytes -= mapSize(len(h.entries), 16)
	h.add(rv, e)
	st.bytes += mapSize(len(h.entries), 16)
	delete(st.idle.posts, h.facts.ID)
}

func (st *state) unhold(h *held, rv *river) {
	st.bytes -= mapSize(len(h.entries), 16)
	delete(h.entries, rv)
	st.bytes += mapSize(len(h.entries), 16)
	if len(h.entries) == 0 {
		put(&st.idle.posts, h.facts.ID, true)
	}
}

// dropPost removes a post that no river holds.
func (st *state) dropPost(id timeline.PostID) {
	if h := st.held[id]; h != nil {
		st.weigh(h, -1)
		delete(st.held, id)
	}
	delete(st.idle.posts, id)
}

// weighAll computes the tally of a whole state, for example after loading a river DB. It writes
// only values that differ, so a test may call weighAll while the loop runs.
func (st *state) weighAll() {
	st.tally = tally{}
	for _, t := range st.timelines {
		st.bytes += timelineSize
		st.noteTimelineUse(t.ID)
	}
	for id, c := range st.users {
		st.bytes += userWeight(c.card)
		st.cardCounter(0).user(id)
	}
	for id, c := range st.groups {
		st.bytes += groupWeight(c.card)
		st.cardCounter(0).group(id)
	}
	for id, h := range st.held {
		st.weigh(h, 1)
		if st.bytes += mapSize(len(h.entries), 16); len(h.entries) == 0 {
			put(&st.idle.posts, id, true)
		}
	}
	for _, v := range st.viewers {
		now := v.weight()
		if st.bytes += now; v.bytes != now {
			v.bytes = now
		}
	}
	for _, of := range st.fed {
		st.bytes += linkSize + mapSize(len(of), 16)
	}
	for _, of := range st.gated {
		st.bytes += linkSize + mapSize(len(of), 16)
	}
	for _, of := range st.single {
		st.bytes += linkSize + mapSize(len(of), 16)
	}
	for _, rv := range st.rivers {
		load := int64(0)
		for _, e := range rv.order {
			load += e.weight()
			st.countEntryCards(e, 1)
		}
		if rv.load != load {
			rv.load = load
		}
		now := rv.weight()
		if st.bytes += now; rv.bytes != now {
			rv.bytes = now
		}
		st.cardCounter(1).visitSubject(rv.key)
	}
}
