package page

import (
	"maps"
	"slices"
	"strings"

	"github.com/a-h/templ"
)

// Problems holds the problems of a form's input, a sentence for each field by its bare
// name ("text", "display_name"). The empty name is for the form as a whole.
type Problems map[string]string

// sentence returns the sentence beside a field; empty if the field is right.
func (p Problems) sentence(field string) string { return p[field] }

// sentencesBut returns the sentences of all fields but the named ones, and of the form as a whole.
func (p Problems) sentencesBut(fields ...string) []string {
	var found []string
	for _, field := range slices.Sorted(maps.Keys(p)) {
		if !slices.Contains(fields, field) && !slices.Contains(found, p[field]) {
			found = append(found, p[field])
		}
	}
	return found
}

// A field is one input of a form, with its label and hints.
type field struct {
	ID, Name, Label string
	Type            string // of the input; "" is text
	Value           string
	Hint, Problem   string
	Complete        string // autocomplete
	Names           string // what the script completes: "people", "person" or "feed"; "" is nothing
	Most            string // of characters in a text; the script counts them, and the server refuses more
	Required        bool
	Min, Max        string // of characters
	Pattern         string
	Rows            string // a textarea; "" is an input
}

// described returns the ids of the elements that describe the field.
func (f field) described() string {
	var ids []string
	if f.Problem != "" {
		ids = append(ids, f.ID+"-problem")
	}
	if f.Hint != "" {
		ids = append(ids, f.ID+"-hint")
	}
	return strings.Join(ids, " ")
}

func (f field) kind() string {
	if f.Type == "" {
		return "text"
	}
	return f.Type
}

// A choice is one of several radio buttons or checkboxes.
type choice struct {
	Value, Label, Hint string
	Checked            bool
}

// attributes returns the attributes that not every input has.
func (f field) attributes() templ.Attributes {
	some := templ.Attributes{}
	for key, value := range map[string]string{
		"autocomplete": f.Complete, "minlength": f.Min, "maxlength": f.Max, "pattern": f.Pattern, "aria-describedby": f.described(),
		"data-complete": f.Names, "data-most": f.Most,
	} {
		if value != "" {
			some[key] = value
		}
	}
	if f.Problem != "" {
		some["aria-invalid"], some["autofocus"] = "true", true // the first such field of the page gets the focus
	}
	return some
}

// Initial holds the values of a form's fields when it was shown, by their names. A field that
// is sent back unchanged changes nothing, even if another page changed it meanwhile.
type Initial []struct{ Name, Value string }
