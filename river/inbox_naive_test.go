package river

import (
	"cmp"
	"slices"

	"amstel.dev/amstel/timeline"
)

// The sources of package timeline/inbox are named after published designs. The feeds of this
// file follow the descriptions of these designs, with their mistakes. The tests of
// inbox_mistakes_test.go show that each mistake makes a wrong feed, and that our feed is right
// after the same acts. MongoDB's operations on one document are atomic, so each method of a feed
// runs without other clients in between. Where other clients may act between two operations, a
// method calls its parameter between.

// A naiveEntry is an entry of a feed.
type naiveEntry struct {
	post timeline.PostID
	at   int64 // milliseconds
}

// newestFirst returns the posts of entries, the latest first.
func newestFirst(entries []naiveEntry) (posts []timeline.PostID) {
	entries = slices.Clone(entries)
	slices.SortFunc(entries, func(a, b naiveEntry) int { return cmp.Compare(b.at, a.at) })
	for _, e := range entries {
		posts = append(posts, e.post)
	}
	return posts
}

// naiveTimed is a feed of buckets by time. The number of a bucket is the time modulo the
// period, where it should be the time divided by the period.
type naiveTimed struct {
	period  int64
	buckets map[int64][]naiveEntry
}

func (f *naiveTimed) push(e naiveEntry) {
	if f.buckets == nil {
		f.buckets = make(map[int64][]naiveEntry)
	}
	number := e.at % f.period
	f.buckets[number] = append(f.buckets[number], e)
}

// read returns the posts of all buckets, the bucket of the highest number first.
func (f *naiveTimed) read() (posts []timeline.PostID) {
	var numbers []int64
	for number := range f.buckets {
		numbers = append(numbers, number)
	}
	slices.Sort(numbers)
	for _, number := range slices.Backward(numbers) {
		posts = append(posts, newestFirst(f.buckets[number])...)
	}
	return posts
}

// naiveSized is a feed of buckets by size. A writer that finds no open bucket inserts one, as a
// second operation, so two writers insert two.
type naiveSized struct {
	size    int
	buckets [][]naiveEntry // in the order in which they were made
}

// open returns the number of the first bucket with room; -1: there is none.
func (f *naiveSized) open() int {
	return slices.IndexFunc(f.buckets, func(b []naiveEntry) bool { return len(b) < f.size })
}

func (f *naiveSized) push(e naiveEntry, between func()) {
	if i := f.open(); i >= 0 { // findAndModify
		f.buckets[i] = append(f.buckets[i], e)
		return
	}
	between()
	f.buckets = append(f.buckets, []naiveEntry{e})
}

// read returns the posts of all buckets, the bucket that was made last first.
func (f *naiveSized) read() (posts []timeline.PostID) {
	for _, bucket := range slices.Backward(f.buckets) {
		posts = append(posts, newestFirst(bucket)...)
	}
	return posts
}

// readPage returns a page of the feed. Pages are not supported: each is the newest bucket.
func (f *naiveSized) readPage() []timeline.PostID {
	return newestFirst(f.buckets[len(f.buckets)-1])
}

// naiveCache is a capped feed that a read makes.
type naiveCache struct {
	size    int // $slice
	made    bool
	entries []naiveEntry // in the order in which they came
}

// push is an update with $push and $slice, which creates no document. The feed learns of new
// posts only, and not of deletions, subscriptions and rights.
func (f *naiveCache) push(e naiveEntry) {
	if !f.made {
		return
	}
	f.entries = append(f.entries, e)
	f.entries = f.entries[max(0, len(f.entries)-f.size):]
}

// build reads the posts of all that are followed, and then saves them.
func (f *naiveCache) build(find func() []naiveEntry, between func()) {
	found := find()
	between()
	f.made, f.entries = true, found[max(0, len(found)-f.size):]
}

// read returns the posts, the one that came last first.
func (f *naiveCache) read() (posts []timeline.PostID) {
	for _, e := range slices.Backward(f.entries) {
		posts = append(posts, e.post)
	}
	return posts
}

// naiveRing is a feed of so many slots. The slot of an entry is the counter modulo the size.
type naiveRing struct {
	size    int64
	counter int64 // numFeed
	slots   map[int64]naiveEntry
}

// push increments the counter and then retrieves it, as two operations, and upserts the entry.
func (f *naiveRing) push(e naiveEntry, between func()) {
	f.counter++
	between()
	if f.slots == nil {
		f.slots = make(map[int64]naiveEntry)
	}
	f.slots[f.counter%f.size] = e
}

// remove removes a post from the feed, as by a deletion; the counter stays.
func (f *naiveRing) remove(post timeline.PostID) {
	for slot, e := range f.slots {
		if e.post == post {
			delete(f.slots, slot)
		}
	}
}

// read returns the newest posts.
func (f *naiveRing) read(limit int) []timeline.PostID {
	var entries []naiveEntry
	for _, e := range f.slots {
		entries = append(entries, e)
	}
	posts := newestFirst(entries)
	return posts[:min(limit, len(posts))]
}

// hasMore reports by the counter whether there is a page after so many entries.
func (f *naiveRing) hasMore(shown int) bool { return int64(shown) < min(f.counter, f.size) }

// naiveGenerated is a feed that is generated again and again, each time from the posts since
// the time at which it was generated last.
type naiveGenerated struct {
	last    int64
	entries []naiveEntry
}

// generate adds the posts of all that are followed.
func (f *naiveGenerated) generate(all []naiveEntry, now int64) {
	for _, e := range all {
		if e.at > f.last {
			f.entries = append(f.entries, e)
		}
	}
	f.last = now
}

// A naiveContent is what a page shows of an entry.
type naiveContent struct {
	post timeline.PostID
	text string
}

// naiveEmbedding is a cache that keeps no texts. The read that makes it returns what it
// found, and each later read what the cache has.
type naiveEmbedding struct{ posts []timeline.PostID }

func (f *naiveEmbedding) read(find func() []naiveContent) (page []naiveContent) {
	if f.posts == nil {
		found := find()
		for _, one := range found {
			f.posts = append(f.posts, one.post)
		}
		return found
	}
	for _, post := range f.posts {
		page = append(page, naiveContent{post: post})
	}
	return page
}

// A naiveFanout is the job of a post: the inboxes that get it, as they were when it was posted.
type naiveFanout struct {
	e    naiveEntry
	into []*naiveCache
}

// run pushes the post to the inboxes, until the worker dies after so many. A second run begins
// from the start.
func (j naiveFanout) run(dies int) {
	for i, inbox := range j.into {
		if i == dies {
			return
		}
		inbox.push(j.e)
	}
}
