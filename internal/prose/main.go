// Command prose counts the vague words in the comments of Go code, to find the files that most
// need a second reading:
//
//	go run ./internal/prose [-files] [FOLDER]
//
// For each package, or with -files for each file, the command prints the words of the comments,
// and how many of a thousand are relative or vague ("which", "what", "it", "those") and personal
// ("who", "nobody", "he"). A sentence with few of these words names its subject and its object.
// Generated files, directives and the indented examples in comments are not counted.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var (
	word     = regexp.MustCompile(`[A-Za-z]+(?:['’][A-Za-z]+)?`)
	vague    = regexp.MustCompile(`(?i)^(which|that|what|it|its|those|these|this|there|where|one)$`)
	personal = regexp.MustCompile(`(?i)^(who|whom|whose|whoever|nobody|somebody|anybody|everybody|he|him|his|himself)$`)
)

// A Count is how many words comments have, and how many of them are vague or personal.
type Count struct{ Words, Vague, Personal int }

// add adds the words of a text.
func (c *Count) add(text string) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "\t") {
			continue
		}
		for _, w := range word.FindAllString(line, -1) {
			c.Words++
			switch {
			case vague.MatchString(w):
				c.Vague++
			case personal.MatchString(w):
				c.Personal++
			}
		}
	}
}

// String returns the words, and the vague and the personal ones of a thousand.
func (c *Count) String() string {
	per := func(n int) float64 { return 1000 * float64(n) / float64(max(1, c.Words)) }
	return fmt.Sprintf("%7d %8.1f %8.1f", c.Words, per(c.Vague), per(c.Personal))
}

// countFile counts the words in the comments of a Go file. A generated file has none.
func countFile(name string, src []byte) (Count, error) {
	var c Count
	file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments)
	if err != nil || ast.IsGenerated(file) {
		return c, err
	}
	for _, group := range file.Comments {
		c.add(group.Text())
	}
	return c, nil
}

// countTree counts the Go files below a folder, each alone or by their packages: tests
// of a package are counted apart from its code.
func countTree(tree fs.FS, byFile bool) (map[string]*Count, error) {
	counts := map[string]*Count{}
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(name) != ".go":
			return nil
		}
		src, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		one, err := countFile(name, src)
		if err != nil {
			return err
		}
		key := name
		if !byFile {
			key = filepath.Dir(name)
			if strings.HasSuffix(name, "_test.go") {
				key += " (tests)"
			}
		}
		for _, key := range []string{key, total(name)} {
			if counts[key] == nil {
				counts[key] = &Count{}
			}
			counts[key].Words += one.Words
			counts[key].Vague += one.Vague
			counts[key].Personal += one.Personal
		}
		return nil
	})
	return counts, err
}

// total returns the name of the row with the sum of all such files.
func total(name string) string {
	if strings.HasSuffix(name, "_test.go") {
		return "all tests"
	}
	return "all code"
}

func main() {
	byFile := flag.Bool("files", false, "count each file alone")
	flag.Parse()
	folder := cmp.Or(flag.Arg(0), ".")
	counts, err := countTree(os.DirFS(folder), *byFile)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	names := make([]string, 0, len(counts))
	for name, c := range counts {
		if c.Words > 0 {
			names = append(names, name)
		}
	}
	// The files with the most vague words come last, above the prompt.
	slices.SortFunc(names, func(a, b string) int {
		rate := func(name string) float64 { return float64(counts[name].Vague) / float64(counts[name].Words) }
		return cmp.Or(cmp.Compare(rate(a), rate(b)), cmp.Compare(a, b))
	})
	fmt.Println("  words    vague personal   of 1,000 words of comments")
	for _, name := range names {
		fmt.Println(counts[name], " ", name)
	}
}
