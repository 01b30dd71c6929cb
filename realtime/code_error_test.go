package realtime

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

func TestClosureOfAnError(t *testing.T) {
	t.Parallel()
	invalid := &timeline.InvalidError{Field: "page", Reason: "is too long"}
	for _, tt := range []struct {
		err   error
		want  closure
		known bool
	}{
		{timeline.ErrNotFound, closeForbidden, true},
		{timeline.ErrForbidden, closeForbidden, true},
		{timeline.ErrUnauthorized, closeSignedOut, true},
		{invalid, closure{CodeBad, invalid.Error()}, true},
		{errBusy, closeOverload, true},
		{turnstile.ErrBusy, closeOverload, true},
		{turnstile.ErrCrowded, closeOverload, true},
		{river.ErrBehind, closeBehind, true},
		{river.ErrGone, closeBehind, true},
		{timeline.ErrUnavailable, closeBehind, true},
		{context.DeadlineExceeded, closeBehind, true},
		{context.Canceled, closeBehind, true},
		{errors.New("our own fault"), closeBehind, false},
	} {
		for _, err := range []error{tt.err, fmt.Errorf("opening a river: %w", tt.err)} {
			if got, known := closureOf(err); got != tt.want || known != tt.known {
				t.Errorf("%v: %v, %t; want %v, %t", err, got, known, tt.want, tt.known)
			}
		}
	}
}

// TestReasonFitsIntoAClosingFrame: a closing frame takes 123 bytes of reason, and no half of a letter.
func TestReasonFitsIntoAClosingFrame(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, want string }{
		{strings.Repeat("a", 120), strings.Repeat("a", 120)},
		{strings.Repeat("a", 121), strings.Repeat("a", 120)},
		{strings.Repeat("a", 119) + "é", strings.Repeat("a", 119)},
		{strings.Repeat("é", 60), strings.Repeat("é", 60)},
	} {
		if got := short(tt.reason); got != tt.want {
			t.Errorf("%d bytes become %q", len(tt.reason), got)
		}
	}
}
