package realtime_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/river"
)

// home is the river of the person who is signed in as "7".
var home = river.Key{Viewer: 7, What: river.KindHome, TheirID: 7}

func TestPagesAreToldHowManyNoticesAreUnread(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(home, 2)
		b.rivers.SetUnread(7, 3, 2)
		c := b.open(home, "7", "")
		if c.page.Unread != 3 || c.page.Directs != 2 {
			t.Errorf("the hello tells of %d notices and %d directs, not 3 and 2", c.page.Unread, c.page.Directs)
		}
		time.Sleep(time.Second)
		b.rivers.SetUnread(7, 4, 2)
		if f := c.next(); f.Type != "unread" || c.page.Unread != 4 || c.page.Directs != 2 {
			t.Errorf("after one more came %+v", f)
		}
		b.rivers.SetUnread(7, 4, 3)
		if f := c.next(); f.Type != "unread" || c.page.Unread != 4 || c.page.Directs != 3 {
			t.Errorf("after a direct more came %+v", f)
		}
		// Less, more and less again while the hub rests is nothing new.
		b.rivers.SetUnread(7, 0, 0)
		b.rivers.SetUnread(7, 4, 3)
		c.silent(5 * time.Second)
	})
}

func TestACountGoesAlongWithAPatch(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(home, 2)
		c := b.open(home, "7", "")
		b.rivers.SetUnread(7, 1, 0)
		b.rivers.Put(home, fold(3, 1, 3000, "new"))
		seen := map[string]int{}
		for len(seen) < 2 {
			seen[c.next().Type]++
		}
		if seen["patch"] != 1 || seen["unread"] != 1 || c.page.Unread != 1 {
			t.Errorf("frames: %v, unread %d", seen, c.page.Unread)
		}
		c.same(home)
		// The river is made anew: the count is the same, and not told again.
		b.rivers.Rebuild(home)
		b.rivers.SetUnread(7, 2, 0)
		for f := c.next(); f.Type != "unread"; f = c.next() {
		}
		if c.page.Unread != 2 {
			t.Errorf("unread %d after the river was made anew", c.page.Unread)
		}
		c.same(home)
	})
}

func TestCountOfNoticesGoesToItsViewersPagesOnly(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 1)
		b.rivers.SetUnread(0, 5, 0)
		c := b.dial("")
		c.write(string(b.visit(everything, "", "").Sub()))
		if f := c.next(); f.Unread != nil {
			t.Errorf("a visitor is sent a count of %d notices", *f.Unread)
		}
		b.rivers.SetUnread(7, 1, 0)
		b.rivers.SetUnread(0, 6, 0)
		c.silent(5 * time.Second)
	})
}

func TestPollsTellHowManyNoticesAreUnread(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(home, 1)
		b.rivers.SetUnread(7, 2, 1)
		page := b.visit(home, "7", "")
		poll := func(counter, want string) {
			t.Helper()
			query := url.Values{"river": {page.River}, "page": {page.Path}, "epoch": {page.Epoch}, "counter": {counter}}
			r, err := http.NewRequestWithContext(b.Context(), "GET", "http://site.test/live/changes?"+query.Encode(), nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("X-Session", "7")
			answer, err := b.net.HTTP().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			body, err := io.ReadAll(answer.Body)
			if err != nil {
				t.Fatal(err)
			}
			if _, f, err := page.Take(body); err != nil || f.Type != want || page.Unread != 2 || page.Directs != 1 || !strings.HasSuffix(string(body), `,"unread":2,"directs":1}`) {
				t.Errorf("%s: %v", body, err)
			}
		}
		poll("2", "beat")
		poll("", "reset")
		b.rivers.Put(home, fold(9, 1, 9000, "new"))
		poll("2", "patch")
	})
}
