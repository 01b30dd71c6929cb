package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Comparison compares the records of two runs that have the same names.
type Comparison struct {
	old, new         *Run
	tolerance        float64
	Pairs            []Pair   // the worst first
	OnlyOld, OnlyNew []string // the names of records without a counterpart
}

// A Pair has the records of one name in two runs.
type Pair struct {
	Old, New Record
	// Worse is how many times as slow, or as large, the new record is, divided by the same number of the value beside it; a number
	// below 1 is an improvement.
	Worse   float64
	Verdict Verdict
}

// A Verdict is the result of the comparison of two records.
type Verdict int

// The verdicts, in the order in which they are shown.
const (
	Worse   Verdict = iota
	Better          // as Worse, in the other direction
	Moved           // more than noise, but the value beside it changed too, and that explains the difference
	Alike           // the difference may be noise
	Unknown         // a time without ranges, so that the noise is not known
)

// String returns the verdict as a word.
func (v Verdict) String() string {
	return [...]string{"worse", "better", "moved", "alike", "unknown"}[v]
}

// Compare compares two runs. The difference of two records with ranges is more than noise if the ranges have
// no value in common. If both runs measure the same thing, and each fifth of a measurement is a fair sample,
// two ranges of five values lie apart in 2 of 252 cases. If there is a value beside the record, the ranges must also have
// no value in common after the new one is divided by the change of the value beside it: a machine that has become slower
// changes both. Records without ranges that are no times, such as numbers of
// statements, differ if one is more than the tolerance larger than the other: 0.25 is a quarter.
func Compare(old, new *Run, tolerance float64) *Comparison {
	c := &Comparison{old: old, new: new, tolerance: tolerance}
	before := make(map[string]*Record, len(old.Records))
	for i := range old.Records {
		before[old.Records[i].Name] = &old.Records[i]
	}
	for i := range new.Records {
		now := &new.Records[i]
		was, known := before[now.Name]
		if !known || was.Unit != now.Unit {
			c.OnlyNew = append(c.OnlyNew, now.Name)
			continue
		}
		delete(before, now.Name)
		c.add(was, now)
		costs := was.costs()
		for j, cost := range now.costs() {
			if costs[j].Value != 0 && cost.Value != 0 {
				c.add(&costs[j], &cost)
			}
		}
	}
	for i := range old.Records {
		if _, alone := before[old.Records[i].Name]; alone {
			c.OnlyOld = append(c.OnlyOld, old.Records[i].Name)
		}
	}
	slices.SortStableFunc(c.Pairs, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(a.Verdict, b.Verdict), cmp.Compare(b.Worse, a.Worse))
	})
	return c
}

// add compares two records.
func (c *Comparison) add(was, now *Record) {
	beside := besideChange(was, now)
	worse := worsening(was.Value, now.Value/beside, now.Unit)
	c.Pairs = append(c.Pairs, Pair{*was, *now, worse, c.judge(was, now, beside, worse)})
}

// costs returns what one of the things of a record costs, as records with the value 0 where that is not known.
func (r *Record) costs() []Record {
	cost := func(name, unit string, sum float64) Record {
		return Record{Name: fmt.Sprintf("%s (%s)", r.Name, name), Unit: unit, N: r.N, Value: Ratio(sum, float64(r.N))}
	}
	return []Record{cost("cpu", "ms", 1000*r.CPU), cost("sent", "KB", float64(r.Sent)/1024), cost("written", "KB", float64(r.Written)/1024)}
}

// isRate reports whether a unit is of a rate, of which more is better. Of all other units less is better.
func isRate(unit string) bool { return strings.HasSuffix(unit, "/s") }

// isTimed reports whether a unit is of a rate or a time, which vary with the machine's other work.
func isTimed(unit string) bool { return isRate(unit) || unit == "ms" || unit == "s" }

