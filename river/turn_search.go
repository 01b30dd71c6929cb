package river

import (
	"context"
	"maps"
	"slices"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/query"
)

// No timeline feeds the river of a search: the river has every post that matches the query. The
// parts of a query about people, places and times are tested on a post's facts, like everything
// else. PostgreSQL looks up the words, so that the rules for words exist only once. A turn asks
// for the words once, in its snapshot, for all searches and all posts to decide. The result (hits)
// is kept with the entry, and stays right until the words of the post change; then the turn asks
// again.

// matched is the result of looking up a search's words in a post.
type matched struct {
	hits []string
	ok   bool
}

// matching reports whether a post matches a search river's query, and returns the
// words of the query as they stand in the post.
func matching(b basis, rv *river, sets *timeline.Sets, f *timeline.Facts) (hits []string, ok bool) {
	if !rv.query.Fits(f, sets, b.timeline) {
		return nil, false
	}
	if !rv.query.HasWordCondition() {
		return nil, true
	}
	return b.matched(rv, f.ID)
}

func (d *draft) matched(rv *river, post timeline.PostID) (hits []string, ok bool) {
	if m, asked := d.matches[rv][post]; asked {
		return m.hits, m.ok
	}
	return d.base.matched(rv, post)
}

// match looks up the words of searches in the posts that may be in their rivers, except in posts
// that were looked up already. The words of a post are not looked up for a viewer who may not
// read the post: the time of a search must not reveal the words of a hidden post.
func (d *draft) match(ctx context.Context, sn *timeline.Snapshot, posts map[*river][]timeline.PostID) error {
	var rivers []*river
	var searches []timeline.Matching
	all := make(map[timeline.PostID]bool)
	for rv, some := range posts {
		sets := d.setsOf(rv.key.Viewer)
		if rv.query == nil || !rv.query.HasWordCondition() || sets == nil {
			continue
		}
		var asked map[timeline.PostID]bool
		for _, post := range some {
			if _, known := d.matches[rv][post]; known {
				continue
			}
			if f := d.factsOf(post); f != nil && mayRead(d, sets, f) && rv.query.Fits(f, sets, d.timeline) {
				put(&asked, post, true)
				all[post] = true
			}
		}
		if asked != nil {
			rivers = append(rivers, rv)
			searches = append(searches, timeline.Matching{Query: rv.query, Viewer: rv.key.Viewer, Posts: asked})
		}
	}
	if len(rivers) == 0 {
		return nil
	}
	found, err := sn.Match(ctx, searches, slices.Sorted(maps.Keys(all)))
	if err != nil {
		return err
	}
	for i, rv := range rivers {
		for post := range searches[i].Posts {
			hits, ok := found[i][post]
			d.knowMatch(rv, post, matched{hits, ok})
		}
	}
	return nil
}

func (d *draft) knowMatch(rv *river, post timeline.PostID, m matched) {
	if len(m.hits) == 0 {
		m.hits = nil // as SQLite returns an empty list
	}
	of := d.matches[rv]
	if of == nil {
		of = make(map[timeline.PostID]matched)
		put(&d.matches, rv, of)
	}
	of[post] = m
}

// matchDue looks up the words of searches in the posts that are enqueued for their
// rivers.
func (d *draft) matchDue(ctx context.Context, sn *timeline.Snapshot) error {
	var due map[*river][]timeline.PostID
	for rv, rd := range d.rivers {
		if rv.query != nil && len(rd.decide) > 0 && !rd.dropped {
			put(&due, rv, keysOf(rd.decide))
		}
	}
	return d.match(ctx, sn, due)
}

// matchAll looks up the words of all searches in posts.
func (r *router) matchAll(ctx context.Context, sn *timeline.Snapshot, posts []timeline.PostID) error {
	about := make(map[*river][]timeline.PostID, len(r.node.st.search))
	for rv := range r.node.st.search {
		about[rv] = posts
	}
	return r.draft.match(ctx, sn, about)
}

// routeSearches decides or marks posts in the search rivers that hold the posts or match them.
func (r *router) routeSearches(ctx context.Context, sn *timeline.Snapshot, posts []timeline.PostID) error {
	d, st := r.draft, r.node.st
	if len(st.search) == 0 || len(posts) == 0 {
		return nil
	}
	if err := r.matchAll(ctx, sn, posts); err != nil {
		return err
	}
	for rv := range st.search {
		sets := d.setsOf(rv.key.Viewer)
		for _, post := range posts {
			f := d.factsOf(post)
			if f == nil {
				continue // rivers that hold the post were found by routePlaces
			}
			_, matches := matching(d, rv, sets, f)
			if st.entryOf(rv, post) != nil || matches && d.mayHold(rv, f) {
				r.decideOrMark(rv, post)
			}
		}
	}
	return nil
}

// compile parses and compiles a search river's query; a river of images needs no parsing. It
// returns an error for the visitor if the query can't be parsed, or names a person or group
// that does not exist.
//
// Package web has parsed the query already when a page is visited. The river parses its
// text again, once a build, because a river is known by its key alone: a socket and a
// restart have the text only, and a key must be comparable, which a parsed search is not.
func (rv *river) compile(ctx context.Context, sn *timeline.Snapshot) error {
	if kinds[rv.key.What].images {
		rv.query = timeline.ImagesIn(slices.Sorted(maps.Keys(rv.wants)))
		return nil
	}
	search, err := query.Parse(rv.key.Query)
	if err != nil {
		return err
	}
	rv.query, err = sn.Compile(ctx, search)
	return err
}

// readNamedTimelines reads the timelines of the people and groups that a search river's query names. They
// feed the river, so that a change of their access reaches it.
func (d *draft) readNamedTimelines(ctx context.Context, sn *timeline.Snapshot, rv *river) error {
	ids := rv.query.Feeds()
	if len(ids) == 0 {
		return nil
	}
	found, err := sn.Timelines(ctx, ids)
	if err != nil {
		return err
	}
	for id, t := range found {
		d.timelines[id] = t
		put(&rv.wants, id, true)
	}
	return nil
}

// matchChosen looks up a search river's words in posts.
func (d *draft) matchChosen(ctx context.Context, sn *timeline.Snapshot, rv *river, chosen []timeline.Cursor) error {
	if rv.query == nil {
		return nil
	}
	return d.match(ctx, sn, map[*river][]timeline.PostID{rv: postsAt(chosen)})
}

// postsAt returns the posts of cursors.
func postsAt(places []timeline.Cursor) []timeline.PostID {
	posts := make([]timeline.PostID, len(places))
	for i, at := range places {
		posts[i] = at.Post
	}
	return posts
}
