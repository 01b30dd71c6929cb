package apitest

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"amstel.dev/amstel/web/openapi"
)

// A Site is the handler of a site, with its routes.
type Site interface {
	http.Handler
	Routes() chi.Routes
}

// Hold returns a handler that serves a site, and fails the test at each answer that the OpenAPI
// document does not allow: an operation or a status that it does not name, a JSON answer in another
// shape, and a successful request with a parameter or a body that it does not allow. It does not
// check HTML.
func Hold(t testing.TB, site Site) http.Handler { return hold(t, site, Check) }

// HoldAnswers is Hold for requests that the document need not allow: the site ignores, for example,
// fields that the site does not know.
func HoldAnswers(t testing.TB, site Site) http.Handler {
	return hold(t, site, func(e Exchange) error {
		e.odd = true
		return Check(e)
	})
}

func hold(t testing.TB, site Site, check func(Exchange) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "" || r.Method == http.MethodOptions || r.Method == http.MethodHead {
			site.ServeHTTP(w, r)
			return
		}
		// The routes find the context in the request's, so that the pattern is known afterwards.
		route := chi.NewRouteContext()
		route.Routes = site.Routes()
		r = r.WithContext(context.WithValue(r.Context(), chi.RouteCtxKey, route))
		var sent bytes.Buffer
		if kind := mediaTypeOf(r.Header); r.Body != nil && (kind == "application/json" || kind == "application/x-www-form-urlencoded") {
			r.Body = &copied{r.Body, io.TeeReader(r.Body, &sent)}
		}
		answered := &recorder{ResponseWriter: w}
		site.ServeHTTP(answered, r)
		if answered.status == 0 {
			if r.Context().Err() != nil {
				return // the client disconnected, and gets no answer
			}
			answered.status = http.StatusOK
		}
		e := Exchange{Method: route.RouteMethod, Route: route.RoutePattern(), Request: r, Sent: sent.Bytes(), Status: answered.status, Header: w.Header(), Body: answered.body.Bytes()}
		if wrong := check(e); wrong != nil {
			t.Errorf("%s %s, answered %d: %v\n%.2000s", r.Method, r.URL.Path, answered.status, wrong, e.text())
		}
	})
}

// copied is the body of a request that keeps a copy of all bytes that are read.
type copied struct {
	io.Closer
	io.Reader
}

// A recorder keeps the body of a JSON answer.
type recorder struct {
	http.ResponseWriter
	status int // 0: none yet
	body   bytes.Buffer
}

func (w *recorder) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(data []byte) (int, error) {
	w.status = cmp.Or(w.status, http.StatusOK)
	if isJSON(w.Header()) {
		w.body.Write(data)
	}
	return w.ResponseWriter.Write(data)
}

// Flush sends what was written.
func (w *recorder) Flush() {
	w.status = cmp.Or(w.status, http.StatusOK)
	_ = http.NewResponseController(w.ResponseWriter).Flush()
}

// Unwrap returns the underlying writer, for [http.ResponseController].
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// An Exchange is a request with its answer. Method and Route are those by which the site routed
// the request.
type Exchange struct {
	Method, Route string
	Request       *http.Request
	Sent          []byte // of JSON and forms
	Status        int
	Header        http.Header
	Body          []byte // of JSON

	odd bool // the request is not checked
}

// text returns the body of the answer, unpacked.
func (e *Exchange) text() []byte {
	if e.Header.Get("Content-Encoding") != "gzip" {
		return e.Body
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(e.Body))
	if err != nil {
		return e.Body
	}
	text, _ := io.ReadAll(unpacked)
	return text
}

// contract is the OpenAPI document with its operations by method and path.
var contract = sync.OnceValue(func() *document {
	d, err := newDocument(openapi.Document(), "components", "schemas")
	if err != nil {
		panic("apitest: " + err.Error())
	}
	return d
})

// withoutPattern finds the patterns of the parameters of a route.
var withoutPattern = regexp.MustCompile(`\{(\w+):[^}]*\}`)

// Path returns the path of a route as the OpenAPI document has it, except for an ending .json.
func Path(route string) string {
	route = withoutPattern.ReplaceAllString(route, "{$1}")
	return strings.Replace(route, "/*", "/{file}", 1)
}

// operation returns the operation of a route and its place in the document; nil if there is none.
func (d *document) operation(method, route string) (operation map[string]any, place string) {
	paths := d.root.(map[string]any)["paths"].(map[string]any)
	path := Path(route)
	for _, path := range []string{path + ".json", path} {
		if path == "/.json" {
			path = "/index.json"
		}
		item, _ := paths[path].(map[string]any)
		if operation, is := item[strings.ToLower(method)].(map[string]any); is {
			return operation, "#/paths/" + escape(path) + "/" + strings.ToLower(method)
		}
	}
	return nil, ""
}

// escape returns a key as a JSON Pointer in the fragment of an address has it.
func escape(key string) string {
	return url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(key))
}

