package page

import (
	"context"
	"html"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"amstel.dev/amstel/timeline"
)

// likers are who likes an entry, as it is said: the viewer first, then those
// whose like is newest, then how many more there are. All together they are as
// many as like it.
func (m EntryModel) likers() (people []named, more int) {
	likes := m.fold().Likes
	more = likes.More
	ids := slices.Clone(likes.Users)
	slices.Reverse(ids)
	if m.Entry.Liked && m.Sets != nil && m.Sets.User != 0 {
		own := slices.Index(ids, m.Sets.User)
		switch {
		case own >= 0:
			ids = slices.Delete(ids, own, own+1)
		case more > 0:
			more--
		}
		ids = slices.Insert(ids, 0, m.Sets.User)
	}
	for i, id := range ids {
		p := m.person(id)
		if i == 0 && p.Text == "you" {
			p.Text = "You"
		}
		people = append(people, p)
	}
	return people, more
}

// comma is what stands before the i-th of n things that are listed.
func comma(i, n int) string {
	switch {
	case i == 0:
		return ""
	case i < n-1:
		return ", "
	case n == 2:
		return " and "
	}
	return ", and "
}

// count says a number of things in words: "1 comment", "12 comments".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// people lists names between the words before and after them, and says how many
// there are besides: "liked by A, B, and 3 others".
func people(before string, names []named, more int, one, many, after string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		b.WriteString(html.EscapeString(before))
		n := listed(names, more)
		for i, p := range names {
			b.WriteString(comma(i, n))
			writeNamed(&b, p)
		}
		if more > 0 {
			b.WriteString(comma(len(names), n) + `<span class="more">` + html.EscapeString(count(more, one, many)) + `</span>`)
		}
		b.WriteString(html.EscapeString(after))
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// commentModel is one comment as one viewer is shown it.
type commentModel struct {
	EntryModel
	Comment *timeline.Comment
}

func (m commentModel) key() string { return "c" + strconv.FormatInt(int64(m.Comment.ID), 10) }

func (m commentModel) editPath() string {
	return EditCommentPath(m.author().Name, m.fold().Post, m.Comment.ID)
}

func (m commentModel) class() string {
	class := "comment bem-post__comment"
	if m.Sets != nil && m.Sets.User != 0 && m.Comment.User == m.Sets.User {
		class += " comment-own"
	}
	if m.Comment.User == m.fold().Author {
		class += " comment-author"
	}
	return class
}

// comments are those before the fold and those after it, and how many it hides.
func (m EntryModel) comments() (before, after []commentModel, folded int) {
	c := m.fold().Comments
	folded = max(c.Count-len(c.Comments), 0)
	gap := len(c.Comments)
	if folded > 0 {
		gap = min(max(c.Gap, 0), gap)
	}
	for i := range c.Comments {
		one := commentModel{EntryModel: m, Comment: &c.Comments[i]}
		if i < gap {
			before = append(before, one)
		} else {
			after = append(after, one)
		}
	}
	return before, after, folded
}

// listed is how many things a list has, counting "and 3 others" as one.
func listed(names []named, more int) int {
	if more > 0 {
		return len(names) + 1
	}
	return len(names)
}
