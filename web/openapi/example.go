package openapi

import (
	"strings"
)

// examples begins the references to examples of named schemas.
const examples = "#/components/examples/"

// example returns a value that a schema allows: the schema's first example or, without one, a value
// made of the examples of its parts. An object gets its required fields, and those optional fields that
// have an example of their own. For a schema that allows any value, example returns nil.
func (c *collection) example(s *object) any {
	if some, is := s.get("examples").([]any); is {
		return some[0]
	}
	if value := s.get("const"); value != nil {
		return value
	}
	if to, is := s.get("$ref").(string); is {
		return c.example(c.schemas.at(strings.TrimPrefix(to, schemas)))
	}
	if choices, is := s.get("anyOf").([]any); is {
		return c.example(choices[0].(*object))
	}
	switch words := s.get("enum").(type) {
	case []string:
		return words[0]
	case []any:
		return words[0]
	}
	switch s.get("type") {
	case "string":
		return ""
	case "integer", "number":
		if least, is := s.get("minimum").(int); is {
			return least
		}
		return 0
	case "boolean":
		return false
	case "array":
		items := s.at("items")
		if items == nil {
			return []any{}
		}
		return []any{c.example(items)}
	case "object":
		return c.exampleObject(s)
	}
	return nil
}

// exampleObject returns an example of an object.
func (c *collection) exampleObject(s *object) *object {
	o := newObject()
	if parts, is := s.get("allOf").([]any); is {
		for _, part := range parts {
			if of, is := c.example(part.(*object)).(*object); is {
				for _, key := range of.keys {
					o.set(key, of.get(key))
				}
			}
		}
	}
	required, _ := s.get("required").([]string)
	needs := make(map[string]bool)
	for _, name := range required {
		needs[name] = true
	}
	properties := s.at("properties")
	if properties == nil {
		return o
	}
	for _, name := range properties.keys {
		property := properties.at(name)
		if needs[name] || property.get("examples") != nil {
			o.set(name, c.example(property))
		}
	}
	return o
}

// namedExamples returns an example of each named schema that is the body of a request or of an answer.
func (c *collection) namedExamples() *object {
	all := newObject()
	for _, t := range c.topics {
		for _, o := range t.Operations {
			for _, of := range []*object{o.body, o.form, o.answer} {
				if of == nil {
					continue
				}
				if name, is := of.get("$ref").(string); is {
					all.set(strings.TrimPrefix(name, schemas), newObject("value", c.example(of)))
				}
			}
		}
	}
	return all
}

func (o *Operation) bodyExample() any { return collected().example(o.body) }

func (o *Operation) answerExample() any { return collected().example(o.answer) }
