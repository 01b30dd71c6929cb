package exporter

import (
	"archive/zip"
	"context"
	"io"
	"time"

	"amstel.dev/amstel/timeline"
)

// Pages renders the pages of a person's export.
type Pages interface {
	// Post renders a post with its comments, likes and files, for the page of its month.
	Post(ctx context.Context, to io.Writer, me *Profile, p *Post) error
	// Month renders the page of a month. posts has the posts of the month, which Post has rendered.
	Month(ctx context.Context, to io.Writer, me *Profile, m Month, posts io.Reader) error
	// Index renders the page index.html.
	Index(ctx context.Context, to io.Writer, me *Profile, months []Month) error
}

// A Profile holds the data about the person of an export that its pages show.
type Profile struct {
	Name, DisplayName, Description string
	Language                       string    // the language of the person's pages; empty: the person chose none
	Avatar, Cover                  string    // paths in the zip file; empty: none
	Since                          time.Time // when the account was made

	Subscriptions []string // names of feeds and groups, in the form of lines
	Lists         []List
	Searches      []Search
	Bans          []string // names of people
	Intakes       []Intake
	Passkeys      []timeline.Passkey
	Apart         int // the number of lines of apart.jsonl
}

// A List is a list of the person's.
type List struct {
	Name    string
	Members []string
}

// A Search is a search that the person saved.
type Search struct{ Name, Query string }

// An Intake is a feed of another site that the person imports.
type Intake struct{ Title, Address, Target string }

// note adds the data of a line to the profile, if pages show them.
func (me *Profile) note(l relationLine) {
	switch l.Type {
	case "subscription":
		me.Subscriptions = append(me.Subscriptions, l.Target)
	case "list":
		me.Lists = append(me.Lists, List{l.Name, *l.Members})
	case "search":
		me.Searches = append(me.Searches, Search{l.Name, *l.Query})
	case "ban":
		me.Bans = append(me.Bans, l.Target)
	case "intake":
		me.Intakes = append(me.Intakes, Intake{l.Title, l.Address, l.Target})
	}
}

// A Month is a page of posts.
type Month struct {
	First time.Time // the first day, in UTC
	Posts int
	Own   int // how many of the posts the person wrote
}

// Path returns the path of the page in the zip file.
func (m Month) Path() string { return "posts/" + m.First.Format("2006-01") + ".html" }

// months writes a page for each month. Posts come in the order of their times, so that only the page
// of one month is unfinished at a time.
type months struct {
	*export
	spool *spool    // the rendered posts of the unfinished month
	now   Month     // the unfinished month
	last  time.Time // the first day of the newest month so far
	all   []Month   // the finished months
}

func newMonths(e *export) (*months, error) {
	s, err := e.spool()
	if err != nil {
		return nil, err
	}
	return &months{export: e, spool: s}, nil
}

// add adds a post to the page of its month.
func (m *months) add(ctx context.Context, p *Post) error {
	year, month, _ := p.At.UTC().Date()
	first := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	if first.Before(m.last) { // posts are sorted by their ids, whose times may differ a little from p.At
		first = m.last
	}
	m.last = first
	if m.now.Posts > 0 && !m.now.First.Equal(first) {
		if err := m.finish(ctx); err != nil {
			return err
		}
	}
	m.now.First = first
	m.now.Posts++
	if p.Mine {
		m.now.Own++
	}
	return m.Pages.Post(ctx, m.spool.to, m.me, p)
}

// finish adds the page of the unfinished month, if there is one, to the zip file.
func (m *months) finish(ctx context.Context) error {
	if m.now.Posts == 0 {
		return nil
	}
	posts, err := m.spool.read()
	if err != nil {
		return err
	}
	to, err := m.create(m.now.Path(), zip.Deflate)
	if err != nil {
		return err
	}
	if err := m.Pages.Month(ctx, to, m.me, m.now, posts); err != nil {
		return err
	}
	m.all = append(m.all, m.now)
	m.now = Month{}
	return m.spool.reset()
}

func (m *months) close() { _ = m.spool.file.Close() }

// writeIndex writes index.html.
func (e *export) writeIndex(ctx context.Context) error {
	if e.months == nil {
		return nil
	}
	to, err := e.create("index.html", zip.Deflate)
	if err != nil {
		return err
	}
	return e.Pages.Index(ctx, to, e.me, e.months.all)
}
