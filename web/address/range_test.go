package address

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

func TestQuery(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		query string
		want  Range
		field string // of the error
	}{
		{query: "", want: Range{At: river.At{Count: 25}, number: 1}},
		{query: "page=3", want: Range{At: river.At{Count: 25, Skip: 50}, number: 3}},
		{query: "page=3&count=10", want: Range{At: river.At{Count: 10, Skip: 20}, number: 3}},
		{query: "start_from=2016-06-18T18%3A08%3A14Z&page=2", want: Range{At: river.At{Count: 25, StartFrom: 1466273294000}, number: 2}},
		{query: "start_from=2016-06-18T18%3A08%3A14.5Z", want: Range{At: river.At{Count: 25, StartFrom: 1466273294500}, number: 1}},
		{query: "start_from=2024-01-01+00%3A16%3A57%2B00%3A00", want: Range{At: river.At{Count: 25, StartFrom: 1704068217000}, number: 1}},
		{query: "start_from=2024-01-01%2000:16:57+00:00", want: Range{At: river.At{Count: 25, StartFrom: 1704068217000}, number: 1}},
		{query: "before=1466273294123,77&start_from=2016-06-18T18%3A08%3A14Z&page=9",
			want: Range{At: river.At{Count: 25, Before: timeline.Cursor{FreshAt: 1466273294123, Post: 77}}, number: 9}},
		{query: "page=0", field: "page"},
		{query: "page=-1", field: "page"},
		{query: "page=two", field: "page"},
		{query: "page=99999999999999999999", field: "page"},
		{query: "page=400", want: Range{At: river.At{Count: 25, Skip: 9975}, number: 400}},
		{query: "page=401", field: "page"},
		{query: "page=100&count=100", want: Range{At: river.At{Count: 100, Skip: 9900}, number: 100}},
		{query: "page=334&count=30", field: "page"},
		{query: "max_id=99&page=401", field: "page"},
		{query: "count=0", field: "count"},
		{query: "count=101", field: "count"},
		{query: "start_from=yesterday", field: "start_from"},
		{query: "start_from=1066-10-14T12:00:00Z", field: "start_from"},
		{query: "before=12", field: "before"},
		{query: "before=12,-3", field: "before"},
		{query: "before=x,y", field: "before"},
		{query: "since_id=77&max_id=99", want: Range{At: river.At{Count: 25}, number: 1, since: 77, max: 99}},
		{query: "max_id=99&page=3", want: Range{At: river.At{Count: 25, Skip: 50}, number: 3, max: 99}},
		{query: "max_id=99&before=1466273294123,77&since_id=5&after=1466273294000,6",
			want: Range{At: river.At{Count: 25, Before: timeline.Cursor{FreshAt: 1466273294123, Post: 77}, After: timeline.Cursor{FreshAt: 1466273294000, Post: 6}}, number: 1}},
		{query: "exclude_replies=1", want: Range{At: river.At{Count: 25, NoReplies: true}, number: 1}},
		{query: "exclude_replies=true", want: Range{At: river.At{Count: 25, NoReplies: true}, number: 1}},
		{query: "exclude_replies=0", want: Range{At: river.At{Count: 25}, number: 1}},
		{query: "order=fresh", want: Range{At: river.At{Count: 25}, number: 1}},
		{query: "order=created", want: Range{At: river.At{Count: 25, Order: river.OrderCreated}, number: 1}},
		{query: "order=top", want: Range{At: river.At{Count: 25, Order: river.OrderTop}, number: 1}},
		{query: "run=12", want: Range{At: river.At{Count: 25, Run: 12}, number: 1}},
		{query: "since_id=0", field: "since_id"},
		{query: "since_id=-7", field: "since_id"},
		{query: "since_id=99999999999999999999", field: "since_id"},
		{query: "max_id=newest", field: "max_id"},
		{query: "after=7", field: "after"},
		{query: "exclude_replies=perhaps", field: "exclude_replies"},
		{query: "order=bottom", field: "order"},
		{query: "run=0", field: "run"},
		{query: "run=last", field: "run"},
	} {
		values, err := url.ParseQuery(tt.query)
		if err != nil {
			t.Fatal(err)
		}
		got, err := readRange(values)
		if tt.field != "" {
			if refused, ok := errors.AsType[*timeline.InvalidError](err); !ok || refused.Field != tt.field {
				t.Errorf("%s: %v, want a complaint about %s", tt.query, err, tt.field)
			}
			continue
		}
		if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(Range{})); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", tt.query, err, diff)
		}
	}
}

