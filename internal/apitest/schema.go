package apitest

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A document is JSON with schemas in it, of which each is compiled when it is first used.
type document struct {
	root     any
	compiler *jsonschema.Compiler

	mu       sync.Mutex
	compiled map[string]*jsonschema.Schema // by its place
}

// address is how the document of a compiler is called.
const address = "mem:document.json"

// newDocument reads a document. Its schemas, which are under the key named at the end of a path,
// allow no fields that they do not name.
func newDocument(text []byte, shapes ...string) (*document, error) {
	root, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	under := root.(map[string]any)
	for _, key := range shapes[:len(shapes)-1] {
		under = under[key].(map[string]any)
	}
	last := shapes[len(shapes)-1]
	c := closer{named: "#/" + strings.Join(shapes, "/") + "/", open: "#/open/"}
	open := make(map[string]any)
	for name, schema := range under[last].(map[string]any) {
		open[name] = c.close(schema, true)
	}
	closed := c.close(root, false).(map[string]any)
	closed["open"] = open
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(address, closed); err != nil {
		return nil, err
	}
	return &document{root: closed, compiler: compiler, compiled: make(map[string]*jsonschema.Schema)}, nil
}

// schema returns the schema at a place, such as "#/$defs/Hello".
func (d *document) schema(place string) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.compiled[place]; s != nil {
		return s, nil
	}
	s, err := d.compiler.Compile(address + place)
	if err == nil {
		d.compiled[place] = s
	}
	return s, err
}

// validate returns what is wrong with a value by the schema at a place.
func (d *document) validate(place string, value any) error {
	s, err := d.schema(place)
	if err != nil {
		return err
	}
	return s.Validate(value)
}

// A closer makes copies of schemas that allow no fields but those that they name. A schema that
// another one extends must allow those of the other: it is named in the copy by its open form.
type closer struct{ named, open string }

// close returns the copy of a part of a document. Part is set for a schema that another one extends.
func (c closer) close(v any, part bool) any {
	switch v := v.(type) {
	case map[string]any:
		copied := make(map[string]any, len(v))
		for key, value := range v {
			if key != "allOf" {
				copied[key] = c.close(value, false)
				continue
			}
			var all []any
			for _, one := range value.([]any) {
				of, _ := one.(map[string]any)
				if name, is := strings.CutPrefix(fmt.Sprint(of["$ref"]), c.named); is {
					all = append(all, map[string]any{"$ref": c.open + name})
				} else {
					all = append(all, c.close(one, true))
				}
			}
			copied[key] = all
		}
		_, hasFields := v["properties"].(map[string]any)
		_, extends := v["allOf"].([]any)
		if _, free := v["additionalProperties"]; v["type"] == "object" && (hasFields || extends) && !part && !free {
			copied["unevaluatedProperties"] = false
		}
		return copied
	case []any:
		list := make([]any, 0, len(v))
		for _, one := range v {
			list = append(list, c.close(one, false))
		}
		return list
	}
	return v
}
