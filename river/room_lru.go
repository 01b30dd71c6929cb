package river

import (
	"cmp"
	linked "container/list"
	"slices"
	"time"
)

// An lru has the closed rivers in the order in which they are evicted: a segmented LRU (Karedla,
// Love and Wherry, "Caching strategies to improve disk system performance", IEEE Computer 27(3),
// 1994). A river that was visited once is in the first segment, a river that was visited again in
// the second. Rivers are evicted from the end of the first segment. The second segment may have
// most of the room; the surplus moves from its end to the head of the first. So a client that
// visits very many pages once each, as a crawler does, evicts only pages that were visited once.
// For example, with homes A and B in the second segment, a crawler's visits of pages 1 to 1000
// evict page 1, then page 2, and neither A nor B.
//
// A visit moves nothing and only stores its time. A river at the end of its segment is moved to
// the place that its visits deserve, as in second-chance replacement. So reading a page needs no
// lock, and each river that a turn looks at is either evicted or was visited.
//
// Open rivers are in neither segment, so a search for a river to evict never passes over open
// rivers.
type lru struct {
	once, again           linked.List // of *river; the next one to evict is at the back
	onceBytes, againBytes int64
}

// againShare is the denominator of the second segment's part of the room: four fifths.
const againShare = 5

// revisitGap is the time after which a new visit counts separately.
const revisitGap = 10 * time.Second

// segment names the list of an lru that a river is in.
type segment int8

const (
	segmentNone segment = iota // the river is open or dropped
	segmentOnce
	segmentAgain
)

// insert inserts a river at the head of a segment.
func (l *lru) insert(rv *river, in segment, now int64) {
	l.remove(rv)
	rv.seated, rv.segment = now, in
	if in == segmentAgain {
		rv.seat = l.again.PushFront(rv)
		rv.frequent = true
	} else {
		rv.seat = l.once.PushFront(rv)
	}
	l.addWeight(rv, rv.bytes)
}

// remove removes a river from its segment.
func (l *lru) remove(rv *river) {
	l.addWeight(rv, -rv.bytes)
	switch rv.segment {
	case segmentOnce:
		l.once.Remove(rv.seat)
	case segmentAgain:
		l.again.Remove(rv.seat)
	}
	rv.seat, rv.segment = nil, segmentNone
}

// addWeight adds to the weight of a river's segment.
func (l *lru) addWeight(rv *river, by int64) {
	switch rv.segment {
	case segmentOnce:
		l.onceBytes += by
	case segmentAgain:
		l.againBytes += by
	}
}

// empty reports whether no river can be evicted.
func (l *lru) empty() bool { return l.once.Len()+l.again.Len() == 0 }

// next returns the river to evict next. It returns nil if no river is left, or if looks, the
// number of rivers that next may look at, ran out.
func (l *lru) next(now int64, looks *int) *river {
	for l.again.Len() > 0 && l.againBytes > (l.onceBytes+l.againBytes)/againShare*(againShare-1) {
		if *looks--; *looks < 0 {
			return nil
		}
		rv := l.again.Back().Value.(*river)
		if rv.visited.Load() > rv.seated {
			l.insert(rv, segmentAgain, now)
		} else {
			l.insert(rv, segmentOnce, now)
		}
	}
	for *looks--; *looks >= 0; *looks-- {
		at := l.once.Back()
		if at == nil {
			at = l.again.Back()
		}
		if at == nil {
			return nil
		}
		rv := at.Value.(*river)
		if rv.segment == segmentAgain || !rv.revisited() {
			return rv
		}
		l.insert(rv, segmentAgain, now)
	}
	return nil
}

// revisited reports whether a river was visited again since it was seated.
func (rv *river) revisited() bool {
	return rv.visited.Load()-rv.seated >= revisitGap.Milliseconds()
}

// seatAll seats the rivers of a state that was loaded from the river DB, by the
// times of their visits.
func (st *state) seatAll() {
	all := slices.Clone(st.all)
	slices.SortFunc(all, func(a, b *river) int {
		return cmp.Or(cmp.Compare(a.visited.Load(), b.visited.Load()), cmp.Compare(a.id, b.id))
	})
	for _, rv := range all {
		rv.seated = rv.created
		in := segmentOnce
		if rv.revisited() {
			in = segmentAgain
		}
		st.order.insert(rv, in, rv.visited.Load())
	}
}
