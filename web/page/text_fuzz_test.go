package page

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"amstel.dev/amstel/timeline/text"
)

// FuzzWhatPeopleWriteStaysText renders every page with a random text in each place for people's
// texts: the page shows the text as text, never as HTML.
func FuzzWhatPeopleWriteStaysText(f *testing.F) {
	if testing.Short() {
		f.Skip("takes long")
	}
	for _, s := range evil {
		f.Add(s)
	}
	for _, s := range []string{"", "//evil.example", "\\\\evil.example", "/%2f/evil", "data:text/html,x", "a b&amp;c", "\u2028", "x\ny", "<p", "--><b>", "`", "'", "${pwned}", "https://[::1]/", "mailto:x", "#", "?"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 2000 {
			return // TestLongTexts covers long texts
		}
		if s == "" || s[0] == '/' {
			s = "x" + s // the text is also used as a name, and after the slash of a path
		}
		for i, p := range evilPages(s) {
			checkHarmless(t, i, parse(t, render(t, p)))
		}
	})
}

// FuzzText: the paragraphs of a text contain only paragraphs, links, line breaks and marks. A
// browser reads in them the letters of the text, except that addresses are shortened for people.
// Each tag by which the post is found links to the tag's page.
func FuzzText(f *testing.F) {
	for _, s := range evil {
		f.Add(s, "pwned", true)
	}
	f.Add("a\n\n\nb\nc\r\n\r\nd", "b", false)
	f.Add("#Soup e\u0301http://a.nl/#soup http://_x/#tag http://!#a", "soup", true)
	f.Add("\u0301#a", "a", true)
	f.Add("* a\n* `b`\n> c@d.nl\n```\nwww.e.nl\n```\n• <x>", "b", true)
	f.Add("> * `a` www.b.nl/`c` d@e.f.nl", "a", false)
	f.Fuzz(func(t *testing.T, s, hit string, linebreaks bool) {
		text := render(t, markedText(s, linebreaks, []string{strings.ToLower(hit)}))
		if len(text) > 64*len(s)+200 { // "#a" is a link to its page
			t.Errorf("%d bytes are shown in %d", len(s), len(text))
		}
		tokens := html.NewTokenizer(strings.NewReader(text))
		depth := 0
		for {
			switch kind := tokens.Next(); kind {
			case html.ErrorToken:
				if depth != 0 {
					t.Errorf("%q: what is opened is not closed: %s", s, text)
				}
				return
			case html.StartTagToken, html.EndTagToken:
				name, more := tokens.TagName()
				switch string(name) {
				case "p", "a", "mark", "ul", "li", "blockquote", "pre", "code":
					if depth++; kind == html.EndTagToken {
						depth -= 2
					}
				case "br":
				default:
					t.Fatalf("%q is shown with a %s: %s", s, name, text)
				}
				for more {
					var key, value []byte
					key, value, more = tokens.TagAttr()
					switch string(key) {
					case "target", "rel":
					case "href":
						if to := string(value); !strings.HasPrefix(strings.ToLower(to), "http") && !strings.HasPrefix(to, "mailto:") && (!strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//")) {
							t.Errorf("%q leads to %q", s, to)
						}
					default:
						t.Errorf("%q is shown with %s=%q", s, key, value)
					}
				}
			case html.TextToken:
			default:
				t.Errorf("%q is shown with a %v: %s", s, kind, text)
			}
		}
	})
}

// FuzzTagsAreLinks: a piece of the text links to a tag's page exactly if the tag finds the post.
func FuzzTagsAreLinks(f *testing.F) {
	for _, s := range append([]string{"#Soup @joost", "e\u0301http://a.nl/#soup", "http://_x/#tag", "http://!#a", "http://a\ufffd#b", "(http://a.nl)#b", "http://a.nl/(#b", "http://a.nl).#b", "\u0301http://a.nl/#b"}, evil...) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var tags, links []string
		for _, sign := range text.Signs(s) {
			if sign.Kind == text.SignTag {
				tags = append(tags, TagPath(sign.Name))
			}
		}
		for _, seg := range Segments(s, "") {
			if strings.HasPrefix(seg.Href, SearchPath+"?") {
				links = append(links, seg.Href)
			}
		}
		if strings.Join(tags, " ") != strings.Join(links, " ") {
			t.Errorf("%q has the tags %q, and links to %q", s, tags, links)
		}
	})
}

// TestLongTexts renders long repetitive texts. With an algorithm of quadratic time the test
// would run into its time limit.
func TestLongTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	for _, piece := range []string{"http://!", "http://", "https://a.nl ", "http://a(", "@a", "@joost", "#a", "h", "%D0", "http://xn--", "http://a.nl/%D0%B0", "(", "«http://", "a\n\n", "\xff", "a "} {
		s := strings.Repeat(piece, (1<<20)/len(piece))
		if html, _ := Linkify(s, ""); len(html) < len(s)/2 && !strings.HasPrefix(piece, "http") {
			t.Errorf("%q, very often, is shown in %d bytes", piece, len(html))
		}
		render(t, markedText(s, true, []string{"a", "joost", "#a"}))
	}
}
