package timeline

import (
	"encoding/json"
	"errors"
	"maps"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/internal/texttest"
	"amstel.dev/amstel/timeline/query"
	"amstel.dev/amstel/timeline/text"
)

// FuzzSearchIsAnswered: each search that parses is compiled, matched and chosen by
// PostgreSQL, or refused with a sentence. No part of a search is read as PostgreSQL's own
// query language. A compiled search that was stored as JSON finds the same.
func FuzzSearchIsAnswered(f *testing.F) {
	long(f)
	s := newSite(f, "anna", "bert")
	s.group("anna", NewGroup{Name: "rowing"})
	posts := []PostID{s.says("anna", "en", "A red boat, #amstel."), s.says("bert", "nl", "Een rode boot in de haven"), s.says("anna", "", "日本 лодки it's foo-bar", "group:rowing")}
	s.replies("bert", posts[0], "boats are boats")
	for _, text := range texttest.Searches {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		search, err := query.Parse(text)
		if err != nil {
			return
		}
		sn, err := s.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer sn.Close()
		q, err := sn.Compile(t.Context(), search)
		if err != nil {
			fine(t, err, "q")
			return
		}
		kept, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		again := new(Query)
		if err := json.Unmarshal(kept, again); err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(q, again); diff != "" {
			t.Fatalf("%q, kept, is another (-compiled +kept):\n%s", text, diff)
		}
		// Each character of the text can take some ten in the statement: languages, quotes,
		// brackets.
		if most := 4000 + 200*len(text)*len(searchLangs); len(kept) > most {
			t.Errorf("%d bytes are compiled to %d", len(text), len(kept))
		}
		found, err := sn.Match(t.Context(), []Matching{{Query: again, Viewer: s.people["bert"]}}, posts)
		if err != nil {
			t.Fatalf("%q: match: %v", text, err)
		}
		sets, known, err := sn.Sets(t.Context(), []UserID{s.people["bert"]})
		if err != nil {
			t.Fatal(err)
		}
		spoken, err := sn.Timelines(t.Context(), q.Feeds())
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(known, spoken)
		asked := Choice{Query: q, Sets: sets[s.people["bert"]], Known: func(id TimelineID) (Timeline, bool) { t, is := known[id]; return t, is }}
		chosen, err := sn.Choose(t.Context(), asked, Top, 10)
		if err != nil {
			t.Fatalf("%q: choose: %v", text, err)
		}
		for _, at := range chosen.Posts {
			if _, is := found[0][at.Post]; !is && q.HasWordCondition() {
				t.Errorf("%q: chosen and not matched: %d", text, at.Post)
			}
		}
	})
}

// FuzzPosts: a text that can't be a post is refused with a sentence. All other texts are
// stored unchanged, and found by their tags.
func FuzzPosts(f *testing.F) {
	long(f)
	s := newSite(f, "anna", "joost")
	for _, said := range texttest.Written {
		f.Add(said, "")
	}
	for _, said := range texttest.Searches {
		f.Add(said, "en")
	}
	f.Fuzz(func(t *testing.T, said, lang string) {
		id, err := s.CreatePost(t.Context(), s.people["anna"], NewPost{To: []string{"user"}, Text: said, Lang: lang})
		if err != nil {
			if wrong, is := errors.AsType[*InvalidError](err); !is || wrong.Field != "text" && wrong.Field != "lang" {
				t.Fatalf("%q: %v", said, err)
			}
			return
		}
		if _, err := s.AddComment(t.Context(), s.people["joost"], id, NewComment{Text: said}); err != nil {
			t.Fatalf("%q is a post and no comment: %v", said, err)
		}
		sn, err := s.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer sn.Close()
		folds, err := sn.Folds(t.Context(), []PostID{id}, FoldOptions{})
		if err != nil {
			t.Fatal(err)
		}
		want, _ := text.Clean("text", said)
		if got := folds[id]; got == nil || got.Text.Text != want || got.Comments.Comments[0].Text != want {
			t.Fatalf("%q is read as %+v", said, got)
		}
		for _, tag := range text.Tags(want) {
			search, err := query.Parse("#" + tag)
			if err != nil {
				t.Fatalf("%q is a tag and can't be looked for: %v", tag, err)
			}
			q, err := sn.Compile(t.Context(), search)
			if err != nil {
				t.Fatalf("%q is a tag and can't be looked for: %v", tag, err)
			}
			found, err := sn.Match(t.Context(), []Matching{{Query: q, Viewer: s.people["joost"]}}, []PostID{id})
			if _, is := found[0][id]; err != nil || !is {
				t.Errorf("%q is not found by its tag %q (%v)", said, tag, err)
			}
		}
	})
}
