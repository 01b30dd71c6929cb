// Package query is the language of searches: [Parse] reads what a person typed as
// a [Search], and [Search.String] writes a search in one form. Which posts a search
// finds is the business of package timeline.
package query

import (
	"slices"
	"strings"
	"time"

	"amstel.dev/amstel/timeline/text"
)

// How much may be asked for in one search.
const (
	maxLength = 500 // characters
	maxTerms  = 20
)

// A Search is what somebody looks for, as [Parse] reads it. All that it has
// must hold of a post, but for several authors, or several groups, of which one
// will do. Names and tags are in lower case and without their sign, and are there
// once.
type Search struct {
	Words      []string // words, and phrases: what stands together
	InComments bool     // they are looked for in comments, not in the post itself
	Tags       []string
	From       []string // by one of these people
	Groups     []string // in one of these groups
	LikedBy    []string // by all of these people
	TalkedBy   []string // commented on by all of these people
	After      string   // published on that day or later, UTC: "2006-01-02"
	Before     string   // published before that day
	Not        Not
}

// Not is what must not hold of a post.
type Not struct {
	Words, Tags, From, Groups, LikedBy, TalkedBy []string
}

// Day is the form of a day in a search, as package time has it.
const Day = "2006-01-02"

// String is the search as people write it, in one form: what [Parse] reads
// as the same is written the same. Words stay in the order in which they were
// given, as that is how their author knows them.
func (s Search) String() string {
	var parts []string
	add := func(sign string, values ...string) {
		for _, v := range values {
			parts = append(parts, sign+v)
		}
	}
	quoted := func(words []string) []string {
		all := make([]string, len(words))
		for i, w := range words {
			all[i] = quoteTerm(w)
		}
		return all
	}
	add("", quoted(s.Words)...)
	add("-", quoted(s.Not.Words)...)
	if s.InComments {
		add("", "in:comments")
	}
	for _, some := range []struct {
		sign    string
		is, not []string
	}{
		{"#", s.Tags, s.Not.Tags}, {"from:", s.From, s.Not.From}, {"group:", s.Groups, s.Not.Groups},
		{"liked-by:", s.LikedBy, s.Not.LikedBy}, {"commented-by:", s.TalkedBy, s.Not.TalkedBy},
	} {
		add(some.sign, some.is...)
		add("-"+some.sign, some.not...)
	}
	if s.After != "" {
		add("after:", s.After)
	}
	if s.Before != "" {
		add("before:", s.Before)
	}
	return strings.Join(parts, " ")
}

// quoteTerm writes a word or a phrase so that it is read as that.
func quoteTerm(term string) string {
	var p parser
	if p.read(term) == nil && len(p.Words) == 1 && p.Words[0] == term && p.count() == 1 {
		return term
	}
	return `"` + term + `"`
}

// lists are those of the search, with what must not hold behind what must.
func (s *Search) lists() []*[]string {
	return []*[]string{
		&s.Words, &s.Tags, &s.From, &s.Groups, &s.LikedBy, &s.TalkedBy,
		&s.Not.Words, &s.Not.Tags, &s.Not.From, &s.Not.Groups, &s.Not.LikedBy, &s.Not.TalkedBy,
	}
}

// count is how many things the search asks for.
func (s *Search) count() int {
	n := 0
	for _, list := range s.lists() {
		n += len(*list)
	}
	for _, is := range []bool{s.InComments, s.After != "", s.Before != ""} {
		if is {
			n++
		}
	}
	return n
}

// positive says whether the search asks for anything that something must have.
func (s *Search) positive() bool {
	return len(s.Words)+len(s.Tags)+len(s.From)+len(s.Groups)+len(s.LikedBy)+len(s.TalkedBy) > 0 || s.After != "" || s.Before != ""
}

// normalize puts what is in no order into one, each once.
func (s *Search) normalize() {
	for _, list := range s.lists() {
		switch list {
		case &s.Words, &s.Not.Words:
			var once []string
			for _, w := range *list {
				if !slices.Contains(once, w) {
					once = append(once, w)
				}
			}
			*list = once
		default:
			slices.Sort(*list)
			*list = slices.Compact(*list)
		}
	}
}

// check says what is wrong with the whole of a search.
func (s *Search) check() error {
	switch {
	case s.count() == 0:
		return Invalid("has no word in it that can be looked for", "no_word", "")
	case s.count() > maxTerms:
		return Invalid("asks for more than 20 things at once", "too_much", "")
	case !s.positive() && !s.InComments:
		return Invalid("only says what must not be there: add what to look for", "only_not", "")
	case s.InComments && len(s.Words) == 0:
		return Invalid("needs a word to look for in comments", "no_comment_word", "")
	case s.After != "" && s.Before != "" && s.After >= s.Before:
		return Invalid("asks for a time that ends before it begins", "times", "")
	}
	return nil
}

// Invalid returns the error of a search that is refused for a reason, with its code,
// and what of the search the reason names.
func Invalid(reason, code, name string) error {
	return &text.InvalidError{Field: "q", Reason: reason, Code: code, Name: name, N: maxLength}
}

// readDay reads the day of an after: or before:.
func readDay(text string) (string, error) {
	day, err := time.Parse(Day, text)
	if err != nil {
		return "", Invalid("has a day that is not written like 2024-12-31, or that there never was: “"+text+"”", "no_day", text)
	}
	return day.Format(Day), nil
}
