package realtime

import (
	"testing"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// TestPatchesOfEntriesWithOneTagAndTwoVersionsHaveTwoSignatures: a page that reaches below its
// river is read from the primary. So two patches of one published state can differ: only the
// second has the changes made in between.
func TestPatchesOfEntriesWithOneTagAndTwoVersionsHaveTwoSignatures(t *testing.T) {
	t.Parallel()
	entry := func(version int) river.Entry {
		return river.Entry{Fold: &timeline.Fold{Post: 7, Version: version}, Tag: "as it was"}
	}
	for name, of := range map[string]func(river.Entry) *river.Patch{
		"patch": func(e river.Entry) *river.Patch {
			return &river.Patch{To: 9, Ops: []river.Op{{Post: 7, Entry: &e}}}
		},
		"reset": func(e river.Entry) *river.Patch {
			return &river.Patch{To: 9, Reset: true, Entries: []river.Entry{e}}
		},
	} {
		older, newer, again := signature(of(entry(5)), 0, AsJSON), signature(of(entry(7)), 0, AsJSON), signature(of(entry(7)), 0, AsJSON)
		if older == newer {
			t.Errorf("a %s of version 5 and one of version 7 are both called %q", name, older)
		}
		if newer != again {
			t.Errorf("a %s is called %q and %q", name, newer, again)
		}
	}
}
