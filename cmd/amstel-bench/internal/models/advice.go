package models

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"amstel.dev/amstel/timeline"
)

// A Cost is how much time a source takes on average, in milliseconds.
type Cost struct {
	Source string
	Post   float64 // for a post, until every inbox has it
	Visit  float64 // for a first visit of a home
}

// Of returns the cost of a post together with the first visits that come for each post: visits of them
// on average.
func (c Cost) Of(visits float64) float64 { return c.Post + visits*c.Visit }

// BreakEven returns the number of first visits for each post from which on a source costs less than
// reading timelines. ok is false if there is no such number.
//
// Example: reading timelines costs 5 for a post and 10 for a visit, the source 11 and 8. The
// source saves 2 a visit and costs 6 more a post, so its break-even is 3.
func BreakEven(read, source Cost) (visits float64, ok bool) {
	saved, more := read.Visit-source.Visit, source.Post-read.Post
	if saved <= 0 {
		return 0, saved == 0 && more < 0
	}
	return max(0, more/saved), true
}

// worthwhile is the share of the cost that a source must save to be chosen instead of reading
// timelines. Reading timelines keeps no inboxes, so less can go wrong with it.
const worthwhile = 0.1

// An Advice is the source to choose, with the reason.
type Advice struct {
	Choose string
	Visits float64 // the number of first visits for each post for which this choice is right
	Why    string
}

// Advise chooses the source with the lowest cost at this number of first visits for each post.
// It chooses reading timelines unless another source saves a tenth.
func Advise(costs []Cost, visits float64) Advice {
	read, others := apart(costs)
	sorted := slices.SortedStableFunc(slices.Values(costs), func(a, b Cost) int {
		switch {
		case a.Of(visits) < b.Of(visits):
			return -1
		case a.Of(visits) > b.Of(visits):
			return 1
		}
		return 0
	})
	best := sorted[0]
	a := Advice{Choose: best.Source, Visits: visits}
	if best.Of(visits) > (1-worthwhile)*read.Of(visits) {
		a.Choose = read.Source
	}
	var why []string
	say := func(format string, args ...any) { why = append(why, fmt.Sprintf(format, args...)) }
	say("Choose %s here: with %.2g first visits for each post, a post with its visits costs %.3g ms by read", a.Choose, visits, read.Of(visits))
	switch {
	case a.Choose != read.Source:
		say("and %.3g ms by %s, which saves %.0f %%.", best.Of(visits), best.Source, 100*(1-best.Of(visits)/read.Of(visits)))
	case best.Source != read.Source:
		say("and %.3g ms by the cheapest other source, %s: it saves %.0f %%, and less than %.0f %% is not worth keeping inboxes.",
			best.Of(visits), best.Source, 100*(1-best.Of(visits)/read.Of(visits)), 100*worthwhile)
	case len(sorted) > 1:
		say("and %.3g ms by the cheapest other source, %s.", sorted[1].Of(visits), sorted[1].Source)
	default:
		why[len(why)-1] += "."
	}
	var never, always []string
	for _, c := range others {
		switch from, ok := BreakEven(read, c); {
		case !ok:
			never = append(never, c.Source)
		case from == 0:
			always = append(always, c.Source)
		default:
			say("%s costs less than read from %s first visits for each post on.", c.Source, number(from))
		}
	}
	if len(always) > 0 {
		say("Less than read with any number of visits: %s.", strings.Join(always, ", "))
	}
	if len(never) > 0 {
		say("At no number of visits: %s, since their first visits save nothing.", strings.Join(never, ", "))
	}
	a.Why = strings.Join(why, " ")
	return a
}

// apart divides costs into that of reading timelines and those of the other sources. If reading
// timelines was not measured, it takes the first cost instead.
func apart(costs []Cost) (read Cost, others []Cost) {
	i := max(0, slices.IndexFunc(costs, func(c Cost) bool { return c.Source == timeline.SourceRead }))
	return costs[i], slices.Concat(costs[:i], costs[i+1:])
}

// number formats a number: without decimals from 10 on, and else with two significant digits.
func number(n float64) string {
	if n >= 10 {
		return fmt.Sprintf("%.0f", math.Round(n))
	}
	return fmt.Sprintf("%.2g", n)
}
