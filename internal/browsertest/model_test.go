package browsertest

import (
	"context"
	"flag"
	"fmt"
	"html"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/internal/livetest"
	"amstel.dev/amstel/internal/nodetest"
	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/static"
)

var everything = river.Key{What: river.KindEverything}

// A modelSite is a site with one page, over a model river that a test changes often and at random.
type modelSite struct {
	*site
	rivers *livetest.Rivers
	folds  map[timeline.PostID]*timeline.Fold
	last   timeline.PostID
	clock  int64
	next   timeline.CommentID
	spared timeline.PostID // never removed: the reader writes a comment on this post
}

// newModelSite starts a site with an empty river.
func newModelSite(t *testing.T) *modelSite {
	t.Helper()
	m := &modelSite{site: &site{T: t, Site: &nodetest.Site{}}, rivers: livetest.NewRivers(), folds: map[timeline.PostID]*timeline.Fold{}}
	config := livetest.Config(m.rivers)
	config.Coalesce, config.Beat = 10*time.Millisecond, 300*time.Millisecond
	m.Live = realtime.New(config)
	mux := http.NewServeMux()
	mux.Handle("GET "+static.Prefix, static.Handler())
	mux.Handle("GET /live", m.Live)
	mux.HandleFunc("GET /live/changes", m.Live.Changes)
	mux.HandleFunc("GET /everything/0", m.page)
	server := httptest.NewServer(m.door.before(mux))
	m.url = server.URL
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := m.Live.Close(ctx); err != nil {
			t.Error(err)
		}
		server.CloseClientConnections()
		server.Close()
	})
	return m
}

// page serves the river as a page.
func (m *modelSite) page(w http.ResponseWriter, r *http.Request) {
	v := m.rivers.View(everything, river.At{})
	fmt.Fprintf(w, `<!DOCTYPE html><html><head><link rel="stylesheet" href="%s"><script type="module" src="%s"></script></head><body>
		<header class="site"></header><div class="column"><div id="banner" role="status" hidden>Updates are delayed.</div>
		<div id="river" class="river" data-river="%s" data-epoch="%s" data-counter="%d" data-position="0" data-page="%s" data-live="true" data-viewer="">`,
		static.Path("amstel.css"), static.Path("client.js"), html.EscapeString(m.rivers.Name(everything, nil)), v.Epoch, v.Counter, r.URL.Path)
	for i := range v.Entries {
		fmt.Fprint(w, livetest.Render{}.EntryHTML("en", nil, &v.Entries[i], nil, nil))
	}
	fmt.Fprint(w, `</div></div></body></html>`)
}

// put gives a post a new state, made by change. With bump the post rises to the top.
func (m *modelSite) put(post timeline.PostID, bump bool, change func(*timeline.Fold)) {
	f := timeline.Fold{Post: post, Author: 1, Text: timeline.TextFold{PublishedAt: time.Now()}}
	if before := m.folds[post]; before != nil {
		f = *before
		f.Comments.Comments = append([]timeline.Comment(nil), before.Comments.Comments...)
	}
	change(&f)
	f.Version++
	if bump {
		m.clock++
		f.Text.FreshAt = m.clock
	}
	m.folds[post] = &f
	m.rivers.Put(everything, &f)
}

// write adds a post with a comment.
func (m *modelSite) write() {
	m.last++
	m.put(m.last, true, func(f *timeline.Fold) {
		f.Text.Text = fmt.Sprintf("post %d", m.last)
		m.comment(f)
	})
}

// comment adds a comment to a fold.
func (m *modelSite) comment(f *timeline.Fold) {
	m.next++
	f.Comments.Comments = append(f.Comments.Comments, timeline.Comment{
		ID: m.next, Post: f.Post, Text: fmt.Sprintf("comment %d", m.next), CreatedAt: time.Now(),
	})
}

// change makes one random change to the river or its sockets.
func (m *modelSite) change(rnd *rand.Rand) {
	post := max(1, m.last-timeline.PostID(rnd.ExpFloat64()*8))
	if m.folds[post] == nil {
		return
	}
	some := func(f *timeline.Fold, do func(i int)) {
		if n := len(f.Comments.Comments); n > 0 {
			do(rnd.IntN(n))
		}
	}
	switch n := rnd.IntN(100); {
	case n < 10:
		m.write()
	case n < 35:
		m.put(post, true, m.comment)
	case n < 45:
		m.put(post, false, func(f *timeline.Fold) {
			some(f, func(i int) { f.Comments.Comments[i].Text += " again" })
		})
	case n < 55:
		m.put(post, false, func(f *timeline.Fold) {
			some(f, func(i int) { f.Comments.Comments = append(f.Comments.Comments[:i], f.Comments.Comments[i+1:]...) })
		})
	case n < 70:
		m.put(post, false, func(f *timeline.Fold) { f.Likes.Users = append(f.Likes.Users, 1) })
	case n < 80:
		m.put(post, false, func(f *timeline.Fold) { f.Text.Text += " & <edited>" })
	case n < 88:
		if post != m.spared {
			m.rivers.Remove(everything, post)
		}
	case n < 91:
		m.rivers.Purge(everything)
	case n < 94:
		m.rivers.Rebuild(everything)
	case n < 97:
		m.Live.Shed()
	default:
		for range 70 {
			m.put(m.spared, rnd.IntN(8) == 0, func(f *timeline.Fold) { f.Likes.Users = append(f.Likes.Users, 1) })
			m.put(post, false, m.comment)
		}
	}
}

