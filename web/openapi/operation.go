package openapi

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A Parameter is a part of a path or of a query, or a header, of a request.
type Parameter struct {
	Name, In    string // In is path, query or header
	Description string
	Required    bool
	Example     string // empty: none

	schema *object
}

// An Operation is a method of a path.
type Operation struct {
	ID           string
	Method, Path string
	Summary      string
	Description  string // beside the summary; may be empty
	Topic        string
	Who          string // "account", "session" or "all"
	Scope        string // that a token needs: "read", "write" or "admin"; empty: no token is looked at
	SameAs       string // the path of the operation that does the same under another method or path; empty: none does
	Parameters   []Parameter
	Fails        []int // the statuses of refusals

	body         *object // nil: none
	bodyRequired bool
	form         *object // of a multipart form; nil: none
	answer       *object // nil: not JSON with a schema
	mediaType    string  // of an answer without a schema; empty: without a body
	success      int
	moves        []int
}

// HTML reports whether an operation answers HTML alone.
func (o *Operation) HTML() bool { return o.mediaType == "text/html" }

// feeds are the paths that FEED stands for.
var feeds = []string{"users/{name}", "users/{name}/private", "groups/{name}"}

// inPath finds the parameters of a path.
var inPath = regexp.MustCompile(`(\w+/)?\{(\w+)\}`)

// readOperations returns the operations under one key of a topic's paths.
func (c *collection) readOperations(topic, key string, n *yaml.Node) (all []*Operation, err error) {
	method, path, _ := strings.Cut(key, " ")
	var paths []string
	switch {
	case strings.Contains(path, "FEED"):
		for _, feed := range feeds {
			paths = append(paths, strings.Replace(path, "FEED", feed, 1))
		}
	default:
		paths = []string{path}
	}
	if rest, is := strings.CutPrefix(path, "/api/v1/posts/{post}"); is {
		paths = append(paths, "/api/v1/posts/{name}/{post}"+rest)
	}
	for i, path := range paths {
		for j, method := range append([]string{method}, strings.Fields(textUnder(n, "also"))...) {
			o, err := c.readOperation(topic, method, path, n)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", key, err)
			}
			if i > 0 && !strings.Contains(key, "FEED") || j > 0 {
				o.SameAs = paths[0]
			}
			if id := textUnder(n, "id"); id != "" && i == 0 && j == 0 {
				o.ID = id
			}
			all = append(all, o)
			all = append(all, o.feeds()...)
		}
	}
	return all, nil
}

// feedTypes are the types of the web feeds of a page, by the ending of their path.
var feedTypes = []struct{ ending, mediaType string }{
	{".atom", "application/atom+xml"}, {".rss", "application/rss+xml"}, {".feed.json", "application/feed+json"},
}

// feeds returns the operations of the web feeds of a page, if clients without an account may read the page.
func (o *Operation) feeds() (all []*Operation) {
	path, isPage := strings.CutSuffix(o.Path, ".json")
	if !isPage || o.Who != "all" || nameOf(o.answer) != "Page" {
		return nil
	}
	for _, t := range feedTypes {
		feed := *o
		feed.Path, feed.SameAs, feed.Scope, feed.answer, feed.mediaType = path+t.ending, o.Path, "", nil, t.mediaType
		feed.ID = operationID("GET", path) + operationID("", t.ending)
		feed.Summary = strings.TrimSuffix(o.Summary, ".") + ", as a web feed."
		feed.Parameters, feed.moves = slices.Clone(o.Parameters), []int{301, 302, 304}
		all = append(all, &feed)
	}
	return all
}

// readOperation returns one operation.
func (c *collection) readOperation(topic, method, path string, n *yaml.Node) (*Operation, error) {
	o := &Operation{
		ID: operationID(method, path), Method: method, Path: path, Topic: topic, Who: "account", success: 200,
		Summary: textUnder(n, "does"), Description: strings.TrimSpace(textUnder(n, "more")), mediaType: textUnder(n, "type"),
	}
	if o.Summary == "" {
		return nil, fmt.Errorf("line %d: it does not say what it does", n.Line)
	}
	if who := textUnder(n, "who"); who != "" {
		o.Who = who
	}
	o.Scope = o.neededScope(textUnder(n, "scope"))
	var err error
	if o.Parameters, err = c.readParameters(path, n); err != nil {
		return nil, err
	}
	for key, to := range map[string]**object{"body": &o.body, "body?": &o.body, "form": &o.form, "answer": &o.answer} {
		if at := under(n, key); at != nil {
			if *to, err = readSchema(at); err != nil {
				return nil, fmt.Errorf("%s: %w", key, err)
			}
		}
	}
	o.bodyRequired = under(n, "body") != nil
	var fails, success []int
	for key, to := range map[string]*[]int{"fails": &fails, "success": &success, "moves": &o.moves} {
		for text := range strings.FieldsSeq(textUnder(n, key)) {
			status, err := strconv.Atoi(text)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", key, err)
			}
			*to = append(*to, status)
		}
	}
	if len(success) > 0 {
		o.success = success[0]
	}
	if textUnder(n, "plain") == "" {
		fails = append(fails, o.usualFails()...)
		if o.Method != "GET" || o.Who != "all" && !strings.HasPrefix(path, "/api/") {
			o.moves = append(o.moves, 303)
		}
	}
	slices.Sort(fails)
	o.Fails = slices.Compact(fails)
	return o, nil
}

// neededScope returns the scope that a token needs. Named is the scope in the source. Where the source
// stands for feeds of people and of groups, "admin" is only for groups.
func (o *Operation) neededScope(named string) string {
	switch {
	case named == "none", o.Who == "session", o.HTML():
		return ""
	case named != "" && !strings.HasPrefix(o.Path, "/api/v1/users/"):
		return named
	case o.Method == "GET":
		return "read"
	}
	return "write"
}

