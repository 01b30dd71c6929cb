// Package feedtest reads web feeds in tests as the programs of others do: with the parsers gofeed and
// feedsmith, and Atom by the grammar of RFC 4287.
package feedtest

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mmcdole/gofeed"
)

//go:embed testdata/read.mjs
var script string

//go:embed testdata/atom.rng
var grammar []byte

// Read returns a feed as gofeed reads it.
func Read(t testing.TB, text string) *gofeed.Feed {
	t.Helper()
	feed, err := gofeed.NewParser().ParseString(text)
	if err != nil {
		t.Fatalf("gofeed: %v\n%.2000s", err, text)
	}
	return feed
}

// Check fails the test unless gofeed and feedsmith read the same items from each of the feeds, and the
// grammar of Atom allows each feed in Atom. The map has the feeds by the names of their tests. If xmllint
// or feedsmith is not installed, the test fails only in continuous integration.
func Check(t testing.TB, feeds map[string]string) {
	t.Helper()
	folder, names := t.TempDir(), map[string]string{}
	want := map[string][]string{}
	var atoms []string
	for name, text := range feeds {
		file := fmt.Sprintf("%d", len(names))
		names[file] = name
		path := filepath.Join(folder, file)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		read := Read(t, text)
		want[file] = []string{read.FeedType}
		for _, item := range read.Items {
			want[file] = append(want[file], item.GUID)
		}
		if read.FeedType == "atom" {
			atoms = append(atoms, path)
		}
	}
	if len(atoms) > 0 {
		rules := filepath.Join(t.TempDir(), "atom.rng")
		if err := os.WriteFile(rules, grammar, 0o600); err != nil {
			t.Fatal(err)
		}
		out, done := run(t, ".", "xmllint", append([]string{"--noout", "--relaxng", rules}, atoms...)...)
		for line := range strings.Lines(out) {
			if file, _, _ := strings.Cut(filepath.Base(strings.TrimSpace(line)), ":"); done && !strings.Contains(line, " validates") {
				file, _, _ = strings.Cut(file, " ")
				t.Errorf("%s is not valid: %s", names[file], line)
			}
		}
	}
	out, done := run(t, client(t), "node", "--input-type=module", "-e", script, folder)
	if !done {
		return
	}
	var got map[string][]string
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("feedsmith: %v\n%.2000s", err, out)
	}
	for file, name := range names {
		if diff := cmp.Diff(want[file], got[file]); diff != "" {
			t.Errorf("%s is read differently by gofeed (-) and feedsmith (+):\n%s", name, diff)
		}
	}
}

// run returns what a program prints, and reports whether it could run.
func run(t testing.TB, folder, program string, args ...string) (out string, done bool) {
	t.Helper()
	command := exec.CommandContext(context.WithoutCancel(t.Context()), program, args...)
	command.Dir = folder
	text, err := command.CombinedOutput()
	if err != nil && os.Getenv("CI") == "" && (command.ProcessState == nil || strings.Contains(string(text), "Cannot find package")) {
		t.Logf("%s did not run: %v; scripts/install test installs it", program, err)
		return "", false
	}
	if err != nil && program == "node" || command.ProcessState == nil {
		t.Fatalf("%s: %v\n%.2000s", program, err, text)
	}
	return string(text), true
}

// client returns the folder in which npm installs feedsmith, from the folder of any package's tests.
func client(t testing.TB) string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return filepath.Join(folder, "web", "client")
		}
		above := filepath.Dir(folder)
		if above == folder {
			t.Fatal("the test does not run in a folder of this module")
		}
		folder = above
	}
}
