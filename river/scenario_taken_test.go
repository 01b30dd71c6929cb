package river

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/timeline"
)

// A loss is one way in which a viewer loses the right to see a post. Each try has a new ann and
// a new eve: ann writes the post, and eve loses the right. bob, another reader, commented on the
// post and likes it.
type loss struct {
	name      string
	anonymous bool     // not eve: a viewer without a part in the test
	status    string   // ann's
	to        []string // the destination of the post; empty: ann's feed; * stands for the try's number
	group     string   // the status of the destination, a group
	follows   bool     // eve subscribes to the destination
	take      func(l *lost) error
	mute      bool // ann can edit nothing afterwards
}

func (p *testSite) setStatus(who, status string) error {
	return p.store.SetProfile(p.t.Context(), p.user(who), timeline.ProfileEdit{Status: &status})
}

var losses = []loss{
	{name: "going private", take: func(l *lost) error { return l.p.setStatus(l.ann, "private") }},
	{name: "protected for the anonymous", anonymous: true, take: func(l *lost) error { return l.p.setStatus(l.ann, "protected") }},
	{name: "for the author's eyes only", follows: true, take: func(l *lost) error { return l.p.setStatus(l.ann, "fyeo") }},
	{name: "a ban by the author", follows: true, take: func(l *lost) error { return l.p.store.Ban(l.p.t.Context(), l.author(), l.eve) }},
	{name: "a ban by the reader", follows: true, take: func(l *lost) error { return l.p.store.Ban(l.p.t.Context(), l.reader(), l.ann) }},
	{name: "an exclusion", status: "protected", follows: true, take: func(l *lost) error {
		return l.p.store.Exclude(l.p.t.Context(), l.author(), timeline.FeedName{Name: l.ann}, l.eve)
	}},
	{name: "blocked from a group", to: []string{"group:*"}, group: "protected", follows: true, take: func(l *lost) error {
		return l.p.store.Exclude(l.p.t.Context(), l.author(), timeline.FeedName{Name: l.group}, l.eve)
	}},
	{name: "unsubscribing", status: "private", follows: true, take: func(l *lost) error {
		return l.p.store.Unsubscribe(l.p.t.Context(), l.reader(), timeline.FeedName{Name: l.ann})
	}},
	{name: "removed as a subscriber", status: "private", follows: true, take: func(l *lost) error {
		return l.p.store.RemoveSubscriber(l.p.t.Context(), l.author(), timeline.FeedName{Name: l.ann}, l.eve)
	}},
	{name: "removed from a private sub-feed", to: []string{"user_private"}, follows: true, take: func(l *lost) error {
		return l.p.store.RemoveSubscriber(l.p.t.Context(), l.author(), timeline.FeedName{Name: l.ann, Private: true}, l.eve)
	}},
	{name: "expelled from a private group", to: []string{"group:*"}, group: "private", follows: true, take: func(l *lost) error {
		return l.p.store.RemoveSubscriber(l.p.t.Context(), l.author(), timeline.FeedName{Name: l.group}, l.eve)
	}},
	{name: "a group going private", to: []string{"group:*"}, group: "public", take: func(l *lost) error {
		private := "private"
		return l.p.store.EditGroup(l.p.t.Context(), l.author(), l.group, timeline.GroupEdit{Status: &private})
	}},
	{name: "moved to another place", follows: true, take: func(l *lost) error {
		return l.eachPost(func(post timeline.PostID) error {
			return l.p.store.EditPost(l.p.t.Context(), l.author(), post, timeline.PostEdit{To: []string{"user_private"}})
		})
	}},
	{name: "removed from a group", to: []string{"group:*"}, group: "private", follows: true, take: func(l *lost) error {
		return l.eachPost(func(post timeline.PostID) error {
			return l.p.store.RemoveFromGroup(l.p.t.Context(), l.author(), post, l.group)
		})
	}},
	{name: "leaving a direct message", to: []string{"direct:eve*", "direct:bob"}, take: func(l *lost) error {
		return l.eachPost(func(post timeline.PostID) error { return l.p.store.LeaveDirect(l.p.t.Context(), l.reader(), post) })
	}},
	{name: "the reader's account deleted", status: "protected", follows: true, take: func(l *lost) error {
		return l.p.store.DeleteAccount(l.p.t.Context(), l.reader(), "correct horse")
	}},
	{name: "the author's account deleted", follows: true, mute: true, take: func(l *lost) error {
		return l.p.store.DeleteAccount(l.p.t.Context(), l.author(), "correct horse")
	}},
}

