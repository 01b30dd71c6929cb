package primary

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const itself = `"amstel.dev/amstel/timeline/internal/primary"`

// TestEveryMethodWrapsItsError reads the source of package timeline, and of each package below it that
// imports package primary. An exported function or method with a context and an error asks the primary,
// so its first statement must defer Wrap on the error.
func TestEveryMethodWrapsItsError(t *testing.T) {
	t.Parallel()
	packages := make(map[string][]*ast.File) // by folder
	using := make(map[string]bool)
	err := filepath.WalkDir("../..", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		folder := filepath.Dir(name)
		packages[folder] = append(packages[folder], file)
		using[folder] = using[folder] || slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == itself })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	methods := 0
	for _, folder := range slices.Sorted(maps.Keys(using)) {
		if !using[folder] {
			continue
		}
		for _, file := range packages[folder] {
			for _, decl := range file.Decls {
				f, is := decl.(*ast.FuncDecl)
				if !is || !f.Name.IsExported() || !asksPrimary(f) {
					continue
				}
				if methods++; !wraps(f) {
					t.Errorf("%s: %s does not begin with defer primary.Wrap(&err, …)", folder, f.Name.Name)
				}
			}
		}
	}
	if methods < 100 {
		t.Errorf("found only %d methods", methods)
	}
}

// asksPrimary reports whether the first parameter of a function is a context, and its last result an error.
// It leaves out functions with a parameter of type Querier: their callers wrap the error.
func asksPrimary(f *ast.FuncDecl) bool {
	if f.Type.Results == nil || len(f.Type.Params.List) == 0 {
		return false
	}
	for _, p := range f.Type.Params.List {
		if of, is := p.Type.(*ast.SelectorExpr); is && of.Sel.Name == "Querier" {
			return false
		}
	}
	first, is := f.Type.Params.List[0].Type.(*ast.SelectorExpr)
	results := f.Type.Results.List
	last, isName := results[len(results)-1].Type.(*ast.Ident)
	return is && first.Sel.Name == "Context" && isName && last.Name == "error"
}

// wraps reports whether the first statement of a function defers primary.Wrap on the
// function's last result.
func wraps(f *ast.FuncDecl) bool {
	results := f.Type.Results.List
	names := results[len(results)-1].Names
	deferred, is := f.Body.List[0].(*ast.DeferStmt)
	if !is || len(names) == 0 || len(deferred.Call.Args) < 2 {
		return false
	}
	called, isSelector := deferred.Call.Fun.(*ast.SelectorExpr)
	address, isAddress := deferred.Call.Args[0].(*ast.UnaryExpr)
	if !isSelector || !isAddress || called.Sel.Name != "Wrap" || address.Op != token.AND {
		return false
	}
	from, isName := called.X.(*ast.Ident)
	of, is := address.X.(*ast.Ident)
	return isName && is && from.Name == "primary" && of.Name == names[len(names)-1].Name
}
