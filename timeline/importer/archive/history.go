package archive

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Skipped counts the objects of an archive that are not taken, by reason.
type Skipped map[Reason]int

// A Reason is a kind of objects, such as "post", and the reason why some of them are not taken.
type Reason struct{ Kind, Why string }

func (s Skipped) add(kind, why string) { s[Reason{kind, why}]++ }

func (s Skipped) addN(kind, why string, n int) {
	if n > 0 {
		s[Reason{kind, why}] += n
	}
}

// String returns a line for each reason.
func (s Skipped) String() string {
	var b strings.Builder
	for _, r := range slices.SortedFunc(maps.Keys(s), func(x, y Reason) int {
		return cmp.Or(strings.Compare(x.Kind, y.Kind), strings.Compare(x.Why, y.Why))
	}) {
		fmt.Fprintf(&b, "%-14s %7d not taken: %s\n", r.Kind+"s", s[r], r.Why)
	}
	return b.String()
}

// A history holds everything that the pages of an archive have, by the ids of the archive.
type history struct {
	site          string              // the format; empty: no page was read yet
	accounts      map[string]*account // people by "user ID", groups by "group ID"
	posts         map[string]*post
	comments      map[string]*comment
	subscriptions map[[2]string]bool // person and feed, as keys of accounts
	freeFeed      freeFeedPage       // the objects of FreeFeed's pages, until all pages are read
	skipped       Skipped
}

// An account is a person or a group.
type account struct {
	group   bool
	name    string
	display string
	status  string
	at      time.Time // when the account was made; zero: unknown
	admins  []string  // keys of people
}

// A place is one of the places of a post on the other site.
type place struct {
	kind string // "feed", "private", "fyeo" or "direct"
	of   string // the key of the account
}

// A post is a post of the archive.
type post struct {
	author   string
	text     string
	at       time.Time
	to       []place
	closed   bool     // the post was not public
	likes    []string // keys of people, in the order of the page
	comments int      // how many comments the post had, also such that the archive lacks
	moreLike int      // how many people like the post whom the archive does not name
	version  int      // the version of the post on its page; the text of the highest is taken
	files    []file
}

// A comment is a comment of the archive.
type comment struct {
	post, author string
	text         string
	at           time.Time
	likes        []string
	files        []file
}

// A file is a file of a post or comment. If the archive lacks the file, its path is empty.
type file struct{ id, path, alt, name string }

func newHistory(skipped Skipped) *history {
	return &history{
		accounts: map[string]*account{}, posts: map[string]*post{}, comments: map[string]*comment{},
		subscriptions: map[[2]string]bool{}, skipped: skipped,
	}
}

// is reports whether a page of the given format may be read: all pages of an archive must have the
// format of the first page. It counts a page of another format as skipped.
func (h *history) is(site string) bool {
	if h.site == "" {
		h.site = site
	}
	if h.site != site {
		h.skipped.add("file", "of another site than the first page")
	}
	return h.site == site
}

// addPost adds a post of one page to the history. If an earlier page had the post, addPost merges the
// two.
func (h *history) addPost(id string, p *post) {
	before := h.posts[id]
	if before == nil {
		h.posts[id] = p
		return
	}
	if before.author != p.author || !before.at.Equal(p.at) {
		h.skipped.add("post", "another page tells it otherwise")
		return
	}
	for _, liker := range p.likes {
		if !slices.Contains(before.likes, liker) {
			before.likes = append(before.likes, liker)
		}
	}
	// The pages of two viewers may have different places of a post. Take all of them: the readers of
	// each place could read the post.
	for _, to := range p.to {
		if !slices.Contains(before.to, to) {
			before.to = append(before.to, to)
		}
	}
	before.closed = before.closed || p.closed
	before.comments = max(before.comments, p.comments)
	before.moreLike = max(before.moreLike+len(before.likes), p.moreLike+len(p.likes)) - len(before.likes)
	if p.version > before.version {
		before.version, before.text, before.files = p.version, p.text, p.files
	}
}

// addComment adds a comment of one page to the history. If an earlier page had the comment,
// addComment only adds its likes.
func (h *history) addComment(id string, c *comment) {
	before := h.comments[id]
	if before == nil {
		h.comments[id] = c
		return
	}
	for _, liker := range c.likes {
		if !slices.Contains(before.likes, liker) {
			before.likes = append(before.likes, liker)
		}
	}
}

// addAccount adds an account, or fills in the fields that earlier pages lacked.
func (h *history) addAccount(key string, a *account) {
	before := h.accounts[key]
	if before == nil {
		h.accounts[key] = a
		return
	}
	if before.at.IsZero() {
		before.at = a.at
	}
	if openness(a.status) < openness(before.status) {
		before.status = a.status
	}
	for _, admin := range a.admins {
		if !slices.Contains(before.admins, admin) {
			before.admins = append(before.admins, admin)
		}
	}
}

// openness returns a number for a status. Of two feeds, the feed whose status has the higher number
// can be read by more people.
func openness(status string) int {
	switch status {
	case "public":
		return 2
	case "protected":
		return 1
	}
	return 0
}

// statusHere returns the status of this site for a status of Mokum. An unknown status becomes
// private, so that no post gets more readers.
func statusHere(status string) string {
	switch status {
	case "public", "disallow-robots":
		return "public"
	case "protected":
		return "protected"
	}
	return "private"
}
