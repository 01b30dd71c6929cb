package river

import (
	"os"
	"path/filepath"
	"testing"
)

// TestHashInThePath: a path may contain characters with a meaning in URIs, such as #.
func TestHashInThePath(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r, err := openRiverDB(t.Context(), filepath.Join(dir, "node#2", "river.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.close(false) }()
	if _, err := os.Stat(filepath.Join(dir, "node")); err == nil {
		t.Error("it is in another place than it should be")
	}
}
