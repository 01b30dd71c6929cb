package web

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/discover"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/page"
)

// daysAround returns the calendar around a day, a month or a year: for a day, the calendar of its
// month. It returns nil if the calendar can't be read. The calendar is not cached, because a
// counted post may become private.
func (s *Server) daysAround(ctx context.Context, where address.Address) *discover.Calendar {
	of := where.Key.Query
	if len(of) > len("2006-01") {
		of = of[:len("2006-01")]
	}
	from, until := address.DayBounds(of)
	found, err := s.discover.Calendar(ctx, where.Key.Viewer, where.Owner.User, from, until)
	if err != nil {
		s.log.DebugContext(ctx, "could not read a calendar", "user", where.Owner.User, "err", err)
		return nil
	}
	return &found
}

// days returns the head of the page of a day, a month or a year.
func (v *riverPage) days(words catalogue.Language) *page.Days {
	day := v.address.Key.Query
	shown := &page.Days{Title: address.DayInWords(words, day), Calendar: page.CalendarPath(v.address.Owner.Name)}
	if len(day) > len("2006") {
		shown.Up = v.dayLink(words, day[:strings.LastIndexByte(day, '-')])
	}
	if v.facts.days == nil {
		return shown
	}
	length := len("2006-01-02") // the days of a month, but the months of a year
	if len(day) == len("2006") {
		length = len("2006-01")
	}
	name := func(at time.Time) string {
		if at.IsZero() {
			return ""
		}
		return at.Format("2006-01-02")[:len(day)]
	}
	before, after := name(v.facts.days.Before), name(v.facts.days.After)
	within := false // the next day with posts is in the same month
	for _, part := range partsOf(v.facts.days.Days, length) {
		link := v.dayLink(words, part.name)
		link.Posts, link.Current = part.posts, part.name == day
		if link.Text = strings.TrimLeft(part.name[len(part.name)-2:], "0"); len(day) == len("2006") {
			link.Text = monthName(words, part.name)
		}
		shown.Strip = append(shown.Strip, link)
		switch {
		case len(day) != len(part.name):
		case part.name < day:
			before = part.name
		case part.name > day && !within:
			after, within = part.name, true
		}
	}
	shown.Before, shown.After = v.dayLink(words, before), v.dayLink(words, after)
	return shown
}

// dayLink returns the link to a day, a month or a year of the same person; nil if day is
// empty.
func (v *riverPage) dayLink(words catalogue.Language, day string) *page.DayLink {
	if day == "" {
		return nil
	}
	return &page.DayLink{Text: address.DayInWords(words, day), Href: page.NamePath(v.address.Owner.Name) + "/" + address.DayPath(day)}
}

// A part is a day, a month or a year, with the number of posts in it.
type part struct {
	name  string
	posts int
}

// partsOf sums up days by the first characters of their names: 7 for months, 4 for years.
func partsOf(days []discover.DayCount, length int) (parts []part) {
	for _, d := range days {
		name := d.Day.Format("2006-01-02")[:length]
		if n := len(parts); n == 0 || parts[n-1].name != name {
			parts = append(parts, part{name: name})
		}
		parts[len(parts)-1].posts += d.Posts
	}
	return parts
}

// monthName returns the name of a month like "2024-05".
func monthName(words catalogue.Language, month string) string {
	at, err := time.Parse("2006-01", month)
	if err != nil {
		return month
	}
	return words.MonthAlone(at)
}

// showCalendar shows on which days a person wrote, the newest year first.
func (s *Server) showCalendar(w http.ResponseWriter, q *request) error {
	if !q.html {
		return timeline.ErrNotFound // Mokum has no JSON of calendars either
	}
	whose, err := s.addresses.Names.Lookup(q.Context(), q.param("name"))
	if err != nil {
		return err
	}
	if whose.User == 0 {
		return address.NotFound(pagePath(q.Request))
	}
	if err := whose.AskedAs(q.askedName()); err != nil {
		return err
	}
	found, err := s.discover.Calendar(q.Context(), q.who.User, whose.User, time.Time{}, time.Time{})
	if err != nil {
		return s.closed(q, whose, err)
	}
	sets, c, err := s.setsAndCards(q.Context(), q.who.User, whose)
	if err != nil {
		return err
	}
	card := c.Users[whose.User]
	if card == nil {
		return timeline.ErrNotFound
	}
	m := page.CalendarModel{Shell: s.shell(q, q.words.KindTitleDay(card.DisplayName, q.words.CalendarTitle()))}
	m.NoIndex = card.Status == "disallow-robots"
	m.User = &page.UserHead{
		Card: card, Counts: s.counts.headCounts(q.Context(), sets, whose).shown(), Relation: s.relation(q, sets, whose), Tab: page.TabCalendar,
		Signed: q.who.signedIn(), ReturnTo: page.CalendarPath(whose.Name),
	}
	v := &riverPage{address: address.Address{Owner: whose}}
	for _, month := range partsOf(found.Days, len("2006-01")) {
		year := month.name[:len("2006")]
		if n := len(m.Years); n == 0 || m.Years[n-1].Text != year {
			m.Years = append(m.Years, page.Year{DayLink: *v.dayLink(q.words, year)})
		}
		at := &m.Years[len(m.Years)-1]
		link := v.dayLink(q.words, month.name)
		link.Text, link.Posts = monthName(q.words, month.name), month.posts
		at.Months = append(at.Months, link)
		at.Posts += month.posts
	}
	slices.Reverse(m.Years)
	return s.page(w, q, http.StatusOK, page.Calendar(m))
}
