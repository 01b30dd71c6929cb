package models

import (
	"math/rand/v2"
	"slices"
	"time"
)

// The acts of the mixed life. Each has the name of the flag that sets its share.
const (
	doFollow   = "follow"
	doUnfollow = "unfollow"
	doRead     = "read"
	doScroll   = "scroll"
	doSend     = "send"
)

// acts lists the acts, in the order in which they are reported.
var acts = []string{doFollow, doUnfollow, doRead, doScroll, doSend}

// A Mix has the share of each act, in percent.
type Mix struct {
	Follow, Unfollow, Read, Scroll, Send int
}

// Whole reports whether the shares add up to 100.
func (m Mix) Whole() bool { return m.Follow+m.Unfollow+m.Read+m.Scroll+m.Send == 100 }

// pick returns the act for a random number from 0 to 99, so that each act gets its share.
func (m Mix) pick(n int) string {
	for i, share := range []int{m.Follow, m.Unfollow, m.Read, m.Scroll, m.Send} {
		if n -= share; n < 0 {
			return acts[i]
		}
	}
	return doRead
}

// An act is one step of a plan.
type act struct {
	due  time.Duration // when the act is due, from the beginning of the plan
	do   string        // one of acts
	who  int           // the index of the person who does it
	whom int           // follow and unfollow: the index of the other person
	page int           // scroll: how many pages down
}

// planLife plans some seconds of life with a rate of acts. The same seed and people give the same
// plan. The active people read, scroll and follow equally often. A person sends the more often the more
// posts the person has, and is followed the more often the more followers the person has. An unfollow
// ends a random subscription.
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

// planLoss plans the load during which everything is lost. Of all acts, send percent are posts; in all
// others the readers read their homes in a random order, and again when all of them have.
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

// weights returns the running sums of people's weights, for [weighted]. A person with the weight 0 gets a
// small one, so that there is a choice even if all people have the weight 0.
func weights(people []Person, of func(Person) int) (sums []int) {
	sum := 0
	for _, p := range people {
		sum += 10*of(p) + 1
		sums = append(sums, sum)
	}
	return sums
}

// weighted picks a random index. The probabilities are in proportion to the weights, of which sums has
// the running sums.
func weighted(rng *rand.Rand, sums []int) int {
	at, _ := slices.BinarySearch(sums, rng.IntN(sums[len(sums)-1])+1)
	return at
}
