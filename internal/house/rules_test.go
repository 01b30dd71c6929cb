package house

import (
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strings"
)

const module = "amstel.dev/amstel/"

// mayImport lists, for each tree of packages, the trees of ours that it may import besides
// itself. Imports run downwards only: the package that keeps the truth must not know the package
// that shows it, or neither can be understood, tested or thrown away alone.
var mayImport = map[string][]string{
	// The server's binary has nothing but the server: no bench.
	"cmd/amstel":           {"cmd/internal", "web", "realtime", "river", "timeline", "migrations", "internal/attachment", "internal/backup", "internal/demo", "internal/disk", "internal/export", "internal/filestore", "internal/intake", "internal/metrics", "internal/lockfile", "internal/mail", "internal/pgserver", "internal/picture", "internal/preview", "internal/push"},
	"cmd/amstel-bench":     {"cmd/internal", "realtime", "river", "timeline", "migrations", "realtime/client", "internal/metrics", "internal/pgserver"},
	"cmd/internal":         {"web", "realtime", "river", "timeline", "internal/attachment", "internal/export", "internal/intake", "internal/metrics", "internal/lockfile", "internal/mail", "internal/preview", "internal/push", "internal/turnstile"},
	"web":                  {"realtime", "river", "timeline", "internal/identicon", "internal/picture", "internal/turnstile", "internal/wirejson"},
	"web/address":          {"river", "timeline", "web/cache", "web/catalogue", "web/page"}, // sockets ask it too
	"web/cache":            {},
	"web/quota":            {"timeline"},
	"realtime":             {"river", "timeline", "internal/turnstile", "internal/wirejson"},
	"realtime/client":      {},                    // for programs that are not linked with the server
	"realtime/faye":        {"internal/wirejson"}, // a protocol, independent of the site
	"river":                {"timeline", "internal/turnstile"},
	"timeline":             {},
	"timeline/text":        {}, // pure, as the next: both read typed text, and no database
	"timeline/query":       {"timeline/text"},
	"migrations":           {},
	"internal/attachment":  {"internal/filestore", "internal/picture", "timeline"},
	"internal/audit":       {"timeline"},
	"internal/backup":      {"internal/filestore", "internal/pgserver", "migrations", "timeline"},
	"internal/demo":        {"realtime/client", "timeline"},
	"internal/disk":        {},
	"internal/export":      {"internal/filestore", "timeline"},
	"internal/fetch":       {},
	"internal/filestore":   {"internal/lockfile"},
	"internal/intake":      {"internal/fetch", "internal/workers", "timeline"},
	"internal/lint":        {}, // a separate program, for make lint
	"internal/lockfile":    {},
	"internal/mail":        {"internal/workers", "timeline", "web/catalogue"},
	"internal/metrics":     {"realtime", "river", "timeline/inbox", "web/quota"},
	"internal/mutate":      {}, // a separate program, for scripts/mutate
	"internal/prose":       {}, // a separate program, which counts the vague words of comments
	"internal/screenshots": {}, // a separate program, for make screenshots
	"internal/picture":     {},
	"internal/pgserver":    {"internal/disk", "internal/lockfile"},
	"internal/preview":     {"internal/fetch", "internal/filestore", "internal/picture", "internal/workers", "timeline"},
	"internal/push":        {"internal/fetch", "internal/workers", "timeline", "web/catalogue"},
	"internal/turnstile":   {},
	"internal/wirejson":    {},
	"internal/workers":     {},
	// The second access model shares nothing with the site to which it is compared.
	"internal/plainrule": {},
	"internal/world":     {"timeline"},
	// The access to the primary is below timeline and the packages above timeline.
	"timeline/internal/primary": {"timeline/text"},
}

// fixture reports whether a package is for tests only. Such a package may import any other,
// because no program imports it.
func fixture(pkg string) bool { return within(pkg, "internal") && strings.HasSuffix(pkg, "test") }

// apart are the packages that stand on the one that their tree is named after, and
// that no other of the tree imports.
var apart = []string{"timeline/discover", "timeline/exporter", "timeline/importer", "timeline/ranking"}

// programs are the packages outside cmd that are programs, for the people who change the code.
var programs = []string{"internal/lint", "internal/mutate", "internal/prose", "internal/screenshots", "realtime/client/bot"}

// pure are packages that the import rules bind although their tree is spared.
var pure = []string{"timeline/text", "timeline/query"}

// A ban forbids the import of packages with this prefix of their path, except in some
// trees, for a reason.
type ban struct {
	prefix string
	saveIn []string
	reason string
}

