package river

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestUnusableRiverDB: a node replaces a file of a river DB that it can't use, for each possible reason.
func TestUnusableRiverDB(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		make func(t *testing.T, path string)
	}{
		{"noise", func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte("this is no database, and long enough to be none"), 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		{"empty", func(t *testing.T, path string) {
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		{"another schema", func(t *testing.T, path string) {
			r, err := createRiverDB(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.db.Exec(`pragma user_version = 4711`); err != nil {
				t.Fatal(err)
			}
			if err := r.close(false); err != nil {
				t.Fatal(err)
			}
		}},
		{"left by a machine that went down", func(t *testing.T, path string) {
			r, err := createRiverDB(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.write(t.Context(), newDraft(newState()), 1, &rebuild{}, nil); err != nil {
				t.Fatal(err)
			}
			if _, err := r.db.Exec(`update node set boot = 'another'`); err != nil {
				t.Fatal(err)
			}
			if err := r.close(false); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "river.db")
			test.make(t, path)
			r, err := openRiverDB(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := r.close(false); err != nil {
					t.Error(err)
				}
			}()
			st, err := r.load(t.Context())
			if err != nil || st.counter != 0 || !r.usable(t.Context()) {
				t.Errorf("state %+v, error %v", st, err)
			}
			info, err := os.Stat(path)
			if err != nil || info.Mode().Perm()&fs.FileMode(0o077) != 0 {
				t.Errorf("mode %v, error %v: others can read it", info.Mode(), err)
			}
		})
	}
}
