package plainrule

import (
	"slices"
	"strings"
	"time"
	"unicode"
)

// A Search is what is looked for; all that it says must be so. Words are of such
// as stand in texts just as they are looked for, in small letters.
type Search struct {
	Words, Phrases, Without []string
	InComments              bool // of words and phrases
	From, Group             string
	LikedBy, CommentedBy    string
	Tags                    []string
	Before, After           string // days: before one, or from one on
}

// Text is how one asks for it.
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

// SearchPage is what somebody finds: posts that he may read, by what of them he is
// shown, and by lists of others' doings that he may open: checklist BE5.
func (s *Site) SearchPage(v int64, q Search) []Entry {
	return s.page(v, func(p *Post) map[string][]int64 {
		if s.found(v, p, q) {
			return map[string][]int64{"everything": {0}} // is told to nobody
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
		who := s.Names[name]
		return name == "" || s.Opens(v, s.Feed("user", who)) && s.in(p, s.Feed(what, who))
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
	return (q.From == "" || s.Names[q.From] == p.Author) && (q.Group == "" || group()) &&
		by("user_likes", q.LikedBy) && by("user_comments", q.CommentedBy) &&
		(q.Before == "" || day < q.Before) && (q.After == "" || day >= q.After)
}

// fits says whether one text has the words.
func (q Search) fits(text string) bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	has := func(wanted string) bool {
		return strings.Contains(" "+strings.Join(words, " ")+" ", " "+wanted+" ")
	}
	return !slices.ContainsFunc(slices.Concat(q.Words, q.Phrases), func(w string) bool { return !has(w) }) &&
		!slices.ContainsFunc(q.Without, has)
}
