package intake

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mmcdole/gofeed"
	"github.com/mmcdole/gofeed/rss"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/text"
)

// The bounds of a document, beside its size.
const (
	mostDepth   = 100   // of elements in elements: the parser calls itself for each
	mostSpaces  = 100   // namespaces in scope: the parser copies them for each element
	mostItems   = 2000  // in the document
	keptItems   = 500   // of the items, the newest
	mostAddress = 1500  // the length of an address, in bytes
	titleLength = 200   // of an item, in characters
	aboutLength = 300   // of a text below a title
	aloneLength = 1000  // of a text without a title
	mostProse   = 20000 // how much of a text is read, in bytes
	titleOfFeed = text.MaxLabel
)

// A document is a feed as it was fetched.
type document struct {
	timeline.IntakeDocument
	every time.Duration // the time between two fetches that the feed asks for; 0: it does not ask
}

// parse reads a feed: RSS, Atom or JSON Feed, in any encoding. At is its address, against which
// its links are resolved. The error is a [timeline.IntakeFault].
func parse(at *url.URL, contentType string, data []byte) (d *document, err error) {
	defer func() {
		// The parser has panicked on damaged feeds in earlier versions. A feed must not end the process.
		if why := recover(); why != nil {
			d, err = nil, &timeline.IntakeFault{Code: timeline.IntakeBroken, Detail: "the parser gave up"}
		}
	}()
	said := decode(contentType, data)
	start := strings.TrimLeft(said, " \t\r\n")
	var feed *gofeed.Feed
	d = &document{}
	switch {
	case strings.HasPrefix(start, "{"):
		if feed, err = gofeed.NewParser().ParseString(said); err != nil || !strings.Contains(feed.FeedVersion, "jsonfeed.org") {
			return nil, &timeline.IntakeFault{Code: timeline.IntakeNoFeed}
		}
	case isPage(contentType, start) || !strings.HasPrefix(start, "<"):
		return nil, &timeline.IntakeFault{Code: timeline.IntakeNoFeed}
	default:
		if err := checkXML(said); err != nil {
			return nil, err
		}
		parser := gofeed.NewParser()
		parser.RSSTranslator = &withTTL{every: &d.every}
		if feed, err = parser.ParseString(said); err != nil {
			if errors.Is(err, gofeed.ErrFeedTypeNotDetected) {
				return nil, &timeline.IntakeFault{Code: timeline.IntakeNoFeed}
			}
			return nil, &timeline.IntakeFault{Code: timeline.IntakeBroken, Detail: text.OneLine(err.Error(), 100)}
		}
	}
	d.Title = cmp.Or(plain(feed.Title, titleOfFeed), strings.TrimPrefix(at.Hostname(), "www."))
	d.Site = link(at, feed.Link)
	d.Items = itemsOf(at, feed.Items)
	return d, nil
}

// withTTL is the translator of RSS that also reads the time between two fetches.
type withTTL struct {
	gofeed.DefaultRSSTranslator
	every *time.Duration
}

// Translate returns the feed in the form that all formats share.
func (t *withTTL) Translate(feed any) (*gofeed.Feed, error) {
	if f, is := feed.(*rss.Feed); is {
		if minutes, err := strconv.ParseUint(strings.TrimSpace(f.TTL), 10, 20); err == nil {
			*t.every = time.Duration(minutes) * time.Minute
		}
	}
	return t.DefaultRSSTranslator.Translate(feed)
}

// itemsOf returns the newest items of a feed, the newest first. A feed in which an item has no
// date is taken to be in this order already.
func itemsOf(at *url.URL, items []*gofeed.Item) []timeline.IntakeItem {
	var all []timeline.IntakeItem
	known := make(map[timeline.IntakeKey]bool)
	dated := true
	for _, i := range items {
		if i == nil {
			continue
		}
		one := itemOf(at, i)
		if known[one.Key] || one.Title+one.Link+one.Text == "" {
			continue
		}
		known[one.Key] = true
		dated = dated && !one.At.IsZero()
		all = append(all, one)
	}
	if dated {
		slices.SortStableFunc(all, func(a, b timeline.IntakeItem) int { return b.At.Compare(a.At) })
	}
	return all[:min(len(all), keptItems)]
}