// worsening returns how many times as slow, or as large, the new value is.
func worsening(old, new float64, unit string) float64 {
	if isRate(unit) {
		old, new = new, old
	}
	switch {
	case old == new:
		return 1
	case old <= 0 || new < 0:
		return math.Inf(1)
	}
	return new / old
}

// besideChange returns by what the value beside a record has been multiplied, or 1 if there is none that can be compared.
func besideChange(old, new *Record) float64 {
	was, known := old.Comparable()
	now, still := new.Comparable()
	if !known || !still {
		return 1
	}
	return now / was
}

// apart returns 1 if all values of the range lie above another range, -1 if all lie below it, and otherwise 0.
func (r *Range) apart(other *Range) int {
	switch {
	case r.Low > other.High:
		return 1
	case r.High < other.Low:
		return -1
	}
	return 0
}

// judge returns the verdict on two records. The value beside them was multiplied by beside, and the new one is
// some times as slow or large as the old one would be after this change.
func (c *Comparison) judge(old, new *Record, beside, worse float64) Verdict {
	switch was, now := old.Range, new.Range; {
	case old.Value < 0 || new.Value < 0:
		return Unknown
	case was != nil && now != nil:
		apart, still := now.apart(was), (&Range{now.Low / beside, now.High / beside}).apart(was)
		if isRate(new.Unit) {
			apart, still = -apart, -still
		}
		switch {
		case apart == 0:
			return Alike
		case apart != still:
			return Moved
		case apart > 0:
			return Worse
		}
		return Better
	case isTimed(new.Unit):
		return Unknown
	case worse > 1+c.tolerance:
		return Worse
	case worse < 1/(1+c.tolerance):
		return Better
	}
	return Alike
}

// Failed returns the names of the records that are worse by more than the tolerance.
func (c *Comparison) Failed() (names []string) {
	for _, p := range c.Pairs {
		if p.Verdict == Worse && p.Worse > 1+c.tolerance {
			names = append(names, p.New.Name)
		}
	}
	return names
}

// String returns the comparison as plain text.
func (c *Comparison) String() string {
	return strings.Join(c.head(), "\n") + "\n\n" + c.table() + strings.Join(append([]string{""}, c.alone()...), "\n") + "\n"
}

// head tells where the two runs come from, in sentences.
func (c *Comparison) head() []string {
	all := []string{"old: " + c.old.Heading.String(), "new: " + c.new.Heading.String()}
	if was, now := c.old.Heading.Settings, c.new.Heading.Settings; was != now {
		all = append(all, "The settings differ.", "old: "+was, "new: "+now)
	}
	return all
}

// table returns the compared records as plain text with aligned columns.
func (c *Comparison) table() string {
	var b strings.Builder
	rows := [][]string{{"name", "", "old", "new", "unit", "change", "range, old", "range, new", "change beside it"}}
	for _, p := range c.Pairs {
		beside := ""
		if by := besideChange(&p.Old, &p.New); by != 1 {
			beside = change(1, by)
		}
		rows = append(rows, []string{
			p.New.Name, p.Verdict.String(), number(p.Old.Value), number(p.New.Value), p.New.Unit, change(p.Old.Value, p.New.Value),
			p.Old.Range.String(), p.New.Range.String(), beside,
		})
	}
	align(&b, rows)
	return b.String()
}

// alone names the records without a counterpart, in sentences.
func (c *Comparison) alone() (all []string) {
	for _, some := range []struct {
		run   string
		names []string
	}{{"old", c.OnlyOld}, {"new", c.OnlyNew}} {
		if len(some.names) > 0 {
			all = append(all, fmt.Sprintf("Only in the %s run: %s.", some.run, strings.Join(some.names, ", ")))
		}
	}
	return all
}

// change returns the change of a value in percent.
func change(old, new float64) string {
	if old == 0 {
		return ""
	}
	return fmt.Sprintf("%+.0f %%", (new/old-1)*100)
}
