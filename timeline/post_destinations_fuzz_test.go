package timeline

import (
	"errors"
	"testing"

	"amstel.dev/amstel/internal/texttest"
)

// fine fails the test unless the error tells a person what is wrong with the field.
func fine(t *testing.T, err error, field string) {
	t.Helper()
	wrong, is := errors.AsType[*InvalidError](err)
	if !is {
		t.Fatalf("%v is no InvalidError", err)
	}
	texttest.CheckReason(t, wrong.Field, wrong.Reason, field)
}

// FuzzDestinations: a text, used as a destination or as the uuid of a new post, names one place
// or is refused with a reason.
func FuzzDestinations(f *testing.F) {
	for _, text := range append([]string{
		"user", "group:rowing", "direct:Anna", "direct:", "user:", "everything", "anna", "0f8fad5b-d9cb-469f-a165-70867728950e",
	}, texttest.Written...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if err := checkUUID(text); err != nil {
			fine(t, err, "_uuid")
		}
		d, err := parseDestinations([]string{text})
		if err != nil {
			fine(t, err, "timelines")
		} else if len(d.own)+len(d.groups)+len(d.directs) != 1 {
			t.Errorf("one place is %+v", d)
		}
	})
}
