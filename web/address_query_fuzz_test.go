package web

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

// FuzzQuery: which part of a river an address asks for is within bounds, or
// refused in words, and is the same when it is written again.
func FuzzQuery(f *testing.F) {
	for _, query := range []string{
		"", "page=3&count=10", "start_from=2016-06-18T18%3A08%3A14Z&page=2", "start_from=2024-01-01+00%3A16%3A57%2B00%3A00", "before=1466273294123,77", "before=9223372036854775807,9223372036854775807",
		"since_id=77&max_id=99", "max_id=99&page=3", "after=1466273294000,6&order=created&exclude_replies=true&run=12", "page=2147483648&count=100", "page=-0&count=+7", "count=1e1", "page=0x10", "page=1_0",
		"start_from=9999-12-31T23:59:59-23:59", "start_from=0001-01-01T00:00:00Z", "start_from=1970-01-01T00:00:00.0004Z", "start_from=2016-06-18 18:08:14", "start_from=2016-06-18T18:08:14 02:00",
		"before=1,1&after=2,2", "before=1,1,1", "before=,", "run=9223372036854775807", "run=9223372036854775808", "order=top&start_from=2016-06-18T18:08:14Z", "page=1&page=2", "exclude_replies=on&exclude_replies=off",
		"start_from=2016-06-18T18:08:60Z", "start_from=2016-06-18T18:08:14,5Z", "page=%ff", "page=٣",
	} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		values, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		a, err := readQuery(values)
		if err != nil {
			if _, is := errors.AsType[*timeline.InvalidError](err); !is {
				t.Fatalf("%q: %v", query, err)
			}
			told(t, err)
			return
		}
		if a.Count < 1 || a.Count > mostCount || a.Skip < 0 || a.Skip > 0 && a.Skip+a.Count > deepest || a.number < 1 || a.StartFrom < 0 || a.Run < 0 || a.max < 0 || a.since < 0 || a.Before.FreshAt < 0 || a.After.FreshAt < 0 {
			t.Fatalf("%q asks for %+v", query, a)
		}
		if a.max != 0 { // who reads has the place by then; an address keeps the post
			a.Before = timeline.Cursor{}
		}
		a.since = 0 // is written by its place
		again, err := url.ParseQuery(strings.TrimPrefix(a.write(), "?"))
		if err != nil {
			t.Fatalf("%q is written %q: %v", query, a.write(), err)
		}
		b, err := readQuery(again)
		if err != nil {
			t.Fatalf("%q is written %q, which is refused: %v", query, a.write(), err)
		}
		if diff := cmp.Diff(a, b, cmp.AllowUnexported(asked{})); diff != "" {
			t.Errorf("%q is written %q, which is another (-first +again):\n%s", query, a.write(), diff)
		}
	})
}

// FuzzTimes: a time that is read is a time, and the same where it is written as
// times are.
func FuzzTimes(f *testing.F) {
	for _, text := range []string{"2016-06-18T18:08:14Z", "2024-01-01 00:16:57+00:00", "2024-01-01 00:16:57 00:00", "2016-06-18T18:08:14", "2016-06-18 18:08:14", "2016-06-18T18:08:14.123456789+14:00", "  ", "2016-06-18  "} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, ok := readTime(text)
		if !ok {
			return
		}
		written := at.Format(time.RFC3339Nano)
		if again, ok := readTime(written); !ok || !again.Equal(at) {
			t.Errorf("%q is %v, written %q, and that %v, %v", text, at, written, again, ok)
		}
	})
}

// FuzzOwnPath: what is led on to is of this site, for whatever browser: it has a
// host neither by itself nor after it was made short, as a redirect does.
func FuzzOwnPath(f *testing.F) {
	for _, text := range []string{"/", "/alice?page=2#c5", "//evil.example", "/\\evil.example", "/.//evil.example", "/..//evil.example", "/%2f/evil.example", "/%5c/evil.example", "/\u2028/x", "/a/../../evil", "/x?//y", "/#//z",
		"/@evil.example", "/:80", "https:/alice", "/%", "/\t/evil.example", "/;//evil", "/a//b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		own, is := ownPath(text)
		if !is {
			return
		}
		base, err := url.Parse("https://amstel.example/alice")
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		http.Redirect(w, httptest.NewRequest(http.MethodPost, "/alice", nil), own, http.StatusSeeOther)
		for _, to := range []string{own, path.Clean(own), w.Header().Get("Location")} {
			at, err := base.Parse(to)
			if err != nil || at.Host != base.Host || at.Scheme != base.Scheme || strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n\t") {
				t.Errorf("%q leads to %q: %v, %v", text, to, at, err)
			}
		}
	})
}

// FuzzHeaders: what a client says that it takes and has is understood or not,
// and the form of the answer goes by nothing else.
func FuzzHeaders(f *testing.F) {
	for _, header := range []string{"", "*", "gzip", "gzip;q=0", "gzip; q=0.0", "br, gzip;q=0.5", `W/"x"`, `"x", W/"y"`, "text/html,application/xhtml+xml", "application/json", "text/html;q=0", ",,,", ";", strings.Repeat(",", 1000)} {
		f.Add(header, "/alice.json")
		f.Add(header, "//api/v1/posts")
	}
	f.Fuzz(func(t *testing.T, header, address string) {
		acceptsGzip(header)
		hasTag(header, `W/"x"`)
		r := &http.Request{Method: http.MethodGet, URL: &url.URL{Path: address}, Header: http.Header{"Accept": {header}}}
		if at := pagePath(r); !strings.HasPrefix(at, "/") || strings.HasPrefix(at, "//") || len(at) > len(address)+1 {
			t.Errorf("%q is routed as %q", address, at)
		}
		if html := prefersHTML(r); html && strings.HasSuffix(address, ".json") {
			t.Errorf("%q is answered as a page", address)
		}
	})
}

// FuzzDays: the end of a calendar's address is a day, a month or a year that
// there is and that has a name, or nothing.
func FuzzDays(f *testing.F) {
	for _, parts := range []string{"2024", "2024/05", "2024/05/01", "2024/5/1", "0000", "9999", "2024-05", "2024/05/01/01", "2024/", "/", "+2024", "2024-05/01", "1999/12/31"} {
		f.Add(parts)
	}
	s := &Server{now: func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }}
	f.Fuzz(func(t *testing.T, parts string) {
		day := s.dayOf(strings.Split(parts, "/"))
		if day == "" {
			return
		}
		from, until := bounds(day)
		if !from.Before(until) || from.Year() < 2000 || dayInWords(day) == "" || s.dayOf(strings.Split(strings.TrimPrefix(dayPath(day), "calendar/"), "/")) != day {
			t.Errorf("%q is %q: %v to %v, %q", parts, day, from, until, dayInWords(day))
		}
	})
}
