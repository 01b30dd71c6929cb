package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/internal/attachment"
	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
)

// TestExportKilled kills a node at each point of its work on an export. No incomplete file is offered. When
// the lease of the dead node is over, another node makes the whole export, and the sweep deletes what the
// dead node left in the file store.
func TestExportKilled(t *testing.T) {
	long(t)
	t.Parallel()
	for _, point := range []string{"export: taken", "export: writing", "export: stored", "export: finished"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			url, data := pgtest.URL(t), t.TempDir()
			pool := pgtest.Open(t, url)
			store := timeline.New(pool, timeline.Options{Argon: pgtest.Argon})
			ok := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			anna, err := store.SignUp(t.Context(), timeline.NewUser{Name: "anna", Email: "anna@example.org", NoPassword: true})
			ok(err)
			post := func(text string) {
				t.Helper()
				_, err := store.CreatePost(t.Context(), anna, timeline.NewPost{To: []string{"user"}, Text: text})
				ok(err)
			}
			for n := range 20 {
				post(fmt.Sprintf("the ferry sails, %d", n))
			}
			started, err := store.StartExport(t.Context(), anna, "en")
			ok(err)
			args := []string{"web", "--listen=127.0.0.1:0", "--database", url, "--data", data, "--files", filepath.Join(data, "files")}
			m := startKillable(t, killAtOnce+point, args...)
			m.waitKilled()

			finished := point == "export: finished"
			all, err := store.Exports(t.Context(), anna)
			ok(err)
			if len(all) != 1 || (all[0].State == timeline.ExportReady) != finished {
				t.Fatalf("after the kill: %+v", all)
			}
			if _, err := store.ReadyExport(t.Context(), anna, started.ID); !finished && !errors.Is(err, timeline.ErrNotFound) {
				t.Errorf("an export that is not whole is offered: %v", err)
			}
			if lease, err := store.TakeExport(t.Context(), time.Minute); err != nil || lease != nil {
				t.Fatalf("the lease of the dead node is given to another: %+v, %v", lease, err)
			}
			left := 0 // files that no row names
			if point == "export: stored" {
				left = 1
			}
			post("and sails") // so that the next export has other bytes
			if !finished {
				_, err := pool.Exec(t.Context(), `update exports set due_at = now()`) // the lease is over
				ok(err)
			}
			startKillable(t, "", args...)
			until(t, time.Minute, func() string {
				all, err = store.Exports(t.Context(), anna)
				if ok(err); len(all) != 1 || all[0].ID != started.ID || all[0].State != timeline.ExportReady {
					return fmt.Sprintf("the export is not made again: %+v", all)
				}
				return ""
			})
			files, err := filestore.OpenFolder(filepath.Join(data, "files"))
			ok(err)
			t.Cleanup(func() { ok(files.Close()) })
			want := 21
			if finished {
				want = 20
			}
			wantPosts(t, files, all[0], want)

			kept := func() (n int) {
				for _, err := range files.List(t.Context()) {
					ok(err)
					n++
				}
				return n
			}
			if got := kept(); got != 1+left {
				t.Errorf("the store has %d files after the second try, want %d", got, 1+left)
			}
			unfinished, err := filepath.Glob(filepath.Join(data, "files", "new", "*", "*"))
			ok(err)
			for _, path := range unfinished {
				if filepath.Base(path) != "lock" {
					t.Errorf("the dead node's unfinished file %s is still there", path)
				}
			}
			tomorrow := func() time.Time { return time.Now().Add(25 * time.Hour) }
			removed, err := attachment.New(store, files, attachment.Options{Now: tomorrow}).Sweep(t.Context())
			if err != nil || removed != left || kept() != 1 {
				t.Errorf("the sweep removes %d files, %v, and leaves %d; want %d and 1", removed, err, kept(), left)
			}
		})
	}
}

// wantPosts reads the file of an export, and fails the test unless it has the lines of want posts.
func wantPosts(t *testing.T, files filestore.Store, e timeline.Export, want int) {
	t.Helper()
	file, err := files.Open(t.Context(), filestore.Name(e.File))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	whole, err := io.ReadAll(file)
	if err != nil || int64(len(whole)) != e.Size {
		t.Fatalf("the file has %d bytes, want %d: %v", len(whole), e.Size, err)
	}
	z, err := zip.NewReader(bytes.NewReader(whole), e.Size)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"index.html", "data.jsonl"} {
		part, err := z.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(part) // checks the checksum too
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := strings.Count(string(text), `"type":"post"`); name == "data.jsonl" && got != want {
			t.Errorf("the export has %d posts, want %d", got, want)
		}
	}
}
