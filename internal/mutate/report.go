package main

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A report has the result of each tried mutant, by its key.
type report struct {
	mu      sync.Mutex
	path    string
	code    map[string]string // a hash of each package's code and tests
	results map[string]string
}

// readReport reads a report. A report that does not exist is empty.
func readReport(path string) (*report, error) {
	r := &report{path: path, code: make(map[string]string), results: make(map[string]string)}
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // the file was only read
	for lines := bufio.NewScanner(f); ; {
		if !lines.Scan() {
			return r, lines.Err()
		}
		what, key, ok := strings.Cut(lines.Text(), "\t")
		if folder, is := strings.CutPrefix(what, "code of "); is && ok {
			r.dropOutdated(folder, key)
		} else if ok {
			r.results[key] = what
		}
	}
}

// dropOutdated forgets the results of a package if its code or tests changed since.
func (r *report) dropOutdated(folder, code string) (changed bool) {
	if r.code[folder] == code {
		return false
	}
	r.code[folder] = code
	for key := range r.results {
		if strings.HasPrefix(key, folder+"/") {
			delete(r.results, key)
		}
	}
	return true
}

// add writes a line to the report.
func (r *report) add(what, key string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := os.MkdirAll(filepath.Dir(r.path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(r.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%s\t%s\n", what, key)
	if !strings.HasPrefix(what, "code of ") {
		r.results[key] = what
	}
	return errors.Join(err, f.Close())
}

// settled reports whether a mutant needs no further try. A mutant that survived the short
// tests is tried again by a run of all tests.
func (r *report) settled(m Mutant, short bool) bool {
	result := r.results[m.Key()]
	return result != "" && (short || result != survivedShort && result != unreachedShort)
}

// codeOf returns a hash of the Go files of some folders.
func codeOf(root string, folders ...string) (string, error) {
	slices.Sort(folders)
	var names []string
	for _, folder := range slices.Compact(folders) {
		some, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil {
			return "", err
		}
		names = append(names, some...)
	}
	sum := sha256.New()
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s %d\n%s", filepath.Base(name), len(text), text)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:8]), nil
}

// readEquivalents reads the mutants whose change no test could see. Each has a line with its key
// and the reason.
func readEquivalents(text io.Reader) (map[string]string, error) {
	reasons := make(map[string]string)
	for lines := bufio.NewScanner(text); ; {
		if !lines.Scan() {
			return reasons, lines.Err()
		}
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, reason, ok := strings.Cut(line, " => ")
		if !ok || strings.TrimSpace(reason) == "" || strings.Count(key, " | ") < 2 {
			return nil, fmt.Errorf("write `FILE | FUNCTION | CHANGE => REASON`, not %q", line)
		}
		reasons[strings.TrimSpace(key)] = reason
	}
}

// stale returns the entries of some files for mutants that no longer exist.
func stale(reasons map[string]string, files []string, mutants []Mutant) (gone []string) {
	there := make(map[string]bool)
	for _, m := range mutants {
		there[m.Key()] = true
	}
	for key := range reasons {
		if file, _, _ := strings.Cut(key, " | "); slices.Contains(files, file) && !there[key] {
			gone = append(gone, key)
		}
	}
	slices.Sort(gone)
	return gone
}

// summary writes the survivors and how many mutants there were of each kind.
func (r *report) summary(w io.Writer, mutants []Mutant, equivalents map[string]string) {
	count := make(map[string]int)
	tried := 0
	for _, m := range mutants {
		if equivalents[m.Key()] != "" {
			count["equivalent"]++
			continue
		}
		result, was := r.results[m.Key()]
		if !was {
			count["not tried"]++
			continue
		}
		count[result]++
		if slices.Contains([]string{survived, unreached, survivedShort, unreachedShort}, result) {
			fmt.Fprintf(w, "%s:%d: %s, %s: %s\n", m.File, m.Line, m.Func, m.Change, result)
		}
		if result != uncompiled {
			tried++
		}
	}
	fmt.Fprintf(w, "Killed %d of %d", count[killed]+count[timeout], tried)
	for _, what := range []string{timeout, survived, unreached, survivedShort, unreachedShort, uncompiled, "equivalent", "not tried"} {
		if count[what] > 0 {
			fmt.Fprintf(w, "; %s: %d", what, count[what])
		}
	}
	fmt.Fprintln(w)
}
