package page

import (
	"maps"
	"slices"
	"strings"

	"github.com/a-h/templ"
)

// Problems say what is wrong with a form's input, each in a sentence, by the field's
// bare name ("text", "display_name"). What is under "" is of the form as a whole.
type Problems map[string]string

// of is the sentence to show beside the field, empty where it is fine.
func (p Problems) of(field string) string { return p[field] }

// rest are the sentences on what none of the fields of the form shows.
func (p Problems) rest(fields ...string) []string {
	var found []string
	for _, field := range slices.Sorted(maps.Keys(p)) {
		if !slices.Contains(fields, field) && !slices.Contains(found, p[field]) {
			found = append(found, p[field])
		}
	}
	return found
}

// A field is one input of a form, with all that belongs to it.
type field struct {
	ID, Name, Label string
	Type            string // of the input; "" is text
	Value           string
	Hint, Problem   string
	Complete        string // autocomplete
	Required        bool
	Min, Max        string // of characters
	Pattern         string
	Rows            string // a textarea; "" is an input
}

// described names the elements that explain the field.
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

// A choice is one of several, as a radio button or a checkbox.
type choice struct {
	Value, Label, Hint string
	Checked            bool
}

// attributes are those of the input that not every field has.
func (f field) attributes() templ.Attributes {
	some := templ.Attributes{}
	for key, value := range map[string]string{
		"autocomplete": f.Complete, "minlength": f.Min, "maxlength": f.Max, "pattern": f.Pattern, "aria-describedby": f.described(),
	} {
		if value != "" {
			some[key] = value
		}
	}
	if f.Problem != "" {
		some["aria-invalid"] = "true"
	}
	return some
}

// Was are what the fields of a form were when it was shown, by their names. What
// is sent back unchanged changes nothing, whatever it became elsewhere meanwhile.
type Was []struct{ Name, Value string }
