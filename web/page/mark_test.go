package page

import (
	"html"
	"strings"
	"testing"
)

func TestMarkedText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		hits       []string
		want       string
	}{
		{"a word, in any case", "Boats & BOATS", []string{"boats"}, "<p><mark>Boats</mark> &amp; <mark>BOATS</mark></p>"},
		{"whole words alone", "boathouse a-boat boat's houseboat", []string{"boat"}, "<p>boathouse a-<mark>boat</mark> <mark>boat</mark>&#39;s houseboat</p>"},
		{"of any alphabet", "(ЛОДКИ) лодкиё", []string{"лодки"}, "<p>(<mark>ЛОДКИ</mark>) лодкиё</p>"},
		{"the longest", "#amstel-2", []string{"#amstel-2", "amstel"}, `<p><a href="/s?q=%23amstel-2"><mark>#amstel-2</mark></a></p>`},
		{"in tags and names, not in their addresses", "@joost #joost", []string{"joost"}, `<p><a href="/joost">@<mark>joost</mark></a> <a href="/s?q=%23joost">#<mark>joost</mark></a></p>`},
		{"not in addresses of other sites", "https://boats.nl/boats boats", []string{"boats"}, `<p><a href="https://boats.nl/boats" target="_blank" rel="nofollow noopener">https://boats.nl/boats</a> <mark>boats</mark></p>`},
		{"signs are escaped", "<b>&boats", []string{"boats", "<b>"}, "<p><mark>&lt;b&gt;</mark>&amp;<mark>boats</mark></p>"},
		{"entities are none of its words", "a & b", []string{"amp", "lt"}, "<p>a &amp; b</p>"},
		{"an empty word is none", "a b", []string{""}, "<p>a b</p>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := render(t, markedText(tt.text, false, tt.hits)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func FuzzWriteMarked(f *testing.F) {
	f.Add("The boats' <b>", "boats")
	f.Add("İstanbul", "i̇stanbul")
	f.Add("\xff\xffa", "a")
	f.Fuzz(func(t *testing.T, text, hit string) {
		var b strings.Builder
		writeMarked(&b, text, []string{hit, "a"})
		plain := strings.NewReplacer("<mark>", "", "</mark>", "").Replace(b.String())
		if plain != html.EscapeString(text) {
			t.Errorf("%q with %q marked is %q", text, hit, b.String())
		}
	})
}
