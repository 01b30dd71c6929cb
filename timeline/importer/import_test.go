package importer_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/sample"
	"amstel.dev/amstel/timeline/importer"
)

func TestSample(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	got := importFile(t, pool, sample.Bytes(), 0)
	want := importer.Report{
		Lines:         72,
		Users:         importer.Count{New: 8},
		Groups:        importer.Count{New: 3},
		Subscriptions: importer.Count{New: 12, Skipped: 1},
		Posts:         importer.Count{New: 13, History: 1},
		Comments:      importer.Count{New: 15, History: 1},
		Likes:         importer.Count{New: 13, History: 1},
		CommentLikes:  importer.Count{New: 5},
		Bans:          importer.Count{New: 2},
		Duration:      got.Duration,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	checkPrimary(t, pool)
	for what, query := range map[string]string{
		"hugo and farid follow each other across a ban": `
			select count(*) from subscriptions s join users u on u.id = s.user_id join timelines t on t.id = s.timeline_id
			where t.what = 'user' and u.name in ('hugo', 'farid') and t.their_id in (select id from users where name in ('hugo', 'farid'))`,
		"a direct is in everything": `
			select count(*) from timeline_entries e join timelines t on t.id = e.timeline_id and t.what = 'everything'
			join posts p on p.id = e.post_id where p.text like 'A surprise%'`,
		"there are change rows": `select count(*) from changes`,
		"posts of one second are not in the order of the file": `
			select count(*) from posts a join posts b on a.text like 'Magere%' and b.text like 'Blauwbrug%' and a.id > b.id`,
		"ids are not in the order of times": `
			select count(*) from posts a join posts b on a.published_at < b.published_at and a.id > b.id`,
	} {
		var n int
		if err := pool.QueryRow(t.Context(), query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n != 0 {
			t.Errorf("%s: %d", what, n)
		}
	}
}

func TestBatchesDoNotMatter(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	whole := pgtest.New(t)
	importFile(t, whole, sample.Bytes(), 0)
	want := dump(t, whole)
	for _, batch := range []int{1, 2, 7, 31} {
		pool := pgtest.New(t)
		importFile(t, pool, sample.Bytes(), batch)
		same(t, want, dump(t, pool))
		checkPrimary(t, pool)
	}
}

func TestSecondRunAddsNothing(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	pool := pgtest.New(t)
	first := importFile(t, pool, sample.Bytes(), 10)
	want := dump(t, pool)
	const query = `select uuid::text from log_head`
	var before, after string
	if err := pool.QueryRow(ctx, query).Scan(&before); err != nil {
		t.Fatal(err)
	}
	second := importFile(t, pool, sample.Bytes(), 13)
	if second.New() != 0 || second.Lines != first.Lines {
		t.Errorf("the second run: %v", second)
	}
	same(t, want, dump(t, pool))
	if err := pool.QueryRow(ctx, query).Scan(&after); err != nil {
		t.Fatal(err)
	}
	if before != after {
		t.Error("a run that adds nothing renewed the log: every node started over")
	}
}

func TestGzip(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	plain, zipped := pgtest.New(t), pgtest.New(t)
	importFile(t, plain, sample.Bytes(), 0)
	var file bytes.Buffer
	z := gzip.NewWriter(&file)
	if _, err := z.Write(sample.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	var last importer.Progress
	_, err := importer.Import(t.Context(), zipped, iotest.OneByteReader(bytes.NewReader(file.Bytes())), importer.Options{
		Source: sample.Source, Batch: 20, Progress: func(p importer.Progress) { last = p },
	})
	if err != nil {
		t.Fatal(err)
	}
	same(t, dump(t, plain), dump(t, zipped))
	if want := (importer.Progress{Bytes: int64(file.Len()), Lines: 72}); last != want {
		t.Errorf("last progress %+v, want %+v", last, want)
	}
}

func TestEmptyFile(t *testing.T) {
	t.Parallel()
	report := importFile(t, pgtest.New(t), nil, 0)
	if report.Lines != 0 {
		t.Errorf("%v", report)
	}
}

func TestSourceIsNeeded(t *testing.T) {
	t.Parallel()
	if _, err := importer.Import(t.Context(), pgtest.New(t), sample.Reader(), importer.Options{}); err == nil {
		t.Error("a file without a name was imported")
	}
}

// TestStoppedAndRunAgain stops an import, because the file ends too early or reading fails. The rows imported
// so far remain, and a second run leads to the same result as a single run.
func TestStoppedAndRunAgain(t *testing.T) {
	t.Parallel()
	whole := pgtest.New(t)
	importFile(t, whole, sample.Bytes(), 0)
	want := dump(t, whole)
	broken := errors.New("the disk is gone")
	for name, stop := range map[string]func(ctx context.Context, cancel func()) (context.Context, io.Reader, func(importer.Progress)){
		"reading fails": func(ctx context.Context, _ func()) (context.Context, io.Reader, func(importer.Progress)) {
			half := sample.Bytes()[:6000]
			return ctx, io.MultiReader(bytes.NewReader(half), iotest.ErrReader(broken)), nil
		},
		"it is told to stop": func(ctx context.Context, cancel func()) (context.Context, io.Reader, func(importer.Progress)) {
			return ctx, sample.Reader(), func(p importer.Progress) {
				if p.Lines >= 30 {
					cancel()
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ctx, file, progress := stop(ctx, cancel)
			report, err := importer.Import(ctx, pool, file, importer.Options{Source: sample.Source, Batch: 6, Progress: progress})
			if err == nil || report.Lines == 0 || report.Lines == 72 {
				t.Fatalf("it was not stopped half-way: %d lines, error %v", report.Lines, err)
			}
			importFile(t, pool, sample.Bytes(), 6)
			same(t, want, dump(t, pool))
			checkPrimary(t, pool)
		})
	}
}

// TestKilledAndRunAgain kills the process of an import in the middle of each batch. A second run leads to the
// same result as a single run.
func TestKilledAndRunAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	whole := pgtest.New(t)
	importFile(t, whole, sample.Bytes(), 0)
	want := dump(t, whole)
	for _, batches := range []int{1, 4, 9} {
		url := pgtest.URL(t)
		kill(t, url, batches)
		pool := pgtest.Open(t, url)
		report := importFile(t, pool, sample.Bytes(), 5)
		if there := report.Lines - report.New(); there < 5*batches {
			t.Errorf("%d lines were there, of %d batches of 5", there, batches)
		}
		same(t, want, dump(t, pool))
		checkPrimary(t, pool)
	}
}

// kill starts an import and kills it during the batch after the given number of batches.
func kill(t *testing.T, url string, batches int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), helperURL+"="+url)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for range batches {
		if !lines.Scan() {
			t.Fatalf("the import ended before it was killed: %v", lines.Err())
		}
		if _, err := in.Write([]byte("\n")); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Fatalf("the import ended with %v", err)
	}
}
