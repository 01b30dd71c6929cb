package plainrule

import (
	"slices"
	"strings"
	"time"
	"unicode"
)

// A Search is a search; a post must meet all of its conditions. Words are compared as they
// are, in lower case, without the rules of a language.
type Search struct {
	Words, Phrases, Without []string
	InComments              bool // words and phrases must be in a comment
	From, Group             string
	LikedBy, CommentedBy    string
	Tags                    []string
	Has                     []string // kinds of file that the post must have
	Before, After           string   // days: before the one, and from the other on
}

// Text returns the search in the search language.
func (q Search) Text() string {
	var parts []string
	add := func(prefix, suffix string, values ...string) {
		for _, value := range values {
			if value != "" {
				parts = append(parts, prefix+value+suffix)
			}
		}
	}
	add("", "", q.Words...)
	add(`"`, `"`, q.Phrases...)
	add("-", "", q.Without...)
	add("#", "", q.Tags...)
	add("has:", "", q.Has...)
	add("from:", "", q.From)
	add("group:", "", q.Group)
	add("liked-by:", "", q.LikedBy)
	add("commented-by:", "", q.CommentedBy)
	add("before:", "", q.Before)
	add("after:", "", q.After)
	if q.InComments {
		add("", "", "in:comments")
	}
	return strings.Join(parts, " ")
}

// SearchPage returns the posts that a viewer finds: posts that the viewer may read, by the
// texts that the viewer is shown, and by the pages of likes and comments that the viewer may
// open (checklist BE5).
func (s *Site) SearchPage(v int64, q Search) []Entry {
	return s.page(v, func(p *Post) map[string][]int64 {
		if s.found(v, p, q) {
			return map[string][]int64{"everything": {0}} // the wire leaves this reason out
		}
		return nil
	})
}

func (s *Site) found(v int64, p *Post, q Search) bool {
	texts := []string{p.Text}
	if q.InComments {
		texts = nil
		for _, c := range s.Comments(v, p) {
			texts = append(texts, c.Text)
		}
	}
	day := time.UnixMilli(p.Published).UTC().Format(time.DateOnly)
	by := func(what, name string) bool {
		person := s.Names[name]
		return name == "" || s.Opens(v, s.Feed("user", person)) && s.isIn(p, s.Feed(what, person))
	}
	group := func() bool {
		return slices.ContainsFunc(p.Places, func(place int64) bool {
			f := s.Feeds[place]
			return f.What == "group" && s.Groups[f.Their].Name == q.Group && s.Opens(v, f)
		})
	}
	if len(q.Words)+len(q.Phrases)+len(q.Without) > 0 && !slices.ContainsFunc(texts, q.fits) {
		return false
	}
	for _, tag := range q.Tags {
		if !slices.Contains(Tags(p.Text), tag) {
			return false
		}
	}
	for _, kind := range q.Has {
		if !p.hasFile(kind) {
			return false
		}
	}
	return (q.From == "" || s.Names[q.From] == p.Author) && (q.Group == "" || group()) &&
		by("user_likes", q.LikedBy) && by("user_comments", q.CommentedBy) &&
		(q.Before == "" || day < q.Before) && (q.After == "" || day >= q.After)
}

// hasFile reports whether the post itself has a file of a kind.
func (p *Post) hasFile(kind string) bool {
	return slices.ContainsFunc(p.Files, func(f File) bool { return f.Kind == kind })
}

// fits reports whether one text has the words and phrases, and none of those to leave out.
func (q Search) fits(text string) bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	has := func(wanted string) bool {
		return strings.Contains(" "+strings.Join(words, " ")+" ", " "+wanted+" ")
	}
	return !slices.ContainsFunc(slices.Concat(q.Words, q.Phrases), func(w string) bool { return !has(w) }) &&
		!slices.ContainsFunc(q.Without, has)
}
