package timeline

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A planNode is a step of a plan that PostgreSQL executed.
type planNode struct {
	Relation string  `json:"Relation Name"`
	Subplan  string  `json:"Subplan Name"`
	Rows     float64 `json:"Actual Rows"`
	Loops    float64 `json:"Actual Loops"`
	Filter   string
	Filtered float64 `json:"Rows Removed by Filter"`
	Rechecks float64 `json:"Rows Removed by Index Recheck"`
	Plans    []planNode
}

// looked adds up how many rows with words of posts and of comments a plan read. It leaves out the rows that
// the index of words named.
func (n planNode) looked(rows map[string]float64) {
	if n.Subplan == "CTE hits" {
		return
	}
	if n.Relation == "post_words" || n.Relation == "comments" {
		if !strings.Contains(n.Filter, "words") {
			n.Filtered = 0 // no word of these rows was read
		}
		rows[n.Relation] += n.Loops * (n.Rows + n.Filtered + n.Rechecks)
	}
	for _, below := range n.Plans {
		below.looked(rows)
	}
}

// A look has the rows that a search read, and the posts that it found.
type look struct {
	Rows  map[string]float64
	Found []PostID
}

// looks searches as a page does, within bounds, and returns the rows it read and the posts it
// found.
func (s *site) looks(who, text string, bounds searchBounds, order Order) look {
	s.t.Helper()
	ctx, sn := s.t.Context(), s.snap()
	defer sn.Close()
	q, viewer := s.compile(sn, text), s.people[who]
	sets, timelines, err := sn.Sets(ctx, []UserID{viewer})
	s.must(err)
	spoken, err := sn.Timelines(ctx, q.Feeds())
	s.must(err)
	maps.Copy(spoken, timelines)
	known := func(id TimelineID) (Timeline, bool) { t, is := spoken[id]; return t, is }
	c := Choice{Order: order, Query: q, Sets: sets[viewer], Known: known}
	sn.bounds = bounds
	chosen, err := sn.Choose(ctx, c, Top, 10)
	s.must(err)
	l := look{Rows: make(map[string]float64)}
	for _, at := range chosen.Posts {
		l.Found = append(l.Found, at.Post)
	}
	statements, args := bounds.statementsFor(c, Top, 10)
	for _, query := range []string{statements.index, statements.walk} {
		if args == nil {
			continue
		}
		var plan []byte
		s.must(sn.tx.QueryRow(ctx, "explain (analyze, timing off, costs off, format json) "+query, primary.Planned, args).Scan(&plan))
		var ran []struct{ Plan planNode }
		s.must(json.Unmarshal(plan, &ran))
		ran[0].Plan.looked(l.Rows)
	}
	return l
}

