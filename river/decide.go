package river

import (
	"slices"

	"amstel.dev/amstel/timeline"
)

// A basis is what is decided by: what a draft has read over the state that it
// is made for, or the state alone, of entries that are decided when they are
// shown.
type basis interface {
	timeline(timeline.TimelineID) (timeline.Timeline, bool)
	setsOf(timeline.UserID) *timeline.Sets
	wantsOf(*river) map[timeline.TimelineID]bool
	holds(*river, timeline.Cursor) bool
	userCard(timeline.UserID) *timeline.UserCard // nil: not read
	access() access
	settings() timeline.SiteSettings
	// matched is whether the words of a search river's query are in a post, and
	// which they are there.
	matched(*river, timeline.PostID) (hits []string, ok bool)
}

// decide is whether a post is in a river, and why. Nil: it is not. It is the
// only function that says so.
func decide(b basis, rv *river, f *timeline.Facts) *entry {
	if f == nil || rv.sorted == timeline.OrderFresh && !b.holds(rv, f.Cursor()) {
		return nil
	}
	sets := b.setsOf(rv.key.Viewer)
	if sets == nil || !mayRead(b, sets, f) {
		return nil
	}
	k := kinds[rv.key.What]
	if k.listed && !publiclyListed(b, f) {
		return nil
	}
	feeds := feeding(b, rv, sets, f)
	var hits []string
	switch {
	case k.single:
		if f.ID != timeline.PostID(rv.key.TheirID) {
			return nil
		}
	case k.search:
		found, matches := matching(b, rv, sets, f)
		if !matches {
			return nil
		}
		feeds, hits = func(int) bool { return false }, found // it is here for its words
	case k.named && !mentionedVisibly(sets, f), k.home && sets.OwnLeftOut && f.Author == sets.User:
		return nil
	}
	why := reasons(b, rv, f, feeds)
	if len(why) == 0 && !k.single && !k.search {
		return nil
	}
	at, in := placed(b, rv, f, feeds)
	if !in || !b.holds(rv, at) {
		return nil
	}
	return &entry{
		cursor:  at,
		hits:    hits,
		reasons: why,
		hidden:  sets.HiddenPosts[f.ID] || sets.HiddenUsers[f.Author],
	}
}

// mayRead reports whether a viewer may read a post. The posts of an author who deleted
// the account go one by one, and none is shown from the first turn on that knows of the
// deletion.
func mayRead(b basis, sets *timeline.Sets, f *timeline.Facts) bool {
	if author := b.userCard(f.Author); author != nil && author.Status == timeline.StatusDeleted {
		return false
	}
	return b.access().reads(sets, f, b.timeline)
}

// listed says whether a place of the post is public or protected.
func publiclyListed(b basis, f *timeline.Facts) bool {
	for _, id := range f.Places {
		if t, _ := b.timeline(id); t.Access == timeline.AccessPublic || t.Access == timeline.AccessProtected {
			return true
		}
	}
	return false
}

// mostReasons is how many ids of a kind are told.
const mostReasons = 20

// reasons are the timelines that bring the post into the river, of those that
// the viewer may read: the last of the access checks.
func reasons(b basis, rv *river, f *timeline.Facts, feeds func(i int) bool) Reasons {
	var found Reasons
	for i, id := range f.In {
		if rv.chosen == nil && feeds(i) || rv.chosen != nil && b.wantsOf(rv)[id] {
			t, _ := b.timeline(id)
			put(&found, t.What, append(found[t.What], t.TheirID))
		}
	}
	if len(found) == 0 && rv.chosen != nil { // it has no rank any more
		for id := range b.wantsOf(rv) {
			t, _ := b.timeline(id)
			put(&found, t.What, []int64{t.TheirID})
		}
	}
	for what, ids := range found {
		slices.Sort(ids)
		found[what] = ids[:min(len(ids), mostReasons)]
	}
	return found
}

// named says whether the viewer is named in a post by somebody whom he may see.
func mentionedVisibly(sets *timeline.Sets, f *timeline.Facts) bool {
	return slices.ContainsFunc(f.Mentions, func(m timeline.Mention) bool {
		_, banned := sets.Bans[m.By]
		return m.User == sets.User && !banned
	})
}

// meets lists the people of a post whom the viewer's bans leave out of it.
func bannedIn(sets *timeline.Sets, f *timeline.Facts) []timeline.UserID {
	if len(sets.Bans) == 0 {
		return nil
	}
	var met []timeline.UserID
	for _, people := range [][]timeline.UserID{f.Likers, f.Talkers, f.Clikers, f.Favers} {
		for _, u := range people {
			if _, banned := sets.Bans[u]; banned {
				met = append(met, u)
			}
		}
	}
	slices.Sort(met)
	return slices.Compact(met)
}

// ownHash is a hash of what only this viewer is shown of an entry: why it is
// here, where he may know that it was posted, what he may do with it, and whose
// comments he folded away.
func ownHash(b basis, rv *river, e *entry, f *timeline.Facts) digest {
	sets := b.setsOf(rv.key.Viewer)
	var m hasher
	for _, what := range slices.Sorted(mapKeys(e.reasons)) {
		m.buf = append(m.buf, what...)
		m.add(uint64(len(e.reasons[what])))
		for _, id := range e.reasons[what] {
			m.add(uint64(id))
		}
	}
	m.add(uint64(len(e.hits)))
	for _, hit := range e.hits {
		m.buf = append(m.buf, hit...)
		m.buf = append(m.buf, 0)
	}
	m.addBool(e.hidden)
	m.addBool(sets.HiddenPosts[f.ID])
	places, public := placesFor(sets, f, b.timeline)
	m.addBool(public)
	m.add(uint64(len(places)))
	for _, t := range places {
		m.add(uint64(t.ID))
		m.buf = append(m.buf, t.Access...)
		m.addBool(t.What == timeline.WhatGroup && sets.Administers[timeline.GroupID(t.TheirID)])
	}
	m.addBool(sets.Admin)
	m.addBool(sets.TakesPart(f.Author, places))
	if len(sets.HiddenComments) > 0 {
		for _, u := range f.Talkers {
			if sets.HiddenComments[u] {
				m.add(uint64(u))
			}
		}
	}
	return m.sum()
}

// placesFor are the decisive timelines that a viewer may know of: those that he
// may read; of his own posts, and of directs to him, all of them, but for people
// on the other side of a ban.
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
		t, known := timelines(id)
		if !known {
			continue
		}
		told := f.Author == sets.User
		if t.What == timeline.WhatUserDirects {
			_, banned := sets.Bans[timeline.UserID(t.TheirID)]
			told = !banned
		}
		if sets.Readable(t) || party && told {
			places = append(places, t)
		}
	}
	return places, public
}
