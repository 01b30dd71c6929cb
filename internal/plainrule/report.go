package plainrule

import "slices"

// Decides reports whether a person decides about a report: the administrators to whom the report was sent do, except an
// administrator whom the report is about.
func (s *Site) Decides(v int64, r *Report) bool {
	switch {
	case v == 0 || v == r.User || s.People[v].Gone():
		return false
	case r.Group != 0:
		return s.Groups[r.Group].Admins[v]
	}
	return s.People[v].Admin
}

// Held returns the ids of the posts that wait for a decision of a person: all that wait for administrators of the site, and
// none for any other person.
func (s *Site) Held(v int64) (ids []int64) {
	if v == 0 || !s.People[v].Admin || s.People[v].Gone() {
		return nil
	}
	for id, p := range s.Posts {
		if p.Held && !p.withheld && !s.People[p.Author].Gone() {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// ReportedText returns how the text begins that a report is about, and the author of its post, as far as a person may read
// it: as on any other page. The author is 0 otherwise.
func (s *Site) ReportedText(v int64, r *Report) (text string, author int64) {
	p := s.Posts[r.Post]
	if !s.MayRead(v, p) {
		return "", 0
	}
	if r.Comment == 0 {
		return p.Text, p.Author
	}
	for _, c := range p.Comments {
		if c.ID == r.Comment && !s.Apart(v, c.Author) {
			return c.Text, p.Author
		}
	}
	return "", 0
}
