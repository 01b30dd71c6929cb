// Package catalogue has every sentence of the pages, in each language of the site, and
// finds out which language a reader wants.
//
// The sentences are in one file for each language (en.toml, ru.toml), from which `go
// generate` makes a method of [Language] for each: words.EntryLikes(3) returns "3 likes",
// or "3 лайка". Package internal/catalogue says how the files are written. To add a
// sentence, write it in all files, run `make generate`, and call the method.
//
// Why not a library: nicksnyder/go-i18n looks a sentence up by a string, executes a
// template for each sentence with a gap, and reports a missing sentence only when a page
// needs it; golang.org/x/text/message has the English sentence as the key and formats
// with reflection. A page has hundreds of sentences, so here each is a method that
// concatenates strings, and the compiler knows all of them.
//
// The JSON of the API is in English for every reader.
package catalogue

import (
	"strconv"
	"strings"
)

//go:generate go run generate.go

// A Language is a language of the pages. The zero value is English.
type Language uint8

// The languages, in the order of internal/catalogue's.
const (
	English Language = iota
	Russian
)

// All are the languages.
var All = []Language{English, Russian}

// Code returns the code of the language, as the lang attribute has it.
func (l Language) Code() string { return [...]string{"en", "ru"}[l] }

// Own returns the language's own name.
func (l Language) Own() string { return [...]string{"English", "Русский"}[l] }

// Find returns the language of a code, with or without a country, and reports whether the
// site has it: "ru-RU" is Russian.
func Find(code string) (l Language, known bool) {
	code, _, _ = strings.Cut(code, "-")
	for _, l := range All {
		if strings.EqualFold(strings.TrimSpace(code), l.Code()) {
			return l, true
		}
	}
	return English, false
}

// mostAsked bounds how many languages of a header are read.
const mostAsked = 32

// Accepted returns the language with the highest weight in an Accept-Language header, or
// otherwise if the header has no language of the site. Of equal weights the first counts.
func Accepted(header string, otherwise Language) Language {
	best, liked := otherwise, 0.0
	for range mostAsked {
		one, rest, more := strings.Cut(header, ",")
		header = rest
		code, parameter, _ := strings.Cut(one, ";")
		weight := 1.0
		if q, is := strings.CutPrefix(strings.ToLower(strings.TrimSpace(parameter)), "q="); is {
			weight, _ = strconv.ParseFloat(q, 64) // an unreadable weight counts as 0
		}
		if l, known := Find(code); known && weight > liked && weight <= 1 {
			best, liked = l, weight
		}
		if !more {
			break
		}
	}
	return best
}

// Device returns the name of a device, of which the browser, the system or both may be unknown (empty).
func (l Language) Device(browser, system string) string {
	switch {
	case browser != "" && system != "":
		return l.SettingsDevice(browser, system)
	case browser+system != "":
		return browser + system
	}
	return l.SettingsDeviceUnknown()
}

// Size returns a number of bytes in words for people, in KB or, from one MB on, in MB.
func (l Language) Size(bytes int64) string {
	const kb, mb = 1 << 10, 1 << 20
	if bytes < mb {
		return l.FileSizeKb(l.Number(int((max(0, bytes) + kb - 1) / kb)))
	}
	return l.FileSizeMb(l.Number(int((bytes + mb/2) / mb)))
}

// Number returns a whole number as the language writes it: digits in groups of three.
func (l Language) Number(n int) string {
	digits := strconv.Itoa(n)
	if len(digits) < 4 {
		return digits
	}
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	between := ","
	if l == Russian {
		if between = "\u00a0"; len(digits) < 5 {
			return sign + digits
		}
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + between + digits[at:]
	}
	return sign + digits
}

// A form is a plural form, as the Unicode consortium names them.
type form uint8

const (
	other form = iota
	one
	few
	many
)

// enForm returns the plural form of a number in English.
func enForm(n int) form {
	if n == 1 {
		return one
	}
	return other
}

// ruForm returns the plural form of a number in Russian: 1 and 21 лайк, 2 and 24
// лайка, 5, 11 and 111 лайков.
func ruForm(n int) form {
	n = max(n, -n)
	switch tail, last := n%100, n%10; {
	case tail >= 11 && tail <= 14:
		return many
	case last == 1:
		return one
	case last >= 2 && last <= 4:
		return few
	}
	return many
}

// A Filled sentence has gaps for elements of the page, each marked by a control
// character: \x01 for the first element.
type Filled string

// Text returns the sentence with texts in its gaps.
func (f Filled) Text(elements ...string) string {
	var b strings.Builder
	f.Each(func(text string) { b.WriteString(text) }, func(i int) {
		if i < len(elements) {
			b.WriteString(elements[i])
		}
	})
	return b.String()
}

// Each calls text for each text of the sentence, and gap for each gap, with the number of the
// gap's element.
func (f Filled) Each(text func(string), gap func(i int)) {
	rest := string(f)
	for rest != "" {
		at := strings.IndexFunc(rest, func(c rune) bool { return c > 0 && c < 8 })
		if at < 0 {
			text(rest)
			return
		}
		if at > 0 {
			text(rest[:at])
		}
		gap(int(rest[at]) - 1)
		rest = rest[at+1:]
	}
}

// A Linked sentence has brackets around the texts of its links.
type Linked string

// Each calls text for each text of the sentence, and link for each link, with the link's number.
func (s Linked) Each(text func(string), link func(i int, text string)) {
	rest := string(s)
	for i := 0; rest != ""; i++ {
		before, after, found := strings.Cut(rest, "[")
		if before != "" {
			text(before)
		}
		if !found {
			return
		}
		inside, after, _ := strings.Cut(after, "]")
		link(i, inside)
		rest = after
	}
}

// Between returns the separator before the i-th of n listed things: a comma, or "and".
func (l Language) Between(i, n int) string {
	switch {
	case i == 0:
		return ""
	case i < n-1:
		return ", "
	case l == Russian:
		return " и "
	case n == 2:
		return " and "
	}
	return ", and "
}
