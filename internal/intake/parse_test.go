package intake

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"amstel.dev/amstel/timeline"
)

var blogAt = &url.URL{Scheme: "https", Host: "www.blog.example", Path: "/feeds/all"}

// TestFormats reads the same items from each format.
func TestFormats(t *testing.T) {
	t.Parallel()
	want := []timeline.IntakeItem{
		{Title: "Second & last", Link: "https://blog.example/2", Text: "Leeks, not onions.", At: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)},
		{Title: "First", Link: "https://www.blog.example/1", Text: "Soup.", At: time.Date(2026, 11, 19, 12, 0, 0, 0, time.UTC)},
	}
	for format, said := range map[string]string{
		"RSS 2.0": `<?xml version="1.0"?><rss version="2.0"><channel><title>Soups</title><link>https://blog.example/</link><ttl>120</ttl>
			<item><guid isPermaLink="false">1</guid><title>First</title><link>/1</link><pubDate>Thu, 19 Nov 2026 12:00:00 GMT</pubDate><description>Soup.</description></item>
			<item><guid isPermaLink="false">2</guid><title>Second &amp;amp; last</title><link>https://blog.example/2</link><pubDate>Fri, 20 Nov 2026 13:00:00 +0100</pubDate>
				<description><![CDATA[<p>Leeks,<br>not <b>onions</b>.</p><script>alert(1)</script><style>p{}</style>]]></description></item></channel></rss>`,
		"RSS 1.0": `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
			<channel rdf:about="x"><title>Soups</title><link>https://blog.example/</link></channel>
			<item rdf:about="2"><title>Second &amp; last</title><link>https://blog.example/2</link><dc:date>2026-11-20T12:00:00Z</dc:date><description>Leeks, not onions.</description></item>
			<item rdf:about="1"><title>First</title><link>https://www.blog.example/1</link><dc:date>2026-11-19T12:00:00Z</dc:date><description>Soup.</description></item></rdf:RDF>`,
		"Atom": `<feed xmlns="http://www.w3.org/2005/Atom"><title>Soups</title><link href="https://blog.example/"/><link rel="self" href="https://blog.example/feed"/>
			<entry><id>tag:1</id><title>First</title><link href="../1"/><published>2026-11-19T12:00:00Z</published><updated>2026-11-20T18:00:00Z</updated><summary>Soup.</summary></entry>
			<entry><id>tag:2</id><title type="html">Second &amp;amp; last</title><link href="https://blog.example/2"/><updated>2026-11-20T12:00:00Z</updated>
				<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Leeks, not <b>onions</b>.</p></div></content></entry></feed>`,
		"JSON Feed": `{"version": "https://jsonfeed.org/version/1.1", "title": "Soups", "home_page_url": "https://blog.example/", "items": [
			{"id": "2", "url": "https://blog.example/2", "title": "Second & last", "date_published": "2026-11-20T12:00:00Z", "content_html": "<p>Leeks, not onions.</p>"},
			{"id": "1", "url": "https://www.blog.example/1", "title": "First", "date_published": "2026-11-19T12:00:00Z", "content_text": "Soup."}]}`,
	} {
		t.Run(format, func(t *testing.T) {
			d, err := parse(blogAt, "", []byte(said))
			if err != nil {
				t.Fatal(err)
			}
			if d.Title != "Soups" || d.Site != "https://blog.example/" || (d.every == 2*time.Hour) != (format == "RSS 2.0") {
				t.Errorf("%q, %q, %s", d.Title, d.Site, d.every)
			}
			for i := range d.Items {
				d.Items[i].Key = timeline.IntakeKey{}
				d.Items[i].At = d.Items[i].At.UTC()
			}
			if diff := cmp.Diff(want, d.Items); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestOddFeeds reads titles from feeds in other encodings, feeds that lie about their encoding, and
// feeds with entities.
func TestOddFeeds(t *testing.T) {
	t.Parallel()
	with := func(declaration, title string) string {
		return declaration + "<rss version='2.0'><channel><title>x</title><item><title>" + title + "</title><guid>1</guid></item></channel></rss>"
	}
	cyrillic := func(said string) string {
		out, err := charmap.Windows1251.NewEncoder().String(said)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	wide, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(with(`<?xml version="1.0" encoding="utf-16"?>`, "Привет"))
	if err != nil {
		t.Fatal(err)
	}
	lol := `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">`
	for i := 1; i < 10; i++ {
		lol += fmt.Sprintf(`<!ENTITY lol%d "%s">`, i, strings.Repeat(fmt.Sprintf("&lol%d;", i-1), 10))
	}
	for name, tt := range map[string]struct{ mediaType, said, want string }{
		"declared":                {"", cyrillic(with(`<?xml version="1.0" encoding="windows-1251"?>`, "Привет")), "Привет"},
		"declared against header": {"text/xml; charset=utf-8", cyrillic(with(`<?xml version='1.0' encoding='CP1251'?>`, "Привет")), "Привет"},
		"by the header":           {"text/xml; charset=windows-1251", cyrillic(with("", "Привет")), "Привет"},
		"unknown":                 {"text/xml; charset=klingon", with(`<?xml version="1.0" encoding="klingon"?>`, "Привет"), "Привет"},
		"undeclared":              {"text/xml", with("", "caf\xe9"), "café"},
		"a false UTF-8":           {"text/xml", with(`<?xml version="1.0" encoding="utf-8"?>`, "caf\xe9 au lait"), "caf au lait"},
		"a mark":                  {"", "\ufeff" + with(`<?xml version="1.0" encoding="windows-1251"?>`, "Привет"), "Привет"},
		"UTF-16":                  {"", wide, "Привет"},
		"control characters":      {"", with("", "a\x00b\x0bc\u202ed"), "abcd"},
		"named entities":          {"", with("", "a&nbsp;&mdash;&nbsp;b &laquo;c&raquo;"), "a — b «c»"},
		"entities of a bomb":      {"", with(lol+"]>", "&lol9;"), "&lol9;"},
		"an external entity":      {"", with(`<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>`, "&e;"), "&e;"},
		"space before":            {"", "\n\n " + with(`<?xml version="1.0"?>`, "a"), "a"},
		"unclosed":                {"", with("", "<![CDATA[<b>a <i>b]]>"), "a b"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := parse(blogAt, tt.mediaType, []byte(tt.said))
			if err != nil {
				t.Fatal(err)
			}
			if len(d.Items) != 1 || d.Items[0].Title != tt.want {
				t.Errorf("%q, want %q", d.Items, tt.want)
			}
		})
	}
}

// TestItems reads items without a title, a link or an id.
func TestItems(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		item string
		want timeline.IntakeItem
	}{
		"a short message":     {`<title>I had soup and…</title><link>https://a.example/1</link><description>I had soup and bread.</description>`, timeline.IntakeItem{Link: "https://a.example/1", Text: "I had soup and bread."}},
		"a permanent id":      {`<title>a</title><guid>https://a.example/1</guid>`, timeline.IntakeItem{Title: "a", Link: "https://a.example/1"}},
		"a sound":             {`<title>a</title><enclosure url="/a.mp3" type="audio/mpeg"/>`, timeline.IntakeItem{Title: "a", Link: "https://www.blog.example/a.mp3"}},
		"a link to a script":  {`<title>a</title><link>javascript:alert(1)</link>`, timeline.IntakeItem{Title: "a"}},
		"a link with secrets": {`<title>a</title><link>https://u:p@a.example/</link>`, timeline.IntakeItem{Title: "a"}},
		"a long text":         {`<title>a</title><description>` + strings.Repeat("soup ", 1000) + `</description>`, timeline.IntakeItem{Title: "a", Text: strings.Repeat("soup ", 59) + "soup…"}},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := parse(blogAt, "", []byte("<rss version='2.0'><channel><item>"+tt.item+"</item><item/></channel></rss>"))
			if err != nil || len(d.Items) != 1 {
				t.Fatal(d, err)
			}
			if d.Title != "blog.example" {
				t.Errorf("a feed without a title is called %q", d.Title)
			}
			d.Items[0].Key = timeline.IntakeKey{}
			if diff := cmp.Diff(tt.want, d.Items[0]); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzParse: no document breaks the parser; its texts are short and valid, and its faults are
// known ones.
func FuzzParse(f *testing.F) {
	for _, said := range []string{
		feedOf("1", "2"), `{"version": "https://jsonfeed.org/version/1", "items": [{"id": 1}]}`, "<feed xmlns='http://www.w3.org/2005/Atom'><entry/>", "<rdf:RDF><item>",
		"<?xml encoding='utf-16'?><rss>", "<!DOCTYPE html><link rel=alternate type=application/rss+xml href=x>", "{", "<rss><channel><image><url/></image><item><enclosure/></item>",
	} {
		f.Add("text/xml; charset=koi8-r", []byte(said))
	}
	f.Fuzz(func(t *testing.T, mediaType string, said []byte) {
		namedFeed(blogAt, mediaType, said)
		d, err := parse(blogAt, mediaType, said)
		if err != nil {
			if fault, is := errors.AsType[*timeline.IntakeFault](err); !is || fault.Invalid().Reason == "" {
				t.Errorf("%v", err)
			}
			return
		}
		for _, i := range d.Items {
			if !utf8.ValidString(i.Title+i.Text+i.Link) || strings.ContainsAny(i.Title+i.Text+i.Link, "\x00\n") || len([]rune(i.Title)) > titleLength || len([]rune(i.Text)) > aloneLength || len(i.Link) > mostAddress {
				t.Errorf("%q", i)
			}
		}
	})
}
