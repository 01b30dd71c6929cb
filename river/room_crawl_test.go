package river

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/timeline"
)

var (
	crawled    = flag.Int("memory.crawl", 360, "how many addresses the crawlers visit in TestCrawl")
	crawlers   = flag.Int("memory.crawlers", 1, "how many addresses the crawlers of TestCrawl visit at once; several crawlers are not signed in")
	crawlRoom  = flag.Int64("memory.budget", 300_000, "the budget of TestCrawl, in bytes")
	crawlFor   = flag.Duration("memory.within", 0, "the time after which the crawlers of TestCrawl stop early, 0 for never")
	crawlLooks = flag.Int("memory.looks", 0, "after how many addresses a member reads their home in TestCrawl, 0 for none")
)

// TestCrawl: a crawler that visits very many addresses once each ends within the
// budget, and the homes that members visited again stay as they are, though none of
// them looks meanwhile.
func TestCrawl(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	members := []string{"ann", "cat", "dan", "eve", "fay"}
	p := newTestSite(t, append(members, "bob", "other", "crawler")...)
	budget := *crawlRoom
	slack := int64(15_000 * *crawlers) // bytes that a turn installs
	viewers := []timeline.UserID{0, p.user("crawler")}
	if *crawlers > 1 {
		p.set.builders = *crawlers * 3 / 2 // half of them are for strangers
		viewers = viewers[:1]
	}
	p.stop()
	p.set.Memory = budget
	p.start()
	epochs := make(map[string]string)
	for i := range 30 {
		p.post("bob", fmt.Sprint("a post of ", i))
	}
	for _, name := range members {
		p.follow(name, "bob")
		p.visit(p.home(name))
	}
	p.clock.advance(time.Minute)
	for _, name := range members {
		v, err := p.node.Visit(t.Context(), p.home(name), At{})
		p.must(err)
		epochs[name] = v.Epoch
	}
	p.waitSettled()
	_, warm, before := p.count()
	if warm > budget*2/3 {
		t.Fatalf("the members' homes take %d bytes of %d: too much for what is to be shown", warm, budget)
	}
	posts := *crawled / len(viewers)
	first := p.post("other", "a post that is there many times")
	p.copies(first, posts)
	began := time.Now()
	var most atomic.Int64
	var looks []time.Duration
	var visits errgroup.Group
	visits.SetLimit(*crawlers)
	visited := 0
	for i := range posts {
		if *crawlFor > 0 && time.Since(began) > *crawlFor {
			break
		}
		p.clock.advance(100 * time.Millisecond)
		for _, viewer := range viewers {
			visited++
			visits.Go(func() error {
				v, err := p.node.Visit(t.Context(), single(viewer, first+timeline.PostID(i)), At{})
				if err != nil {
					return err
				}
				if len(v.Entries) != 1 {
					return fmt.Errorf("the page of a post has %d entries", len(v.Entries))
				}
				_, bytes, _ := p.count()
				for old := most.Load(); bytes > old && !most.CompareAndSwap(old, bytes); old = most.Load() {
				}
				return nil
			})
		}
		if *crawlLooks > 0 && i%*crawlLooks == *crawlLooks-1 {
			name, from := members[len(looks)%len(members)], time.Now()
			v, err := p.node.Visit(t.Context(), p.home(name), At{})
			looks = append(looks, time.Since(from))
			p.must(err)
			if v.Epoch != epochs[name] {
				t.Fatalf("the home of %s was built anew after %d addresses", name, visited)
			}
			if len(looks)%50 == 0 {
				t.Logf("%d addresses after %v", visited, time.Since(began).Round(time.Second))
			}
		}
	}
	p.must(visits.Wait())
	p.waitSettled()
	rivers, bytes, builds := p.count()
	s := p.node.Stats()
	t.Logf("%d addresses took %d builds: %d rivers live, %d bytes of %d, at most %d; evicted: %v",
		visited, builds-before, rivers, bytes, budget, most.Load(), s.Evicted)
	if len(looks) > 0 {
		slices.Sort(looks)
		t.Logf("members read their home %d times, p50 %v, p99 %v", len(looks), looks[len(looks)/2], looks[len(looks)*99/100])
	}
	if bytes > budget || most.Load() > budget+slack {
		t.Errorf("the node counts %d bytes in the end, and counted %d, with a budget of %d", bytes, most.Load(), budget)
	}
	if s.Evicted[evictedMemory] < int64(visited)/4 {
		t.Errorf("%d rivers were evicted", s.Evicted[evictedMemory])
	}
	for _, name := range members {
		v, err := p.node.Visit(t.Context(), p.home(name), At{})
		p.must(err)
		if v.Epoch != epochs[name] {
			t.Errorf("the home of %s was built anew", name)
		}
	}
	if _, _, now := p.count(); now != builds {
		t.Errorf("the members' homes took %d builds", now-builds)
	}
	p.compareAll()
}

// copies writes copies of a post, which have the ids after the post's own: n posts with the post
// itself. No river has them, so the log tells nothing of them. Foreign keys are not checked, which
// takes most of the time.
func (p *testSite) copies(post timeline.PostID, n int) {
	p.t.Helper()
	tx, err := p.store.Pool().Begin(p.t.Context())
	p.must(err)
	defer func() { _ = tx.Rollback(context.Background()) }()
	_, err = tx.Exec(p.t.Context(), `set local session_replication_role = replica`)
	p.must(err)
	_, err = tx.Exec(p.t.Context(), `
		with made as (
			insert into posts (id, user_id, text, places, published_at, updated_at, fresh_at)
			select id + i, user_id, text, places, published_at, updated_at, fresh_at
			from posts, generate_series(1, $2) i where id = $1
		)
		insert into timeline_entries (timeline_id, post_id, fresh_at, entered_at)
		select timeline_id, post_id + i, fresh_at, entered_at
		from timeline_entries, generate_series(1, $2) i where post_id = $1`, post, n-1)
	p.must(err)
	p.must(tx.Commit(p.t.Context()))
	_, err = p.store.Pool().Exec(p.t.Context(), `analyze posts, timeline_entries`)
	p.must(err)
}
