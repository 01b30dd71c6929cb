package page

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/rights"
)

// EntryModel is one entry as one viewer is shown it.
type EntryModel struct {
	Words catalogue.Language // that it is written in, but for what people wrote
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
			whose = append(whose, m.Words.ReadersMembersOf(namedGroup(m.group(timeline.GroupID(t.TheirID))).Text))
		case t.What == timeline.WhatUserPrivate:
			subscribers = true
			whose = append(whose, m.Words.ReadersPrivateOf(namedUser(m.author()).Text))
		default:
			subscribers = true
			whose = append(whose, m.Words.ReadersSubscribersOf(namedUser(m.author()).Text))
		}
	}
	protected := slices.ContainsFunc(m.Entry.Places, func(t timeline.Timeline) bool { return t.Access == timeline.AccessProtected })
	all := readership{"lock", m.Words.ReadersPrivate(), m.Words.ReadersBy(listing(m.Words, whose))}
	switch {
	case rights.Direct(m.Entry):
		return readership{"envelope", m.Words.ReadersDirect(), m.Words.ReadersDirectLong()}
	case m.in(timeline.WhatUserFYEO) && len(m.Entry.Places) == 1:
		return readership{"eye", m.Words.ReadersYou(), m.Words.ReadersYouLong()}
	case m.Entry.Public:
		return readership{}
	case protected:
		return readership{"shield", m.Words.ReadersSigned(), m.Words.ReadersSignedLong()}
	case subscribers && members:
		all.Short = m.Words.ReadersBoth()
	case members:
		all.Short = m.Words.ReadersMembers()
	case subscribers:
		all.Short = m.Words.ReadersSubscribers()
	default:
		all.Long = m.Words.ReadersSome()
	}
	return all
}

// listing is some of them with commas between.
func listing(words catalogue.Language, whose []string) string {
	var b strings.Builder
	for i, one := range whose {
		b.WriteString(words.Between(i, len(whose)) + one)
	}
	return b.String()
}

func (m EntryModel) in(what timeline.What) bool {
	return slices.ContainsFunc(m.Entry.Places, func(t timeline.Timeline) bool { return t.What == what })
}

// places are where the post was posted to, apart from the author's own feed,
// which goes without saying, and the words between the author and them.
func (m EntryModel) places() (words catalogue.Filled, to []named) {
	for _, t := range m.Entry.Places {
		switch t.What {
		case timeline.WhatGroup:
			to = append(to, namedGroup(m.group(timeline.GroupID(t.TheirID))))
		case timeline.WhatUserPrivate:
			to = append(to, named{Text: m.Words.EntryPrivateFeed()})
		case timeline.WhatUserDirects:
			if p, shown := m.recipient(timeline.UserID(t.TheirID)); shown {
				to = append(to, p)
			}
		}
	}
	if rights.Direct(m.Entry) {
		return m.Words.EntryDirectTo(), to
	}
	return m.Words.EntryTo(), to
}

// recipient is whom a direct was sent to. The author has it among the own
// directs too, which is not worth saying, unless it went to nobody else.
func (m EntryModel) recipient(id timeline.UserID) (named, bool) {
	if m.Sets != nil && id == m.Sets.User {
		if id == m.fold().Author { // nobody else is left whom he may know of
			return named{Text: m.Words.EntryNobody()}, len(m.Entry.Places) == 1
		}
		return named{Text: m.Words.EntryYou()}, true
	}
	return namedUser(m.user(id)), id != m.fold().Author
}

// A because is one reason why an entry is on the page: "liked by", and people.
type because struct {
	Words  catalogue.Filled
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
		words catalogue.Filled
	}{{timeline.WhatUserLikes, m.Words.EntryLikedReason()}, {timeline.WhatUserComments, m.Words.EntryCommentedReason()}} {
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

// others says how many more there are than were named; empty: none.
func (m EntryModel) others(n int) string {
	if n == 0 {
		return ""
	}
	return m.Words.EntryOthers(n)
}

// moreLikes is others of those who like an entry.
func (m EntryModel) moreLikes(n int) string {
	if n == 0 {
		return ""
	}
	return m.Words.EntryMoreLikes(n)
}

// person is somebody as named to this viewer: "you", or a name.
func (m EntryModel) person(id timeline.UserID) named {
	p := namedUser(m.user(id))
	if m.Sets != nil && m.Sets.User != 0 && id == m.Sets.User {
		p.Text = m.Words.EntryYou()
	}
	return p
}

// marks are the small words after the time.
func (m EntryModel) marks() []string {
	var all []string
	t := m.fold().Text
	if t.Platform != "" {
		all = append(all, m.Words.EntryVia(t.Platform))
	}
	if t.CommentsDisabled {
		all = append(all, m.Words.EntryCommentsOff())
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
