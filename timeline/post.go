package timeline

import "time"

// Facts are what deciding and placing a post need: ids only, of one snapshot.
type Facts struct {
	ID       PostID
	Version  int
	Author   UserID
	FreshAt  int64        // milliseconds since 1970
	Deleted  bool         // or its author's account is
	Places   []TimelineID // the decisive timelines, sorted
	In       []TimelineID // every timeline that holds the post, sorted
	Entered  []int64      // when it entered each of In, in milliseconds
	Ranks    []int64      // its rank in each of In, 0 where that has no order of its own; nil: in none
	Likers   []UserID     // everybody who likes it, sorted
	Talkers  []UserID     // everybody who commented, sorted
	Clikers  []UserID     // everybody who likes a comment of it, sorted
	Favers   []UserID     // everybody whose favourite it is, sorted
	Mentions []Mention    // who is named in it or its comments, and by whom, sorted
	Comments int          // how many there are
}

// Cursor is the post's place in the order of rivers.
func (f *Facts) Cursor() Cursor { return Cursor{f.FreshAt, f.ID} }

// A Mention is that somebody is named by another, in a post or a comment.
type Mention struct{ User, By UserID }

// Deciding is the part of the facts that the visibility rule looks at.
func (f *Facts) Deciding() Deciding {
	return Deciding{Author: f.Author, Deleted: f.Deleted, Places: f.Places}
}

// A Fold is the display form of a post: what everybody who may read it is
// shown, or, made with people left out, what somebody with bans is shown. It
// has ids only; names and avatars are cards, joined when shown. It is a value
// of one snapshot and never changed.
type Fold struct {
	Post        PostID
	Version     int
	Author      UserID
	Text        TextFold
	Likes       LikesFold
	Comments    CommentsFold
	Attachments []Attachment
}

// TextFold is the post itself.
type TextFold struct {
	Text             string    `json:"text"`
	PublishedAt      time.Time `json:"published_at"`
	UpdatedAt        time.Time `json:"updated_at"`
	FreshAt          int64     `json:"fresh_at"`
	CommentsDisabled bool      `json:"comments_disabled,omitempty"`
	NSFW             bool      `json:"nsfw,omitempty"`
	Linebreaks       bool      `json:"linebreaks,omitempty"`
	Platform         string    `json:"platform,omitempty"`
	Lang             string    `json:"lang,omitempty"` // the code of its language
	CommentsVersion  int       `json:"comments_version"`
}

// LikesFold has up to five likes whole, from six on the newest three and how
// many more there are; in the order of (created_at, user id), newest last.
type LikesFold struct {
	Users []UserID `json:"users"`
	More  int      `json:"more"`
	Favs  int      `json:"favs,omitempty"`
}

// CommentsFold has up to four comments whole, from five on the first and the
// last; or all of them, for the page of a single post (All). Ordered by
// (created_at, id).
type CommentsFold struct {
	Comments []Comment `json:"comments"`
	Count    int       `json:"count"` // of all there are for the one it is made for
	Gap      int       `json:"gap"`   // the position of the fold: 1 after the first, 0 none
	GapLikes int       `json:"gap_likes,omitempty"`
	All      bool      `json:"all,omitempty"`
}

// Comment is one comment of a post.
type Comment struct {
	ID        CommentID  `json:"id"`
	Post      PostID     `json:"post"`
	User      UserID     `json:"user"`
	Text      string     `json:"text"`
	Platform  string     `json:"platform,omitempty"`
	Likes     int        `json:"likes,omitempty"`
	Likers    []UserID   `json:"likers,omitempty"` // sorted; told to nobody but the liker himself
	CreatedAt time.Time  `json:"created_at"`
	UpdatedAt *time.Time `json:"updated_at,omitempty"` // when it was edited; nil: never
}

// Attachment is a file of a post.
type Attachment struct {
	ID       int64  `json:"id"`
	FileName string `json:"file_name"`
	Kind     string `json:"kind"`
}

// UserCard is what is shown of a person beside many posts.
type UserCard struct {
	ID          UserID    `json:"id"`
	Name        string    `json:"name"`
	DisplayName string    `json:"display_name"`
	Description string    `json:"description,omitempty"`
	Status      string    `json:"status"`
	AvatarURL   string    `json:"avatar_url,omitempty"`
	CreatedAt   time.Time `json:"created_at"`
}

// GroupCard is what is shown of a group beside many posts.
type GroupCard struct {
	ID          GroupID   `json:"id"`
	Name        string    `json:"name"`
	DisplayName string    `json:"display_name"`
	Description string    `json:"description,omitempty"`
	Status      string    `json:"status"`
	AvatarURL   string    `json:"avatar_url,omitempty"`
	NSFW        bool      `json:"nsfw,omitempty"`
	Posting     string    `json:"posting"`
	Joining     string    `json:"joining"`
	CreatedAt   time.Time `json:"created_at"`
}
