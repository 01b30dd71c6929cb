package openapi

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Version is the version of the interface. The first number rises if a program that follows the
// document could break, which no change so far did; the second when something is added.
const Version = "1.0"

//go:embed *.yaml
var sources embed.FS

// topics are the files of the topics, in the order in which they are shown.
var topics = []string{
	"pages", "posts", "comments", "files", "people", "groups", "subscriptions", "lists", "search", "notices", "account", "intakes", "moderation", "site", "live", "html",
}

// A Topic is a group of operations.
type Topic struct {
	Name, About string
	Operations  []*Operation
}

// A collection is the content of the source files.
type collection struct {
	common struct{ parameters, queries, failures *yaml.Node }

	info    string
	topics  []*Topic
	schemas *object
	live    []string // the schemas of frames
}

// collected is the content of the source files, read once. A mistake in them is found by each test
// of the package.
var collected = sync.OnceValue(func() *collection {
	c, err := collect()
	if err != nil {
		panic("openapi: " + err.Error())
	}
	return c
})

// Topics returns all operations by their topic.
func Topics() []*Topic { return collected().topics }

// Info returns the description of the interface as a whole, in Markdown.
func Info() string { return collected().info }

// Document returns the OpenAPI document as JSON.
var Document = sync.OnceValue(func() []byte { return mustEncode(collected().document()) })

func mustEncode(v any) []byte {
	text, err := encode(v)
	if err != nil {
		panic("openapi: " + err.Error())
	}
	return text
}

// collect reads the source files.
func collect() (*collection, error) {
	c := &collection{schemas: newObject()}
	for _, name := range append([]string{"common"}, topics...) {
		if err := c.read(name); err != nil {
			return nil, fmt.Errorf("%s.yaml: %w", name, err)
		}
	}
	for _, t := range c.topics {
		for _, o := range t.Operations {
			c.complete(o)
		}
	}
	return c, nil
}

// read reads one source file.
func (c *collection) read(name string) error {
	text, err := sources.ReadFile(name + ".yaml")
	if err != nil {
		return err
	}
	var whole yaml.Node
	if err := yaml.Unmarshal(text, &whole); err != nil {
		return err
	}
	n := whole.Content[0]
	if name == "common" {
		c.info = textUnder(n, "info")
		c.common.parameters, c.common.queries, c.common.failures = under(n, "parameters"), under(n, "queries"), under(n, "failures")
	} else {
		c.topics = append(c.topics, &Topic{Name: textUnder(n, "topic"), About: strings.TrimSpace(textUnder(n, "about"))})
	}
	for _, m := range membersOf(under(n, "schemas")) {
		if c.schemas.get(m.key) != nil {
			return fmt.Errorf("there are two schemas %s", m.key)
		}
		s, err := readSchema(m.value)
		if err != nil {
			return fmt.Errorf("%s: %w", m.key, err)
		}
		c.schemas.set(m.key, s)
		if name == "live" {
			c.live = append(c.live, m.key)
		}
	}
	if name == "common" {
		return nil
	}
	topic := c.topics[len(c.topics)-1]
	for _, m := range membersOf(under(n, "paths")) {
		operations, err := c.readOperations(topic.Name, m.key, m.value)
		if err != nil {
			return err
		}
		topic.Operations = append(topic.Operations, operations...)
	}
	for _, m := range membersOf(under(n, "html")) {
		operation, err := c.readHTML(topic.Name, m.key, m.value)
		if err != nil {
			return fmt.Errorf("%s: %w", m.key, err)
		}
		topic.Operations = append(topic.Operations, operation)
	}
	return nil
}

// readHTML returns an operation that answers HTML alone.
func (c *collection) readHTML(topic, key string, n *yaml.Node) (*Operation, error) {
	method, path, _ := strings.Cut(key, " ")
	o := &Operation{ID: operationID(method, path), Method: method, Path: path, Topic: topic, Who: "all", Summary: n.Value, mediaType: "text/html", success: 200}
	o.ID += "Page"
	o.moves = []int{301, 302, 303, 304}
	o.Fails = []int{400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503}
	var err error
	o.Parameters, err = c.readParameters(path, nil)
	return o, err
}

// complete adds to an operation the parameters, redirects and examples that follow from the schemas.
func (c *collection) complete(o *Operation) {
	if o.answer != nil && c.hasEffect(o.answer) {
		o.Parameters = append(o.Parameters, Parameter{
			Name: "X-River-Signature", In: "header", schema: newObject("type", "string"),
			Description: "the river on the screen, by its uuid or its whole signature; the answer then has the post as that river shows it",
		})
	}
	if o.Method == "GET" && o.answer != nil {
		o.moves = append(o.moves, 304)
	}
	for i := range o.Parameters {
		p := &o.Parameters[i]
		if example := c.example(p.schema); example != nil && (p.Required || p.schema.get("examples") != nil) {
			p.Example = fmt.Sprint(example)
			if number, is := example.(float64); is {
				p.Example = strconv.FormatFloat(number, 'f', -1, 64)
			}
			if p.schema.get("$ref") == nil && p.schema.get("examples") == nil {
				p.Example = ""
			}
		}
	}
}

// hasEffect reports whether a schema has the fields of an effect.
func (c *collection) hasEffect(s *object) bool {
	if to, is := s.get("$ref").(string); is {
		name := strings.TrimPrefix(to, schemas)
		return name == "Effect" || c.hasEffect(c.schemas.at(name))
	}
	for _, key := range []string{"allOf", "anyOf"} {
		parts, _ := s.get(key).([]any)
		for _, part := range parts {
			if c.hasEffect(part.(*object)) {
				return true
			}
		}
	}
	return false
}

// document returns the OpenAPI document.
func (c *collection) document() *object {
	paths, tags := newObject(), []any{}
	for _, t := range c.topics {
		tags = append(tags, newObject("name", t.Name, "description", t.About))
		for _, o := range t.Operations {
			if paths.get(o.Path) == nil {
				paths.set(o.Path, newObject())
			}
			paths.at(o.Path).set(strings.ToLower(o.Method), o.json())
		}
	}
	return newObject(
		"openapi", "3.1.0",
		"info", newObject("title", "Amstel", "version", Version, "description", c.info, "license", newObject("name", "Apache 2.0", "identifier", "Apache-2.0")),
		"servers", []any{newObject("url", "/")},
		"tags", tags,
		"paths", paths,
		"components", newObject("schemas", c.schemas, "responses", c.failures(), "examples", c.namedExamples(), "securitySchemes", newObject(
			"token", newObject("type", "apiKey", "in", "header", "name", "X-API-Token"),
			"bearer", newObject("type", "http", "scheme", "bearer"),
			"session", newObject("type", "apiKey", "in", "cookie", "name", "amstel", "description", "The cookie of a session. Over https it is called __Host-amstel."),
		)),
	)
}
