package page

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"amstel.dev/amstel/timeline"
)

// shownURL is how many characters of a link are shown at most.
const shownURL = 64

// A Segment is a piece of a text: plain, or a link.
type Segment struct {
	Text     string // as shown
	Href     string // empty: not a link
	External bool   // it leads to another site
}

// Segments cuts a text into plain pieces and links: addresses that begin with
// http:// or https://, @names, and #tags, which are those that the post is found
// by. Joined, the pieces of a text without addresses are the text.
func Segments(text string) []Segment {
	var found []Segment
	tags := tagsOf(text)
	plain := 0 // where the plain text that is not yet cut off begins
	prev := rune(-1)
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRuneInString(text[i:])
		var seg Segment
		var n int
		switch {
		case (c == 'h' || c == 'H') && !wordy(prev):
			seg, n = urlAt(text[i:])
		case c == '@' && opensMention(prev):
			seg, n = mentionAt(text[i:])
		case c == '#' && tags[i].To > 0:
			seg, n = Segment{Text: text[i:tags[i].To], Href: TagPath(tags[i].Name)}, tags[i].To-i
		}
		if n == 0 {
			prev = c
			i += size
			continue
		}
		if plain < i {
			found = append(found, Segment{Text: text[plain:i]})
		}
		found = append(found, seg)
		prev, _ = utf8.DecodeLastRuneInString(text[i : i+n])
		i += n
		plain = i
	}
	if plain < len(text) {
		found = append(found, Segment{Text: text[plain:]})
	}
	return found
}

// tagsOf are the tags of a text, by where they begin.
func tagsOf(text string) map[int]timeline.Sign {
	if !strings.Contains(text, "#") {
		return nil
	}
	tags := make(map[int]timeline.Sign)
	for _, sign := range timeline.Signs(text) {
		if sign.Kind == timeline.SignTag {
			tags[sign.From] = sign
		}
	}
	return tags
}

// Linkify is the text as HTML, escaped, with its links; newlines stay. Changed
// says whether it differs from the text.
func Linkify(text string) (html string, changed bool) {
	var b strings.Builder
	for _, s := range Segments(text) {
		writeSegment(&b, s, nil)
	}
	return b.String(), b.String() != text
}

// urlAt reads the address at the beginning of s and says how long it is; 0 if
// there is none.
func urlAt(s string) (Segment, int) {
	scheme := schemeOf(s)
	if scheme == 0 {
		return Segment{}, 0
	}
	raw := trimURL(s[:endOfURL(s)])
	if len(raw) <= scheme {
		return Segment{}, 0
	}
	first, _ := utf8.DecodeRuneInString(raw[scheme:])
	if !unicode.IsLetter(first) && !unicode.IsDigit(first) && first != '[' {
		return Segment{}, 0
	}
	return Segment{Text: showURL(raw, scheme), Href: raw, External: true}, len(raw)
}

// schemeOf is the length of "http://" or "https://" at the beginning of s.
func schemeOf(s string) int {
	for _, scheme := range []string{"http://", "https://"} {
		if len(s) >= len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
			return len(scheme)
		}
	}
	return 0
}

// endOfURL is where an address must end: at white space, at < or at a bracket
// that closes more than the address opened.
func endOfURL(s string) int {
	var depth [4]int
	for i, c := range s {
		if unicode.IsSpace(c) || unicode.IsControl(c) || c == '<' || c == utf8.RuneError {
			return i
		}
		if b := strings.IndexRune("([{«", c); b >= 0 {
			depth[bracket(c)]++
		} else if k := bracket(c); k >= 0 {
			if depth[k]--; depth[k] < 0 {
				return i
			}
		}
	}
	return len(s)
}

// bracket says which pair of brackets c is of; -1: none.
func bracket(c rune) int {
	switch c {
	case '(', ')':
		return 0
	case '[', ']':
		return 1
	case '{', '}':
		return 2
	case '«', '»':
		return 3
	}
	return -1
}

// trimURL leaves the punctuation at the end of an address to the sentence around
// it. A closing bracket is still there only if the address opened it.
func trimURL(s string) string {
	for s != "" {
		c, size := utf8.DecodeLastRuneInString(s)
		switch {
		case strings.ContainsRune("#/&-_*)]}»", c):
			return s
		case unicode.IsPunct(c), strings.ContainsRune(">|`", c):
			s = s[:len(s)-size]
		default:
			return s
		}
	}
	return s
}

// showURL is an address as people read it: the host and the path in their own
// letters, cut to a decent length.
func showURL(raw string, scheme int) string {
	end := len(raw)
	if i := strings.IndexAny(raw[scheme:], "/?#"); i >= 0 {
		end = scheme + i
	}
	shown := raw[:scheme] + showHost(raw[scheme:end]) + showPath(raw[end:])
	if utf8.RuneCountInString(shown) <= shownURL {
		return shown
	}
	runes := []rune(shown)
	return string(runes[:shownURL-1]) + "…"
}

// showHost decodes the xn-- labels of a host.
func showHost(host string) string {
	if !strings.Contains(strings.ToLower(host), "xn--") {
		return host
	}
	decoded, err := idna.Display.ToUnicode(host)
	if err != nil || !readable(decoded) {
		return host
	}
	return decoded
}

// showPath decodes percent-encoded letters of other alphabets. What is encoded
// in ASCII stays, since decoded it would mean something else, and so does what
// can't be seen or turns the direction of writing.
func showPath(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		run := i
		for run+2 < len(s) && s[run] == '%' && s[run+1] >= '8' {
			run += 3
		}
		if decoded, err := url.PathUnescape(s[i:run]); run > i && err == nil && utf8.ValidString(decoded) && readable(decoded) {
			b.WriteString(decoded)
			i = run
			continue
		}
		next := max(run, i+1)
		b.WriteString(s[i:next])
		i = next
	}
	return b.String()
}

// readable says whether a text consists of visible signs only.
func readable(s string) bool {
	for _, c := range s {
		if !unicode.IsGraphic(c) || unicode.IsSpace(c) || c == utf8.RuneError {
			return false
		}
	}
	return true
}

// mentionAt reads "@name" at the beginning of s; 0 if it is none.
func mentionAt(s string) (Segment, int) {
	n := 1
	for n < len(s) && nameByte(s[n], n > 1) {
		n++
	}
	if next, _ := utf8.DecodeRuneInString(s[n:]); n < len(s) && (wordy(next) || next == '@' || next == '/') {
		return Segment{}, 0
	}
	name := strings.TrimRight(s[1:n], "-")
	if len(name) < 3 || len(name) > 49 {
		return Segment{}, 0
	}
	return Segment{Text: "@" + name, Href: "/" + strings.ToLower(name)}, 1 + len(name)
}

func nameByte(c byte, inner bool) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || inner && c == '-'
}

// opensMention says whether an @ after prev may begin a name: at the beginning,
// after white space, and after what opens or separates.
func opensMention(prev rune) bool {
	return prev == -1 || unicode.IsSpace(prev) || strings.ContainsRune(`([{«"'“‘„,;:!?—–>*`, prev)
}

func wordy(c rune) bool {
	return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c)
}
