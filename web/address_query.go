package web

import (
	"context"
	"errors"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

const (
	pageCount = 25  // entries of a page, unless asked otherwise
	mostCount = 100 // entries of a page, at most
	// deepest is the last entry that a page by number may show; farther down one
	// goes by a cursor, as the links to older entries do.
	deepest = 10_000
)

// asked is the part of a river that an address asks for.
type asked struct {
	river.At
	number     int             // of the page, from 1
	since, max timeline.PostID // posts that bound it; see [Server.locate]
}

// wholeTop is the page from the top.
var wholeTop = asked{At: river.At{Count: pageCount}, number: 1}

// readQuery reads which part of a river is asked for: before=FRESH_MS,ID, which
// is exact, counts most; then start_from=TIME, then page=N. In the same way
// after=FRESH_MS,ID, which only our own links have, counts more than since_id.
func readQuery(query url.Values) (a asked, err error) {
	a = wholeTop
	if len(query) == 0 {
		return a, nil
	}
	if a.number, err = whole(query, "page", 1, 1, 1<<31); err != nil {
		return a, err
	}
	if a.Count, err = whole(query, "count", pageCount, 1, mostCount); err != nil {
		return a, err
	}
	for name, id := range map[string]*timeline.PostID{"since_id": &a.since, "max_id": &a.max} {
		if *id, err = postNamed(query, name); err != nil {
			return a, err
		}
	}
	if after := query.Get("after"); after != "" {
		a.since = 0
		if a.After, err = readCursor("after", after); err != nil {
			return a, err
		}
	}
	switch before, from := query.Get("before"), query.Get("start_from"); {
	case before != "":
		a.max = 0
		if a.Before, err = readCursor("before", before); err != nil {
			return a, err
		}
	case from != "":
		at, ok := readTime(from)
		if !ok || at.UnixMilli() <= 0 {
			return a, &timeline.InvalidError{Field: "start_from", Reason: "is not a time like 2016-06-18T18:08:14Z"}
		}
		a.StartFrom = at.UnixMilli()
	default:
		if a.Skip = (a.number - 1) * a.Count; a.Skip+a.Count > deepest {
			return a, &timeline.InvalidError{Field: "page", Reason: "reaches below the 10,000th entry; follow the older links of the pages above"}
		}
	}
	return a, a.readKind(query)
}

// readKind reads which posts are asked for, and in which order.
func (a *asked) readKind(query url.Values) error {
	alone, err := input{"exclude_replies": query.Get("exclude_replies")}.set("exclude_replies")
	if err != nil {
		return err
	}
	a.NoReplies = alone
	switch order := query.Get("order"); order {
	case "", "fresh":
	case string(river.OrderCreated), string(river.OrderTop):
		a.Order = river.Order(order)
	default:
		return &timeline.InvalidError{Field: "order", Reason: "is none of fresh, created and top"}
	}
	run, err := whole(query, "run", 0, 1, math.MaxInt)
	a.Run = int64(run)
	return err
}

// postNamed reads the id of a post.
func postNamed(query url.Values, name string) (timeline.PostID, error) {
	text := query.Get(name)
	if text == "" {
		return 0, nil
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id <= 0 {
		return 0, &timeline.InvalidError{Field: name, Reason: "is not the id of a post"}
	}
	return timeline.PostID(id), nil
}

// locate finds the places of the posts that bound what is asked for in a river,
// as they are now, and refuses what does not go with the river.
func (s *Server) locate(ctx context.Context, where place, a *asked) error {
	kind, ranking := where.key.What, where.ranked()
	if !ranking {
		a.Run = 0
	}
	if ranking && a.Order != river.OrderOwn {
		return &timeline.InvalidError{Field: "order", Reason: "can't be chosen here: this page is a ranking"}
	}
	if kind == river.KindDay && a.Order == river.OrderCreated {
		a.Order = river.OrderOwn // which it is
	}
	ordered := "fresh"
	switch {
	case ranking || a.Order == river.OrderTop:
		ordered = "score"
	case kind == river.KindDay || a.Order == river.OrderCreated:
		ordered = "publication"
	}
	if a.StartFrom != 0 && ordered != "fresh" {
		return &timeline.InvalidError{Field: "start_from", Reason: "goes only with pages in the order fresh"}
	}
	for _, bound := range []struct {
		field string
		post  timeline.PostID
	}{{"since_id", a.since}, {"max_id", a.max}} {
		if bound.post == 0 {
			continue
		}
		if ordered == "score" {
			return &timeline.InvalidError{Field: bound.field, Reason: "does not go with a page by score; follow its older links"}
		}
		head, err := s.store.FindPost(ctx, where.key.Viewer, bound.post)
		switch {
		case errors.Is(err, timeline.ErrNotFound):
			return &timeline.InvalidError{Field: bound.field, Reason: "is no post that you can read"}
		case err != nil:
			return err
		}
		at := timeline.Cursor{FreshAt: head.FreshAt, Post: head.ID}
		if ordered == "publication" {
			at = head.ID.Cursor()
		} else if at, err = s.placeOf(ctx, where.key, at); err != nil {
			return err
		}
		if bound.field == "since_id" {
			a.After = at
		} else {
			a.Before = timeline.Cursor{FreshAt: at.FreshAt, Post: at.Post + 1} // this post and older
		}
	}
	return nil
}

// placeOf is where a post stands in a river; in a home, where what a friend
// brings may stand higher than it is fresh, the river knows.
func (s *Server) placeOf(ctx context.Context, key river.Key, fresh timeline.Cursor) (timeline.Cursor, error) {
	if key.What != river.KindHome && key.What != river.KindList {
		return fresh, nil
	}
	view, err := s.rivers.Acted(ctx, key, fresh.Post)
	if err != nil || len(view.Entries) == 0 || view.Entries[0].Place == (timeline.Cursor{}) {
		return fresh, err
	}
	return view.Entries[0].Place, nil
}

// whole reads a whole number between two bounds.
func whole(query url.Values, name string, unless, least, most int) (int, error) {
	text := query.Get(name)
	if text == "" {
		return unless, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		reason := "is not a whole number, " + strconv.Itoa(least) + " or more"
		if most < 1<<31 {
			reason = "is not a whole number from " + strconv.Itoa(least) + " to " + strconv.Itoa(most)
		}
		return 0, &timeline.InvalidError{Field: name, Reason: reason}
	}
	return n, nil
}

// readCursor reads a place in a river's order as [timeline.Cursor.String]
// writes it.
func readCursor(field, text string) (timeline.Cursor, error) {
	fresh, post, both := strings.Cut(text, ",")
	ms, err := strconv.ParseInt(fresh, 10, 64)
	id, errID := strconv.ParseInt(post, 10, 64)
	if !both || err != nil || errID != nil || ms <= 0 || id <= 0 {
		return timeline.Cursor{}, &timeline.InvalidError{Field: field, Reason: "is not FRESH_MS,ID"}
	}
	return timeline.Cursor{FreshAt: ms, Post: timeline.PostID(id)}, nil
}

// readTime reads the forms of time that clients are known to send. A plus sign
// that was not escaped has become a space on its way.
func readTime(text string) (time.Time, bool) {
	signed := text
	if at := strings.LastIndexByte(text, ' '); at > len("2006-01-02") {
		signed = text[:at] + "+" + text[at+1:]
	}
	for _, form := range []string{time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02 15:04:05"} {
		for _, written := range []string{text, signed} {
			// By UTC it may be in a year that can't be written any more.
			if at, err := time.Parse(form, written); err == nil && at.UTC().Year() <= 9999 {
				return at, true
			}
		}
	}
	return time.Time{}, false
}

// write is the query as an address has it, without what goes without saying; it
// is empty at the top.
func (a asked) write() string {
	if query := a.values(); len(query) > 0 {
		return "?" + query.Encode()
	}
	return ""
}

// values are the query of an address. What was bounded from below by a post is
// by its place from then on, so that the pages of one reading belong together
// wherever the post goes meanwhile.
func (a asked) values() url.Values {
	query := url.Values{}
	set := func(is bool, name, value string) {
		if is {
			query.Set(name, value)
		}
	}
	none := timeline.Cursor{}
	set(a.number > 1, "page", strconv.Itoa(a.number))
	set(a.Count != pageCount, "count", strconv.Itoa(a.Count))
	set(a.StartFrom != 0, "start_from", time.UnixMilli(a.StartFrom).UTC().Format(time.RFC3339Nano))
	set(a.max != 0, "max_id", strconv.FormatInt(int64(a.max), 10))
	set(a.max == 0 && a.Before != none, "before", a.Before.String())
	set(a.After != none, "after", a.After.String())
	set(a.NoReplies, "exclude_replies", "1")
	set(a.Order != river.OrderOwn, "order", string(a.Order))
	set(a.Run != 0, "run", strconv.FormatInt(a.Run, 10))
	return query
}

// pinned is the same part by places alone, for who asks for it again: a post
// that bounds it may be somewhere else by then.
func (a asked) pinned() asked {
	if a.max != 0 && a.Skip == 0 {
		a.max = 0
	}
	return a
}

// part is a page of what is asked for, by its number.
func (a asked) part(number int) asked {
	p := asked{At: river.At{Count: a.Count, After: a.After, NoReplies: a.NoReplies, Order: a.Order, Run: a.Run}, number: number, max: a.max}
	if a.max != 0 {
		p.Before = a.Before
	}
	return p
}

// older is what asks for the page below, up to a cursor's place: by number
// alone, and exactly; timed says that the river's order is that of what is fresh.
func (a asked) older(last timeline.Cursor, timed bool) (byNumber, exact asked) {
	byNumber = a.part(a.number + 1)
	exact = byNumber
	exact.Before, exact.max = last, 0
	if timed {
		// Who follows only start_from finds what is fresh before this second.
		exact.StartFrom = last.FreshAt - last.FreshAt%1000
	}
	if (a.number+1)*a.Count > deepest {
		byNumber = exact
	}
	return byNumber, exact
}

// newer is what asks for the page above by its number; there is none above the
// first. The first page of a ranking is that of now.
func (a asked) newer() (asked, bool) {
	if a.number < 2 || (a.number-1)*a.Count > deepest {
		return asked{}, false
	}
	above := a.part(a.number - 1)
	if above.number == 1 {
		above.Run = 0
	}
	return above, true
}

// forPeople leaves out what only other programs go by.
func (a asked) forPeople() asked {
	if a.Before != (timeline.Cursor{}) {
		a.StartFrom = 0
	}
	return a
}
