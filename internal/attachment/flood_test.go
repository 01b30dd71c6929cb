package attachment

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/timeline"
)

// TestFloodOfTinyFiles: one person uploads tens of thousands of files of a few bytes, over many
// connections at once, and removes some to make room. Uploads beyond the limit are refused with
// the limit. The next prune and sweep remove all that were let in.
func TestFloodOfTinyFiles(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	const uploads, most, workers = 20_000, 40, 8
	d := newDesk(t, Options{Limits: timeline.AttachmentLimits{File: 10, Unattached: most}})
	var all sync.WaitGroup
	var next, kept, refused atomic.Int64
	for range workers {
		all.Go(func() {
			for n := next.Add(1); n <= uploads; n = next.Add(1) {
				text := []string{"words", jpeg + "picture", "a", ""}[n%4]
				id, err := d.Receive(t.Context(), d.owner, timeline.NewAttachment{FileName: "tiny", Size: 10}, strings.NewReader(text))
				var quota *timeline.QuotaError
				switch {
				case err == nil:
					if kept.Add(1); n%3 == 0 {
						if _, err := d.store.RemoveAttachment(t.Context(), d.owner, id); err != nil {
							t.Error(err)
						}
					}
				case !errors.As(err, &quota):
					t.Error(err)
					return
				case quota.What == "unattached" && quota.Limit == most:
					refused.Add(1)
				default:
					t.Errorf("refused with %v", quota)
				}
			}
		})
	}
	all.Wait()
	if kept.Load() < most || refused.Load() < uploads/2 {
		t.Errorf("of %d uploads %d were kept and %d refused", uploads, kept.Load(), refused.Load())
	}
	var rows int
	count := func() int {
		t.Helper()
		if err := d.store.Pool().QueryRow(t.Context(), `select count(*) + (select count(*) from renditions) from attachments`).Scan(&rows); err != nil {
			t.Fatal(err)
		}
		return rows
	}
	if count() > most {
		t.Errorf("%d rows for %d files", rows, most)
	}
	for d.work() {
	}
	d.whole(false)
	d.wait(3 * 24 * time.Hour)
	if err := d.store.PrunePrimary(t.Context(), timeline.Ages{}); err != nil {
		t.Fatal(err)
	}
	d.sweep()
	d.whole(true)
	if n := len(d.files.all); count() != 0 || n != 0 {
		t.Errorf("%d rows and %d files are left", rows, n)
	}
}
