package importer_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/sample"
	"amstel.dev/amstel/timeline/importer"
)

// realFile is twenty-one years of a community's life, where it is at hand.
const realFile = "../../../shared/data/git-community.jsonl.gz"

// community is the largest file there is: the real one, or the sample.
func community(t *testing.T) (file []byte, posts int) {
	t.Helper()
	file, err := os.ReadFile(realFile)
	if errors.Is(err, fs.ErrNotExist) {
		t.Logf("%s is not there: the sample has to do", realFile)
		return sample.Bytes(), 13
	}
	if err != nil {
		t.Fatal(err)
	}
	return file, 27_519
}

func TestCommunity(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	file, posts := community(t)
	report := take(t, pool, file, 0)
	t.Logf("\n%v", &report)
	if report.Posts.New != posts {
		t.Errorf("%d posts, want %d", report.Posts.New, posts)
	}
	sound(t, pool)
	if again := take(t, pool, file, 0); again.New() != 0 {
		t.Errorf("the second run: %v", &again)
	}
}

// A bad line far down leaves whole batches, and the repaired file ends the same
// as one that was never bad.
func TestBadLineFarDown(t *testing.T) {
	t.Parallel()
	lines := strings.SplitAfter(string(sample.Bytes()), "\n")
	whole, pool := pgtest.New(t), pgtest.New(t)
	take(t, whole, sample.Bytes(), 0)
	bad := bytes.Join([][]byte{[]byte(strings.Join(lines[:40], "")), []byte("{\n"), []byte(strings.Join(lines[40:], ""))}, nil)
	if err := refuse(t, pool, bad, 12); err.Line != 41 {
		t.Errorf("got %v, want line 41", err)
	}
	prefix := pgtest.New(t)
	take(t, prefix, []byte(strings.Join(lines[:36], "")), 0)
	same(t, dump(t, prefix), dump(t, pool))
	take(t, pool, sample.Bytes(), 12)
	same(t, dump(t, whole), dump(t, pool))
}

func BenchmarkCommunity(b *testing.B) {
	file, err := os.ReadFile(realFile)
	if err != nil {
		b.Skipf("SKIPPED, NOT MEASURED: %v", err)
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
