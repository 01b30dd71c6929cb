package timeline

import (
	"errors"
	"testing"

	"amstel.dev/amstel/timeline/text"
)

func TestLanguages(t *testing.T) {
	t.Parallel()
	seen := make(map[int64]string)
	last := ""
	for _, l := range text.Languages() {
		id := LangID(l.Code)
		if id <= 0 || seen[id] != "" || LangCode(id) != l.Code || l.Name <= last || l.Own == "" {
			t.Errorf("%+v has id %d, which is %q; %q has it too; it comes after %q", l, id, LangCode(id), seen[id], last)
		}
		seen[id], last = l.Code, l.Name
		if found, known := text.FindLanguage(l.Code); !known || found != l {
			t.Errorf("%s is %+v", l.Code, found)
		}
	}
	for _, code := range []string{"", "e", "eng", "EN", "é", "1a"} {
		if id := LangID(code); id != 0 {
			t.Errorf("%q has id %d", code, id)
		}
	}
	for _, id := range []int64{-1, 0, LangID("qq"), 26*26 + 1, 1 << 40} {
		if code := LangCode(id); code != "" {
			t.Errorf("%d is %q", id, code)
		}
	}
	if LangID("en") != 4*26+13+1 { // the primary has stored this id
		t.Errorf("en is %d", LangID("en"))
	}
}

const (
	englishText = "The quick brown fox jumps over the lazy dog, and that was all that happened today."
	germanText  = "Heute ist das Wetter in Berlin sehr schön, und wir gehen an den Fluss spazieren."
)

func TestLanguageOfAPost(t *testing.T) {
	long(t)
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx := t.Context()
	anna := s.user("anna")
	head := func(post PostID) (string, bool) {
		t.Helper()
		h, err := s.FindPost(ctx, anna, post)
		s.must(err)
		s.audit()
		return h.Lang, h.LangGiven
	}
	post, err := s.CreatePost(ctx, anna, NewPost{To: []string{"user"}, Text: englishText})
	s.must(err)
	was := s.state(post).Version
	for _, step := range []struct {
		name  string
		do    func() error
		lang  string
		given bool
		rises int // of the version
	}{
		{"it is told from the text", func() error { return nil }, "en", false, 0},
		{"and anew from another", func() error { return s.EditPost(ctx, anna, post, PostEdit{Text: new(germanText)}) }, "de", false, 1},
		{"its author says otherwise", func() error { return s.EditPost(ctx, anna, post, PostEdit{Lang: new("NL")}) }, "nl", true, 1},
		{"which no other text changes", func() error { return s.EditPost(ctx, anna, post, PostEdit{Text: new(englishText)}) }, "nl", true, 1},
		{"until the author takes the language back", func() error { return s.EditPost(ctx, anna, post, PostEdit{Lang: new("")}) }, "en", false, 1},
		{"a setting is of new texts", func() error { return s.SetProfile(ctx, anna, ProfileEdit{Lang: new("sv")}) }, "en", false, 0},
		{"and not of a move", func() error { return s.EditPost(ctx, anna, post, PostEdit{To: []string{"user_private"}}) }, "en", false, 1},
		{"nor of the same text again", func() error { return s.EditPost(ctx, anna, post, PostEdit{Text: new(englishText)}) }, "en", false, 0},
		{"but of another one", func() error { return s.EditPost(ctx, anna, post, PostEdit{Text: new("hm")}) }, "sv", false, 1},
		{"and of one that is to be told again", func() error {
			return s.EditPost(ctx, anna, post, PostEdit{Text: new(germanText), Lang: new("")})
		}, "sv", false, 1},
		{"a setting is given up", func() error { return s.SetProfile(ctx, anna, ProfileEdit{Lang: new("")}) }, "sv", false, 0},
		{"to say what it is anyway", func() error { return s.EditPost(ctx, anna, post, PostEdit{Lang: new("sv")}) }, "sv", true, 1},
	} {
		s.must(step.do())
		if lang, given := head(post); lang != step.lang || given != step.given {
			t.Errorf("%s: it is %q, given %t; want %q, %t", step.name, lang, given, step.lang, step.given)
		}
		if v := s.state(post).Version; v != was+step.rises {
			t.Errorf("%s: version %d after %d", step.name, v, was)
		} else {
			was = v
		}
	}
	s.must(s.SetProfile(ctx, anna, ProfileEdit{Lang: new(" Sv ")}))
	if lang, err := s.WritesIn(ctx, anna); err != nil || lang != "sv" {
		t.Errorf("she writes in %q, %v", lang, err)
	}
	for lang, want := range map[string]string{"": "sv", "de": "de"} {
		post, err := s.CreatePost(ctx, anna, NewPost{To: []string{"user"}, Text: englishText, Lang: lang})
		s.must(err)
		if got, given := head(post); got != want || given != (lang != "") {
			t.Errorf("given as %q it is %q, given %t", lang, got, given)
		}
	}
	before := s.fingerprint(ctx)
	for name, err := range map[string]error{
		"a new post": func() error {
			_, err := s.CreatePost(ctx, anna, NewPost{To: []string{"user"}, Text: "x", Lang: "xx"})
			return err
		}(),
		"an edit":     s.EditPost(ctx, anna, post, PostEdit{Lang: new("english")}),
		"the setting": s.SetProfile(ctx, anna, ProfileEdit{Lang: new("e")}),
	} {
		if invalid, is := errors.AsType[*InvalidError](err); !is || invalid.Field != "lang" {
			t.Errorf("%s in no language: %v", name, err)
		}
	}
	if s.fingerprint(ctx) != before {
		t.Error("something was changed by what was refused")
	}
}