var bans = []ban{
	{"github.com/mattn/go-sqlite3", []string{"river"}, "river is the only one to keep a river DB, so that it may be lost at any time"},
	{"database/sql", []string{"river", "migrations"}, "the primary is read through pgx, and SQLite is river's"},
	{"github.com/jackc/pgx", []string{"cmd", "river", "timeline", "migrations", "internal"}, "pages and sockets ask timeline and river, where the visibility rule is"},
	{"github.com/robfig/cron", []string{"cmd"}, "a package offers its periodic work, and cmd says when it is done"},
	{"github.com/prometheus", []string{"internal/metrics"}, "there is one registry, made in one place, and what is in no label is looked after there"},
	{"flag", append([]string{"cmd"}, programs...), "settings are the command line's, in one struct, and handed down"},
	{"github.com/alecthomas/kong", []string{"cmd"}, "settings are the command line's, in one struct, and handed down"},
	{"log", []string{}, "what is logged goes to the slog.Logger that one is given"},
	{"github.com/stretchr/testify", []string{}, "tests are testing and go-cmp"},
}

// environment are the functions of os that only cmd may call, the programs for people who change
// the code, and the test fixtures, which get no settings.
var environment = []string{"Getenv", "LookupEnv", "Environ", "Args", "Exit"}

// within tells whether a package is in a tree of packages.
func within(pkg, tree string) bool { return pkg == tree || strings.HasPrefix(pkg, tree+"/") }

// treeOf returns the deepest tree of mayImport that contains a package.
func treeOf(pkg string) (string, bool) {
	for tree := pkg; tree != "."; tree = path.Dir(tree) {
		if _, ok := mayImport[tree]; ok {
			return tree, true
		}
	}
	return "", false
}

// badImport returns the fault of an import by a package, or "". Both names are without the
// module's name if they are ours.
func badImport(pkg, imported string) string {
	if ours, ok := strings.CutPrefix(imported, module); ok {
		if fixture(pkg) && !within(ours, "cmd") {
			return ""
		}
		if fixture(ours) {
			return fmt.Sprintf("%s imports %s: that is for tests only", pkg, ours)
		}
		tree, known := treeOf(pkg)
		if !known {
			return fmt.Sprintf("%s is in no tree that mayImport names", pkg)
		}
		if slices.Contains(apart, ours) && within(pkg, path.Dir(ours)) && !within(pkg, ours) {
			return fmt.Sprintf("%s imports %s: nothing of %s does, it stands apart", pkg, ours, path.Dir(ours))
		}
		if within(ours, tree) || slices.ContainsFunc(mayImport[tree], func(t string) bool { return within(ours, t) }) {
			return ""
		}
		return fmt.Sprintf("%s imports %s: %s may import of ours %q only, imports run downwards", pkg, ours, tree, mayImport[tree])
	}
	for _, b := range bans {
		banned := imported == b.prefix || strings.HasPrefix(imported, b.prefix+"/") && strings.Contains(b.prefix, "/")
		spared := !slices.Contains(pure, pkg) && slices.ContainsFunc(b.saveIn, func(t string) bool { return within(pkg, t) })
		if banned && !spared {
			return fmt.Sprintf("%s imports %s: %s", pkg, imported, b.reason)
		}
	}
	return ""
}

// readsEnvironment lists the settings that a file of a package takes from the process instead of
// its caller.
func readsEnvironment(pkg string, file *ast.File) []string {
	if within(pkg, "cmd") || slices.Contains(programs, pkg) || fixture(pkg) {
		return nil
	}
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := selector.X.(*ast.Ident); ok && x.Name == "os" && slices.Contains(environment, selector.Sel.Name) {
			found = append(found, fmt.Sprintf("%s uses os.%s: settings are handed down from cmd", pkg, selector.Sel.Name))
		}
		return true
	})
	return found
}

// inits lists a file's init functions, because a package must do nothing before it is called.
func inits(pkg string, file *ast.File) []string {
	var found []string
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
			found = append(found, pkg+" has an init function: a package does nothing until it is asked to")
		}
	}
	return found
}

const (
	codeLines = 500
	testLines = 800
)

// tooLong returns a complaint if a file is too long to read.
func tooLong(name string, lines int) string {
	most := codeLines
	if strings.HasSuffix(name, "_test.go") {
		most = testLines
	}
	if lines <= most {
		return ""
	}
	return fmt.Sprintf("%s has %d lines, more than %d: it holds more than one noun", name, lines, most)
}
