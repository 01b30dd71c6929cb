package measure

import (
	"context"
	"fmt"
	"time"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
)

// frameText is about how long the frame of a change is to be that a crowd is
// shown.
const frameText = 2 << 10

// A changeSeries is some changes, and when each page showed them.
type changeSeries struct {
	committed []time.Time
	seen      [][]int64 // change by change, by the sockets' numbers
	wire      int       // bytes of a frame
	text      int       // and of the text
}

// series writes changes at random times that are not too close to each other, and notes when
// the sockets are sent them.
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

// fitFrame adjusts the length of the changes to the wanted length of a frame, by sending the sockets some.
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

// arrivals returns how long each change took to reach each of the sockets from first up to
// past: until the first frame that shows the change, or a later change. It also returns how
// many frames never came, and for each change the time within which 99 of 100 sockets had it.
// The clocks of two processes on one machine are the same clock. A frame that arrives before
// the writer knows of the commit took no time.
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

// frame returns the length of a change's frame.
func (s *changeSeries) frame() string {
	if s.wire == s.text {
		return fmt.Sprintf("a frame of %d bytes", s.wire)
	}
	return fmt.Sprintf("a frame of %d bytes, packed into %d", s.text, s.wire)
}
