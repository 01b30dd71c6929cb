package openapi

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// schemas begins the references to schemas of the document.
const schemas = "#/components/schemas/"

// ref returns a reference to a named schema.
func ref(name string) *object { return newObject("$ref", schemas+name) }

// refs returns references to named schemas.
func refs(names []string) []any {
	all := make([]any, 0, len(names))
	for _, name := range names {
		all = append(all, ref(name))
	}
	return all
}

// readSchema returns the JSON Schema that a part of a source file means.
func readSchema(n *yaml.Node) (*object, error) {
	switch n.Kind {
	case yaml.ScalarNode:
		s, err := readType(n.Value)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n.Line, err)
		}
		return s, nil
	case yaml.MappingNode:
		return readObject(n)
	}
	return nil, fmt.Errorf("line %d: a schema is a type or a mapping", n.Line)
}

// readObject returns the JSON Schema of an object.
func readObject(n *yaml.Node) (*object, error) {
	if raw := under(n, "$raw"); raw != nil {
		schema, err := ordered(raw)
		if err != nil {
			return nil, err
		}
		return schema.(*object), nil
	}
	s := newObject()
	s.setText("description", textUnder(n, "$about"))
	if names := strings.Fields(textUnder(n, "$any")); len(names) > 0 {
		s.set("anyOf", refs(names))
		return s, nil
	}
	s.set("type", "object")
	if names := strings.Fields(textUnder(n, "$all")); len(names) > 0 {
		s.set("allOf", refs(names))
	}
	properties, required := newObject(), []string{}
	for _, m := range membersOf(n) {
		if strings.HasPrefix(m.key, "$") {
			continue
		}
		name, optional := strings.CutSuffix(m.key, "?")
		property, err := readSchema(m.value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		properties.set(name, property)
		if !optional {
			required = append(required, name)
		}
	}
	if len(properties.keys) > 0 {
		s.set("properties", properties)
	}
	if len(required) > 0 {
		s.set("required", required)
	}
	return s, nil
}

// readType returns the JSON Schema of a type, in the form that [the package] describes.
//
// [the package]: https://pkg.go.dev/amstel.dev/amstel/web/openapi
func readType(text string) (*object, error) {
	parts := strings.Split(text, "; ")
	s, err := typeOf(strings.TrimSpace(parts[0]))
	if err != nil {
		return nil, err
	}
	parts = parts[1:]
	if n := len(parts); n > 0 {
		if example, is := strings.CutPrefix(parts[n-1], "e.g. "); is {
			s.set("examples", []any{exampleValue(s, example)})
			parts = parts[:n-1]
		}
	}
	s.setText("description", strings.Join(parts, "; "))
	return s, nil
}

// exampleValue reads an example: as it stands for a text, as JSON for other types.
func exampleValue(s *object, text string) any {
	var value any
	if s.get("type") != "string" && json.Unmarshal([]byte(text), &value) == nil {
		return value
	}
	return text
}

// typeOf returns the JSON Schema of a TYPE, the first part of a type.
func typeOf(text string) (*object, error) {
	if of, is := strings.CutSuffix(text, " or null"); is {
		s, err := typeOf(of)
		if err != nil {
			return nil, err
		}
		return newObject("anyOf", []any{s, newObject("type", "null")}), nil
	}
	word, rest, _ := strings.Cut(text, " ")
	switch word {
	case "text":
		return newObject("type", "string"), nil
	case "int":
		return intOf(rest)
	case "integer", "number":
		return newObject("type", word), nil
	case "bool":
		return newObject("type", "boolean"), nil
	case "true":
		return newObject("const", true), nil
	case "any":
		return newObject(), nil
	case "file":
		return newObject("type", "string", "contentMediaType", "application/octet-stream"), nil
	case "is":
		if rest == "true" {
			return newObject("const", true), nil
		}
		return newObject("type", "string", "const", rest), nil
	case "one":
		return enumOf(strings.Fields(strings.TrimPrefix(rest, "of "))), nil
	case "list", "map":
		of, err := typeOf(rest)
		if err != nil {
			return nil, err
		}
		if word == "list" {
			return newObject("type", "array", "items", of), nil
		}
		return newObject("type", "object", "additionalProperties", of), nil
	case "result", "effect":
		s := newObject("type", "object")
		if word == "effect" {
			s.set("allOf", refs([]string{"Effect"}))
		}
		s.set("properties", newObject("result", enumOf(strings.Split(rest, "|"))))
		s.set("required", []string{"result"})
		return s, nil
	}
	if rest != "" || word == "" || word[0] < 'A' || word[0] > 'Z' {
		return nil, fmt.Errorf("%q is no type", text)
	}
	return ref(word), nil
}

// enumOf returns the JSON Schema of one of some texts.
func enumOf(words []string) *object {
	if len(words) == 1 {
		return newObject("type", "string", "const", words[0])
	}
	return newObject("type", "string", "enum", words)
}

// intOf returns the JSON Schema of a whole number within bounds such as "1..100" and "1..".
func intOf(bounds string) (*object, error) {
	s := newObject("type", "integer")
	least, most, _ := strings.Cut(bounds, "..")
	for _, bound := range []struct{ key, text string }{{"minimum", least}, {"maximum", most}} {
		if bound.text == "" {
			if bound.key == "minimum" {
				s.set("minimum", 0)
			}
			continue
		}
		n, err := strconv.Atoi(bound.text)
		if err != nil {
			return nil, fmt.Errorf("%q are no bounds", bounds)
		}
		s.set(bound.key, n)
	}
	return s, nil
}
