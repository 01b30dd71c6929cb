package page

import (
	"testing"
	"time"

	"amstel.dev/amstel/web/catalogue"
)

func TestLater(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for between, want := range map[time.Duration]string{
		-day:          "",
		day - 1:       "",
		day:           "1 day later",
		59 * day:      "59 days later",
		60 * day:      "2 months later",
		729 * day:     "24 months later",
		2 * 365 * day: "2 years later",
	} {
		if got := later(catalogue.English, between); got != want {
			t.Errorf("%v: %q, want %q", between, got, want)
		}
	}
}
