package house

import (
	"bytes"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// review reads a repository and lists the violations of the rules.
func review(repository fs.FS) (findings []string, packages int, err error) {
	documented := map[string]bool{} // by folder
	err = fs.WalkDir(repository, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains([]string{"node_modules", "testdata", "bin", "var", ".git"}, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_templ.go") || strings.HasSuffix(name, "_gen.go") {
			return nil
		}
		text, err := fs.ReadFile(repository, name)
		if err != nil {
			return err
		}
		found, isDocumented, err := reviewFile(name, text)
		if err != nil {
			return err
		}
		findings = append(findings, found...)
		if !strings.HasSuffix(name, "_test.go") {
			documented[path.Dir(name)] = documented[path.Dir(name)] || isDocumented
		}
		return nil
	})
	for folder, ok := range documented {
		if !ok {
			findings = append(findings, folder+" has no comment that begins with Package or Command and its name")
		}
	}
	slices.Sort(findings)
	return findings, len(documented), err
}

// reviewFile lists the violations of the rules in a Go file. Tests may import anything; they
// must only stay short.
func reviewFile(name string, text []byte) (findings []string, documented bool, err error) {
	if finding := tooLong(name, bytes.Count(text, []byte("\n"))); finding != "" {
		findings = append(findings, finding)
	}
	if strings.HasSuffix(name, "_test.go") {
		return findings, false, nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.ParseComments)
	if err != nil {
		return nil, false, err
	}
	if ignored(file) {
		return findings, true, nil // a program for go generate, in no package
	}
	pkg := path.Dir(name)
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, false, err
		}
		if finding := badImport(pkg, imported); finding != "" {
			findings = append(findings, finding)
		}
	}
	findings = append(findings, readsEnvironment(pkg, file)...)
	findings = append(findings, inits(pkg, file)...)
	findings = append(findings, misnamed(name, file)...)
	findings = append(findings, uncommented(name, file)...)
	findings = append(findings, stuttering(name, file)...)
	findings = append(findings, elseAfterReturn(name, fset, file)...)
	return findings, documents(file), nil
}

// ignored reports whether the build leaves a file out of its package.
func ignored(file *ast.File) bool {
	for _, group := range file.Comments {
		for _, comment := range group.List {
			if expr, err := constraint.Parse(comment.Text); err == nil && !expr.Eval(func(tag string) bool { return tag != "ignore" }) {
				return true
			}
		}
	}
	return false
}

