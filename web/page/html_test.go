package page

import (
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"
)

// render is the HTML of a component.
func render(t *testing.T, c templ.Component) string {
	t.Helper()
	var b strings.Builder
	if err := c.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// parse reads HTML as browsers do.
func parse(t *testing.T, source string) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(source))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// all finds the elements that a selector names: simple ones (tag, #id, .class,
// [attr], [attr=value], in any number) with spaces for "somewhere below" and >
// for "child of".
func all(root *html.Node, selector string) []*html.Node {
	found := []*html.Node{root}
	deep := true
	for _, part := range strings.Fields(selector) {
		if part == ">" {
			deep = false
			continue
		}
		var next []*html.Node
		for _, n := range found {
			for _, candidate := range below(n, deep) {
				if fits(candidate, part) && !slices.Contains(next, candidate) {
					next = append(next, candidate)
				}
			}
		}
		found, deep = next, true
	}
	return found
}

// one finds the only element that matches a selector.
func one(t *testing.T, root *html.Node, selector string) *html.Node {
	t.Helper()
	found := all(root, selector)
	if len(found) != 1 {
		t.Fatalf("%d elements are %q, want one", len(found), selector)
	}
	return found[0]
}

func below(n *html.Node, deep bool) []*html.Node {
	var found []*html.Node
	for c := range n.ChildNodes() {
		if c.Type != html.ElementNode {
			continue
		}
		found = append(found, c)
		if deep {
			found = append(found, below(c, true)...)
		}
	}
	return found
}

// fits reports whether an element matches one simple selector.
func fits(n *html.Node, simple string) bool {
	end := strings.IndexAny(simple, "#.[")
	if end < 0 {
		return n.Data == simple
	}
	if end > 0 && n.Data != simple[:end] {
		return false
	}
	for rest := simple[end:]; rest != ""; {
		var this string
		if stop := strings.IndexAny(rest[1:], "#.["); rest[0] == '[' {
			stop = strings.IndexByte(rest, ']')
			this, rest = rest[:stop], rest[stop+1:]
		} else if stop < 0 {
			this, rest = rest, ""
		} else {
			this, rest = rest[:stop+1], rest[stop+1:]
		}
		if !fitsOne(n, this) {
			return false
		}
	}
	return true
}

func fitsOne(n *html.Node, test string) bool {
	switch test[0] {
	case '#':
		return attr(n, "id") == test[1:]
	case '.':
		return slices.Contains(strings.Fields(attr(n, "class")), test[1:])
	}
	name, value, valued := strings.Cut(test[1:], "=")
	return has(n, name) && (!valued || attr(n, name) == strings.Trim(value, `"'`))
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

// words returns the text of an element with its white space folded, including elements that
// screens do not show.
func words(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		switch n.Type {
		case html.TextNode:
			b.WriteString(n.Data)
		case html.ElementNode:
			if n.Data == "br" || n.Data == "p" || n.Data == "li" || n.Data == "div" {
				b.WriteString(" ")
			}
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
	}
	walk(n)
	return strings.Join(strings.Fields(b.String()), " ")
}
