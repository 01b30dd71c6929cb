package web_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"amstel.dev/amstel/web/openapi"
)

// A walkOperation is an operation of the OpenAPI document.
type walkOperation struct {
	id, method, path string
	parameters       []walkParameter
	body             object // the schema; nil: none
	form             bool   // the body is a multipart form
}

// lists reports whether an operation answers a page of posts.
func (op walkOperation) lists() bool {
	return slices.ContainsFunc(op.parameters, func(p walkParameter) bool { return p.name == "max_id" })
}

type walkParameter struct {
	name, in string
	required bool
	schema   object
}

// walkOperations returns the operations of the OpenAPI document that answer at once, and its schemas by name.
func walkOperations(t *testing.T) (all []walkOperation, schemas object) {
	t.Helper()
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string
			Parameters  []struct {
				Name, In string
				Required bool
				Schema   object
			}
			RequestBody struct {
				Content map[string]struct{ Schema object }
			}
		}
		Components struct{ Schemas object }
	}
	if err := json.Unmarshal(openapi.Document(), &document); err != nil {
		t.Fatal(err)
	}
	for path, methods := range document.Paths {
		if strings.HasPrefix(path, "/live") || strings.HasPrefix(path, "/faye") || path == "/metrics" {
			continue // of sockets, and of operators
		}
		for method, o := range methods {
			op := walkOperation{id: o.OperationID, method: strings.ToUpper(method), path: path}
			for _, p := range o.Parameters {
				op.parameters = append(op.parameters, walkParameter{p.Name, p.In, p.Required, p.Schema})
			}
			for kind, content := range o.RequestBody.Content {
				op.body, op.form = content.Schema, kind == "multipart/form-data"
			}
			all = append(all, op)
		}
	}
	slices.SortFunc(all, func(a, b walkOperation) int { return strings.Compare(a.path+a.method, b.path+b.method) })
	return all, document.Components.Schemas
}

// A walkRequest is a request as it is sent.
type walkRequest struct {
	method, target string
	header         http.Header
	body           []byte
}

// odd are texts that no program should send.
var odd = []string{
	"", "0", "-1", "1e3", "007", "+5", "9007199254740992", "9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
	"99999999999999999999999", "1e99", "NaN", "Infinity", "null", "true", "[]", "{}", "\x00", "a\x00b", "\xff\xfe", "\xed\xa0\x80", "\u202e\u200b", "\ufffe", "%2e%2e", "..", "../../etc/passwd", "'; drop table posts; --",
	"<script>alert(1)</script>", "ы", " ", "\t", "\r\nX-Y: z", "a/b", "a\\b", "#", "?", "&", "%", "%zz", "\U0001F468\u200d\U0001F469", "2026-02-30T25:61:61Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
	strings.Repeat("ы", 300), strings.Repeat("a", 5000), strings.Repeat("é\u0301", 100),
}

// oddMethods are methods that a path may not know.
var oddMethods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "get", "X"}

// oddTypes are content types of bodies that may not be of these types.
var oddTypes = []string{
	"application/x-www-form-urlencoded", "text/plain", "application/xml", "application/json; charset=utf-16", "application/vnd.api+json", "multipart/form-data", "multipart/form-data; boundary=x",
	"multipart/form-data; boundary=", "application/json; =", "/", "image/png", "application/json, text/html",
}

