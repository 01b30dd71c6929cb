package pgserver

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fake writes a folder of programs that report a version.
func fake(t *testing.T, says string, names ...string) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range names {
		script := "#!/bin/sh\necho '" + says + "'\n"
		if err := os.WriteFile(filepath.Join(folder, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestFind(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		says  string
		there []string
		major int // asked for
		want  int
		fails string
	}{
		{"any version", "postgres (PostgreSQL) 17.2 (Debian 17.2-1)", []string{"postgres", "initdb"}, 0, 17, ""},
		{"the version asked for", "postgres (PostgreSQL) 15.18", []string{"postgres", "initdb"}, 15, 15, ""},
		{"a version before its release", "postgres (PostgreSQL) 19devel", []string{"postgres", "initdb"}, 0, 19, ""},
		{"another version", "postgres (PostgreSQL) 17.2", []string{"postgres", "initdb"}, 15, 0, "pg_dumpall"},
		{"no initdb", "postgres (PostgreSQL) 17.2", []string{"postgres"}, 0, 0, "not installed"},
		{"nothing", "", nil, 0, 0, "not installed"},
		{"another program", "hello", []string{"postgres", "initdb"}, 0, 0, `says "hello`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			folder := fake(t, tt.says, tt.there...)
			got, err := find(t.Context(), folder, tt.major)
			if tt.fails != "" {
				if err == nil || !strings.Contains(err.Error(), tt.fails) {
					t.Fatalf("error %v, want %q", err, tt.fails)
				}
				_, other := errors.AsType[*versionError](err)
				if !other && !errors.Is(err, ErrMissing) {
					t.Errorf("%v is not ErrMissing", err)
				}
				return
			}
			if err != nil || got.major != tt.want {
				t.Errorf("%+v, %v, want version %d", got, err, tt.want)
			}
		})
	}
}
