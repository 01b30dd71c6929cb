package house

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"
)

// checklist is the page that defines the codes of the requirements: two letters and a number.
const checklist = "docs/checklist.md"

var (
	link      = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	quoted    = regexp.MustCompile("`([^`\n]+)`")
	heading   = regexp.MustCompile(`(?m)^#{1,6} +(.+?) *$`)
	fence     = regexp.MustCompile("(?ms)^ *```.*?^ *```")
	testName  = regexp.MustCompile(`^(Test|Fuzz|Benchmark|Example)[A-Z0-9_]\w*$`)
	fileName  = regexp.MustCompile(`^(\./)?[\w.*-]+(/[\w.*-]+)*\.(go|ts|templ|sql|md|css|svg|yml)$`)
	inComment = regexp.MustCompile(`(?:^|[^\w./…-])([a-z0-9_][a-z0-9_.*-]*(?:/[a-z0-9_.*-]+)*\.(?:go|ts|templ|sql|md))\b`)
	docPath   = regexp.MustCompile(`\bdocs/[\w/.-]+\.md\b(?:#[\w-]+)?`)
	code      = regexp.MustCompile(`\b(?:SO|KA|IG|FF|MO|BE)\d{1,2}\b`)
	codes     = regexp.MustCompile(`[Cc]hecklist\s+(?:SO|KA|IG|FF|MO|BE)\d{1,2}(?:(?:, and|,| and)\s+(?:SO|KA|IG|FF|MO|BE)\d{1,2})*\b`)
	row       = regexp.MustCompile(`(?m)^\| ((?:SO|KA|IG|FF|MO|BE)\d{1,2}) \|.*\| (.*) \|$`)
	goName    = regexp.MustCompile(`^([a-z]\w*\.)?[A-Z]\w*(\.[A-Z]\w*)*$`)
)

// outside are words by which a text refers to papers outside the repository.
var outside = []string{"§", "../shared"}

// A library is the target of references: the files of a repository, the headings of its pages,
// and the names in its Go code.
type library struct {
	files    map[string]bool            // and folders
	bases    map[string]bool            // the names of files, without their folders
	headings map[string]map[string]bool // by page
	tests    map[string]bool
	names    map[string]bool // package.Name, Type.Method and Type.Field
	owners   map[string]bool // packages and types: the name before the dot
	rows     map[string]bool // codes of the checklist
	pages    map[string]string
	comments map[string]string // by file; of other files than Go, the whole text
}

// readLibrary reads a repository.
func readLibrary(repository fs.FS) (*library, error) {
	l := &library{
		files: map[string]bool{".": true}, bases: map[string]bool{}, headings: map[string]map[string]bool{}, tests: map[string]bool{},
		names: map[string]bool{}, owners: map[string]bool{}, rows: map[string]bool{}, pages: map[string]string{}, comments: map[string]string{},
	}
	err := fs.WalkDir(repository, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{"node_modules", "bin", "var", ".git", "build"}, d.Name()) {
			return fs.SkipDir
		}
		l.files[name] = true
		if d.IsDir() {
			return nil
		}
		l.bases[path.Base(name)] = true
		text, err := fs.ReadFile(repository, name)
		if err != nil {
			return err
		}
		switch path.Ext(name) {
		case ".md":
			l.pages[name] = string(text)
			l.headings[name] = slugs(string(text))
		case ".go":
			return l.readGo(name, text)
		case ".ts", ".sql", ".css", ".templ", ".svg", ".yml":
			l.comments[name] = string(text)
		}
		return nil
	})
	for _, found := range row.FindAllStringSubmatch(l.pages[checklist], -1) {
		l.rows[found[1]] = true
	}
	return l, err
}

// slugs returns the anchors of a page's headings, as GitHub makes them.
func slugs(page string) map[string]bool {
	all := map[string]bool{}
	for _, found := range heading.FindAllStringSubmatch(fence.ReplaceAllString(page, ""), -1) {
		slug := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, link.ReplaceAllString(found[1], ""))
		for n, unique := 1, slug; ; n++ {
			if !all[unique] {
				all[unique] = true
				break
			}
			unique = fmt.Sprintf("%s-%d", slug, n)
		}
	}
	return all
}

// dangling lists the references of a repository to missing targets.
func dangling(repository fs.FS) ([]string, error) {
	l, err := readLibrary(repository)
	if err != nil {
		return nil, err
	}
	var findings []string
	for name, page := range l.pages {
		for _, what := range l.inPage(name, page) {
			findings = append(findings, name+": "+what)
		}
	}
	for name, text := range l.comments {
		for _, what := range l.inComments(name, text) {
			findings = append(findings, name+": "+what)
		}
	}
	for _, found := range row.FindAllStringSubmatch(l.pages[checklist], -1) {
		if shown := found[2]; !strings.Contains(shown, "`") && !strings.Contains(shown, "not yet") && !strings.Contains(shown, "not applicable") {
			findings = append(findings, fmt.Sprintf("%s: %s names no test, and does not say \"not yet\"", checklist, found[1]))
		}
	}
	slices.Sort(findings)
	return slices.Compact(findings), nil
}

