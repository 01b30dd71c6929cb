package realtime_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestEachFrameIsInTheDocs finds the types of frames in the code of this package, and checks that
// docs/wire.md has each of them in a table and in an example, and no others.
func TestEachFrameIsInTheDocs(t *testing.T) {
	t.Parallel()
	find := func(text, pattern string) []string {
		found := map[string]bool{}
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			found[m[1]] = true
		}
		return slices.Sorted(maps.Keys(found))
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	read := func(file string) string {
		t.Helper()
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var code strings.Builder
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			code.WriteString(read(file))
		}
	}
	frames := find(code.String(), `(?:Frame\{|Type: +|case )"([a-z]+)"`)
	if len(frames) < 11 {
		t.Fatalf("the code has only the frames %q", frames)
	}
	_, page, _ := strings.Cut(read("../docs/wire.md"), "### Frames from the page")
	page, _, _ = strings.Cut(page, "### The rule of a client")
	if rows := find(page, "(?m)^\\| `([a-z]+)` \\|"); !slices.Equal(rows, frames) {
		t.Errorf("the tables of docs/wire.md have the frames %q, want %q", rows, frames)
	}
	if examples := find(page, `\{"type": ?"([a-z]+)"`); !slices.Equal(examples, frames) {
		t.Errorf("the examples of docs/wire.md have the frames %q, want %q", examples, frames)
	}
}
