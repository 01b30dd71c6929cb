package address

import (
	"errors"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/text"
)

// TestLanguages holds how long the languages in use are believed.
func TestLanguages(t *testing.T) {
	t.Parallel()
	r, p := newResolver()
	want := func(when string, languages int, asked string) {
		t.Helper()
		if got := r.Languages.InUse(t.Context()); len(got) != languages {
			t.Errorf("%s: %v, want %d", when, got, languages)
		}
		if got := p.questions(); got != asked {
			t.Errorf("%s the primary is asked %q, want %q", when, got, asked)
		}
	}
	check := func(when, code string, asked string, broken error) {
		t.Helper()
		if err := r.Languages.check(t.Context(), 0, code); !errors.Is(err, broken) {
			t.Errorf("%s: %v, want %v", when, err, broken)
		}
		if got := p.questions(); got != asked {
			t.Errorf("%s the primary is asked %q, want %q", when, got, asked)
		}
	}
	p.away = timeline.ErrUnavailable
	want("before the primary was reached", 0, "languages ")
	p.away = nil
	want("at first", 1, "languages ")
	frisian, _ := text.FindLanguage("fy")
	p.languages = append(p.languages, frisian)
	want("within half a minute", 1, "")
	check("one that is known", "nl", "", nil)
	check("one that is not known yet, at once", "fy", "", ErrLanguage)
	p.now = p.now.Add(time.Second)
	check("one that is not known yet, after a second", "fy", "languages ", nil)
	check("one that does not exist", "xx", "", ErrLanguage)

	latin, _ := text.FindLanguage("la")
	p.languages = append(p.languages, latin)
	r.Languages.Wrote("fy")
	want("after a post in a known language", 2, "")
	r.Languages.Wrote("la")
	want("after a post in a new language", 3, "languages ")
	p.now, p.away = p.now.Add(time.Hour), timeline.ErrUnavailable
	want("while the primary is away", 3, "languages ")
}
