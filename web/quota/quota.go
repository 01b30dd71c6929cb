// Package quota counts requests against quotas of an hour, which hold for all nodes together.
//
// A node counts in memory. When its count of a key reaches a share of the quota, a fiftieth, it adds
// the count to the primary, which answers with the sum of all nodes. So most requests cost a map
// access, one in a share costs a statement, and a key with few requests costs the primary nothing:
// a million addresses that request one page each cause no statement.
//
// For example, the quota of a token is 5,000 requests, and there are two nodes. Each adds its count to
// the primary after every 100 requests. Node A has admitted 3,000 requests and node B 2,000, whose last
// 100 brought the sum to 5,000. B learns this at once and refuses further requests. A learns it when it
// adds its next 100, so 5,100 requests are admitted. With n nodes at most n-1 shares too many are
// admitted, and the requests that come while a share is being added. If adding takes long, requests of
// the key wait for it once the node has admitted two shares.
//
// A node that is killed loses the counts that it has not added yet, less than a share for each key. A
// node that stops adds all counts first. Every few seconds a node adds the counts of tokens and people,
// so that their settings show them. While the primary is away, each node decides by the sums that it
// learned last and its own counts.
package quota

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"amstel.dev/amstel/timeline"
)

// A Kind is the kind of thing that a key names.
type Kind uint8

// The kinds of keys.
const (
	Token Kind = iota
	Person
	Address

	kinds
)

// String returns the name of the kind, as in metrics and in the header RateLimit.
func (k Kind) String() string { return [kinds]string{"token", "person", "address"}[k] }

// A Key names a token, a person, or a network of an address. It holds no pointer, so that a
// million of them cost the garbage collector nothing.
type Key struct {
	kind Kind
	bits uint8  // of an address: 32 or 64
	id   uint64 // an id, or the first bits of the address
}

// OfToken returns the key of a token.
func OfToken(id int64) Key { return Key{kind: Token, id: uint64(id)} }

// OfPerson returns the key of a person.
func OfPerson(id timeline.UserID) Key { return Key{kind: Person, id: uint64(id)} }

// OfNetwork returns the key of an IPv4 address, or of an IPv6 /64.
func OfNetwork(network netip.Prefix) Key {
	if network.Addr().Is4() {
		b := network.Addr().As4()
		return Key{kind: Address, bits: 32, id: uint64(binary.BigEndian.Uint32(b[:])) << 32}
	}
	b := network.Addr().As16()
	return Key{kind: Address, bits: 64, id: binary.BigEndian.Uint64(b[:8])}
}

// Kind returns the kind of thing that the key names.
func (k Key) Kind() Kind { return k.kind }

// String returns the key as the primary has it.
func (k Key) String() string {
	if k.kind != Address {
		return k.kind.String() + " " + strconv.FormatUint(k.id, 10)
	}
	var b [16]byte
	binary.BigEndian.PutUint64(b[:], k.id)
	address := netip.AddrFrom16(b)
	if k.bits == 32 {
		address = netip.AddrFrom4([4]byte(b[:4]))
	}
	return "address " + netip.PrefixFrom(address, int(k.bits)).String()
}

// A Result is the answer to a request that was counted.
type Result struct {
	OK    bool          // the request is admitted
	Limit int           // the quota of the hour
	Left  int           // how many more requests this node would admit
	Reset time.Duration // the time until the next hour begins
}

// Store adds up the counts of all nodes; [timeline.Store] implements it.
type Store interface {
	CountRequests(ctx context.Context, hour int, counts []timeline.RequestCount) ([]int, error)
	CountedRequests(ctx context.Context, hour int, keys []string) ([]int, error)
}

const (
	// sharesOf is how many shares a quota has; a share is at least one request. With two nodes at most 1 + 2/sharesOf of a quota
	// is admitted, and under load a share more on each node.
	sharesOf = 50
	// addWithin is how long a statement may take. One request in a share waits for it.
	addWithin = time.Second
	// awayFor is how long the primary is not asked after a statement failed.
	awayFor = 5 * time.Second
	// shards is the number of locks: a power of two.
	shards = 64
	// batch is how many keys one statement of Save adds.
	batch = 500
	// savedFrom is the number of requests from an address from which Save adds them.
	savedFrom = 16
	// DefaultKeys bounds the keys of a node: some 25 MB.
	DefaultKeys = 500_000
)

