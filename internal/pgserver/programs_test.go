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

// TestToolOfAnotherVersion: a tool of the server's version or a later one is found, and an earlier one is not.
func TestToolOfAnotherVersion(t *testing.T) {
	t.Parallel()
	folder := fake(t, "pg_dump (PostgreSQL) 16.4 (Debian 16.4-1)", "pg_dump")
	for major, found := range map[int]bool{15: true, 16: true, 17: false} {
		path, err := Tool(t.Context(), folder, "pg_dump", major)
		if found != (err == nil && path == filepath.Join(folder, "pg_dump")) {
			t.Errorf("for version %d: %q, %v", major, path, err)
		}
		if !found && (!errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "pg_dump of version 17 or later")) {
			t.Errorf("for version %d: %v", major, err)
		}
	}
	if _, err := Tool(t.Context(), folder, "pg_restore", 15); !errors.Is(err, ErrMissing) {
		t.Errorf("a tool that is not there: %v", err)
	}
}
