package timeline

// ChangeKind says what a change was of.
type ChangeKind string

// The kinds of change; who reads the log reads the state they name anew.
const (
	// ChangePost is anything of the post itself: text, comments, likes, places,
	// deletion. Timelines are those that it entered or left, or in which it has
	// another rank.
	ChangePost ChangeKind = "post"
	// ChangeViewer is whatever alters what one person sees, follows or may do.
	ChangeViewer ChangeKind = "viewer"
	// ChangeAccess is a timeline's access or excluded set.
	ChangeAccess ChangeKind = "access"
	// ChangeCard is a name, an avatar, a status of a person or a group.
	ChangeCard ChangeKind = "card"
	// ChangeSession is the end of a session or a token.
	ChangeSession ChangeKind = "session"
	// ChangeNotice is that of what somebody is told there is more, or less.
	ChangeNotice ChangeKind = "notice"
)

// A Change is what one transaction did to the primary, as ids. Who needs more
// reads the primary as it now stands.
type Change struct {
	ID        int64 // of the row that the writer appended, in the order of writing
	Kind      ChangeKind
	Post      PostID
	User      UserID
	Group     GroupID
	Timelines []TimelineID
	Moved     bool   // of a post: its FreshAt or its places changed
	Worded    bool   // of a post: its text, its language or the text of a comment did
	Token     []byte // of a session: the hash of the secret that ended
}
