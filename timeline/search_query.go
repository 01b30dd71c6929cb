package timeline

import (
	"slices"
	"strings"

	"github.com/zeebo/xxh3"
)

// A Query is a compiled search: names are ids, and words are tsqueries. A Query never changes, and
// can be stored as JSON.
//
// A search finds a post if [Query.Fits] reports true for the facts of the post and, if the
// query has conditions on words, [Snapshot.Match] finds the words of the query in the post.
type Query struct {
	Text    WordCondition // on the post: its words, and its hashtags with their #
	Comment WordCondition // on one of the post's comments

	Tags []string // the hashtags of Text that the post must have

	From, NotFrom     []UserID     // From: one of these people wrote the post; NotFrom: none of them did
	Groups, NotGroups []TimelineID // timelines, mostly of groups: one of Groups is a place of the post, none of NotGroups is
	In, NotIn         []TimelineID // timelines of likes and comments: each of In holds the post, none of NotIn does
	After, Before     PostID       // the id of the post is After or above, and below Before; 0: no such bound
}

// A WordCondition is a condition on the words of a text.
type WordCondition struct {
	// TSQuery is the condition in all languages; "" if there is none.
	TSQuery string
	// Own holds the condition for each language, in the order of searchLangs, if they differ.
	// The condition of a text's own language applies to the text; no text matches "".
	Own []string
	// Needs are sets of lexemes: a text that matches has all lexemes of at least one set. Nil
	// means unknown. Example: "boat or (red and sail)" needs {boat} or {red, sail}; a text without
	// these lexemes can be ruled out without testing the positions of words.
	Needs [][]string
	// Key is a hash of the condition. Equal conditions have equal keys.
	Key uint64
}

// addCondition adds a condition that applies in every language.
func (w *WordCondition) addCondition(query string) {
	w.TSQuery = and(w.TSQuery, query)
	for i, own := range w.Own {
		if own != "" {
			w.Own[i] = and(own, query)
		}
	}
}

// addLexeme adds a lexeme that every matching text has, in every language.
func (w *WordCondition) addLexeme(lexeme string) {
	w.addCondition(quoteLexeme(lexeme))
	if w.Needs == nil {
		w.Needs = [][]string{{}}
	}
	for i := range w.Needs {
		w.Needs[i] = append(w.Needs[i], lexeme)
	}
}

// setKey computes the key, after the last condition was added.
func (w *WordCondition) setKey() {
	w.Key = xxh3.HashString(w.TSQuery + "\n" + strings.Join(w.Own, "\n"))
}

// mayBeIn reports whether a text with these lexemes can match.
func (w WordCondition) mayBeIn(lexemes map[string]bool) bool {
	return w.Needs == nil || slices.ContainsFunc(w.Needs, func(need []string) bool {
		return !slices.ContainsFunc(need, func(lexeme string) bool { return !lexemes[lexeme] })
	})
}

// ImagesIn returns the query for posts that have an image among their own files, and that their
// authors put into one of the timelines.
func ImagesIn(timelines []TimelineID) *Query {
	q := &Query{Groups: timelines}
	q.Text.addLexeme(fileLexeme("image"))
	q.Text.setKey()
	return q
}

// HasWordCondition reports whether the query has conditions on words or hashtags, which only
// [Snapshot.Match] can test.
func (q *Query) HasWordCondition() bool { return q.Text.TSQuery != "" || q.SearchesComments() }

// SearchesComments reports whether the query has conditions on comments.
func (q *Query) SearchesComments() bool { return q.Comment.TSQuery != "" }

// Feeds returns the timelines that the query names. Whether a post matches can depend on whether
// one of these timelines holds the post.
func (q *Query) Feeds() []TimelineID {
	ids := slices.Concat(q.Groups, q.NotGroups, q.In, q.NotIn)
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Fits reports whether a post meets all conditions of the query, except conditions on words. A
// timeline that the viewer may not read counts as if it did not hold the post, so that a search
// reveals nothing about the timeline. The function timelines returns each of the query's Feeds; a
// timeline unknown to the function counts as not readable.
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
