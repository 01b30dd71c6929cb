package river

import (
	"cmp"
	linked "container/list"
	"slices"
	"time"
)

// An lru has the rivers that nobody has open, in the order in which they go where
// there is no room: a segmented LRU (Karedla, Love and Wherry, "Caching strategies
// to improve disk system performance", IEEE Computer 27(3), 1994). A river that was
// visited once is in the first segment, one that was visited again in the second.
// Rivers go from the end of the first. The second is let have most of the room, and
// beyond that gives its last ones back to the head of the first. So whoever visits
// very many pages once each, as a crawler does, pushes out pages of that kind
// alone.
//
// A visit moves nothing: it notes its time, and a river that comes to the end of
// its segment is put where its visits since would have brought it, as second-chance
// replacement does. So reading a page costs no lock, and whatever a turn looks at
// either goes or was visited.
//
// Open rivers are in neither segment, so nothing has to pass over them.
type lru struct {
	once, again           linked.List // of *river; the next to go at the back
	onceBytes, againBytes int64
}

// againShare is what part of the room rivers may have that were visited again:
// four fifths of it.
const againShare = 5

// apart is how long after a river was seated a visit must come to count as another.
const revisitGap = 10 * time.Second

// segment says in which list of an lru a river is.
type segment int8

const (
	segmentNone segment = iota // it is open, or gone
	segmentOnce
	segmentAgain
)

// seat puts a river at the head of a segment.
func (l *lru) seat(rv *river, in segment, now int64) {
	l.leave(rv)
	rv.seated, rv.segment = now, in
	if in == segmentAgain {
		rv.seat = l.again.PushFront(rv)
		rv.frequent = true
	} else {
		rv.seat = l.once.PushFront(rv)
	}
	l.weigh(rv, rv.bytes)
}

// leave takes a river out of its segment.
func (l *lru) leave(rv *river) {
	l.weigh(rv, -rv.bytes)
	switch rv.segment {
	case segmentOnce:
		l.once.Remove(rv.seat)
	case segmentAgain:
		l.again.Remove(rv.seat)
	}
	rv.seat, rv.segment = nil, segmentNone
}

// weigh notes that a river grew by some bytes.
func (l *lru) weigh(rv *river, by int64) {
	switch rv.segment {
	case segmentOnce:
		l.onceBytes += by
	case segmentAgain:
		l.againBytes += by
	}
}

// empty reports whether there is no river that could go.
func (l *lru) empty() bool { return l.once.Len()+l.again.Len() == 0 }

// last returns the river that is to go next; nil: there is none, or there were no
// looks left to find it.
func (l *lru) next(now int64, looks *int) *river {
	for l.again.Len() > 0 && l.againBytes > (l.onceBytes+l.againBytes)/againShare*(againShare-1) {
		if *looks--; *looks < 0 {
			return nil
		}
		rv := l.again.Back().Value.(*river)
		if rv.visited.Load() > rv.seated {
			l.seat(rv, segmentAgain, now)
		} else {
			l.seat(rv, segmentOnce, now)
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
		l.seat(rv, segmentAgain, now)
	}
	return nil
}

// revisited reports whether a river was visited again since it was seated.
func (rv *river) revisited() bool {
	return rv.visited.Load()-rv.seated >= revisitGap.Milliseconds()
}

// seatAll seats the rivers of a state that was just read, as their visits say.
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
		st.order.seat(rv, in, rv.visited.Load())
	}
}
