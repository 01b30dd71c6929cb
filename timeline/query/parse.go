package query

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"amstel.dev/amstel/timeline/text"
)

// Parse reads what somebody typed into the field for a search:
//
//	boats harbour     posts with both words, in any of their forms
//	"red boat"        words that stand together
//	-sail -"red boat" without these; a - goes before anything but days and in:
//	in:comments       the words are looked for in comments, all in one
//	#amstel           with the tag
//	from:anna         by anna; from:anna from:bert by one of them
//	group:rowing      in the group, or in one of several
//	liked-by:anna     that anna likes; of several, all do
//	commented-by:anna that anna commented on; of several, all did
//	after:2024-05-01  published on that day or later, by the clock of UTC
//	before:2024-06-01 published before that day began
//
// All that is asked for must hold. What can't be understood, or would find
// anything at all, is an [text.InvalidError] of the field q. The search that
// [Search.String] writes is read as the same again.
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

// A parser fills a search with what it reads, a part at a time.
type parser struct{ Search }

// quotes are what a phrase stands between, whatever its author's language.
const quotes = "\"“”„«»"

func isQuote(c rune) bool { return strings.ContainsRune(quotes, c) }

// read reads the parts of a text: what is between quotes is one, and so is what
// stands between blanks.
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

// part reads what is not between quotes.
func (p *parser) part(part string, not bool) error {
	if tag := text.TagOf(part); tag != "" {
		if not {
			p.Not.Tags = append(p.Not.Tags, tag)
		} else {
			p.Tags = append(p.Tags, tag)
		}
		return nil
	}
	key, value, is := strings.Cut(part, ":")
	if key = strings.ToLower(key); is {
		if known, err := p.operator(key, value, not); known {
			return err
		}
	}
	p.word(part, not)
	return nil
}

// word adds a word or a phrase; without a letter or a number in it, it is none.
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

// operator reads what has a colon, if that is one of a search's own words.
func (p *parser) operator(key, value string, not bool) (known bool, err error) {
	lists := map[string][2]*[]string{
		"from": {&p.From, &p.Not.From}, "group": {&p.Groups, &p.Not.Groups},
		"liked-by": {&p.LikedBy, &p.Not.LikedBy}, "commented-by": {&p.TalkedBy, &p.Not.TalkedBy},
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