// request returns a request of an operation: mostly one that the document allows, and else one that is odd in some way.
func (o *walker) request(op walkOperation) *walkRequest {
	r := &walkRequest{method: op.method, target: op.path, header: http.Header{}}
	query, post := url.Values{}, o.site.Posts[o.post()]
	for _, p := range op.parameters {
		switch {
		case p.in == "path":
			value := o.parameter(p)
			switch {
			case o.likely(15):
			case p.name == "post":
				value = fmt.Sprint(post.ID)
			case p.name == "name" && strings.Contains(op.path, "{name}/{post}"):
				value = o.site.People[post.Author].Name
			case p.name == "comment" && len(post.Comments) > 0:
				value = fmt.Sprint(post.Comments[o.rng.IntN(len(post.Comments))].ID)
			case p.name == "group" || p.name == "name" && strings.Contains(op.path, "groups/"):
				value = o.groups[o.rng.IntN(len(o.groups))]
			}
			r.target = strings.Replace(r.target, "{"+p.name+"}", url.PathEscape(value), 1)
		case p.in == "query" && (p.required || o.likely(8)):
			query.Add(p.name, o.parameter(p))
		case p.in == "header" && o.likely(10):
			r.header.Set(p.name, odd[o.rng.IntN(len(odd))])
		}
	}
	if o.likely(2) {
		r.target += "/" + strings.Repeat("x", 1<<o.rng.IntN(14))
	}
	if o.likely(2) {
		query.Add("unknown", strings.Repeat("word ", 1<<o.rng.IntN(12)))
	}
	if o.likely(2) {
		query.Add("unknown", odd[o.rng.IntN(len(odd))])
	}
	if len(query) > 0 {
		r.target += "?" + query.Encode()
	}
	if o.likely(1) {
		r.target += "?count=%zz&;=%"
	}
	switch {
	case op.form:
		o.fillForm(r, op)
	case op.body != nil:
		o.fillJSON(r, op)
	case op.method != "GET" && o.likely(10):
		r.body = []byte(odd[o.rng.IntN(len(odd))])
		r.header.Set("Content-Type", "application/json")
	}
	if o.likely(4) && !o.quiet {
		r.method = oddMethods[o.rng.IntN(len(oddMethods))]
	}
	if o.likely(2) && !o.quiet {
		r.header.Set("X-Http-Method-Override", "DELETE")
	}
	if o.likely(4) {
		r.header.Set("Content-Type", oddTypes[o.rng.IntN(len(oddTypes))])
	}
	r.header.Set("Accept", []string{"application/json", "application/json", "*/*", "text/html", "text/html", "image/png", "", ";;q=x"}[o.rng.IntN(8)])
	for header, values := range map[string][]string{
		"If-None-Match": {"*", `"x"`, `W/"`}, "Range": {"bytes=0-1", "bytes=9-1", "bytes=-99999999999999999999"}, "Accept-Language": {"ru", "en;q=x", strings.Repeat("a,", 500)},
		"Accept-Encoding": {"gzip", "zstd, *;q=0"}, "Referer": {"https://elsewhere.example/", "::"}, "X-Forwarded-For": {"1.2.3.4", "x"}, "If-Modified-Since": {"never"},
		"Cookie": {"amstel=x", "amstel", "=;=;", strings.Repeat("a=b;", 400)},
	} {
		if o.likely(2) {
			r.header.Set(header, values[o.rng.IntN(len(values))])
		}
	}
	return r
}

// parameter returns a value of a parameter: mostly one that exists.
func (o *walker) parameter(p walkParameter) string {
	if o.likely(8) {
		return odd[o.rng.IntN(len(odd))]
	}
	switch p.name {
	case "name", "who":
		return o.name()
	case "since_id", "max_id":
		return fmt.Sprint(o.post())
	case "uuid":
		if len(o.uuids) > 0 {
			return o.uuids[o.rng.IntN(len(o.uuids))]
		}
	case "q":
		return []string{"bridge", "#amstel", o.secrets[o.rng.IntN(len(o.secrets))], "from:" + o.name(), `"`, "-", "quiet"}[o.rng.IntN(7)]
	case "id":
		return fmt.Sprint(1 + o.rng.IntN(12))
	case "lang":
		return []string{"en", "ru", "nl", "xx"}[o.rng.IntN(4)]
	case "year", "month", "day":
		return map[string]string{"year": "2026", "month": "11", "day": "24"}[p.name]
	case "before", "after":
		return fmt.Sprintf("%d,%d", 1_700_000_000_000+o.rng.Int64N(100_000_000_000), o.post())
	}
	switch value := o.value(p.name, p.schema, 0).(type) {
	case float64:
		return formatNumber(value)
	default:
		return fmt.Sprint(value)
	}
}

// name returns the name of a person or, sometimes, of a group.
func (o *walker) name() string {
	if o.likely(25) {
		return o.groups[o.rng.IntN(len(o.groups))]
	}
	return o.names[o.rng.IntN(len(o.names))]
}

func (o *walker) post() int64 { return o.posts[o.rng.IntN(len(o.posts))] }

