package timeline

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryMethodWrapsItsError reads the source: an exported method of Store or
// Snapshot that takes a context talks to the primary, and begins by deferring wrap
// on its own error.
func TestEveryMethodWrapsItsError(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	methods := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, is := decl.(*ast.FuncDecl)
			if !is || f.Recv == nil || !f.Name.IsExported() || !asksPrimary(f) {
				continue
			}
			if methods++; !wraps(f) {
				t.Errorf("%s: %s does not begin with defer wrap(&err, …)", name, f.Name.Name)
			}
		}
	}
	if methods < 100 {
		t.Errorf("found only %d methods", methods)
	}
}

// asksPrimary reports whether a method is one of Store or Snapshot that takes a
// context and returns an error.
func asksPrimary(f *ast.FuncDecl) bool {
	pointer, is := f.Recv.List[0].Type.(*ast.StarExpr)
	if !is || f.Type.Results == nil || len(f.Type.Params.List) == 0 {
		return false
	}
	receiver, is := pointer.X.(*ast.Ident)
	if !is || receiver.Name != "Store" && receiver.Name != "Snapshot" {
		return false
	}
	first, is := f.Type.Params.List[0].Type.(*ast.SelectorExpr)
	results := f.Type.Results.List
	last, isName := results[len(results)-1].Type.(*ast.Ident)
	return is && first.Sel.Name == "Context" && isName && last.Name == "error"
}

// wraps reports whether the first statement of a method defers wrap on the
// method's last result.
func wraps(f *ast.FuncDecl) bool {
	results := f.Type.Results.List
	names := results[len(results)-1].Names
	deferred, is := f.Body.List[0].(*ast.DeferStmt)
	if !is || len(names) == 0 || len(deferred.Call.Args) < 2 {
		return false
	}
	called, isName := deferred.Call.Fun.(*ast.Ident)
	address, isAddress := deferred.Call.Args[0].(*ast.UnaryExpr)
	if !isName || !isAddress || called.Name != "wrap" || address.Op != token.AND {
		return false
	}
	of, is := address.X.(*ast.Ident)
	return is && of.Name == names[len(names)-1].Name
}