// itemOf returns an item in plain text. Its key is made of its id; of its link if it has no id; or
// else of its texts.
func itemOf(at *url.URL, i *gofeed.Item) timeline.IntakeItem {
	one := timeline.IntakeItem{Title: plain(i.Title, titleLength), Link: link(at, i.Link)}
	if one.Link == "" {
		one.Link = link(nil, i.GUID) // a permanent link, if it is an address
	}
	for _, e := range i.Enclosures {
		if one.Link == "" && e != nil {
			one.Link = link(at, e.URL)
		}
	}
	length := aboutLength
	if one.Title == "" {
		length = aloneLength
	}
	one.Text = cmp.Or(plain(i.Description, length), plain(i.Content, length))
	if begins(one.Text, one.Title) {
		one.Title, one.Text = "", cmp.Or(plain(i.Description, aloneLength), plain(i.Content, aloneLength))
	}
	if at := cmp.Or(i.PublishedParsed, i.UpdatedParsed); at != nil {
		one.At = *at
	}
	id := cmp.Or(strings.TrimSpace(i.GUID), one.Link, one.Title+"\n"+one.Text)
	one.Key = timeline.IntakeKey(sha256.Sum256([]byte(id)))
	return one
}

// begins reports whether a title repeats the beginning of the text, as in feeds of short messages.
func begins(said, title string) bool {
	title = strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(title, "…"), "..."), " ")
	return title != "" && strings.HasPrefix(said, title)
}

// link returns an address of a web page, resolved against that of the feed; "" if it is none.
func link(at *url.URL, address string) string {
	address = strings.TrimSpace(address)
	if address == "" || len(address) > mostAddress {
		return ""
	}
	to, err := url.Parse(address)
	if err == nil && at != nil {
		to = at.ResolveReference(to)
	}
	if err != nil || to.Scheme != "http" && to.Scheme != "https" || to.Host == "" || to.User != nil {
		return ""
	}
	if address = to.String(); len(address) > mostAddress || strings.ContainsAny(address, " <>\"") {
		return ""
	}
	return address
}

// plain returns HTML as a line of plain text, of at most length characters.
func plain(from string, length int) string {
	from = from[:min(len(from), mostProse)]
	var b strings.Builder
	skip := atom.Atom(0) // the element whose text is not shown
	z := html.NewTokenizer(strings.NewReader(from))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return text.OneLine(b.String(), length)
		case html.TextToken:
			if skip == 0 {
				b.Write(z.Text())
			}
		case html.StartTagToken:
			switch tag := z.Token().DataAtom; tag {
			case atom.Script, atom.Style, atom.Template, atom.Iframe, atom.Noscript:
				skip = tag
			case atom.B, atom.I, atom.A, atom.Em, atom.Strong, atom.Span, atom.Code, atom.U, atom.S, atom.Sub, atom.Sup, atom.Wbr, atom.Abbr, atom.Cite, atom.Small:
			default:
				b.WriteByte(' ')
			}
		case html.EndTagToken:
			if tag := z.Token().DataAtom; tag == skip {
				skip = 0
			}
		case html.SelfClosingTagToken:
			b.WriteByte(' ')
		}
	}
}

// declared finds the encoding in the declaration at the beginning of an XML document, and
// declaration the whole declaration.
var (
	declared    = regexp.MustCompile(`^\s*<\?xml[^>]*\bencoding\s*=\s*["']([A-Za-z0-9._:-]+)["']`)
	declaration = regexp.MustCompile(`^\s*<\?xml[^>]*\?>`)
)

