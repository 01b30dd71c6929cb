package river

import (
	"sync/atomic"

	"amstel.dev/amstel/timeline"
)

// A faults has the hooks of a test: functions that are called at the points of a node's work, and
// switches that break a protocol of the node, to show that the tests would notice. Each node has a
// copy.
type faults struct {
	turn       func() error
	sequenced  func()
	repeat     func() bool // reports whether to apply changes without a position again
	disk       func() error
	written    func() error
	apply      func()
	registered func()
	building   func()
	spoil      func(stage string, posts []timeline.PostID) // panics at posts that can't be shown

	dropMarks bool // no mark is made
	early     bool // builds do not get the changes that turns read

	node   *Node
	excess *atomic.Bool // set after each turn: whether the node has more to drop
}

func (f *faults) reached(at point) error {
	switch at {
	case pointBegun:
		return try(f.turn)
	case pointSequenced:
		call(f.sequenced)
	case pointRead:
		if f.repeat != nil && f.repeat() {
			clear(f.node.appliedEarly)
		}
	case pointRouted:
		if f.early {
			f.node.builds.dropChanges()
		}
	case pointDecided:
		if f.dropMarks {
			for _, rd := range f.node.draft.rivers {
				clear(rd.mark)
			}
		}
	case pointWriting:
		return try(f.disk)
	case pointWritten:
		return try(f.written)
	case pointApplying:
		call(f.apply)
	case pointRegistered:
		call(f.registered)
	case pointBuilding:
		call(f.building)
	case pointPublished:
		if f.excess != nil {
			f.excess.Store(f.node.hasExcess())
		}
	}
	return nil
}

func (f *faults) handles(stage string, posts []timeline.PostID) {
	if f.spoil != nil {
		f.spoil(stage, posts)
	}
}

func call(f func()) {
	if f != nil {
		f()
	}
}

func try(f func() error) error {
	if f == nil {
		return nil
	}
	return f()
}

// dropChanges removes from the builds under way the changes that turns gave them.
func (bs *builds) dropChanges() {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	for _, b := range bs.under {
		b.dirty = readChanges{spoilt: b.dirty.spoilt}
	}
}
