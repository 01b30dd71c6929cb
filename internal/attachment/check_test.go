package attachment

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/timeline"
)

// TestCheckNamesEachDifference removes the files of rows of every kind, damages one file, and
// adds a file that no row names.
func TestCheckNamesEachDifference(t *testing.T) {
	t.Parallel()
	d := newDesk(t, Options{})
	if err := d.setAvatar(50); err != nil {
		t.Fatal(err)
	}
	soup := fmt.Sprint("attachment ", d.receive(jpeg+"soup"))
	d.work()
	waiting := jpeg + "waiting"
	queued := fmt.Sprint("attachment ", d.receive(waiting))
	check := func(read bool, want CheckSum, lines ...string) {
		t.Helper()
		var said []string
		sum, err := d.Check(t.Context(), read, func(line string) { said = append(said, line) })
		if err != nil || sum != want {
			t.Errorf("got %+v, %v, want %+v; it says\n%s", sum, err, want, strings.Join(said, "\n"))
		}
		for _, line := range lines {
			if !strings.Contains(strings.Join(said, "\n")+"\n", line+"\n") {
				t.Errorf("no line ends in %q:\n%s", line, strings.Join(said, "\n"))
			}
		}
	}
	check(true, CheckSum{Needed: 8})

	var avatar timeline.PictureFiles
	err := d.store.FileUses(t.Context(), func(use timeline.FileUse) error {
		if use.By == "user 1 as small file of the avatar" {
			avatar.Small = use.File
		}
		return nil
	})
	if err != nil || avatar.Small == (timeline.FileName{}) {
		t.Fatalf("no row names the avatar: %v", err)
	}
	for _, name := range []filestore.Name{filestore.Name(avatar.Small), nameOf([]byte(waiting)), nameOf([]byte("thumb" + jpeg + "soup"))} {
		if err := d.files.Remove(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	grid := nameOf([]byte("grid" + jpeg + "soup"))
	d.files.all[grid] = kept{[]byte("something else"), d.files.all[grid].at}
	if _, err := d.files.Put(t.Context(), strings.NewReader("left over"), 100); err != nil {
		t.Fatal(err)
	}
	d.wait(25 * time.Hour)
	missing := []string{
		" is missing: user 1 as small file of the avatar", " is missing: " + queued + " as upload", " is missing: " + soup + " as thumb",
		"file " + nameOf([]byte("left over")).String() + " is not needed; the daily sweep removes it",
	}
	uploaded := 1 // a ready attachment no longer needs its upload
	check(false, CheckSum{Needed: 8, Missing: 3, Unneeded: 1 + uploaded}, missing...)
	check(true, CheckSum{Needed: 8, Missing: 3, Damaged: 1, Unneeded: 1 + uploaded}, append(missing, " is damaged: "+soup+" as grid")...)
}
