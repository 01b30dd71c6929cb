package main

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/internal/pgtest"
)

// smallBench are the flags of a bench that takes seconds.
var smallBench = []string{"--posts=300", "--large-posts=300", "--homes=3", "--rounds=1", "--pages=8", "--seconds=0.2",
	"--sockets=40", "--apart=20ms"}

// scratch puts temporary files into a folder of the test's own, and makes this test binary the
// command of the client processes. left returns the files in the folder.
func scratch(t *testing.T) (left func() []string) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the bench")
	}
	folder := pgtest.Folder(t)
	t.Setenv("TMPDIR", folder)
	t.Setenv(mainEnv, "1")
	return func() (names []string) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
}

// TestBench makes one measurement with each of the things that the command gives to measurements: a
// database, another database, a site, and a process of clients. The tests of package measure make
// every measurement.
func TestBench(t *testing.T) {
	folder := t.TempDir()
	earlier := lines(t, `{"name":"frame","value":0.001,"unit":"ms","range":{"low":0.001,"high":0.001}}`, `{"name":"gone","value":1,"unit":"ms"}`)
	left := scratch(t)
	out, errs, code := command(t.Context(), append(smallBench, "--compare="+earlier, "--test-profile", "--check", "--out="+folder, "--only=import,visit,large,hot,frame,crowd")...)
	if code != exitFailed || !strings.Contains(errs, "missed: ") || !strings.Contains(errs, "visit.large") || !strings.Contains(errs, "worse than before: frame") {
		t.Fatalf("exit %d, want %d, as over 300 posts a river is no gain, and no frame takes a microsecond: %s", code, exitFailed, errs)
	}
	run, err := report.ReadRun(strings.NewReader(out))
	if err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if h := run.Heading; h.PostgreSQL == "" || h.Version == "" || !strings.Contains(h.Settings, "300 posts, in memory") {
		t.Errorf("the heading is %+v", h)
	}
	if read(t, folder, "bench.jsonl") != out {
		t.Error("bench.jsonl is not what was printed")
	}
	if table := read(t, folder, "bench.txt"); !strings.HasPrefix(table, run.Table()) || !strings.Contains(table, "Only in the old run: gone.") {
		t.Errorf("bench.txt is not the table of the run with the comparison: %s", table)
	}
	if page := read(t, folder, "bench.html"); !strings.Contains(page, "<svg ") || !strings.Contains(page, `<tr id="crowd.stuck">`) {
		t.Errorf("bench.html has no chart, or lacks a record: %s", page)
	}
	found := map[string]bool{}
	for _, record := range run.Records {
		if record.N == 0 {
			t.Errorf("nothing was measured of %s", record.Name)
		}
		found[record.Name] = true
		if record.Name == "frame" && record.CPU == 0 {
			t.Error("frames took no CPU time")
		}
		if record.Name == "frame" && !strings.Contains(record.Of, "8 open pages in a process of their own, 4 on the river of all visitors and 4 on homes") {
			t.Errorf("frames: %s", record.Of)
		}
	}
	for _, name := range []string{"import", "visit", "visit.large", "hot.html.http", "hot.json.gzip.handler", "frame", "crowd", "crowd.stuck"} {
		if !found[name] {
			t.Errorf("%s is not reported", name)
		}
	}
	if names := left(); len(names) > 0 {
		t.Errorf("left behind: %q", names)
	}
}

func TestBenchEndsAllItStarted(t *testing.T) {
	left := scratch(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, in := io.Pipe()
	code := make(chan int, 1)
	go func() {
		args := append(smallBench, "--only=import,frame", "--seconds=3600")
		code <- run(ctx, args, streams{in: strings.NewReader(""), out: io.Discard, err: in})
		in.Close()
	}()
	said, all := "", make([]byte, 1<<10)
	for !strings.Contains(said, "Writing") {
		n, err := out.Read(all)
		if said += string(all[:n]); err != nil {
			t.Fatalf("exit %d: %s", <-code, said)
		}
	}
	cancel()
	go io.Copy(io.Discard, out)
	if got := <-code; got != 0 {
		t.Errorf("exit %d, want 0 for who was told to stop", got)
	}
	if names := left(); len(names) > 0 {
		t.Errorf("left behind: %q", names)
	}
}

func TestBenchRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ args, err string }{
		{"--file=/nowhere/file.jsonl", "--file"},
		{"--pages=0", "--pages"},
		{"--posts=1", "--posts"},
		{"--seconds=-1", "--seconds"},
		{"--only=speed", "--only"},
		{"--sockets=0", "--sockets"},
		{"--out=/nowhere", "--out"},
		{"--compare=/nowhere/run.jsonl", "--compare"},
		{"--tolerance=-0.1", "--tolerance"},
		{"--apart=-1s", "--apart"},
	} {
		_, err, code := command(t.Context(), tt.args)
		if code != exitUsage || !strings.Contains(err, tt.err) {
			t.Errorf("%s: exit %d, wrote %q, want %d and %q", tt.args, code, err, exitUsage, tt.err)
		}
	}
}
