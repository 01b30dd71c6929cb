package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
)

// A Mutant is one break of the code.
type Mutant struct {
	File   string // from the root of the repository
	Line   int
	Func   string
	Change string // the change, with the source text
	Switch int    // the number that switches it on in the test binary; 1 or above
}

// Key returns a name of the mutant that stays the same when the mutant moves to another line.
func (m Mutant) Key() string { return m.File + " | " + m.Func + " | " + m.Change }

// An edit puts text before and after a part of a file.
type edit struct {
	from, to      int
	before, after string
	number        int // in which order edits of the same part are nested
}

// A maker finds the mutants of a file.
type maker struct {
	file    string
	fset    *token.FileSet
	text    []byte
	first   int // the first switch
	fn      string
	mutants []Mutant
	edits   []edit
	seen    map[string]int
	without func(Mutant) bool // which mutants stay out of the file
	out     bool              // whether the last one stays out
}

// mutantsOf returns the mutants of a file and the file with all of them in it but
// some, each behind its switch; the switches begin with first.
func mutantsOf(file string, text []byte, first int, without func(Mutant) bool) ([]Mutant, []byte, error) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, text, parser.ParseComments)
	if err != nil {
		return nil, nil, err
	}
	m := &maker{file: file, fset: fset, text: text, first: first, seen: make(map[string]int), without: without}
	for _, decl := range parsed.Decls {
		if fn, is := decl.(*ast.FuncDecl); is && fn.Body != nil {
			m.fn = fn.Name.Name
			if fn.Recv != nil && len(fn.Recv.List) > 0 {
				m.fn = strings.TrimPrefix(m.source(fn.Recv.List[0].Type), "*") + "." + m.fn
			}
			m.function(fn.Type, fn.Body)
		}
	}
	return m.mutants, apply(text, m.edits), nil
}

func (m *maker) offset(pos token.Pos) int { return m.fset.Position(pos).Offset }

// source returns the text of a node on one line.
func (m *maker) source(n ast.Node) string {
	text := strings.Join(strings.Fields(string(m.text[m.offset(n.Pos()):m.offset(n.End())])), " ")
	if runes := []rune(text); len(runes) > 100 {
		text = string(runes[:100]) + "…"
	}
	return text
}

// add adds a mutant of a node and returns its switch.
func (m *maker) add(n ast.Node, change string) int {
	key := m.fn + change
	if m.seen[key]++; m.seen[key] > 1 {
		change = fmt.Sprintf("%s (%d)", change, m.seen[key])
	}
	k := m.first + len(m.mutants)
	mutant := Mutant{File: m.file, Line: m.fset.Position(n.Pos()).Line, Func: m.fn, Change: change, Switch: k}
	m.mutants = append(m.mutants, mutant)
	m.out = m.without(mutant)
	return k
}

// wrap adds text around a node.
func (m *maker) wrap(n ast.Node, before, after string) {
	if !m.out {
		m.edits = append(m.edits, edit{m.offset(n.Pos()), m.offset(n.End()), before, after, len(m.edits)})
	}
}

// replace replaces a part of a file by text.
func (m *maker) replace(from token.Pos, length int, text string) {
	if m.out {
		return
	}
	at := m.offset(from)
	m.edits = append(m.edits, edit{at, at + length, text, "\x00", len(m.edits)})
}

// function creates the mutants of a function's body.
func (m *maker) function(kind *ast.FuncType, body *ast.BlockStmt) {
	m.block(body.List, true)
	for _, s := range body.List {
		ast.Inspect(s, m.visit)
	}
	if kind.Results != nil { // compiles without a return
		at := m.offset(body.Rbrace)
		m.edits = append(m.edits, edit{at, at, `; panic("a mutant does not return") `, "", len(m.edits)})
	}
}

