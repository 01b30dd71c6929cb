package river

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"amstel.dev/amstel/timeline"
)

// A page is a model of an open page: it knows only the messages sent to it, and follows the
// client's rule.
type page struct {
	run     *run
	key     Key
	at      At
	watch   *Watch // nil: asleep
	window  Window
	epoch   string
	counter int64
	shows   []Have
}

// browse changes the state of a random page: it opens a page, lets a page follow its river, puts
// a page to sleep, or wakes a page.
func (r *run) browse() {
	if len(r.pages) < 6 {
		p := &page{run: r, key: r.key()}
		p.at = r.at(p.key)
		v, err := r.node.Visit(r.t.Context(), p.key, p.at)
		r.allowed("page loaded", err)
		if err != nil {
			return
		}
		if !v.Live {
			r.did["page deeper than is held"]++
		}
		p.epoch, p.counter = v.Epoch, v.Counter
		for _, e := range v.Entries {
			p.shows = append(p.shows, Have{e.Facts.ID, e.Tag})
		}
		r.pages = append(r.pages, p)
		return
	}
	p := pick(r, r.pages)
	switch {
	case p.watch == nil:
		p.wakeUp()
	case r.rng.IntN(4) == 0:
		p.close()
	default:
		p.applyPatch()
	}
	if r.rng.IntN(5) == 0 {
		p.close()
		r.pages = slices.DeleteFunc(r.pages, func(q *page) bool { return q == p })
	}
}

// wakeUp connects: first load and reconnect alike.
func (p *page) wakeUp() {
	w, err := p.run.node.Watch(p.run.t.Context(), p.key)
	if err != nil {
		if p.run.set.Memory == 0 || !errors.Is(err, ErrBehind) { // when open pages fill the node
			p.run.allowed("page reopened", err)
		}
		p.run.pages = slices.DeleteFunc(p.run.pages, func(q *page) bool { return q == p })
		return
	}
	p.run.node.mu.RLock()
	long := p.epoch == w.Epoch() && p.counter < p.run.node.st.purged
	p.run.node.mu.RUnlock()
	patch, window, err := w.Resume(Resume{At: p.at, Epoch: p.epoch, Counter: p.counter, Have: p.shows})
	p.run.await()
	if err != nil {
		w.Close()
		return
	}
	if p.epoch == patch.Epoch && !patch.Reset {
		p.run.did["page resumed"]++
	}
	if long {
		p.run.did["page woke after tombstones went"]++
	}
	p.watch, p.window = w, window
	p.epoch = patch.Epoch
	p.run.did["page opened"]++
	p.apply(patch)
}

// close closes the page, if it is open.
func (p *page) close() {
	if p.watch != nil {
		p.watch.Close()
		p.watch = nil
	}
}

// await waits for the builds that a page has begun in order to be filled.
func (r *run) await() {
	r.node.builds.mu.Lock()
	under := slices.Collect(maps.Values(r.node.builds.under))
	r.node.builds.mu.Unlock()
	for _, b := range under {
		<-b.done
	}
}

// woken reports whether the river changed since the page was last asked.
func (p *page) woken() bool {
	select {
	case <-p.watch.C():
		return true
	default:
		return false
	}
}

// applyPatch applies a patch, if the page gets one.
func (p *page) applyPatch() {
	p.woken()
	patch, err := p.watch.Patch(p.counter, p.window)
	p.run.await()
	switch {
	case errors.Is(err, ErrGone):
		p.close()
		p.wakeUp()
		return
	case err != nil:
		p.run.t.Errorf("patch: %v", err)
		return
	}
	if len(patch.Ops) > 0 {
		p.run.did["page patched"]++
	}
	if patch.Filled != nil {
		p.window = *patch.Filled
		p.run.did["page filled"]++
	}
	p.apply(patch)
}

// apply follows the client's rule for a whole patch.
func (p *page) apply(patch *Patch) {
	p.counter = patch.To
	if patch.Reset {
		p.shows = nil
		for _, e := range patch.Entries {
			p.shows = append(p.shows, Have{e.Facts.ID, e.Tag})
		}
		return
	}
	for _, op := range patch.Ops {
		p.shows = slices.DeleteFunc(p.shows, func(h Have) bool { return h.Post == op.Post })
		if op.Gone {
			continue
		}
		i := 0
		if op.After != 0 {
			i = slices.IndexFunc(p.shows, func(h Have) bool { return h.Post == op.After }) + 1
			if i == 0 {
				p.run.t.Errorf("page %v: op for %d stands after %d, which is not on the page", p.key, op.Post, op.After)
			}
		}
		p.shows = slices.Insert(p.shows, i, Have{op.Post, op.Entry.Tag})
	}
}

// still reports whether the page gets no patches, because it is too deep, or a numbered page
// past the end.
func (p *page) still() bool { return p.window.High == p.window.Low }

// primary compares a page without patches with the primary when the page wakes up.
func (p *page) primary() (found []string) {
	p.close()
	if p.wakeUp(); p.watch == nil || !p.still() {
		return nil
	}
	v, err := p.run.node.FromPrimary(p.run.t.Context(), p.key, p.at)
	p.run.must(err)
	p.run.did["page that is not followed compared"]++
	if want := haveOf(v); !slices.Equal(want, p.shows) {
		return []string{fmt.Sprintf("page %v %+v, which is not followed, shows %v, and should show %v", p.key, p.at, p.shows, want)}
	}
	return nil
}

// byReply reports whether only comments and likes bring an entry.
func byReply(e Entry) bool {
	others := 0
	for what := range e.Reasons.All() {
		if what != timeline.WhatUserComments && what != timeline.WhatUserLikes {
			others++
		}
	}
	return len(e.Reasons) > 0 && others == 0
}

// compare compares the page with its window of the river. Below the page the river must have no
// entry for which the page has room.
func (p *page) compare() (found []string) {
	if p.watch == nil {
		return nil
	}
	for p.applyPatch(); p.watch != nil && p.woken(); p.applyPatch() { // until the page is full
		p.run.waitSettled()
	}
	if p.watch == nil {
		return nil
	}
	if p.still() {
		return p.primary()
	}
	n := p.run.node
	n.mu.RLock()
	defer n.mu.RUnlock()
	rv := p.watch.rv
	var want []Have
	for _, e := range rv.order {
		room := len(want) < p.at.count() && !p.window.Still && !e.cursor.Below(p.window.Bottom)
		if e.cursor.Below(p.window.High) && (room || !e.cursor.Below(p.window.Low)) {
			if shown, may := n.st.entry(rv, e, n.st.newCardCollector()); may && !(p.at.NoReplies && byReply(shown)) {
				want = append(want, Have{e.post.facts.ID, shown.Tag})
			}
		}
	}
	if !slices.Equal(want, p.shows) {
		return []string{fmt.Sprintf("page %v %+v shows %v, and should show %v", p.key, p.at, p.shows, want)}
	}
	return nil
}
