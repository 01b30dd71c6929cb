package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// readGo notes the declarations and comments of a Go file.
func (l *library) readGo(name string, text []byte) error {
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
	if err != nil {
		return err
	}
	var comments strings.Builder
	for _, group := range file.Comments {
		comments.WriteString(group.Text() + "\n")
	}
	l.comments[name] = comments.String()
	pkg := strings.TrimSuffix(file.Name.Name, "_test")
	l.owners[pkg] = true
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if strings.HasSuffix(name, "_test.go") && d.Recv == nil {
				l.tests[d.Name.Name] = true
			}
			l.names[receiver(d, pkg)+"."+d.Name.Name] = true
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				l.readSpec(pkg, spec)
			}
		}
	}
	return nil
}

// receiver names the type of a method, or the package of a function.
func receiver(d *ast.FuncDecl, pkg string) string {
	if d.Recv == nil {
		return pkg
	}
	of := d.Recv.List[0].Type
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
		case *ast.IndexExpr:
			of = t.X
		case *ast.IndexListExpr:
			of = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

// readSpec notes the names of a type with its fields and methods, of constants and
// of variables.
func (l *library) readSpec(pkg string, spec ast.Spec) {
	switch s := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range s.Names {
			l.names[pkg+"."+name.Name] = true
		}
	case *ast.TypeSpec:
		l.owners[s.Name.Name] = true
		l.names[pkg+"."+s.Name.Name] = true
		var fields *ast.FieldList
		switch t := s.Type.(type) {
		case *ast.StructType:
			fields = t.Fields
		case *ast.InterfaceType:
			fields = t.Methods
		default:
			return
		}
		for _, field := range fields.List {
			for _, name := range field.Names {
				l.names[s.Name.Name+"."+name.Name] = true
			}
		}
	}
}
