package house

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// misnamed lists the functions, types, constants and variables of a file that have a doc
// comment without their name at the beginning, after an article at most. Staticcheck asks
// the same of exported names alone. The comment of a group may begin with any word.
func misnamed(name string, file *ast.File) []string {
	var found []string
	check := func(id *ast.Ident, doc *ast.CommentGroup) {
		words := strings.Fields(doc.Text())
		if len(words) > 1 && slices.Contains([]string{"A", "An", "The"}, words[0]) {
			words = words[1:]
		}
		if len(words) > 0 && strings.TrimRight(words[0], ".,:;") != id.Name {
			found = append(found, fmt.Sprintf("%s: the comment of %s begins with %q, not with the name", name, id.Name, words[0]))
		}
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			check(d.Name, d.Doc)
		case *ast.GenDecl:
			if d.Lparen.IsValid() || len(d.Specs) != 1 {
				continue
			}
			switch spec := d.Specs[0].(type) {
			case *ast.TypeSpec:
				check(spec.Name, d.Doc)
			case *ast.ValueSpec:
				if len(spec.Names) == 1 {
					check(spec.Names[0], d.Doc)
				}
			}
		}
	}
	return found
}

// uncommented lists the exported functions, types, constants and variables of a file
// that have no comment. The methods that Go's own interfaces name need none: all of
// them do the same everywhere.
func uncommented(name string, file *ast.File) []string {
	var found []string
	check := func(id *ast.Ident, docs ...*ast.CommentGroup) {
		if id.IsExported() && !slices.ContainsFunc(docs, func(doc *ast.CommentGroup) bool { return doc != nil }) {
			found = append(found, fmt.Sprintf("%s: %s is exported and has no comment", name, id.Name))
		}
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || ast.IsExported(receiver(d, "")) && !slices.Contains([]string{"Error", "Unwrap", "String"}, d.Name.Name) {
				check(d.Name, d.Doc)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					check(s.Name, d.Doc, s.Doc, s.Comment)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						check(id, d.Doc, s.Doc, s.Comment)
					}
				}
			}
		}
	}
	return found
}

// stuttering lists the exported functions and types of a file that begin with the name of their
// package, which a caller would write twice. It spares TimelineID: package timeline has ids of
// six kinds, each named after its noun.
func stuttering(name string, file *ast.File) []string {
	var found []string
	check := func(id *ast.Ident) {
		rest, twice := strings.CutPrefix(strings.ToLower(id.Name), file.Name.Name)
		if twice && rest != "" && id.IsExported() && id.Name != "TimelineID" {
			found = append(found, fmt.Sprintf("%s: a caller writes %s.%s, the package's name twice", name, file.Name.Name, id.Name))
		}
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				check(d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if s, ok := spec.(*ast.TypeSpec); ok {
					check(s.Name)
				}
			}
		}
	}
	return found
}

// elseAfterReturn lists the else branches of a file whose if branch returns: without the else
// they are one step less deep. It spares an if that declares a variable for both branches.
func elseAfterReturn(name string, fset *token.FileSet, file *ast.File) []string {
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		branch, ok := n.(*ast.IfStmt)
		if !ok || branch.Init != nil || branch.Else == nil || len(branch.Body.List) == 0 {
			return true
		}
		if _, block := branch.Else.(*ast.BlockStmt); !block {
			return true
		}
		switch branch.Body.List[len(branch.Body.List)-1].(type) {
		case *ast.ReturnStmt, *ast.BranchStmt:
			found = append(found, fmt.Sprintf("%s:%d: an else after a branch that has left", name, fset.Position(branch.Else.Pos()).Line))
		}
		return true
	})
	return found
}

// documents reports whether a file's comment describes its package.
func documents(file *ast.File) bool {
	text := file.Doc.Text()
	if file.Name.Name == "main" {
		return strings.HasPrefix(text, "Command ")
	}
	return strings.HasPrefix(text, "Package "+file.Name.Name+" ")
}