const secret = "the secret"

// A lost is one try of a loss.
type lost struct {
	loss
	p               *testSite
	ann, eve, group string
	post            timeline.PostID
	others          []timeline.PostID // posts lost along with it
	keys            []Key             // the pages that showed it

	mu    sync.Mutex
	leaks []string // wrongly shown posts
}

func (l *lost) author() timeline.UserID { return l.p.user(l.ann) }
func (l *lost) reader() timeline.UserID { return l.p.user(l.eve) }

func (l *lost) eachPost(do func(timeline.PostID) error) error {
	for _, post := range append([]timeline.PostID{l.post}, l.others...) {
		if err := do(post); err != nil {
			return err
		}
	}
	return nil
}

// try makes the people, their relations, and the posts, and shows the oldest post.
func (p *testSite) try(what loss, n int) *lost {
	p.t.Helper()
	l := &lost{loss: what, p: p, ann: fmt.Sprint("ann", n), eve: fmt.Sprint("eve", n), group: fmt.Sprint("group", n)}
	ctx := p.t.Context()
	p.signUp(l.ann, l.eve)
	feed := timeline.FeedName{Name: l.ann}
	to := slices.Clone(l.to)
	for i := range to {
		to[i] = strings.ReplaceAll(to[i], "*", fmt.Sprint(n))
	}
	switch {
	case l.loss.group != "":
		to[0] = "group:" + l.group
		feed.Name = l.group
		id, err := p.store.CreateGroup(ctx, l.author(), timeline.NewGroup{Name: l.group, Status: l.loss.group})
		p.must(err)
		p.groups[l.group] = id
	case len(to) > 0 && to[0] == "user_private":
		feed.Private = true
	}
	if l.status != "" {
		p.must(p.setStatus(l.ann, l.status))
	}
	p.subscribes("bob", l.ann, feed)
	if l.follows {
		p.subscribes(l.eve, l.ann, feed)
	}
	p.follow(l.eve, "bob")
	l.post = p.post(l.ann, "nothing special", to...)
	for i := range 3 {
		l.others = append(l.others, p.post(l.ann, fmt.Sprint("another, ", i), to...))
	}
	p.like("bob", l.post)
	p.must(p.store.Fav(ctx, l.reader(), l.post))
	// A comment without a lift: the post stays the oldest.
	p.clock.advance(-3 * time.Second)
	_, err := p.store.AddComment(ctx, p.user("bob"), l.post, timeline.NewComment{Text: "hear, hear"})
	p.must(err)
	p.clock.advance(3 * time.Second)
	viewer := l.reader()
	if l.anonymous {
		viewer = 0
	}
	candidates := []Key{
		single(viewer, l.post), {viewer, KindUser, int64(l.author()), ""}, everything(viewer),
		{viewer, KindComments, int64(p.user("bob")), ""}, {viewer, KindLikes, int64(p.user("bob")), ""},
	}
	if viewer != 0 {
		own := int64(viewer)
		candidates = append(candidates, Key{viewer, KindHome, own, ""}, Key{viewer, KindFavs, own, ""}, Key{viewer, KindDirects, own, ""})
	}
	if id := p.groups[l.group]; id != 0 {
		candidates = append(candidates, Key{viewer, KindGroup, int64(id), ""})
	}
	p.sync()
	for _, key := range candidates {
		v, err := p.node.FromPrimary(ctx, key, At{}) // which holds nothing
		if err == nil && shows(v.Entries, l.post) {
			l.keys = append(l.keys, key)
		}
	}
	if len(l.keys) < 5 {
		p.t.Fatalf("only %v showed the post", l.keys)
	}
	return l
}

