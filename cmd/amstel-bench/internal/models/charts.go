package models

import "amstel.dev/amstel/cmd/amstel-bench/internal/report"

// Charts returns the charts of a report, without those for which there are no measurements.
func (r *Report) Charts() (all []report.Chart) {
	lines := func(of func(*Result) [][2]float64) (all []report.Line) {
		for i := range r.Results {
			if points := of(&r.Results[i]); len(points) > 0 {
				all = append(all, report.Line{Name: r.Results[i].Source, Points: points})
			}
		}
		return all
	}
	ramp := func(steps func(*Result) []Step, value func(Step) float64) []report.Line {
		return lines(func(one *Result) (points [][2]float64) {
			for _, s := range steps(one) {
				points = append(points, [2]float64{float64(s.N), value(s)})
			}
			return points
		})
	}
	sends, reads := func(one *Result) []Step { return one.Sends }, func(one *Result) []Step { return one.Reads }
	most := max(1, 4*r.Advice.Visits)
	tick := func(value func(Tick) float64) []report.Line {
		return lines(func(one *Result) (points [][2]float64) {
			if one.Loss == nil {
				return nil
			}
			for _, t := range one.Loss.Ticks {
				points = append(points, [2]float64{t.At - one.Loss.At, value(t)})
			}
			return points
		})
	}
	for _, c := range []report.Chart{
		{
			Name: "cost", Title: "A post with its first visits", X: "first visits for each post", Y: "ms", Marker: r.Advice.Visits, Marked: "here",
			Lines: lines(func(one *Result) [][2]float64 {
				return [][2]float64{{0, one.Cost().Of(0)}, {most, one.Cost().Of(most)}}
			}),
		},
		{Name: "send", Title: "A post, until the answer", X: "followers", Y: "ms, median", LogX: true, LogY: true, Lines: ramp(sends, func(s Step) float64 { return s.Answer })},
		{Name: "send-done", Title: "A post, until every inbox knows", X: "followers", Y: "ms, median", LogX: true, LogY: true, Lines: ramp(sends, func(s Step) float64 { return s.Done })},
		{Name: "read", Title: "A first visit", X: "people followed", Y: "ms, median", LogX: true, LogY: true, Lines: ramp(reads, func(s Step) float64 { return s.Answer })},
		{Name: "loss", Title: "All is lost at 0: how long acts take", X: "seconds", Y: "ms, the slowest of each quarter second", LogY: true, Lines: tick(func(t Tick) float64 { return t.Worst })},
		{Name: "loss-rate", Title: "All is lost at 0: acts done a second", X: "seconds", Y: "acts a second", Lines: tick(func(t Tick) float64 { return t.Rate })},
	} {
		if len(c.Lines) > 0 {
			all = append(all, c)
		}
	}
	return all
}