// decode returns a document as UTF-8, without a declaration of an encoding. The encoding is that of
// a byte order mark, or else that of the declaration, which the author of the feed wrote, or else
// that of the header, or else UTF-8 if the document is valid so.
func decode(contentType string, data []byte) string {
	label := ""
	if found := declared.FindSubmatch(data[:min(len(data), 500)]); found != nil {
		label = string(found[1])
	} else if _, params, err := mime.ParseMediaType(contentType); err == nil {
		label = params["charset"]
	}
	marked := bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) || bytes.HasPrefix(data, []byte("\xfe\xff")) || bytes.HasPrefix(data, []byte("\xff\xfe"))
	encoding, _ := charset.Lookup(label)
	switch {
	case marked || encoding == nil && !utf8.Valid(data):
		encoding, _, _ = charset.DetermineEncoding(data, "")
	case encoding == nil:
		encoding, _ = charset.Lookup("utf-8")
	}
	said, err := encoding.NewDecoder().Bytes(data)
	if err != nil {
		said = data
	}
	said = bytes.TrimPrefix(said, []byte("\ufeff"))
	said = declaration.ReplaceAll(said, nil)
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff {
			return -1 // XML has no such characters
		}
		return r
	}, strings.ToValidUTF8(string(said), "\ufffd"))
}

// checkXML returns a fault for an XML document that would take the parser too long, or too deep.
// Neither checkXML nor the parser expands the entities that a document declares.
func checkXML(said string) error {
	d := xml.NewDecoder(strings.NewReader(said))
	d.Strict = false
	items, inScope := 0, []int{0}
	for {
		token, err := d.RawToken()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return &timeline.IntakeFault{Code: timeline.IntakeBroken, Detail: text.OneLine(err.Error(), 100)}
		}
		switch t := token.(type) {
		case xml.StartElement:
			spaces := inScope[len(inScope)-1]
			for _, a := range t.Attr {
				if a.Name.Space == "xmlns" || a.Name.Local == "xmlns" {
					spaces++
				}
			}
			inScope = append(inScope, spaces)
			if t.Name.Local == "item" || t.Name.Local == "entry" {
				items++
			}
			if len(inScope) > mostDepth || spaces > mostSpaces {
				return &timeline.IntakeFault{Code: timeline.IntakeBroken, Detail: "its elements are nested too deep"}
			}
			if items > mostItems {
				return &timeline.IntakeFault{Code: timeline.IntakeLarge, Detail: fmt.Sprintf("more than %d items", mostItems)}
			}
		case xml.EndElement:
			if len(inScope) > 1 {
				inScope = inScope[:len(inScope)-1]
			}
		}
	}
}

// isPage reports whether a document is a web page rather than a feed.
func isPage(contentType, start string) bool {
	start = strings.ToLower(start[:min(len(start), 100)])
	mediaType, _, _ := mime.ParseMediaType(contentType)
	return strings.HasPrefix(start, "<!doctype html") || strings.HasPrefix(start, "<html") ||
		mediaType == "text/html" && !strings.HasPrefix(start, "<rss") && !strings.HasPrefix(start, "<feed") && !strings.HasPrefix(start, "<rdf")
}

// feedTypes are the media types of the feeds that a web page can name.
var feedTypes = []string{"application/rss+xml", "application/atom+xml", "application/feed+json"}

// namedFeed returns the address of the first feed that a web page names in its head; "" if the
// document is no page, or names none.
func namedFeed(at *url.URL, contentType string, data []byte) string {
	said := decode(contentType, data)
	if !isPage(contentType, strings.TrimLeft(said, " \t\r\n")) {
		return ""
	}
	z := html.NewTokenizer(strings.NewReader(said))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken, html.SelfClosingTagToken:
			token := z.Token()
			if token.DataAtom == atom.Body {
				return ""
			}
			if token.DataAtom != atom.Link {
				continue
			}
			of := make(map[string]string)
			for _, a := range token.Attr {
				of[a.Key] = a.Val
			}
			is := slices.Contains(strings.Fields(strings.ToLower(of["rel"])), "alternate") &&
				slices.Contains(feedTypes, strings.ToLower(strings.TrimSpace(of["type"])))
			if found := link(at, of["href"]); is && found != "" {
				return found
			}
		}
	}
}
