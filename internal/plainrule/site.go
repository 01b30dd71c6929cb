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
}

// A Person is an account.
type Person struct {
	ID          int64
	Name        string
	DisplayName string
	Status      string
	Admin       bool // of the site
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
	Published        int64
	CommentsDisabled bool
	Places           []int64         // the feeds that its author put it in
	Entered          map[int64]int64 // when it came into each timeline that holds it
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
