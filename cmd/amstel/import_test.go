package main

import (
	"archive/zip"
	"compress/gzip"
	"encoding/hex"
	"errors"
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
	// The name says that this file is a later edition of the same file. It is compressed.
	must(t, "import", writeFile(t, "town.2.jsonl.gz", goodLines), db)
	if n := count(); n != 1 {
		t.Errorf("%d posts after the second import of one", n)
	}
}

// TestImportTakesFiles imports a photo from the folder of the file, or from another folder.
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

// linkedOutside writes a file that names a photo. The photo is a link to a file in another
// folder.
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
		{"an empty folder", t.TempDir(), exitUsage, []string{"not an archive of a known format", "no page as JSON"}},
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

// mokumPage is a page of a Mokum backup, with a photo and a name that can't be used here.
const mokumPage = `{"entries":[{"id":31,"user_id":1,"version":1,"text":"Het regent","published_at":"2016-06-29T22:00:30.000Z","is_public":true,"reason":{},
	"likes":[2,3],"comments":[{"id":101,"post_id":31,"user_id":2,"text":"Weer","created_at":"2016-06-29T22:01:00.000Z"}],"comments_count":1,
	"attachments":[{"id":9,"attachment_file_name":"rain.jpg","original_url":"/system/attachments/rain.jpg"}]}],
	"river":{"current_user_name":"anna"},"groups":{},"users":{"1":{"id":1,"name":"anna","display_name":"Anna","status":"public","created_at":"2015-05-28"},
	"2":{"id":2,"name":"bert","display_name":"Bert","status":"public","created_at":"2015-05-28"},"3":{"id":3,"name":"me","display_name":"Me","status":"public","created_at":"2015-05-28"}}}`

// TestImportArchive imports a zip file with a backup of Mokum, twice, and with a name for the person whose
// name can't be used.
func TestImportArchive(t *testing.T) {
	long(t)
	t.Parallel()
	_, db := fresh(t)
	kept := "--files=" + t.TempDir()
	backup := filepath.Join(t.TempDir(), "anna.zip")
	file, err := os.Create(backup)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(file)
	for name, content := range map[string]string{"anna/1.json": mokumPage, "anna/system/attachments/rain.jpg": "rain", "../../evil.json": mokumPage} {
		f, err := w.Create(name)
		if err == nil {
			_, err = io.WriteString(f, content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	for i, tt := range []struct {
		args []string
		says []string
	}{
		{nil, []string{"likes                1 not taken: its person is not taken", "files                1 not taken: its path leads out of the archive", "users                1 not taken: its name can't be used here", "posts                1 new", "files                1 new"}},
		{nil, []string{"posts                0 new       1 already there", "likes                0 new       1 already there", "files                0 new       1 already there"}},
		{[]string{"--name=me=melanie"}, []string{"users                1 new       2 already there", "likes                1 new       1 already there"}},
	} {
		out := must(t, append([]string{"import", backup, db, kept}, tt.args...)...)
		for _, want := range tt.says {
			if !strings.Contains(out, want) {
				t.Errorf("import %d does not say %q:\n%s", i+1, want, out)
			}
		}
	}
	// --name is for archives only, and not for files of lines.
	if _, err, code := command(t.Context(), "import", writeFile(t, "town.jsonl", goodLines), db, "--name=anna=anneke"); code != exitUsage || !strings.Contains(err, "--name is for archives") {
		t.Errorf("exit %d: %s", code, err)
	}
}
