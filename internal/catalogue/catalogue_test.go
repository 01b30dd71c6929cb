package catalogue_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	templ "github.com/a-h/templ/parser/v2"

	"amstel.dev/amstel/internal/catalogue"
)

const folder = "../../web/catalogue"

func read(t *testing.T) []catalogue.Messages {
	t.Helper()
	all, err := catalogue.Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestCataloguesSayTheSameInAllLanguages(t *testing.T) {
	t.Parallel()
	if n := len(read(t)[0]); n < 500 {
		t.Errorf("%d sentences: these are not the site's", n)
	}
}

func TestCheckFindsWhatIsMissing(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ en, ru, want string }{
		"a sentence":        {"a = \"A\"\nb = \"B\"", "a = \"А\"", "t.b is missing"},
		"one too many":      {`a = "A"`, "a = \"А\"\nb = \"Б\"", "t.b is not in en"},
		"a plural form":     {`a = {one = "{n} a", other = "{n} as"}`, `a = {one = "{n}", many = "{n}"}`, "plural forms [many one]"},
		"another form":      {`a = {one = "{n} a", other = "{n} as"}`, `a = {one = "{n}", few = "{n}", many = "{n}", other = "{n}"}`, "plural forms"},
		"no plural":         {`a = {one = "{n} a", other = "{n} as"}`, `a = "а"`, "another shape"},
		"a gap":             {`a = "by {who}"`, `a = "автор"`, "gaps"},
		"an element":        {`a = "by {who*}"`, `a = "автор {who}"`, "gaps"},
		"a link":            {`a = "[Sign in] now"`, `a = "Войдите"`, "0 links, not 1"},
		"a text":            {`a = "A"`, `a = " "`, "empty text"},
		"a part of a list":  {`a = ["A", "B"]`, `a = ["А"]`, "another shape"},
		"a gap that is one": {`a = "A"`, `a = "{А}"`, "a brace that is no gap"},
	} {
		var all []catalogue.Messages
		for _, source := range []string{tt.en, tt.ru} {
			one, err := catalogue.Parse("[t]\n" + source)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, one)
		}
		if err := catalogue.Check(all); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

func TestCodeIsWhatTheCataloguesMake(t *testing.T) {
	t.Parallel()
	all := read(t)
	methods, err := catalogue.Go(all)
	if err != nil {
		t.Fatal(err)
	}
	same(t, folder+"/messages_gen.go", methods)
	for i, l := range catalogue.Languages {
		same(t, "../../web/client/src/words/"+l.Code+".ts", catalogue.TypeScript(all, i))
	}
}

func same(t *testing.T, path string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the catalogues make; run make generate", path)
	}
}

