package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// What a text may name: a tag's length, how many tags a post has, and how many
// names count in a text, so that nobody tells thousands of something at once.
const (
	maxTag   = 50
	maxTags  = 20
	maxNames = 20
)

// SignKind says what a [Sign] is.
type SignKind string

// The kinds of sign.
const (
	SignName    SignKind = "name"    // @name of somebody, or what looks like it
	SignTag     SignKind = "tag"     // #tag
	SignAddress SignKind = "address" // http://…, https://…
)

// A Sign is a piece of a text that stands for something: somebody's name, a tag,
// an address.
type Sign struct {
	Kind     SignKind
	From, To int    // where it is in the text, in bytes; its @ or # included
	Name     string // of a name or a tag: as it is kept, in lower case, without the sign
}

// Signs finds the signs of a text, in their order. In the middle of a word there
// is none, nor in an address. A tag is letters of any alphabet, digits, low lines
// and, between them, hyphens; what is longer than 50 characters is none.
func Signs(text string) []Sign {
	var found []Sign
	prev := rune(-1)
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRuneInString(text[i:])
		var sign Sign
		switch {
		case (c == 'h' || c == 'H') && !wordy(prev):
			sign = addressAt(text[i:])
		case c == '@' && opensName(prev):
			sign = nameAt(text[i:])
		case c == '#' && !wordy(prev) && !strings.ContainsRune("#@&/-", prev):
			sign = tagAt(text[i:])
		}
		if sign.To == 0 {
			prev = c
			i += size
			continue
		}
		sign.From, sign.To = i, i+sign.To
		found = append(found, sign)
		i = sign.To
		prev, _ = utf8.DecodeLastRuneInString(text[:i])
	}
	return found
}

// wordy says whether c is a part of a word.
func wordy(c rune) bool {
	return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c)
}

// opensName says whether an @ after prev may begin a name: at the beginning,
// after white space, and after what opens or separates.
func opensName(prev rune) bool {
	return prev == -1 || unicode.IsSpace(prev) || strings.ContainsRune(`([{«"'“‘„,;:!?—–>*`, prev)
}

// nameAt reads "@name" at the beginning of s.
func nameAt(s string) Sign {
	inner := func(c byte) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
	}
	n := 1
	for n < len(s) && (inner(s[n]) || n > 1 && s[n] == '-') {
		n++
	}
	if next, _ := utf8.DecodeRuneInString(s[n:]); n < len(s) && (wordy(next) || next == '@' || next == '/') {
		return Sign{} // a mail address, or another site's name
	}
	name := strings.ToLower(strings.TrimRight(s[1:n], "-"))
	if !nameForm.MatchString(name) {
		return Sign{}
	}
	return Sign{Kind: SignName, To: 1 + len(name), Name: name}
}

// tagAt reads "#tag" at the beginning of s.
func tagAt(s string) Sign {
	end := 1
	for i, c := range s[1:] {
		if wordy(c) {
			end = 1 + i + utf8.RuneLen(c)
		} else if c != '-' || 1+i != end || end == 1 {
			break
		}
	}
	tag := norm.NFC.String(strings.ToLower(norm.NFC.String(s[1:end])))
	if n := utf8.RuneCountInString(tag); n < 1 || n > maxTag {
		return Sign{}
	}
	return Sign{Kind: SignTag, To: end, Name: tag}
}

// addressAt reads an address at the beginning of s: up to white space, a < or a
// bracket that closes more than the address opened.
func addressAt(s string) Sign {
	var host int
	for _, scheme := range []string{"http://", "https://"} {
		if len(s) > len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
			host = len(scheme)
		}
	}
	if first, _ := utf8.DecodeRuneInString(s[host:]); host == 0 || !wordy(first) && first != '[' {
		return Sign{}
	}
	const open, closed = "([{«", ")]}»"
	var depth [len(open)]int
	for i, c := range s {
		if o := strings.IndexRune(open, c); o >= 0 {
			depth[o]++
		} else if o := strings.IndexRune(closed, c); o >= 0 {
			if depth[o]--; depth[o] < 0 {
				return Sign{Kind: SignAddress, To: i}
			}
		}
		if unicode.IsSpace(c) || unicode.IsControl(c) || c == '<' {
			return Sign{Kind: SignAddress, To: i}
		}
	}
	return Sign{Kind: SignAddress, To: len(s)}
}

// Names returns the first twenty names that a text has with an @, in lower case,
// each once, whether or not an account has the name.
func Names(text string) []string { return signed(text, SignName, '@', maxNames) }

// Tags returns the first twenty tags of a post's text, each once.
func Tags(text string) []string { return signed(text, SignTag, '#', maxTags) }

// signed are the names that signs of a kind have, each once, at most so many.
func signed(text string, kind SignKind, mark byte, most int) (names []string) {
	if strings.IndexByte(text, mark) < 0 {
		return nil
	}
	for _, s := range Signs(text) {
		if s.Kind == kind && len(names) < most && !slices.Contains(names, s.Name) {
			names = append(names, s.Name)
		}
	}
	return names
}

// TagOf returns the tag that a word consists of, whether or not a sign of the
// sentence follows; "" for a word that is no tag.
func TagOf(part string) string {
	if !strings.HasPrefix(part, "#") {
		return ""
	}
	if tag := tagAt(part); strings.IndexFunc(part[tag.To:], wordy) < 0 {
		return tag.Name
	}
	return ""
}
