package address

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

// FuzzQuery: the query of an address names a part of a river within bounds, or is refused with a
// reason. Writing and reading it again gives the same part.
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
		a, err := readRange(values)
		if err != nil {
			refused, ok := errors.AsType[*timeline.InvalidError](err)
			if !ok || refused.Field == "" || refused.Reason == "" || len(refused.Reason) > 200 || !utf8.ValidString(refused.Reason) {
				t.Fatalf("%q: %v", query, err)
			}
			return
		}
		if a.Count < 1 || a.Count > maxCount || a.Skip < 0 || a.Skip > 0 && a.Skip+a.Count > deepest || a.number < 1 || a.StartFrom < 0 || a.Run < 0 || a.max < 0 || a.since < 0 || a.Before.FreshAt < 0 || a.After.FreshAt < 0 {
			t.Fatalf("%q asks for %+v", query, a)
		}
		if a.max != 0 { // a request has the place of the post by then; an address keeps the post
			a.Before = timeline.Cursor{}
		}
		a.since = 0 // the cursor says the same
		again, err := url.ParseQuery(strings.TrimPrefix(a.Query(), "?"))
		if err != nil {
			t.Fatalf("%q is written %q: %v", query, a.Query(), err)
		}
		b, err := readRange(again)
		if err != nil {
			t.Fatalf("%q is written %q, which is refused: %v", query, a.Query(), err)
		}
		if diff := cmp.Diff(a, b, cmp.AllowUnexported(Range{})); diff != "" {
			t.Errorf("%q is written %q, which is another (-first +again):\n%s", query, a.Query(), diff)
		}
	})
}

// FuzzTimes: reading a time gives a time. Writing and reading it again gives the same time.
func FuzzTimes(f *testing.F) {
	for _, text := range []string{"2016-06-18T18:08:14Z", "2024-01-01 00:16:57+00:00", "2024-01-01 00:16:57 00:00", "2016-06-18T18:08:14", "2016-06-18 18:08:14", "2016-06-18T18:08:14.123456789+14:00", "  ", "2016-06-18  "} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, ok := ReadTime(text)
		if !ok {
			return
		}
		written := at.Format(time.RFC3339Nano)
		if again, ok := ReadTime(written); !ok || !again.Equal(at) {
			t.Errorf("%q is %v, written %q, and that %v, %v", text, at, written, again, ok)
		}
	})
}