// usualFails returns the statuses of refusals that all operations of this sort have.
func (o *Operation) usualFails() []int {
	fails := []int{401, 403, 429, 500, 503} // 403: a token without the scope
	if o.Method != "GET" {
		fails = append(fails, 400, 413, 415, 422)
	}
	if len(o.Parameters) > 0 {
		fails = append(fails, 404, 422)
	}
	return fails
}

// operationID returns the name of an operation, made of its method and its path, such as
// postListsIdMembers, and getNotificationsPage for the JSON of an HTML page.
func operationID(method, path string) string {
	var b strings.Builder
	b.WriteString(strings.ToLower(method))
	path, isPage := strings.CutSuffix(path, ".json")
	path = strings.TrimPrefix(path, "/api/v1")
	for _, word := range strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune("/{}_.", r) }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	if isPage {
		b.WriteString("Page")
	}
	return b.String()
}

// readParameters returns the parameters of an operation: those of the path, and of the query.
func (c *collection) readParameters(path string, n *yaml.Node) (all []Parameter, err error) {
	for _, found := range inPath.FindAllStringSubmatch(path, -1) {
		of := under(under(n, "path"), found[2])
		for _, key := range []string{found[1] + found[2], found[2]} {
			if of == nil {
				of = under(c.common.parameters, key)
			}
		}
		if of == nil {
			return nil, fmt.Errorf("the parameter %s is not described", found[2])
		}
		p, err := readParameter(found[2], "path", of)
		if err != nil {
			return nil, err
		}
		p.Required = true
		all = append(all, p)
	}
	query := under(n, "query")
	members := membersOf(query)
	for name := range strings.FieldsSeq(textUnder(query, "$all")) {
		members = append(members, membersOf(under(c.common.queries, name))...)
	}
	for _, m := range members {
		if m.key == "$all" {
			continue
		}
		p, err := readParameter(m.key, "query", m.value)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

func readParameter(key, in string, n *yaml.Node) (p Parameter, err error) {
	name, optional := strings.CutSuffix(key, "?")
	s, err := readSchema(n)
	if err != nil {
		return p, fmt.Errorf("%s: %w", name, err)
	}
	p = Parameter{Name: name, In: in, Required: !optional, schema: s}
	if text, is := s.get("description").(string); is {
		p.Description = text
	}
	return p, nil
}

// json returns the operation in the form of OpenAPI.
func (o *Operation) json() *object {
	j := newObject("operationId", o.ID, "tags", []string{o.Topic}, "summary", o.Summary)
	j.setText("description", o.Description)
	if o.SameAs != "" {
		j.set("x-same-as", o.SameAs)
	}
	// OpenAPI 3.1 lets a requirement name roles of schemes other than OAuth too.
	scopes := []string{}
	if o.Scope != "" {
		scopes = append(scopes, o.Scope)
	}
	token, bearer, session := newObject("token", scopes), newObject("bearer", scopes), newObject("session", []string{})
	switch o.Who {
	case "all":
		j.set("security", []any{newObject(), token, bearer, session})
	case "session":
		j.set("security", []any{session})
	default:
		j.set("security", []any{token, bearer, session})
	}
	if len(o.Parameters) > 0 {
		var all []any
		for _, p := range o.Parameters {
			one := newObject("name", p.Name, "in", p.In, "required", p.Required)
			one.setText("description", p.Description)
			one.set("schema", p.schema)
			all = append(all, one)
		}
		j.set("parameters", all)
	}
	if o.body != nil {
		j.set("requestBody", newObject("required", o.bodyRequired, "content", content("application/json", o.body, o.bodyExample())))
	} else if o.form != nil {
		j.set("requestBody", newObject("required", true, "content", content("multipart/form-data", o.form, nil)))
	}
	j.set("responses", o.responses())
	return j
}

// responses returns the answers in the form of OpenAPI.
func (o *Operation) responses() *object {
	success := newObject("description", "The request succeeded.")
	switch {
	case o.answer != nil:
		success.set("content", content("application/json", o.answer, o.answerExample()))
	case o.mediaType != "":
		success.set("content", newObject(o.mediaType, newObject()))
	case o.success == 101:
		success.set("description", "The connection is a WebSocket from now on.")
	}
	all := newObject(strconv.Itoa(o.success), success)
	slices.Sort(o.moves)
	for _, status := range o.moves {
		all.set(strconv.Itoa(status), newObject("description", moved[status]))
	}
	for _, status := range o.Fails {
		if o.answer == nil && failureNames[status] == "" {
			all.set(strconv.Itoa(status), newObject("description", "The request is refused."))
			continue
		}
		all.set(strconv.Itoa(status), newObject("$ref", "#/components/responses/"+failureNames[status]))
	}
	return all
}

// moved are the descriptions of answers that lead elsewhere.
var moved = map[int]string{
	206: "A part of the file, as Range asks for it.",
	301: "The person or group has another name now.",
	302: "The page is at another address.",
	303: "A form of a page succeeded, or the reader of a page has to sign in. Programs, which accept JSON, are not redirected.",
	304: "The client has this answer already.",
}

// content returns the content of a body of one type, with its example unless that is nil. The example
// of a named schema is among the components, because several operations share it.
func content(mediaType string, schema *object, example any) *object {
	of := newObject("schema", schema)
	if name, is := schema.get("$ref").(string); is {
		name = strings.TrimPrefix(name, schemas)
		of.set("examples", newObject(name, newObject("$ref", examples+name)))
	} else if example != nil {
		of.set("example", example)
	}
	return newObject(mediaType, of)
}