func TestRepositoryKeepsItsRules(t *testing.T) {
	t.Parallel()
	findings, packages, err := review(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range findings {
		t.Error(finding)
	}
	if packages < 5 {
		t.Errorf("only %d packages were found", packages)
	}
}

func TestReviewFinds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, file, text string
		want             string // part of the only finding; none if empty
	}{
		{"a good file", "web/a.go", "// Package web is.\npackage web\nimport _ \"amstel.dev/amstel/timeline\"\n", ""},
		{"a sub-package of the own tree", "timeline/importer/a.go", "// Package importer is.\npackage importer\nimport _ \"amstel.dev/amstel/timeline\"\n", ""},
		{"no comment", "web/a.go", "package web\n", "no comment"},
		{"a comment on something else", "web/a.go", "// Handlers.\npackage web\n", "no comment"},
		{"a command's comment", "cmd/x/a.go", "// Command x does.\npackage main\n", ""},
		{"an import upwards", "timeline/a.go", "// Package timeline is.\npackage timeline\nimport _ \"amstel.dev/amstel/river\"\n", "timeline imports river"},
		{"an import of a command", "web/a.go", "// Package web is.\npackage web\nimport _ \"amstel.dev/amstel/cmd/amstel\"\n", "web imports cmd/amstel"},
		{"an import of the bench by the server", "cmd/amstel/a.go", "// Command amstel is.\npackage main\nimport _ \"amstel.dev/amstel/cmd/amstel-bench/internal/report\"\n", "cmd/amstel imports cmd/amstel-bench"},
		{"an import of the bench by what all commands share", "cmd/internal/node/a.go", "// Package node is.\npackage node\nimport _ \"amstel.dev/amstel/cmd/amstel-bench/internal/report\"\n", "cmd/internal/node imports cmd/amstel-bench"},
		{"an import by what serves all", "internal/pgserver/a.go", "// Package pgserver is.\npackage pgserver\nimport _ \"amstel.dev/amstel/timeline\"\n", "internal/pgserver imports timeline"},
		{"an import by a fixture", "internal/pgtest/a.go", "// Package pgtest is.\npackage pgtest\nimport _ \"amstel.dev/amstel/timeline\"\n", ""},
		{"an import of a fixture", "web/a.go", "// Package web is.\npackage web\nimport _ \"amstel.dev/amstel/internal/pgtest\"\n", "for tests only"},
		{"an import of a fixture by a test", "web/a_test.go", "package web\nimport _ \"amstel.dev/amstel/internal/pgtest\"\n", ""},
		{"a tree that mayImport does not name", "util/a.go", "// Package util is.\npackage util\nimport _ \"amstel.dev/amstel/river\"\n", "no tree"},
		{"a database in pages", "web/page/a.go", "// Package page is.\npackage page\nimport _ \"github.com/jackc/pgx/v5\"\n", "visibility rule"},
		{"a database in a pure package", "timeline/query/a.go", "// Package query is.\npackage query\nimport _ \"github.com/jackc/pgx/v5\"\n", "visibility rule"},
		{"an import upwards of a pure package", "timeline/text/a.go", "// Package text is.\npackage text\nimport _ \"amstel.dev/amstel/timeline\"\n", "timeline/text imports timeline"},
		{"an import upwards of what finds addresses", "web/address/a.go", "// Package address is.\npackage address\nimport _ \"amstel.dev/amstel/web\"\n", "web/address imports web"},
		{"an import upwards of the plumbing", "timeline/internal/primary/a.go", "// Package primary is.\npackage primary\nimport _ \"amstel.dev/amstel/timeline\"\n", "timeline/internal/primary imports timeline"},
		{"an import of a package that stands on the own", "timeline/a.go", "// Package timeline is.\npackage timeline\nimport _ \"amstel.dev/amstel/timeline/discover\"\n", "stands apart"},
		{"an import of such a package by its own", "timeline/importer/archive/a.go", "// Package archive is.\npackage archive\nimport _ \"amstel.dev/amstel/timeline/importer\"\n", ""},
		{"an import of a package beside", "timeline/ranking/a.go", "// Package ranking is.\npackage ranking\nimport _ \"amstel.dev/amstel/timeline/discover\"\n", "stands apart"},
		{"an import of what stands on timeline", "web/a.go", "// Package web is.\npackage web\nimport _ \"amstel.dev/amstel/timeline/discover\"\n", ""},
		{"SQLite elsewhere", "realtime/a.go", "// Package realtime is.\npackage realtime\nimport _ \"github.com/mattn/go-sqlite3\"\n", "river DB"},
		{"flags elsewhere", "river/a.go", "// Package river is.\npackage river\nimport _ \"flag\"\n", "command line"},
		{"log, but not log/slog", "river/a.go", "// Package river is.\npackage river\nimport (\n_ \"log\"\n_ \"log/slog\"\n)\n", "slog.Logger"},
		{"the environment elsewhere", "river/a.go", "// Package river is.\npackage river\nimport \"os\"\nvar home = os.Getenv(\"HOME\")\n", "os.Getenv"},
		{"the environment in a command", "cmd/x/a.go", "// Command x does.\npackage main\nimport \"os\"\nvar home = os.Getenv(\"HOME\")\n", ""},
		{"an init function", "river/a.go", "// Package river is.\npackage river\nfunc init() {}\n", "init function"},
		{"an init method", "river/a.go", "// Package river is.\npackage river\ntype n int\nfunc (n) init() {}\n", ""},
		{"a comment with the name of its function", "river/a.go", "// Package river is.\npackage river\n\n// cut removes.\nfunc cut() {}\n", ""},
		{"a comment with an article before its type", "river/a.go", "// Package river is.\npackage river\n\n// A cut is.\ntype cut int\n", ""},
		{"a comment with a longer name", "river/a.go", "// Package river is.\npackage river\n\n// cutter removes.\nfunc cut() {}\n", "the comment of cut begins"},
		{"a comment without its method's name", "river/a.go", "// Package river is.\npackage river\n\ntype n int\n\n// Removes.\nfunc (n) cut() {}\n", "the comment of cut begins"},
		{"a comment without its type's name", "river/a.go", "// Package river is.\npackage river\n\n// This is.\ntype cut int\n", "the comment of cut begins"},
		{"a comment without its constant's name", "river/a.go", "// Package river is.\npackage river\n\n// This is.\nconst cut = 1\n", "the comment of cut begins"},
		{"a comment for a group of constants", "river/a.go", "// Package river is.\npackage river\n\n// These are.\nconst (\n\tcut = 1\n\tbend = 2\n)\n", ""},
		{"a comment for several variables", "river/a.go", "// Package river is.\npackage river\n\n// These are.\nvar cut, bend int\n", ""},
		{"an exported function without a comment", "river/a.go", "// Package river is.\npackage river\n\nfunc Cut() {}\n", "Cut is exported and has no comment"},
		{"an exported method without a comment", "river/a.go", "// Package river is.\npackage river\n\n// N is.\ntype N int\n\nfunc (*N) Cut() {}\n", "Cut is exported and has no comment"},
		{"an exported constant without a comment", "river/a.go", "// Package river is.\npackage river\n\nconst Cut = 1\n", "Cut is exported and has no comment"},
		{"an exported method of a type that is not", "river/a.go", "// Package river is.\npackage river\n\ntype n int\n\nfunc (n) Cut() {}\n", ""},
		{"an error's method without a comment", "river/a.go", "// Package river is.\npackage river\n\n// N is.\ntype N int\n\nfunc (N) Error() string { return \"\" }\n", ""},
		{"exported constants with a comment for all, or beside", "river/a.go", "// Package river is.\npackage river\n\n// These are.\nconst (\n\tCut = 1\n)\n\nconst (\n\tBend = 1 // is\n)\n", ""},
		{"a type with its package's name", "river/a.go", "// Package river is.\npackage river\n\n// RiverCut is.\ntype RiverCut int\n", "river.RiverCut"},
		{"a method with its package's name", "river/a.go", "// Package river is.\npackage river\n\n// N is.\ntype N int\n\n// RiverCut does.\nfunc (N) RiverCut() {}\n", ""},
		{"an else after a return", "river/a.go", "// Package river is.\npackage river\n\nfunc cut(a bool) int {\n\tif a {\n\t\treturn 1\n\t} else {\n\t\treturn 2\n\t}\n}\n", "river/a.go:7: an else"},
		{"an else after a return, with a variable for both", "river/a.go", "// Package river is.\npackage river\n\nfunc cut(a bool) int {\n\tif b := !a; a {\n\t\treturn 1\n\t} else {\n\t\treturn 2\n\t}\n}\n", ""},
		{"a program for go generate", "web/static/a.go", "//go:build ignore\n\npackage main\nimport _ \"flag\"\n", ""},
		{"a long file", "web/a.go", "// Package web is.\npackage web\n" + strings.Repeat("\n", codeLines), "502 lines"},
		{"a long test", "web/a_test.go", "package web\n" + strings.Repeat("\n", testLines), "801 lines"},
		{"a test as long as it may be", "web/a_test.go", "package web\n" + strings.Repeat("\n", testLines-1), ""},
		{"generated", "web/a_templ.go", "package web\n" + strings.Repeat("\n", codeLines), ""},
		{"code of others", "web/client/node_modules/a.go", "package a\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			findings, _, err := review(fstest.MapFS{tt.file: {Data: []byte(tt.text)}})
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case tt.want == "" && len(findings) > 0:
				t.Errorf("found %q", findings)
			case tt.want != "" && (len(findings) != 1 || !strings.Contains(findings[0], tt.want)):
				t.Errorf("found %q, want %q", findings, tt.want)
			}
		})
	}
}
