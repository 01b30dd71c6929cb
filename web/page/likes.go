package page

import (
	"slices"

	"amstel.dev/amstel/timeline"
)

// shownLikers is how many people the line of likes names at least, if so many like the post.
const shownLikers = 4

// likers returns the people to name beside the likes of an entry: the viewer, then people whom
// the viewer follows and whose likes brought the entry to the page, then the newest likes; and
// how many more there are.
func (m EntryModel) likers() (people []*timeline.UserCard, more int) {
	likes := m.fold().Likes
	var ids []timeline.UserID
	if m.Entry.Liked && m.Sets != nil && m.Sets.User != 0 {
		ids = append(ids, m.Sets.User)
	}
	for _, id := range m.Entry.Reasons.Of(timeline.WhatUserLikes) {
		ids = append(ids, timeline.UserID(id))
	}
	newest := slices.Clone(likes.Users)
	slices.Reverse(newest)
	ids = append(ids, newest...)
	total := m.likesCount()
	limit := min(total, max(len(likes.Users), shownLikers))
	for i, id := range ids {
		if len(people) < limit && !slices.Contains(ids[:i], id) {
			people = append(people, m.user(id))
		}
	}
	return people, total - len(people)
}

// likesCount returns how many people like the post.
func (m EntryModel) likesCount() int {
	likes := m.fold().Likes
	total := len(likes.Users) + likes.More
	if total == 0 && m.Entry.Liked {
		return 1 // the viewer's like is newer than the fold
	}
	return total
}

// likerNames returns the people as this viewer calls them.
func (m EntryModel) likerNames(people []*timeline.UserCard) []named {
	all := make([]named, len(people))
	for i, card := range people {
		all[i] = m.person(card.ID)
		if i == 0 && all[i].Text == m.Words.EntryYou() {
			all[i].Text = m.Words.EntryYouFirst()
		}
	}
	return all
}
