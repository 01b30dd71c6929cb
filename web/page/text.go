package page

import (
	"context"
	"html"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// markedText renders what a person wrote as paragraphs with links, and marks the words
// that a search found, except in addresses of other sites. Empty lines separate
// paragraphs; single newlines are kept if linebreaks is set.
func markedText(s string, linebreaks bool, hits []string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		hits := shownHits(s, hits)
		for _, lines := range paragraphs(s) {
			b.WriteString("<p>")
			for i, line := range lines {
				switch {
				case i > 0 && linebreaks:
					b.WriteString("<br>")
				case i > 0:
					b.WriteString("\n")
				}
				for _, seg := range Segments(line) {
					writeSegment(&b, seg, hits)
				}
			}
			b.WriteString("</p>")
		}
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// writeSegment is one of the two functions that write HTML by hand, because white space
// between links and words counts. Text and address are escaped, and an address begins
// with http or a slash.
func writeSegment(b *strings.Builder, s Segment, hits []string) {
	switch {
	case s.Href == "":
		writeMarked(b, s.Text, hits)
	case s.External:
		b.WriteString(`<a href="` + html.EscapeString(s.Href) + `" target="_blank" rel="nofollow noopener">` + html.EscapeString(s.Text) + `</a>`)
	default:
		b.WriteString(`<a href="` + html.EscapeString(s.Href) + `">`)
		writeMarked(b, s.Text, hits)
		b.WriteString(`</a>`)
	}
}

// writeNamed is the other function that writes HTML by hand: a name, with the address of
// a page of this site. A name can't change the direction of the text after it.
func writeNamed(b *strings.Builder, p named) {
	if p.Href == "" {
		b.WriteString(html.EscapeString(p.Text))
		return
	}
	b.WriteString(`<a href="` + html.EscapeString(p.Href) + `"><bdi>` + html.EscapeString(p.Text) + `</bdi></a>`)
}

// paragraphs returns the lines of each paragraph of a text, without empty ones.
func paragraphs(s string) [][]string {
	var all [][]string
	var lines []string
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, " \t\r\n")
		if line != "" {
			lines = append(lines, line)
			continue
		}
		if len(lines) > 0 {
			all = append(all, lines)
			lines = nil
		}
	}
	if len(lines) > 0 {
		all = append(all, lines)
	}
	return all
}

// oneLine reports whether a text is so short that what follows it may be on the same
// line.
func oneLine(s string) bool {
	return !strings.Contains(strings.TrimSpace(s), "\n")
}
