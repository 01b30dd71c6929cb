package web

import (
	"cmp"
	"strconv"
	"time"

	"amstel.dev/amstel/timeline"
)

// cardJSON is what people and groups have in common in Mokum's shape (API §2.5).
type cardJSON[ID ~int64] struct {
	ID           ID         `json:"id"`
	Name         string     `json:"name"`
	DisplayName  string     `json:"display_name"`
	Status       string     `json:"status"`
	Description  string     `json:"description"`
	CreatedAt    string     `json:"created_at,omitempty"`
	URL          string     `json:"url"`
	AvatarURL    string     `json:"avatar_url"`
	AvatarWidth  int        `json:"avatar_width"`
	AvatarHeight int        `json:"avatar_height"`
	Counts       countsJSON `json:"counts"`
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

// userJSON is a person, as somebody sees him.
type userJSON struct {
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

// groupJSON is a group, as somebody sees it.
type groupJSON struct {
	cardJSON[timeline.GroupID]
	NSFW        bool `json:"nsfw,omitempty"`
	YouAreAdmin bool `json:"you_are_admin,omitempty"`
	// Only of the one that is asked about: who may post, and how one joins.
	Posting string `json:"posting,omitempty"`
	Joining string `json:"joining,omitempty"`
}

// countsJSON is empty where a person or a group is one of many.
type countsJSON struct {
	Subscribers   *int `json:"subscribers,omitempty"`
	Subscriptions *int `json:"subscriptions,omitempty"`
}

// avatarSize is how large pictures are shown.
const avatarSize = 50

// userOf puts a person into Mokum's shape. The feed is the timeline that one
// subscribes to; 0 where it is not at hand.
func userOf(viewer *timeline.Sets, card *timeline.UserCard, feed timeline.TimelineID) userJSON {
	shown := userJSON{cardJSON: cardOf(viewer, card.ID, card.Name, feed)}
	shown.DisplayName, shown.Status, shown.Description = cmp.Or(card.DisplayName, card.Name), card.Status, card.Description
	shown.decorate(card.AvatarURL, card.CreatedAt)
	if viewer != nil && viewer.User != 0 {
		shown.IsYou = viewer.User == card.ID
		shown.IsHidden = viewer.HiddenUsers[card.ID]
		shown.IsBanned = viewer.Bans[card.ID]
	}
	return shown
}

// groupOf puts a group into Mokum's shape.
func groupOf(viewer *timeline.Sets, card *timeline.GroupCard, feed timeline.TimelineID) groupJSON {
	shown := groupJSON{cardJSON: cardOf(viewer, card.ID, card.Name, feed), NSFW: card.NSFW}
	shown.DisplayName, shown.Status, shown.Description = card.DisplayName, card.Status, card.Description
	shown.decorate(card.AvatarURL, card.CreatedAt)
	shown.YouAreAdmin = viewer != nil && viewer.Administers[card.ID]
	return shown
}

// userWhole is userOf the one who is asked about.
func userWhole(viewer *timeline.Sets, card *timeline.UserCard, whose owner) userJSON {
	shown := userOf(viewer, card, whose.feed)
	if private := standingOf(viewer, whose.private); private != (standingJSON{}) {
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

// avatarURL is never empty: clients don't ask.
func avatarURL(url, name string) string {
	if url != "" {
		return url
	}
	return "/system/avatars/" + name + ".svg"
}

// usersJSON are people as an object by their ids; never null.
type usersJSON map[string]userJSON

// groupsJSON are groups as an object by their ids; never null.
type groupsJSON map[string]groupJSON

// shapes are both maps of the cards, as their viewer sees them.
func (c cards) shapes(viewer *timeline.Sets) (usersJSON, groupsJSON) {
	users, groups := make(usersJSON, len(c.users)), make(groupsJSON, len(c.groups))
	for id, card := range c.users {
		users[idText(id)] = userOf(viewer, card, 0)
	}
	for id, card := range c.groups {
		groups[idText(id)] = groupOf(viewer, card, 0)
	}
	return users, groups
}

// add puts somebody among the people who is not there yet; nil is nobody.
func (u usersJSON) add(viewer *timeline.Sets, card *timeline.UserCard) {
	if card == nil {
		return
	}
	if _, there := u[idText(card.ID)]; !there {
		u[idText(card.ID)] = userOf(viewer, card, 0)
	}
}

// idText is an id as a key of an object.
func idText[ID ~int64](id ID) string { return strconv.FormatInt(int64(id), 10) }
