package page

import (
	"context"
	"html"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/a-h/templ"
)

// markedText renders what a person wrote as paragraphs with links, and marks the words
// that a search found, except in addresses of other sites. Single newlines are kept if
// linebreaks is set. Of the markup that people type, it shows quotes, lists and code; see
// [blocks] and [writeLine].
func markedText(s string, linebreaks bool, hits []string) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		var b strings.Builder
		host := hostOf(ctx)
		hits := shownHits(s, hits)
		separator := "\n"
		if linebreaks {
			separator = "<br>"
		}
		write := func(separator string, lines []string) {
			for i, line := range lines {
				if i > 0 {
					b.WriteString(separator)
				}
				writeLine(&b, line, host, hits)
			}
		}
		for _, one := range blocks(s) {
			switch one.kind {
			case blockList:
				b.WriteString("<ul><li>")
				write("</li><li>", one.lines)
				b.WriteString("</li></ul>")
			case blockQuote:
				b.WriteString("<blockquote><p>")
				write(separator, one.lines)
				b.WriteString("</p></blockquote>")
			case blockCode:
				b.WriteString("<pre><code>")
				writeMarked(&b, strings.Join(one.lines, "\n"), hits)
				b.WriteString("</code></pre>")
			default:
				b.WriteString("<p>")
				write(separator, one.lines)
				b.WriteString("</p>")
			}
		}
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// writeLine writes one line of a text with its links, and as code the parts between two
// backticks. A backtick inside a word, or before a space, begins no code.
func writeLine(b *strings.Builder, line, host string, hits []string) {
	for from := 0; ; {
		n := strings.IndexByte(line[from:], '`')
		if n < 0 {
			writeLinked(b, line, host, hits)
			return
		}
		before, rest := line[:from+n], line[from+n+1:]
		code, after, closed := strings.Cut(rest, "`")
		last, _ := utf8.DecodeLastRuneInString(before)
		if !closed || code == "" || code[0] == ' ' || unicode.IsLetter(last) || unicode.IsDigit(last) {
			from += n + 1
			continue
		}
		writeLinked(b, before, host, hits)
		b.WriteString("<code>")
		writeMarked(b, code, hits)
		b.WriteString("</code>")
		line, from = after, 0
	}
}

// writeLinked writes a text with its links.
func writeLinked(b *strings.Builder, said, host string, hits []string) {
	for _, seg := range Segments(said, host) {
		if seg.Href != "" {
			writeSegment(b, seg, hits)
			continue
		}
		for _, seg := range bareLinks(seg.Text, host) {
			writeSegment(b, seg, hits)
		}
	}
}

// writeSegment is one of the two functions that write HTML by hand, because white space
// between links and words counts. Text and address are escaped, and an address begins
// with http, mailto or a slash.
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

// A block is some lines of a text that are shown together, without the signs of the block.
type block struct {
	kind  blockKind
	lines []string
}

// A blockKind is the kind of a block, by which it is shown.
type blockKind int

const (
	blockParagraph blockKind = iota
	blockQuote               // each line began with "> "
	blockList                // each line began with "* " or "• "; there are at least two
	blockCode                // between two lines of three backticks
)

// fence is the line before and after a block of code.
const fence = "```"

// blocks cuts a text into blocks. Empty lines separate blocks, and so does a change of the
// signs at the beginnings of lines. Lines without a meaning of this kind are paragraphs, as
// they were typed.
func blocks(s string) []block {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\r")
	}
	var all []block
	joins := false // the next line may belong to the last block
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if line == "" {
			joins = false
			continue
		}
		if line == fence {
			if n := slices.Index(lines[i+1:], fence); n > 0 {
				all = append(all, block{blockCode, lines[i+1 : i+1+n]})
				i += 1 + n
				joins = false
				continue
			}
		}
		kind, rest := signOf(line)
		if kind == blockList && !(joins && all[len(all)-1].kind == blockList) {
			if i+1 == len(lines) {
				kind, rest = blockParagraph, line
			} else if next, _ := signOf(lines[i+1]); next != blockList {
				kind, rest = blockParagraph, line // a single star begins a footnote
			}
		}
		if !joins || all[len(all)-1].kind != kind {
			all = append(all, block{kind: kind})
		}
		last := &all[len(all)-1]
		last.lines = append(last.lines, rest)
		joins = true
	}
	return all
}

// signOf returns the kind of block that a line belongs to by its beginning, and the line
// without the sign.
func signOf(line string) (blockKind, string) {
	for _, sign := range []struct {
		text string
		kind blockKind
	}{{"> ", blockQuote}, {"* ", blockList}, {"• ", blockList}} {
		if rest, is := strings.CutPrefix(line, sign.text); is {
			return sign.kind, rest
		}
	}
	return blockParagraph, line
}

// oneLine reports whether a text is so short that what follows it may be on the same
// line.
func oneLine(s string) bool {
	s = strings.TrimSpace(s)
	kind, _ := signOf(s)
	return !strings.Contains(s, "\n") && kind != blockQuote
}

// The beginning of a long post that a page of many posts shows, in characters and lines, and
// how much more than that a post must have to be cut.
const (
	textShown, linesShown = 700, 10
	textMore, linesMore   = 400, 5
)

// cutLong returns the beginning of a long text and its rest; the rest of other texts is
// empty. It cuts between two lines, or else between two words. A text with a block of code
// is left whole.
func cutLong(s string) (beginning, rest string) {
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) <= textShown+textMore && strings.Count(s, "\n") <= linesShown+linesMore || strings.Contains(s, fence) {
		return s, ""
	}
	runes, lines := 0, 1
	for i, c := range s {
		switch {
		case c == '\n' && (runes > textShown || lines >= linesShown):
			return s[:i], s[i+1:]
		case c == ' ' && runes > textShown+textMore:
			return s[:i], s[i+1:]
		case c == '\n':
			lines++
		}
		runes++
	}
	return s, ""
}