func (p *testSite) lives(key Key) bool {
	p.node.mu.RLock()
	defer p.node.mu.RUnlock()
	return p.node.st.byKey[key] != nil
}

func (p *testSite) signUp(names ...string) {
	p.t.Helper()
	for _, name := range names {
		id, err := p.store.SignUp(p.t.Context(), timeline.NewUser{Name: name, Email: name + "@example.org", Password: "correct horse"})
		p.must(err)
		p.people[name] = id
	}
}

// subscribes has a person subscribe, and has the feed's owner accept the request if
// need be.
func (p *testSite) subscribes(who, keeper string, feed timeline.FeedName) {
	p.t.Helper()
	_, err := p.store.Subscribe(p.t.Context(), p.user(who), feed, timeline.SubscribeOptions{})
	p.must(err)
	requests, err := p.store.Requests(p.t.Context(), p.user(keeper))
	p.must(err)
	for _, r := range requests {
		p.must(p.store.Accept(p.t.Context(), p.user(keeper), r.UUID))
	}
}

func shows(entries []Entry, post timeline.PostID) bool {
	return slices.ContainsFunc(entries, func(e Entry) bool { return e.Facts.ID == post })
}

// leak records that a lost post was shown.
func (l *lost) leak(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.leaks = append(l.leaks, fmt.Sprintf(format, args...))
}

// saw searches shown entries for the secret, and, after the right was taken and the answer
// sent, for the post.
func (l *lost) saw(how string, key Key, entries []Entry, taken bool) {
	for _, e := range entries {
		switch {
		case !l.lost(e.Facts.ID):
		case e.Fold.Text.Text == secret:
			l.leak("%s of %s shows the secret", how, key.Descriptor())
		case taken:
			l.leak("%s of %s still shows the post", how, key.Descriptor())
		}
	}
}

// allowed fails the test unless the error is one that shows nothing.
func (l *lost) allowed(how string, key Key, err error) {
	for _, may := range []error{timeline.ErrForbidden, timeline.ErrNotFound, timeline.ErrUnauthorized, ErrBehind, ErrGone} {
		if errors.Is(err, may) {
			return
		}
	}
	l.leak("%s of %s fails: %v", how, key.Descriptor(), err)
}

func (l *lost) visit(how string, key Key, at At, taken bool) {
	v, err := l.p.node.Visit(l.p.t.Context(), key, at)
	if err != nil {
		l.allowed(how, key, err)
		return
	}
	l.saw(how, key, v.Entries, taken)
}

func (l *lost) act(key Key, taken bool) {
	v, err := l.p.node.EntryAfterWrite(l.p.t.Context(), key, l.post)
	if err != nil {
		l.allowed("an actor's answer", key, err)
		return
	}
	l.saw("an actor's answer", key, v.Entries, taken)
}

// lost reports whether a post was taken away.
func (l *lost) lost(post timeline.PostID) bool {
	return post == l.post || slices.Contains(l.others, post)
}

// patched checks the patch for a page. The page goes on showing the entries that the patch
// does not change.
func (l *lost) patched(how string, page openPage, p *Patch, err error, taken bool) {
	key := page.key
	if err != nil {
		l.allowed(how, key, err)
		return
	}
	l.saw(how, key, p.Entries, taken)
	told := make(map[timeline.PostID]bool)
	for _, op := range p.Ops {
		told[op.Post] = true
		if !op.Gone {
			l.saw(how, key, []Entry{*op.Entry}, taken)
		}
	}
	for _, e := range page.view.Entries {
		if taken && !p.Reset && l.lost(e.Facts.ID) && !told[e.Facts.ID] {
			l.leak("%s of %s leaves a post there", how, key.Descriptor())
		}
	}
}

