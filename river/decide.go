package river

import (
	"slices"
	"strings"

	"amstel.dev/amstel/timeline"
)

// A basis supplies the values for decisions: either a draft, whose newly read values cover its
// base state, or the state alone, for entries that are decided when they are shown.
type basis interface {
	timeline(timeline.TimelineID) (timeline.Timeline, bool)
	setsOf(timeline.UserID) *timeline.Sets
	wantsOf(*river) map[timeline.TimelineID]bool
	holds(*river, timeline.Cursor) bool
	userCard(timeline.UserID) *timeline.UserCard // nil if the card was not read
	access() access
	settings() timeline.SiteSettings
	// matched reports whether the words of a search river's query are in a post,
	// and returns the words as the post has them.
	matched(*river, timeline.PostID) (hits []string, ok bool)
}

// decide returns the entry of a post in a river, with the reasons why the post is there, or nil
// if the post is not in the river. No other function decides this.
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
		feeds, hits = func(int) bool { return false }, found // the words brought the post here, and no timeline
	case k.named && !mentionedVisibly(sets, f), k.home && sets.OwnLeftOut && f.Author == sets.User:
		return nil
	}
	why := reasons(b, rv, f, feeds)
	if why == "" && !k.single && !k.search {
		return nil
	}
	at, in := placed(b, rv, f, feeds)
	if !in || !b.holds(rv, at) {
		return nil
	}
	e := &entry{
		cursor:  at,
		reasons: why,
		hidden:  sets.HiddenPosts[f.ID] || sets.HiddenUsers[f.Author],
	}
	if len(hits) > 0 {
		e.ownRest().hits = hits
	}
	return e
}

// mayRead reports whether a viewer may read a post. The posts of a deleted or suspended account are deleted or withheld
// one by one, but from the first turn that knows of the deletion or suspension none of them is
// shown.
func mayRead(b basis, sets *timeline.Sets, f *timeline.Facts) bool {
	if author := b.userCard(f.Author); author != nil && author.Gone() {
		return false
	}
	return b.access().reads(b, sets, f)
}

// publiclyListed reports whether the author put the post into a public or protected
// timeline.
func publiclyListed(b basis, f *timeline.Facts) bool {
	for _, id := range f.Places {
		if t, _ := b.timeline(id); t.Access == timeline.AccessPublic || t.Access == timeline.AccessProtected {
			return true
		}
	}
	return false
}

// reasons returns the timelines that bring the post into the river, as far as the
// viewer may read them: the last of the access checks.
func reasons(b basis, rv *river, f *timeline.Facts, feeds func(i int) bool) Reasons {
	var found []Reason
	for i, id := range f.In {
		if rv.chosen == nil && feeds(i) || rv.chosen != nil && b.wantsOf(rv)[id] {
			t, _ := b.timeline(id)
			found = append(found, Reason{t.What, t.TheirID})
		}
	}
	if len(found) == 0 && rv.chosen != nil { // the post has lost its rank since the page's run
		for id := range b.wantsOf(rv) {
			t, _ := b.timeline(id)
			found = append(found, Reason{t.What, t.TheirID})
		}
	}
	return ReasonsOf(found...)
}

// mentionedVisibly reports whether a post mentions the viewer in a text by an author
// the viewer may see. A mention by a person across a ban does not count.
func mentionedVisibly(sets *timeline.Sets, f *timeline.Facts) bool {
	return slices.ContainsFunc(f.Mentions, func(m timeline.Mention) bool {
		_, banned := sets.Bans[m.By]
		return m.User == sets.User && !banned
	})
}

// bannedIn returns the people of a post whom the viewer's bans remove from its fold, sorted.
func bannedIn(sets *timeline.Sets, f *timeline.Facts) []timeline.UserID {
	if len(sets.Bans) == 0 {
		return nil
	}
	var met []timeline.UserID
	for _, people := range [][]timeline.UserID{f.Likers, f.Commenters, f.CommentLikers, f.FavedBy} {
		met = append(met, sets.Across(people)...)
	}
	slices.Sort(met)
	return slices.Compact(met)
}

// ownHash returns a hash of the parts of an entry that differ by viewer: the reasons, the places
// that the viewer may know of, the actions offered to the viewer, the hidden people among the
// commenters, and the number of commenters across a ban if the viewer moderates the post.
func ownHash(b basis, rv *river, e *entry, f *timeline.Facts) digest {
	sets := b.setsOf(rv.key.Viewer)
	var m hasher
	for what, ids := range e.reasons.kinds() {
		m.buf = append(m.buf, what...)
		m.add(uint64(strings.Count(ids, ",") + 1))
		eachID(ids, func(id int64) bool { m.add(uint64(id)); return true })
	}
	hits := e.rest().hits
	m.add(uint64(len(hits)))
	for _, hit := range hits {
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
	if across := sets.Across(f.Commenters); across != nil && sets.Moderates(f.Author, places) {
		m.add(uint64(len(across)))
	}
	if len(sets.HiddenComments) > 0 {
		for _, u := range f.Commenters {
			if sets.HiddenComments[u] {
				m.add(uint64(u))
			}
		}
	}
	return m.sum()
}

// placesFor returns the decisive timelines that a viewer may know of, and whether one of all
// decisive timelines is public.
func placesFor(sets *timeline.Sets, f *timeline.Facts, timelines func(timeline.TimelineID) (timeline.Timeline, bool)) (places []timeline.Timeline, public bool) {
	public = slices.ContainsFunc(f.Places, func(id timeline.TimelineID) bool {
		t, known := timelines(id)
		return known && t.Access == timeline.AccessPublic
	})
	return sets.VisiblePlaces(f.Access(), timelines), public
}