// Check returns an error if the OpenAPI document does not allow an exchange.
func Check(e Exchange) error {
	d := contract()
	operation, place := d.operation(e.Method, e.Route)
	if operation == nil {
		return d.checkUnknown(e)
	}
	if e.Status == http.StatusMethodNotAllowed {
		return nil // a form of a page that was sent by a program
	}
	responses := operation["responses"].(map[string]any)
	status := strconv.Itoa(e.Status)
	response, is := responses[status].(map[string]any)
	if !is {
		return fmt.Errorf("the operation %v has no answer of this status", operation["operationId"])
	}
	if !isJSON(e.Header) || e.Status == http.StatusPartialContent {
		return nil
	}
	at := place + "/responses/" + status
	if to, is := response["$ref"].(string); is {
		at = to
		response = d.root.(map[string]any)["components"].(map[string]any)["responses"].(map[string]any)[to[strings.LastIndexByte(to, '/')+1:]].(map[string]any)
	}
	if err := d.checkContent(at, response, e.text()); err != nil {
		return err
	}
	if e.Status >= 300 || e.odd {
		return nil
	}
	return d.checkRequest(e, operation, place)
}

// checkUnknown returns an error if the document does not allow the answer to a request that has no operation.
func (d *document) checkUnknown(e Exchange) error {
	name := openapi.FailureName(e.Status) // a body that can't be read is refused before its address
	if name == "" {
		return fmt.Errorf("the document has no operation %s %s", e.Method, Path(e.Route))
	}
	if !isJSON(e.Header) {
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(e.text()))
	if err != nil {
		return err
	}
	return d.validate("#/components/responses/"+name+"/content/application~1json/schema", value)
}

// checkContent returns an error if a JSON body breaks the response at a place.
func (d *document) checkContent(place string, response map[string]any, body []byte) error {
	content, _ := response["content"].(map[string]any)
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("the answer is no JSON: %w", err)
	}
	for kind, media := range content {
		if !strings.HasSuffix(kind, "json") {
			continue
		}
		if _, has := media.(map[string]any)["schema"]; !has {
			return nil
		}
		return d.validate(place+"/content/"+escape(kind)+"/schema", value)
	}
	return fmt.Errorf("the operation answers no JSON with this status")
}

// checkRequest returns an error if the document does not allow a request that succeeded.
func (d *document) checkRequest(e Exchange, operation map[string]any, place string) error {
	query, err := url.ParseQuery(e.Request.URL.RawQuery)
	if err != nil {
		return nil // the site reads what can be read of it
	}
	known := make(map[string]bool)
	parameters, _ := operation["parameters"].([]any)
	for i, one := range parameters {
		p := one.(map[string]any)
		name, _ := p["name"].(string)
		if p["in"] != "query" {
			continue
		}
		known[name] = true
		for _, text := range query[name] {
			if text == "" {
				continue
			}
			at := fmt.Sprintf("%s/parameters/%d/schema", place, i)
			if err := d.validate(at, text); err != nil && d.validate(at, json.Number(text)) != nil {
				return fmt.Errorf("the parameter %s: %w", name, err)
			}
		}
	}
	for name := range maps.Keys(query) {
		if !known[name] && !slices.Contains(unlisted, name) {
			return fmt.Errorf("the parameter %s is not in the document", name)
		}
	}
	value, err := sentValue(e)
	if err != nil || value == nil {
		return err
	}
	if _, has := operation["requestBody"]; !has {
		if fields, is := value.(map[string]any); is && len(fields) == 0 {
			return nil
		}
		return fmt.Errorf("the operation has no body, but %.200s was sent", e.Sent)
	}
	if err := d.validate(place+"/requestBody/content/application~1json/schema", value); err != nil {
		return fmt.Errorf("the body: %w\n%.500s", err, e.Sent)
	}
	return nil
}

// unlisted are parameters of forms, and one with which tests show that others are ignored.
var unlisted = []string{"return_to", "form", "unknown"}

// ofForms are the fields that every form may have, whatever it is for.
var ofForms = []string{"_method", "_action", "return_to", "authenticity_token", "utf8", "commit"}

// sentValue returns the body of a request as a JSON value: a form as the site reads it. It returns
// nil for no body.
func sentValue(e Exchange) (any, error) {
	if len(bytes.TrimSpace(e.Sent)) == 0 {
		return nil, nil
	}
	if mediaTypeOf(e.Request.Header) == "application/json" {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(e.Sent))
		if fields, is := value.(map[string]any); is {
			for _, name := range ofForms {
				delete(fields, name)
			}
		}
		return value, err
	}
	form, err := url.ParseQuery(string(e.Sent))
	if err != nil {
		return nil, err
	}
	tree := make(map[string]any)
	for key, values := range form {
		if slices.Contains(ofForms, key) {
			continue
		}
		at, path := tree, strings.Split(strings.ReplaceAll(key, "]", ""), "[")
		for len(path) > 1 && path[1] != "" {
			next, is := at[path[0]].(map[string]any)
			if !is {
				next = make(map[string]any)
				at[path[0]] = next
			}
			at, path = next, path[1:]
		}
		if len(path) > 1 {
			list := make([]any, len(values))
			for i, v := range values {
				list[i] = v
			}
			at[path[0]] = list
		} else {
			at[path[0]] = values[len(values)-1]
		}
	}
	return tree, nil
}

// isJSON reports whether headers are of a JSON body.
func isJSON(h http.Header) bool {
	kind := mediaTypeOf(h)
	return kind == "application/json" || strings.HasSuffix(kind, "+json")
}

func mediaTypeOf(h http.Header) string {
	kind, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return kind
}