// An openPage is a page that showed the post: a cached page, a sleeping page, or a page that
// follows its river.
type openPage struct {
	key    Key
	view   *View
	watch  *Watch
	window Window
	from   int64
}

func (l *lost) open() []openPage {
	l.p.t.Helper()
	pages, errs := make([]openPage, len(l.keys)), make([]error, len(l.keys))
	var wg sync.WaitGroup
	for i, key := range l.keys {
		wg.Go(func() { errs[i] = l.openOne(key, &pages[i]) })
	}
	wg.Wait()
	l.p.must(errors.Join(errs...))
	return pages
}

func (l *lost) openOne(key Key, page *openPage) error {
	v, err := l.p.node.Visit(l.p.t.Context(), key, At{})
	if err != nil {
		return err
	}
	if !v.Live || !shows(v.Entries, l.post) {
		return fmt.Errorf("%s does not show the post", key.Descriptor())
	}
	w, err := l.p.node.Watch(l.p.t.Context(), key)
	if err != nil {
		return err
	}
	patch, window, err := w.Resume(Resume{Epoch: v.Epoch, Counter: v.Counter, Have: haveOf(v)})
	if err == nil {
		*page = openPage{key, v, w, window, patch.To}
	}
	return err
}

// checkOpenPage checks everything that the page can show without a turn: its patch, and whether
// its cached form is still valid.
func (l *lost) checkOpenPage(page openPage, taken bool) {
	patch, err := page.watch.Patch(page.from, page.window)
	l.patched("an open page", page, patch, err, taken)
	if k, _, ok := l.p.node.CacheKey(page.key, At{}); taken && ok && k.Epoch == page.view.Epoch && k.Changed == page.view.Changed {
		l.leak("a kept page of %s counts as good", page.key.Descriptor())
	}
}

// checkOtherPages checks everything that a new request can show: a visit, the answer to an
// action, and a page that wakes up.
func (l *lost) checkOtherPages(page openPage) {
	l.visit("a visit", page.key, At{}, true)
	l.act(page.key, true)
	w, err := l.p.node.Watch(l.p.t.Context(), page.key)
	if err != nil {
		l.allowed("waking up", page.key, err)
		return
	}
	defer w.Close()
	patch, _, err := w.Resume(Resume{Epoch: page.view.Epoch, Counter: page.view.Counter, Have: haveOf(page.view)})
	l.patched("a page that slept", page, patch, err, true)
}

// takeRight takes the right away, and puts the secret into the post at once. The returned channel
// is closed when WaitRevoked has returned.
func (l *lost) takeRight() (answered chan struct{}) {
	l.p.t.Helper()
	l.p.must(l.take(l))
	answered = make(chan struct{})
	go func() {
		defer close(answered)
		l.p.node.WaitRevoked()
	}()
	for over := false; !over && !l.p.node.asked(); { // the turn for the answer has not begun, if no turn may begin now
		select {
		case <-answered:
			over = true
		default:
			runtime.Gosched()
		}
	}
	if !l.mute {
		text := secret
		l.p.must(l.p.store.EditPost(l.p.t.Context(), l.author(), l.post, timeline.PostEdit{Text: &text}))
	}
	return answered
}

// asked reports whether a goroutine waits for a turn that has not begun.
func (n *Node) asked() bool {
	n.asks.mu.Lock()
	defer n.asks.mu.Unlock()
	return len(n.asks.waiting) > 0
}

// checkLeaks fails the test if anything of the secret was shown, or if its author is not shown
// the secret.
func (l *lost) checkLeaks(point string) {
	l.p.t.Helper()
	for _, line := range l.leaks {
		l.p.t.Errorf("held up %s: %s", point, line)
	}
	if l.mute {
		return
	}
	v, err := l.p.node.Visit(l.p.t.Context(), single(l.author(), l.post), At{})
	l.p.must(err)
	want(l.p.t.(*testing.T), "its author's page", texts(v.Entries), secret)
}

