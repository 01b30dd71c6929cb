package web

import (
	"strconv"

	"amstel.dev/amstel/timeline"
)

// userJSON is a person in Mokum's shape (API §2.5), as somebody sees him.
type userJSON struct {
	ID               timeline.UserID `json:"id"`
	Name             string          `json:"name"`
	DisplayName      string          `json:"display_name"`
	Status           string          `json:"status"`
	Description      string          `json:"description"`
	CreatedAt        string          `json:"created_at"`
	URL              string          `json:"url"`
	AvatarURL        string          `json:"avatar_url"`
	AvatarWidth      int             `json:"avatar_width"`
	AvatarHeight     int             `json:"avatar_height"`
	Counts           countsJSON      `json:"counts"`
	IsYou            bool            `json:"is_you,omitempty"`
	IsHidden         bool            `json:"is_hidden,omitempty"`
	IsBanned         bool            `json:"is_banned,omitempty"`
	YouAreSubscribed bool            `json:"you_are_subscribed,omitempty"`
	YouRequested     bool            `json:"you_requested,omitempty"`
}

// groupJSON is a group in Mokum's shape, as somebody sees it.
type groupJSON struct {
	ID               timeline.GroupID `json:"id"`
	Name             string           `json:"name"`
	DisplayName      string           `json:"display_name"`
	Status           string           `json:"status"`
	Description      string           `json:"description"`
	CreatedAt        string           `json:"created_at"`
	URL              string           `json:"url"`
	AvatarURL        string           `json:"avatar_url"`
	AvatarWidth      int              `json:"avatar_width"`
	AvatarHeight     int              `json:"avatar_height"`
	NSFW             bool             `json:"nsfw,omitempty"`
	Counts           countsJSON       `json:"counts"`
	YouAreSubscribed bool             `json:"you_are_subscribed,omitempty"`
	YouRequested     bool             `json:"you_requested,omitempty"`
	YouAreAdmin      bool             `json:"you_are_admin,omitempty"`
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
	shown := userJSON{
		ID:           card.ID,
		Name:         card.Name,
		DisplayName:  card.DisplayName,
		Status:       card.Status,
		Description:  card.Description,
		CreatedAt:    card.CreatedAt.UTC().Format("2006-01-02"),
		URL:          "/" + card.Name,
		AvatarURL:    avatarURL(card.AvatarURL, card.Name),
		AvatarWidth:  avatarSize,
		AvatarHeight: avatarSize,
	}
	if viewer == nil || viewer.User == 0 {
		return shown
	}
	shown.IsYou = viewer.User == card.ID
	shown.IsHidden = viewer.HiddenUsers[card.ID]
	shown.IsBanned = viewer.Bans[card.ID]
	shown.YouAreSubscribed = viewer.Subscribed[feed]
	shown.YouRequested = viewer.Requested[feed]
	return shown
}

// groupOf puts a group into Mokum's shape.
func groupOf(viewer *timeline.Sets, card *timeline.GroupCard, feed timeline.TimelineID) groupJSON {
	shown := groupJSON{
		ID:           card.ID,
		Name:         card.Name,
		DisplayName:  card.DisplayName,
		Status:       card.Status,
		Description:  card.Description,
		CreatedAt:    card.CreatedAt.UTC().Format("2006-01-02"),
		URL:          "/" + card.Name,
		AvatarURL:    avatarURL(card.AvatarURL, card.Name),
		AvatarWidth:  avatarSize,
		AvatarHeight: avatarSize,
		NSFW:         card.NSFW,
	}
	if viewer == nil || viewer.User == 0 {
		return shown
	}
	shown.YouAreSubscribed = viewer.Subscribed[feed]
	shown.YouRequested = viewer.Requested[feed]
	shown.YouAreAdmin = viewer.Administers[card.ID]
	return shown
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
