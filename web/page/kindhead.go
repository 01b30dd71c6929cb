package page

import (
	"strconv"

	"amstel.dev/amstel/timeline/text"
	"amstel.dev/amstel/web/catalogue"
)

// KindHead is which one of its kind a river is, where no person or group says it,
// and the other forms that its page has.
type KindHead struct {
	Name     string        // a list's; a search as it is written
	Tag      string        // a hashtag, without its sign
	Language text.Language // of the pages of one language
	Days     *Days         // above the posts of a day, a month or a year
	Pickers  []Picker
}

// A Picker offers a page in other forms: languages, periods, orders.
type Picker struct {
	Label   string
	Choices []Choice
	Long    bool // there may be many: they are folded then
}

// A Choice is one of them.
type Choice struct {
	Text, Href string
	Lang       string // of the text; empty: the page's
	Current    bool
}

// pickerShort is how many choices a picker shows unfolded.
const pickerShort = 7

// folded says whether the choices stand in a menu.
func (p Picker) folded() bool { return p.Long && len(p.Choices) > pickerShort }

// current is what is chosen.
func (p Picker) current() string {
	for _, c := range p.Choices {
		if c.Current {
			return c.Text
		}
	}
	return ""
}

// Days is what stands above the posts of a day, a month or a year.
type Days struct {
	Title         string
	Calendar      string     // the address of the whole calendar
	Up            *DayLink   // the month of a day, the year of a month
	Before, After *DayLink   // the nearest with posts; nil: none
	Strip         []*DayLink // the days of the month, or the months of the year, with posts
}

// A DayLink leads to a day, a month or a year.
type DayLink struct {
	Text, Href string
	Posts      int
	Current    bool
}

// counted is how many posts there are, in words.
func (d *DayLink) counted(words catalogue.Language) string { return words.CalendarPosts(d.Posts) }

// number is the same without words.
func (d *DayLink) number() string { return strconv.Itoa(d.Posts) }

// CalendarModel is the page of when a person wrote.
type CalendarModel struct {
	Shell
	User  *UserHead
	Years []Year // the newest first
}

// A Year is one of them, with the months that have posts.
type Year struct {
	DayLink
	Months []*DayLink
}
