package timeline

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"
	"unicode/utf8"

	gocmp "github.com/google/go-cmp/cmp"
)

// searches are things that people look for, and some that only machines do.
var searches = []string{
	"boats", "red boat", `"red boat" -sail`, "#amstel -#rain", "from:anna boats", "in:comments boats -the", "the", "the and of", "after:2024-05-01 before:2024-06-01", "-boats",
	"boat's", `it''s \ '`, "a:* | b & !c <-> d", "'a' & 'b'", "(((", "!!!a", "foo-bar foo_bar", "a/b.c@d.e", "https://a.nl/b?c=d&e", "http://", "лодки", "Häuser straße", "日本 語", "हिन्दी",
	"a\u0301 e\u0301", "İstanbul ß ŉ ǰ", "\u0130\u0130", "from:@Anna", "liked-by:anna", "commented-by:nobody", "group:rowing", "group:anna", "from:rowing", "in:posts", "after:жж", "before:",
	strings.Repeat("a", 500), strings.Repeat("ж", 500), strings.Repeat("𝔞", 500), strings.Repeat("a ", 250), strings.Repeat("-a ", 20) + "b", "1e5 -1.5 +3 1/2 .5", "\u00ad a\u200bb \ufeff", "<b>x</b>", "&amp; &#39;",
	"a\x01b", "#" + strings.Repeat("a\u0301", 50), "-\"-\"a", "«a „b“", "\"\"\"", "#a:from:b", "::", "x:y:z", "in:comments #a b", "💡 light", "ⅷ ² ①", "\u1100\u1161 가",
}

// FuzzSearchIsReadOrRefused: what is typed into the field for a search is a
// search, bounded in all it has, or refused in words.
func FuzzSearchIsReadOrRefused(f *testing.F) {
	for _, text := range searches {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSearch(text)
		if err != nil {
			fine(t, err, "q")
			return
		}
		if n := s.count(); n < 1 || n > maxSearchTerms {
			t.Errorf("%q asks for %d things", text, n)
		}
		if n := utf8.RuneCountInString(s.String()); n > maxSearch {
			t.Errorf("%q is written in %d characters", text, n)
		}
		for _, list := range s.lists() {
			seen := make(map[string]bool)
			for _, one := range *list {
				if one == "" || seen[one] || lowered(one) != one || strings.TrimSpace(one) != one {
					t.Errorf("%q asks for %q of %q", text, one, *list)
				}
				seen[one] = true
			}
		}
	})
}

// FuzzSearchIsAnswered: whatever is read as a search is compiled, matched and
// chosen by PostgreSQL, or refused in words: nothing of it is PostgreSQL's own
// language. Compiled once and kept as JSON it is the same.
func FuzzSearchIsAnswered(f *testing.F) {
	s := newSite(f, "anna", "bert")
	s.group("anna", NewGroup{Name: "rowing"})
	posts := []PostID{s.says("anna", "en", "A red boat, #amstel."), s.says("bert", "nl", "Een rode boot in de haven"), s.says("anna", "", "日本 лодки it's foo-bar", "group:rowing")}
	s.replies("bert", posts[0], "boats are boats")
	for _, text := range searches {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		search, err := ParseSearch(text)
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
		// Of each character there are some ten times as many: languages, quotes,
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
			if _, is := found[0][at.Post]; !is && q.Worded() {
				t.Errorf("%q: chosen and not matched: %d", text, at.Post)
			}
		}
	})
}

// FuzzPosts: whatever text is no post is refused in words; whatever is one is
// read as it was kept, and found by its tags.
func FuzzPosts(f *testing.F) {
	s := newSite(f, "anna", "joost")
	for _, text := range written {
		f.Add(text, "")
	}
	for _, text := range searches {
		f.Add(text, "en")
	}
	f.Fuzz(func(t *testing.T, text, lang string) {
		id, err := s.CreatePost(t.Context(), s.people["anna"], NewPost{To: []string{"user"}, Text: text, Lang: lang})
		if err != nil {
			if wrong, is := errors.AsType[*InvalidError](err); !is || wrong.Field != "text" && wrong.Field != "lang" {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if _, err := s.AddComment(t.Context(), s.people["joost"], id, NewComment{Text: text}); err != nil {
			t.Fatalf("%q is a post and no comment: %v", text, err)
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
		want, _ := cleanText("text", text)
		if got := folds[id]; got == nil || got.Text.Text != want || got.Comments.Comments[0].Text != want {
			t.Fatalf("%q is read as %+v", text, got)
		}
		for _, tag := range TagsIn(want) {
			search, err := ParseSearch("#" + tag)
			if err != nil {
				t.Fatalf("%q is a tag and can't be looked for: %v", tag, err)
			}
			q, err := sn.Compile(t.Context(), search)
			if err != nil {
				t.Fatalf("%q is a tag and can't be looked for: %v", tag, err)
			}
			found, err := sn.Match(t.Context(), []Matching{{Query: q, Viewer: s.people["joost"]}}, []PostID{id})
			if _, is := found[0][id]; err != nil || !is {
				t.Errorf("%q is not found by its tag %q (%v)", text, tag, err)
			}
		}
	})
}
