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
		b.rivers.SetUnread(7, 3)
		c := b.open(home, "7", "")
		if c.page.Unread != 3 {
			t.Errorf("the hello tells of %d, not 3", c.page.Unread)
		}
		time.Sleep(time.Second)
		b.rivers.SetUnread(7, 4)
		if f := c.next(); f.Type != "unread" || c.page.Unread != 4 {
			t.Errorf("after one more came %+v", f)
		}
		// Less, more and less again while the hub rests is nothing new.
		b.rivers.SetUnread(7, 0)
		b.rivers.SetUnread(7, 4)
		c.silent(5 * time.Second)
	})
}

func TestACountGoesAlongWithAPatch(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(home, 2)
		c := b.open(home, "7", "")
		b.rivers.SetUnread(7, 1)
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
		b.rivers.SetUnread(7, 2)
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
		b.rivers.SetUnread(0, 5)
		c := b.dial("")
		c.write(string(b.visit(everything, "", "").Sub()))
		if f := c.next(); f.Unread != nil {
			t.Errorf("a visitor is sent a count of %d notices", *f.Unread)
		}
		b.rivers.SetUnread(7, 1)
		b.rivers.SetUnread(0, 6)
		c.silent(5 * time.Second)
	})
}

func TestPollsTellHowManyNoticesAreUnread(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(home, 1)
		b.rivers.SetUnread(7, 2)
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
			if _, f, err := page.Take(body); err != nil || f.Type != want || page.Unread != 2 || !strings.HasSuffix(string(body), `,"unread":2}`) {
				t.Errorf("%s: %v", body, err)
			}
		}
		poll("2", "beat")
		poll("", "reset")
		b.rivers.Put(home, fold(9, 1, 9000, "new"))
		poll("2", "patch")
	})
}
