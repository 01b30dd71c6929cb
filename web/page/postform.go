package page

import (
	"cmp"
	"strings"

	"github.com/a-h/templ"

	"amstel.dev/amstel/timeline/text"
	"amstel.dev/amstel/web/catalogue"
)

// PostForm is the form for a new post.
type PostForm struct {
	Text             string
	Files            FileFields
	Problems         Problems
	To               []Destination // places to choose from; a single one is not shown
	Names            *string       // of a direct: the recipients as typed; nil: not a direct
	Label            string        // "Post to Cooks"; empty: "Post"
	ReturnTo         string
	UUID             string
	CommentsDisabled bool
	Audience         *Audience // of the post; nil: not asked
	Lang             string    // the code of the chosen language; empty: none
	Languages        []text.Language
}

// mostText is how many characters a post or a comment may have. A field does not hold to it: a browser would
// cut off pasted text without a word.
const mostText = "3000"

// A Destination is a place to post to: "user", "user_private", "user_fyeo", "group:NAME",
// "direct:NAME".
type Destination struct {
	Value, Label string
	Checked      bool
}

// exclusive reports whether a post in this place can be in no other.
func (d Destination) exclusive() bool { return d.Value == "user_fyeo" }

func (f *PostForm) label(words catalogue.Language) string {
	if f.Label == "" {
		return words.PostPost()
	}
	return f.Label
}

// placeholder returns the text of the empty field.
func (f *PostForm) placeholder(words catalogue.Language) string {
	if f.Names != nil {
		return words.PostPlaceholderDirect()
	}
	return words.PostPlaceholder()
}

// goesTo returns in words where the post goes if the form is sent as it stands.
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

// namesProblem returns what is wrong with the recipients of a direct.
func (f *PostForm) namesProblem() string {
	return cmp.Or(f.Problems.sentence("to"), f.Problems.sentence("timelines"))
}

// audienceAttributes returns the attributes that make the client show the audience of the post. A
// direct needs none: its recipients are plain.
func (f *PostForm) audienceAttributes() templ.Attributes {
	if f.Names != nil {
		return nil
	}
	return templ.Attributes{"data-audience": "post"}
}
