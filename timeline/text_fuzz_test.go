package timeline

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// written are things that people write, and some that only machines do.
var written = []string{
	"", " ", "Hoi, allemaal!", "two\r\nlines\r\n", "a\r\r\nb\rc", "\ufeffbom", "e\u0301cole, I\u0307stanbul", "한국어 \u1100\u1161", "שלום \u202e abc",
	"a\x00b", "a\xffb", strings.Repeat("ж", 3001), "😀👨‍👩‍👧", "\u2028\u2029\u0085\u00a0", "\u3164\uffa0", "\u0340\u0344\u0958\U0001d15e",
	"See https://a.nl/b_(c). #Soup @joost, #канал-2 «http://x.org/y» mail@anna.nl", "@@@### http://", strings.Repeat("@joost ", 40), strings.Repeat("#a ", 40),
}

// fine fails the test unless the error is one that tells a person what is wrong
// with the field, in a sentence that is no longer than one.
func fine(t *testing.T, err error, field string) {
	t.Helper()
	wrong, is := errors.AsType[*InvalidError](err)
	if !is {
		t.Fatalf("%v is no InvalidError", err)
	}
	if wrong.Field != field || wrong.Reason == "" || len(wrong.Reason) > 4*maxSearch+200 || !utf8.ValidString(wrong.Reason) || strings.HasSuffix(wrong.Reason, ".") {
		t.Fatalf("field %q, reason %q", wrong.Field, wrong.Reason)
	}
}

// FuzzCleanText: what is kept of a text is in one form, and cleaned again it is
// the same; what can't be kept is refused in words.
func FuzzCleanText(f *testing.F) {
	for _, text := range written {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, kind := range []struct {
			field string
			most  int
			clean func(string) (string, error)
		}{
			{"text", maxText, func(s string) (string, error) { return cleanText("text", s) }},
			{"description", maxText, func(s string) (string, error) { return cleanProse("description", s) }},
			{"platform", maxLabel, func(s string) (string, error) { return cleanLine("platform", s, maxLabel) }},
			{"display_name", maxDisplayName, cleanDisplayName},
			{"lang", 2, cleanLang},
		} {
			once, err := kind.clean(text)
			if err != nil {
				fine(t, err, kind.field)
				continue
			}
			if !validText(once) || !norm.NFC.IsNormalString(once) || strings.Contains(once, "\r") || utf8.RuneCountInString(once) > kind.most {
				t.Fatalf("%s: %q is kept as %q", kind.field, text, once)
			}
			if twice, err := kind.clean(once); err != nil || twice != once {
				t.Fatalf("%s: %q is kept as %q, and that as %q (%v)", kind.field, text, once, twice, err)
			}
		}
	})
}

// FuzzNames: what may be a name, an address or a password is that however it is
// asked, and what is not is refused in words.
func FuzzNames(f *testing.F) {
	for _, text := range append([]string{"anna", "a-b_9", "settings", "-ab", strings.Repeat("a", 50), "anna@example.org", "Anna <a@b.c>", "a@b", "\"a b\"@c.d", "correct horse",
		"user", "group:rowing", "direct:Anna", "direct:", "user:", "everything", "0f8fad5b-d9cb-469f-a165-70867728950e"}, written...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if err := checkName(text); err != nil {
			fine(t, err, "name")
		} else if signs := Signs("@" + text); len(text) > 0 && text[len(text)-1] != '-' && (len(signs) != 1 || signs[0].Name != text) {
			t.Errorf("a name that nobody can mention: %q, %+v", text, signs)
		}
		if err := checkEmail(text); err != nil {
			fine(t, err, "email")
		} else if strings.ContainsAny(text, "\r\n\x00") {
			t.Errorf("an address with more than a line: %q", text)
		}
		if err := checkPassword(text); err != nil {
			fine(t, err, "password")
		}
		if err := checkUUID(text); err != nil {
			fine(t, err, "_uuid")
		}
		d, err := parseDestinations([]string{text})
		if err != nil {
			fine(t, err, "timelines")
		} else if len(d.own)+len(d.groups)+len(d.directs) != 1 {
			t.Errorf("one place is %+v", d)
		}
	})
}

// FuzzSignsStandAlone: a sign is one by itself too, which is how addresses of
// tags' pages and searches have it; of what counts there is no more than may be.
func FuzzSignsStandAlone(f *testing.F) {
	for _, text := range written {
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
				if n := utf8.RuneCountInString(s.Name); n < 1 || n > maxTag || lowered(s.Name) != s.Name || strings.IndexFunc(s.Name, func(c rune) bool { return !wordy(c) && c != '-' && c != utf8.RuneError }) >= 0 {
					t.Errorf("%q is tagged %q", text, s.Name)
				}
			}
		}
		tags, names := TagsIn(text), NamesIn(text)
		if len(tags) > maxTags || len(names) > maxNames || len(slices.Compact(slices.Sorted(slices.Values(tags)))) != len(tags) {
			t.Errorf("%q: tags %q, names %q", text, tags, names)
		}
	})
}

// FuzzDetectLang: a text is of no language or of one that posts can be in, and of
// the same each time: where a history is imported twice nothing may change.
func FuzzDetectLang(f *testing.F) {
	for _, text := range append([]string{
		"Het is vandaag mooi weer en wij gaan met de boot over de Amstel varen.", "Сегодня хорошая погода, и мы пойдём гулять по набережной.",
		"Сьогодні гарна погода, і ми підемо гуляти набережною.", "Die weer is vandag mooi en ons gaan met die boot ry, want dit is baie lekker.",
		"今日はとても天気がいいです。", "오늘은 날씨가 좋아요.", "the quick brown fox jumps over the lazy dog near the river bank", "ßßßß ÇÇÇÇ ñññ ɐɐɐ ᚠᚢᚦ",
	}, written...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lang := DetectLang(text)
		if _, known := FindLanguage(lang); !known && lang != "" {
			t.Fatalf("%q is in %q", text, lang)
		}
		if lang != "" && (LangCode(LangID(lang)) != lang) {
			t.Fatalf("%q has no number", lang)
		}
		for range 3 {
			if again := DetectLang(text); again != lang {
				t.Fatalf("%q is in %q, then in %q", text, lang, again)
			}
		}
	})
}

// TestTextsInGoodTime reads long texts that repeat themselves: what took the
// square of their length would not end before the test is given up.
func TestTextsInGoodTime(t *testing.T) {
	t.Parallel()
	const length = 1 << 20
	for _, piece := range []string{
		"@", "#", "@a", "#a", "#-", "@a-", "http://", "http://!", "http://(", "http://a(", "hhttp://", "https://a.nl ", "((((", "a\u0301", "\u0301", "#\u0301", "@joost,", "#tag#", "h", "\xff",
	} {
		text := strings.Repeat(piece, length/len(piece))
		Signs(text)
		TagsIn(text)
		prose(text)
		if _, err := cleanText("text", text); err == nil {
			t.Errorf("%q, very often: not too long", piece)
		}
	}
}
