package query

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"amstel.dev/amstel/timeline/text"
)

// Parse reads the text that a person typed into the field for a search:
//
//	boats harbour     posts with both words, in any of their forms
//	"red boat"        words that stand together
//	-sail -"red boat" without these; a - may stand before everything but days and in:
//	in:comments       the words are looked for in comments, all in one comment
//	#amstel           with the hashtag
//	from:anna         by anna; from:anna from:bert by one of them
//	group:rowing      in the group, or in one of several
//	liked-by:anna     that anna likes; of several people, all do
//	commented-by:anna that anna commented on; of several people, all did
//	has:image         with a picture; also has:video, has:audio and has:file
//	after:2024-05-01  published on that day or later, in UTC
//	before:2024-06-01 published before that day began
//
// A post must meet all conditions. Parse returns a [text.InvalidError] of the field q for a text
// that it can't read, or that has no positive condition. It reads the text that [Search.String]
// returns as the same search.
func Parse(typed string) (Search, error) {
	var p parser
	switch {
	case !text.Valid(typed):
		return Search{}, Invalid("is not valid UTF-8 text", "characters", "")
	case strings.TrimSpace(typed) == "":
		return Search{}, Invalid("is empty", "empty", "")
	case utf8.RuneCountInString(typed) > maxLength:
		return Search{}, Invalid("is longer than 500 characters", "too_long", "")
	}
	if err := p.read(typed); err != nil {
		return Search{}, err
	}
	p.normalize()
	if err := p.check(); err != nil {
		return Search{}, err
	}
	if utf8.RuneCountInString(p.String()) > maxLength { // letters may be longer in lower case
		return Search{}, Invalid("is longer than 500 characters", "too_long", "")
	}
	return p.Search, nil
}

// A parser reads a search part by part, and adds each part to the Search.
type parser struct{ Search }

// quotes are the quotation marks of phrases, in the typography of any language.
const quotes = "\"“”„«»"

func isQuote(c rune) bool { return strings.ContainsRune(quotes, c) }

// read reads the parts of a text: the text between quotes is one part, and so is each
// text between blanks.
func (p *parser) read(text string) error {
	for {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
		if text == "" {
			return nil
		}
		rest := strings.TrimLeft(text, "-")
		not := len(rest) < len(text)
		if c, size := utf8.DecodeRuneInString(rest); isQuote(c) {
			phrase, after := rest[size:], ""
			if end := strings.IndexFunc(phrase, isQuote); end >= 0 {
				_, size := utf8.DecodeRuneInString(phrase[end:])
				phrase, after = phrase[:end], phrase[end+size:]
			}
			p.word(phrase, not)
			text = after
			continue
		}
		end := strings.IndexFunc(rest, func(c rune) bool { return unicode.IsSpace(c) || isQuote(c) })
		if end < 0 {
			end = len(rest)
		}
		if err := p.part(rest[:end], not); err != nil {
			return err
		}
		text = rest[end:]
	}
}

// part reads a part that is not between quotes; not is true after a -.
func (p *parser) part(part string, not bool) error {
	if tag := text.TagOf(part); tag != "" {
		if not {
			p.Not.Tags = append(p.Not.Tags, tag)
		} else {
			p.Tags = append(p.Tags, tag)
		}
		return nil
	}
	key, value, ok := strings.Cut(part, ":")
	if key = strings.ToLower(key); ok {
		if known, err := p.operator(key, value, not); known {
			return err
		}
	}
	p.word(part, not)
	return nil
}

// word adds a word or a phrase, unless it has neither a letter nor a digit.
func (p *parser) word(word string, not bool) {
	word = strings.Join(strings.Fields(text.Lower(word)), " ")
	if strings.IndexFunc(word, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) }) < 0 {
		return
	}
	if not {
		p.Not.Words = append(p.Not.Words, word)
	} else {
		p.Words = append(p.Words, word)
	}
}

// operator reads a part with a colon. It reports whether the key is an operator of the
// language.
func (p *parser) operator(key, value string, not bool) (known bool, err error) {
	lists := map[string][2]*[]string{
		"from": {&p.From, &p.Not.From}, "group": {&p.Groups, &p.Not.Groups},
		"liked-by": {&p.LikedBy, &p.Not.LikedBy}, "commented-by": {&p.CommentedBy, &p.Not.CommentedBy},
	}
	list, named := lists[key]
	switch {
	case named:
		name := text.Lower(strings.TrimLeft(value, "@"))
		if name == "" {
			return true, Invalid("needs a name right after "+key+":", "sign_name", key+":")
		}
		to := list[0]
		if not {
			to = list[1]
		}
		*to = append(*to, name)
		return true, nil
	case key == "has":
		return true, p.has(text.Lower(value), not)
	case key != "in" && key != "after" && key != "before":
		return false, nil
	case not:
		return true, Invalid("can't have a - before "+key+":", "sign_minus", key+":")
	case key == "in" && strings.EqualFold(value, "comments"):
		p.InComments = true
		return true, nil
	case key == "in":
		return true, Invalid("knows of in:comments, and no other in:", "sign_in", "")
	}
	day, err := readDay(value)
	switch {
	case err != nil:
		return true, err
	case key == "after":
		p.After = max(p.After, day)
	case p.Before == "":
		p.Before = day
	default:
		p.Before = min(p.Before, day)
	}
	return true, nil
}

// has reads the kind of file after has:.
func (p *parser) has(kind string, not bool) error {
	if one, other := kindsTyped[kind]; other {
		kind = one
	}
	if !slices.Contains(Kinds, kind) {
		return Invalid("knows of has:image, has:video, has:audio and has:file, and no other has:", "sign_has", "")
	}
	to := &p.Has
	if not {
		to = &p.Not.Has
	}
	*to = append(*to, kind)
	return nil
}
