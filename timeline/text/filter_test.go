package text

import (
	"errors"
	"strings"
	"testing"
)

func TestFilterFinds(t *testing.T) {
	t.Parallel()
	entries, err := ParseFilter("refused", " Buy now \nwatch*\n\nspam.example\nwatch*\nчас*\nC++\n")
	if err != nil || entries != "buy now\nwatch*\nspam.example\nчас*\nc++" {
		t.Fatalf("the entries are %q, %v", entries, err)
	}
	for said, want := range map[string]string{
		"":                                     "",
		"I will buy it now":                    "",
		"BUY, now! Cheap.":                     "buy now",
		"buy\n  now":                           "buy now",
		"You can buy nowhere else":             "",
		"Nice watches":                         "watch*",
		"Deathwatch is a beetle":               "",
		"ｗａｔｃｈ me":                             "watch*",
		"see https://www.SPAM.example/x?y=1":   "spam.example",
		"see http://spam.example":              "spam.example",
		"spam.example.":                        "spam.example",
		"write to a@spam.example":              "spam.example",
		"https://spam.example.org/ is no spam": "",
		"https://notspam.example/":             "",
		"Который час? Часы идут.":              "час*",
		"сейчас":                               "",
		"written in C++.":                      "c++",
		"vitamin C":                            "",
	} {
		if got := entries.Find(said); got != want {
			t.Errorf("%q has the entry %q, want %q", said, got, want)
		}
	}
}

func TestBadFilters(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ lines, code string }{
		"a long line":           {strings.Repeat("ж", maxFilterText+1), "filter_long"},
		"a line without letter": {"good\n*\n", "filter_empty"},
		"too many lines":        {strings.Join(numbered(MaxFilters+1), "\n"), "filter_many"},
		"no UTF-8":              {"a\xff", "characters"},
	} {
		_, err := ParseFilter("refused", tt.lines)
		if wrong, is := errors.AsType[*InvalidError](err); !is || wrong.Code != tt.code || wrong.Field != "refused" {
			t.Errorf("%s: %v, want the code %s", name, err, tt.code)
		}
	}
	if entries, err := ParseFilter("refused", strings.Join(numbered(MaxFilters), "\n")); err != nil || strings.Count(string(entries), "\n") != MaxFilters-1 {
		t.Errorf("as many lines as allowed: %.40q, %v", entries, err)
	}
}

// numbered returns n different words.
func numbered(n int) (words []string) {
	for i := range n {
		words = append(words, "w"+strings.Repeat("a", i%50)+strings.Repeat("b", i/50))
	}
	return words
}
