package web

import (
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
	// deepest is how many entries a page by number may pass over; farther down
	// one goes by a cursor, as the links to older entries do.
	deepest = 10_000
)

// asked is the part of a river that an address asks for.
type asked struct {
	river.At
	number int // of the page, from 1
}

// readQuery reads which part of a river is asked for: before=FRESH_MS,ID, which
// is exact, counts most; then start_from=TIME, then page=N.
func readQuery(query url.Values) (asked, error) {
	a := asked{At: river.At{Count: pageCount}, number: 1}
	number, err := whole(query, "page", 1, 1, 1<<31)
	if err != nil {
		return a, err
	}
	count, err := whole(query, "count", pageCount, 1, mostCount)
	if err != nil {
		return a, err
	}
	a.number, a.Count = number, count
	switch before, from := query.Get("before"), query.Get("start_from"); {
	case before != "":
		if a.Before, err = readCursor(before); err != nil {
			return a, err
		}
	case from != "":
		at, ok := readTime(from)
		if !ok || at.UnixMilli() <= 0 {
			return a, &timeline.InvalidError{Field: "start_from", Reason: "is not a time like 2016-06-18T18:08:14Z"}
		}
		a.StartFrom = at.UnixMilli()
	default:
		if a.Skip = (number - 1) * count; a.Skip > deepest {
			return a, &timeline.InvalidError{Field: "page", Reason: "is too far down; follow the older links of the pages above"}
		}
	}
	return a, nil
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
func readCursor(text string) (timeline.Cursor, error) {
	fresh, post, both := strings.Cut(text, ",")
	ms, err := strconv.ParseInt(fresh, 10, 64)
	id, errID := strconv.ParseInt(post, 10, 64)
	if !both || err != nil || errID != nil || ms <= 0 || id <= 0 {
		return timeline.Cursor{}, &timeline.InvalidError{Field: "before", Reason: "is not FRESH_MS,ID"}
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
		if at, err := time.Parse(form, text); err == nil {
			return at, true
		}
		if at, err := time.Parse(form, signed); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// write is the query as an address has it, without what goes without saying; it
// is empty at the top.
func (a asked) write() string {
	query := url.Values{}
	if a.number > 1 {
		query.Set("page", strconv.Itoa(a.number))
	}
	if a.Count != pageCount {
		query.Set("count", strconv.Itoa(a.Count))
	}
	if a.StartFrom != 0 {
		query.Set("start_from", time.UnixMilli(a.StartFrom).UTC().Format(time.RFC3339Nano))
	}
	if a.Before != (timeline.Cursor{}) {
		query.Set("before", a.Before.String())
	}
	if len(query) == 0 {
		return ""
	}
	return "?" + query.Encode()
}

// older is what asks for the page below, up to a cursor's place: by number
// alone, and exactly.
func (a asked) older(last timeline.Cursor) (byNumber, exact asked) {
	byNumber = asked{At: river.At{Count: a.Count}, number: a.number + 1}
	exact = byNumber
	exact.Before = last
	// Who follows only start_from finds what is fresh before this second.
	exact.StartFrom = last.FreshAt - last.FreshAt%1000
	if a.number*a.Count > deepest {
		byNumber = exact
	}
	return byNumber, exact
}

// newer is what asks for the page above by its number; there is none above the
// first.
func (a asked) newer() (asked, bool) {
	if a.number < 2 || (a.number-2)*a.Count > deepest {
		return asked{}, false
	}
	return asked{At: river.At{Count: a.Count}, number: a.number - 1}, true
}

// forPeople leaves out what only other programs go by.
func (a asked) forPeople() asked {
	if a.Before != (timeline.Cursor{}) {
		a.StartFrom = 0
	}
	return a
}
