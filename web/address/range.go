package address

import (
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

const (
	// PageCount is the number of entries of a page unless the query asks for another
	// number; maxCount is the greatest such number.
	PageCount = 25
	maxCount  = 100
	// deepest is the last entry that a page by number may show. Below it, readers follow
	// cursors, which links to older entries have.
	deepest = 10_000
)

// A Range is the part of a river that an address asks for.
type Range struct {
	river.At
	number     int             // of the page, from 1
	since, max timeline.PostID // posts that bound the part; see Resolver.locate
}

// FirstPage is the page from the top.
var FirstPage = Range{At: river.At{Count: PageCount}, number: 1}

// Ordered returns the first page of a river in an order, of as many entries as r
// and with or without replies as r.
func (r Range) Ordered(order river.Order) Range {
	return Range{At: river.At{Count: r.Count, Order: order, NoReplies: r.NoReplies}, number: 1}
}

// readRange reads the part of a river from a query. Of several bounds, before=FRESH_MS,ID
// counts most, then start_from=TIME, then page=N; and after=FRESH_MS,ID, which only links
// of this site have, counts more than since_id.
func readRange(query url.Values) (r Range, err error) {
	r = FirstPage
	if len(query) == 0 {
		return r, nil
	}
	if r.number, err = readNumber(query, "page", 1, 1, 1<<31); err != nil {
		return r, err
	}
	if r.Count, err = ReadCount(query); err != nil {
		return r, err
	}
	for name, id := range map[string]*timeline.PostID{"since_id": &r.since, "max_id": &r.max} {
		if *id, err = readPost(query, name); err != nil {
			return r, err
		}
	}
	if after := query.Get("after"); after != "" {
		r.since = 0
		if r.After, err = readCursor("after", after); err != nil {
			return r, err
		}
	}
	switch before, from := query.Get("before"), query.Get("start_from"); {
	case before != "":
		r.max = 0
		if r.Before, err = readCursor("before", before); err != nil {
			return r, err
		}
	case from != "":
		at, ok := ReadTime(from)
		if !ok || at.UnixMilli() <= 0 {
			return r, &timeline.InvalidError{Field: "start_from", Reason: "is not a time like 2016-06-18T18:08:14Z"}
		}
		r.StartFrom = at.UnixMilli()
	default:
		if r.Skip = (r.number - 1) * r.Count; r.Skip+r.Count > deepest {
			return r, &timeline.InvalidError{Field: "page", Reason: "reaches below the 10,000th entry; follow the older links of the pages above", Code: "deep"}
		}
	}
	return r, r.readKind(query)
}

// readKind reads the kind of the requested posts, and their order.
func (r *Range) readKind(query url.Values) (err error) {
	if r.NoReplies, err = ReadFlag("exclude_replies", query.Get("exclude_replies")); err != nil {
		return err
	}
	switch order := query.Get("order"); order {
	case "", "fresh":
	case string(river.OrderCreated), string(river.OrderTop):
		r.Order = river.Order(order)
	default:
		return &timeline.InvalidError{Field: "order", Reason: "is none of fresh, created and top"}
	}
	run, err := readNumber(query, "run", 0, 1, math.MaxInt)
	r.Run = int64(run)
	return err
}

// readPost returns the id of a post in a query; 0 if there is none.
func readPost(query url.Values, name string) (timeline.PostID, error) {
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

// ReadCount returns the number of entries that a query asks for.
func ReadCount(query url.Values) (int, error) {
	return readNumber(query, "count", PageCount, 1, maxCount)
}

// readNumber returns a whole number in a query, from least to most, or unless if there is
// none.
func readNumber(query url.Values, name string, unless, least, most int) (int, error) {
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

// ReadFlag returns a boolean, from any of the texts that clients send; empty is false.
func ReadFlag(name, text string) (bool, error) {
	switch strings.ToLower(text) {
	case "true", "1", "on", "yes":
		return true, nil
	case "false", "0", "off", "no", "":
		return false, nil
	}
	return false, &timeline.InvalidError{Field: name, Reason: "is neither true nor false"}
}

// readCursor reads a cursor that [timeline.Cursor.String] wrote.
func readCursor(field, text string) (timeline.Cursor, error) {
	fresh, post, both := strings.Cut(text, ",")
	ms, err := strconv.ParseInt(fresh, 10, 64)
	id, errID := strconv.ParseInt(post, 10, 64)
	if !both || err != nil || errID != nil || ms <= 0 || id <= 0 {
		return timeline.Cursor{}, &timeline.InvalidError{Field: field, Reason: "is not FRESH_MS,ID"}
	}
	return timeline.Cursor{FreshAt: ms, Post: timeline.PostID(id)}, nil
}

// ReadTime reads the forms of time that clients send. A space may stand for a plus sign that was
// not escaped in the query.
func ReadTime(text string) (time.Time, bool) {
	signed := text
	if at := strings.LastIndexByte(text, ' '); at > len("2006-01-02") {
		signed = text[:at] + "+" + text[at+1:]
	}
	for _, form := range []string{time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02 15:04:05"} {
		for _, written := range []string{text, signed} {
			// By UTC the time may be in a year that can't be written any more.
			if at, err := time.Parse(form, written); err == nil && at.UTC().Year() <= 9999 {
				return at, true
			}
		}
	}
	return time.Time{}, false
}

// Query returns the query of an address, with its question mark and without default
// values; empty for [FirstPage].
func (r Range) Query() string {
	if query := r.values(); len(query) > 0 {
		return "?" + query.Encode()
	}
	return ""
}

// values returns the query of an address. It writes a lower bound given as a post as the post's
// cursor, so that the pages of one reading fit together even if the post moves meanwhile.
func (r Range) values() url.Values {
	query := url.Values{}
	set := func(ok bool, name, value string) {
		if ok {
			query.Set(name, value)
		}
	}
	none := timeline.Cursor{}
	set(r.number > 1, "page", strconv.Itoa(r.number))
	set(r.Count != PageCount, "count", strconv.Itoa(r.Count))
	set(r.StartFrom != 0, "start_from", time.UnixMilli(r.StartFrom).UTC().Format(time.RFC3339Nano))
	set(r.max != 0, "max_id", strconv.FormatInt(int64(r.max), 10))
	set(r.max == 0 && r.Before != none, "before", r.Before.String())
	set(r.After != none, "after", r.After.String())
	set(r.NoReplies, "exclude_replies", "1")
	set(r.Order != river.OrderOwn, "order", string(r.Order))
	set(r.Run != 0, "run", strconv.FormatInt(r.Run, 10))
	return query
}

// IsTop reports whether the part begins at the top of its river and leaves nothing out.
func (r Range) IsTop() bool { return r.At == river.At{Count: r.Count} }

// Pinned returns the same part bounded by cursors only, for a page that will request the part
// again: by then a bounding post may have moved.
func (r Range) Pinned() Range {
	if r.max != 0 && r.Skip == 0 {
		r.max = 0
	}
	return r
}

// page returns a page of the part by its number.
func (r Range) page(number int) Range {
	p := Range{At: river.At{Count: r.Count, After: r.After, NoReplies: r.NoReplies, Order: r.Order, Run: r.Run}, number: number, max: r.max}
	if r.max != 0 {
		p.Before = r.Before
	}
	return p
}

// Older returns the page below, which begins below a cursor: by number alone, and exactly. timed
// means that freshness orders the river.
func (r Range) Older(last timeline.Cursor, timed bool) (byNumber, exact Range) {
	byNumber = r.page(r.number + 1)
	exact = byNumber
	exact.Before, exact.max = last, 0
	if timed {
		// A client that follows only start_from finds the entries fresher before this second.
		exact.StartFrom = last.FreshAt - last.FreshAt%1000
	}
	if (r.number+1)*r.Count > deepest {
		byNumber = exact
	}
	return byNumber, exact
}

// Newer returns the page above by its number, and reports false on the first page. The
// first page of a ranking always shows the present run.
func (r Range) Newer() (Range, bool) {
	if r.number < 2 || (r.number-1)*r.Count > deepest {
		return Range{}, false
	}
	above := r.page(r.number - 1)
	if above.number == 1 {
		above.Run = 0
	}
	return above, true
}

// ForPeople returns the part without the bound that only other programs need in an address.
func (r Range) ForPeople() Range {
	if r.Before != (timeline.Cursor{}) {
		r.StartFrom = 0
	}
	return r
}
