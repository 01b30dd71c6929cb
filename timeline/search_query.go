package timeline

import (
	"slices"
	"strings"

	"github.com/zeebo/xxh3"
)

// A Query is a search that is ready: names are ids, and words are what PostgreSQL
// looks for. It says the same for as long as it is kept, as JSON too, and nobody
// changes it.
//
// A post is found if [Query.Fits] says so of its facts, and, where the query is
// Worded, [Snapshot.Match] of its words.
type Query struct {
	Text Wording // of a post: its words, and its tags with their sign
	Talk Wording // of one of its comments

	Tags []string // what Text has of tags that the post must have

	From, NotFrom     []UserID     // its author is one of these, is none of them
	Groups, NotGroups []TimelineID // one of these is among its places, none is
	In, NotIn         []TimelineID // likes and comments of people: it is in each of these, in none
	After, Before     PostID       // ids at or above, and below; 0: no such bound
}

// A Wording is what words are asked for.
type Wording struct {
	// TSQuery is that for PostgreSQL, in any language; empty: nothing is asked.
	TSQuery string
	// Own are what it is in each language, in the order of searchLangs, where they
	// differ: that of its own language must be true of a text. Empty: none is found.
	Own []string
	// Needs are lexemes: where it is true, all of one of these are there. Nil:
	// nobody knows. Whole words tell from the lexemes alone that it is not true.
	Needs [][]string
	// Key tells it from others: a hash of all of it.
	Key uint64
}

// ask asks for something more, in every language.
func (w *Wording) ask(query string) {
	w.TSQuery = and(w.TSQuery, query)
	for i, own := range w.Own {
		if own != "" {
			w.Own[i] = and(own, query)
		}
	}
}

// seal gives the wording its key, when nothing is added any more.
func (w *Wording) seal() { w.Key = xxh3.HashString(w.TSQuery + "\n" + strings.Join(w.Own, "\n")) }

// mayBeIn says whether the wording may be true of what has the lexemes.
func (w Wording) mayBeIn(lexemes map[string]bool) bool {
	return w.Needs == nil || slices.ContainsFunc(w.Needs, func(need []string) bool {
		return !slices.ContainsFunc(need, func(lexeme string) bool { return !lexemes[lexeme] })
	})
}

// Worded says whether the query asks for words or tags, which only
// [Snapshot.Match] can tell.
func (q *Query) Worded() bool { return q.Text.TSQuery != "" || q.Talked() }

// Talked says whether it looks at comments.
func (q *Query) Talked() bool { return q.Talk.TSQuery != "" }

// Feeds are the timelines that it asks about: whether a post is in one of them may
// decide whether it is found.
func (q *Query) Feeds() []TimelineID {
	ids := slices.Concat(q.Groups, q.NotGroups, q.In, q.NotIn)
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Fits says whether all that the query asks is true of a post, but for words. What
// is in a timeline that the viewer may not read he is not told of: for him it is
// not there. The function timelines knows each of the query's Feeds; one that it
// does not know is not readable.
func (q *Query) Fits(f *Facts, sets *Sets, timelines func(TimelineID) (Timeline, bool)) bool {
	among := func(ids []TimelineID) func(TimelineID) bool {
		return func(id TimelineID) bool {
			if _, held := slices.BinarySearch(ids, id); !held {
				return false
			}
			t, known := timelines(id)
			return known && sets.Readable(t)
		}
	}
	posted, held := among(f.Places), among(f.In)
	switch {
	case f.Deleted, f.ID < q.After, q.Before != 0 && f.ID >= q.Before:
		return false
	case len(q.From) > 0 && !slices.Contains(q.From, f.Author), slices.Contains(q.NotFrom, f.Author):
		return false
	case len(q.Groups) > 0 && !slices.ContainsFunc(q.Groups, posted), slices.ContainsFunc(q.NotGroups, posted):
		return false
	case slices.ContainsFunc(q.NotIn, held):
		return false
	}
	return !slices.ContainsFunc(q.In, func(id TimelineID) bool { return !held(id) })
}
