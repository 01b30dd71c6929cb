package preview

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"

	"amstel.dev/amstel/timeline/text"
)

// said is a page's description of itself, in its head.
type said struct {
	title, site, about string
	picture            string // its address; "": none
}

// The greatest lengths of the texts that are kept of a page, in characters.
const (
	mostTitle = 200
	mostSite  = 60
	mostAbout = 300
)

// The places of a page's title, description and picture: Open Graph, Twitter's tags, and HTML. The
// first place with a text counts. "title" is the element, all others are names of meta elements.
var (
	titles   = []string{"og:title", "twitter:title", "title"}
	sites    = []string{"og:site_name"}
	abouts   = []string{"og:description", "twitter:description", "description"}
	pictures = []string{"og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src"}
)

// parse reads the head of a page, in the encoding that the page names. A page without a title
// has no preview, whatever else it contains. For a truncated page, the part that was read
// counts.
func parse(at *url.URL, contentType string, body io.Reader) (*said, error) {
	decoded, err := charset.NewReader(body, contentType)
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: the page is empty", errNothing)
	}
	if err != nil {
		return nil, err
	}
	found, err := readHead(decoded)
	if err != nil {
		return nil, err
	}
	first := func(names []string, most int) string {
		for _, name := range names {
			if line := text.OneLine(found[name], most); line != "" {
				return line
			}
		}
		return ""
	}
	s := &said{title: first(titles, mostTitle), site: first(sites, mostSite), about: first(abouts, mostAbout)}
	if s.title == "" {
		return nil, fmt.Errorf("%w: the page has no title", errNothing)
	}
	if s.site == "" {
		s.site = strings.TrimPrefix(at.Hostname(), "www.")
	}
	if s.about == s.title {
		s.about = ""
	}
	for _, name := range pictures {
		if address, err := at.Parse(strings.TrimSpace(found[name])); found[name] != "" && err == nil {
			s.picture = address.String()
			break
		}
	}
	return s, nil
}

// readHead returns the title of a page, and the contents of its meta elements by name, the first
// of each name. It stops where the body begins.
func readHead(page io.Reader) (found map[string]string, err error) {
	found = make(map[string]string)
	note := func(name, content string) {
		name = strings.ToLower(strings.TrimSpace(name))
		if _, is := found[name]; !is && strings.TrimSpace(content) != "" {
			found[name] = content
		}
	}
	z := html.NewTokenizer(page)
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			if err := z.Err(); !errors.Is(err, io.EOF) {
				return nil, err
			}
			return found, nil
		case html.StartTagToken, html.SelfClosingTagToken:
			token := z.Token()
			switch token.DataAtom {
			case atom.Body:
				return found, nil
			case atom.Title:
				if z.Next() == html.TextToken {
					note("title", z.Token().Data)
				}
			case atom.Meta:
				var names []string
				content := ""
				for _, a := range token.Attr {
					switch a.Key {
					case "property", "name":
						names = append(names, a.Val)
					case "content":
						content = a.Val
					}
				}
				for _, name := range names {
					note(name, content)
				}
			}
		}
	}
}
