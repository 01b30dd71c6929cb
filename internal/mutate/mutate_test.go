package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// small writes a module whose tests notice some mutants of its code.
func small(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.org/small\n\ngo 1.26\n",
		"code/code.go": `package code

// Most returns the greater of two numbers, and whether both are set.
func Most(a, b int) (most int, both bool) {
	both = a != 0 && b != 0
	if a > b {
		return a, both
	}
	return b, both
}

func asked(n int64) bool {
	for n > 5 {
		n /= 2
	}
	switch {
	case n == 3 || n == 5:
		return true
	}
	return false
}

func never() bool { return true }

func twice(n int) int {
	n *= 2
	return n
}
`,
		"code/code_test.go": `package code

import "testing"

func TestMost(t *testing.T) {
	for _, test := range []struct{ a, b, most int; both bool }{{1, 2, 2, true}, {2, 1, 2, true}, {0, 2, 2, false}, {2, 0, 2, false}, {0, 0, 0, false}, {-1, -2, -1, true}, {1, 1, 1, true}} {
		if most, both := Most(test.a, test.b); most != test.most || both != test.both {
			t.Error(test, most, both)
		}
	}
}

func TestAsked(t *testing.T) {
	if !asked(3) || asked(2) || !asked(20) {
		t.Error("asked")
	}
}

func TestTwice(t *testing.T) {
	if got := twice(0); got != 0 || !testing.Short() && twice(3) != 6 {
		t.Error("twice", got)
	}
}
`,
	} {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// TestMutateReportsWhatNoTestNotices runs the program on a small module. It reports the mutants
// that survive and the mutants that no test reaches, keeps earlier judgements, and in a second
// run tries no mutant again.
func TestMutateReportsWhatNoTestNotices(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a module and runs its tests many times")
	}
	t.Parallel()
	o := options{
		root: small(t), report: filepath.Join(t.TempDir(), "report"), run: ".", sample: 100, jobs: 2, limit: 5 * 60e9, slack: 10e9,
		equivalent: []byte("code/code.go | Most | >= for > in a > b => of two that are equal either is the greater\n" +
			"code/code.go | Most | negate a < b => it was there once\n"),
	}
	var out bytes.Buffer
	if err := mutate(&out, o, []string{"code"}); err != nil {
		t.Fatal(err)
	}
	_, summary, _ := strings.Cut(out.String(), "code/code.go:23: never, flip true: not reached\n") // in the order of the tries
	for _, want := range []string{
		"code/code.go:23: never, flip true: not reached\n",
		"code/code.go:13: asked, 5 + 1 beside n: survived\n",
		"; survived: ", "; not reached: 1; equivalent: 1\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing", want)
		}
	}
	if !strings.Contains(out.String(), "equivalent.txt names what is there no more: code/code.go | Most | negate a < b\n") {
		t.Error("an entry that names nothing is not reported")
	}
	for _, killed := range []string{
		"code.go:5: Most, || for && in a != 0 && b != 0", "code.go:5: Most, == for != in b != 0", "code.go:5: Most, 0 + 1 beside a",
		"code.go:5: Most, drop both = a != 0 && b != 0", "code.go:6: Most, negate a > b", "code.go:7: Most, do not return a, both",
		"code.go:14: asked, drop n /= 2", "code.go:17: asked, && for || in n == 3 || n == 5", "code.go:20: asked, flip false",
	} {
		if !strings.Contains(out.String(), killed+": killed") {
			t.Errorf("not killed: %s", killed)
		}
		if strings.Contains(summary, killed+": survived") {
			t.Errorf("reported: %s", killed)
		}
	}
	if t.Failed() {
		t.Log(out.String())
	}
	first := out.String()[strings.LastIndex(out.String(), "Killed "):]
	out.Reset()
	if err := mutate(&out, o, []string{"code"}); err != nil {
		t.Fatal(err)
	}
	if again := out.String(); strings.Contains(again, ": killed") || !strings.HasSuffix(again, first) {
		t.Errorf("the second run says %q, the first said %q", again, first)
	}
}

// TestMutantsThatOnlyLongTestsKill runs the short tests, and then all tests. The second run tries
// only the mutants that survived the first.
func TestMutantsThatOnlyLongTestsKill(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a module and runs its tests many times")
	}
	t.Parallel()
	o := options{root: small(t), report: filepath.Join(t.TempDir(), "report"), run: ".", fn: "twice", sample: 100, jobs: 2, limit: 5 * 60e9, slack: 10e9, short: true}
	for _, want := range []string{"survived the short tests\nKilled 0 of 1; survived the short tests: 1\n", "killed\nKilled 1 of 1\n"} {
		var out bytes.Buffer
		if err := mutate(&out, o, []string{"code"}); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); !strings.HasSuffix(got, want) {
			t.Errorf("with short %v: got %q at the end, want %q", o.short, got, want)
		}
		o.short = false
	}
}

// TestSampleIsTheSameEachTime: a sample depends on its seed alone.
func TestSampleIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("mutants.go")
	if err != nil {
		t.Fatal(err)
	}
	all, _, err := mutantsOf("internal/mutate/mutants.go", text, 1, func(Mutant) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	later, _, err := mutantsOf("internal/mutate/mutants.go", append([]byte("// one more line\n"), text...), 7, func(Mutant) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	wanted, others := 0, 0
	for i, m := range all {
		o := options{sample: 30, seed: 1}
		if o.includes(m) != o.includes(later[i]) {
			t.Errorf("%v is wanted %v, and on another line %v", m, o.includes(m), o.includes(later[i]))
		}
		if o.includes(m) {
			wanted++
		}
		if o.seed = 2; o.includes(m) {
			others++
		}
	}
	if n := len(all); wanted < n/5 || wanted > n*2/5 || others < n/5 {
		t.Errorf("of %d mutants a sample of 30 in a hundred has %d, and %d", n, wanted, others)
	}
}

// TestEquivalentsHaveReasons: each kept entry has a reason.
func TestEquivalentsHaveReasons(t *testing.T) {
	t.Parallel()
	if _, err := readEquivalents(bytes.NewReader(equivalent)); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"river/decide.go | decide | negate f == nil", "river/decide.go | decide | negate f == nil => ", "decide => because"} {
		if _, err := readEquivalents(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is taken for an entry", bad)
		}
	}
}
