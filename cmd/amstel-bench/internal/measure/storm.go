package measure

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
	"amstel.dev/amstel/cmd/amstel-bench/internal/dataset"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

const (
	// stormBar is the time within which all pages must be right again.
	stormBar = 3000.0 // ms
	// stormPosts is how many posts the changes are about. stormChanges is how many changes are made in
	// each storm.
	stormPosts   = 12
	stormChanges = 12
)

// A stormRun has many pages open, and cuts all their sockets at once.
type stormRun struct {
	*publisher
	client.FollowedPages
	posts   []timeline.PostID // the posts that the changes are about
	changed int               // the number of changes made

	took    report.Times    // for each storm and page, how long until the page was right
	worst   []time.Duration // for each storm, how long until the last page was right
	unequal []string        // the pages that differed from their rivers, with the differences

	inStorm, inCalm       period
	statements            map[string]int // statements for requests and sockets in storms, by text
	retries, again, twice int            // sums over all pages, see [client.PageState]
}

// A period counts what happened in storms, or during as many changes without a storm.
type period struct {
	others, node  int   // statements for requests and sockets, and statements of the node's own work
	turns, builds int64 // turns of the loop, and builds of rivers
}

// add adds what happened between two states of the node.
func (p *period) add(t report.Counts, before, after river.Stats) {
	p.others += t.Others
	p.node += t.Node
	p.turns += after.Turns - before.Turns
	p.builds += after.Builds - before.Builds
}

// storm measures what it costs when all pages reconnect at once.
func (r *run) storm(ctx context.Context) error {
	n := r.few()
	return r.withPublisher(ctx, "storm", n/2, func(ctx context.Context, c *publisher) error {
		sockets, err := client.StartSockets(ctx, r.Clients)
		if err != nil {
			return err
		}
		m := &stormRun{publisher: c, FollowedPages: client.FollowedPages{Sockets: sockets, Site: c.site.Address}, statements: map[string]int{}}
		err = m.measure(ctx, n)
		return errors.Join(err, sockets.Stop(err == nil))
	})
}

func (m *stormRun) measure(ctx context.Context, n int) error {
	for i := range stormPosts {
		if err := m.post(ctx, i); err != nil {
			return err
		}
	}
	if err := settled(ctx, m.site.Rivers); err != nil {
		return err
	}
	pages, err := m.homes(ctx, n/2)
	if err != nil {
		return err
	}
	for len(pages) < n {
		pages = append(pages, client.Page{Path: hotPath})
	}
	m.notice("Opening %d pages.", n)
	if err := m.Open(pages); err != nil {
		return err
	}
	for i := range m.Rounds {
		if i == m.Rounds-1 {
			m.notice("Waiting for %v, so that no visitor is remembered from just before.", m.Rest)
			if err := client.Pause(ctx, m.Rest); err != nil {
				return err
			}
		}
		if err := m.quiet(ctx); err != nil {
			return err
		}
		m.notice("Cutting all sockets.")
		if err := m.once(ctx, i%2 == 1); err != nil {
			return err
		}
	}
	return m.reportAll()
}

// quiet makes as many changes as there are in a storm, while no page reconnects.
func (m *stormRun) quiet(ctx context.Context) error {
	m.counts.Take()
	before := m.site.Rivers.Stats()
	if err := m.changes(ctx); err != nil {
		return err
	}
	if _, err := m.WaitCalm(); err != nil {
		return err
	}
	m.inCalm.add(m.counts.Take(), before, m.site.Rivers.Stats())
	return nil
}

// once measures one storm: it cuts all sockets, which then reconnect. Changes are made while the sockets
// reconnect or, if gap is set, before they do.
func (m *stormRun) once(ctx context.Context, gap bool) error {
	before := m.site.Rivers.Stats()
	m.counts.Take()
	cut, err := m.Sockets.Do(client.Order{Do: client.DoCut, Count: len(m.Pages), Back: !gap})
	if err != nil {
		return err
	}
	if err := m.changes(ctx); err != nil {
		return err
	}
	if gap {
		if cut, err = m.Sockets.Do(client.Order{Do: client.DoBack, Count: len(m.Pages)}); err != nil {
			return err
		}
	}
	if _, err := m.WaitCalm(); err != nil {
		return err
	}
	counted := m.counts.Take()
	m.inStorm.add(counted, before, m.site.Rivers.Stats())
	for text, n := range counted.Texts {
		m.statements[text] += n
	}
	shown, unequal, err := m.Compare(ctx)
	m.unequal = append(m.unequal, unequal...)
	m.noted(shown, time.Unix(0, cut.At))
	return err
}

