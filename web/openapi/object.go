package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// An object is a JSON object with its members in the order in which they were set.
type object struct {
	keys   []string
	values map[string]any
}

// newObject returns an object of pairs of a key and a value.
func newObject(pairs ...any) *object {
	o := &object{values: make(map[string]any)}
	for i := 0; i < len(pairs); i += 2 {
		o.set(pairs[i].(string), pairs[i+1])
	}
	return o
}

// set adds a member, or replaces the value of one.
func (o *object) set(key string, value any) {
	if _, has := o.values[key]; !has {
		o.keys = append(o.keys, key)
	}
	o.values[key] = value
}

// setText adds a member, unless the text is empty.
func (o *object) setText(key, text string) {
	if text != "" {
		o.set(key, text)
	}
}

// get returns the value of a member; nil if there is none.
func (o *object) get(key string) any { return o.values[key] }

// at returns the object under a key; nil if there is none.
func (o *object) at(key string) *object {
	under, _ := o.values[key].(*object)
	return under
}

// MarshalJSON writes the members in their order.
func (o *object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, key := range o.keys {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := encode(key)
		if err != nil {
			return nil, err
		}
		value, err := encode(o.values[key])
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// encode is [json.Marshal] without escapes that only HTML needs.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// ordered returns a YAML value as a JSON value, with the members of objects in their order.
func ordered(n *yaml.Node) (any, error) {
	switch n.Kind {
	case yaml.MappingNode:
		o := newObject()
		for _, m := range membersOf(n) {
			value, err := ordered(m.value)
			if err != nil {
				return nil, err
			}
			o.set(m.key, value)
		}
		return o, nil
	case yaml.SequenceNode:
		list := make([]any, 0, len(n.Content))
		for _, item := range n.Content {
			value, err := ordered(item)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case yaml.ScalarNode:
		var value any
		err := n.Decode(&value)
		return value, err
	}
	return nil, fmt.Errorf("line %d: neither a mapping, a list nor a value", n.Line)
}

// A member is a key of a YAML mapping with its value.
type member struct {
	key   string
	value *yaml.Node
}

// membersOf returns the members of a YAML mapping, in their order.
func membersOf(n *yaml.Node) (all []member) {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		all = append(all, member{n.Content[i].Value, n.Content[i+1]})
	}
	return all
}

// under returns the value of a key of a YAML mapping; nil if there is none.
func under(n *yaml.Node, key string) *yaml.Node {
	for _, m := range membersOf(n) {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// textUnder returns the text under a key of a YAML mapping; empty if there is none.
func textUnder(n *yaml.Node, key string) string {
	if at := under(n, key); at != nil {
		return at.Value
	}
	return ""
}
