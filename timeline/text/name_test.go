package text

import (
	"slices"
	"testing"
)

func TestReservedNames(t *testing.T) {
	t.Parallel()
	names := Reserved()
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Error("not sorted, or not unique")
	}
	for _, name := range names {
		if CheckName(name) == nil {
			t.Errorf("%q can be had", name)
		}
	}
}