// inPage lists the references of a page to missing targets.
func (l *library) inPage(name, page string) (missing []string) {
	text := fence.ReplaceAllString(page, "")
	for _, found := range link.FindAllStringSubmatch(text, -1) {
		if target := found[1]; !strings.Contains(target, ":") && !l.leads(name, target) {
			missing = append(missing, "the link to "+target+" leads nowhere")
		}
	}
	for _, found := range quoted.FindAllStringSubmatch(link.ReplaceAllString(text, "]"), -1) {
		if why := l.quotes(path.Dir(name), found[1]); why != "" {
			missing = append(missing, why)
		}
	}
	if name != checklist {
		missing = append(missing, l.codesOf(page)...)
	}
	return append(missing, outsiders(page)...)
}

// quotes checks a text between backticks. It returns a complaint if the text names a missing
// file, test or name of the code, else "".
func (l *library) quotes(folder, text string) string {
	switch top, _, deep := strings.Cut(text, "/"); {
	case testName.MatchString(text):
		if !l.tests[text] {
			return "there is no " + text
		}
	case fileName.MatchString(text):
		if !pattern(text) && !l.hasFile(folder, text) {
			return "there is no file " + text
		}
	case deep && l.files[top] && top != "." && regexp.MustCompile(`^[\w./-]+$`).MatchString(text):
		if !l.files[path.Clean(text)] {
			return "there is no " + text
		}
	case goName.MatchString(text):
		parts := strings.Split(text, ".")
		for i, part := range parts[1:] {
			if before := parts[i]; l.owners[before] && (len(part) == 1 || part != strings.ToUpper(part)) && !l.names[before+"."+part] {
				return "the code has no " + text
			}
		}
	}
	return ""
}

// pattern reports whether the name of a file stands for many, as NOUN_VERB.go does.
func pattern(name string) bool {
	base := path.Base(name)
	return path.Ext(base) != ".md" && base != strings.ToLower(base)
}

// leads reports whether a link of a page leads to something.
func (l *library) leads(page, target string) bool {
	file, anchor, deep := strings.Cut(target, "#")
	to := path.Join(path.Dir(page), file)
	if file == "" {
		to = page
	}
	return l.files[to] && (!deep || l.headings[to][anchor])
}

// hasFile reports whether the path names a file: from the repository's root, from a folder or,
// if it is a bare name, anywhere.
func (l *library) hasFile(folder, name string) bool {
	if strings.Contains(name, "*") {
		for file := range l.files {
			for _, pattern := range []string{path.Clean(name), path.Join(folder, name)} {
				if ok, err := path.Match(pattern, file); ok && err == nil {
					return true
				}
			}
		}
		return false
	}
	return l.files[path.Clean(name)] || l.files[path.Join(folder, name)] || !strings.Contains(name, "/") && l.bases[name]
}

// inComments lists the references in the comments of a file to something that does not exist.
func (l *library) inComments(name, text string) (missing []string) {
	for _, target := range docPath.FindAllString(text, -1) {
		if !l.leads("README.md", target) {
			missing = append(missing, "there is no "+target)
		}
	}
	if path.Ext(name) == ".go" {
		for _, found := range inComment.FindAllStringSubmatch(text, -1) {
			if file := found[1]; !l.hasFile(path.Dir(name), file) {
				missing = append(missing, "there is no file "+file)
			}
		}
	}
	return append(append(missing, l.codesOf(text)...), outsiders(text)...)
}

// codesOf lists the codes in a text that the checklist lacks, and codes without a reference to
// the checklist.
func (l *library) codesOf(text string) (wrong []string) {
	for _, cited := range codes.FindAllString(text, -1) {
		for _, one := range code.FindAllString(cited, -1) {
			if !l.rows[one] {
				wrong = append(wrong, checklist+" has no "+one)
			}
		}
	}
	for _, alone := range code.FindAllString(codes.ReplaceAllString(text, ""), -1) {
		wrong = append(wrong, fmt.Sprintf("%s does not say whose it is: write \"checklist %s\"", alone, alone))
	}
	return wrong
}

func outsiders(text string) (found []string) {
	for _, word := range outside {
		if strings.Contains(text, word) {
			found = append(found, "speaks of a paper that is not here: "+word)
		}
	}
	return found
}

