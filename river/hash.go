package river

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/zeebo/xxh3"

	"amstel.dev/amstel/timeline"
)

// hashOf is a hash of a value's JSON: the same on every node, for the same
// content, whenever it was read.
func hashOf(v any) uint64 {
	text, err := json.Marshal(v)
	if err != nil {
		panic("river: a value that is no JSON: " + err.Error()) // folds and cards are plain structs
	}
	return xxh3.Hash(text)
}

// mixer hashes numbers one after another.
type mixer struct{ buf []byte }

func (m *mixer) add(ns ...uint64) {
	for _, n := range ns {
		m.buf = binary.LittleEndian.AppendUint64(m.buf, n)
	}
}

func (m *mixer) flag(b bool) {
	if b {
		m.buf = append(m.buf, 1)
	} else {
		m.buf = append(m.buf, 0)
	}
}

func (m *mixer) sum() uint64 { return xxh3.Hash(m.buf) }

// tag is a hash as it stands on the wire.
func tag(h uint64) string { return strconv.FormatUint(h, 36) }

// ownHash is a hash of what only this viewer is shown of an entry: why it is
// here, where he may know that it was posted, what he may do with it, and his
// own fold where he has one.
func (d *draft) ownHash(rv *river, e *entry, f *timeline.Facts) uint64 {
	sets := d.setsOf(rv.key.Viewer)
	var m mixer
	for _, what := range slices.Sorted(mapKeys(e.reasons)) {
		m.buf = append(m.buf, what...)
		for _, id := range e.reasons[what] {
			m.add(uint64(id))
		}
	}
	m.flag(e.hidden)
	places, public := placesFor(sets, f, d.timeline)
	m.flag(public)
	for _, t := range places {
		m.add(uint64(t.ID))
		m.buf = append(m.buf, t.Access...)
		m.flag(t.What == timeline.WhatGroup && sets.Administers[timeline.GroupID(t.TheirID)])
	}
	m.flag(sets.Admin)
	if e.fold != nil {
		m.add(hashOf(e.fold))
	}
	return m.sum()
}

// placesFor are the decisive timelines that a viewer may know of: those that he
// may read; of his own posts, and of directs to him, all of them.
func placesFor(sets *timeline.Sets, f *timeline.Facts, timelines func(timeline.TimelineID) (timeline.Timeline, bool)) (places []timeline.Timeline, public bool) {
	party := sets.User != 0 && f.Author == sets.User
	for _, id := range f.Places {
		t, known := timelines(id)
		if !known {
			continue
		}
		public = public || t.Access == timeline.AccessPublic
		party = party || t.What == timeline.WhatUserDirects && sets.User != 0 && t.TheirID == int64(sets.User)
	}
	for _, id := range f.Places {
		if t, known := timelines(id); known && (sets.Readable(t) || party && (f.Author == sets.User || t.What == timeline.WhatUserDirects)) {
			places = append(places, t)
		}
	}
	return places, public
}
