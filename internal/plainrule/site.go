package plainrule

import "slices"

// A Site is one whole state of the primary.
type Site struct {
	People map[int64]*Person
	Groups map[int64]*Group
	Feeds  map[int64]*Feed // every timeline, by id
	Posts  map[int64]*Post // without deleted ones
	// Bans holds a pair for each ban: the person who banned, and the person who was banned.
	Bans map[[2]int64]bool
	// The Hidden maps have pairs of a person and a post that the person hides; or a person
	// and another person: the first hides all posts or comments of the second.
	HiddenPosts    map[[2]int64]bool
	HiddenPeople   map[[2]int64]bool
	HiddenComments map[[2]int64]bool
	// Names holds every name that a person has or had, with the person's id.
	Names map[string]int64
	// Hashtags holds the hashtags by id.
	Hashtags map[int64]string
	// Muted holds pairs of a person and a timeline of likes or comments that brings nothing into
	// that person's home.
	Muted map[[2]int64]bool
	Lists map[int64]*List
	// Lift is the site setting lift.
	Lift    bool
	Notices []Notice // the oldest first
	// Intakes has the imported feeds that fail.
	Intakes map[int64]Intake
	Reports map[int64]*Report
	// Waiting has the kinds of notice of which something waits for the administrators of the site.
	Waiting map[string]bool
	// Requests holds pairs of a person and the feed that they asked to subscribe to. Invitations
	// has, for a person and a feed, the sender of the invitation.
	Requests    map[[2]int64]bool
	Invitations map[[2]int64]int64
}

// A Person is an account.
type Person struct {
	ID          int64
	Name        string
	DisplayName string
	Status      string
	Suspended   bool // can't sign in
	Withheld    bool // what the person wrote is withheld, because the account is suspended or was until just now
	Admin       bool // of the site
	OwnPosts    bool // the person's own posts are in their home
	NoticesOff  []string

	atWork bool // a job still withholds what the person wrote, or shows it again
}

// Restored returns the site as it will be when the jobs have ended that show again what people wrote whose suspension is
// over. A page may show a part of it before.
func (s *Site) Restored() *Site {
	restored := *s
	restored.People = make(map[int64]*Person, len(s.People))
	for id, who := range s.People {
		one := *who
		one.Withheld = who.Suspended
		restored.People[id] = &one
	}
	suspended := func(user int64) bool { return s.People[user].Suspended }
	restored.Posts = make(map[int64]*Post, len(s.Posts))
	for id, p := range s.Posts {
		all := p.whole()
		all.withheld = suspended(p.Author)
		all.Comments = slices.DeleteFunc(all.Comments, func(c *Comment) bool { return suspended(c.Author) })
		restored.Posts[id] = all
	}
	return &restored
}

// Gone reports whether an account is deleted or withheld, so that no viewer reads its posts.
func (p *Person) Gone() bool { return p.Status == "deleted" || p.Withheld }

// A List is a home over feeds that its owner chose.
type List struct {
	ID      int64
	Owner   int64
	Name    string
	Members map[int64]bool // feeds
}

// A Notice tells a person of one thing that another person did, that an imported feed fails, or of a report or what was
// decided. By, Post, Comment, Feed, Intake and Report are 0 where the notice has none.
type Notice struct {
	ID                  int64
	User                int64 // the recipient of the notice
	Kind                string
	By                  int64
	Post, Comment, Feed int64
	Intake, Report      int64
	Read                bool
}

// A Report asks the administrators of a group, or of the site if Group is 0, to look at a person, a post or a comment.
type Report struct {
	ID, By, Group, User int64
	Post, Comment       int64 // 0 where the report has none; they may be gone
	Reason              string
	Act                 string // what was decided; empty: the report is open
}

// An Intake is a feed of another site whose items become posts of a person in one place.
type Intake struct{ User, Feed int64 }

// A Group is a group with its administrators.
type Group struct {
	ID      int64
	Name    string
	Status  string
	Posting string // the people who may post: anybody, members or admins
	Admins  map[int64]bool
}

// A Feed is any timeline, with its subscribers and its excluded set.
type Feed struct {
	ID          int64
	What        string
	Their       int64
	Subscribers map[int64]Subscription
	Excluded    map[int64]bool
}

// A Subscription is a person's subscription to a feed. A forward-only subscription brings
// what entered the feed from Since (in milliseconds) on; 0 brings everything. Began is when the
// subscription began (in milliseconds).
type Subscription struct{ Since, Began int64 }

// A Post is a post that is not deleted, with its comments, likes and favourites.
type Post struct {
	ID               int64
	Author           int64
	Text             string
	Lang             string // ISO 639-1, or ""
	Published        int64
	CommentsDisabled bool
	Places           []int64         // the feeds that its author put it in
	Entered          map[int64]int64 // when it came into each timeline that holds it
	Ranks            map[int64]int64 // in the timelines that have an order of their own
	Comments         []*Comment
	Likes            []Like
	Favs             map[int64]bool
	Files            []File    // ready, in the author's order
	Unready          []File    // queued and refused
	Previews         []Preview // of its first link: one, or none
	Earlier          []Earlier

	// What suspended people wrote. No viewer is shown it, and nothing is counted with it.
	withheld         bool // the post itself
	Held             bool // the post waits for an administrator of the site
	withheldComments []*Comment
	withheldLikes    []Like
	withheldFavs     map[int64]bool
	withheldOnLikes  []int64 // people whose likes of comments are withheld

	// Derived values that the primary stores, for Check.
	storedFresh                                  int64
	storedComments, storedLikes, storedFavorites int
}

// A Comment is a comment on a post. Likes has the likers of the comment.
type Comment struct {
	ID      int64
	Author  int64
	Text    string
	Created int64 // microseconds
	Bumps   bool  // it made the post fresh
	Likes   map[int64]bool
	Files   []File // ready, in the commenter's order
	Unready []File // queued and refused
	Earlier []Earlier

	storedLikes int
}

// An Earlier is a text that was replaced, with the places that its post had at that moment.
type Earlier struct {
	Text   string
	Places []int64
}

// A File is an attachment of a post or comment.
type File struct {
	ID   int64  `json:"id"`
	Name string `json:"attachment_file_name"`
	Alt  string `json:"alt"`
	Kind string `json:"kind"`
}

// A Preview has the title and the description of the page that a post links to.
type Preview struct {
	Title string `json:"title"`
	About string `json:"description"`
}

// A Like is a person's like of a post.
type Like struct {
	User    int64
	Created int64 // microseconds
}

// New returns an empty site.
func New() *Site {
	return &Site{
		People: make(map[int64]*Person), Groups: make(map[int64]*Group),
		Feeds: make(map[int64]*Feed), Posts: make(map[int64]*Post),
		Bans: make(map[[2]int64]bool), HiddenPosts: make(map[[2]int64]bool),
		HiddenPeople: make(map[[2]int64]bool), HiddenComments: make(map[[2]int64]bool),
		Names: make(map[string]int64), Hashtags: make(map[int64]string),
		Muted: make(map[[2]int64]bool), Lists: make(map[int64]*List),
		Intakes:  make(map[int64]Intake),
		Reports:  make(map[int64]*Report),
		Waiting:  make(map[string]bool),
		Requests: make(map[[2]int64]bool), Invitations: make(map[[2]int64]int64),
	}
}

// Feed returns the timeline of a kind and an owner, or nil if there is none.
func (s *Site) Feed(what string, their int64) *Feed {
	for _, f := range s.Feeds {
		if f.What == what && f.Their == their {
			return f
		}
	}
	return nil
}
