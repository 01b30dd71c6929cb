package plainrule

import (
	"slices"
	"time"
)

// listed reports whether a post is for the page of everything, which holds posts with
// a public or protected decisive timeline (docs/kinds.md). Each viewer's rule filters
// as usual.
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

// Everything returns the posts with a public or protected place that the viewer may read.
func (s *Site) Everything(v int64) []Entry {
	return s.page(v, func(p *Post) map[string][]int64 {
		if s.listed(p) {
			return map[string][]int64{"everything": {0}}
		}
		return nil
	})
}

// EverythingOf returns the posts of [Site.Everything] in a language (checklist MO4).
func (s *Site) EverythingOf(v int64, lang string) []Entry {
	return slices.DeleteFunc(s.Everything(v), func(e Entry) bool { return e.Post.Lang != lang })
}

// Ranked returns a page of best_of or most_faved, by the timeline's their_id. A ranking is
// stable between pages (checklist IG5), so the order is the stored one.
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

// HashtagPage returns the posts that have a tag in their text. Hashtags and mentions are
// filter feeds (checklist FF2): a viewer sees those of its posts that they may read.
func (s *Site) HashtagPage(v int64, tag string) []Entry {
	return s.page(v, func(p *Post) map[string][]int64 {
		if slices.Contains(Tags(p.Text), tag) {
			return map[string][]int64{"hashtag": {1}}
		}
		return nil
	})
}

// MentionsPage returns the posts with a mention of a person. A mention by an author across
// a ban does not count: a ban hides mentions too (docs/bans.md).
func (s *Site) MentionsPage(v int64) []Entry {
	return s.page(v, func(p *Post) map[string][]int64 {
		if slices.ContainsFunc(s.Mentions(p), func(m Mention) bool { return m.User == v && !s.Apart(v, m.By) }) {
			return map[string][]int64{"mentions": {v}}
		}
		return nil
	})
}

// Discussions returns the posts that a person wrote or commented on (docs/kinds.md).
func (s *Site) Discussions(v int64) []Entry { return s.feedsPage(v, s.Feed("user_discussions", v)) }

// FYEO returns the posts that a person wrote for their own eyes only (checklist MO4). The page has
// no address for other people.
func (s *Site) FYEO(v int64) []Entry { return s.feedsPage(v, s.Feed("user_fyeo", v)) }

// PrivatePage returns the posts of a person's private sub-feed, and whether the viewer may
// open it.
func (s *Site) PrivatePage(v, whose int64) (entries []Entry, open bool) {
	f := s.Feed("user_private", whose)
	if !s.Opens(v, f) {
		return nil, false
	}
	return s.feedsPage(v, f), true
}

// DayPage returns the posts of a person's page that were published on a day, in a month or
// in a year ("2024-05-01", "2024-05" or "2024", in UTC), the newest first.
func (s *Site) DayPage(v, whose int64, period string) (entries []Entry, open bool) {
	entries, open = s.PersonPage(v, whose)
	return Created(slices.DeleteFunc(entries, func(e Entry) bool {
		return time.UnixMilli(e.Post.Published).UTC().Format(time.DateOnly)[:len(period)] != period
	})), open
}
