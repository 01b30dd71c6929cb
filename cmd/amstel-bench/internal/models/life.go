package models

import (
	"math/rand/v2"
	"slices"
	"time"
)

// The acts of the mixed life, by the names of the flags that set their shares.
const (
	doFollow   = "follow"
	doUnfollow = "unfollow"
	doRead     = "read"
	doScroll   = "scroll"
	doSend     = "send"
)

// acts lists the acts in the order in which they are reported.
var acts = []string{doFollow, doUnfollow, doRead, doScroll, doSend}

// A Mix has the share of each act, in percent.
type Mix struct {
	Follow, Unfollow, Read, Scroll, Send int
}

// Whole reports whether the shares add up to 100.
func (m Mix) Whole() bool { return m.Follow+m.Unfollow+m.Read+m.Scroll+m.Send == 100 }

// pick returns the act of a number from 0 to 99.
func (m Mix) pick(n int) string {
	for i, share := range []int{m.Follow, m.Unfollow, m.Read, m.Scroll, m.Send} {
		if n -= share; n < 0 {
			return acts[i]
		}
	}
	return doRead
}

// An act is one step of the plan.
type act struct {
	due  time.Duration // since the beginning
	do   string
	who  int // of the people
	whom int // of the people; of a follow and an unfollow
	page int // of a scroll: how many pages down
}

// planLife plans so many seconds of life at a rate. The same seed and people give the same
// plan. Readers are active people, each as often as another; authors and the followed are
// chosen as often as they write and are followed.
func planLife(seed uint64, c *Community, mix Mix, rate, seconds float64) (plan []act) {
	rng := rand.New(rand.NewPCG(seed, 11))
	authors, followed := weights(c.People, func(p Person) int { return p.Posts }), weights(c.People, func(p Person) int { return p.Followers })
	following := slices.Clone(c.Following)
	for i := range int(rate * seconds) {
		a := act{due: time.Duration(float64(i) / rate * float64(time.Second)), do: mix.pick(rng.IntN(100)), who: c.Active[rng.IntN(len(c.Active))]}
		switch {
		case a.do == doSend:
			a.who = weighted(rng, authors)
		case a.do == doScroll:
			a.page = 1 + rng.IntN(3)
		case a.do == doUnfollow && len(following) > 0:
			at := rng.IntN(len(following))
			a.who, a.whom = following[at][0], following[at][1]
			following = slices.Delete(following, at, at+1)
		case a.do == doFollow || a.do == doUnfollow:
			a.do = doFollow
			for a.whom = weighted(rng, followed); a.whom == a.who || !c.People[a.whom].Public; {
				a.whom = rng.IntN(len(c.People))
			}
			following = append(following, [2]int{a.who, a.whom})
		}
		plan = append(plan, a)
	}
	return plan
}

// planLoss plans the load during which everything is lost: some readers read their homes
// again and again, each once before any reads again, and authors send.
func planLoss(seed uint64, c *Community, readers []int, send int, rate, seconds float64) (plan []act) {
	rng := rand.New(rand.NewPCG(seed, 13))
	authors := weights(c.People, func(p Person) int { return p.Posts })
	var turn []int
	for i := range int(rate * seconds) {
		a := act{due: time.Duration(float64(i) / rate * float64(time.Second)), do: doSend}
		if rng.IntN(100) < send {
			a.who = weighted(rng, authors)
		} else {
			if len(turn) == 0 {
				turn = slices.Clone(readers)
				rng.Shuffle(len(turn), func(i, j int) { turn[i], turn[j] = turn[j], turn[i] })
			}
			a.do, a.who, turn = doRead, turn[0], turn[1:]
		}
		plan = append(plan, a)
	}
	return plan
}

// weights returns running sums, for [weighted]. People of no weight count a little, so that a
// community without any has a choice, too.
func weights(people []Person, of func(Person) int) (sums []int) {
	sum := 0
	for _, p := range people {
		sum += 10*of(p) + 1
		sums = append(sums, sum)
	}
	return sums
}

// weighted picks a number as often as its weight says.
func weighted(rng *rand.Rand, sums []int) int {
	at, _ := slices.BinarySearch(sums, rng.IntN(sums[len(sums)-1])+1)
	return at
}
