package page

import (
	"strings"
	"sync"

	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/openapi"
)

// APIPath is the page about the interface for programs.
const APIPath = "/api"

// The documents about the interface for programs.
const (
	OpenAPIPath    = "/api/openapi.json"
	LiveSchemaPath = "/api/live.schema.json"
)

// An APIModel is the content of the page about the interface for programs.
type APIModel struct {
	Shell
	Site string // the address of the site, for command lines
}

// apiTopics returns the topics of the page: those with operations for programs, without other ways to
// write the same one.
var apiTopics = sync.OnceValue(func() (shown []*openapi.Topic) {
	for _, t := range openapi.Topics() {
		topic := &openapi.Topic{Name: t.Name, About: t.About}
		for _, o := range t.Operations {
			if o.SameAs == "" && !o.HTML() {
				topic.Operations = append(topic.Operations, o)
			}
		}
		if len(topic.Operations) > 0 {
			shown = append(shown, topic)
		}
	}
	return shown
})

// apiShapes returns the shapes of the page.
var apiShapes = sync.OnceValue(openapi.Shapes)

// whoMay returns who may make a request, in words.
func whoMay(words catalogue.Language, o *openapi.Operation) string {
	switch o.Who {
	case "all":
		return words.ApiWhoAll()
	case "session":
		return words.ApiWhoSession()
	}
	return words.ApiWhoAccount()
}

// asID returns a name as the id of an element.
func asID(name string) string { return strings.ToLower(strings.ReplaceAll(name, " ", "-")) }

// A run is a part of a text of the document: plain, bold or code.
type run struct {
	Text       string
	Bold, Code bool
}

// runsOf returns the parts of a text in Markdown, which has no marks but ** and `.
func runsOf(text string) (runs []run) {
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			runs = append(runs, run{Text: part, Code: true})
			continue
		}
		for j, piece := range strings.Split(part, "**") {
			if piece != "" {
				runs = append(runs, run{Text: piece, Bold: j%2 == 1})
			}
		}
	}
	return runs
}

// paragraphs returns the paragraphs of a text.
func paragraphs(text string) []string {
	return strings.Split(strings.TrimSpace(text), "\n\n")
}

// isShape reports whether a type is the name of a shape.
func isShape(name string) bool {
	return name != "" && name[0] >= 'A' && name[0] <= 'Z' && !strings.Contains(name, " ")
}
