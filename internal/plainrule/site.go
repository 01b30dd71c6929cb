package plainrule

// A Site is one state of the primary, whole.
type Site struct {
	People map[int64]*Person
	Groups map[int64]*Group
	Feeds  map[int64]*Feed // every timeline, by id
	Posts  map[int64]*Post // without deleted ones
	// Bans has a pair for each ban, as it was given: who banned whom.
	Bans map[[2]int64]bool
	// Hidden are the posts, and the people's posts and comments, that somebody
	// folds away.
	HiddenPosts    map[[2]int64]bool
	HiddenPeople   map[[2]int64]bool
	HiddenComments map[[2]int64]bool
	// Names are all that people have or had, and whose they are.
	Names map[string]int64
	// Hashtags are those there are, by their ids.
	Hashtags map[int64]string
	// Muted has a pair for each feed of likes or comments that somebody wants
	// nothing of in his home.
	Muted map[[2]int64]bool
	Lists map[int64]*List
	// Lift is the site's setting.
	Lift    bool
	Notices []Notice // the oldest first
	// Requests has a pair for each of somebody's to subscribe to a feed, and
	// Invitations who asked somebody to.
	Requests    map[[2]int64]bool
	Invitations map[[2]int64]int64
}

// A Person is an account.
type Person struct {
	ID          int64
	Name        string
	DisplayName string
	Status      string
	Admin       bool // of the site
	OwnPosts    bool // stand in his home
	NoticesOff  []string
}

// A List is a home over feeds that somebody chose.
type List struct {
	ID      int64
	Owner   int64
	Name    string
	Members map[int64]bool // feeds
}

// A Notice is that somebody is told of something. What it is not of is 0.
type Notice struct {
	ID                  int64
	User                int64 // who is told
	Kind                string
	By                  int64
	Post, Comment, Feed int64
	Read                bool
}

// A Group is one, with its administrators.
type Group struct {
	ID     int64
	Name   string
	Status string
	Admins map[int64]bool
}

// A Feed is a timeline: what one posts to, subscribes to, is excluded from.
type Feed struct {
	ID          int64
	What        string
	Their       int64
	Subscribers map[int64]Subscription
	Excluded    map[int64]bool
}

// A Subscription is somebody's to a feed. Since is the moment (milliseconds)
// from which on it counts, 0 if it brings all there is.
type Subscription struct{ Since int64 }

// A Post is one that is there, with all that hangs on it.
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

	// What the primary keeps beside that, to be tested: see Check.
	storedFresh                                  int64
	storedComments, storedLikes, storedFavorites int
}

// A Comment is one on a post; Likes has who likes it.
type Comment struct {
	ID      int64
	Author  int64
	Text    string
	Created int64 // microseconds
	Bumps   bool  // the post, as it was fresh by it
	Likes   map[int64]bool

	storedLikes int
}

// A Like is one of a post.
type Like struct {
	User    int64
	Created int64 // microseconds
}

// New is a site without anybody.
func New() *Site {
	return &Site{
		People: make(map[int64]*Person), Groups: make(map[int64]*Group),
		Feeds: make(map[int64]*Feed), Posts: make(map[int64]*Post),
		Bans: make(map[[2]int64]bool), HiddenPosts: make(map[[2]int64]bool),
		HiddenPeople: make(map[[2]int64]bool), HiddenComments: make(map[[2]int64]bool),
		Names: make(map[string]int64), Hashtags: make(map[int64]string),
		Muted: make(map[[2]int64]bool), Lists: make(map[int64]*List),
		Requests: make(map[[2]int64]bool), Invitations: make(map[[2]int64]int64),
	}
}

// Feed finds a timeline by what it is and whose; nil if there is none.
func (s *Site) Feed(what string, their int64) *Feed {
	for _, f := range s.Feeds {
		if f.What == what && f.Their == their {
			return f
		}
	}
	return nil
}
