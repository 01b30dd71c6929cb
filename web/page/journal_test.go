package page

import (
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

func TestJournalLinesName(t *testing.T) {
	t.Parallel()
	cards := sampleCards()
	until := time.Date(2026, 5, 18, 0, 0, 0, 0, time.UTC)
	for want, e := range map[string]timeline.JournalEntry{
		"@anneke took a post by @joost out of Cooks of Noord.": {Act: timeline.ActTakeOut, By: anneke, User: joost, Group: cooks},
		"@anneke suspended @joost until 18 May 2026.":          {Act: timeline.ActSuspend, By: anneke, User: joost, Until: until},
		"@anneke suspended @joost.":                            {Act: timeline.ActSuspend, By: anneke, User: joost},
		"@anneke restored @joost.":                             {Act: timeline.ActRestore, By: anneke, User: joost},
		"@anneke warned @joost.":                               {Act: timeline.ActWarn, By: anneke, User: joost},
		"@anneke deleted a post by @joost.":                    {Act: timeline.ActDeletePost, By: anneke, User: joost},
		"@anneke deleted a comment by @joost.":                 {Act: timeline.ActDeleteComment, By: anneke, User: joost},
		"@anneke published a post by @joost that waited.":      {Act: timeline.ActRelease, By: anneke, User: joost},
	} {
		line := JournalLine{Words: catalogue.English, Entry: e, People: cards.Users, Groups: cards.Groups}
		if got := line.done(); got != want {
			t.Errorf("the journal says %q, want %q", got, want)
		}
	}
}
