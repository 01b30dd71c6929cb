package measure

import (
	"slices"
	"time"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
)

// turns is how many turns each of two things has in a measurement, as the
// machine may have other things to do now and then. It is odd.
const turns = 15

// A pair has the results of two loads that were made in turns.
type pair struct {
	one, other client.Load
	ratios     []float64 // of the rates, turn by turn
}

// ratio returns the ratio of the middle turn. Turns in which the machine was busy with other
// work hardly change it.
func (p *pair) ratio() float64 {
	sorted := slices.Sorted(slices.Values(p.ratios))
	if len(sorted) == 0 {
		return 0
	}
	return sorted[len(sorted)/2]
}

// inTurns runs two loads in turns, after a turn of each that does not count. Each load begins
// every other turn.
func inTurns(turn time.Duration, one, other func(time.Duration) (client.Load, error)) (*pair, error) {
	p := &pair{}
	for i := range turns + 1 {
		var loads [2]client.Load
		for j := range loads {
			k := (i + j) % 2
			l, err := []func(time.Duration) (client.Load, error){one, other}[k](turn)
			if err != nil {
				return nil, err
			}
			loads[k] = l
		}
		if i == 0 {
			continue
		}
		p.one.Add(loads[0])
		p.other.Add(loads[1])
		p.ratios = append(p.ratios, report.Ratio(loads[0].Rate(), loads[1].Rate()))
	}
	return p, nil
}