// A Counter counts the requests that a node answers.
type Counter struct {
	store Store
	now   func() time.Time
	most  int // keys in a shard

	shards  [shards]shard
	away    atomic.Int64 // the Unix time in ns until which the primary is not asked
	refused [kinds]atomic.Int64
	added   atomic.Int64
	failed  atomic.Int64
}

// A shard has a part of the keys.
type shard struct {
	mu     sync.Mutex
	hour   int // the hour of the uses
	uses   map[Key]use
	adding map[Key]chan struct{} // the keys whose counts are being added; closed when that has ended
}

// A use is how many requests of a key there were in the hour.
type use struct {
	sum   uint32 // of all nodes, when this node added its count last
	fresh uint32 // admitted by this node since then
}

// New returns a Counter for at most so many keys; 0: [DefaultKeys].
func New(store Store, now func() time.Time, most int) *Counter {
	if most == 0 {
		most = DefaultKeys
	}
	return &Counter{store: store, now: now, most: max(most/shards, 1)}
}

// shard returns the shard of a key.
func (c *Counter) shard(k Key) *shard {
	h := (k.id ^ uint64(k.kind)<<56) * 0x9e3779b97f4a7c15 // Fibonacci hashing: the high bits depend on all bits of the id
	return &c.shards[h>>(64-6)]
}

// startHour empties the shard when a new hour has begun. If the clock goes back, the shard keeps its hour.
func (s *shard) startHour(hour int) {
	if s.uses == nil || hour > s.hour {
		s.hour, s.uses, s.adding = hour, make(map[Key]use), make(map[Key]chan struct{})
	}
}

// shareOf returns the count at which a node adds the count of a key to the primary.
func shareOf(limit int) uint32 { return uint32(max(limit/sharesOf, 1)) }

// Take counts a request of a key that may make limit requests an hour, unless the quota is used up.
// A limit of 0 admits every request and counts nothing.
func (c *Counter) Take(ctx context.Context, k Key, limit int) Result {
	now := c.now()
	hour := timeline.HourOf(now)
	r := Result{OK: true, Limit: limit, Reset: time.Unix(int64(hour+1)*3600, 0).Sub(now)}
	if limit <= 0 {
		return r
	}
	s, share := c.shard(k), shareOf(limit)
	s.mu.Lock()
	s.startHour(hour)
	// After the wait another request may have begun to add the count again.
	for adding := s.adding[k]; adding != nil && s.uses[k].fresh >= 2*share && ctx.Err() == nil; adding = s.adding[k] {
		s.mu.Unlock()
		select {
		case <-adding: // which ends within addWithin
		case <-ctx.Done():
		}
		s.mu.Lock()
		s.startHour(hour)
	}
	u, held := s.uses[k]
	if int(u.sum)+int(u.fresh) >= limit {
		s.mu.Unlock()
		c.refused[k.kind].Add(1)
		r.OK = false
		return r
	}
	if !held && len(s.uses) >= c.most {
		s.evict()
	}
	u.fresh++
	s.uses[k] = u
	if u.fresh >= share && s.adding[k] == nil && now.UnixNano() >= c.away.Load() {
		one, at := s.begin(k, u.fresh), s.hour
		s.mu.Unlock()
		_ = c.add(at, []addition{one}) // an error is counted, and the node decides by its own counts
		s.mu.Lock()
		u = s.uses[k]
	}
	s.mu.Unlock()
	r.Left = max(limit-int(u.sum)-int(u.fresh), 0)
	return r
}

// An addition is a count that is being added to the primary. A key has at most one.
type addition struct {
	Key
	n    uint32
	done chan struct{} // closed when it has arrived, or failed
}

// begin marks a key as being added; s.mu is held.
func (s *shard) begin(k Key, n uint32) addition {
	one := addition{k, n, make(chan struct{})}
	s.adding[k] = one.done
	return one
}