// text returns a text with a secret of its own for a post or a comment.
func (o *walker) text() string {
	n := o.texts.Add(1)
	return fmt.Sprintf("walked secret%05dx #amstel bridge @%s", 20000+n%70000, o.name())
}

// value returns a value of a schema of the document: mostly one that the schema allows.
func (o *walker) value(name string, schema object, depth int) any {
	switch {
	case o.likely(3):
		return o.oddValue()
	case o.likely(2):
		return odd[o.rng.IntN(len(odd))]
	}
	switch name {
	case "name", "user", "who", "member", "feed", "group":
		if schema["type"] == "string" && o.likely(80) {
			return o.name()
		}
	case "timelines":
		return [][]string{{"user"}, {"user"}, {"user_fyeo"}, {"user_private"}, {"group:" + o.groups[o.rng.IntN(len(o.groups))]}, {"direct:" + o.name()}, {"user", "group:" + o.name()}, {"group:cloister"}}[o.rng.IntN(8)]
	}
	if examples, is := schema["examples"].([]any); is && o.likely(60) {
		return examples[o.rng.IntN(len(examples))]
	}
	if value, is := schema["const"]; is {
		return value
	}
	if to, is := schema["$ref"].(string); is {
		of, _ := o.schemas[to[strings.LastIndexByte(to, '/')+1:]].(object)
		return o.value(name, of, depth+1)
	}
	if choices, is := schema["anyOf"].([]any); is {
		return o.value(name, choices[o.rng.IntN(len(choices))].(object), depth+1)
	}
	if words, is := schema["enum"].([]any); is {
		return words[o.rng.IntN(len(words))]
	}
	switch schema["type"] {
	case "string":
		return []string{"bridge", "x", "Ferry to the north", "мост", o.name(), "2026-11-24T10:00:00Z"}[o.rng.IntN(6)]
	case "integer", "number":
		return []int64{1, 2, 25, 100, o.post(), o.rng.Int64N(1 << 40)}[o.rng.IntN(6)]
	case "boolean":
		return o.likely(50)
	case "array":
		list := []any{}
		for items, is := schema["items"].(object); is && len(list) < 4 && o.likely(60); {
			list = append(list, o.value(name, items, depth+1))
		}
		return list
	case "object":
		return o.objectOf(schema, depth)
	}
	return o.oddValue()
}

// objectOf returns an object of a schema: with all fields that must be there, and some of the others.
func (o *walker) objectOf(schema object, depth int) any {
	value := object{}
	if parts, is := schema["allOf"].([]any); is {
		for _, part := range parts {
			if of, is := o.value("", part.(object), depth+1).(object); is {
				maps.Copy(value, of)
			}
		}
	}
	required, _ := schema["required"].([]any)
	properties, _ := schema["properties"].(object)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if must := slices.Contains(required, any(name)); must && o.likely(97) || !must && (name == "text" || name == "timelines") || !must && o.likely(25) {
			value[name] = o.value(name, properties[name].(object), depth+1)
		}
	}
	return value
}

// oddValue returns a value of JSON that programs would not send.
func (o *walker) oddValue() any {
	all := []any{
		nil, true, -1, 0, 1.5, 1e300, json.Number("9007199254740993"), json.Number("-9223372036854775809"), json.Number("1e9999"), json.Number("123456789012345678901234567890"),
		[]any{}, []any{1, "x", nil}, []any{[]any{[]any{}}}, object{}, object{"a": object{"b": object{"c": 1}}}, object{"": nil}, strings.Repeat("long ", 3000),
	}
	return all[o.rng.IntN(len(all))]
}

