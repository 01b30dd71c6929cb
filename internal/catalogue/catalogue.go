// Package catalogue reads the catalogues of the site's sentences, one file a language in
// web/catalogue, and writes the code by which pages say the sentences. The package is for `go
// generate` and for tests; no running program imports it.
//
// A catalogue is TOML. A table is a part of the site, a key names a sentence, and a sentence is a
// text, a table of plural forms, or a list:
//
//	[entry]
//	like   = "Like"
//	edited = "edited by {who}"
//	likes  = {one = "{n} like", other = "{n} likes"}
//	liked  = "liked by {who*}"
//	retry  = "Nothing came back. [Try again]."
//
// {who} is a text that the page gives. {n} is a number, written as the language writes numbers,
// and chooses the plural form. {who*} is an element of the page, such as a name with its link: the
// sentence is a [Filled] one. Brackets are around the text of a link: the sentence is a [Linked]
// one.
//
// Each sentence becomes a method of the type Language: EntryLikes(n int) string. So a sentence
// missing from the catalogues does not compile, and saying a sentence costs no look-up. The
// sentences of the table client are for the script of the pages, in TypeScript; the sentences of
// the table audience are for both.
package catalogue

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// A Language is a language that has a catalogue.
type Language struct {
	Code, Name string
	Forms      []string // the plural forms of whole numbers; the last is for all numbers without another form
}

// Languages are all languages of the site. The others translate the sentences of the first.
var Languages = []Language{
	{"en", "English", []string{"one", "other"}},
	{"ru", "Russian", []string{"one", "few", "many"}},
}

// The tables of the sentences that only the script of the pages says, and of those that
// both the script and the pages say.
const (
	ClientTable = "client"
	SharedTable = "audience"
)

// A Message is the value of a key in one language: a text, plural forms, or a list.
type Message struct {
	Text  string
	Forms map[string]string // by the name of the form; nil: no plural
	List  []string          // nil: no list
}

// texts returns all texts of the message.
func (m Message) texts() []string {
	switch {
	case m.List != nil:
		return m.List
	case m.Forms != nil:
		return slices.Collect(maps.Values(m.Forms))
	}
	return []string{m.Text}
}

// A Key names a sentence.
type Key struct{ Table, Name string }

func (k Key) String() string { return k.Table + "." + k.Name }

// Method returns the name of the sentence in code: EntryLikes of entry.likes.
func (k Key) Method() string {
	var b strings.Builder
	for part := range strings.SplitSeq(k.Table+"_"+k.Name, "_") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

// Messages are the sentences of one language.
type Messages map[Key]Message

// Keys returns the keys in their order.
func (m Messages) Keys() []Key {
	return slices.SortedFunc(maps.Keys(m), func(a, b Key) int { return strings.Compare(a.String(), b.String()) })
}

// Read reads the catalogues of all languages in a folder, and checks them with
// [Check].
func Read(folder string) ([]Messages, error) {
	var all []Messages
	for _, l := range Languages {
		source, err := os.ReadFile(filepath.Join(folder, l.Code+".toml"))
		if err != nil {
			return nil, err
		}
		one, err := Parse(string(source))
		if err != nil {
			return nil, fmt.Errorf("%s.toml: %w", l.Code, err)
		}
		all = append(all, one)
	}
	return all, Check(all)
}

// Parse reads one catalogue.
func Parse(source string) (Messages, error) {
	var tables map[string]map[string]any
	if _, err := toml.Decode(source, &tables); err != nil {
		return nil, err
	}
	found := Messages{}
	for table, entries := range tables {
		for name, value := range entries {
			var m Message
			switch value := value.(type) {
			case string:
				m.Text = value
			case map[string]any:
				m.Forms = map[string]string{}
				for form, text := range value {
					m.Forms[form] = fmt.Sprint(text)
				}
			case []any:
				for _, text := range value {
					m.List = append(m.List, fmt.Sprint(text))
				}
			default:
				return nil, fmt.Errorf("%s.%s is no text, no table of plural forms and no list", table, name)
			}
			found[Key{table, name}] = m
		}
	}
	return found, nil
}

// Check reports the differences between catalogues, one for each of [Languages]: a sentence
// or a plural form that is missing or too many, an empty text, and a text whose gaps for
// words, elements and links are not those of the first language.
func Check(all []Messages) error {
	var wrong []error
	first := all[0]
	for i, l := range Languages {
		for _, key := range all[i].Keys() {
			if _, there := first[key]; !there {
				wrong = append(wrong, fmt.Errorf("%s: %s is not in %s", l.Code, key, Languages[0].Code))
			}
		}
		for _, key := range first.Keys() {
			m, there := all[i][key]
			if !there {
				wrong = append(wrong, fmt.Errorf("%s: %s is missing", l.Code, key))
				continue
			}
			if err := check(m, first[key], l); err != nil {
				wrong = append(wrong, fmt.Errorf("%s: %s %w", l.Code, key, err))
			}
		}
	}
	return errors.Join(wrong...)
}

// check reports the faults of a message, compared with the message in the first language.
func check(m, first Message, l Language) error {
	if (m.Forms == nil) != (first.Forms == nil) || len(m.List) != len(first.List) {
		return errors.New("is of another shape than in the first language")
	}
	if m.Forms != nil {
		forms := slices.Sorted(maps.Keys(m.Forms))
		if want := slices.Sorted(slices.Values(l.Forms)); !slices.Equal(forms, want) {
			return fmt.Errorf("has the plural forms %v, not %v", forms, want)
		}
	}
	want := shapeOf(first)
	for _, text := range m.texts() {
		if strings.TrimSpace(text) == "" {
			return errors.New("has an empty text")
		}
		if strings.ContainsAny(gap.ReplaceAllString(text, ""), "{}") {
			return fmt.Errorf("has a brace that is no gap: %s", text)
		}
		got := shapeOf(Message{Text: text})
		if m.Forms != nil { // one may go without saying the number
			got.gaps = slices.DeleteFunc(got.gaps, isNumber)
		}
		missing := slices.DeleteFunc(slices.Clone(want.gaps), func(g string) bool { return m.Forms != nil && isNumber(g) })
		if a, b := slices.Sorted(slices.Values(got.gaps)), slices.Sorted(slices.Values(missing)); !slices.Equal(a, b) {
			return fmt.Errorf("has the gaps %v, not %v", a, b)
		}
		if got.links != want.links {
			return fmt.Errorf("has %d links, not %d", got.links, want.links)
		}
	}
	return nil
}

// gap is a place in a text for something that the page gives.
var gap = regexp.MustCompile(`\{([a-z][a-z0-9]*)(\*?)\}`)

// link is the text of a link.
var link = regexp.MustCompile(`\[[^\[\]]+\]`)

// A shape is the input of a message: the values of its gaps, and its links.
type shape struct {
	gaps  []string // in the order in which they come first; elements end with *
	links int
}

func isNumber(gap string) bool { return gap == "n" }

func shapeOf(m Message) shape {
	var s shape
	if m.Forms != nil {
		s.gaps = []string{"n"}
	}
	texts := m.texts()
	if m.Forms != nil { // of the forms, the one that always contains the number
		texts = []string{cmp.Or(m.Forms["other"], m.Forms["many"])}
	}
	for _, text := range texts {
		for _, found := range gap.FindAllStringSubmatch(text, -1) {
			if name := found[1] + found[2]; !slices.Contains(s.gaps, name) {
				s.gaps = append(s.gaps, name)
			}
		}
		s.links = max(s.links, len(link.FindAllString(text, -1)))
	}
	return s
}
