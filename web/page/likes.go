package page

import "slices"

// likers returns the people to name beside the likes of an entry: the viewer first, then
// the newest likes; and how many more there are.
func (m EntryModel) likers() (people []named, more int) {
	likes := m.fold().Likes
	more = likes.More
	ids := slices.Clone(likes.Users)
	slices.Reverse(ids)
	if m.Entry.Liked && m.Sets != nil && m.Sets.User != 0 {
		own := slices.Index(ids, m.Sets.User)
		switch {
		case own >= 0:
			ids = slices.Delete(ids, own, own+1)
		case more > 0:
			more--
		}
		ids = slices.Insert(ids, 0, m.Sets.User)
	}
	for i, id := range ids {
		p := m.person(id)
		if i == 0 && p.Text == m.Words.EntryYou() {
			p.Text = m.Words.EntryYouFirst()
		}
		people = append(people, p)
	}
	return people, more
}