// visit makes the mutants of a node other than a list of statements, and visits the lists of
// statements in it.
func (m *maker) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		m.function(n.Type, n.Body)
		return false
	case *ast.BlockStmt:
		m.block(n.List, false)
	case *ast.CaseClause:
		m.block(n.Body, false)
	case *ast.CommClause:
		m.block(n.Body, false)
	case *ast.IfStmt:
		m.negate(n.Cond)
	case *ast.ForStmt:
		m.negate(n.Cond)
	case *ast.SwitchStmt:
		if n.Tag == nil {
			for _, clause := range n.Body.List {
				for _, cond := range clause.(*ast.CaseClause).List {
					m.negate(cond)
				}
			}
		}
	case *ast.BinaryExpr:
		m.binary(n)
	case *ast.ReturnStmt:
		m.flip(n.Results)
	case *ast.AssignStmt:
		m.flip(n.Rhs)
	}
	return true
}

// negate creates the mutant that turns a condition round, unless another mutant does.
func (m *maker) negate(cond ast.Expr) {
	if cond == nil {
		return
	}
	if b, is := cond.(*ast.BinaryExpr); is && (b.Op == token.EQL || b.Op == token.NEQ) {
		return
	}
	k := m.add(cond, "negate "+m.source(cond))
	m.wrap(cond, "((", fmt.Sprintf(") != mutantOn(%d))", k))
}

// flip creates the mutants that swap true and false.
func (m *maker) flip(values []ast.Expr) {
	for _, v := range values {
		if id, is := v.(*ast.Ident); is && (id.Name == "true" || id.Name == "false") {
			k := m.add(v, "flip "+id.Name)
			m.wrap(v, "(", fmt.Sprintf(" != mutantOn(%d))", k))
		}
	}
}

// strictness is the comparison that differs in the equal case, and the helper that chooses
// between the two.
var strictness = map[token.Token][2]string{
	token.LSS: {"<=", "mutantLess"}, token.LEQ: {"<", "mutantLessOrEqual"},
	token.GTR: {">=", "mutantGreater"}, token.GEQ: {">", "mutantGreaterOrEqual"},
}

// binary creates the mutants of an operator, and of a number beside it.
func (m *maker) binary(b *ast.BinaryExpr) {
	m.number(b.X, b.Y)
	m.number(b.Y, b.X)
	switch b.Op {
	case token.LAND, token.LOR:
		other := map[token.Token]string{token.LAND: "||", token.LOR: "&&"}[b.Op]
		k := m.add(b, fmt.Sprintf("%s for %s in %s", other, b.Op, m.source(b)))
		// By De Morgan, a || b is !(!a && !b), so three negations turn one operator into the other.
		m.wrap(b.X, "((", fmt.Sprintf(") != mutantOn(%d))", k))
		m.wrap(b.Y, "((", fmt.Sprintf(") != mutantOn(%d))", k))
		m.wrap(b, "((", fmt.Sprintf(") != mutantOn(%d))", k))
	case token.EQL, token.NEQ:
		other := map[token.Token]string{token.EQL: "!=", token.NEQ: "=="}[b.Op]
		k := m.add(b, fmt.Sprintf("%s for %s in %s", other, b.Op, m.source(b)))
		m.wrap(b, "((", fmt.Sprintf(") != mutantOn(%d))", k))
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		s := strictness[b.Op]
		k := m.add(b, fmt.Sprintf("%s for %s in %s", s[0], b.Op, m.source(b)))
		m.wrap(b, fmt.Sprintf("%s(%d, ", s[1], k), ")")
		m.replace(b.OpPos, len(b.Op.String()), ",")
	}
}

// number creates the mutant of a number beside another operand.
func (m *maker) number(n, beside ast.Expr) {
	lit, is := n.(*ast.BasicLit)
	if _, constant := beside.(*ast.BasicLit); !is || lit.Kind != token.INT || constant {
		return
	}
	k := m.add(n, fmt.Sprintf("%s + 1 beside %s", lit.Value, m.source(beside)))
	m.wrap(n, fmt.Sprintf("mutantNumber(%d, %s, ", k, string(m.text[m.offset(beside.Pos()):m.offset(beside.End())])), ")")
}

