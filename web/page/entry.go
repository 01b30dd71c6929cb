package page

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/rights"
)

// EntryModel is one entry as one viewer is shown it.
type EntryModel struct {
	Entry *river.Entry
	Sets  *timeline.Sets // the viewer's; nil is everybody who is not signed in
	Cards
	// ReturnTo is the own path that the entry's forms lead back to; empty: they
	// do not say, and the same HTML fits every page.
	ReturnTo string
	// NewUUID makes the _uuid of the comment form; nil: it has none, and the
	// page's client makes one each time it sends.
	NewUUID func() string
}

// EntryHTML is the entry as it stands in a page, for patches of open pages and
// for keeping.
func EntryHTML(m EntryModel) string {
	var b strings.Builder
	// Rendering fails only when the writer does or the context ends; neither can.
	_ = guarded(m).Render(context.Background(), &b)
	return b.String()
}

func (m EntryModel) id() string      { return strconv.FormatInt(int64(m.Entry.Fold.Post), 10) }
func (m EntryModel) version() string { return strconv.Itoa(m.Entry.Fold.Version) }
func (m EntryModel) fold() *timeline.Fold {
	return m.Entry.Fold
}

func (m EntryModel) author() *timeline.UserCard { return m.user(m.fold().Author) }

// single says whether this is the page of the post: all comments are there.
func (m EntryModel) single() bool { return m.fold().Comments.All }

// folded says whether the viewer folded the entry away. On its own page it is
// shown all the same: who goes there wants to see it.
func (m EntryModel) folded() bool { return m.Entry.Hidden && !m.single() }

func (m EntryModel) path() string { return PostPath(m.author().Name, m.fold().Post) }

// back is where a form of the entry leads: to the entry, on the page it is on.
func (m EntryModel) back() string {
	if m.ReturnTo == "" {
		return ""
	}
	path, _, _ := strings.Cut(m.ReturnTo, "#")
	return path + "#p" + m.id()
}

func (m EntryModel) uuid() string {
	if m.NewUUID == nil {
		return ""
	}
	return m.NewUUID()
}

// class of the article element.
func (m EntryModel) class() string {
	class := "entry bem-post"
	if m.single() {
		class += " entry-single"
	}
	if m.folded() {
		class += " entry-hidden"
	}
	return class
}

// A readership is who may read a post where that is not everybody: a sign for
// it, few words, and all of them.
type readership struct{ Icon, Short, Long string }

// readers are those of the post, as its places and their access say; none where
// everybody may read it.
func (m EntryModel) readers() readership {
	var whose []string // subscribers and members who may read it
	var subscribers, members bool
	for _, t := range m.Entry.Places {
		switch {
		case t.Access != timeline.AccessPrivate:
		case t.What == timeline.WhatGroup:
			members = true
			whose = append(whose, "members of "+namedGroup(m.group(timeline.GroupID(t.TheirID))).Text)
		case t.What == timeline.WhatUserPrivate:
			subscribers = true
			whose = append(whose, "subscribers of the private feed of "+namedUser(m.author()).Text)
		default:
			subscribers = true
			whose = append(whose, "subscribers of "+namedUser(m.author()).Text)
		}
	}
	protected := slices.ContainsFunc(m.Entry.Places, func(t timeline.Timeline) bool { return t.Access == timeline.AccessProtected })
	all := readership{"lock", "not public", "Read by " + listing(whose) + "."}
	switch {
	case rights.Direct(m.Entry):
		return readership{"envelope", "direct", "Direct message: read by those whom it is sent to, and nobody else."}
	case m.in(timeline.WhatUserFYEO) && len(m.Entry.Places) == 1:
		return readership{"eye", "only you", "For your eyes only: nobody else reads it."}
	case m.Entry.Public:
		return readership{}
	case protected:
		return readership{"shield", "signed in only", "Read by everybody who is signed in."}
	case subscribers && members:
		all.Short = "subscribers and members only"
	case members:
		all.Short = "members only"
	case subscribers:
		all.Short = "subscribers only"
	default:
		all.Long = "Not everybody reads it."
	}
	return all
}

// listing is words with commas between.
func listing(words []string) string {
	var b strings.Builder
	for i, word := range words {
		b.WriteString(comma(i, len(words)) + word)
	}
	return b.String()
}

func (m EntryModel) in(what timeline.What) bool {
	return slices.ContainsFunc(m.Entry.Places, func(t timeline.Timeline) bool { return t.What == what })
}

// places are where the post was posted to, apart from the author's own feed,
// which goes without saying, and the words between the author and them.
func (m EntryModel) places() (words string, to []named) {
	for _, t := range m.Entry.Places {
		switch t.What {
		case timeline.WhatGroup:
			to = append(to, namedGroup(m.group(timeline.GroupID(t.TheirID))))
		case timeline.WhatUserPrivate:
			to = append(to, named{Text: "private feed"})
		case timeline.WhatUserDirects:
			if p, shown := m.recipient(timeline.UserID(t.TheirID)); shown {
				to = append(to, p)
			}
		}
	}
	if rights.Direct(m.Entry) {
		return " direct to ", to
	}
	return " to ", to
}

// recipient is whom a direct was sent to. The author has it among the own
// directs too, which is not worth saying, unless it went to nobody else.
func (m EntryModel) recipient(id timeline.UserID) (named, bool) {
	if m.Sets != nil && id == m.Sets.User {
		if id == m.fold().Author { // nobody else is left whom he may know of
			return named{Text: "nobody"}, len(m.Entry.Places) == 1
		}
		return named{Text: "you"}, true
	}
	return namedUser(m.user(id)), id != m.fold().Author
}

// A because is one reason why an entry is on the page: "liked by" and people.
type because struct {
	Words  string
	People []named
	More   int
}

// shownReasons is how many people are named in one reason.
const shownReasons = 3

// reasons are why the entry is here if not for its places: friends' doings.
func (m EntryModel) reasons() []because {
	var all []because
	for _, r := range []struct {
		what  timeline.What
		words string
	}{{timeline.WhatUserLikes, "liked by"}, {timeline.WhatUserComments, "commented by"}} {
		ids := m.Entry.Reasons[r.what]
		if len(ids) == 0 {
			continue
		}
		b := because{Words: r.words}
		for _, id := range ids[:min(len(ids), shownReasons)] {
			b.People = append(b.People, m.person(timeline.UserID(id)))
		}
		b.More = len(ids) - len(b.People)
		all = append(all, b)
	}
	return all
}

// person is somebody as named to this viewer: "you", or a name.
func (m EntryModel) person(id timeline.UserID) named {
	p := namedUser(m.user(id))
	if m.Sets != nil && m.Sets.User != 0 && id == m.Sets.User {
		p.Text = "you"
	}
	return p
}

// marks are the small words after the time.
func (m EntryModel) marks() []string {
	var all []string
	t := m.fold().Text
	if t.Platform != "" {
		all = append(all, "via "+t.Platform)
	}
	if t.CommentsDisabled {
		all = append(all, "comments are off")
	}
	return all
}

func (m EntryModel) published() time.Time { return m.fold().Text.PublishedAt }

// afterDelete is where deleting the post leads: away from its own page.
func (m EntryModel) afterDelete() string {
	if m.single() {
		return NamePath(m.author().Name)
	}
	path, _, _ := strings.Cut(m.ReturnTo, "#")
	return path
}
