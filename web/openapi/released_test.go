package openapi

import (
	"bytes"
	"embed"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// released has the OpenAPI document of each release, and the JSON Schema of its frames. A release adds
// its own, by -release; the files of earlier ones are never changed.
//
//go:embed released
var released embed.FS

var release = flag.String("release", "", "write the documents as those of this release")

// TestRelease writes the documents of a release, with -release=VERSION.
func TestRelease(t *testing.T) {
	if *release == "" {
		t.Skip("no release is named")
	}
	for name, text := range map[string][]byte{".json": Document(), ".schema.json": Live()} {
		if err := os.WriteFile("released/"+*release+name, append(bytes.Clone(text), '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNothingOfAReleaseIsTaken compares the documents with those of each release.
func TestNothingOfAReleaseIsTaken(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(released, "released/*.json")
	if err != nil || len(files) < 2 {
		t.Fatalf("the releases have the documents %q, %v", files, err)
	}
	for _, file := range files {
		text, err := released.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		now := Document()
		if strings.HasSuffix(file, ".schema.json") {
			now = Live()
		}
		for _, taken := range narrowed(parsed(t, text), parsed(t, now)) {
			t.Errorf("%s has what is not there any more: %s", file, taken)
		}
	}
}

// TestWhatIsTakenIsFound breaks the documents in each way that could break a program, and checks that the
// comparison finds each; and changes them in ways that break no program.
func TestWhatIsTakenIsFound(t *testing.T) {
	t.Parallel()
	text := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for _, tt := range []struct {
		name   string
		live   bool
		change func(d map[string]any)
		want   string // empty: the change breaks no program
	}{
		{name: "a path is removed", change: func(d map[string]any) { delete(at(d, "paths"), "/api/v1/lists") }, want: "/api/v1/lists"},
		{name: "a method is removed", change: func(d map[string]any) { delete(at(d, "paths", "/api/v1/lists"), "post") }, want: "post /api/v1/lists"},
		{name: "a field of an answer is removed", change: func(d map[string]any) {
			delete(at(d, "components", "schemas", "Card", "properties"), "avatar_url")
		}, want: "avatar_url"},
		{name: "a field that always was there may be absent", change: func(d map[string]any) {
			at(d, "components", "schemas", "List")["required"] = []any{"id", "name"}
		}, want: "url may be absent"},
		{name: "a field of an answer has another type", change: func(d map[string]any) {
			at(d, "components", "schemas", "Count")["type"] = "string"
		}, want: "type"},
		{name: "an enum of an answer loses a value", change: func(d map[string]any) {
			at(d, "components", "schemas", "Notice", "properties", "kind")["enum"] = []any{"mention"}
		}, want: "direct"},
		{name: "a code of a failure is removed", change: func(d map[string]any) {
			at(d, "components", "responses", "NotFound", "content", "application/json", "schema", "properties")["code"] = map[string]any{"const": "not_found"}
		}, want: "no_draft"},
		{name: "a parameter becomes required", change: func(d map[string]any) {
			p := d["paths"].(map[string]any)["/filter/people.json"].(map[string]any)["get"].(map[string]any)["parameters"].([]any)[0].(map[string]any)
			p["required"] = true
		}, want: "q is required"},
		{name: "a parameter is removed", change: func(d map[string]any) {
			delete(at(d, "paths", "/filter/people.json", "get"), "parameters")
		}, want: "q is removed"},
		{name: "a bound of a parameter is lowered", change: func(d map[string]any) {
			for _, p := range at(d, "paths", "/index.json", "get")["parameters"].([]any) {
				if p := p.(map[string]any); p["name"] == "count" {
					p["schema"].(map[string]any)["maximum"] = json.Number("50")
				}
			}
		}, want: "maximum"},
		{name: "a field of a body becomes required", change: func(d map[string]any) {
			at(d, "paths", "/api/v1/searches", "post", "requestBody", "content", "application/json", "schema")["required"] = []any{"q", "name"}
		}, want: "name is required"},
		{name: "a field of a body is removed", change: func(d map[string]any) {
			delete(at(d, "paths", "/api/v1/searches", "post", "requestBody", "content", "application/json", "schema", "properties"), "name")
		}, want: "name"},
		{name: "a value of a body is no longer taken", change: func(d map[string]any) {
			at(d, "paths", "/api/v1/users/{name}", "patch", "requestBody", "content", "application/json", "schema", "properties", "user", "properties", "status")["enum"] = []any{"public"}
		}, want: "private"},
		{name: "a token is no longer enough", change: func(d map[string]any) {
			at(d, "paths", "/api/v1/lists", "get")["security"] = []any{map[string]any{"session": []any{}}}
		}, want: "token"},
		{name: "a frame loses a field", live: true, change: func(d map[string]any) { delete(at(d, "$defs", "Hello", "properties"), "pace") }, want: "Hello"},
		{name: "a frame is removed", live: true, change: func(d map[string]any) {
			at(d, "$defs", "ServerFrame")["anyOf"] = at(d, "$defs", "ServerFrame")["anyOf"].([]any)[1:]
		}, want: "anyOf"},

		{name: "a field of an answer is added", change: func(d map[string]any) {
			at(d, "components", "schemas", "List", "properties")["size"] = map[string]any{"type": "integer"}
		}},
		{name: "an enum of an answer gets a value", change: func(d map[string]any) {
			kinds := at(d, "components", "schemas", "Notice", "properties", "kind")
			kinds["enum"] = append(kinds["enum"].([]any), "digest")
		}},
		{name: "a path is added", change: func(d map[string]any) { at(d, "paths")["/api/v1/new"] = map[string]any{} }},
		{name: "a description is another", change: func(d map[string]any) { at(d, "components", "schemas", "List")["description"] = "another" }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			whole := Document()
			if tt.live {
				whole = Live()
			}
			before, now := parsed(t, whole), parsed(t, whole)
			tt.change(now)
			if text(before) == text(now) {
				t.Fatal("the document was not changed")
			}
			taken := strings.Join(narrowed(before, now), "\n")
			if tt.want == "" && taken != "" || tt.want != "" && !strings.Contains(taken, tt.want) {
				t.Errorf("found %q, want %q", taken, tt.want)
			}
		})
	}
}

// at returns the object at a path of keys.
func at(v map[string]any, keys ...string) map[string]any {
	for _, key := range keys {
		v = v[key].(map[string]any)
	}
	return v
}

// A comparison finds the changes in a later document that break programs for an earlier one.
type comparison struct {
	before, now map[string]any
	seen        map[string]bool
	taken       []string
}

// narrowed returns the changes in a later document that break programs for an earlier one: removed
// operations and schemas, fields that an answer no longer always has, and fields that a request must have
// now or may not have any more.
func narrowed(before, now map[string]any) []string {
	c := &comparison{before: before, now: now, seen: make(map[string]bool)}
	paths, isAPI := before["paths"].(map[string]any)
	if !isAPI { // frames: those from the server, and those from pages
		c.schema("frames from the server", map[string]any{"$ref": "#/$defs/ServerFrame"}, map[string]any{"$ref": "#/$defs/ServerFrame"}, true)
		c.schema("frames from pages", map[string]any{"$ref": "#/$defs/ClientFrame"}, map[string]any{"$ref": "#/$defs/ClientFrame"}, false)
		return c.taken
	}
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		item, _ := now["paths"].(map[string]any)[path].(map[string]any)
		for method, operation := range paths[path].(map[string]any) {
			where := method + " " + path
			if later, is := item[method].(map[string]any); is {
				c.operation(where, operation.(map[string]any), later)
			} else {
				c.say("%s is removed", where)
			}
		}
	}
	for name, response := range at(before, "components", "responses") {
		c.content(name, response.(map[string]any), at(now, "components", "responses")[name], true)
	}
	return c.taken
}

func (c *comparison) say(format string, args ...any) {
	c.taken = append(c.taken, fmt.Sprintf(format, args...))
}

func (c *comparison) operation(where string, before, now map[string]any) {
	for _, way := range before["security"].([]any) {
		if !slices.ContainsFunc(now["security"].([]any), func(later any) bool { return reflect.DeepEqual(keysOf(way), keysOf(later)) }) {
			c.say("%s can no longer be asked with %v", where, keysOf(way))
		}
	}
	parameters := func(o map[string]any) map[string]map[string]any {
		all := make(map[string]map[string]any)
		list, _ := o["parameters"].([]any)
		for _, one := range list {
			p := one.(map[string]any)
			all[fmt.Sprint(p["in"], " ", p["name"])] = p
		}
		return all
	}
	had, has := parameters(before), parameters(now)
	for key, p := range had {
		if has[key] == nil {
			c.say("%s: the parameter %s is removed", where, key)
			continue
		}
		c.schema(where+" "+key, p["schema"], has[key]["schema"], false)
	}
	for key, p := range has {
		if p["required"] == true && (had[key] == nil || had[key]["required"] != true) {
			c.say("%s: the parameter %s is required", where, key)
		}
	}
	body, _ := before["requestBody"].(map[string]any)
	later, _ := now["requestBody"].(map[string]any)
	if later["required"] == true && body["required"] != true {
		c.say("%s: a body is required", where)
	}
	if body != nil {
		c.content(where+" body", body, now["requestBody"], false)
	}
	for status, response := range before["responses"].(map[string]any) {
		if status < "300" {
			c.content(where+" "+status, response.(map[string]any), now["responses"].(map[string]any)[status], true)
		}
	}
}

func keysOf(v any) []string { return slices.Sorted(maps.Keys(v.(map[string]any))) }

// content compares the bodies of a request or an answer.
func (c *comparison) content(where string, before map[string]any, now any, answer bool) {
	later, _ := now.(map[string]any)
	if later == nil {
		c.say("%s is removed", where)
		return
	}
	had, _ := before["content"].(map[string]any)
	has, _ := later["content"].(map[string]any)
	for kind, media := range had {
		if has[kind] == nil {
			c.say("%s is no longer %s", where, kind)
			continue
		}
		if schema, is := media.(map[string]any)["schema"]; is {
			c.schema(where, schema, has[kind].(map[string]any)["schema"], answer)
		}
	}
}

// A shape is a schema, with the fields of the schemas that it extends.
type shape struct {
	rest     map[string]any // of the keywords
	fields   map[string]any
	required map[string]bool
}

// shapeOf returns a schema of a document, with the schemas to which it refers.
func shapeOf(document map[string]any, v any) (s shape, name string) {
	s = shape{rest: make(map[string]any), fields: make(map[string]any), required: make(map[string]bool)}
	var gather func(schema map[string]any)
	gather = func(schema map[string]any) {
		if to, is := schema["$ref"].(string); is {
			found := any(document)
			for key := range strings.SplitSeq(strings.TrimPrefix(to, "#/"), "/") {
				found, _ = found.(map[string]any)[key]
			}
			if found, is := found.(map[string]any); is {
				gather(found)
			}
		}
		extended, _ := schema["allOf"].([]any)
		for _, one := range extended {
			gather(one.(map[string]any))
		}
		for key, value := range schema {
			switch key {
			case "$ref", "allOf":
			case "properties":
				maps.Copy(s.fields, value.(map[string]any))
			case "required":
				for _, one := range value.([]any) {
					s.required[one.(string)] = true
				}
			default:
				s.rest[key] = value
			}
		}
	}
	if schema, is := v.(map[string]any); is {
		name, _ = schema["$ref"].(string)
		gather(schema)
	}
	return s, name
}

// schema compares two schemas. The later schema of an answer must promise programs all that the earlier one
// promised; the later schema of a request must allow them all that the earlier one allowed.
func (c *comparison) schema(where string, v, later any, answer bool) {
	before, name := shapeOf(c.before, v)
	now, nameNow := shapeOf(c.now, later)
	if key := fmt.Sprint(name, "|", nameNow, "|", answer); name != "" && nameNow != "" {
		if c.seen[key] && len(before.fields) > 0 {
			return
		}
		c.seen[key] = true
	}
	for field, of := range before.fields {
		if now.fields[field] == nil {
			c.say("%s: the field %s is removed", where, field)
			continue
		}
		c.schema(where+"."+field, of, now.fields[field], answer)
		if answer && before.required[field] && !now.required[field] {
			c.say("%s: the field %s may be absent", where, field)
		}
	}
	for field := range now.required {
		if !answer && !before.required[field] {
			c.say("%s: the field %s is required", where, field)
		}
	}
	c.values(where, before.rest, now.rest, answer)
	for _, key := range []string{"items", "additionalProperties"} {
		if of, is := before.rest[key].(map[string]any); is {
			c.schema(where+" "+key, of, now.rest[key], answer)
		}
	}
	choices, _ := before.rest["anyOf"].([]any)
	choicesNow, _ := now.rest["anyOf"].([]any)
	for i, choice := range choices {
		if !slices.ContainsFunc(choicesNow, func(other any) bool {
			alone := &comparison{before: c.before, now: c.now, seen: maps.Clone(c.seen)}
			alone.schema("", choice, other, answer)
			return len(alone.taken) == 0
		}) {
			c.say("%s: anyOf has no %v of %d any more", where, choice, i)
		}
	}
}

// values compares which single values two schemas allow.
func (c *comparison) values(where string, before, now map[string]any, answer bool) {
	if before["type"] != nil && now["type"] != nil && !reflect.DeepEqual(before["type"], now["type"]) {
		c.say("%s: the type is %v, not %v", where, now["type"], before["type"])
	}
	allowed := func(s map[string]any) []any {
		if value, is := s["const"]; is {
			return []any{value}
		}
		list, _ := s["enum"].([]any)
		return list
	}
	if has := allowed(now); len(has) > 0 || answer {
		for _, value := range allowed(before) {
			if !slices.ContainsFunc(has, func(other any) bool { return reflect.DeepEqual(other, value) }) {
				c.say("%s: the value %v is removed", where, value)
			}
		}
	}
	if answer {
		return
	}
	for key, worse := range map[string]int{"minimum": 1, "minItems": 1, "minLength": 1, "maximum": -1, "maxItems": -1, "maxLength": -1} {
		if now[key] == nil {
			continue
		}
		if before[key] == nil || compareNumbers(now[key], before[key]) == worse {
			c.say("%s: %s is %v", where, key, now[key])
		}
	}
	if now["pattern"] != nil && !reflect.DeepEqual(now["pattern"], before["pattern"]) {
		c.say("%s: the pattern is %v", where, now["pattern"])
	}
}

func compareNumbers(a, b any) int {
	x, _ := a.(json.Number).Float64()
	y, _ := b.(json.Number).Float64()
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
