package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The limits of the signs in a text.
const (
	maxTag   = 50 // characters of a hashtag
	maxTags  = 20 // hashtags of a text
	maxNames = 20 // names in a text, so that one text can't notify thousands of people
)

// SignKind is the kind of a [Sign].
type SignKind string

// The kinds of sign.
const (
	SignName    SignKind = "name"    // @name, whether or not an account has the name
	SignTag     SignKind = "tag"     // #tag
	SignAddress SignKind = "address" // http://…, https://…
)

// A Sign is a piece of a text that refers to something: a name, a hashtag or an address.
type Sign struct {
	Kind     SignKind
	From, To int    // the position in the text, in bytes, including the @ or #
	Name     string // of a name or a hashtag: in lower case, without the sign
}

// Signs returns the signs of a text, in their order. A sign does not begin in the middle of a word,
// nor in an address. A hashtag consists of up to 50 characters: letters of any alphabet, digits,
// underscores and, between these, hyphens.
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

// wordy reports whether c can be a part of a word.
func wordy(c rune) bool {
	return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c)
}

// opensName reports whether an @ after prev may begin a name: at the beginning of a
// text, after white space, and after a bracket, a quotation mark or a separator.
func opensName(prev rune) bool {
	return prev == -1 || unicode.IsSpace(prev) || strings.ContainsRune(`([{«"'“‘„,;:!?—–>*`, prev)
}

// nameAt reads "@name" at the beginning of s. It returns a zero Sign if s does not begin with a name.
func nameAt(s string) Sign {
	inner := func(c byte) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
	}
	n := 1
	for n < len(s) && (inner(s[n]) || n > 1 && s[n] == '-') {
		n++
	}
	if next, _ := utf8.DecodeRuneInString(s[n:]); n < len(s) && (wordy(next) || next == '@' || next == '/') {
		return Sign{} // an e-mail address, or a name of another site
	}
	name := strings.ToLower(strings.TrimRight(s[1:n], "-"))
	if !nameForm.MatchString(name) {
		return Sign{}
	}
	return Sign{Kind: SignName, To: 1 + len(name), Name: name}
}

// tagAt reads "#tag" at the beginning of s. It returns a zero Sign if s does not begin with a hashtag.
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

// addressAt reads an address at the beginning of s. The address ends before white space, before a <,
// or before a closing bracket that the address has not opened. addressAt returns a zero Sign if s does
// not begin with an address.
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

// Names returns the first twenty names with an @ in a text, in lower case, each once,
// whether or not accounts have these names.
func Names(text string) []string { return signed(text, SignName, '@', maxNames) }

// Tags returns the first twenty hashtags of a text, each once.
func Tags(text string) []string { return signed(text, SignTag, '#', maxTags) }

// signed returns the names of the signs of a kind, each once, at most most of them.
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

// TagOf returns the hashtag that a word consists of; punctuation may follow it. It returns "" for any
// other word.
func TagOf(part string) string {
	if !strings.HasPrefix(part, "#") {
		return ""
	}
	if tag := tagAt(part); strings.IndexFunc(part[tag.To:], wordy) < 0 {
		return tag.Name
	}
	return ""
}
