package timeline

// Sets holds, for one viewer, everything that decides what the viewer sees and may do: the feeds
// the viewer follows, the timelines the viewer may read besides the public ones, and the people
// the viewer banned or hides. The zero value, with User 0, is for all visitors. Sets belong to
// one snapshot of the primary and never change; a change of the viewer's rights makes new sets.
type Sets struct {
	User      UserID
	Admin     bool // of the site
	Suspended bool // can't sign in, and sees what anonymous readers see

	// Own are the viewer's own timelines, by kind.
	Own map[What]TimelineID
	// Subscribed are the base timelines that the viewer subscribes to. The viewer may read
	// them also where they are private, as the owner approved the subscription.
	Subscribed map[TimelineID]bool
	// SubscribedAt has, for each of Subscribed and for the likes and comments that come along,
	// when the subscription began, in milliseconds since 1970. [OrderLifted] compares the
	// beginning with the time of a like or comment.
	SubscribedAt map[TimelineID]int64
	// Feeds are the timelines of the home river: the subscribed ones, the likes and
	// comments of the people among them, and the viewer's own.
	Feeds map[TimelineID]bool
	// Since has the beginning of each forward-only subscription of the viewer, in milliseconds
	// since 1970. The home shows only posts that entered the feed then or later.
	Since map[TimelineID]int64
	// Requested are the base timelines to which the viewer asked to subscribe, Invited the base
	// timelines to which the viewer was invited.
	Requested map[TimelineID]bool
	Invited   map[TimelineID]bool
	// Incoming counts the requests and invitations that wait for the viewer's
	// answer.
	Incoming int
	// Bans are the people on the other side of a ban: true if the viewer banned them, false if
	// only they banned the viewer. In both cases neither of the two sees the other.
	Bans map[UserID]bool
	// Excluded are timelines that exclude the viewer. The viewer can't read such a timeline
	// unless it is public, and can't comment on or like a post that the viewer may read only
	// because it is in such timelines; see [Sets.TakesPart].
	Excluded map[TimelineID]bool
	// Administers are the groups that the viewer administers.
	Administers map[GroupID]bool
	// AsMember is set if the viewer acts without the rights of an administrator of groups and of
	// the site; see [AsMember].
	AsMember bool
	// HiddenPosts are the posts that the viewer hides. HiddenUsers are the people whose posts
	// the viewer hides, HiddenComments the people whose comments the viewer hides. Pages
	// collapse hidden posts and comments.
	HiddenPosts    map[PostID]bool
	HiddenUsers    map[UserID]bool
	HiddenComments map[UserID]bool
	// Muted are likes and comments of people, some of them among Feeds, that bring nothing
	// into the viewer's home and lists.
	Muted map[TimelineID]bool
	// OwnLeftOut is set if the viewer's own posts are left out of the viewer's home.
	OwnLeftOut bool
	// Lists are the viewer's lists: homes of their own.
	Lists map[ListID]*List
}

// A List is a home over chosen people and groups.
type List struct {
	ID   ListID
	Name string
	// Members are the chosen feeds. Feeds are the same feeds, together with the likes and
	// comments of their people, except for the likes and comments that the viewer muted.
	Members map[TimelineID]bool
	Feeds   map[TimelineID]bool
}

// Home returns the timelines that feed the viewer's home: Feeds without what is muted. The
// caller may not change the map.
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

// Readable reports whether the viewer may read timeline t:
//
//	public     all viewers
//	protected  all signed-in viewers, except people whom it excludes
//	private    its subscribers, except people whom it excludes, and its owner
//	owner      its owner
//	closed     no viewer
//
// A timeline of a person on the other side of a ban is never readable. The likes and comments of a
// person have the access of the person's feed; the subscribers of a private feed may read them.
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

// AccessFacts are the facts of a post that [Sets.MayRead] looks at.
type AccessFacts struct {
	Author  UserID
	Deleted bool         // the post or the account of its author, or the account is suspended
	Places  []TimelineID // the decisive timelines
}

// MayRead is the one visibility rule. It reports whether the viewer may read a post: the author
// may; another viewer may if no ban stands between the viewer and the author, and at least one of
// the post's decisive timelines is readable to the viewer. Likes, comments and filter timelines
// never let a viewer read a post. No viewer reads a deleted post, or a post by a suspended account.
//
// The function timelines finds a timeline by its id. A place unknown to the function counts as not
// readable.
//
// For example, ann's post stands in her private feed and in a public group: all readers may read
// the post, except people across a ban from her. After the post is taken out of the group, only
// the subscribers of her feed may, and ann herself.
func (s *Sets) MayRead(d AccessFacts, timelines func(TimelineID) (Timeline, bool)) bool {
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

// VisiblePlaces returns the decisive timelines of a post of which the viewer may know that they
// hold the post. The caller has checked that the viewer may read the post. A viewer may know of
// the timelines that the viewer may read. The author also knows of all other places, and a
// recipient of a direct knows of the other recipients; both, except people across a ban.
func (s *Sets) VisiblePlaces(d AccessFacts, timelines func(TimelineID) (Timeline, bool)) (places []Timeline) {
	party := s.User != 0 && d.Author == s.User
	for _, id := range d.Places {
		t, known := timelines(id)
		party = party || known && t.What == WhatUserDirects && s.User != 0 && t.TheirID == int64(s.User)
	}
	for _, id := range d.Places {
		t, known := timelines(id)
		if !known {
			continue
		}
		told := d.Author == s.User
		if t.What == WhatUserDirects {
			_, banned := s.Bans[UserID(t.TheirID)]
			told = !banned
		}
		if s.Readable(t) || party && told {
			places = append(places, t)
		}
	}
	return places
}