// sources calls a function with each file below a folder that has this ending.
func sources(t *testing.T, below, ending string, each func(path, source string)) {
	t.Helper()
	err := filepath.WalkDir(below, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "node_modules" {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ending) || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		each(path, string(source))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// readable are the folders with the pages and the mails.
var readable = []string{"../../web", "../mail"}

func TestEverySentenceIsSaid(t *testing.T) {
	t.Parallel()
	var pages, client strings.Builder
	for _, below := range readable {
		for _, ending := range []string{".templ", ".go"} {
			sources(t, below, ending, func(path, source string) {
				if !strings.HasSuffix(path, "_templ.go") && filepath.Base(path) != "messages_gen.go" {
					pages.WriteString(source)
				}
			})
		}
	}
	sources(t, "../../web/client/src", ".ts", func(path, source string) {
		if filepath.Base(filepath.Dir(path)) != "words" {
			client.WriteString(source)
		}
	})
	for _, key := range read(t)[0].Keys() {
		if key.Table != catalogue.ClientTable && !said(pages.String(), key.Method()) {
			t.Errorf("%s is said by no page or mail: delete it", key)
		}
		if (key.Table == catalogue.ClientTable || key.Table == catalogue.SharedTable) && !said(client.String(), key.Property()) {
			t.Errorf("%s is not said by the script of the pages: delete it", key)
		}
	}
}

func said(source, name string) bool {
	return regexp.MustCompile(`\.` + name + `\b`).MatchString(source)
}

// allowed are texts of templates that are the same in all languages.
var allowed = []string{"Amstel"}

// shown are the attributes with values that people read or hear.
var shown = []string{"aria-label", "title", "placeholder", "alt"}

func TestTemplatesHaveNoSentencesOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, below := range readable {
		sources(t, below, ".templ", func(path, source string) {
			for _, text := range literals(t, path, source) {
				t.Errorf("%s has a text of its own, %q: put it into the catalogues", path, text)
			}
		})
	}
}

func TestLiteralsOfTemplatesAreFound(t *testing.T) {
	t.Parallel()
	const source = `package page

templ a(words W) {
	<p aria-label="One">Two <b title={ "Three" }>{ words.Fine() }</b> Amstel</p>
	if x {
		<input placeholder={ "Four " + name } type="text" name="five"/>
	}
	@fieldOf(field{Label: "Six", Name: "user[seven]", Class: "link danger"})
	<details><summary>{ "and eight " }</summary></details>
	for _, c := range all {
		@menu("Nine") {
			<i>Ten</i>
		}
	}
	switch x {
		case "a":
			<em>Eleven</em>
	}
}
`
	want := []string{"Eleven", "Four ", "Nine", "One", "Six", "Ten", "Three", "Two", "and eight "}
	got := literals(t, "a.templ", source)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// literals returns the texts in a template that people would read.
func literals(t *testing.T, path, source string) []string {
	t.Helper()
	file, err := templ.ParseString(source)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	var found []string
	add := func(text string) {
		if strings.ContainsFunc(text, unicode.IsLetter) && !slices.Contains(allowed, strings.TrimSpace(text)) {
			found = append(found, text)
		}
	}
	var walk func(nodes []templ.Node)
	walk = func(nodes []templ.Node) {
		for _, node := range nodes {
			switch n := node.(type) {
			case *templ.Text:
				add(strings.TrimSpace(strings.ReplaceAll(n.Value, "Amstel", "")))
			case *templ.StringExpression:
				for _, text := range goLiterals(n.Expression.Value) {
					add(text)
				}
			case *templ.Element:
				for _, attribute := range n.Attributes {
					switch a := attribute.(type) {
					case *templ.ConstantAttribute:
						if slices.Contains(shown, a.Key.String()) {
							add(a.Value)
						}
					case *templ.ExpressionAttribute:
						if slices.Contains(shown, a.Key.String()) {
							for _, text := range goLiterals(a.Expression.Value) {
								add(text)
							}
						}
					}
				}
			case *templ.TemplElementExpression:
				for _, text := range goLiterals(n.Expression.Value) {
					if sentence.MatchString(text) {
						add(text)
					}
				}
			case *templ.CallTemplateExpression:
				for _, text := range goLiterals(n.Expression.Value) {
					if sentence.MatchString(text) {
						add(text)
					}
				}
			case *templ.IfExpression:
				walk(n.Then)
				for _, other := range n.ElseIfs {
					walk(other.Then)
				}
				walk(n.Else)
			case *templ.SwitchExpression:
				for _, c := range n.Cases {
					walk(c.Children)
				}
			}
			if parent, is := node.(templ.CompositeNode); is {
				switch node.(type) {
				case *templ.IfExpression, *templ.SwitchExpression:
				default:
					walk(parent.ChildNodes())
				}
			}
		}
	}
	for _, node := range file.Nodes {
		if template, is := node.(*templ.HTMLTemplate); is {
			walk(template.Children)
		}
	}
	return found
}

// goLiterals returns the string literals of a Go expression.
func goLiterals(expression string) []string {
	parsed, err := parser.ParseExpr(expression)
	if err != nil {
		return nil // as of a call with a block
	}
	return literalsOf(parsed, nil)
}

// literalsOf returns the string literals below a node, except those that skip chooses.
func literalsOf(below ast.Node, skip func(ast.Node) bool) (found []string) {
	ast.Inspect(below, func(node ast.Node) bool {
		if node != nil && skip != nil && skip(node) {
			return false
		}
		if literal, is := node.(*ast.BasicLit); is && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil {
				found = append(found, text)
			}
		}
		return true
	})
	return found
}

// sentence matches a text that looks like words for people: a capital letter and then small
// ones, or two words with a small letter in each.
var sentence = regexp.MustCompile(`^\p{Lu}\p{Ll}+([ .,:?!…’']|$)|^[\p{Ll}' ]*\p{Ll}{2,} \p{Ll}{3,} \p{Ll}{2,}|\p{Cyrillic}`)

// programs are the calls and fields with texts for logs, for programs, or for the API,
// which is in English.
var programs = regexp.MustCompile(`^(New|Errorf|panic|Log|DebugContext|ErrorContext|WarnContext|InfoContext|Debug|Info|Warn|Error|Get|Set|Del|Add|Sprintf|Fprintf|Fprint|Query|Exec|QueryRow|InvalidError|failure|failures|sentence|Cut|HasPrefix|HasSuffix|Contains|Values|Post|Patch|Delete|Put|Head|MustCompile)$`)

func TestGoOfPagesHasNoSentencesOfItsOwn(t *testing.T) {
	t.Parallel()
	for _, below := range []string{"../../web/page", "../../web"} {
		sources(t, below, ".go", func(path, source string) {
			if filepath.Dir(path) != below || strings.HasSuffix(path, "_templ.go") || slices.Contains(english, filepath.Base(path)) {
				return
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, source, 0)
			if err != nil {
				t.Fatal(err)
			}
			skip := func(node ast.Node) bool {
				switch n := node.(type) {
				case *ast.ImportSpec, *ast.CaseClause:
					_, is := n.(*ast.ImportSpec)
					return is
				case *ast.CallExpr:
					return programs.MatchString(lastName(n.Fun))
				case *ast.CompositeLit:
					return n.Type != nil && programs.MatchString(lastName(n.Type))
				case *ast.ValueSpec:
					return len(n.Names) == 1 && (n.Names[0].Name == "reason" || programs.MatchString(n.Names[0].Name))
				case *ast.KeyValueExpr:
					key, is := n.Key.(*ast.Ident)
					return is && key.Name == "Class"
				case *ast.AssignStmt:
					return len(n.Lhs) == 1 && lastName(n.Lhs[0]) == "reason"
				case *ast.Field:
					return n.Tag != nil
				}
				return false
			}
			for _, text := range literalsOf(file, skip) {
				if sentence.MatchString(text) && !slices.Contains(names, text) {
					t.Errorf("%s has a text of its own, %q: put it into the catalogues", path, text)
				}
			}
		})
	}
}

// names are words that are the same in all languages: the name of the site, and parts of HTTP.
var names = []string{"Amstel", "Purpose", "Bearer"}

// english are the files with sentences for operators and programs alone.
var english = []string{"node_health.go", "http_error.go"}

// lastName is the last name of an expression: Sprintf of fmt.Sprintf.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}
