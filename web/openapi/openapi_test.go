package openapi

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pb33f/libopenapi/datamodel"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// parsed returns a document as a JSON value.
func parsed(t *testing.T, text []byte) map[string]any {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return value.(map[string]any)
}

// TestDocumentIsOpenAPI validates the document by the published schema of OpenAPI 3.1, and each schema in the
// document by that of JSON Schema.
func TestDocumentIsOpenAPI(t *testing.T) {
	t.Parallel()
	document := parsed(t, Document())
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("mem:openapi", parsed(t, []byte(datamodel.OpenAPI31SchemaData))); err != nil {
		t.Fatal(err)
	}
	of, err := compiler.Compile("mem:openapi")
	if err != nil {
		t.Fatal(err)
	}
	if err := of.Validate(document); err != nil {
		t.Error(err)
	}
	if document["openapi"] != "3.1.0" {
		t.Errorf("the version is %v", document["openapi"])
	}
	delete(document["info"].(map[string]any), "title")
	if of.Validate(document) == nil {
		t.Error("a document without a title passes")
	}
}

// TestEachExampleIsOfItsSchema compiles each schema of the document, and validates the examples of bodies and
// failures by their schemas.
func TestEachExampleIsOfItsSchema(t *testing.T) {
	t.Parallel()
	document := parsed(t, Document())
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("mem:document", document); err != nil {
		t.Fatal(err)
	}
	named, _ := document["components"].(map[string]any)["examples"].(map[string]any)
	checked := 0
	var walk func(place string, v any)
	walk = func(place string, v any) {
		switch v := v.(type) {
		case map[string]any:
			_, hasSchema := v["schema"].(map[string]any)
			if hasSchema {
				schema, err := compiler.Compile("mem:document#" + place + "/schema")
				if err != nil {
					t.Errorf("%s: %v", place, err)
					return
				}
				check := func(value any) {
					checked++
					if err := schema.Validate(value); err != nil {
						t.Errorf("the example at %s: %v", place, err)
					}
				}
				if example, is := v["example"]; is {
					check(example)
				}
				some, _ := v["examples"].(map[string]any)
				for name, one := range some {
					if _, shared := one.(map[string]any)["$ref"]; shared {
						one = named[name]
					}
					check(one.(map[string]any)["value"])
				}
			}
			for _, key := range slices.Sorted(maps.Keys(v)) {
				walk(place+"/"+strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D", " ", "%20").Replace(key), v[key])
			}
		case []any:
			for i, one := range v {
				walk(place+"/"+strconv.Itoa(i), one)
			}
		}
	}
	walk("/paths", document["paths"])
	walk("/components/responses", document["components"].(map[string]any)["responses"])
	if checked < 250 {
		t.Errorf("only %d examples were checked", checked)
	}
}

// TestOperationsHaveNamesOfTheirOwn: no two operations have one id, and each has an example of its
// answer if that is JSON, and of its body.
func TestOperationsHaveNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, topic := range Topics() {
		for _, o := range topic.Operations {
			if names[o.ID] {
				t.Errorf("two operations are called %s", o.ID)
			}
			names[o.ID] = true
			if o.answer != nil && (o.AnswerExample() == "null" || !json.Valid([]byte(o.AnswerExample()))) {
				t.Errorf("%s has no example of its answer", o.ID)
			}
			if o.body != nil && o.BodyExample() == "{}" && o.bodyRequired {
				t.Errorf("%s has no example of its body", o.ID)
			}
			for _, p := range o.Parameters {
				if p.In == "path" && p.Example == "" && !slices.Contains([]string{"draft", "secret", "file", "page", "key"}, p.Name) {
					t.Errorf("%s has no example of %s", o.ID, p.Name)
				}
			}
			if !strings.HasSuffix(o.Summary, ".") {
				t.Errorf("the summary of %s is no sentence: %s", o.ID, o.Summary)
			}
		}
	}
}

// TestLiveSchemaStandsAlone compiles the JSON Schema of frames, and validates a frame of each kind, and values
// that are no frames.
func TestLiveSchemaStandsAlone(t *testing.T) {
	t.Parallel()
	document := parsed(t, Live())
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("mem:live", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("mem:live")
	if err != nil {
		t.Fatal(err)
	}
	for name := range document["$defs"].(map[string]any) {
		if strings.HasSuffix(name, "Frame") || name == "Poll" {
			continue
		}
		if _, err := compiler.Compile("mem:live#/$defs/" + name); err != nil {
			t.Error(err)
		}
	}
	for text, want := range map[string]bool{
		`{"type":"unread","count":1,"directs":0}`: true, `{"type":"vis","hidden":true}`: true,
		`{"type":"unread"}`: false, `{"type":"seen"}`: false, `[]`: false, `{"type":"sub","page":"/"}`: false,
	} {
		value, _ := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err := schema.Validate(value); (err == nil) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}
