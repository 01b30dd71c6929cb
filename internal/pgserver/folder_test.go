package pgserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/internal/disk"
	"amstel.dev/amstel/internal/lockfile"
)

func TestDataGoesElsewhereWhenItCannotBeEntered(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED, NOT TESTED: only root runs PostgreSQL as another user")
	}
	closed, elsewhere := t.TempDir(), dataFolder(t)
	if err := os.Chmod(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(closed, "var")
	var told []string
	config := Config{Data: data, Elsewhere: elsewhere, Notice: func(sentence string) { told = append(told, sentence) }}
	s := begin(t, config)
	ask(t, s, `create table pebbles as select 7 as n`)
	if !strings.HasPrefix(s.Folder(), elsewhere) {
		t.Errorf("data is kept in %s", s.Folder())
	}
	if len(told) != 1 || !strings.Contains(told[0], data) || !strings.Contains(told[0], elsewhere) {
		t.Errorf("told %q", told)
	}
	end(t, s)
	s = begin(t, config)
	if got := ask(t, s, `select n from pebbles`); got != "7" {
		t.Errorf("at the second start the table holds %q", got)
	}
	other := begin(t, Config{Data: filepath.Join(closed, "other"), Elsewhere: elsewhere})
	if other.Folder() == s.Folder() {
		t.Error("two data folders are kept in the same place")
	}
}

func TestScratchFolderIsRemoved(t *testing.T) {
	t.Parallel()
	s := begin(t, Config{Profile: Test})
	if got := ask(t, s, `show fsync`); got != "off" {
		t.Errorf("fsync is %s", got)
	}
	end(t, s)
	if _, err := os.Stat(s.Folder()); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", s.Folder(), err)
	}
}

func TestSweepRemovesOldUnlockedFolders(t *testing.T) {
	t.Parallel()
	place := t.TempDir()
	for _, tt := range []struct {
		name   string
		age    time.Duration
		locked bool
		stays  bool
	}{
		{"old and left", time.Hour, false, false},
		{"old and in use", time.Hour, true, true},
		{"just made, not yet locked", 0, false, true},
	} {
		path := filepath.Join(place, scratchPrefix+tt.name)
		if err := os.MkdirAll(filepath.Join(path, "data"), 0o700); err != nil {
			t.Fatal(err)
		}
		if tt.locked {
			lock, err := lockfile.Take(folder(path).lock())
			if err != nil {
				t.Fatal(err)
			}
			defer lock.Close()
		}
		then := time.Now().Add(-tt.age)
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
		sweep(place)
		if _, err := os.Stat(path); (err == nil) != tt.stays {
			t.Errorf("%s: stays %v, want %v", tt.name, err == nil, tt.stays)
		}
	}
}

func TestNicknamesDiffer(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, path := range []string{"/root/amstel/var", "/root/amstel-var", "/root-amstel/var", "/var"} {
		name := nickname(path)
		if other, ok := seen[name]; ok {
			t.Errorf("%s and %s are both called %s", path, other, name)
		}
		if strings.Contains(name, "/") {
			t.Errorf("%s is called %s", path, name)
		}
		seen[name] = path
	}
}

func TestPlaceHasRoom(t *testing.T) {
	t.Parallel()
	place := TempFolder()
	free, _, err := disk.Space(place)
	if err != nil {
		t.Fatal(err)
	}
	if free < scratchRoom && place != "/tmp" {
		t.Errorf("%s has room for %d bytes", place, free)
	}
}

func TestSweepKeepsAFolderInUse(t *testing.T) {
	t.Parallel()
	path, remove, err := MakeFolder()
	if err != nil {
		t.Fatal(err)
	}
	outer := filepath.Dir(path)
	then := time.Now().Add(-time.Hour)
	if err := os.Chtimes(outer, then, then); err != nil {
		t.Fatal(err)
	}
	sweep(filepath.Dir(outer))
	if _, err := os.Stat(path); err != nil {
		t.Errorf("it was swept while in use: %v", err)
	}
	if err := remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(outer); !os.IsNotExist(err) {
		t.Errorf("it is still there: %v", err)
	}
}
