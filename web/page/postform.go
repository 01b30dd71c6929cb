package page

import (
	"cmp"
	"strings"

	"github.com/a-h/templ"

	"amstel.dev/amstel/timeline/text"
	"amstel.dev/amstel/web/catalogue"
)

// PostForm is the form to write a post with.
type PostForm struct {
	Text             string
	Problems         Problems
	To               []Destination // where it may go; one alone is not asked about
	Names            *string       // of directs: to whom, as typed; nil: not a direct
	Label            string        // "Post to Cooks"; empty: "Post"
	ReturnTo         string
	UUID             string
	CommentsDisabled bool
	Audience         *Audience // who will see it, where that was asked
	Lang             string    // the code of the language that was chosen; empty: none
	Languages        []text.Language
}

// Destination is a place to post to: "user", "user_private", "user_fyeo",
// "group:NAME", "direct:NAME".
type Destination struct {
	Value, Label string
	Checked      bool
}

// alone says whether what goes there goes nowhere else.
func (d Destination) alone() bool { return d.Value == "user_fyeo" }

func (f *PostForm) label(words catalogue.Language) string {
	if f.Label == "" {
		return words.PostPost()
	}
	return f.Label
}

// placeholder stands where nothing is written yet.
func (f *PostForm) placeholder(words catalogue.Language) string {
	if f.Names != nil {
		return words.PostPlaceholderDirect()
	}
	return words.PostPlaceholder()
}

// goesTo says where a post goes that is sent as the form stands.
func (f *PostForm) goesTo(words catalogue.Language) string {
	var to []string
	for _, d := range f.To {
		if d.Checked {
			to = append(to, d.Label)
		}
	}
	if len(to) == 0 {
		return words.PostChooseWhere()
	}
	return words.PostGoesTo(strings.Join(to, ", "))
}

// namesProblem is what is wrong with whom a direct goes to.
func (f *PostForm) namesProblem() string {
	return cmp.Or(f.Problems.of("to"), f.Problems.of("timelines"))
}

// asked has the page's client say who will see it; of directs it is plain.
func (f *PostForm) asked() templ.Attributes {
	if f.Names != nil {
		return nil
	}
	return templ.Attributes{"data-audience": "post"}
}
