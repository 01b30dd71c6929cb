package timeline

// Sets is what one viewer sees by: whom he follows and may read beyond the
// public, whom he has banned or hidden. The zero value with User 0 is everybody
// who is not signed in. It is a value of one snapshot and never changed.
type Sets struct {
	User      UserID
	Admin     bool // of the site
	Suspended bool // signed in no longer; sees what anonymous readers see

	// Own are the viewer's own timelines, by kind.
	Own map[What]TimelineID
	// Subscribed are the base timelines that the viewer subscribes to: he may
	// read them where they are private, as his subscription was approved.
	Subscribed map[TimelineID]bool
	// Feeds are the timelines of the home river: the subscribed ones, the likes
	// and comments of the people among them, and the viewer's own.
	Feeds map[TimelineID]bool
	// Since are those of Feeds that the viewer follows forward only: of them his
	// home has what entered them then or later (milliseconds since 1970).
	Since map[TimelineID]int64
	// Requested are base timelines that the viewer asked to subscribe to, and
	// Invited those whose owners asked him to.
	Requested map[TimelineID]bool
	Invited   map[TimelineID]bool
	// Incoming counts the requests and invitations that wait for the viewer's
	// answer.
	Incoming int
	// Bans are the people whom the viewer banned or who banned him; true where
	// the viewer did it. Either way neither sees the other.
	Bans map[UserID]bool
	// Excluded are timelines that exclude this viewer: he can't read them where
	// not everybody can, and adds nothing to what he reads through them alone.
	Excluded map[TimelineID]bool
	// Administers are the groups that the viewer administers.
	Administers map[GroupID]bool
	// HiddenPosts are posts that the viewer folded away, HiddenUsers people whose
	// posts he did, HiddenComments people whose comments he did.
	HiddenPosts    map[PostID]bool
	HiddenUsers    map[UserID]bool
	HiddenComments map[UserID]bool
	// Muted are timelines of Feeds, likes and comments of people, that bring
	// nothing into the viewer's home or lists.
	Muted map[TimelineID]bool
	// OwnLeftOut says that the viewer wants his own posts not in his home.
	OwnLeftOut bool
	// Lists are the viewer's lists: homes of their own.
	Lists map[ListID]*List
}

// A List is a home over chosen people and groups.
type List struct {
	ID   ListID
	Name string
	// Members are the feeds chosen; Feeds those with the likes and comments of
	// the people among them, but for what the viewer muted.
	Members map[TimelineID]bool
	Feeds   map[TimelineID]bool
}

// Home are the timelines that feed the viewer's home: his Feeds but for those
// that he muted.
func (s *Sets) Home() map[TimelineID]bool {
	if len(s.Muted) == 0 {
		return s.Feeds
	}
	home := make(map[TimelineID]bool, len(s.Feeds))
	for id := range s.Feeds {
		if !s.Muted[id] {
			home[id] = true
		}
	}
	return home
}

// Readable says whether the viewer may read timeline t: a public one everybody,
// a protected one everybody signed in and not excluded, a private one its
// subscribers and its owner, an owner's its owner, a closed one nobody. What
// belongs to somebody on the other side of a ban is never readable.
//
// A person's filter timelines (likes, comments) carry the access of his feed,
// and are read by those who follow it.
func (s *Sets) Readable(t Timeline) bool {
	if t.What.OfUser() {
		if s.User != 0 && t.TheirID == int64(s.User) {
			return t.Access != AccessClosed
		}
		if _, banned := s.Bans[UserID(t.TheirID)]; banned {
			return false
		}
	}
	switch t.Access {
	case AccessPublic:
		return true
	case AccessProtected:
		return s.User != 0 && !s.Excluded[t.ID]
	case AccessPrivate:
		return s.User != 0 && (s.Subscribed[t.ID] || s.Feeds[t.ID]) && !s.Excluded[t.ID]
	}
	return false
}

// Deciding is what deciding about a post needs to know of it.
type Deciding struct {
	Author  UserID
	Deleted bool         // or its author's account is
	Places  []TimelineID // the decisive timelines
}

// MayRead is the one visibility rule: the author may read his post; anyone else
// iff no ban stands between him and the author and at least one of the post's
// decisive timelines is readable to him. Likes, comments and filter timelines
// never grant. The function timelines knows each of the post's places; a place
// that it does not know is not readable.
func (s *Sets) MayRead(d Deciding, timelines func(TimelineID) (Timeline, bool)) bool {
	if d.Deleted {
		return false
	}
	if s.User != 0 && d.Author == s.User {
		return true
	}
	if _, banned := s.Bans[d.Author]; banned {
		return false
	}
	for _, id := range d.Places {
		if t, known := timelines(id); known && s.Readable(t) {
			return true
		}
	}
	return false
}
