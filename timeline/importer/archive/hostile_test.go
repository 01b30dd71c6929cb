package archive

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestHostileArchives opens archives with paths that lead out of the folder. Nothing is written outside
// the folder, and the sound files are read.
func TestHostileArchives(t *testing.T) {
	t.Parallel()
	page := mokumPages["anna/post-31.json"]
	outside := filepath.Join(t.TempDir(), "outside.json")
	files := saved{"anna.json": page, "../outside.json": page, "a/../../outside.json": page, outside: page, `..\outside.json`: page, "./b/page.json": page}
	links := []*tar.Header{
		{Name: "link.json", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"},
		{Name: "hard.json", Typeflag: tar.TypeLink, Linkname: "../../etc/passwd"},
		{Name: "device", Typeflag: tar.TypeChar},
		{Name: "anna.json", Typeflag: tar.TypeReg},   // once more
		{Name: "anna.json/x", Typeflag: tar.TypeReg}, // below a file
	}
	for name, at := range map[string]string{"a zip file": files.zip(t), "a tar file": files.tar(t, links...)} {
		before, err := os.ReadDir(os.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		_, lines, skipped := linesOf(t, at, Options{})
		if !slices.Contains(lines, "post 31 anna [anna] New words 2016-06-29T22:00:30.000Z") {
			t.Errorf("%s: %q", name, lines)
		}
		if n := skipped[Reason{"file", "its path leads out of the archive"}]; n != 4 {
			t.Errorf("%s: %d paths lead out of it", name, n)
		}
		if n := skipped[Reason{"file", "no regular file"}]; strings.Contains(name, "tar") && n != 3 {
			t.Errorf("%s: %d are no regular files", name, n)
		}
		if _, err := os.Stat(outside); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s wrote outside", name)
		}
		for _, entry := range before {
			if entry.Name() == "outside.json" {
				t.Errorf("%s wrote beside", name)
			}
		}
	}

	// Symbolic links in a folder are not followed.
	folder := saved{"anna.json": page}.folder(t)
	if err := os.Symlink("/etc/hosts", filepath.Join(folder, "hosts.jpg")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc", filepath.Join(folder, "etc")); err != nil {
		t.Fatal(err)
	}
	if _, lines, _ := linesOf(t, folder, Options{}); !slices.Contains(lines, "post 31 anna [anna] New words 2016-06-29T22:00:30.000Z") {
		t.Errorf("of a folder with links: %q", lines)
	}
}

// TestBombs opens small archives that unpack to large ones.
func TestBombs(t *testing.T) {
	t.Parallel()
	large := saved{"a.json": `{"entries":[],"users":{}}`, "b.bin": strings.Repeat("\x00", 4<<20)}
	many := saved{}
	for _, name := range strings.Fields("a b c d e f g") {
		many[name+".json"] = `{"entries":[],"users":{}}`
	}
	for name, tt := range map[string]struct {
		at     string
		limits Limits
	}{
		"a zip file":                   {large.zip(t), Limits{Bytes: 1 << 20}},
		"a tar file":                   {large.tar(t), Limits{Bytes: 1 << 20}},
		"a zip file of many files":     {many.zip(t), Limits{Files: 6}},
		"a tar file of many files":     {many.tar(t), Limits{Files: 6}},
		"a folder of many files":       {many.folder(t), Limits{Files: 6}},
		"a page that is larger itself": {write(t, "page.json", []byte(mokumPages["anna/page-1.json"])), Limits{Bytes: 100}},
	} {
		a, err := Open(tt.at, tt.limits)
		if limit, is := errors.AsType[*LimitError](err); !is {
			t.Fatalf("%s: %v", name, err)
		} else if a != nil && a.remove != "" {
			if _, err := os.Stat(a.remove); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s, %v: its folder is left", name, limit)
			}
		}
	}
	a, err := Open(mokumPages.zip(t), Limits{Page: 3000})
	if err != nil {
		t.Fatal(err)
	}
	_, skipped, err := a.Lines(io.Discard, Options{Find: noAccount})
	if err != nil || skipped[Reason{"file", "longer than a page can be"}] != 1 {
		t.Errorf("a long page: %v %v", err, skipped)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}

// TestOtherFiles opens files that are no archives.
func TestOtherFiles(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"nothing": "", "a line": `{"type":"user","name":"anna"}`, "a post's line": `{"id":"p1","type":"post"}`, "a picture": "\xff\xd8\xff", "a list": `[{"entries":[]}]`, "gzip of nothing": "\x1f\x8b",
	} {
		if _, err := Open(write(t, "file.json", []byte(content)), Limits{}); !errors.Is(err, ErrUnknown) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(t.TempDir(), Limits{}); !errors.Is(err, ErrUnknown) {
		t.Errorf("an empty folder: %v", err)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none"), Limits{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	a, err := Open(saved{"x.json": `{"a":1}`, "y.json": "7"}.folder(t), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := a.Lines(io.Discard, Options{Find: noAccount}); !errors.Is(err, ErrUnknown) {
		t.Errorf("other JSON: %v", err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}

// FuzzPage reads any text as a page. All lines made of it can be parsed as lines of an import.
func FuzzPage(f *testing.F) {
	for _, page := range mokumPages {
		f.Add([]byte(page))
	}
	for _, page := range []string{
		`{"users":{"1":{"id":1,"name":"anna"}},"entries":[{"id":1,"user_id":1,"published_at":"2016-01-01T00:00:00Z","text":"\u0000","reason":{"user":["x",null]}}]}`,
		`{"users":[{"id":"u","username":"alpha","createdAt":1}],"posts":{"id":"p","createdBy":"u","createdAt":"1451606400000","postedTo":[null]}}`,
		`{"orderedItems":[{"type":"Create","actor":"a","object":{"id":"b","published":"2016-01-01T00:00:00Z","content":"<p>x","to":"as:Public"}}]}`,
		`{"orderedItems":[{"type":"Create","actor":"a","object":{"id":"b","content":"` + strings.Repeat("<b>", 300) + `"}}]}`,
		`{"a":{"id":"b"}}`, `null`, `[]`, strings.Repeat("[", 20000),
	} {
		f.Add([]byte(page))
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		for _, name := range []string{"page.json", "actor.json", "posts.json"} {
			h := newHistory(Skipped{})
			h.read(name, page, index{})
			h.finishFreeFeed(index{})
			var out bytes.Buffer
			if err := h.write(&out, Options{Find: noAccount}); err != nil {
				t.Fatal(err)
			}
		}
	})
}
