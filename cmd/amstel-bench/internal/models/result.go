package models

import (
	"slices"
	"time"

	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
)

// A Result has the measurements of one source. Times are in milliseconds, unless something else is said.
type Result struct {
	Source string

	Fill    float64 // seconds until all inboxes were made
	Inboxes int     // the number of inboxes then
	Bytes   int64   // the size of the inboxes' tables then

	Visit           Spread  // first visits
	VisitStatements float64 // statements to the primary for each first visit
	FromInbox       float64 // the percentage of pages that were read from an inbox

	Post           Spread  // posts, until the author had the answer
	Work           float64 // the work in the background for each post
	PostStatements float64 // statements to the primary for each post
	PostRows       float64 // rows inserted, updated and deleted for each post
	PostWAL        float64 // bytes of the write-ahead log for each post

	Sends []Step // posts, by the author's number of followers
	Reads []Step // first visits, by the number of people whom the reader follows

	Life        []Op
	Rate        float64 // acts done in a second of life
	FirstVisits int     // how many homes were visited for the first time in the life
	Compared    int     // how many homes were found equal to those from the timelines

	Loss *Loss // nil: nothing was lost
}

// A Spread sums up how long each of N things took.
type Spread struct {
	N              int
	Mean, P50, P99 float64 // Mean is the mean of the middle half
}

// A Step has the measurements of a step of a ramp.
type Step struct {
	N      int     // the number of followers, or of people followed
	Answer float64 // the median time until the answer
	Done   float64 // the median time until every inbox had the post
}

// An Op has the measurements of one kind of acts of the life.
type Op struct {
	Name     string
	N        int
	P50, P99 float64 // the time from when the act was due until it was done
}

// Cost returns the cost of the source.
func (r *Result) Cost() Cost {
	return Cost{Source: r.Source, Post: r.Post.Mean + r.Work, Visit: r.Visit.Mean}
}

// spread sums up times. Its mean is that of the middle half, because on a machine with other work a few
// times are far longer than all others.
func spread(times report.Times) Spread {
	return Spread{
		N: len(times), P50: times.Quantile(0.5), P99: times.Quantile(0.99),
		Mean: mean(times) / float64(time.Millisecond),
	}
}

// mean returns the mean of the middle half of the numbers, or 0 if there are none.
func mean[T ~int64](numbers []T) float64 {
	sorted := slices.Sorted(slices.Values(numbers))
	kept := sorted[len(sorted)/4 : len(sorted)-len(sorted)/4]
	sum := T(0)
	for _, n := range kept {
		sum += n
	}
	return report.Ratio(float64(sum), float64(len(kept)))
}

// A Loss has the measurements of the loss of all rivers and inboxes.
type Loss struct {
	At     float64 // when everything was lost, in seconds since the load began
	Back   float64 // the seconds from then until everything was back; 0: it was not back in time
	Of     string  // describes what had to come back
	Ticks  []Tick
	Before Spread // acts before the loss
	After  Spread // acts after the loss, until everything was back
}

// A Tick sums up the acts that ended in a short time.
type Tick struct {
	At    float64 // when the tick began, in seconds since the load began
	Rate  float64 // acts done in a second
	P50   float64 // how long these took
	Worst float64 // how long the longest of these took
}

// tickLength is the length of a tick.
const tickLength = 250 * time.Millisecond

// A done is an act that has ended.
type done struct {
	do   string
	at   time.Duration // when the act ended, from the beginning
	took time.Duration // the time from when the act was due until it ended
	err  error
}

// ticks sums up acts by the tick in which they ended.
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