// block makes the mutants that drop a statement. It keeps a return at the end of a function, and
// declarations, which other statements need.
func (m *maker) block(list []ast.Stmt, body bool) {
	for i, s := range list {
		var what string
		switch s := s.(type) {
		case *ast.ExprStmt:
			if held(s.X) {
				continue
			}
			what = "drop "
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				continue
			}
			what = "drop "
		case *ast.IncDecStmt, *ast.SendStmt, *ast.GoStmt:
			what = "drop "
		case *ast.ReturnStmt:
			if body && i == len(list)-1 {
				continue
			}
			what = "do not "
		case *ast.BranchStmt:
			what = "do not "
		default:
			continue
		}
		k := m.add(s, what+m.source(s))
		m.wrap(s, fmt.Sprintf("if !mutantOn(%d) { ", k), " }")
	}
}

// held reports whether a call takes or releases a lock. Without that call a test would hang,
// or race, and say nothing about the rules.
func held(call ast.Expr) bool {
	c, is := call.(*ast.CallExpr)
	if !is {
		return false
	}
	s, is := c.Fun.(*ast.SelectorExpr)
	return is && slices.Contains([]string{"Lock", "Unlock", "RLock", "RUnlock"}, s.Sel.Name)
}

// apply applies the edits to the text. An edit of a larger part encloses the edits inside the
// part.
func apply(text []byte, edits []edit) []byte {
	before, after := make(map[int][]edit), make(map[int][]edit)
	skip := make(map[int]int)
	for _, e := range edits {
		before[e.from] = append(before[e.from], e)
		if e.after == "\x00" {
			skip[e.from] = e.to
			continue
		}
		after[e.to] = append(after[e.to], e)
	}
	var out strings.Builder
	for at := 0; at <= len(text); {
		slices.SortStableFunc(after[at], func(a, b edit) int { return cmpInts(b.from-a.from, b.number-a.number) })
		for _, e := range after[at] {
			out.WriteString(e.after)
		}
		slices.SortStableFunc(before[at], func(a, b edit) int { return cmpInts(b.to-a.to, a.number-b.number) })
		for _, e := range before[at] {
			out.WriteString(e.before)
		}
		if to, skips := skip[at]; skips {
			at = to
			continue
		}
		if at < len(text) {
			out.WriteByte(text[at])
		}
		at++
	}
	return []byte(out.String())
}

// cmpInts returns the first of two differences that is not zero.
func cmpInts(a, b int) int {
	if a != 0 {
		return a
	}
	return b
}

// switches returns the source file that is compiled into a package with mutants.
func switches(folder string) []byte {
	return []byte(strings.ReplaceAll(`package PACKAGE

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"sync"
)

var mutants struct {
	once    sync.Once
	on      int
	reached *os.File
	seen    sync.Map
}

func mutantOn(k int) bool {
	m := &mutants
	m.once.Do(func() {
		m.on, _ = strconv.Atoi(os.Getenv("MUTANT"))
		if name := os.Getenv("MUTANTS_REACHED"); name != "" {
			m.reached, _ = os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		}
	})
	if m.reached != nil {
		if _, seen := m.seen.LoadOrStore(k, true); !seen {
			fmt.Fprintln(m.reached, k)
		}
	}
	return m.on == k
}

func mutantLess[T cmp.Ordered](k int, a, b T) bool           { return a < b || mutantOn(k) && a == b }
func mutantLessOrEqual[T cmp.Ordered](k int, a, b T) bool    { return a <= b && !(mutantOn(k) && a == b) }
func mutantGreater[T cmp.Ordered](k int, a, b T) bool        { return a > b || mutantOn(k) && a == b }
func mutantGreaterOrEqual[T cmp.Ordered](k int, a, b T) bool { return a >= b && !(mutantOn(k) && a == b) }

func mutantNumber[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64](k int, _, n T) T {
	if mutantOn(k) {
		return n + 1
	}
	return n
}
`, "PACKAGE", path.Base(folder)))
}
