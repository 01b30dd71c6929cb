package importer

import (
	"context"
	"slices"
	"strings"

	"amstel.dev/amstel/timeline"
)

// The prefixes of destinations: "direct:anna" is the directs of anna, "private:anna" her private
// sub-feed.
const (
	directPrefix  = "direct:"
	privatePrefix = "private:"
)

// ownPrefixes are the prefixes of destinations to which only their owner can post, with the kinds of
// their timelines. The owner's name follows the prefix.
var ownPrefixes = map[string]timeline.What{privatePrefix: timeline.WhatUserPrivate, "fyeo:": timeline.WhatUserFYEO}

// nameIn returns the name of the account in a destination.
func nameIn(to string) string {
	for prefix := range ownPrefixes {
		to = strings.TrimPrefix(to, prefix)
	}
	return strings.TrimPrefix(to, directPrefix)
}

// findPosts assigns ids to the new posts and comments, finds the places of the posts, and locks the
// existing posts that the batch changes.
func (t *batchTx) findPosts(ctx context.Context) error {
	var fresh []*line
	for _, l := range t.lines {
		switch {
		case l.kind == kindPost && t.posts[l.id] == nil:
			p := &post{line: l, at: l.at, freshAt: l.at.UnixMilli()}
			if err := t.resolveDestinations(p); err != nil {
				return err
			}
			t.posts[l.id] = p
			fresh = append(fresh, l)
		case l.kind == kindComment && t.comments[l.id] == nil:
			t.comments[l.id] = &comment{line: l, at: l.at}
			fresh = append(fresh, l)
		}
	}
	err := t.drawIDs(ctx, fresh, func(l *line, id int64) {
		if l.kind == kindPost {
			p := t.posts[l.id]
			p.id = timeline.PostID(id)
			t.byPost[p.id] = p
		} else {
			t.comments[l.id].id = timeline.CommentID(id)
		}
	})
	if err != nil {
		return err
	}
	return t.lockPosts(ctx)
}

// resolveDestinations sets the author and the places of a new post.
func (t *batchTx) resolveDestinations(p *post) error {
	author, err := t.findPerson(p.line, p.line.user)
	if err != nil {
		return err
	}
	return t.resolvePlaces(p, author)
}

// resolvePlaces sets the author of a post, and its places by the destinations in its line. The post
// is gone if its author or all of its destinations are deleted. It returns a [LineError] if a
// destination does not exist, or if the author can't post to it.
func (t *batchTx) resolvePlaces(p *post, author *member) error {
	p.author = author.user
	add := func(m *member, w timeline.What) {
		if !m.deleted {
			p.places = append(p.places, m.timelines[w].ID)
		}
	}
	for _, to := range p.line.names {
		if name, direct := strings.CutPrefix(to, directPrefix); direct {
			receiver, err := t.findPerson(p.line, name)
			if err != nil {
				return err
			}
			// In an export, a direct that all receivers have left is only in the author's directs.
			if receiver == author && !p.line.exported {
				return p.line.errorf("a direct message of %q to its own author", name)
			}
			add(author, timeline.WhatUserDirects)
			add(receiver, timeline.WhatUserDirects)
			continue
		}
		what := timeline.WhatUser
		for prefix, own := range ownPrefixes {
			if strings.HasPrefix(to, prefix) {
				what = own
			}
		}
		if what == timeline.WhatUserFYEO && len(p.line.names) > 1 {
			return p.line.errorf("a post for the eyes of %q alone is in other places, too", p.line.user)
		}
		m, err := t.findMember(p.line, nameIn(to))
		switch {
		case err != nil:
			return err
		case what != timeline.WhatUser && m != author:
			return p.line.errorf("%q can't post to %q", p.line.user, to)
		case m.group != 0:
			add(m, timeline.WhatGroup)
		case m == author:
			add(m, what)
		default:
			return p.line.errorf("%q can't post to the feed of %q", p.line.user, to)
		}
	}
	slices.Sort(p.places)
	p.places = slices.Compact(p.places)
	p.gone = author.deleted || len(p.places) == 0
	return nil
}
