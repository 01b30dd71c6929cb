package measure

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"amstel.dev/amstel/cmd/amstel-bench/internal/dataset"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/internal/audit"
)

// TestRunMeasuresEverything checks the records of several measurements; the others have tests of their own.
// It does not check times, because the machine of a test does other work too.
func TestRunMeasuresEverything(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := small(t, &out)
	c.Profiles = t.TempDir()
	c.Only = []string{Import, Visit, Large, Hot, Members, Write, Frame}
	missed, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	found := records(t, &out)
	ratios := []string{"visit", "visit.large"}
	for _, form := range []string{"html", "html.gzip", "json", "json.gzip"} {
		ratios = append(ratios, "hot."+form+".handler", "hot."+form+".http", "members."+form+".handler", "members."+form+".http")
	}
	names := append([]string{"import", "import.rate", "write.post", "write.comment", "write.statements", "write.posts", "frame", "frame.homes", "frame.everybody"}, ratios...)
	for _, name := range names {
		r, there := found[name]
		if !there {
			t.Errorf("%s is not reported", name)
			continue
		}
		if r.N == 0 || r.Value <= 0 || r.Unit == "" || r.Of == "" {
			t.Errorf("%s: nothing was measured: %+v", name, r)
		}
		if slices.Contains(ratios, name) && (r.Ratio <= 0 || r.Beside == nil || r.Beside.Value <= 0) {
			t.Errorf("%s has nothing beside it: %+v", name, r)
		}
		if missing := r.OK != nil && !*r.OK; missing != slices.Contains(missed, name) {
			t.Errorf("%s is ok=%v, and missed are %q", name, !missing, missed)
		}
	}
	if len(found) != len(names) {
		t.Errorf("%d records, want %d", len(found), len(names))
	}
	if n := found["visit"].N; n != c.Homes*c.Rounds {
		t.Errorf("%d homes were visited, want %d, each %d times", n, c.Homes, c.Rounds)
	}
	frames := found["frame"]
	if frames.N == 0 || frames.N%c.Pages != 0 || !strings.Contains(frames.Of, " 0 frames never came") {
		t.Errorf("not every page was sent every comment: %+v", frames)
	}
	if half := frames.N / 2; found["frame.homes"].N != half || found["frame.everybody"].N != half {
		t.Errorf("half of the frames are %d, those of homes %d, of everybody %d", half, found["frame.homes"].N, found["frame.everybody"].N)
	}
	if frames.Sent < 100*int64(frames.N) || frames.Written == 0 || frames.CPU != 0 {
		t.Errorf("%d frames: %d bytes sent, %d written, %v s of CPU, which can't be told apart from the clients' in this process", frames.N, frames.Sent, frames.Written, frames.CPU)
	}
	if found["write.statements"].Written == 0 {
		t.Error("posts wrote nothing to the log")
	}
	for _, part := range []string{Import, Visit, Large, Hot, Members, Write, Frame} {
		if info, err := os.Stat(filepath.Join(c.Profiles, part+".pprof")); err != nil || info.Size() == 0 {
			t.Errorf("the profile of %s: %v", part, err)
		}
	}
}

func TestRunMeasuresOnlyWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := small(t, &out)
	c.Only = []string{Visit}
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if found := records(t, &out); len(found) != 1 || found["visit"].N == 0 {
		t.Errorf("reported: %v, want the visits only", found)
	}
}

func TestMissedBarIsNamed(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	r := &run{Config: Config{Out: &out}}
	good, bad := report.Record{Name: "good", N: 1}, report.Record{Name: "bad", N: 1}
	good.Expect("much", true)
	bad.Expect("more", false)
	for _, record := range []report.Record{good, bad, {Name: "free", N: 1}} {
		if err := r.report(record); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(r.missed, []string{"bad"}) {
		t.Errorf("missed: %q", r.missed)
	}
	if found := records(t, &out); *found["bad"].OK || !*found["good"].OK || found["free"].OK != nil {
		t.Errorf("reported: %+v", found)
	}
}

func TestRunFails(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	bad, empty := filepath.Join(folder, "bad.jsonl"), filepath.Join(folder, "empty.jsonl")
	if err := errors.Join(os.WriteFile(bad, []byte("hello\n"), 0o600), os.WriteFile(empty, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		change func(*Config)
		want   string
	}{
		{"a file that is not there", func(c *Config) { c.File = filepath.Join(folder, "none.jsonl") }, "none.jsonl"},
		{"a bad line", func(c *Config) { c.File = bad }, "line 1"},
		{"an empty file", func(c *Config) { c.File = empty }, "no lines"},
		{"a process of pages that says nothing", func(c *Config) {
			c.Only = []string{Frame}
			c.Clients = func(ctx context.Context) *exec.Cmd { return exec.CommandContext(ctx, "true") }
		}, "process of the open pages"},
		{"no such process", func(c *Config) {
			c.Only = []string{Frame}
			c.Clients = func(ctx context.Context) *exec.Cmd { return exec.CommandContext(ctx, filepath.Join(folder, "none")) }
		}, "process of the open pages"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			c := small(t, &out)
			tt.change(&c)
			if _, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out bytes.Buffer
	c := small(t, &out)
	c.Only = []string{Frame}
	c.Seconds = 3600
	c.Notice = func(sentence string) {
		if strings.HasPrefix(sentence, "Writing") {
			cancel()
		}
	}
	if _, err := Run(ctx, c); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that it was stopped", err)
	}
}

func TestCommunity(t *testing.T) {
	t.Parallel()
	var one, two bytes.Buffer
	lines, err := dataset.Typical(2000).Write(&one)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dataset.Typical(2000).Write(&two); err != nil || !bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Errorf("the same numbers make another community (%v)", err)
	}
	if n := bytes.Count(one.Bytes(), []byte("\n")); n != lines {
		t.Errorf("%d lines, said %d", n, lines)
	}
	var out bytes.Buffer
	c := small(t, &out)
	c.Posts, c.Only = 2000, []string{Import}
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if n := records(t, &out)["import"].N; n != lines {
		t.Errorf("%d lines were imported, %d written", n, lines)
	}
	people, err := busiest(t.Context(), c.Pool, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if most, least := people[0].Feeds, people[len(people)-1].Feeds; most < 50 || least > 5 {
		t.Errorf("people follow %d at most and %d at least: that is not uneven", most, least)
	}
	faults, err := audit.Check(t.Context(), c.Pool)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		t.Error(fault)
	}
}