// add adds counts of an hour to the primary, and stores the sums of all nodes from the answer. It takes
// no context of a request, because the requests of a client that has disconnected count too.
func (c *Counter) add(hour int, all []addition) error {
	ctx, cancel := context.WithTimeout(context.Background(), addWithin)
	defer cancel()
	counts := make([]timeline.RequestCount, len(all))
	for i, one := range all {
		counts[i] = timeline.RequestCount{Key: one.String(), N: int(one.n)}
	}
	sums, err := c.store.CountRequests(ctx, hour, counts)
	c.added.Add(1)
	if err != nil {
		c.failed.Add(1)
		c.away.Store(c.now().Add(awayFor).UnixNano())
	}
	for i, one := range all {
		s := c.shard(one.Key)
		s.mu.Lock()
		if s.hour == hour {
			delete(s.adding, one.Key)
			if u := s.uses[one.Key]; err == nil {
				s.uses[one.Key] = use{sum: uint32(min(sums[i], math.MaxUint32)), fresh: u.fresh - min(one.n, u.fresh)}
			}
		}
		s.mu.Unlock()
		close(one.done)
	}
	return err
}

// Save adds to the primary the counts of tokens and people since their last additions, and the counts of
// addresses from [savedFrom] on. A node calls Save every few seconds, and when it stops.
func (c *Counter) Save(ctx context.Context) error {
	hour := timeline.HourOf(c.now())
	var waiting []addition
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		s.startHour(hour)
		if s.hour == hour {
			for k, u := range s.uses {
				if u.fresh > 0 && s.adding[k] == nil && (k.kind != Address || u.fresh >= savedFrom) {
					waiting = append(waiting, s.begin(k, u.fresh))
				}
			}
		}
		s.mu.Unlock()
	}
	var failed error
	for all := range slices.Chunk(waiting, batch) {
		switch {
		case failed == nil && ctx.Err() == nil:
			failed = c.add(hour, all)
		default: // the others would wait as long
			c.abandon(hour, all)
		}
	}
	if failed != nil {
		return fmt.Errorf("add up the requests of this hour: %w", failed)
	}
	return ctx.Err()
}

// abandon ends additions that were not made.
func (c *Counter) abandon(hour int, all []addition) {
	for _, one := range all {
		s := c.shard(one.Key)
		s.mu.Lock()
		if s.hour == hour {
			delete(s.adding, one.Key)
		}
		s.mu.Unlock()
		close(one.done)
	}
}

// Used returns how many requests of each key there were in this hour, in the order of the keys: the sum
// that all nodes have added, and the count that this node has not added yet.
func (c *Counter) Used(ctx context.Context, keys []Key) ([]int, error) {
	hour := timeline.HourOf(c.now())
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.String()
	}
	sums, err := c.store.CountedRequests(ctx, hour, names)
	if err != nil {
		return nil, err
	}
	for i, k := range keys {
		s := c.shard(k)
		s.mu.Lock()
		s.startHour(hour)
		u := s.uses[k]
		s.mu.Unlock()
		sums[i] = max(sums[i], int(u.sum)) + int(u.fresh)
	}
	return sums, nil
}

// Stats are numbers about a Counter since it began.
type Stats struct {
	Keys    int              // how many keys are counted in this hour
	Refused map[string]int64 // requests over a quota, by the kind of the key
	Added   int64            // statements to the primary
	Failed  int64            // those that failed
}

// Stats returns the numbers.
func (c *Counter) Stats() Stats {
	st := Stats{Refused: make(map[string]int64, kinds), Added: c.added.Load(), Failed: c.failed.Load()}
	for k := range kinds {
		st.Refused[k.String()] = c.refused[k].Load()
	}
	hour := timeline.HourOf(c.now())
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		s.startHour(hour)
		st.Keys += len(s.uses)
		s.mu.Unlock()
	}
	return st
}

// evictFrom is how many keys evict compares.
const evictFrom = 8

// evict removes the key with the fewest requests among a few arbitrary ones, so that it hardly ever removes a busy key. Less than a
// share of the requests of the removed key are forgotten; the others are in the primary.
func (s *shard) evict() {
	var rarest Key
	compared, fewest := 0, uint32(math.MaxUint32)
	for k, u := range s.uses {
		if s.adding[k] != nil {
			continue
		}
		if n := u.sum + u.fresh; n < fewest {
			rarest, fewest = k, n
		}
		if compared++; compared == evictFrom {
			break
		}
	}
	delete(s.uses, rarest)
}