// openPages has all pages open, or asleep, while the loop is held up.
func (l *lost) openPages(g, turn *gate) {
	p, t := l.p, l.p.t
	pages := l.open()
	defer func() {
		for _, page := range pages {
			page.watch.Close()
		}
	}()
	for range 2 { // no turn is under way, nor rung for
		p.sync()
	}
	var wg sync.WaitGroup
	over := make(chan struct{})
	wg.Go(func() { // visits at all times
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-over:
				return
			case <-tick.C:
			}
			for _, page := range pages {
				l.checkOpenPage(page, false)
				l.visit("a visit", page.key, At{}, false)
			}
		}
	})
	g.arm(1)
	text := "nothing special, still" // the turn reads the post anyway
	p.must(p.store.EditPost(t.Context(), l.author(), l.post, timeline.PostEdit{Text: &text}))
	g.held(t)
	for _, page := range pages {
		wg.Go(func() { l.act(page.key, false) })
	}
	answered := l.takeRight()
	g.release()
	turn.armAfter(1, 1) // the turn for the answer
	<-answered
	for _, page := range pages { // the rest of the sweeps and jobs is still to come
		l.checkOpenPage(page, true)
	}
	turn.release()
	var asks sync.WaitGroup
	for _, page := range pages {
		asks.Go(func() { l.checkOtherPages(page) })
	}
	asks.Wait()
	p.sync()
	for _, page := range pages {
		l.checkOpenPage(page, true)
	}
	close(over)
	wg.Wait()
}

// underWay starts first visits and visits further down while the gate holds up builders, or the
// turn that installs their builds.
func (l *lost) underWay(g *gate, builders bool, which int) {
	p, t := l.p, l.p.t
	deep := make(map[Key]At)
	for i, key := range l.keys {
		if p.lives(key) {
			continue // the rivers of viewer 0
		}
		deep[key] = At{}
		v, err := p.node.FromPrimary(t.Context(), key, At{Count: 2})
		p.must(err)
		if (i+which)%2 == 0 && v.Older != nil {
			v, err = p.node.Visit(t.Context(), key, At{Count: 1})
			p.must(err)
			deep[key] = At{Count: 5, Before: *v.Older}
		}
	}
	for range 2 {
		p.sync()
	}
	n := 1
	if builders {
		n = len(deep)
	}
	g.arm(n)
	var wg sync.WaitGroup
	for key, at := range deep {
		wg.Go(func() { l.visit("a page built meanwhile", key, at, builders) })
	}
	g.held(t)
	answered := l.takeRight()
	if builders { // the loop goes on
		<-answered
		p.sync()
	}
	g.release()
	<-answered
	for key, at := range deep {
		l.visit("the same page afterwards", key, at, true)
		l.visit("the first page afterwards", key, At{}, true)
	}
	wg.Wait()
}

// TestTakenWithEveryWorkerHeldUp: a secret that is put into a post after a viewer
// lost the right to see the post is on none of the viewer's pages, whichever worker
// was held up at any point. The post itself is on none of them once the write that
// took the right away was answered.
func TestTakenWithEveryWorkerHeldUp(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	for i, what := range losses {
		t.Run(what.name, func(t *testing.T) {
			t.Parallel()
			p := newTestSite(t, "bob")
			p.set.Poll, p.set.builders, p.set.chunk = time.Second, 16, 1
			gates := p.gates()
			n := 0
			try := func(point string, do func(l *lost)) {
				t.Helper()
				n++
				l := p.try(what, n)
				do(l)
				l.checkLeaks(point)
			}
			// Of the points, some for each way, so that several ways meet each point.
			for j := range soaked(1, 3) {
				point := loopPoints[(i+2*j)%len(loopPoints)]
				try(point, func(l *lost) { l.openPages(gates[point], gates[loopPoints[0]]) })
			}
			for _, point := range []string{"before the builder's snapshot", "after the builder's snapshot", loopPoints[(i+1)%len(loopPoints)]} {
				try(point, func(l *lost) { l.underWay(gates[point], strings.Contains(point, "builder"), n) })
			}
			p.compareAll()
		})
	}
}
