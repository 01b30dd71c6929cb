package text

import (
	"slices"
	"strings"
	"testing"
)

func TestSigns(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text  string
		tags, names []string
	}{
		{"nothing", "just words", nil, nil},
		{"a tag and a name", "#amstel by @anna", []string{"amstel"}, []string{"anna"}},
		{"in any case, once", "#Amstel #AMSTEL @Anna @aNNa", []string{"amstel"}, []string{"anna"}},
		{"of any alphabet", "#Мокум #日本 #हिन्दी #ÇEŞME", []string{"мокум", "日本", "हिन्दी", "çeşme"}, nil},
		{"composed and not are one", "#caf\u00e9 #cafe\u0301", []string{"café"}, nil},
		{"a hyphen is inside only", "#a-b- #-c #d--e @anna-", []string{"a-b", "d"}, []string{"anna"}},
		{"a low line and digits", "#_x #2026 #1", []string{"_x", "2026", "1"}, nil},
		{"with signs around", "(#a), «#b»; \"@anna\"! —@bert…", []string{"a", "b"}, []string{"anna", "bert"}},
		{"not in the middle of a word", "a#b c_#d &#39; #x#y mail@anna.nl @anna@other.org", []string{"x"}, nil},
		{"not in an address", "https://a.org/#b?@anna http://b.org/@bert#c,#d", nil, nil},
		{"after an address", "(https://a.org)#b https://a.org #c", []string{"b", "c"}, nil},
		{"what only looks like an address", "http://#a https://", nil, nil},
		{"too short and too long names", "@an @" + strings.Repeat("a", 50) + " @" + strings.Repeat("b", 49), nil, []string{strings.Repeat("b", 49)}},
		{"too long a tag", "#" + strings.Repeat("ж", 51) + " #" + strings.Repeat("ж", 50), []string{strings.Repeat("ж", 50)}, nil},
		{"bare signs", "# @ #! ## @@anna", nil, nil},
		{"no text", "", nil, nil},
		{"not valid UTF-8", "\xff#a\xff @anna\xff", []string{"a"}, []string{"anna"}},
	} {
		if got := Tags(tt.text); !slices.Equal(got, tt.tags) {
			t.Errorf("%s: tags %q, want %q", tt.name, got, tt.tags)
		}
		if got := Names(tt.text); !slices.Equal(got, tt.names) {
			t.Errorf("%s: names %q, want %q", tt.name, got, tt.names)
		}
	}
	many := ""
	for c := 'a'; c <= 'z'; c++ {
		many += " #" + string(c)
	}
	if got := Tags(many); len(got) != 20 || got[19] != "t" {
		t.Errorf("of 26 tags: %q", got)
	}
	if got := Names(strings.ReplaceAll(many, "#", "@name_")); len(got) != 20 || got[19] != "name_t" {
		t.Errorf("of 26 names: %q", got)
	}
}

func TestSignsAreWhereTheyAre(t *testing.T) {
	t.Parallel()
	const text = "Zie #Café en @Anna: https://a.org/b, #x-"
	var pieces []string
	for _, s := range Signs(text) {
		pieces = append(pieces, string(s.Kind)+" "+text[s.From:s.To]+" "+s.Name)
	}
	want := []string{"tag #Café café", "name @Anna anna", "address https://a.org/b, ", "tag #x x"}
	if !slices.Equal(pieces, want) {
		t.Errorf("got %q, want %q", pieces, want)
	}
}

func FuzzSigns(f *testing.F) {
	f.Add("#a @anna http://b.org/#c «#d»")
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, s := range Signs(text) {
			if s.From < last || s.To <= s.From || s.To > len(text) {
				t.Fatalf("%q: %+v after %d", text, s, last)
			}
			last = s.To
		}
	})
}
