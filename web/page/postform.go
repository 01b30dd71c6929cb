package page

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/a-h/templ"

	"amstel.dev/amstel/timeline/text"
	"amstel.dev/amstel/web/catalogue"
)

// PostForm is the form for a new post.
type PostForm struct {
	Text             string
	Files            FileFields
	Links            []string // addresses to choose from, that are added to the text
	Problems         Problems
	To               []Destination // places to choose from; a single one is not shown
	More             int           // how many places more NewPostPath offers
	Names            *string       // of a direct: the recipients as typed; nil: not a direct
	Group            string        // the name of the group on whose page the form stands; empty: another page
	Label            string        // "Post to Cooks"; empty: "Post"
	ReturnTo         string
	UUID             string
	CommentsDisabled bool
	NoPreview        bool      // of the first link
	PreviewsOff      bool      // the site shows no previews: there is no choice
	Audience         *Audience // of the post; nil: not asked
	Lang             string    // the code of the chosen language; empty: none
	Languages        []text.Language
}

// mostText is how many characters a post or a comment may have. Fields have no maxlength, because a browser
// would silently cut off the end of a pasted text.
const mostText = "3000"

// A Destination is a place to post to: "user", "user_private", "user_fyeo", "group:NAME",
// "direct:NAME".
type Destination struct {
	Value, Label string
	Checked      bool
	Open         string // who reads a post there: OpenToAll, OpenToSignedIn, or empty for certain people
}

// The readers of posts to a destination, if they are not certain people.
const (
	OpenToAll      = "all"
	OpenToSignedIn = "signed in"
	OpenToNone     = "none" // the author alone
)

// OpenTo returns the [Destination] field Open for the status of a feed or group.
func OpenTo(status string) string {
	switch status {
	case "public", "disallow-robots":
		return OpenToAll
	case "protected":
		return OpenToSignedIn
	case "fyeo":
		return OpenToNone
	}
	return ""
}

// certain returns in words the people who can read posts to the destination, if the destination
// is not open to more.
func (d Destination) certain(words catalogue.Language) string {
	switch d.Value {
	case "user":
		if d.Open == OpenToNone {
			return words.PostForYou()
		}
		return words.PostForSubscribers()
	case "user_private":
		return words.PostForPrivate()
	case "user_fyeo":
		return words.PostForYou()
	}
	return words.PostForMembers(d.Label)
}

// readers returns in words who can read the post if the form is sent as it stands. The script has the
// same function in audience.ts.
func (f *PostForm) readers(words catalogue.Language) string {
	open := map[string]bool{}
	var some []string
	for _, d := range f.To {
		if d.Checked {
			open[d.Open] = true
			some = append(some, d.certain(words))
		}
	}
	if f.Names != nil {
		some = append(some, strings.FieldsFunc(*f.Names, func(c rune) bool { return c == ',' || c == ';' || unicode.IsSpace(c) })...)
		some = append(some, words.PostForYou())
	}
	switch {
	case open[OpenToAll]:
		return words.AudienceForAll()
	case open[OpenToSignedIn]:
		return words.AudienceForSignedIn()
	case len(some) == 0:
		return words.PostChooseWhere() + "."
	}
	return words.AudienceForSome(strings.Join(some, ", "))
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
	switch {
	case f.Names != nil:
		return words.PostPlaceholderDirect()
	case f.Group != "":
		return words.PostPlaceholderGroup(f.Group)
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
	return words.AudienceGoesTo(strings.Join(to, ", "))
}

// namesProblem returns the sentence about the refused recipients of a direct.
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
