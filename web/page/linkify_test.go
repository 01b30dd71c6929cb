package page

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// plainText and the next functions make the segments that a test expects.
func plainText(s string) Segment        { return Segment{Text: s} }
func outside(s string) Segment          { return Segment{Text: s, Href: s, External: true} }
func outsideAs(href, s string) Segment  { return Segment{Text: s, Href: href, External: true} }
func mention(s, to string) Segment      { return Segment{Text: s, Href: to} }
func segments(all ...Segment) []Segment { return all }

func TestSegmentsOfAddresses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       []Segment
	}{
		{"nothing has no segments", "", nil},
		{"a text without links is one piece", "no links & <b>", segments(plainText("no links & <b>"))},
		{"an address alone", "https://example.org/", segments(outside("https://example.org/"))},
		{"without tls too", "http://example.org", segments(outside("http://example.org"))},
		{"an address in a text", "see https://example.org/a now", segments(plainText("see "), outside("https://example.org/a"), plainText(" now"))},
		{"two addresses", "http://a.nl http://b.nl", segments(outside("http://a.nl"), plainText(" "), outside("http://b.nl"))},
		{"glued to a word it is none", "foohttps://example.org/", segments(plainText("foohttps://example.org/"))},
		{"after a bracket it is one", "(https://example.org/)", segments(plainText("("), outside("https://example.org/"), plainText(")"))},
		{"a capital scheme", "HTTPS://example.org/A", segments(outside("HTTPS://example.org/A"))},
		{"it ends at a newline", "https://a.nl/x\ny", segments(outside("https://a.nl/x"), plainText("\ny"))},
		{"it ends at a tag", "https://a.nl/x<br>", segments(outside("https://a.nl/x"), plainText("<br>"))},
		{"in angle brackets", "<https://a.nl/x>", segments(plainText("<"), outside("https://a.nl/x"), plainText(">"))},
		{"a full stop is the sentence's", "See https://a.nl/x.", segments(plainText("See "), outside("https://a.nl/x"), plainText("."))},
		{"so are several signs", "https://a.nl/x?!…", segments(outside("https://a.nl/x"), plainText("?!…"))},
		{"and quotes", `"https://a.nl/x"`, segments(plainText(`"`), outside("https://a.nl/x"), plainText(`"`))},
		{"a slash at the end stays", "https://a.nl/x/", segments(outside("https://a.nl/x/"))},
		{"so do # & - _ *", "https://a.nl/# https://a.nl/& https://a.nl/- https://a.nl/_ https://a.nl/*", segments(
			outside("https://a.nl/#"), plainText(" "), outside("https://a.nl/&"), plainText(" "), outside("https://a.nl/-"), plainText(" "), outside("https://a.nl/_"), plainText(" "), outside("https://a.nl/*"))},
		{"balanced brackets stay", "https://nl.wikipedia.org/wiki/Amstel_(rivier)", segments(outside("https://nl.wikipedia.org/wiki/Amstel_(rivier)"))},
		{"also before a full stop", "https://a.nl/b_(c).", segments(outside("https://a.nl/b_(c)"), plainText("."))},
		{"an unbalanced one goes", "(see https://a.nl/b)", segments(plainText("(see "), outside("https://a.nl/b"), plainText(")"))},
		{"with the full stop before it", "(see https://a.nl/b.)", segments(plainText("(see "), outside("https://a.nl/b"), plainText(".)"))},
		{"braces and guillemets alike", "{https://a.nl/{b}} «https://a.nl/c»", segments(plainText("{"), outside("https://a.nl/{b}"), plainText("} «"), outside("https://a.nl/c"), plainText("»"))},
		{"markdown", "[x](https://a.nl/b), and on", segments(plainText("[x]("), outside("https://a.nl/b"), plainText("), and on"))},
		{"an address of numbers", "http://[::1]:8080/x", segments(outside("http://[::1]:8080/x"))},
		{"no host, no address", "https:// and https://. and https:///x", segments(plainText("https:// and https://. and https:///x"))},
		{"other schemes are text", "javascript:alert(1) ftp://a.nl data:text/html,x", segments(plainText("javascript:alert(1) ftp://a.nl data:text/html,x"))},
		{"quotes inside are kept", `https://a.nl/"onmouseover="x`, segments(outside(`https://a.nl/"onmouseover="x`))},
		{"control characters end it", "https://a.nl/a\x00b", segments(outside("https://a.nl/a"), plainText("\x00b"))},
		{"invalid bytes end it", "https://a.nl/a\xffb", segments(outside("https://a.nl/a"), plainText("\xffb"))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, Segments(tt.text, "")); diff != "" {
				t.Errorf("Segments(%q) (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

func TestSegmentsShowAddressesReadably(t *testing.T) {
	t.Parallel()
	sixtyFour := "https://example.org/" + strings.Repeat("x", 44)
	for _, tt := range []struct{ name, href, shown string }{
		{"64 characters are shown whole", sixtyFour, sixtyFour},
		{"more are cut", sixtyFour + "y", sixtyFour[:61] + "..."},
		{"characters are counted, not bytes", "https://example.org/" + strings.Repeat("д", 50), "https://example.org/" + strings.Repeat("д", 41) + "..."},
		{"letters of other alphabets are decoded", "https://ru.wikipedia.org/wiki/%D0%90%D0%BC", "https://ru.wikipedia.org/wiki/Ам"},
		{"what is ASCII stays encoded", "https://a.nl/%2F%20%D0%90%3C", "https://a.nl/%2F%20А%3C"},
		{"broken encodings stay", "https://a.nl/%D0%zz%D0", "https://a.nl/%D0%zz%D0"},
		{"a turn of direction stays encoded", "https://a.nl/%E2%80%AEgpj", "https://a.nl/%E2%80%AEgpj"},
		{"an odd space stays encoded", "https://a.nl/%C2%A0x", "https://a.nl/%C2%A0x"},
		{"hosts are shown in their letters", "https://xn--80aafi6cg.xn--p1ai/x", "https://правда.рф/x"},
		{"a host that can't be decoded stays", "https://xn--a/x", "https://xn--a/x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := segments(outsideAs(tt.href, tt.shown))
			if diff := cmp.Diff(want, Segments(tt.href, "")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSegmentsOfMentions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       []Segment
	}{
		{"a name", "@joost said", segments(mention("@joost", "/joost"), plainText(" said"))},
		{"in capitals it is the same person", "hi @Joost!", segments(plainText("hi "), mention("@Joost", "/joost"), plainText("!"))},
		{"dashes and digits", "(@lotte-k_2)", segments(plainText("("), mention("@lotte-k_2", "/lotte-k_2"), plainText(")"))},
		{"a dash at the end is the sentence's", "@joost- no", segments(mention("@joost", "/joost"), plainText("- no"))},
		{"three signs at least", "@jo", segments(plainText("@jo"))},
		{"forty-nine at most", "@" + strings.Repeat("a", 50), segments(plainText("@" + strings.Repeat("a", 50)))},
		{"an e-mail address is none", "me@example.org", segments(plainText("me@example.org"))},
		{"nor one at another place", "@user@example.org", segments(plainText("@user@example.org"))},
		{"nor a package", "@angular/core", segments(plainText("@angular/core"))},
		{"nor a revision", "HEAD@{upstream} @{-1}", segments(plainText("HEAD@{upstream} @{-1}"))},
		{"nor part of a longer word", "@joostè", segments(plainText("@joostè"))},
		{"two of them", "@joost,@emre", segments(mention("@joost", "/joost"), plainText(","), mention("@emre", "/emre"))},
		{"an @ in an address is the address's", "https://a.nl/@joost", segments(outside("https://a.nl/@joost"))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, Segments(tt.text, "")); diff != "" {
				t.Errorf("Segments(%q) (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

func TestSegmentsOfTags(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       []Segment
	}{
		{"a tag", "some #Soup.", segments(plainText("some "), mention("#Soup", "/s?q=%23soup"), plainText("."))},
		{"in other letters", "#канал-2!", segments(mention("#канал-2", "/s?q=%23%D0%BA%D0%B0%D0%BD%D0%B0%D0%BB-2"), plainText("!"))},
		{"in the middle of a word it is none", "c#sharp", segments(plainText("c#sharp"))},
		{"nor in an address", "https://a.nl/#soup", segments(outside("https://a.nl/#soup"))},
		{"too long", "#" + strings.Repeat("a", 51), segments(plainText("#" + strings.Repeat("a", 51)))},
		{"beside a name", "@joost #soup", segments(mention("@joost", "/joost"), plainText(" "), mention("#soup", "/s?q=%23soup"))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, Segments(tt.text, "")); diff != "" {
				t.Errorf("Segments(%q) (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

func TestLinkify(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text, want string
		changed          bool
	}{
		{"plain text is itself", "Hoi,\nallemaal", "Hoi,\nallemaal", false},
		{"signs are escaped", `<b>"&'`, "&lt;b&gt;&#34;&amp;&#39;", true},
		{"links outside open elsewhere", "http://a.nl/?a&b", `<a href="http://a.nl/?a&amp;b" target="_blank" rel="nofollow noopener">http://a.nl/?a&amp;b</a>`, true},
		{"links inside don't", "@joost", `<a href="/joost">@joost</a>`, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, changed := Linkify(tt.text, "")
			if got != tt.want || changed != tt.changed {
				t.Errorf("Linkify(%q) = %q, %v, want %q, %v", tt.text, got, changed, tt.want, tt.changed)
			}
		})
	}
}

func FuzzLinkify(f *testing.F) {
	for _, seed := range []string{"", "a", "https://a.nl/b_(c). @joost", "<script>alert(1)</script>", "https://xn--80aafi6cg/%D0%90", "@@@@", "http://[", "«http://a»"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rebuilt := ""
		for _, s := range Segments(text, "") {
			switch {
			case s.Text == "":
				t.Errorf("an empty segment in %q", text)
			case s.External:
				rebuilt += s.Href
				if u, err := url.Parse(s.Href); err == nil && !strings.EqualFold(u.Scheme, "http") && !strings.EqualFold(u.Scheme, "https") {
					t.Errorf("%q leads to scheme %q", text, u.Scheme)
				}
			default:
				rebuilt += s.Text
			}
		}
		if rebuilt != text {
			t.Errorf("the segments of %q are %q together", text, rebuilt)
		}
		html, _ := Linkify(text, "")
		rest := strings.NewReplacer(`<a href="`, "", `" target="_blank" rel="nofollow noopener">`, "", `">`, "", "</a>", "").Replace(html)
		if strings.ContainsAny(rest, `<>"'`) {
			t.Errorf("Linkify(%q) = %q lets signs through", text, html)
		}
	})
}
