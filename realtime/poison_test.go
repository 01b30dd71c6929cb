package realtime_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"amstel.dev/amstel/internal/livetest"
	"amstel.dev/amstel/realtime"
	liveclient "amstel.dev/amstel/realtime/client"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// poisoned is in the text of an entry that can't be rendered.
const poisoned = "poison"

// badRender fails to render poisoned entries, in one of two ways.
type badRender struct{ livetest.Render }

func (r badRender) EntryJSON(v *timeline.Sets, e *river.Entry, users realtime.Users, groups realtime.Groups) json.RawMessage {
	if strings.Contains(e.Fold.Text.Text, poisoned) {
		if e.Fold.Post%2 == 0 {
			return json.RawMessage(`{"text":`)
		}
		panic("can't draw " + e.Fold.Text.Text)
	}
	return r.Render.EntryJSON(v, e, users, groups)
}

func (r badRender) EntryHTML(language string, v *timeline.Sets, e *river.Entry, users realtime.Users, groups realtime.Groups) string {
	if strings.Contains(e.Fold.Text.Text, poisoned) {
		panic("can't draw " + e.Fold.Text.Text)
	}
	return r.Render.EntryHTML(language, v, e, users, groups)
}

func TestAnEntryThatCantBeDrawnIsLeftOut(t *testing.T) {
	var logged bytes.Buffer
	within(t, func(c *realtime.Config) {
		c.Render = badRender{}
		c.Log = slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelError}))
	}, func(b *bench) {
		b.fill(everything, 5)
		clients := []*client{b.open(everything, "", ""), b.open(everything, "", "?count=3")}
		follow := func() {
			t.Helper()
			synctest.Wait()
			for _, c := range clients {
				for !c.current() {
					c.next()
				}
				c.sameBut(everything)
			}
			time.Sleep(time.Second)
		}
		b.rivers.Put(everything, fold(4, 2, 4000, poisoned)) // at its place
		follow()
		b.rivers.Put(everything, fold(3, 2, 3000, "below it")) // only a reset can give its place
		follow()
		b.rivers.Put(everything, fold(7, 1, 7000, poisoned), fold(6, 1, 6000, "below one that is new")) // in one patch
		follow()
		b.rivers.Put(everything, fold(7, 2, 7000, "fine again"))
		follow()
		b.rivers.Put(everything, fold(8, 1, 4500, "and this below what is"))
		follow()
		// A newly opened page does not show the entry either, nor does a page that polls.
		fresh := b.dial("")
		fresh.page = liveclient.NewPage(b.rivers.Name(everything, nil), "/everything/0")
		fresh.write(string(fresh.page.Sub()))
		for fresh.next().Type != "reset" {
		}
		fresh.sameBut(everything)
		_, body := b.poll(fresh.page.River, fresh.page.Path, "", "")
		if strings.Contains(body, `"post":4,`) || !strings.Contains(body, `"post":8,`) {
			t.Errorf("a poll is told %s", body)
		}
		if n := b.server.Stats().Poisoned; n != 2 {
			t.Errorf("%d entries were poisoned", n)
		}
	})
	if n := strings.Count(logged.String(), "could not render an entry"); n != 2 || !strings.Contains(logged.String(), "post=7") || !strings.Contains(logged.String(), "viewer=0") {
		t.Errorf("logged %d times: %s", n, logged.String())
	}
}

// current reports whether the page has reached the state of its river.
func (c *client) current() bool {
	return c.page.Counter == c.rivers.View(everything, river.At{}).Counter
}

// sameBut fails the test unless the page shows the river's entries, except those that can't be
// rendered.
func (c *client) sameBut(key river.Key) {
	c.Helper()
	v := c.rivers.View(key, river.At{Count: 100_000})
	var fine []river.Entry
	for _, e := range v.Entries {
		if !strings.Contains(e.Fold.Text.Text, poisoned) {
			fine = append(fine, e)
		}
	}
	v.Entries = fine
	if why := differs(c.page, v); why != "" {
		c.Fatal(why)
	}
}

// TestPagesFollowARiverWithPoison makes random changes to a river. At any time some of
// its entries can't be rendered.
func TestPagesFollowARiverWithPoison(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			within(t, func(c *realtime.Config) { c.Render = badRender{} }, func(b *bench) {
				rnd := rand.New(rand.NewPCG(seed, 9))
				b.fill(everything, 12)
				pages := []*client{b.open(everything, "", ""), b.open(everything, "", "?count=8")}
				for _, p := range pages {
					p.page.Returns = true
					p.readOn()
				}
				for i := range 40 {
					post := timeline.PostID(1 + rnd.IntN(20))
					text := fmt.Sprint("state ", i)
					if rnd.IntN(3) == 0 {
						text = poisoned
					}
					switch rnd.IntN(6) {
					case 0:
						b.rivers.Remove(everything, post)
					case 1:
						b.rivers.Rebuild(everything)
					default:
						b.rivers.Put(everything, fold(post, 2+i, int64(1000*(1+rnd.IntN(30))), text))
					}
					time.Sleep(time.Duration(rnd.IntN(1500)) * time.Millisecond)
				}
				time.Sleep(10 * time.Second)
				synctest.Wait()
				for _, p := range pages {
					p.sameBut(everything)
				}
			})
		})
	}
}

// readOn applies every frame that arrives, and fails if the page can't apply one.
func (c *client) readOn() {
	go func() {
		for {
			data, err := liveclient.Read(c.Context(), c.conn)
			if err != nil {
				return
			}
			if verdict, _, err := c.page.Take(data); err != nil || verdict == liveclient.Resub {
				c.Errorf("a page could not apply %s: %v", data, err)
				return
			}
		}
	}()
}
