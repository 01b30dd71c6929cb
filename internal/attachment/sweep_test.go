package attachment

import (
	"strings"
	"testing"
	"time"
)

// disconnect ends the connections to the primary that hold a lock of a file's name, and waits
// until the locks are free.
func (d *desk) disconnect() {
	d.t.Helper()
	const end = `
		select count(pg_terminate_backend(pid, 60000)) from pg_locks
		where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`
	var ended int
	if err := d.store.Pool().QueryRow(d.t.Context(), end).Scan(&ended); err != nil || ended != 1 {
		d.t.Errorf("ended %d connections, %v", ended, err)
	}
}

// TestSweepThatLosesItsLock breaks the connection of a sweep after it has read a file and before
// it removes the file, and so removes the file without its lock. A row that names the file in
// the meantime does not lose it. Without such a row the file goes a day later.
func TestSweepThatLosesItsLock(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		meanwhile func(*desk)
		left      int // files after the next sweep
	}{
		"nothing happens":           {func(*desk) {}, 0},
		"the same file is uploaded": {func(d *desk) { d.receive("words") }, 1},
		"the file is uploaded, and its row removed": {func(d *desk) {
			if _, err := d.store.RemoveAttachment(d.t.Context(), d.owner, d.receive("words")); err != nil {
				d.t.Error(err)
			}
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, Options{})
			if _, err := d.files.Put(t.Context(), strings.NewReader("words"), 100); err != nil {
				t.Fatal(err)
			}
			d.wait(25 * time.Hour)
			d.files.removing = func() {
				d.disconnect()
				tt.meanwhile(d)
			}
			if n, err := d.Sweep(t.Context()); n != 0 || err == nil {
				t.Errorf("the sweep removed %d files, %v", n, err)
			}
			d.whole(false)
			for d.work() {
			}
			d.whole(false)
			d.wait(25 * time.Hour)
			d.sweep()
			d.whole(true)
			if n := len(d.files.all); n != tt.left {
				t.Errorf("%d files are left, want %d", n, tt.left)
			}
		})
	}
}
