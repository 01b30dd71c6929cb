package river

import (
	"sync/atomic"
	"time"
)

// fadeGap is the time after which the reach of a river's readers fades at their next visit.
// Pages viewed within this time belong to one visit.
const fadeGap = 30 * time.Minute

// A reach is how many entries of a river its readers scroll down. It is the greatest
// number that was shown lately: with each later visit it fades by a quarter, until that
// visit itself goes as far.
//
// For example, a reader looks at 200 entries on Monday, and at the first 25 on each day
// from then on. The reach is 200 on Monday, 150 on Tuesday, 112 on Wednesday, and 25 a
// week later.
type reach struct {
	entries atomic.Int64
	faded   atomic.Int64 // when a visit last let it fade, in milliseconds
}

// note records that a reader sees the first entries of a river. Many goroutines may call note at
// once.
func (r *reach) note(entries int, now int64) {
	if faded := r.faded.Load(); now-faded >= fadeGap.Milliseconds() && r.faded.CompareAndSwap(faded, now) {
		r.set(func(was int64) int64 { return was - was/4 })
	}
	r.set(func(was int64) int64 { return max(was, int64(entries)) })
}

func (r *reach) set(next func(was int64) int64) {
	for {
		was := r.entries.Load()
		if r.entries.CompareAndSwap(was, next(was)) {
			return
		}
	}
}

// depth returns how many entries of a river the node keeps while no page has it open: half
// as many again as its readers scroll down, within [Settings.Shallow] and
// [Settings.Deepest].
func (s *Settings) depth(rv *river) int {
	far := int(rv.reach.entries.Load())
	return min(max(far+far/2, s.Shallow), s.Deepest)
}
