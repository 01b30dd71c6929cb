package main

import (
	"compress/gzip"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	goodLines = `{"type":"user","name":"anna","display_name":"Anna","status":"public","at":"2010-01-02T03:04:05Z"}
{"type":"post","id":"p1","author":"anna","at":"2010-01-02T03:05:05Z","text":"Het regent","to":["anna"]}
`
	missingPhoto = `{"type":"file","id":"f1","post":"p1","path":"gone.jpg","alt":"","at":"2010-01-02T03:05:05Z"}
`
	badLine = `{"type":"post","id":"p2","author":"zoe","at":"2010-01-02T03:06:05Z","text":"?","to":["zoe"]}
`
)

// writeFile writes a temporary file, compressed if its name ends in .gz, and returns its path.
func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var w io.WriteCloser = file
	if strings.HasSuffix(name, ".gz") {
		w = gzip.NewWriter(file)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestImport(t *testing.T) {
	t.Parallel()
	pool, db := fresh(t)
	count := func() (n int) {
		if err := pool.QueryRow(t.Context(), `select count(*) from posts`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	must(t, "import", writeFile(t, "town.jsonl", goodLines), db)
	if n := count(); n != 1 {
		t.Errorf("%d posts after the import of one", n)
	}
	// The name makes it another edition of the same file, this time compressed.
	must(t, "import", writeFile(t, "town.2.jsonl.gz", goodLines), db)
	if n := count(); n != 1 {
		t.Errorf("%d posts after the second import of one", n)
	}
}

// TestImportTakesFiles imports a photo that lies beside the file, or in another folder.
func TestImportTakesFiles(t *testing.T) {
	t.Parallel()
	const photo = `{"type":"file","id":"f1","post":"p1","path":"photos/rain.jpg","alt":"Rain","at":"2010-01-02T03:05:05Z"}` + "\n"
	for _, tt := range []struct{ name, folder, flag string }{{"beside the file", "", ""}, {"in another folder", "elsewhere", "--attachments="}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			pool, db := fresh(t)
			town, kept := writeFile(t, "town.jsonl", goodLines+photo), t.TempDir()
			beside := filepath.Join(filepath.Dir(town), tt.folder)
			if err := os.MkdirAll(filepath.Join(beside, "photos"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(beside, "photos", "rain.jpg"), []byte("rain"), 0o600); err != nil {
				t.Fatal(err)
			}
			args := []string{"import", town, db, "--files=" + kept}
			if tt.flag != "" {
				args = append(args, tt.flag+beside)
			}
			if out := must(t, args...); !strings.Contains(out, "files                1 new") {
				t.Errorf("the report is %s", out)
			}
			var upload []byte
			if err := pool.QueryRow(t.Context(), `select upload from attachments where state = 'queued' and alt = 'Rain'`).Scan(&upload); err != nil {
				t.Fatal(err)
			}
			name := hex.EncodeToString(upload)
			if bytes, err := os.ReadFile(filepath.Join(kept, name[:2], name)); err != nil || string(bytes) != "rain" {
				t.Errorf("the file store has %q: %v", bytes, err)
			}
		})
	}
}

// linkedOutside writes a file that names a photo, which is a link to a file in another folder.
func linkedOutside(t *testing.T) string {
	t.Helper()
	town := writeFile(t, "town.jsonl", goodLines+strings.ReplaceAll(missingPhoto, "gone", "outside"))
	if err := os.Symlink(writeFile(t, "secret", "secret"), filepath.Join(filepath.Dir(town), "outside.jpg")); err != nil {
		t.Fatal(err)
	}
	return town
}

func TestImportRefuses(t *testing.T) {
	t.Parallel()
	_, db := fresh(t)
	for _, tt := range []struct {
		name, file string
		code       int
		err        []string
	}{
		{"a bad line", writeFile(t, "town.jsonl", goodLines+badLine), exitFailed, []string{"line 3", "zoe"}},
		{"a missing photo", writeFile(t, "town.jsonl", goodLines+missingPhoto), exitFailed, []string{"line 3", "there is no file", "gone.jpg"}},
		{"a photo outside of the folder", linkedOutside(t), exitFailed, []string{"outside.jpg", "escapes"}},
		{"no file", filepath.Join(t.TempDir(), "town.jsonl"), exitUsage, []string{"town.jsonl", "no such file"}},
		{"a folder", t.TempDir(), exitUsage, []string{"is a folder"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out, err, code := command(t.Context(), "import", tt.file, db)
			if code != tt.code {
				t.Errorf("exit %d, want %d", code, tt.code)
			}
			for _, want := range tt.err {
				if !strings.Contains(err, want) {
					t.Errorf("wrote %q and %q, want %q", out, err, want)
				}
			}
		})
	}
}