func TestReferencesLeadSomewhere(t *testing.T) {
	t.Parallel()
	findings, err := dangling(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range findings {
		t.Error(finding)
	}
}

func TestDanglingFinds(t *testing.T) {
	t.Parallel()
	const goFile = "// Package a is.\npackage a\n\n// T is.\ntype T struct {\n\tField int\n}\n\n// M does.\nfunc (T) M() {}\n"
	for _, tt := range []struct {
		name, file, text string
		want             string // part of the only finding; none if empty
	}{
		{"a link", "docs/p.md", "see [q](q.md) and [up](../README.md)", ""},
		{"a link to a heading", "docs/p.md", "[q](q.md#what-is-it)", ""},
		{"a link to a site", "docs/p.md", "[q](https://example.org/no.md)", ""},
		{"a link to nothing", "docs/p.md", "[q](r.md)", "leads nowhere"},
		{"a link to a heading that is not there", "docs/p.md", "[q](q.md#what)", "leads nowhere"},
		{"a link out of the repository", "docs/p.md", "[q](../../q.md)", "leads nowhere"},
		{"a link in a block of code", "docs/p.md", "```\n[q](r.md)\n```\n", ""},
		{"a file", "docs/p.md", "`a/a.go`, `a.go`, `q.md` and `a/*.go`", ""},
		{"a file that is not there", "docs/p.md", "`a/b.go`", "no file a/b.go"},
		{"a file by its bare name that is not there", "docs/p.md", "`b.go`", "no file b.go"},
		{"a folder", "docs/p.md", "`docs/q.md` in `a`", ""},
		{"a folder that is not there", "docs/p.md", "`a/b`", "no a/b"},
		{"a path of the site", "docs/p.md", "`/a/b.json`", ""},
		{"a test", "docs/p.md", "`TestA`", ""},
		{"a test that is not there", "docs/p.md", "`TestB`", "no TestB"},
		{"a name of the code", "docs/p.md", "`a.T`, `T.M`, `a.T.Field`", ""},
		{"a name that the code does not have", "docs/p.md", "`a.U`", "no a.U"},
		{"a name of another's code", "docs/p.md", "`http.Client` and `a.NAME`", ""},
		{"a file that stands for many", "docs/p.md", "`NOUN_VERB.go`", ""},
		{"a method that the code does not have", "docs/p.md", "`T.N`", "no T.N"},
		{"a code", "docs/p.md", "checklist FF1, and checklist FF1 and FF2", ""},
		{"a code that is not there", "docs/p.md", "checklist FF9", "has no FF9"},
		{"a code alone", "docs/p.md", "see FF1", "whose it is"},
		{"a paper", "docs/p.md", "as §3 says", "not here"},
		{"a comment", "a/b.go", "package a\n\n// See docs/q.md#what-is-it, a.go, checklist FF1,\n// FF2.\n", ""},
		{"a comment on a page that is not there", "a/b.go", "package a\n\n// See docs/r.md.\n", "no"},
		{"a comment on a heading that is not there", "a/b.go", "package a\n\n// See docs/q.md#no.\n", "no docs/q.md#no"},
		{"a comment on a file that is not there", "a/b.go", "package a\n\n// See c.go.\n", "no file c.go"},
		{"a comment with an address and a pattern", "a/b.go", "package a\n\n// See https://pkg.go.dev/a and NOUN_VERB_form.go, http_….go.\n", ""},
		{"a comment with a code alone", "a/b.go", "package a\n\nvar x = 1 // FF1\n", "whose it is"},
		{"a string", "a/b.go", "package a\n\nvar x = \"docs/r.md FF1 c.go\"\n", ""},
		{"a comment of TypeScript", "a/b.ts", "// docs/r.md\n", "no docs/r.md"},
		{"a row without a test", checklist, "| FF1 | that | not yet |\n| FF2 | it is so | surely |\n", "names no test"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			files := fstest.MapFS{
				"README.md": {}, "docs/q.md": {Data: []byte("# What *is* it?\n")}, "a/a.go": {Data: []byte(goFile)},
				"a/a_test.go": {Data: []byte("package a\n\nimport \"testing\"\n\nfunc TestA(*testing.T) {}\n")},
				checklist:     {Data: []byte("| FF1 | that | not yet |\n| FF2 | it is so | `TestA` |\n")},
			}
			files[tt.file] = &fstest.MapFile{Data: []byte(tt.text)}
			findings, err := dangling(files)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case tt.want == "" && len(findings) > 0:
				t.Errorf("found %q", findings)
			case tt.want != "" && (len(findings) == 0 || len(findings) > 2 || !strings.Contains(findings[0], tt.want)):
				t.Errorf("found %q, want %q", findings, tt.want)
			}
		})
	}
}
