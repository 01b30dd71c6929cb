package page

import (
	"testing"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// TestPanicNamesTheEntryThatCausedIt: a panic during the rendering of an entry names the entry.
func TestPanicNamesTheEntryThatCausedIt(t *testing.T) {
	t.Parallel()
	for name, draw := range map[string]func(){
		"an entry without a fold": func() { EntryHTML(EntryModel{Entry: &river.Entry{Facts: &timeline.Facts{ID: 7}}}, "") },
		"by its fold": func() {
			defer Blame(&river.Entry{Fold: &timeline.Fold{Post: 7}})
			panic("no luck")
		},
		"said already": func() {
			defer Blame(&river.Entry{Fold: &timeline.Fold{Post: 8}})
			defer Blame(&river.Entry{Fold: &timeline.Fold{Post: 7}})
			panic("no luck")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				p, is := recover().(*Poisoned)
				if !is || p.Post != 7 || p.Cause == nil || len(p.Stack) == 0 {
					t.Errorf("it panics with %v", p)
				}
			}()
			draw()
			t.Error("it is drawn")
		})
	}
}
