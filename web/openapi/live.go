package openapi

import (
	"slices"
	"strings"
	"sync"
)

// Live returns the JSON Schema of the frames of the protocol amstel.v1. Each value that the schema
// allows is a frame; $defs has ServerFrame and ClientFrame, one of each frame, and the shapes in
// them.
var Live = sync.OnceValue(func() []byte { return mustEncode(collected().liveSchema()) })

const defs = "#/$defs/"

// liveSchema returns the JSON Schema of frames, which names no other document.
func (c *collection) liveSchema() *object {
	all := newObject()
	wanted := slices.Clone(c.live)
	for len(wanted) > 0 {
		name := wanted[0]
		wanted = wanted[1:]
		if all.get(name) != nil {
			continue
		}
		all.set(name, moveRefs(c.schemas.at(name), func(to string) string {
			wanted = append(wanted, to)
			return defs + to
		}))
	}
	return newObject(
		"$schema", "https://json-schema.org/draft/2020-12/schema",
		"title", "The frames of open pages, amstel.v1",
		"description", "Frames are sent over the WebSocket at /live; a Poll is the answer of /live/changes. docs/wire.md has the rule of a client.",
		"anyOf", []any{newObject("$ref", defs+"ServerFrame"), newObject("$ref", defs+"ClientFrame")},
		"$defs", all,
	)
}

// moveRefs returns a copy of a schema in which each reference is replaced by the result of to, which
// gets the name that the reference has.
func moveRefs(v any, to func(name string) string) any {
	switch v := v.(type) {
	case *object:
		moved := newObject()
		for _, key := range v.keys {
			if name, is := v.get(key).(string); is && key == "$ref" {
				moved.set(key, to(strings.TrimPrefix(name, schemas)))
				continue
			}
			moved.set(key, moveRefs(v.get(key), to))
		}
		return moved
	case []any:
		list := make([]any, 0, len(v))
		for _, item := range v {
			list = append(list, moveRefs(item, to))
		}
		return list
	}
	return v
}
