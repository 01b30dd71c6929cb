package exporter_test

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/audit"
	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/exporter"
	"amstel.dev/amstel/timeline/importer"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// A site is a primary with a file store.
type site struct {
	t     *testing.T
	pool  *pgxpool.Pool
	files filestore.Store
	store *timeline.Store
	lost  []string // the files that the last export did not find in the store
}

// newSite returns an empty site with an id of its own.
func newSite(t *testing.T) *site {
	t.Helper()
	pool := pgtest.New(t)
	files, err := filestore.OpenFolder(filepath.Join(t.TempDir(), "files"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = files.Close() })
	s := &site{t, pool, files, timeline.New(pool, timeline.Options{}), nil}
	s.exec(`update site set value = convert_to(gen_random_uuid()::text, 'UTF8') where key = 'site_id'`)
	return s
}

func (s *site) exec(query string, args ...any) {
	s.t.Helper()
	if _, err := s.pool.Exec(s.t.Context(), query, args...); err != nil {
		s.t.Fatal(err)
	}
}

// keptFiles reads the files of the site's store.
type keptFiles struct{ filestore.Store }

func (k keptFiles) Open(ctx context.Context, name timeline.FileName) (io.ReadSeekCloser, error) {
	return k.Store.Open(ctx, filestore.Name(name))
}

// export returns the zip file of a person's export, or of an export of everything if user is 0.
func (s *site) export(user timeline.UserID) []byte {
	s.t.Helper()
	return s.exportWhile(exporter.Options{User: user})
}

// exportWhile returns the zip file of an export with the options of a test.
func (s *site) exportWhile(opts exporter.Options) []byte {
	s.t.Helper()
	var to bytes.Buffer
	opts.Files, opts.Dir = keptFiles{s.files}, s.t.TempDir()
	report, err := exporter.Write(s.t.Context(), s.pool, &to, opts)
	if err != nil {
		s.t.Fatal(err)
	}
	s.lost = report.Lost
	return to.Bytes()
}

// take imports the lines of a zip file.
func (s *site) take(data []byte, restore bool, batch int) importer.Report {
	s.t.Helper()
	from := unzip(s.t, data)
	lines, err := from.Open("data.jsonl")
	if err != nil {
		s.t.Fatal(err)
	}
	defer lines.Close()
	report, err := importer.Import(s.t.Context(), s.pool, lines, importer.Options{Restore: restore, Batch: batch, Files: &zipFiles{from, s.files}})
	if err != nil {
		s.t.Fatal(err)
	}
	return report
}

// zipFiles puts the files of a zip file into a file store.
type zipFiles struct {
	from  *zip.Reader
	store filestore.Store
}

func (z *zipFiles) Keep(ctx context.Context, path string) (timeline.FileName, int64, error) {
	file, err := z.from.Open(path)
	if err != nil {
		return timeline.FileName{}, 0, err
	}
	defer file.Close()
	kept, err := z.store.Put(ctx, file, 1<<30)
	return timeline.FileName(kept.Name), kept.Size, err
}

func (z *zipFiles) Kept(ctx context.Context, name timeline.FileName) (bool, error) {
	return filestore.Has(ctx, z.store, filestore.Name(name))
}

func unzip(t *testing.T, data []byte) *zip.Reader {
	t.Helper()
	from, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return from
}

// linesOf returns the lines of a zip file.
func linesOf(t *testing.T, data []byte, name string) []string {
	t.Helper()
	file, err := unzip(t, data).Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.SplitAfter(string(text), "\n")
}

// sound fails the test if the primary contradicts itself.
func (s *site) sound() {
	s.t.Helper()
	faults, err := audit.Check(s.t.Context(), s.pool)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, fault := range faults {
		s.t.Error(fault)
	}
}

// same fails the test unless two exports have the same bytes, and reports the lines that differ.
func same(t *testing.T, want, got []byte) {
	t.Helper()
	if bytes.Equal(want, got) {
		return
	}
	a, b := linesOf(t, want, "data.jsonl"), linesOf(t, got, "data.jsonl")
	t.Errorf("the exports differ: %d and %d bytes, %d and %d lines", len(want), len(got), len(a), len(b))
	shown := 0
	for i := range max(len(a), len(b)) {
		var one, other string
		if i < len(a) {
			one = a[i]
		}
		if i < len(b) {
			other = b[i]
		}
		if one != other && shown < 5 {
			shown++
			t.Errorf("line %d: %s        %s", i+1, one, other)
		}
	}
	if dir := os.Getenv("KEEP_EXPORTS"); dir != "" {
		_ = os.WriteFile(filepath.Join(dir, "want.zip"), want, 0o600)
		_ = os.WriteFile(filepath.Join(dir, "got.zip"), got, 0o600)
	}
}
