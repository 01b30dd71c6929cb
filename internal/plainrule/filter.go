package plainrule

import (
	"slices"
	"time"
)

// listed says whether a post is for everybody's page: DECISIONS, "everything
// holds posts with a public or protected decisive timeline; each viewer's rule
// filters as usual."
func (s *Site) listed(p *Post) bool {
	return slices.ContainsFunc(p.Places, func(place int64) bool {
		f := s.Feeds[place]
		status := ""
		switch f.What {
		case "user":
			status = s.People[f.Their].Status
		case "group":
			status = s.Groups[f.Their].Status
		}
		return status == "public" || status == "disallow-robots" || status == "protected"
	})
}

// Everything has what has a public or protected place, for who may read it.
func (s *Site) Everything(v int64) []Entry {
	return s.page(v, func(p *Post) map[string][]int64 {
		if s.listed(p) {
			return map[string][]int64{"everything": {0}}
		}
		return nil
	})
}

// EverythingOf is the same of a language: MO4, "everything / best of / most faved
// per language".
func (s *Site) EverythingOf(v int64, lang string) []Entry {
	return slices.DeleteFunc(s.Everything(v), func(e Entry) bool { return e.Post.Lang != lang })
}

// Ranked is a page of best_of or most_faved, by the timeline's their_id: IG5,
// "ranking is stable between pages", so the order is the stored one.
func (s *Site) Ranked(v int64, what string, their int64) []Entry {
	f := s.Feed(what, their)
	if f == nil {
		return nil
	}
	entries := s.page(v, func(p *Post) map[string][]int64 {
		if _, ranked := p.Ranks[f.ID]; ranked && s.listed(p) {
			return map[string][]int64{what: {their}}
		}
		return nil
	})
	for i, e := range entries {
		entries[i].Place = e.Post.Ranks[f.ID]
	}
	sorted(entries)
	return entries
}

// HashtagPage has what has a tag in its text: FF2, "hashtag, mention" are filter
// feeds, and who may read what is in them the rule says.
func (s *Site) HashtagPage(v int64, tag string) []Entry {
	return s.page(v, func(p *Post) map[string][]int64 {
		if slices.Contains(Tags(p.Text), tag) {
			return map[string][]int64{"hashtag": {1}}
		}
		return nil
	})
}

// MentionsPage is of where somebody is named: by whom he may see, as a ban hides
// "comments, likes, comment likes, mentions and counts too" (the issue).
func (s *Site) MentionsPage(v int64) []Entry {
	return s.page(v, func(p *Post) map[string][]int64 {
		if slices.ContainsFunc(s.Mentions(p), func(m Mention) bool { return m.User == v && !s.Apart(v, m.By) }) {
			return map[string][]int64{"mentions": {v}}
		}
		return nil
	})
}

// Discussions are seed 004's "My Discussions": what somebody wrote or commented
// on.
func (s *Site) Discussions(v int64) []Entry { return s.of(v, s.Feed("user_discussions", v)) }

// FYEO is what somebody wrote for his eyes only: seed 004, "user feed, private
// sub-feed, “for your eyes only”". It has no address for others.
func (s *Site) FYEO(v int64) []Entry { return s.of(v, s.Feed("user_fyeo", v)) }

// PrivatePage is somebody's private sub-feed.
func (s *Site) PrivatePage(v, whose int64) (entries []Entry, open bool) {
	f := s.Feed("user_private", whose)
	if !s.Opens(v, f) {
		return nil, false
	}
	return s.of(v, f), true
}

// DayPage has what of somebody's page was published on a day, or in a month or a
// year: "2024-05-01", "2024-05" or "2024", as UTC has them; the newest first.
func (s *Site) DayPage(v, whose int64, period string) (entries []Entry, open bool) {
	entries, open = s.PersonPage(v, whose)
	return Created(slices.DeleteFunc(entries, func(e Entry) bool {
		return time.UnixMilli(e.Post.Published).UTC().Format(time.DateOnly)[:len(period)] != period
	})), open
}
