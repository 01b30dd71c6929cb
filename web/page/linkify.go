package page

import (
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"amstel.dev/amstel/timeline/text"
)

// shownURL is how many characters of a link are shown whole; of a longer one, cutURL of them
// and three dots.
const shownURL, cutURL = 64, 61

// A Segment is a piece of a text: plain, or a link.
type Segment struct {
	Text     string // as shown
	Href     string // empty: not a link
	External bool   // it leads to another site
}

// Segments cuts a text into plain pieces and links: addresses that begin with http:// or
// https://, @names, and #tags, by the same rules that find mentions and hashtags. The
// joined pieces of a text without addresses are the text. Host is the host of this site.
func Segments(said, host string) []Segment {
	var found []Segment
	plain := 0 // the beginning of the text that is in no segment yet
	for _, sign := range text.Signs(said) {
		piece := said[sign.From:sign.To]
		seg, n := Segment{Text: piece}, len(piece)
		switch sign.Kind {
		case text.SignName:
			seg.Href = "/" + sign.Name
		case text.SignTag:
			seg.Href = TagPath(sign.Name)
		case text.SignAddress:
			seg, n = urlOf(piece, host)
		}
		if n == 0 {
			continue
		}
		if plain < sign.From {
			found = append(found, Segment{Text: said[plain:sign.From]})
		}
		found = append(found, seg)
		plain = sign.From + n
	}
	if plain < len(said) {
		found = append(found, Segment{Text: said[plain:]})
	}
	return found
}

// Linkify returns the text as escaped HTML with links; newlines stay. Changed reports
// whether the HTML differs from the text.
func Linkify(text, host string) (html string, changed bool) {
	var b strings.Builder
	for _, s := range Segments(text, host) {
		writeSegment(&b, s, nil)
	}
	return b.String(), b.String() != text
}

// bare finds addresses that are written without http (group 2), and e-mail addresses (group
// 3). Group 1 is the character before them.
var bare = regexp.MustCompile(`(^|[\s("'«“„<:,;])(?:((?:www|Www|WWW)\.[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+[^\s<>"«»“”()\[\]]*)|([A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}))`)

// bareLinks cuts a text without other links into plain pieces, addresses that begin with
// www, and e-mail addresses. The joined pieces are the text, except that long addresses are shortened.
func bareLinks(said, host string) []Segment {
	if !strings.Contains(said, "@") && !strings.Contains(said, "ww.") && !strings.Contains(said, "WW.") {
		return []Segment{{Text: said}} // as in most texts, where the expression would be wasted work
	}
	var found []Segment
	plain := 0 // the beginning of the text that is in no segment yet
	for _, at := range bare.FindAllStringSubmatchIndex(said, -1) {
		var seg Segment
		from, to := at[4], at[5]
		if from >= 0 {
			raw := text.TrimAddress(said[from:to])
			to = from + len(raw)
			seg = Segment{Text: showURL(raw, 0), Href: "https://" + raw, External: !isHost(raw, host)}
		} else {
			from, to = at[6], at[7]
			seg = Segment{Text: said[from:to], Href: "mailto:" + said[from:to], External: true}
		}
		if plain < from {
			found = append(found, Segment{Text: said[plain:from]})
		}
		found = append(found, seg)
		plain = to
	}
	if plain < len(said) {
		found = append(found, Segment{Text: said[plain:]})
	}
	return found
}

// urlOf returns the address at the beginning of s and its length in bytes; 0 if there is
// none.
func urlOf(s, host string) (Segment, int) {
	scheme := schemeOf(s)
	if at := strings.IndexRune(s, utf8.RuneError); at >= 0 {
		s = s[:at]
	}
	raw := text.TrimAddress(s)
	if len(raw) <= scheme {
		return Segment{}, 0
	}
	first, _ := utf8.DecodeRuneInString(raw[scheme:])
	if !unicode.IsLetter(first) && !unicode.IsDigit(first) && first != '[' {
		return Segment{}, 0
	}
	return Segment{Text: showURL(raw, scheme), Href: raw, External: !isHost(raw[scheme:], host)}, len(raw)
}

// isHost reports whether an address without its scheme is of the host.
func isHost(address, host string) bool {
	if end := strings.IndexAny(address, "/?#"); end >= 0 {
		address = address[:end]
	}
	return host != "" && strings.EqualFold(address, host)
}

// schemeOf returns the length of the "http://" or "https://" at the beginning of s.
func schemeOf(s string) int { return strings.Index(s, "//") + len("//") }

// showURL returns an address as people read it: host and path in their own letters,
// shortened.
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
	return string(runes[:cutURL]) + "..."
}

// showHost returns a host with its xn-- labels decoded.
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

// showPath returns a path with the encoded letters of other alphabets decoded. Encoded
// ASCII stays, because it would mean something else decoded, and so do invisible
// characters and those that change the direction of writing.
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

// readable reports whether a text has visible characters only.
func readable(s string) bool {
	for _, c := range s {
		if !unicode.IsGraphic(c) || unicode.IsSpace(c) || c == utf8.RuneError {
			return false
		}
	}
	return true
}
