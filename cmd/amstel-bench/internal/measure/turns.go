package measure

import (
	"slices"
	"time"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
)

// turns is how many turns two loads have that are compared. There are many, because the machine may be
// busy with other work in some of them. The number is odd, so that there is a middle one.
const turns = 15

// A pair has the results of two loads that were made in turns.
type pair struct {
	one, other client.Load
	rates      []float64 // for each turn, the rate of one
	ratios     []float64 // for each turn, the ratio of the two rates
}

// ratio returns the median of the ratios. Turns in which the machine was busy with other work hardly
// change it.
func (p *pair) ratio() float64 {
	sorted := slices.Sorted(slices.Values(p.ratios))
	if len(sorted) == 0 {
		return 0
	}
	return sorted[len(sorted)/2]
}

// inTurns makes two loads in turns. In each turn both are made, for the given time each; the one that
// comes first comes second in the next turn. The first turn does not count.
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
		p.rates = append(p.rates, loads[0].Rate())
		p.ratios = append(p.ratios, report.Ratio(loads[0].Rate(), loads[1].Rate()))
	}
	return p, nil
}
