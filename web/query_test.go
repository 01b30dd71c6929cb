package web

import (
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

func TestQuery(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		query string
		want  asked
		field string // of the error
	}{
		{query: "", want: asked{river.At{Count: 25}, 1}},
		{query: "page=3", want: asked{river.At{Count: 25, Skip: 50}, 3}},
		{query: "page=3&count=10", want: asked{river.At{Count: 10, Skip: 20}, 3}},
		{query: "start_from=2016-06-18T18%3A08%3A14Z&page=2", want: asked{river.At{Count: 25, StartFrom: 1466273294000}, 2}},
		{query: "start_from=2016-06-18T18%3A08%3A14.5Z", want: asked{river.At{Count: 25, StartFrom: 1466273294500}, 1}},
		{query: "start_from=2024-01-01+00%3A16%3A57%2B00%3A00", want: asked{river.At{Count: 25, StartFrom: 1704068217000}, 1}},
		{query: "start_from=2024-01-01%2000:16:57+00:00", want: asked{river.At{Count: 25, StartFrom: 1704068217000}, 1}},
		{query: "before=1466273294123,77&start_from=2016-06-18T18%3A08%3A14Z&page=9",
			want: asked{river.At{Count: 25, Before: timeline.Cursor{FreshAt: 1466273294123, Post: 77}}, 9}},
		{query: "page=0", field: "page"},
		{query: "page=-1", field: "page"},
		{query: "page=two", field: "page"},
		{query: "page=99999999999999999999", field: "page"},
		{query: "page=402", field: "page"},
		{query: "count=0", field: "count"},
		{query: "count=101", field: "count"},
		{query: "start_from=yesterday", field: "start_from"},
		{query: "start_from=1066-10-14T12:00:00Z", field: "start_from"},
		{query: "before=12", field: "before"},
		{query: "before=12,-3", field: "before"},
		{query: "before=x,y", field: "before"},
	} {
		values, err := url.ParseQuery(tt.query)
		if err != nil {
			t.Fatal(err)
		}
		got, err := readQuery(values)
		if tt.field != "" {
			if f := explain(err); err == nil || f.Status != 422 || f.Fields[tt.field] == "" {
				t.Errorf("%s: %v, want a complaint about %s", tt.query, err, tt.field)
			}
			continue
		}
		if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(asked{})); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", tt.query, err, diff)
		}
	}
}

func TestLinksBetweenPages(t *testing.T) {
	t.Parallel()
	last := timeline.Cursor{FreshAt: 1466273294123, Post: 77}
	first := asked{river.At{Count: 25}, 1}
	byNumber, exact := first.older(last)
	if got, want := byNumber.write(), "?page=2"; got != want {
		t.Errorf("older by number %q, want %q", got, want)
	}
	if got, want := exact.write(), "?before=1466273294123%2C77&page=2&start_from=2016-06-18T18%3A08%3A14Z"; got != want {
		t.Errorf("older exactly %q, want %q", got, want)
	}
	if _, above := first.newer(); above {
		t.Error("something is above the first page")
	}
	if above, there := byNumber.newer(); !there || above.write() != "" {
		t.Errorf("above the second page is %q, %v", above.write(), there)
	}
	deep := asked{river.At{Count: 25}, 401}
	if byNumber, exact := deep.older(last); byNumber != exact {
		t.Errorf("from page 401 down by %q", byNumber.write())
	}
}
