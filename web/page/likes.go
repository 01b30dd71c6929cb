package page

import (
	"context"
	"html"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
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

// listed is how many things a list has, counting "and 3 others" as one.
func listed(names []named, more int) int {
	if more > 0 {
		return len(names) + 1
	}
	return len(names)
}
