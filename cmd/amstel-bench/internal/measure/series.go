package measure

import (
	"context"
	"fmt"
	"time"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
)

// frameText is the wanted length of the frame of a change, in bytes.
const frameText = 2 << 10

// A changeSeries has the times of several changes, and the times at which each socket showed them.
type changeSeries struct {
	committed []time.Time // when each change was committed
	seen      [][]int64   // seen[i][number]: when that socket showed change i, in nanoseconds since 1970; 0: never
	wire      int         // bytes of a frame, as sent
	text      int         // bytes of the frame, unpacked
}

// series makes changes at random times, with at least the time Apart between two of them, and returns
// when the sockets showed each of them.
func (c *publisher) series(ctx context.Context, sockets *client.Sockets, changes int) (*changeSeries, error) {
	s := &changeSeries{}
	from := c.marks
	for range changes {
		if err := client.Pause(ctx, c.Apart+time.Duration(c.random.Float64()*float64(c.Apart)*2/3)); err != nil {
			return nil, err
		}
		committed, err := c.change(ctx)
		if err != nil {
			return nil, err
		}
		s.committed = append(s.committed, committed)
	}
	result, err := sockets.Do(client.Order{Do: client.DoAwait, From: from, To: c.marks - 1})
	if err != nil {
		return nil, err
	}
	if result.Ended > 0 {
		c.notice("%d sockets ended, the first: %s.", result.Ended, result.Why)
	}
	s.seen, s.wire, s.text = result.Seen, result.Wire, result.Text
	return s, nil
}

// fitFrame adjusts the length of changes, so that their frames get the wanted length. For this it makes
// three changes and looks at their frames.
func (c *publisher) fitFrame(ctx context.Context, sockets *client.Sockets) error {
	for range 2 {
		s, err := c.series(ctx, sockets, 1)
		if err != nil {
			return err
		}
		c.text = max(0, c.text+frameText-s.text)
	}
	_, err := c.series(ctx, sockets, 1)
	return err
}

// arrivals returns how long each change took to reach each of the sockets from first up to, and without,
// past: until the first frame that showed the change or a later change. It also returns how
// many frames never came, and for each change the time within which 99 of 100 sockets had it.
// The times of the two processes can be compared, because they are from the clock of one machine. A
// frame that arrived before the writer knew of the commit took no time.
func (s *changeSeries) arrivals(first, past int) (took report.Times, lost int, p99 []float64) {
	for i, commit := range s.committed {
		var one report.Times
		for number := first; number < past; number++ {
			at := int64(0)
			if i < len(s.seen) && number < len(s.seen[i]) {
				at = s.seen[i][number]
			}
			if at == 0 {
				lost++
				continue
			}
			one = append(one, max(0, time.Unix(0, at).Sub(commit.Round(0))))
		}
		took = append(took, one...)
		p99 = append(p99, one.Quantile(0.99))
	}
	return took, lost, p99
}

// frame says how long the frames of the changes are.
func (s *changeSeries) frame() string {
	if s.wire == s.text {
		return fmt.Sprintf("a frame of %d bytes", s.wire)
	}
	return fmt.Sprintf("a frame of %d bytes, packed into %d", s.text, s.wire)
}
