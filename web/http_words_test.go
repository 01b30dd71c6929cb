package web

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"amstel.dev/amstel/web/catalogue"
)

// TestEveryCodeHasItsSentence reads the source of all packages that refuse input, and compares
// their codes with the table, in both directions.
func TestEveryCodeHasItsSentence(t *testing.T) {
	t.Parallel()
	used := map[string]string{} // where each code is used, one place
	for _, root := range []string{"../timeline", "../river", "../internal/intake", "."} {
		for code, at := range codesOfInput(t, root) {
			used[code] = at
		}
	}
	for code, at := range used {
		if wrongSentences[code] == nil {
			t.Errorf("%s: the code %q has no sentence in wrongSentences", at, code)
		}
	}
	for code := range wrongSentences {
		if used[code] == "" {
			t.Errorf("no input is refused with the code %q of wrongSentences", code)
		}
	}
}

// codesOfInput returns the codes of all InvalidErrors in the source below a directory,
// each with the place of one use.
func codesOfInput(t *testing.T, root string) map[string]string {
	t.Helper()
	codes := map[string]string{}
	files := token.NewFileSet()
	note := func(value ast.Expr) {
		switch value := value.(type) {
		case *ast.BasicLit:
			if code, err := strconv.Unquote(value.Value); err == nil {
				codes[code] = files.Position(value.Pos()).String()
			}
		case *ast.Ident:
			if value.Name != "code" { // the parameter of query.Invalid, whose calls are checked too
				t.Errorf("%s: the code of an InvalidError is not a constant string", files.Position(value.Pos()))
			}
		default:
			t.Errorf("%s: the code of an InvalidError is not a constant string", files.Position(value.Pos()))
		}
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "client":
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "_templ.go"):
			return nil
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				literals := []ast.Expr{n}
				if list, ok := n.Type.(*ast.ArrayType); ok && lastName(list.Elt) == "InvalidError" {
					literals = n.Elts // literals without a type
				} else if lastName(n.Type) != "InvalidError" {
					break
				}
				for _, literal := range literals {
					noteCode(literal, note)
				}
			case *ast.CallExpr:
				if lastName(n.Fun) == "Invalid" && len(n.Args) == 3 { // reason, code, name
					note(n.Args[1])
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return codes
}

// noteCode calls note with the field Code of a literal, if the literal sets it.
func noteCode(literal ast.Expr, note func(ast.Expr)) {
	fields, ok := literal.(*ast.CompositeLit)
	if !ok {
		return
	}
	for _, field := range fields.Elts {
		if field, ok := field.(*ast.KeyValueExpr); ok && lastName(field.Key) == "Code" {
			note(field.Value)
		}
	}
}

// lastName returns the name of a type or field, without its package and its star.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return lastName(e.X)
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

func TestEveryFailureHasItsSentence(t *testing.T) {
	t.Parallel()
	for _, row := range failures {
		if row.inPage == nil {
			t.Errorf("the failure %q has no sentence", row.code)
			continue
		}
		english, russian := row.inPage(catalogue.English), row.inPage(catalogue.Russian)
		if english == "" || russian == "" || english == russian {
			t.Errorf("the failure %q is %q in English and %q in Russian", row.code, english, russian)
		}
		if told := explain(row.err); told.Code != row.code || told.Sentence != english {
			t.Errorf("%v is told as %q, %q: want %q, %q", row.err, told.Code, told.Sentence, row.code, english)
		}
	}
}
