package sample_test

import (
	"bufio"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/internal/sample"
)

func TestSampleHasEveryType(t *testing.T) {
	t.Parallel()
	types := make(map[string]bool)
	scanner := bufio.NewScanner(sample.Reader())
	for scanner.Scan() {
		var line struct{ Type string }
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			t.Fatalf("%s: %v", scanner.Bytes(), err)
		}
		types[line.Type] = true
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	want := []string{"ban", "comment", "comment_like", "group", "like", "post", "subscription", "user"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(types))); diff != "" {
		t.Errorf("types (-want +got):\n%s", diff)
	}
}

func TestBytesAreACopy(t *testing.T) {
	t.Parallel()
	clear(sample.Bytes())
	if sample.Bytes()[0] != '{' {
		t.Error("a write to the result of Bytes changes the sample")
	}
}