// fillJSON gives a request a body of JSON or, now and then, of anything.
func (o *walker) fillJSON(r *walkRequest, op walkOperation) {
	value := o.value("", op.body, 0)
	if of, is := value.(object); is && (strings.Contains(op.path, "/posts") || strings.Contains(op.path, "/comments")) {
		for _, part := range []string{"post", "comment"} {
			if fields, is := of[part].(object); is && o.likely(90) {
				fields["text"] = o.text()
			}
		}
	}
	text, err := json.Marshal(value)
	if err != nil { // of a number that is none
		text = []byte("1e9999")
	}
	r.header.Set("Content-Type", "application/json")
	switch n := o.rng.IntN(100); n {
	case 0:
		text = []byte(strings.Repeat(`{"post":`, 1+o.rng.IntN(20000)) + "1" + strings.Repeat("}", 3))
	case 1:
		text = []byte(strings.Repeat("[", 1+o.rng.IntN(100_000)))
	case 2:
		if of, is := value.(object); is && len(of) > 0 {
			first := slices.Min(slices.Collect(maps.Keys(of)))
			text = bytes.Replace(text, []byte("{"), fmt.Appendf(nil, `{%q:null,%q:{"text":"a","text":"b"},`, first, first), 1)
		}
	case 3:
		text = bytes.ReplaceAll(text, []byte(" "), []byte("\xff\xfe"))
	case 4:
		text = append([]byte("\xef\xbb\xbf"), text...)
	case 5:
		text = append(text, text...)
	case 6:
		text = text[:o.rng.IntN(len(text)+1)]
	case 7:
		text = bytes.Repeat([]byte(" "), 300<<10)
	case 8:
		text = []byte("<post/>")
	case 9:
		text = bytes.ReplaceAll(text, []byte("1"), []byte("1e400"))
	case 10:
		text = bytes.ReplaceAll(text, []byte("bridge"), []byte(`\ud800 \u0000`))
	case 11, 12, 13, 14, 15:
		if of, is := value.(object); is {
			text = []byte(formOf(of))
			r.header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
	case 16:
		text = []byte("post[text]=x&post=1&a[b][c][d][e][f][g][h][i][j]=k&_method=DELETE&%zz=%&[]=1&post[]=2&post[timelines][][]=user")
		r.header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	r.body = text
}

// formOf returns an object of JSON as a form has it.
func formOf(value object) string {
	form := url.Values{}
	var add func(name string, v any)
	add = func(name string, v any) {
		switch v := v.(type) {
		case object:
			for key, part := range v {
				if name == "" {
					add(key, part)
				} else {
					add(name+"["+key+"]", part)
				}
			}
		case []any:
			for _, part := range v {
				add(name+"[]", part)
			}
		case []string:
			for _, part := range v {
				form.Add(name+"[]", part)
			}
		default:
			form.Add(name, fmt.Sprint(v))
		}
	}
	add("", value)
	return form.Encode()
}

// fillForm gives a request a multipart form with the fields of the document.
func (o *walker) fillForm(r *walkRequest, op walkOperation) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	properties, _ := op.body["properties"].(object)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		var part io.Writer
		var err error
		content := []byte(odd[o.rng.IntN(len(odd))])
		if properties[name].(object)["contentMediaType"] == nil {
			if o.likely(50) {
				continue
			}
			part, err = form.CreateFormField(name)
		} else {
			part, err = form.CreateFormFile(name, []string{"boat.jpg", "notes.txt", odd[o.rng.IntN(len(odd))]}[o.rng.IntN(3)])
			if o.likely(60) {
				content = o.photos[o.rng.IntN(len(o.photos))]
			}
		}
		if err == nil {
			_, err = part.Write(content)
		}
		if err != nil {
			o.t.Error(err)
			return
		}
	}
	if o.likely(95) {
		if err := form.Close(); err != nil {
			o.t.Error(err)
		}
	}
	r.header.Set("Content-Type", form.FormDataContentType())
	r.body = body.Bytes()
}

// sendCut sends a request whose body ends before the length that it announces, and returns the answer; status
// 0 if the server hangs up without one.
func (o *walker) sendCut(r *walkRequest) (status int, body string) {
	conn, err := net.Dial("tcp", o.randomWalk.http.Listener.Addr().String())
	if err != nil {
		o.t.Error(err)
		return 0, ""
	}
	defer conn.Close()
	var text bytes.Buffer
	fmt.Fprintf(&text, "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nContent-Length: %d\r\n", r.method, r.target, strings.TrimPrefix(o.randomWalk.http.URL, "http://"), len(r.body)+100)
	if err := r.header.Write(&text); err != nil {
		o.t.Error(err)
	}
	text.WriteString("\r\n")
	text.Write(r.body)
	if _, err := conn.Write(text.Bytes()); err != nil {
		return 0, "" // refused before all was read
	}
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		return 0, ""
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0, ""
	}
	defer answer.Body.Close()
	all, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, ""
	}
	return answer.StatusCode, string(all)
}
