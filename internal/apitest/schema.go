package apitest

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A document is a JSON document that contains JSON Schemas. Each schema is compiled when it is
// first used.
type document struct {
	root     any
	compiler *jsonschema.Compiler

	mu       sync.Mutex
	compiled map[string]*jsonschema.Schema // by JSON Pointer
}

// address is the URL under which a compiler knows its document.
const address = "mem:document.json"

// newDocument parses a JSON document. The keys of path lead from its root to the object that holds
// the named schemas. The named schemas are closed: an object with a field that its schema
// does not name is invalid, so that a test notices an undocumented field.
func newDocument(text []byte, path ...string) (*document, error) {
	root, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	under := root.(map[string]any)
	for _, key := range path[:len(path)-1] {
		under = under[key].(map[string]any)
	}
	last := path[len(path)-1]
	c := closer{named: "#/" + strings.Join(path, "/") + "/", open: "#/open/"}
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

// schema returns the compiled schema at a JSON Pointer (RFC 6901), such as "#/$defs/Hello".
func (d *document) schema(pointer string) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.compiled[pointer]; s != nil {
		return s, nil
	}
	s, err := d.compiler.Compile(address + pointer)
	if err == nil {
		d.compiled[pointer] = s
	}
	return s, err
}

// validate returns an error if a value breaks the schema at a JSON Pointer.
func (d *document) validate(pointer string, value any) error {
	s, err := d.schema(pointer)
	if err != nil {
		return err
	}
	return s.Validate(value)
}

// A closer copies schemas, and closes each copy: the copy allows no field that the schema does not
// name. A schema that another schema extends by allOf can't be closed, because it would refuse the
// fields of the extending schema. So allOf refers to an open copy, and the extending schema is
// closed as a whole.
type closer struct {
	named string // where the named schemas are, such as "#/$defs/"
	open  string // where their open copies are
}

// close returns a copy of v, which is a part of a document, with its schemas closed. extended
// reports whether v is a schema that another schema extends: v itself then stays open.
func (c closer) close(v any, extended bool) any {
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
		if _, free := v["additionalProperties"]; v["type"] == "object" && (hasFields || extends) && !extended && !free {
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
