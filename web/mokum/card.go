package mokum

import (
	"cmp"
	"strconv"
	"time"

	"amstel.dev/amstel/timeline"
)

// cardJSON holds the fields that people and groups have in common.
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
	CoverURL     string `json:"cover_url,omitempty"` // of the cover, 800 x 200; ours
	Counts       Counts `json:"counts"`
	standingJSON
}

// standingJSON is how the viewer follows a feed.
type standingJSON struct {
	YouAreSubscribed bool `json:"you_are_subscribed,omitempty"`
	ForwardOnly      bool `json:"forward_only,omitempty"` // subscribed to new posts only
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

// A User is a person, as a viewer sees them.
type User struct {
	cardJSON[timeline.UserID]
	IsYou    bool `json:"is_you,omitempty"`
	IsHidden bool `json:"is_hidden,omitempty"`
	IsBanned bool `json:"is_banned,omitempty"`
	// SubscribedToYou is set in whole pages and lists. Answers to writes and frames leave it
	// out.
	SubscribedToYou bool `json:"subscribed_to_you,omitempty"`
	// These fields are only in the answer about one person: how the viewer follows the person's
	// private sub-feed and, if the person is the viewer, the senders from which they accept
	// direct messages.
	PrivateFeed *standingJSON `json:"private_feed,omitempty"`
	DirectsFrom string        `json:"directs_from,omitempty"`
	OwnPosts    *bool         `json:"own_posts,omitempty"`   // the person's home has their own posts
	VisitTimes  *bool         `json:"visit_times,omitempty"` // the site keeps the times of the person's visits
	Lang        *string       `json:"lang,omitempty"`        // the language in which the person writes; empty: detected in each text
}

// A Group is a group, as a viewer sees it.
type Group struct {
	cardJSON[timeline.GroupID]
	NSFW        bool `json:"nsfw"`
	YouAreAdmin bool `json:"you_are_admin,omitempty"`
	// These fields are only in the answer about one group: the right to post, and the way to
	// join.
	Posting string `json:"posting,omitempty"`
	Joining string `json:"joining,omitempty"`
}

// Counts are the numbers of subscribers and subscriptions. They are empty if a person or
// group is one of many in an answer.
type Counts struct {
	Subscribers   *int `json:"subscribers,omitempty"`
	Subscriptions *int `json:"subscriptions,omitempty"`
}

// avatarSize is the width and height of shown pictures, in pixels.
const avatarSize = 50

// UserOf returns a person in Mokum's shape.
func UserOf(viewer *timeline.Sets, card *timeline.UserCard) User {
	shown := User{cardJSON: cardOf(viewer, card.ID, card.Name, card.Feed)}
	shown.DisplayName, shown.Status, shown.Description = cmp.Or(card.DisplayName, card.Name), card.Status, card.Description
	shown.decorate(card.AvatarURL, card.CoverURL, card.CreatedAt)
	if viewer != nil && viewer.User != 0 {
		shown.IsYou = viewer.User == card.ID
		shown.IsHidden = viewer.HiddenUsers[card.ID]
		shown.IsBanned = viewer.Bans[card.ID]
	}
	return shown
}

// GroupOf returns a group in Mokum's shape.
func GroupOf(viewer *timeline.Sets, card *timeline.GroupCard) Group {
	shown := Group{cardJSON: cardOf(viewer, card.ID, card.Name, card.Feed), NSFW: card.NSFW}
	shown.DisplayName, shown.Status, shown.Description = card.DisplayName, card.Status, card.Description
	shown.decorate(card.AvatarURL, card.CoverURL, card.CreatedAt)
	shown.YouAreAdmin = viewer != nil && viewer.Administers[card.ID]
	return shown
}

// UserWhole returns the JSON of [UserOf] for an answer about one person, and adds how the
// viewer follows the person's private sub-feed.
func UserWhole(viewer *timeline.Sets, card *timeline.UserCard, privateFeed timeline.TimelineID) User {
	shown := UserOf(viewer, card)
	if private := standingOf(viewer, privateFeed); private != (standingJSON{}) {
		shown.PrivateFeed = &private
	}
	return shown
}

func cardOf[ID ~int64](viewer *timeline.Sets, id ID, name string, feed timeline.TimelineID) cardJSON[ID] {
	return cardJSON[ID]{ID: id, Name: name, URL: "/" + name, standingJSON: standingOf(viewer, feed)}
}

func (c *cardJSON[ID]) decorate(avatar, cover string, created time.Time) {
	c.CoverURL = cover
	c.AvatarURL, c.AvatarWidth, c.AvatarHeight = AvatarURL(avatar, c.Name), avatarSize, avatarSize
	if !created.IsZero() { // of the viewer's own account only the name may be known
		c.CreatedAt = created.UTC().Format("2006-01-02")
	}
}

// AvatarURL returns the address of an avatar: the uploaded one, or the picture generated from
// the name, as PNG, which every client can show. The address is never empty, because clients
// expect one.
func AvatarURL(url, name string) string {
	if url != "" {
		return url
	}
	return "/system/avatars/" + name + ".png"
}

// Users are people as an object by their ids; never null.
type Users map[string]User

// Groups are groups as an object by their ids; never null.
type Groups map[string]Group

// Shapes returns the cards' people and groups as their viewer sees them.
func (c Cards) Shapes(viewer *timeline.Sets) (Users, Groups) {
	users, groups := make(Users, len(c.Users)), make(Groups, len(c.Groups))
	for id, card := range c.Users {
		users[IDText(id)] = UserOf(viewer, card)
	}
	for id, card := range c.Groups {
		groups[IDText(id)] = GroupOf(viewer, card)
	}
	return users, groups
}

// Add adds a person, unless they are there already or the card is nil.
func (u Users) Add(viewer *timeline.Sets, card *timeline.UserCard) {
	if card == nil {
		return
	}
	if _, there := u[IDText(card.ID)]; !there {
		u[IDText(card.ID)] = UserOf(viewer, card)
	}
}

// MarkSubscribers marks people as subscribers of the viewer's feed.
func (u Users) MarkSubscribers(ids []timeline.UserID) {
	for _, id := range ids {
		if card, there := u[IDText(id)]; there {
			card.SubscribedToYou = true
			u[IDText(id)] = card
		}
	}
}

// IDs returns the ids of the people, in any order.
func (u Users) IDs() []timeline.UserID {
	ids := make([]timeline.UserID, 0, len(u))
	for _, card := range u {
		ids = append(ids, card.ID)
	}
	return ids
}

// IDText returns an id as a key of an object.
func IDText[ID ~int64](id ID) string { return strconv.FormatInt(int64(id), 10) }
