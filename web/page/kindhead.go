package page

import (
	"strconv"
	"strings"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/text"
	"amstel.dev/amstel/web/catalogue"
)

// KindHead distinguishes a river's page from others of its kind, if it is not about a
// person or a group, and has the links to its other forms.
type KindHead struct {
	Name     string        // of a list; the text of a search
	Tag      string        // a hashtag, without its sign
	Language text.Language // of the pages of one language
	Days     *Days         // the head of the page of a day, a month or a year
	Pickers  []Picker
	Points   string // what the points of a ranking mean
}

// PointsRule returns the sentences that say what the points of a ranking mean.
func PointsRule(words catalogue.Language, w timeline.Weights, period timeline.Period) string {
	var parts []string
	for _, p := range []struct {
		weight float64
		word   func(string) string
	}{{w.Like, words.KindPointsLike}, {w.Comment, words.KindPointsComment}, {w.Fav, words.KindPointsFav}} {
		if p.weight > 0 {
			parts = append(parts, p.word(strconv.FormatFloat(p.weight, 'f', -1, 64)))
		}
	}
	rule := words.KindPoints(strings.Join(parts, ", "))
	if period != timeline.Rising {
		return rule + " " + words.KindPointsAgeless()
	}
	return rule + " " + words.KindPointsRising()
}

// A Picker has the links to a page in other forms: languages, periods, orders.
type Picker struct {
	Label   string
	Choices []PickerLink
	Long    bool // there may be many choices: they are in a menu
}

// A PickerLink is one link of a [Picker].
type PickerLink struct {
	Text, Href string
	Lang       string // of the text; empty: the page's
	Current    bool
}

// current returns the text of the current choice.
func (p Picker) current() string {
	for _, c := range p.Choices {
		if c.Current {
			return c.Text
		}
	}
	return ""
}

// Days is the head of the page of a day, a month or a year.
type Days struct {
	Title         string
	Calendar      string     // the address of the whole calendar
	Up            *DayLink   // the month of a day, the year of a month
	Before, After *DayLink   // the nearest ones with posts; nil: none
	Strip         []*DayLink // the days of the month, or the months of the year, with posts
}

// A DayLink is a link to a day, a month or a year.
type DayLink struct {
	Text, Href string
	Posts      int
	Current    bool
}

// counted returns the number of posts in words.
func (d *DayLink) counted(words catalogue.Language) string { return words.CalendarPosts(d.Posts) }

// number returns the number of posts in digits.
func (d *DayLink) number() string { return strconv.Itoa(d.Posts) }

// CalendarModel is the content of a person's calendar.
type CalendarModel struct {
	Shell
	User  *UserHead
	Years []Year // the newest first
}

// A Year is a year with its months that have posts.
type Year struct {
	DayLink
	Months []*DayLink
}
