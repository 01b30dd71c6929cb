package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// lines writes a file with the lines of a run, and returns its path.
func lines(t *testing.T, all ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(all, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCompareFindsWhatGotSlower(t *testing.T) {
	t.Parallel()
	old := lines(t, `{"name":"visit","value":7,"unit":"ms","range":{"low":6,"high":8}}`, `{"name":"gone","value":1,"unit":"ms"}`)
	now := lines(t, `{"name":"visit","value":14,"unit":"ms","range":{"low":12,"high":15}}`)
	for _, tt := range []struct {
		args, out, err string
		code           int
	}{
		{old + " " + now, "Only in the old run: gone.", "", 0},
		{old + " " + now + " --check", "+100 %", "worse than before: visit", exitFailed},
		{old + " " + now + " --check --tolerance=1", "+100 %", "", 0},
		{now + " " + old + " --check", "better", "", 0},
		{old, "", "<new>", exitUsage},
		{old + " /nowhere/run.jsonl", "", "/nowhere/run.jsonl", exitUsage},
		{old + " " + now + " --tolerance=-1", "", "--tolerance", exitUsage},
	} {
		out, err, code := command(t.Context(), append([]string{"compare"}, strings.Fields(tt.args)...)...)
		if code != tt.code || !strings.Contains(out, tt.out) || !strings.Contains(err, tt.err) || tt.err == "" && err != "" {
			t.Errorf("compare %s: exit %d, printed %q and %q; want %d, %q and %q", tt.args, code, out, err, tt.code, tt.out, tt.err)
		}
	}
}
