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

// EntryModel is an entry as one viewer sees it.
type EntryModel struct {
	Words catalogue.Language // the language of everything but the texts of people
	Entry *river.Entry
	Sets  *timeline.Sets // the viewer's; nil: not signed in
	Cards
	// ReturnTo is the path to which the forms of the entry's menu return; empty: the forms have none, and
	// the answer leads back to the page of the request. The entry itself is the same on every page.
	ReturnTo string
	// NewUUID returns the _uuid of the comment form on the post's own page; nil: the form has none, and
	// the client makes one each time it sends.
	NewUUID func() string
}

// EntryHTML returns the entry as pages have it, for patches of open pages. Host is the site's own.
func EntryHTML(m EntryModel, host string) string {
	var b strings.Builder
	// Rendering fails only if the writer fails or the context ends; neither can happen here.
	_ = guarded(m).Render(WithHost(context.Background(), host), &b)
	return b.String()
}

// EntryIn returns an entry of a page as the page has it. The context has the reader's look and the site's
// host. EntryIn panics with a *[Poisoned] if the entry can't be rendered.
func EntryIn(ctx context.Context, m RiverModel, e *river.Entry) string {
	var b strings.Builder
	_ = guarded(m.entry(e)).Render(ctx, &b) // a strings.Builder never fails
	return b.String()
}

func (m EntryModel) id() string { return strconv.FormatInt(int64(m.Entry.Fold.Post), 10) }
func (m EntryModel) fold() *timeline.Fold {
	return m.Entry.Fold
}

func (m EntryModel) author() *timeline.UserCard { return m.user(m.fold().Author) }

// single reports whether this is the post's own page, which shows all comments.
func (m EntryModel) single() bool { return m.fold().Comments.All }

// text returns the beginning of the post's text and the rest, which is empty unless the text is
// long and the page has many posts.
func (m EntryModel) text() (beginning, rest string) {
	if m.single() {
		return m.fold().Text.Text, ""
	}
	return cutLong(m.fold().Text.Text)
}

// hidden reports whether the viewer hides the entry. Its own page shows it all the same,
// because the viewer went there to see it.
func (m EntryModel) hidden() bool { return m.Entry.Hidden && !m.single() }

func (m EntryModel) path() string { return PostPath(m.author().Name, m.fold().Post) }

// formPath returns the address of the form for a comment, on the post's own page.
func (m EntryModel) formPath() string { return m.path() + "#f" }

// back returns the path to which a form of the entry returns: the entry, on the page that
// shows it.
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

// class returns the classes of the article element.
func (m EntryModel) class() string {
	class := "entry bem-post"
	if m.single() {
		class += " entry-single"
	}
	if m.hidden() {
		class += " entry-hidden"
	}
	return class
}

// A readership is the audience of a post that is not public: an icon, a few words, and a
// sentence.
type readership struct{ Icon, Short, Long string }

// readers returns the audience of the post, by its places and their access; empty for a
// public post.
func (m EntryModel) readers() readership {
	var whose []string // owners of feeds; their subscribers may read the post
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
	case m.hasPlace(timeline.WhatUserFYEO) && len(m.Entry.Places) == 1:
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

// listing returns some names with commas between them.
func listing(words catalogue.Language, whose []string) string {
	var b strings.Builder
	for i, one := range whose {
		b.WriteString(words.Between(i, len(whose)) + one)
	}
	return b.String()
}

func (m EntryModel) hasPlace(what timeline.What) bool {
	return slices.ContainsFunc(m.Entry.Places, func(t timeline.Timeline) bool { return t.What == what })
}

// destinations returns where the post was posted to, without the author's own feed, and the
// sentence around these destinations.
func (m EntryModel) destinations() (words catalogue.Filled, to []named) {
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

// recipient returns a recipient of a direct, and reports whether to show them. The author
// is a recipient, too, which is shown only if there is no other.
func (m EntryModel) recipient(id timeline.UserID) (named, bool) {
	if m.Sets != nil && id == m.Sets.User {
		if id == m.fold().Author { // no other recipient is left that the viewer may know of
			return named{Text: m.Words.EntryNobody()}, len(m.Entry.Places) == 1
		}
		return named{Text: m.Words.EntryYou()}, true
	}
	return namedUser(m.user(id)), id != m.fold().Author
}

// A because is one reason why an entry is on the page, as "liked by", and its people.
type because struct {
	Words  catalogue.Filled
	People []named
	More   int
}

// shownReasons is how many people one reason names.
const shownReasons = 3

// reasons returns why the entry is here, as far as the entry does not show the reason anyway:
// people who brought the post by a comment that is collapsed. People who brought the post
// by a like are the first of the likers.
func (m EntryModel) reasons() []because {
	seen := make(map[timeline.UserID]bool)
	for _, c := range m.fold().Comments.Comments {
		seen[c.User] = true
	}
	var away []timeline.UserID
	for _, id := range m.Entry.Reasons.Of(timeline.WhatUserComments) {
		if !seen[timeline.UserID(id)] {
			away = append(away, timeline.UserID(id))
		}
	}
	if len(away) == 0 {
		return nil
	}
	b := because{Words: m.Words.EntryCommentedReason()}
	for _, id := range away[:min(len(away), shownReasons)] {
		b.People = append(b.People, m.person(id))
	}
	b.More = len(away) - len(b.People)
	return []because{b}
}

// otherPeople returns how many more people there are.
func (m EntryModel) otherPeople(n int) others {
	if n == 0 {
		return others{}
	}
	return others{Text: m.Words.EntryOthers(n)}
}

// moreLikes returns others for the likes of an entry, as a button.
func (m EntryModel) moreLikes(n int) others {
	if n == 0 {
		return others{}
	}
	return others{m.Words.EntryMoreLikes(n), true}
}

// person returns a person as this viewer calls them: "you", or the name.
func (m EntryModel) person(id timeline.UserID) named {
	p := namedUser(m.user(id))
	if m.Sets != nil && m.Sets.User != 0 && id == m.Sets.User {
		p.Text = m.Words.EntryYou()
	}
	return p
}

// badges returns the small words after the time.
func (m EntryModel) badges() []string {
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

// points returns the points of the post in the ranking that shows it, rounded, but 1 at least;
// 0 in other rivers.
func (m EntryModel) points() int {
	if m.Entry.Points == 0 {
		return 0
	}
	return max(1, int((m.Entry.Points+500)/1000))
}

func (m EntryModel) published() time.Time { return m.fold().Text.PublishedAt }

// edited returns when the author last changed the text; zero if they never did.
func (m EntryModel) edited() time.Time {
	if t := m.fold().Text; t.UpdatedAt.After(t.PublishedAt) {
		return t.UpdatedAt
	}
	return time.Time{}
}

// afterDelete returns the path to which deleting the post leads: away from its own page.
func (m EntryModel) afterDelete() string {
	if m.single() {
		return NamePath(m.author().Name)
	}
	path, _, _ := strings.Cut(m.ReturnTo, "#")
	return path
}
