package query

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	gocmp "github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/internal/texttest"
	"amstel.dev/amstel/timeline/text"
)

func TestParseSearch(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       Search
		written    string // the canonical form; empty: the same as the input
	}{
		{"words", "boats harbour", Search{Words: []string{"boats", "harbour"}}, ""},
		{"case and blanks don't matter", "  Boats\tHARBOUR ", Search{Words: []string{"boats", "harbour"}}, "boats harbour"},
		{"each once", "boats sail Boats", Search{Words: []string{"boats", "sail"}}, "boats sail"},
		{"a phrase", `"red  boat" oar`, Search{Words: []string{"red boat", "oar"}}, `"red boat" oar`},
		{"a phrase of one word is a word", `"boat"`, Search{Words: []string{"boat"}}, "boat"},
		{"in the quotes of other languages", "«red boat» „blue boat“", Search{Words: []string{"red boat", "blue boat"}}, `"red boat" "blue boat"`},
		{"a phrase without an end", `oar "red boat`, Search{Words: []string{"oar", "red boat"}}, `oar "red boat"`},
		{"without", `boats -sail -"red boat"`, Search{Words: []string{"boats"}, Not: Not{Words: []string{"sail", "red boat"}}}, ""},
		{"a dash between words is none", "rock - roll", Search{Words: []string{"rock", "roll"}}, "rock roll"},
		{"signs alone are nothing", "boats !! 😀", Search{Words: []string{"boats"}}, "boats"},
		{"tags", "#Amstel, #канал-2 -#rain", Search{Tags: []string{"amstel", "канал-2"}, Not: Not{Tags: []string{"rain"}}}, "#amstel #канал-2 -#rain"},
		{"people", "from:@Bert FROM:anna from:bert", Search{From: []string{"anna", "bert"}}, "from:anna from:bert"},
		{"everything else", "x group:rowing liked-by:anna commented-by:bert -group:ads -from:carl -liked-by:dora -commented-by:emre", Search{
			Words: []string{"x"}, Groups: []string{"rowing"}, LikedBy: []string{"anna"}, CommentedBy: []string{"bert"},
			Not: Not{From: []string{"carl"}, Groups: []string{"ads"}, LikedBy: []string{"dora"}, CommentedBy: []string{"emre"}},
		}, "x -from:carl group:rowing -group:ads liked-by:anna -liked-by:dora commented-by:bert -commented-by:emre"},
		{"kinds of file", "has:IMAGE has:files -has:photo", Search{Has: []string{"file", "image"}, Not: Not{Has: []string{"image"}}}, "has:file has:image -has:image"},
		{"comments", "boats in:Comments", Search{Words: []string{"boats"}, InComments: true}, "boats in:comments"},
		{"days, the narrowest", "before:2024-06-01 after:2024-05-01 before:2024-05-20 after:2024-04-01", Search{After: "2024-05-01", Before: "2024-05-20"}, "after:2024-05-01 before:2024-05-20"},
		{"an address is a word", "https://a.nl/x?y=1", Search{Words: []string{"https://a.nl/x?y=1"}}, ""},
		{"so is any other colon", "note:this", Search{Words: []string{"note:this"}}, ""},
		{"quoted, an operator is a phrase", `"from:anna"`, Search{Words: []string{"from:anna"}}, ""},
		{"and a tag", `"#amstel"`, Search{Words: []string{"#amstel"}}, ""},
		{"and a dash", `"-x"`, Search{Words: []string{"-x"}}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := Parse(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			want := tt.written
			if want == "" {
				want = tt.text
			}
			if got.String() != want {
				t.Errorf("written %q, want %q", got, want)
			}
		})
	}
}

func TestParseSearchRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                   "q is empty",
		" \n":                                "q is empty",
		"!!! -":                              "q has no word in it that can be looked for",
		`""`:                                 "q has no word in it that can be looked for",
		"a\x00b":                             "q is not valid UTF-8 text",
		"a\xff":                              "q is not valid UTF-8 text",
		"-boats -from:anna":                  "q only says what must not be there: add what to look for",
		"in:comments from:anna":              "q needs a word to look for in comments",
		"in:comments -boats":                 "q needs a word to look for in comments",
		"in:posts x":                         "q knows of in:comments, and no other in:",
		"has:cats":                           "q knows of has:image, has:video, has:audio and has:file, and no other has:",
		"x has:":                             "q knows of has:image, has:video, has:audio and has:file, and no other has:",
		"-has:image":                         "q only says what must not be there: add what to look for",
		"-in:comments x":                     "q can't have a - before in:",
		"-before:2024-01-01 x":               "q can't have a - before before:",
		"before:yesterday":                   "q has a day that is not written like 2024-12-31, or that there never was: “yesterday”",
		"after:2023-02-29":                   "q has a day that is not written like 2024-12-31, or that there never was: “2023-02-29”",
		"after:2024-02-01 before:2024-02-01": "q asks for a time that ends before it begins",
		"from: anna":                         "q needs a name right after from:",
		"liked-by:@":                         "q needs a name right after liked-by:",
		strings.Repeat("a", 501):             "q is longer than 500 characters",
		"a b c d e f g h i j k l m n o p q r s t u": "q asks for more than 20 things at once",
	} {
		if _, err := Parse(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func FuzzParseSearch(f *testing.F) {
	for _, seed := range []string{
		"", `boats "red boat" -sail`, "#tag, -#b from:@Anna", "in:comments x before:2024-02-29", `"a`, `-"-a" --b`, "İİ ß Å",
		"note:this https://a.nl", `a"b"c`, "#a#b", "«x» „y“", "from:a\u0301", "#\u0130", `""x""`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			return
		}
		written := s.String()
		if !utf8.ValidString(written) {
			t.Fatalf("%q is written %q", text, written)
		}
		again, err := Parse(written)
		if err != nil {
			t.Fatalf("%q is written %q, which is refused: %v", text, written, err)
		}
		if diff := gocmp.Diff(s, again); diff != "" {
			t.Fatalf("%q is written %q, which is another (-first +again):\n%s", text, written, diff)
		}
		if again.String() != written {
			t.Fatalf("%q is written %q, then %q", text, written, again)
		}
	})
}

// FuzzSearchIsReadOrRefused: Parse reads any text as a search of bounded size, or refuses the
// text with a reason.
func FuzzSearchIsReadOrRefused(f *testing.F) {
	for _, typed := range texttest.Searches {
		f.Add(typed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		s, err := Parse(typed)
		if err != nil {
			wrong, is := errors.AsType[*text.InvalidError](err)
			if !is {
				t.Fatalf("%v is no InvalidError", err)
			}
			texttest.CheckReason(t, wrong.Field, wrong.Reason, "q")
			return
		}
		if n := s.count(); n < 1 || n > maxTerms {
			t.Errorf("%q asks for %d things", typed, n)
		}
		if n := utf8.RuneCountInString(s.String()); n > maxLength {
			t.Errorf("%q is written in %d characters", typed, n)
		}
		for _, list := range s.lists() {
			seen := make(map[string]bool)
			for _, one := range *list {
				if one == "" || seen[one] || text.Lower(one) != one || strings.TrimSpace(one) != one {
					t.Errorf("%q asks for %q of %q", typed, one, *list)
				}
				seen[one] = true
			}
		}
	})
}
