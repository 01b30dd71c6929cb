package client

import "testing"

func TestMarked(t *testing.T) {
	t.Parallel()
	for frame, want := range map[string]int{
		"":                           -1,
		`{"type":"beat"}`:            -1,
		Mark(0):                      0,
		"<p>" + Mark(12) + "</p>":    12,
		Mark(3) + " … " + Mark(7):    7,
		Mark(7) + " … " + Mark(3):    7,
		markPrefix + "x. " + Mark(5): 5,
		markPrefix:                   -1,
	} {
		if got := newestMark([]byte(frame)); got != want {
			t.Errorf("%q shows %d, want %d", frame, got, want)
		}
	}
}
