package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A subject is a package in which mutants are tried.
type subject struct {
	root, folder string
	tested       string // the folder of the tests
	scratch      string
	short        bool // only short tests run
	binary       string
	mutants      []Mutant
	uncompiled   map[string]bool
	reached      map[int]bool
	stages       []stage
	mu           sync.Mutex
	took         map[string]float64 // the seconds of each test
	killers      []string           // the tests that killed mutants last, the latest first
}

// stageShares are the parts of the tests' whole time at which the stages end. The
// shortest tests come first, since most mutants are killed by one of them: of 100 s,
// the tests of the first 4 s are the first stage.
var stageShares = []float64{0.04, 0.25, 1}

// A stage is tests that run together, and how long they took without a mutant.
type stage struct {
	run  string
	took time.Duration
}

// build compiles the tests with all mutants of some files. Mutants of a line that
// does not compile are left out.
func (s *subject) build(files []string) error {
	s.uncompiled = make(map[string]bool)
	bad := make(map[string]bool) // file:line
	for {
		overlay := map[string]string{filepath.Join(s.root, s.folder, "mutants_switches.go"): filepath.Join(s.scratch, "mutants_switches.go")}
		if err := os.WriteFile(filepath.Join(s.scratch, "mutants_switches.go"), switches(s.folder), 0o600); err != nil {
			return err
		}
		s.mutants = nil
		for _, file := range files {
			text, err := os.ReadFile(filepath.Join(s.root, file))
			if err != nil {
				return err
			}
			without := func(m Mutant) bool {
				out := bad[fmt.Sprintf("%s:%d", filepath.Base(m.File), m.Line)]
				if out {
					s.uncompiled[m.Key()] = true
				}
				return out
			}
			mutants, broken, err := mutantsOf(file, text, len(s.mutants)+1, without)
			if err != nil {
				return err
			}
			s.mutants = append(s.mutants, mutants...)
			name := filepath.Join(s.scratch, filepath.Base(file)) // the name in the compiler's messages
			if err := os.WriteFile(name, broken, 0o600); err != nil {
				return err
			}
			overlay[filepath.Join(s.root, file)] = name
		}
		list, err := json.Marshal(map[string]any{"Replace": overlay})
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(s.scratch, "overlay.json"), list, 0o600); err != nil {
			return err
		}
		s.binary = filepath.Join(s.scratch, "mutants.test")
		compile := exec.Command("go", "test", "-c", "-gcflags=-e", "-overlay", filepath.Join(s.scratch, "overlay.json"), "-o", s.binary, "./"+s.tested)
		compile.Dir = s.root
		out, err := compile.CombinedOutput()
		if err == nil {
			return nil
		}
		known := len(bad)
		for _, at := range regexp.MustCompile(`([^/\s:]+\.go):(\d+):`).FindAllSubmatch(out, -1) {
			bad[string(at[1])+":"+string(at[2])] = true
		}
		if len(bad) == known {
			return fmt.Errorf("building %s: %w\n%s", s.folder, err, out)
		}
	}
}

// tests runs some tests with a mutant (0 for none) and returns their output.
func (s *subject) tests(run string, mutant int, limit time.Duration, more ...string) (out []byte, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit+10*time.Second)
	defer cancel()
	args := append([]string{"-test.run", run, "-test.failfast", "-test.timeout", limit.String()}, flags[s.tested]...)
	if s.short {
		args = append(args, "-test.short")
	}
	cmd := exec.CommandContext(ctx, s.binary, append(args, more...)...)
	cmd.Dir = filepath.Join(s.root, s.tested)
	cmd.Env = append(os.Environ(), "MUTANT="+strconv.Itoa(mutant))
	if mutant == 0 {
		cmd.Env = append(cmd.Env, "MUTANTS_REACHED="+filepath.Join(s.scratch, "reached"))
	}
	// Processes that a test started are killed with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	return cmd.CombinedOutput()
}

var passed = regexp.MustCompile(`(?m)^--- PASS: (\w+) \((\d+\.\d+)s\)`)

