package plainrule

// An Audience is how many people would see something, and how many would gain and lose
// sight of it (checklist BE8). The viewer who asks is not counted.
type Audience struct {
	Everybody bool `json:"everybody"`
	People    int  `json:"people"`
	Gain      int  `json:"gain"`
	Lose      int  `json:"lose"`
	Opens     bool `json:"opens"`
	Closes    bool `json:"closes"`
}

// audience counts the people who would see something by the rule becomes, and those who
// would gain or lose sight of it, compared with the rule was. It leaves out the viewer who asks.
func (s *Site) audience(asks int64, was, becomes func(v int64) bool) Audience {
	a := Audience{Everybody: becomes(0), Opens: becomes(0) && !was(0), Closes: was(0) && !becomes(0)}
	for v, person := range s.People {
		if v == asks || person.Status == "deleted" || person.Suspended {
			continue
		}
		if becomes(v) {
			a.People++
		}
		if becomes(v) && !was(v) {
			a.Gain++
		}
		if was(v) && !becomes(v) {
			a.Lose++
		}
	}
	return a
}

// AudienceIn returns the audience of a post in those places. p is the post that is moved
// there, or nil for a new post.
func (s *Site) AudienceIn(author int64, p *Post, places []int64) Audience {
	then := &Post{Author: author, Places: places}
	return s.audience(author,
		func(v int64) bool { return p != nil && s.MayRead(v, p) },
		func(v int64) bool { return s.MayRead(v, then) })
}

// AudienceOf returns the audience of a person's feed with another status.
func (s *Site) AudienceOf(person int64, status string) Audience {
	feed, now := s.Feed("user", person), s.People[person].Status
	with := func(status string) func(int64) bool {
		return func(v int64) bool {
			defer func() { s.People[person].Status = now }()
			s.People[person].Status = status
			return s.Opens(v, feed)
		}
	}
	return s.audience(person, with(now), with(status))
}
