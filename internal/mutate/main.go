package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

//go:embed equivalent.txt
var equivalent []byte

// options are the arguments of a run.
type options struct {
	root, report string
	fn, run      string
	sample       int
	seed         uint64
	jobs         int
	limit, slack time.Duration
	list         bool
	short        bool
	equivalent   []byte
}

func main() {
	o := options{root: ".", equivalent: equivalent}
	flag.StringVar(&o.report, "report", "bin/mutate.report", "where results are kept")
	flag.StringVar(&o.fn, "func", "", "only functions of this name")
	flag.StringVar(&o.run, "run", ".", "only tests that match this, of those that a mutant must survive")
	flag.IntVar(&o.sample, "sample", 100, "how many mutants of a hundred are tried")
	flag.Uint64Var(&o.seed, "seed", 1, "which ones")
	flag.IntVar(&o.jobs, "jobs", 2, "how many are tried at once")
	flag.DurationVar(&o.limit, "limit", 20*time.Minute, "what the tests may take without a mutant")
	flag.DurationVar(&o.slack, "slack", time.Minute, "what tests may take with a mutant beyond three times what they take without")
	flag.BoolVar(&o.list, "list", false, "only list the mutants")
	flag.BoolVar(&o.short, "short", false, "run short tests only; a run without it tries what survived them again")
	flag.Parse()
	files := flag.Args()
	if len(files) == 0 {
		files = paths
	}
	if err := mutate(os.Stdout, o, files); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// mutate tries the mutants of some files or folders and writes the survivors.
func mutate(w io.Writer, o options, names []string) error {
	root, err := filepath.Abs(o.root)
	if err != nil {
		return err
	}
	reasons, err := readEquivalents(bytes.NewReader(o.equivalent))
	if err != nil {
		return err
	}
	files, err := filesOf(root, names)
	if err != nil {
		return err
	}
	r, err := readReport(o.report)
	if err != nil {
		return err
	}
	var mutants []Mutant
	for _, folder := range foldersOf(files) {
		some, err := o.try(w, r, reasons, root, folder, files)
		if err != nil {
			return err
		}
		mutants = append(mutants, some...)
	}
	r.summary(w, mutants, reasons)
	return nil
}

// filesOf returns the Go files that are named, from the root; of a folder all but
// tests.
func filesOf(root string, names []string) (files []string, err error) {
	for _, name := range names {
		name = filepath.ToSlash(filepath.Clean(name))
		if strings.HasSuffix(name, ".go") {
			files = append(files, name)
			continue
		}
		found, err := filepath.Glob(filepath.Join(root, name, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, file := range found {
			if !strings.HasSuffix(file, "_test.go") {
				files = append(files, name+"/"+filepath.Base(file))
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

func foldersOf(files []string) (folders []string) {
	for _, file := range files {
		folders = append(folders, filepath.ToSlash(filepath.Dir(file)))
	}
	slices.Sort(folders)
	return slices.Compact(folders)
}

// includes reports whether a run must try a mutant. A sample has the same mutants each time,
// even if other code changes.
func (o options) includes(m Mutant) bool {
	if o.fn != "" && m.Func != o.fn && !strings.HasSuffix(m.Func, "."+o.fn) {
		return false
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s", o.seed, m.Key())
	return int(h.Sum64()%100) < o.sample
}

// try tries those mutants of a package that the run wants and that have no result yet.
func (o options) try(w io.Writer, r *report, reasons map[string]string, root, folder string, files []string) (wanted []Mutant, err error) {
	scratch, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(scratch) }() // after an error, what remains is in the folder for temporary files
	s := &subject{root: root, folder: folder, tested: cmp.Or(testsOf[folder], folder), scratch: scratch, short: o.short}
	files = slices.DeleteFunc(slices.Clone(files), func(f string) bool { return filepath.ToSlash(filepath.Dir(f)) != folder })
	if err := s.build(files); err != nil {
		return nil, err
	}
	for _, key := range stale(reasons, files, s.mutants) {
		fmt.Fprintf(w, "equivalent.txt names what is there no more: %s\n", key)
	}
	wanted = slices.DeleteFunc(s.mutants, func(m Mutant) bool { return !o.includes(m) })
	if o.list {
		for _, m := range wanted {
			fmt.Fprintf(w, "%s:%d: %s, %s\n", m.File, m.Line, m.Func, m.Change)
		}
		return wanted, nil
	}
	code, err := codeOf(root, folder, s.tested)
	if err != nil {
		return nil, err
	}
	if r.dropOutdated(folder, code) {
		if err := r.add("code of "+folder, code); err != nil {
			return nil, err
		}
	}
	todo := slices.DeleteFunc(slices.Clone(wanted), func(m Mutant) bool { return reasons[m.Key()] != "" || r.settled(m, o.short) })
	if len(todo) == 0 {
		return wanted, nil
	}
	fmt.Fprintf(w, "%s: %d mutants, %d of them to be tried\n", folder, len(wanted), len(todo))
	if err := s.measure(o.run, o.limit); err != nil {
		return nil, err
	}
	next := make(chan Mutant)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range o.jobs {
		wg.Go(func() {
			for m := range next {
				result := s.try(m, o.slack)
				mu.Lock()
				fmt.Fprintf(w, "%s:%d: %s, %s: %s\n", m.File, m.Line, m.Func, m.Change, result)
				mu.Unlock()
				if fault := r.add(result, m.Key()); fault != nil {
					mu.Lock()
					err = fault
					mu.Unlock()
				}
			}
		})
	}
	for _, m := range todo {
		next <- m
	}
	close(next)
	wg.Wait()
	return wanted, err
}
