package mokum

import (
	"cmp"
	"strconv"
	"time"

	"amstel.dev/amstel/timeline"
)

// cardJSON is what people and groups have in common.
type cardJSON[ID ~int64] struct {
	ID           ID     `json:"id"`
	Name         string `json:"name"`
	DisplayName  string `json:"display_name"`
	Status       string `json:"status"`
	Description  string `json:"description"`
	CreatedAt    string `json:"created_at,omitempty"`
	URL          string `json:"url"`
	AvatarURL    string `json:"avatar_url"`
	AvatarWidth  int    `json:"avatar_width"`
	AvatarHeight int    `json:"avatar_height"`
	Counts       Counts `json:"counts"`
	standingJSON
}

// standingJSON is how who asks stands to a feed.
type standingJSON struct {
	YouAreSubscribed bool `json:"you_are_subscribed,omitempty"`
	ForwardOnly      bool `json:"forward_only,omitempty"` // so he is, to what is new
	YouRequested     bool `json:"you_requested,omitempty"`
	YouAreInvited    bool `json:"you_are_invited,omitempty"`
}

func standingOf(viewer *timeline.Sets, feed timeline.TimelineID) standingJSON {
	if viewer == nil {
		return standingJSON{}
	}
	_, forward := viewer.Since[feed]
	return standingJSON{
		YouAreSubscribed: viewer.Subscribed[feed], ForwardOnly: forward, YouRequested: viewer.Requested[feed], YouAreInvited: viewer.Invited[feed],
	}
}

// User is a person, as a viewer sees them.
type User struct {
	cardJSON[timeline.UserID]
	IsYou    bool `json:"is_you,omitempty"`
	IsHidden bool `json:"is_hidden,omitempty"`
	IsBanned bool `json:"is_banned,omitempty"`
	// Only of the one who is asked about: how who asks stands to his private
	// sub-feed, and, of himself, whose direct messages he takes.
	PrivateFeed *standingJSON `json:"private_feed,omitempty"`
	DirectsFrom string        `json:"directs_from,omitempty"`
	OwnPosts    *bool         `json:"own_posts,omitempty"` // stand in his home
	Lang        *string       `json:"lang,omitempty"`      // that he says he writes in; empty: it is told from each text
}

// Group is a group, as a viewer sees it.
type Group struct {
	cardJSON[timeline.GroupID]
	NSFW        bool `json:"nsfw,omitempty"`
	YouAreAdmin bool `json:"you_are_admin,omitempty"`
	// Only of the one that is asked about: who may post, and how one joins.
	Posting string `json:"posting,omitempty"`
	Joining string `json:"joining,omitempty"`
}

// Counts is empty where a person or a group is one of many.
type Counts struct {
	Subscribers   *int `json:"subscribers,omitempty"`
	Subscriptions *int `json:"subscriptions,omitempty"`
}

// avatarSize is how large pictures are shown.
const avatarSize = 50

// UserOf returns a person in Mokum's shape. The feed is the timeline that one
// subscribes to; 0 where it is not at hand.
func UserOf(viewer *timeline.Sets, card *timeline.UserCard, feed timeline.TimelineID) User {
	shown := User{cardJSON: cardOf(viewer, card.ID, card.Name, feed)}
	shown.DisplayName, shown.Status, shown.Description = cmp.Or(card.DisplayName, card.Name), card.Status, card.Description
	shown.decorate(card.AvatarURL, card.CreatedAt)
	if viewer != nil && viewer.User != 0 {
		shown.IsYou = viewer.User == card.ID
		shown.IsHidden = viewer.HiddenUsers[card.ID]
		shown.IsBanned = viewer.Bans[card.ID]
	}
	return shown
}

// GroupOf returns a group in Mokum's shape.
func GroupOf(viewer *timeline.Sets, card *timeline.GroupCard, feed timeline.TimelineID) Group {
	shown := Group{cardJSON: cardOf(viewer, card.ID, card.Name, feed), NSFW: card.NSFW}
	shown.DisplayName, shown.Status, shown.Description = card.DisplayName, card.Status, card.Description
	shown.decorate(card.AvatarURL, card.CreatedAt)
	shown.YouAreAdmin = viewer != nil && viewer.Administers[card.ID]
	return shown
}

// UserWhole is [UserOf] for the person that is asked about, with how the viewer stands
// to the person's private sub-feed.
func UserWhole(viewer *timeline.Sets, card *timeline.UserCard, feed, privateFeed timeline.TimelineID) User {
	shown := UserOf(viewer, card, feed)
	if private := standingOf(viewer, privateFeed); private != (standingJSON{}) {
		shown.PrivateFeed = &private
	}
	return shown
}

func cardOf[ID ~int64](viewer *timeline.Sets, id ID, name string, feed timeline.TimelineID) cardJSON[ID] {
	return cardJSON[ID]{ID: id, Name: name, URL: "/" + name, standingJSON: standingOf(viewer, feed)}
}

func (c *cardJSON[ID]) decorate(avatar string, created time.Time) {
	c.AvatarURL, c.AvatarWidth, c.AvatarHeight = avatarURL(avatar, c.Name), avatarSize, avatarSize
	if !created.IsZero() { // of who asks, no more may be at hand than the name
		c.CreatedAt = created.UTC().Format("2006-01-02")
	}
}

// avatarURL is never empty, as clients don't ask whether it is.
func avatarURL(url, name string) string {
	if url != "" {
		return url
	}
	return "/system/avatars/" + name + ".svg"
}

// Users are people as an object by their ids; never null.
type Users map[string]User

// Groups are groups as an object by their ids; never null.
type Groups map[string]Group

// Shapes returns both maps of the cards, as their viewer sees them.
func (c Cards) Shapes(viewer *timeline.Sets) (Users, Groups) {
	users, groups := make(Users, len(c.Users)), make(Groups, len(c.Groups))
	for id, card := range c.Users {
		users[IDText(id)] = UserOf(viewer, card, 0)
	}
	for id, card := range c.Groups {
		groups[IDText(id)] = GroupOf(viewer, card, 0)
	}
	return users, groups
}

// Add puts a person among the people, unless they are there or the card is nil.
func (u Users) Add(viewer *timeline.Sets, card *timeline.UserCard) {
	if card == nil {
		return
	}
	if _, there := u[IDText(card.ID)]; !there {
		u[IDText(card.ID)] = UserOf(viewer, card, 0)
	}
}

// IDText returns an id as a key of an object.
func IDText[ID ~int64](id ID) string { return strconv.FormatInt(int64(id), 10) }