// shows is JavaScript that returns a line for each entry on the page.
const shows = `[...document.querySelectorAll("#river > article")].map(a => [
	a.dataset.postId, a.dataset.tag,
	a.querySelector(".bem-post__text").textContent, a.querySelector(".likes").textContent,
	...[...a.querySelectorAll("[data-key]")].map(c => c.dataset.key + " " + c.querySelector("span").textContent),
].join("|"))`

// wanted returns the lines that a page with n entries must show.
func (m *modelSite) wanted(n int) []string {
	lines := []string{}
	for _, e := range m.rivers.View(everything, river.At{Count: max(n, 1)}).Entries {
		line := []string{fmt.Sprint(e.Fold.Post), e.Tag, e.Fold.Text.Text, fmt.Sprint(len(e.Fold.Likes.Users))}
		for _, c := range e.Fold.Comments.Comments {
			line = append(line, fmt.Sprintf("c%d %s", c.ID, c.Text))
		}
		lines = append(lines, strings.Join(line, "|"))
	}
	return lines
}

var seed = flag.Uint64("seed", 1, "the seed of TestPageEndsLikeItsRiver")

// TestPageEndsLikeItsRiver changes a river at random, rebuilds it, purges its tombstones and
// closes sockets, while a page follows the river. In the end the page equals the river. The text
// that the viewer is typing, its selection and the focus are unchanged, and the field never
// moves by more than a pixel.
func TestPageEndsLikeItsRiver(t *testing.T) {
	t.Parallel()
	const changes = 1000
	rnd := rand.New(rand.NewPCG(*seed, 9))
	b := startBrowser(t)
	m := newModelSite(t)
	for range 20 {
		m.write()
	}
	m.spared = 15
	reader := b.visitor(m.site, "the reader")
	reader.before("Math.random = () => 0.05") // makes the page reconnect soon
	reader.live("/everything/0")
	textarea := fmt.Sprintf("%s textarea", entry(m.spared))
	reader.enter(textarea, "half a sentence")
	// The browser scrolls smoothly to the field being typed in.
	reader.sees("the page at rest", "(window.still = window.stillAt === scrollY ? (window.still ?? 0) + 1 : 0, window.stillAt = scrollY, window.still > 20)")
	reader.eval(fmt.Sprintf(`
		window.typing = document.querySelector(%q);
		typing.setSelectionRange(3, 7);
		for (const a of document.querySelectorAll("article")) a.marked = true;
		for (const d of document.querySelectorAll("details")) d.open = true;
		// At the ends of a page no script can hold the field in place: put it near the upper
		// edge, with space below.
		document.body.style.paddingBottom = "300vh";
		scrollBy({ top: typing.getBoundingClientRect().top - 40, behavior: "instant" });
		window.heldAt = typing.getBoundingClientRect().top;
		window.moved = 0;
		(function look() {
			moved = Math.max(moved, Math.abs(typing.getBoundingClientRect().top - heldAt));
			requestAnimationFrame(look);
		})();`, textarea))
	pace := time.NewTicker(15 * time.Millisecond)
	defer pace.Stop()
	// On a slow machine a connection may end before the page has subscribed again. So the
	// changes go on until the page has subscribed again twice.
	for last, n := time.Now().Add(patience), 0; n < changes || m.Live.Stats().Subs < 3 && time.Now().Before(last); n++ {
		m.change(rnd)
		<-pace.C
	}
	var got []string
	last := time.Now().Add(patience)
	for {
		got = value[[]string](reader, shows)
		if cmp.Diff(m.wanted(len(got)), got) == "" && len(got) > 0 {
			break
		}
		if time.Now().After(last) {
			t.Fatalf("seed %d: the page differs from its river (-want +got):\n%s\n%s", *seed, cmp.Diff(m.wanted(len(got)), got), reader.where())
		}
		<-pace.C
	}
	state := value[string](reader, fmt.Sprintf(`[
		typing === document.querySelector(%q), typing === document.activeElement, typing.value,
		typing.selectionStart, typing.selectionEnd, typing.closest("article").marked,
	].join()`, textarea))
	if want := "true,true,half a sentence,3,7,true"; state != want {
		t.Errorf("seed %d: the field with the text is %s, want %s", *seed, state, want)
	}
	if moved := value[float64](reader, "moved"); moved > 1 {
		t.Errorf("seed %d: the field moved by %.2f px, want 1 px at most", *seed, moved)
	} else {
		t.Logf("the field moved by %.2f px", moved)
	}
	reader.same()
	s := m.Live.Stats()
	t.Logf("%d entries at the end; %+v", len(got), s)
	if s.Subs < 3 {
		t.Errorf("the page subscribed only %d times, want 3", s.Subs)
	}
}