// post writes a post and its comments.
func (m *stormRun) post(ctx context.Context, i int) error {
	post, err := m.store.CreatePost(report.ByBench(ctx), dataset.Admin, timeline.NewPost{
		To: []string{"group:" + dataset.BigGroupName}, Text: fmt.Sprintf("Of %d, %s.", i, dataset.Padding(m.random, 60)),
	})
	m.posts = append(m.posts, post)
	return err
}

// changes makes the changes of a storm: comments, edits, new posts and deletions.
func (m *stormRun) changes(ctx context.Context) error {
	ctx = report.ByBench(ctx)
	for i := range stormChanges {
		post := m.posts[m.random.IntN(len(m.posts))]
		text := fmt.Sprintf("%d, %s.", m.changed, dataset.Padding(m.random, 80))
		m.changed++
		var err error
		switch i % 6 {
		case 0, 3:
			_, err = m.store.AddComment(ctx, dataset.Admin, post, timeline.NewComment{Text: text})
		case 1:
			err = m.store.EditPost(ctx, dataset.Admin, post, timeline.PostEdit{Text: &text})
		case 2:
			err = m.post(ctx, m.changed)
		case 4: // there was a new post before, so no page is left with so few entries that it needs a build
			err = m.store.DeletePost(ctx, dataset.Admin, m.posts[0])
			m.posts = m.posts[1:]
		case 5:
			_, err = m.store.AddComment(ctx, dataset.Member(m.random.IntN(m.Members)), post, timeline.NewComment{Text: text})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// noted records how long each page took to be right, from the time begun.
func (m *stormRun) noted(shown []client.PageState, begun time.Time) {
	worst := time.Duration(0)
	m.again, m.twice, m.retries = 0, 0, 0
	for _, p := range shown {
		took := max(0, time.Unix(0, p.Right).Sub(begun))
		m.took, worst = append(m.took, took), max(worst, took)
		// Each page counts from its opening on, so the sums after the last storm include all storms.
		m.again, m.twice, m.retries = m.again+p.Again, m.twice+p.Twice, m.retries+p.Retries
	}
	m.worst = append(m.worst, worst)
}

// reportAll reports the times of all storms, and the statements that they cost the primary.
func (m *stormRun) reportAll() error {
	n := len(m.Pages)
	record := frameRecord("storm", m.took)
	record.SetTimes(m.took, 1)
	record.Of = fmt.Sprintf("%d pages, half of them homes of their own, all cut at once, %d times, with %d changes each time: until the last page is right; "+
		"%d pages unlike their river; %d sockets ended before they were open, %d pages had to subscribe anew, %d frames told what was known",
		n, len(m.worst), stormChanges, len(m.unequal), m.retries, m.again, m.twice)
	record.Parts = map[string]float64{}
	for i, worst := range m.worst {
		how := "changes while they come back"
		if i%2 == 1 {
			how = "changes while they are away"
		}
		record.Parts[fmt.Sprintf("%d, %s", i+1, how)] = report.Milliseconds(worst)
	}
	for _, fault := range m.unequal[:min(5, len(m.unequal))] {
		m.notice("%s.", fault)
	}
	record.Expect(fmt.Sprintf("<= %v ms, and every page is as its river", stormBar), record.Value <= stormBar && len(m.unequal) == 0 && m.again == 0)
	if err := m.report(record); err != nil {
		return err
	}
	record = report.Record{
		Name: "storm.statements", Value: float64(m.inStorm.others), Unit: "statements", N: n * len(m.worst),
		Of: "statements to the primary for pages that come back, beside those of the loop's turns",
		Parts: map[string]float64{
			"of turns": float64(m.inStorm.node), "of turns, with as many changes and no storm": float64(m.inCalm.node),
			"turns": float64(m.inStorm.turns), "turns, with as many changes and no storm": float64(m.inCalm.turns),
			"builds": float64(m.inStorm.builds), "with no storm": float64(m.inCalm.others),
		},
	}
	for _, text := range slices.Sorted(maps.Keys(m.statements)) {
		m.notice("%d times: %s", m.statements[text], text)
	}
	record.Expect("none, and no build", m.inStorm.others == 0 && m.inStorm.builds == 0)
	return m.report(record)
}
