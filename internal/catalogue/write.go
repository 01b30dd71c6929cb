package catalogue

import (
	"bytes"
	"fmt"
	"go/format"
	"slices"
	"strconv"
	"strings"
)

// Go returns the source of the methods that say the sentences.
func Go(all []Messages) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("// Code generated from the catalogues by go generate; DO NOT EDIT.\n\npackage catalogue\n")
	for _, key := range all[0].Keys() {
		if key.Table != ClientTable {
			goMethod(&b, key, all)
		}
	}
	return format.Source(b.Bytes())
}

func goMethod(b *bytes.Buffer, key Key, all []Messages) {
	first := all[0][key]
	s := shapeOf(first)
	var params, slots []string
	result := "string"
	for _, g := range s.gaps {
		switch {
		case isNumber(g):
			params = append(params, "n int")
		case strings.HasSuffix(g, "*"):
			slots, result = append(slots, g), "Filled"
		default:
			params = append(params, g+" string")
		}
	}
	if s.links > 0 {
		result = "Linked"
	}
	if first.List != nil {
		params = []string{"i int"}
	}
	say := first.Text
	switch {
	case first.Forms != nil:
		say = first.Forms["other"]
	case first.List != nil:
		say = strings.Join(first.List, ", ")
	}
	fmt.Fprintf(b, "\n// %s says %q.\nfunc (l Language) %s(%s) %s {\n", key.Method(), say, key.Method(), strings.Join(params, ", "), result)
	for i := len(all) - 1; i >= 0; i-- {
		m := all[i][key]
		if i > 0 {
			fmt.Fprintf(b, "if l == %s {\n", Languages[i].Name)
		}
		switch {
		case m.List != nil:
			fmt.Fprintf(b, "return [...]string{%s}[i]\n", quoted(m.List))
		case m.Forms != nil:
			forms := Languages[i].Forms
			fmt.Fprintf(b, "switch %s(n) {\n", Languages[i].Code+"Form")
			for _, form := range forms[:len(forms)-1] {
				fmt.Fprintf(b, "case %s: return %s\n", form, goText(m.Forms[form], result, slots))
			}
			fmt.Fprintf(b, "}\nreturn %s\n", goText(m.Forms[forms[len(forms)-1]], result, slots))
		default:
			fmt.Fprintf(b, "return %s\n", goText(m.Text, result, slots))
		}
		if i > 0 {
			b.WriteString("}\n")
		}
	}
	b.WriteString("}\n")
}

func quoted(texts []string) string {
	all := make([]string, len(texts))
	for i, t := range texts {
		all[i] = strconv.Quote(t)
	}
	return strings.Join(all, ", ")
}

// goText returns a text as an expression. The gap of an element is a character with no other
// use, one for each number.
func goText(text, result string, slots []string) string {
	var parts []string
	plain := ""
	at := 0
	for _, found := range gap.FindAllStringSubmatchIndex(text, -1) {
		plain += text[at:found[0]]
		at = found[1]
		name, element := text[found[2]:found[3]], found[4] != found[5]
		if element {
			plain += string(rune(1 + slices.Index(slots, name+"*")))
			continue
		}
		if plain != "" {
			parts = append(parts, strconv.Quote(plain))
			plain = ""
		}
		if isNumber(name) {
			name = "l.Number(n)"
		}
		parts = append(parts, name)
	}
	if plain += text[at:]; plain != "" {
		parts = append(parts, strconv.Quote(plain))
	}
	joined := strings.Join(parts, " + ")
	if result != "string" {
		return result + "(" + joined + ")"
	}
	return joined
}

// ofClient reports whether the script of the pages says a sentence.
func ofClient(k Key) bool { return k.Table == ClientTable || k.Table == SharedTable }

// Property returns the name of a sentence in the script of the pages: tooMany of
// client.too_many, and audienceGain of audience.gain.
func (k Key) Property() string {
	name := strings.TrimPrefix(k.Method(), Key{Table: ClientTable}.Method())
	return strings.ToLower(name[:1]) + name[1:]
}

// TypeScript returns the module of a language's sentences for the script of the
// pages.
func TypeScript(all []Messages, language int) []byte {
	var b bytes.Buffer
	b.WriteString("// Made from the catalogues by go generate; not to be edited.\n\n")
	b.WriteString("import { plural } from \"./plural.js\";\n\n")
	l := Languages[language]
	fmt.Fprintf(&b, "export const %s = {\n", l.Code)
	for _, key := range all[0].Keys() {
		if !ofClient(key) {
			continue
		}
		m, name := all[language][key], key.Property()
		var params []string
		for _, g := range shapeOf(all[0][key]).gaps {
			if isNumber(g) {
				params = append(params, "n: number")
			} else {
				params = append(params, g+": string")
			}
		}
		switch {
		case m.Forms != nil:
			var forms []string
			for _, form := range l.Forms {
				forms = append(forms, form+": "+tsText(m.Forms[form]))
			}
			fmt.Fprintf(&b, "\t%s: (%s): string => plural(\"%s\", n, { %s }),\n", name, strings.Join(params, ", "), l.Code, strings.Join(forms, ", "))
		case len(params) > 0:
			fmt.Fprintf(&b, "\t%s: (%s): string => %s,\n", name, strings.Join(params, ", "), tsText(m.Text))
		default:
			fmt.Fprintf(&b, "\t%s: %s as string,\n", name, tsText(m.Text))
		}
	}
	b.WriteString("};\n")
	return b.Bytes()
}

// tsText returns a text as a literal, or as a template if it has gaps.
func tsText(text string) string {
	if !gap.MatchString(text) {
		return strconv.Quote(text)
	}
	return "`" + gap.ReplaceAllString(strings.NewReplacer("`", "\\`", "$", "\\$").Replace(text), "$${$1}") + "`"
}
