package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

// A Field is a field of a body, for readers.
type Field struct {
	Name        string // with the names of the objects around it: "post.text"
	Type        string // in words; a name with a capital is that of a shape
	Description string
	Optional    bool
}

// A Shape is a schema with a name, for readers.
type Shape struct {
	Name, About string
	Fields      []Field
	Example     string
}

// Shapes returns the schemas of bodies and of their parts.
func Shapes() (all []Shape) {
	c := collected()
	for _, name := range c.schemas.keys {
		s := c.schemas.at(name)
		shape := Shape{Name: name, Fields: c.fields("", s), Example: indented(c.example(s))}
		shape.About, _ = s.get("description").(string)
		all = append(all, shape)
	}
	return all
}

// BodyFields returns the fields of the body of a request.
func (o *Operation) BodyFields() []Field {
	for _, body := range []*object{o.body, o.form} {
		if body != nil {
			return collected().fields("", body)
		}
	}
	return nil
}

// BodyExample returns an example of the JSON of a request; empty if it has none.
func (o *Operation) BodyExample() string {
	if o.body == nil {
		return ""
	}
	return indented(o.bodyExample())
}

// AnswerShape returns the name of the shape of the answer; empty if the shape has no name.
func (o *Operation) AnswerShape() string { return nameOf(o.answer) }

// AnswerFields returns the fields of an answer whose shape has no name.
func (o *Operation) AnswerFields() []Field {
	if o.answer == nil || o.AnswerShape() != "" {
		return nil
	}
	return collected().fields("", o.answer)
}

// AnswerExample returns an example of the answer; empty if the answer is not JSON.
func (o *Operation) AnswerExample() string {
	if o.answer == nil {
		return ""
	}
	return indented(o.answerExample())
}

// Type returns the type of a parameter in words.
func (p *Parameter) Type() string { return typeInWords(p.schema) }

// Curl returns the command line that sends the example to a site, given the site's address.
func (o *Operation) Curl(site string) string {
	path, query := o.Path, url.Values{}
	for _, p := range o.Parameters {
		switch {
		case p.In == "path":
			path = strings.Replace(path, "{"+p.Name+"}", url.PathEscape(p.Example), 1)
		case p.In == "query" && p.Example != "":
			query.Set(p.Name, p.Example)
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	words := []string{"curl"}
	if o.Method != "GET" && (o.Method != "POST" || o.body == nil && o.form == nil) {
		words = append(words, "-X "+o.Method)
	}
	switch o.Who {
	case "account":
		words = append(words, `-H "X-API-Token: $TOKEN"`)
	case "session":
		words = append(words, `-b "amstel=$SESSION"`)
	}
	switch {
	case o.body != nil:
		var compact bytes.Buffer
		if err := json.Compact(&compact, []byte(o.BodyExample())); err == nil {
			words = append(words, "-H 'Content-Type: application/json'", "-d '"+strings.ReplaceAll(compact.String(), "'", `'\''`)+"'")
		}
	case o.form != nil:
		for _, f := range o.BodyFields() {
			if f.Type == "file" {
				words = append(words, "-F '"+f.Name+"=@picture.jpg'")
			}
		}
	}
	return strings.Join(append(words, "'"+site+path+"'"), " ")
}

// fields returns the fields of a schema, of the schemas that it extends, and of the objects without a
// name that it contains. The names begin with around.
func (c *collection) fields(around string, s *object) (all []Field) {
	if name := nameOf(s); name != "" {
		return c.fields(around, c.schemas.at(name))
	}
	for _, key := range []string{"allOf", "anyOf"} {
		parts, _ := s.get(key).([]any)
		for _, part := range parts {
			if name := nameOf(part.(*object)); key == "anyOf" && name != "" {
				all = append(all, Field{Name: around + "…", Type: name})
				continue
			}
			all = append(all, c.fields(around, part.(*object))...)
		}
	}
	required, _ := s.get("required").([]string)
	needs := make(map[string]bool)
	for _, name := range required {
		needs[name] = true
	}
	properties := s.at("properties")
	if properties == nil {
		return all
	}
	for _, name := range properties.keys {
		p := properties.at(name)
		f := Field{Name: around + name, Type: typeInWords(p), Optional: !needs[name]}
		f.Description, _ = p.get("description").(string)
		all = append(all, f)
		if p.get("type") == "object" {
			all = append(all, c.fields(f.Name+".", p)...)
		}
	}
	return all
}

// nameOf returns the name to which a schema refers; empty if the schema is not a reference.
func nameOf(s *object) string {
	if s == nil {
		return ""
	}
	to, _ := s.get("$ref").(string)
	return strings.TrimPrefix(to, schemas)
}

// typeInWords returns the type of a value in the words of the source files.
func typeInWords(s *object) string {
	if name := nameOf(s); name != "" {
		return name
	}
	if value := s.get("const"); value != nil {
		return fmt.Sprint(value)
	}
	if words, is := s.get("enum").([]string); is {
		return strings.Join(words, " | ")
	}
	if choices, is := s.get("anyOf").([]any); is {
		var words []string
		for _, one := range choices {
			words = append(words, typeInWords(one.(*object)))
		}
		return strings.Join(words, " | ")
	}
	switch kind, _ := s.get("type").(string); kind {
	case "string":
		if s.get("contentMediaType") != nil {
			return "file"
		}
		return "text"
	case "array":
		if of := s.at("items"); of != nil {
			return "list of " + typeInWords(of)
		}
		return "list"
	case "object":
		if of := s.at("additionalProperties"); of != nil {
			return "object of " + typeInWords(of)
		}
		return "object"
	default:
		return kind
	}
}

// indented returns a value as JSON of several lines.
func indented(v any) string {
	var b bytes.Buffer
	if err := json.Indent(&b, mustEncode(v), "", "  "); err != nil {
		panic("openapi: " + err.Error()) // what was encoded is JSON
	}
	return b.String()
}