// measure runs the tests without a mutant, and records which mutants they reach, and which tests
// are short. run limits the tests; empty: all.
func (s *subject) measure(run string, limit time.Duration) error {
	out, err := s.tests(run, 0, limit, "-test.v")
	if err != nil {
		return fmt.Errorf("the tests of %s fail without a mutant: %w\n%s", s.tested, err, out[max(0, len(out)-3000):])
	}
	type test struct {
		name string
		took float64
	}
	var all []test
	total := 0.0
	s.took = make(map[string]float64)
	for _, m := range passed.FindAllSubmatch(out, -1) {
		took, _ := strconv.ParseFloat(string(m[2]), 64) // can't fail: passed matches numbers only
		// A test with parallel parts reports only the times of its parts, so it counts as long.
		if took == 0 && bytes.Contains(out, []byte("--- PASS: "+string(m[1])+"/")) {
			took = 60
		}
		all = append(all, test{string(m[1]), took})
		s.took[string(m[1])] = took
		total += took
	}
	if len(all) == 0 {
		return fmt.Errorf("no test of %s passes", s.tested)
	}
	slices.SortFunc(all, func(a, b test) int {
		if a.took != b.took {
			return int(1000 * (a.took - b.took))
		}
		return strings.Compare(a.name, b.name)
	})
	sum := 0.0
	parts := make([][]string, len(stageShares))
	times := make([]float64, len(stageShares))
	for i, t := 0, 0; t < len(all); t++ {
		for sum += all[t].took; sum > stageShares[i]*total && i < len(stageShares)-1; {
			i++
		}
		parts[i] = append(parts[i], all[t].name)
		times[i] += all[t].took
	}
	for i, names := range parts {
		if len(names) > 0 {
			s.stages = append(s.stages, stageOf(names, times[i]))
		}
	}
	text, err := os.ReadFile(filepath.Join(s.scratch, "reached"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	s.reached = make(map[int]bool)
	for _, line := range strings.Fields(string(text)) {
		k, err := strconv.Atoi(line)
		if err != nil {
			return err
		}
		s.reached[k] = true
	}
	return nil
}

// The results of a mutant.
const (
	killed    = "killed"
	timeout   = "killed by time"
	survived  = "survived"
	unreached = "not reached"
	// Of short tests only: long tests may kill it.
	survivedShort  = "survived the short tests"
	unreachedShort = "not reached by the short tests"
	uncompiled     = "does not compile"
)

// stageOf returns the stage of some tests, which took so many seconds without a mutant.
func stageOf(names []string, took float64) stage {
	return stage{"^(" + strings.Join(names, "|") + ")$", time.Duration(took * float64(time.Second))}
}

// killersMost is the number of killers that a mutant has to survive before the stages.
const killersMost = 6

var failed = regexp.MustCompile(`(?m)^--- FAIL: (\w+) `)

// noteKillers moves the failed tests to the front of the killers: the same test often kills
// neighbouring mutants.
func (s *subject) noteKillers(out []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range failed.FindAllSubmatch(out, 2) {
		name := string(m[1])
		s.killers = append([]string{name}, slices.DeleteFunc(s.killers, func(other string) bool { return other == name })...)
	}
	s.killers = s.killers[:min(len(s.killers), killersMost)]
}

// stagesNow returns the stages, after a stage of the killers if there are any.
func (s *subject) stagesNow() []stage {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.killers) == 0 {
		return s.stages
	}
	sum := 0.0
	for _, name := range s.killers {
		sum += s.took[name]
	}
	return append([]stage{stageOf(s.killers, sum)}, s.stages...)
}

// try runs the killers and then the stages with a mutant until a test fails, and returns the
// result. A stage may take slack longer than three times what it takes without the mutant.
func (s *subject) try(m Mutant, slack time.Duration) string {
	switch {
	case s.uncompiled[m.Key()]:
		return uncompiled
	case !s.reached[m.Switch] && s.short:
		return unreachedShort
	case !s.reached[m.Switch]:
		return unreached
	}
	for _, st := range s.stagesNow() {
		out, err := s.tests(st.run, m.Switch, 3*st.took+slack)
		switch {
		case err == nil:
		case bytes.Contains(out, []byte("panic: test timed out")), !bytes.Contains(out, []byte("FAIL")) && !bytes.Contains(out, []byte("panic")):
			return timeout
		default:
			s.noteKillers(out)
			return killed
		}
	}
	if s.short {
		return survivedShort
	}
	return survived
}
