package pgserver

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// programs are the executables of one installed PostgreSQL.
type programs struct {
	postgres, initdb string
	version          string // as --version says it
	major            int
}

// usual are the places where packages put PostgreSQL outside PATH: Debian's, the RPMs' of
// postgresql.org, Homebrew's.
var usual = []string{"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql@*/bin"}

// find returns an installed PostgreSQL of a major version, or of any version if major is 0.
func find(ctx context.Context, folder string, major int) (programs, error) {
	all, err := installed(ctx, folder)
	if err != nil {
		return programs{}, err
	}
	if major == 0 {
		return all[0], nil
	}
	if i := slices.IndexFunc(all, func(p programs) bool { return p.major == major }); i >= 0 {
		return all[i], nil
	}
	return programs{}, &versionError{cluster: major, here: all}
}

// installed returns the installed PostgreSQLs, the preferred one first. The list is never
// empty without an error.
func installed(ctx context.Context, folder string) ([]programs, error) {
	if folder != "" {
		p, err := inspect(ctx, filepath.Join(folder, "postgres"), filepath.Join(folder, "initdb"))
		if err != nil {
			return nil, fmt.Errorf("%w in %s: %w", ErrMissing, folder, err)
		}
		return []programs{p}, nil
	}
	var all []programs
	postgres, err1 := exec.LookPath("postgres")
	initdb, err2 := exec.LookPath("initdb")
	if err1 == nil && err2 == nil {
		if p, err := inspect(ctx, postgres, initdb); err == nil {
			all = append(all, p)
		}
	}
	var others []programs
	for _, pattern := range usual {
		folders, _ := filepath.Glob(pattern) // fails for a bad pattern only
		for _, f := range folders {
			if p, err := inspect(ctx, filepath.Join(f, "postgres"), filepath.Join(f, "initdb")); err == nil {
				others = append(others, p)
			}
		}
	}
	slices.SortStableFunc(others, func(a, b programs) int { return b.major - a.major })
	if all = append(all, others...); len(all) == 0 {
		return nil, fmt.Errorf("%w: there is no postgres with initdb on PATH, nor in %s; install it (Debian: apt-get install postgresql), or name its folder in AMSTEL_POSTGRES_BIN",
			ErrMissing, strings.Join(usual, ", "))
	}
	return all, nil
}

// Version returns the version of the PostgreSQL that a new server would run, in its own words.
// folder has its programs, as in [Config].
func Version(ctx context.Context, folder string) (string, error) {
	p, err := find(ctx, folder, 0)
	return p.version, err
}

// Tool returns the path of a client program of PostgreSQL, such as pg_dump, that can be used with a server of a
// major version: of the same version, or else of the nearest later one. Servers refuse earlier programs. folder has
// the programs, as in [Config].
func Tool(ctx context.Context, folder, name string, major int) (string, error) {
	paths := []string{filepath.Join(folder, name)}
	if folder == "" {
		paths = nil
		for _, pattern := range usual {
			found, _ := filepath.Glob(filepath.Join(pattern, name)) // fails for a bad pattern only
			paths = append(paths, found...)
		}
		if path, err := exec.LookPath(name); err == nil {
			paths = append(paths, path)
		}
	}
	best, nearest := "", 0
	for _, path := range paths {
		out, err := exec.CommandContext(ctx, path, "--version").Output()
		if err != nil {
			continue // no program, or not one that runs
		}
		if match := versionNumber.FindSubmatch(out); match != nil {
			is, err := strconv.Atoi(string(match[1]))
			if err == nil && is >= major && (best == "" || is < nearest) {
				best, nearest = path, is
			}
		}
	}
	if best == "" {
		return "", fmt.Errorf("%w: there is no %s of version %d or later; install it (Debian: apt-get install postgresql-client), or name its folder in AMSTEL_POSTGRES_BIN", ErrMissing, name, major)
	}
	return best, nil
}

var versionNumber = regexp.MustCompile(`\) (\d+)`)

// inspect returns the programs and the version of an installed postgres. It follows links,
// because initdb looks for postgres beside itself.
func inspect(ctx context.Context, postgres, initdb string) (programs, error) {
	postgres, err := filepath.EvalSymlinks(postgres)
	if err != nil {
		return programs{}, err
	}
	initdb, err = filepath.EvalSymlinks(initdb)
	if err != nil {
		return programs{}, err
	}
	out, err := exec.CommandContext(ctx, postgres, "--version").Output()
	if err != nil {
		return programs{}, fmt.Errorf("%s --version: %w", postgres, err)
	}
	match := versionNumber.FindSubmatch(out)
	if match == nil {
		return programs{}, fmt.Errorf("%s --version says %q", postgres, out)
	}
	major, err := strconv.Atoi(string(match[1]))
	if err != nil {
		return programs{}, err
	}
	return programs{postgres: postgres, initdb: initdb, version: string(out), major: major}, nil
}

// A versionError says that the version of a cluster is not installed.
type versionError struct {
	folder  string
	cluster int
	here    []programs
}

func (e *versionError) Error() string {
	var here []string
	for _, p := range e.here {
		here = append(here, fmt.Sprintf("%d in %s", p.major, filepath.Dir(p.postgres)))
	}
	return fmt.Sprintf("the data in %s was written by PostgreSQL %d, and installed is only %s: "+
		"dump it with PostgreSQL %d (pg_dumpall), move the folder away, start again, and restore the dump with psql; "+
		"or install PostgreSQL %d beside the other",
		e.folder, e.cluster, strings.Join(here, ", "), e.cluster, e.cluster)
}
