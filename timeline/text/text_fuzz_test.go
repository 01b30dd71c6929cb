package text

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"amstel.dev/amstel/internal/texttest"
)

// fine fails the test unless the error is nil, or tells a person what is wrong with the field.
func fine(t *testing.T, err error, field string) {
	t.Helper()
	wrong, is := errors.AsType[*InvalidError](err)
	if !is {
		t.Fatalf("%v is no InvalidError", err)
	}
	texttest.CheckReason(t, wrong.Field, wrong.Reason, field)
}

// FuzzCleanText: cleaning a clean text does not change it. A text that can't be stored is
// refused with a reason.
func FuzzCleanText(f *testing.F) {
	for _, text := range texttest.Written {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, kind := range []struct {
			field string
			most  int
			clean func(string) (string, error)
		}{
			{"text", MaxText, func(s string) (string, error) { return Clean("text", s) }},
			{"description", MaxText, func(s string) (string, error) { return Clean("description", s) }},
			{"platform", MaxLabel, func(s string) (string, error) { return CleanLine("platform", s, MaxLabel) }},
			{"display_name", maxDisplayName, CleanDisplayName},
			{"lang", 2, CleanLanguage},
		} {
			once, err := kind.clean(text)
			if err != nil {
				fine(t, err, kind.field)
				continue
			}
			if !Valid(once) || !norm.NFC.IsNormalString(once) || strings.Contains(once, "\r") || utf8.RuneCountInString(once) > kind.most {
				t.Fatalf("%s: %q is kept as %q", kind.field, text, once)
			}
			if twice, err := kind.clean(once); err != nil || twice != once {
				t.Fatalf("%s: %q is kept as %q, and that as %q (%v)", kind.field, text, once, twice, err)
			}
		}
	})
}

// FuzzNames: all checks of a name, an address or a password agree. A bad one is refused with a
// reason.
func FuzzNames(f *testing.F) {
	for _, text := range append([]string{"anna", "a-b_9", "settings", "-ab", strings.Repeat("a", 50), "anna@example.org", "Anna <a@b.c>", "a@b", "\"a b\"@c.d", "correct horse"}, texttest.Written...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if err := CheckName(text); err != nil {
			fine(t, err, "name")
		} else if signs := Signs("@" + text); len(text) > 0 && text[len(text)-1] != '-' && (len(signs) != 1 || signs[0].Name != text) {
			t.Errorf("a name that no mention can have: %q, %+v", text, signs)
		}
		if err := CheckEmail(text); err != nil {
			fine(t, err, "email")
		} else if strings.ContainsAny(text, "\r\n\x00") {
			t.Errorf("an address with more than a line: %q", text)
		}
		if err := CheckPassword(text); err != nil {
			fine(t, err, "password")
		}
	})
}

// FuzzSignsStandAlone: each hashtag or mention in a text is one without the rest of the text too, as in the
// address of a tag's page or in a search. The number of signs that count is bounded.
func FuzzSignsStandAlone(f *testing.F) {
	for _, text := range texttest.Written {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range Signs(text) {
			piece := text[s.From:s.To]
			if again := Signs(piece); len(again) != 1 || again[0].Kind != s.Kind || again[0].Name != s.Name || again[0].To != len(piece) {
				t.Errorf("%q in %q is %+v, and alone %+v", piece, text, s, again)
			}
			switch s.Kind {
			case SignName:
				if !nameForm.MatchString(s.Name) {
					t.Errorf("%q names %q", text, s.Name)
				}
			case SignTag:
				if n := utf8.RuneCountInString(s.Name); n < 1 || n > maxTag || Lower(s.Name) != s.Name || strings.IndexFunc(s.Name, func(c rune) bool { return !wordy(c) && c != '-' && c != utf8.RuneError }) >= 0 {
					t.Errorf("%q is tagged %q", text, s.Name)
				}
			}
		}
		tags, names := Tags(text), Names(text)
		if len(tags) > maxTags || len(names) > maxNames || len(slices.Compact(slices.Sorted(slices.Values(tags)))) != len(tags) {
			t.Errorf("%q: tags %q, names %q", text, tags, names)
		}
	})
}

// FuzzDetectLang: the language of a text is empty, or a language that posts can have. It is the same each
// time, because a second import of a history must not change anything.
func FuzzDetectLang(f *testing.F) {
	for _, text := range append([]string{
		"Het is vandaag mooi weer en wij gaan met de boot over de Amstel varen.", "Сегодня хорошая погода, и мы пойдём гулять по набережной.",
		"Сьогодні гарна погода, і ми підемо гуляти набережною.", "Die weer is vandag mooi en ons gaan met die boot ry, want dit is baie lekker.",
		"今日はとても天気がいいです。", "오늘은 날씨가 좋아요.", "the quick brown fox jumps over the lazy dog near the river bank", "ßßßß ÇÇÇÇ ñññ ɐɐɐ ᚠᚢᚦ",
	}, texttest.Written...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lang := Detect(text)
		if _, known := FindLanguage(lang); !known && lang != "" {
			t.Fatalf("%q is in %q", text, lang)
		}
		for range 3 {
			if again := Detect(text); again != lang {
				t.Fatalf("%q is in %q, then in %q", text, lang, again)
			}
		}
	})
}

// TestTextsInGoodTime reads long repetitive texts. With an algorithm of quadratic time the test
// would run into its time limit.
func TestTextsInGoodTime(t *testing.T) {
	t.Parallel()
	const length = 1 << 20
	for _, piece := range []string{
		"@", "#", "@a", "#a", "#-", "@a-", "http://", "http://!", "http://(", "http://a(", "hhttp://", "https://a.nl ", "((((", "a\u0301", "\u0301", "#\u0301", "@joost,", "#tag#", "h", "\xff",
	} {
		text := strings.Repeat(piece, length/len(piece))
		Signs(text)
		Tags(text)
		prose(text)
		if _, err := Clean("text", text); err == nil {
			t.Errorf("%q, very often: not too long", piece)
		}
	}
}
