package timeline

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"amstel.dev/amstel/timeline/text"
)

// A siteField describes one setting, and points to its value in a [SiteSettings].
//
// A value is exchanged as JSON writes it: a bool, a string or a float64; lines are a string. The type of
// initial is the type of all values of the setting.
type siteField struct {
	key     string
	initial any // the default
	about   string
	value   any // *bool, *string, *text.FilterLines, *float64, *int or *time.Duration, exchanged in hours

	choices     []string                     // of a string: the values it may have
	clean       func(string) (string, error) // of a string without choices: returns the text as it is stored, or an InvalidError
	longest     int                          // of a string without choices
	lines       bool                         // of a string without choices: it may have several lines
	least, most float64                      // of a number: its bounds
	orZero      bool                         // of a number: 0 is allowed, too
	whole       bool                         // of a number: it has no fraction
	operator    bool                         // the setting is for operators of the server: the page of settings leaves it out
	private     bool                         // the setting is not public: only the page of settings and the command line have it
	bounds      string                       // of a number: the bounds in words, for errors
}

// maxSiteName is the largest number of characters of a site's name.
const maxSiteName = 40

// cleanSiteName returns the name of a site without the space around it, or an [InvalidError].
func cleanSiteName(typed string) (string, error) {
	name, err := text.CleanLine("name", typed, maxSiteName)
	if err == nil && !strings.ContainsFunc(name, text.Visible) {
		err = &InvalidError{Field: "name", Reason: "has no visible character", Code: "invisible"}
	}
	return name, err
}

// get returns the value of the setting.
func (f *siteField) get() any {
	switch v := f.value.(type) {
	case *bool:
		return *v
	case *string:
		return *v
	case *text.FilterLines:
		return string(*v)
	case *float64:
		return *v
	case *int:
		return float64(*v)
	default:
		return f.value.(*time.Duration).Hours()
	}
}

// set changes the setting to a value that [siteField.check] accepts. A time is rounded to whole
// milliseconds, so that it survives being written in hours and read again.
func (f *siteField) set(value any) {
	switch v := f.value.(type) {
	case *bool:
		*v = value.(bool)
	case *string:
		if *v = value.(string); f.clean != nil {
			*v, _ = f.clean(*v)
		}
	case *text.FilterLines:
		*v, _ = text.ParseFilter(f.key, value.(string))
	case *float64:
		*v = value.(float64)
	case *int:
		*v = int(value.(float64))
	case *time.Duration:
		*v = time.Duration(math.Round(value.(float64)*float64(time.Hour/time.Millisecond))) * time.Millisecond
	}
}

// check returns an [InvalidError] if the setting can't have the value.
func (f *siteField) check(value any) error {
	switch v := value.(type) {
	case string:
		if _, lines := f.value.(*text.FilterLines); lines {
			_, err := text.ParseFilter(f.key, v)
			return err
		}
		if f.clean != nil {
			_, err := f.clean(v)
			return err
		}
		if !slices.Contains(f.choices, v) {
			return &InvalidError{Field: f.key, Reason: "is one of " + strings.Join(f.choices, ", "), Code: "choice"}
		}
	case float64:
		// NaN is within no bounds.
		if !(v >= f.least && v <= f.most) && !(f.orZero && v == 0) || f.whole && v != math.Trunc(v) {
			return &InvalidError{Field: f.key, Reason: f.bounds, Code: "number"}
		}
	}
	return nil
}

// parse reads a value that a person typed, or returns an [InvalidError].
func (f *siteField) parse(typed string) (any, error) {
	switch f.initial.(type) {
	case bool:
		switch strings.ToLower(typed) {
		case "on", "true", "yes", "1":
			return true, nil
		case "off", "false", "no", "0", "":
			return false, nil
		}
		return nil, &InvalidError{Field: f.key, Reason: "is on or off", Code: "choice"}
	case string:
		return typed, f.check(typed)
	default:
		n, err := strconv.ParseFloat(typed, 64)
		if err != nil {
			n = math.NaN()
		}
		return n, f.check(n)
	}
}
