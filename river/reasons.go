package river

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"amstel.dev/amstel/timeline"
)

// Reasons are the timelines that brought an entry into a river, in the order of their kinds, such as
// "group:3;user:1,2". They are text because a node holds the reasons of each entry, mostly one timeline:
// lists and maps of them would take several times as much memory, and would have to be compared part by part.
type Reasons string

// A Reason is one timeline that brought an entry into a river.
type Reason struct {
	What timeline.What
	ID   int64 // of the person or group whose timeline it is
}

// mostReasons is the most timelines of one kind among the reasons of an entry.
const mostReasons = 20

// ReasonsOf returns the reasons that consist of some timelines, of each kind those with the lowest ids. It sorts the list.
func ReasonsOf(list ...Reason) Reasons {
	slices.SortFunc(list, func(a, b Reason) int {
		return cmp.Or(strings.Compare(string(a.What), string(b.What)), cmp.Compare(a.ID, b.ID))
	})
	var text []byte
	of := 0 // how many timelines of the present kind the text has
	for i, one := range list {
		switch {
		case i == 0 || one.What != list[i-1].What:
			if i > 0 {
				text = append(text, ';')
			}
			text, of = append(append(text, one.What...), ':'), 0
		case of == mostReasons:
			continue
		default:
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, one.ID, 10)
		of++
	}
	return Reasons(text)
}

// kinds returns each kind with its ids, which are parted by commas.
func (r Reasons) kinds() iter.Seq2[timeline.What, string] {
	return func(yield func(timeline.What, string) bool) {
		for rest := string(r); rest != ""; {
			var one string
			one, rest, _ = strings.Cut(rest, ";")
			what, ids, _ := strings.Cut(one, ":")
			if !yield(timeline.What(what), ids) {
				return
			}
		}
	}
}

// eachID calls a function with each id of one kind until the function returns false. It returns what the function
// returned last.
func eachID(ids string, do func(id int64) bool) bool {
	for ids != "" {
		var one string
		one, ids, _ = strings.Cut(ids, ",")
		if id, _ := strconv.ParseInt(one, 10, 64); !do(id) { // ReasonsOf wrote the number
			return false
		}
	}
	return true
}

// All returns the kind and the id of each timeline.
func (r Reasons) All() iter.Seq2[timeline.What, int64] {
	return func(yield func(timeline.What, int64) bool) {
		for what, ids := range r.kinds() {
			if !eachID(ids, func(id int64) bool { return yield(what, id) }) {
				return
			}
		}
	}
}

// Of returns the ids of the timelines of a kind, in their order.
func (r Reasons) Of(what timeline.What) (found []int64) {
	for kind, ids := range r.kinds() {
		if kind == what {
			eachID(ids, func(id int64) bool { found = append(found, id); return true })
		}
	}
	return found
}

// MarshalJSON writes the reasons as an object with the kinds as its keys, and null if there are none.
func (r Reasons) MarshalJSON() ([]byte, error) {
	if r == "" {
		return []byte("null"), nil
	}
	text := []byte{'{'}
	for what, ids := range r.kinds() {
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(strconv.AppendQuote(text, string(what)), ':', '[') // a kind is a plain word
		text = append(append(text, ids...), ']')
	}
	return append(text, '}'), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Reasons) UnmarshalJSON(text []byte) error {
	var byKind map[timeline.What][]int64
	if err := json.Unmarshal(text, &byKind); err != nil {
		return err
	}
	var list []Reason
	for what, ids := range byKind {
		if strings.ContainsAny(string(what), ":;") {
			return fmt.Errorf("%q is no kind of timeline", what)
		}
		for _, id := range ids {
			list = append(list, Reason{what, id})
		}
	}
	*r = ReasonsOf(list...)
	return nil
}
