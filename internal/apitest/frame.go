package apitest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"amstel.dev/amstel/web/openapi"
)

// protocol is the JSON Schema of frames.
var protocol = sync.OnceValue(func() *document {
	d, err := newDocument(openapi.Live(), "$defs")
	if err != nil {
		panic("apitest: " + err.Error())
	}
	return d
})

// The schemas of frames: those from a page, those from the server, and answers to polls.
const (
	FromPage   = "ClientFrame"
	FromServer = "ServerFrame"
	Polled     = "Poll"
)

// anyEntry is the JSON Schema of frames with entries of any fields, as renderers of tests make them.
var anyEntry = sync.OnceValue(func() *document {
	var schema map[string]any
	err := json.Unmarshal(openapi.Live(), &schema)
	if err == nil {
		defs := schema["$defs"].(map[string]any)
		defs["Entry"] = map[string]any{"type": "object"}
		defs["JSONEntry"] = map[string]any{"type": "object", "required": []any{"post", "tag"}}
		var text []byte
		if text, err = json.Marshal(schema); err == nil {
			var d *document
			if d, err = newDocument(text, "$defs"); err == nil {
				return d
			}
		}
	}
	panic("apitest: " + err.Error())
})

// CheckFrame returns an error if a frame breaks a schema of frames.
func CheckFrame(schema string, frame []byte) error { return protocol().checkFrame(schema, frame) }

// CheckFrameOfAnyEntry is CheckFrame for frames with entries of any fields.
func CheckFrameOfAnyEntry(schema string, frame []byte) error {
	return anyEntry().checkFrame(schema, frame)
}

func (d *document) checkFrame(schema string, frame []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(frame))
	if err == nil {
		err = d.validate("#/$defs/"+schema, value)
	}
	if err != nil {
		return fmt.Errorf("the frame %.500s is no %s: %w", frame, schema, err)
	}
	return nil
}
