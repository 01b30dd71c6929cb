package apitest

import (
	"bytes"
	"fmt"
	"sync"
	"testing"

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

// Frame fails the test unless a frame is one of a schema of frames.
func Frame(t testing.TB, schema string, frame []byte) {
	t.Helper()
	if err := CheckFrame(schema, frame); err != nil {
		t.Error(err)
	}
}

// CheckFrame returns what is wrong with a frame by a schema of frames.
func CheckFrame(schema string, frame []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(frame))
	if err == nil {
		err = protocol().validate("#/$defs/"+schema, value)
	}
	if err != nil {
		return fmt.Errorf("the frame %.500s is no %s: %w", frame, schema, err)
	}
	return nil
}
