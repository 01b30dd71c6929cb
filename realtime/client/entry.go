package client

import "time"

// The objects of the API have the fields that most programs read; docs/wire.md lists all.
// A program that wants others calls [Client.Do] with types of its own.

// A Card describes a person or a group.
type Card struct {
	ID          int64  `json:"id"`
	Name        string `json:"name"`
	DisplayName string `json:"display_name"`
	Status      string `json:"status"`
	Description string `json:"description"`
	URL         string `json:"url"` // a path
	AvatarURL   string `json:"avatar_url"`
}

// An Entry is a post as one reader is shown it on one page.
type Entry struct {
	ID            int64              `json:"id"`
	URL           string             `json:"url"` // a path
	UserID        int64              `json:"user_id"`
	Version       int                `json:"version"`
	Text          string             `json:"text"`
	PublishedAt   time.Time          `json:"published_at"`
	FreshAt       time.Time          `json:"fresh_at"` // when it was published, or commented on last
	IsPublic      bool               `json:"is_public"`
	Status        string             `json:"status"`
	Timelines     []string           `json:"timelines"`
	Reason        map[string][]int64 `json:"reason"`
	Likes         []int64            `json:"likes"`
	MoreLikes     int                `json:"more_likes"`
	UserLiked     bool               `json:"user_liked"`
	Comments      []Comment          `json:"comments"` // all on the page of the post; elsewhere perhaps the first and the last only
	CommentsCount int                `json:"comments_count"`
	CanComment    bool               `json:"can_comment"`
	CanEdit       bool               `json:"can_edit"`
	Tag           string             `json:"tag"` // a hash of all that this reader is shown
}

// A Comment is a comment on a post.
type Comment struct {
	ID        int64     `json:"id"`
	PostID    int64     `json:"post_id"`
	UserID    int64     `json:"user_id"`
	Text      string    `json:"text"`
	CreatedAt time.Time `json:"created_at"`
	URL       string    `json:"url"` // a path
	UserLiked bool      `json:"user_liked"`
}

// A Timeline is a page of entries, from the top down, with the people and groups that the entries name.
type Timeline struct {
	Entries []Entry        `json:"entries"`
	Users   map[int64]Card `json:"users"`
	Groups  map[int64]Card `json:"groups"`
	Older   string         `json:"older_entries_url"` // the path of the next page; empty on the last one
	River   struct {
		UUID     string `json:"uuid"`
		Epoch    string `json:"epoch"`
		Counter  int64  `json:"counter"`
		Position int64  `json:"position"`
		Live     bool   `json:"live"` // the page can be followed
	} `json:"river"`
}
