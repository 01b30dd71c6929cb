package importer_test

import (
	"bytes"
	"compress/gzip"
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/sample"
	"amstel.dev/amstel/timeline/importer"
)

// realFile names a community's whole life, as gzip, in the format of the importer.
var realFile = flag.String("community", "", "a community's history to import, as gzip; none: the sample")

// community returns the largest available file: the real one, or the sample.
func community(t *testing.T) (file []byte, posts int) {
	t.Helper()
	if *realFile == "" {
		return sample.Bytes(), 13
	}
	file, err := os.ReadFile(*realFile)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(packed)
	if err != nil {
		t.Fatal(err)
	}
	return file, bytes.Count(text, []byte(`{"type":"post"`))
}

func TestCommunity(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	file, posts := community(t)
	report := importFile(t, pool, file, 0)
	t.Logf("\n%v", &report)
	if report.Posts.New != posts {
		t.Errorf("%d posts, want %d", report.Posts.New, posts)
	}
	checkPrimary(t, pool)
	if again := importFile(t, pool, file, 0); again.New() != 0 {
		t.Errorf("the second run: %v", &again)
	}
}

// A bad line far down leaves whole batches. The repaired file then leads to the same result as a
// file without a bad line.
func TestBadLineFarDown(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	lines := strings.SplitAfter(string(sample.Bytes()), "\n")
	whole, pool := pgtest.New(t), pgtest.New(t)
	importFile(t, whole, sample.Bytes(), 0)
	bad := bytes.Join([][]byte{[]byte(strings.Join(lines[:40], "")), []byte("{\n"), []byte(strings.Join(lines[40:], ""))}, nil)
	if err := refuseFile(t, pool, bad, 12); err.Line != 41 {
		t.Errorf("got %v, want line 41", err)
	}
	prefix := pgtest.New(t)
	importFile(t, prefix, []byte(strings.Join(lines[:36], "")), 0)
	same(t, dump(t, prefix), dump(t, pool))
	importFile(t, pool, sample.Bytes(), 12)
	same(t, dump(t, whole), dump(t, pool))
}

func BenchmarkCommunity(b *testing.B) {
	if *realFile == "" {
		b.Skip("SKIPPED, NOT MEASURED: there is no -community=FILE")
	}
	file, err := os.ReadFile(*realFile)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		pool := pgtest.New(b)
		report, err := importer.Import(b.Context(), pool, bytes.NewReader(file), importer.Options{Source: "community"})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(report.Lines)/report.Duration.Seconds(), "lines/s")
	}
}