func TestLinksBetweenPages(t *testing.T) {
	t.Parallel()
	last := timeline.Cursor{FreshAt: 1466273294123, Post: 77}
	first := Range{At: river.At{Count: 25}, number: 1}
	byNumber, exact := first.Older(last, true)
	if got, want := byNumber.Query(), "?page=2"; got != want {
		t.Errorf("older by number %q, want %q", got, want)
	}
	if got, want := exact.Query(), "?before=1466273294123%2C77&page=2&start_from=2016-06-18T18%3A08%3A14Z"; got != want {
		t.Errorf("older exactly %q, want %q", got, want)
	}
	if _, above := first.Newer(); above {
		t.Error("something is above the first page")
	}
	if above, there := byNumber.Newer(); !there || above.Query() != "" {
		t.Errorf("above the second page is %q, %v", above.Query(), there)
	}
	for number, numbered := range map[int]bool{399: true, 400: false, 401: false} {
		deep := Range{At: river.At{Count: 25}, number: number}
		if byNumber, exact := deep.Older(last, true); (byNumber != exact) != numbered {
			t.Errorf("from page %d down by %q", number, byNumber.Query())
		}
	}
	for number, numbered := range map[int]bool{401: true, 402: false} {
		deep := Range{At: river.At{Count: 25}, number: number}
		if above, there := deep.Newer(); there != numbered {
			t.Errorf("from page %d up by %q, %v", number, above.Query(), there)
		}
	}
}

// TestLinksKeepWhatWasAsked goes down from what was asked for with everything at
// once, and up again.
func TestLinksKeepWhatWasAsked(t *testing.T) {
	t.Parallel()
	place := timeline.Cursor{FreshAt: 1466273295000, Post: 100}
	a := Range{number: 1, since: 5, max: 99, At: river.At{
		Count: 10, Before: place, After: timeline.Cursor{FreshAt: 1466273294000, Post: 5}, NoReplies: true, Order: river.OrderCreated, Run: 3,
	}}
	const kept = "after=1466273294000%2C5&count=10&exclude_replies=1&"
	for what, want := range map[string]string{
		a.Query():          "?" + kept + "max_id=99&order=created&run=3",
		a.Pinned().Query(): "?" + strings.Replace(kept, "&", "&before=1466273295000%2C100&", 1) + "order=created&run=3",
	} {
		if what != want {
			t.Errorf("the page is %q, want %q", what, want)
		}
	}
	byNumber, exact := a.Older(timeline.Cursor{FreshAt: 1466273294123, Post: 77}, false)
	if got, want := byNumber.Query(), "?"+kept+"max_id=99&order=created&page=2&run=3"; got != want {
		t.Errorf("older by number %q, want %q", got, want)
	}
	if got, want := exact.Query(), "?"+strings.Replace(kept, "&", "&before=1466273294123%2C77&", 1)+"order=created&page=2&run=3"; got != want {
		t.Errorf("older exactly %q, want %q", got, want)
	}
	above, there := byNumber.Newer()
	if got, want := above.Query(), "?"+kept+"max_id=99&order=created"; !there || got != want {
		t.Errorf("above the second page is %q, want %q: the first is of now", got, want)
	}
	third, _ := exact.Older(timeline.Cursor{FreshAt: 1466273294100, Post: 70}, false)
	if above, there := third.Newer(); !there || above.Run != 3 {
		t.Errorf("above the third page is %q, of another run", above.Query())
	}
}
