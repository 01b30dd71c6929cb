package models

import (
	"slices"
	"time"

	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
)

// A Result is the measurements of one source. Times are in milliseconds.
type Result struct {
	Source string

	Fill    float64 // seconds until all inboxes were ready
	Inboxes int     // the number of inboxes then
	Bytes   int64   // that their tables took

	Visit           Spread
	VisitStatements float64 // that a first visit asked the primary
	FromInbox       float64 // percent of the pages that were read from an inbox

	Post           Spread  // until the author had the answer
	Work           float64 // the work of the background on a post
	PostStatements float64
	PostRows       float64 // rows inserted, updated and deleted
	PostWAL        float64 // bytes of the write-ahead log

	Sends []Step // by the number of followers
	Reads []Step // by the number of people followed

	Life        []Op
	Rate        float64 // acts a second that were done
	FirstVisits int     // of the life's visits
	Compared    int     // homes equal to those from the timelines

	Loss *Loss
}

// A Spread is how long something took, often.
type Spread struct {
	N              int
	Mean, P50, P99 float64 // the mean is of the middle half
}

// A Step is a step of a ramp.
type Step struct {
	N      int     // followers or followed
	Answer float64 // the median
	Done   float64 // the median until every inbox knew
}

// An Op is one kind of acts of the life.
type Op struct {
	Name     string
	N        int
	P50, P99 float64 // from when the act was due
}

// Cost returns what the source costs.
func (r *Result) Cost() Cost {
	return Cost{Source: r.Source, Post: r.Post.Mean + r.Work, Visit: r.Visit.Mean}
}

// spread sums up times. On a machine that does other work some times are far longer than all
// others, so the mean is of the middle half.
func spread(times report.Times) Spread {
	return Spread{
		N: len(times), P50: times.Quantile(0.5), P99: times.Quantile(0.99),
		Mean: mean(times) / float64(time.Millisecond),
	}
}

// mean returns the mean of the middle half of numbers, 0 of none.
func mean[T ~int64](numbers []T) float64 {
	sorted := slices.Sorted(slices.Values(numbers))
	kept := sorted[len(sorted)/4 : len(sorted)-len(sorted)/4]
	sum := T(0)
	for _, n := range kept {
		sum += n
	}
	return report.Ratio(float64(sum), float64(len(kept)))
}

// A Loss is what the loss of everything cost, over time.
type Loss struct {
	At     float64 // seconds since the load began
	Back   float64 // seconds until all was back; 0: not within the time
	Of     string  // what had to come back
	Ticks  []Tick
	Before Spread
	After  Spread // until all was back
}

// A Tick is what happened in a short time.
type Tick struct {
	At    float64 // seconds since the load began
	Rate  float64 // acts a second that were done
	P50   float64
	Worst float64
}

// tickLength is how long a tick is.
const tickLength = 250 * time.Millisecond

// A done is an act that was done.
type done struct {
	do   string
	at   time.Duration // since the beginning
	took time.Duration // since the act was due
	err  error
}

// ticks sums up acts by when they were done.
func ticks(all []done) (found []Tick) {
	by := make(map[int]report.Times)
	last := -1
	for _, d := range all {
		i := int(d.at / tickLength)
		by[i] = append(by[i], d.took)
		last = max(last, i)
	}
	for i := range last + 1 {
		found = append(found, Tick{
			At: (time.Duration(i) * tickLength).Seconds(), Rate: float64(len(by[i])) / tickLength.Seconds(),
			P50: by[i].Quantile(0.5), Worst: by[i].Quantile(1),
		})
	}
	return found
}