// TestSearchLooksAtTheSameWordsWhateverItsViewerCanNotRead writes posts and comments that a
// viewer can't read. The viewer's search reads the same rows of words and finds the same posts
// whether the hidden texts have the wanted words or not. The same holds without the hidden
// posts, unless their number ends a walk earlier.
func TestSearchLooksAtTheSameWordsWhateverItsViewerCanNotRead(t *testing.T) {
	long(t)
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl", "dora", "fred")
	s.group("anna", NewGroup{Name: "cellar", Status: "private"})
	s.group("anna", NewGroup{Name: "rowing"})
	for _, feed := range []string{"anna", "cellar", "rowing"} {
		s.follow("fred", feed)
	}
	s.follow("bert", "rowing")
	s.must(s.Ban(t.Context(), s.user("dora"), "carl"))
	public := s.says("bert", "en", "the harbour is open", "user", "group:rowing")
	s.replies("bert", public, "a quiet harbour")
	s.must(s.Like(t.Context(), s.user("fred"), public))
	s.says("anna", "en", "harbour of rowers", "group:rowing")
	s.status("anna", "private")
	const secret = "the secret harbour of #secret boats"
	var reveal []func() error // functions that write the wanted words into the hidden texts
	post := func(author, place string) PostID {
		id := s.says(author, "en", "nothing of it", place)
		reveal = append(reveal, func() error { return s.EditPost(t.Context(), s.user(author), id, PostEdit{Text: new(secret)}) })
		return id
	}
	comment := func(author string, post PostID) {
		id, err := s.AddComment(t.Context(), s.user(author), post, NewComment{Text: "nothing of it"})
		s.must(err)
		reveal = append(reveal, func() error {
			return s.EditComment(t.Context(), s.user(author), post, id, CommentEdit{Text: new(secret)})
		})
	}
	tests := []struct {
		viewers []string
		write   func()
	}{
		{[]string{"", "carl"}, func() {
			for _, place := range []string{"user", "user_private", "user_fyeo", "direct:bert", "group:cellar"} {
				id := post("anna", place)
				comment("anna", id)
				if place == "user" || place == "group:cellar" {
					s.must(s.Like(t.Context(), s.user("fred"), id))
					comment("fred", id)
				}
			}
		}},
		{[]string{"carl"}, func() { // across the ban
			post("dora", "user")
			comment("dora", public)
		}},
	}
	queries := []string{
		"secret", `"secret harbour"`, "secret harbour", "harbour", "harbour -secret", "#secret", "from:anna secret", `from:anna "secret harbour"`,
		"from:anna harbour -secret", "from:dora secret", "from:anna", "group:cellar secret", "group:rowing secret", "liked-by:fred secret",
		"commented-by:anna secret", "commented-by:fred secret", "in:comments secret", `in:comments "secret harbour"`, "in:comments secret from:anna",
		"in:comments harbour group:rowing", "after:2020-01-01 secret",
	}
	for _, test := range tests {
		looks := func(bounds searchBounds) map[string]look {
			all := make(map[string]look)
			for _, who := range test.viewers {
				for _, text := range queries {
					for _, order := range []Order{OrderFresh, OrderCreated} {
						all[fmt.Sprintf("%q for %q by %q", text, who, order)] = s.looks(who, text, bounds, order)
					}
				}
			}
			return all
		}
		few := searchBounds{hits: 1000, glance: 1, walk: 1, walkFrom: 1} // are walked
		without := looks(searchMost)
		reveal = nil
		test.write()
		withOthers := looks(few)
		for _, edit := range reveal {
			s.must(edit())
		}
		if diff := gocmp.Diff(without, looks(searchMost)); diff != "" {
			t.Errorf("(-without +with what can't be read):\n%s", diff)
		}
		if diff := gocmp.Diff(withOthers, looks(few)); diff != "" {
			t.Errorf("(-with other words +with the words, in what can't be read):\n%s", diff)
		}
	}
}

// TestMatchLooksForWordsInTheirOwnPostsOnly: one search asks about a post that the viewer of
// another search may not know of. PostgreSQL does not test the words of the other search on the
// post, not even against its lexemes.
func TestMatchLooksForWordsInTheirOwnPostsOnly(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	open, shut := s.says("anna", "en", "sails"), s.says("anna", "en", "secret boats and sails")
	s.replies("anna", shut, "secret boats")
	sn := s.snap()
	for _, others := range []int{0, 2 * matchFew} {
		for _, text := range []string{"secret boats", "in:comments secret boats"} {
			asks := Matching{Query: s.compile(sn, text), Posts: map[PostID]bool{open: true}}
			m := matcher{posts: []PostID{open, shut}, texts: make(map[uint64]*askedCondition), comments: make(map[uint64]*askedCondition)}
			m.addSearch(asks)
			m.addSearch(Matching{Query: s.compile(sn, "sails")})
			for i := range others {
				nonsense := s.words(i)
				nonsense.Key = uint64(i + 1)
				m.addSearch(Matching{Query: &Query{Text: nonsense, Comment: nonsense}})
			}
			s.must(m.sift(t.Context(), sn.tx))
			s.must(m.find(t.Context(), sn.tx))
			for _, all := range []map[uint64]*askedCondition{m.texts, m.comments} {
				for _, key := range []uint64{asks.Query.Text.Key, asks.Query.Comment.Key} {
					if a := all[key]; a != nil && a.TSQuery != "" && (a.skip != (others > 0) || len(a.found) > 0) {
						t.Errorf("%q beside %d others: looked for: %t, found in %v", text, others, !a.skip, a.found)
					}
				}
			}
			if found := m.resultOf(Matching{Query: s.compile(sn, "sails"), Posts: map[PostID]bool{shut: true}}); len(found) != 1 || found[shut] == nil {
				t.Errorf("sails are found in %v", found)
			}
		}
	}
}
