package river

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"amstel.dev/amstel/timeline"
)

// Reasons are the timelines that brought an entry into a river, by kind, in the order of the kinds. They
// are a list and no map, because a node holds the reasons of each entry, most of them one timeline, and the
// smallest map takes 400 bytes.
type Reasons []Reason

// A Reason is the timelines of one kind that brought an entry into a river.
type Reason struct {
	What timeline.What
	IDs  []int64 // of the people or groups whose timelines they are, sorted; at most 20
}

// Of returns the ids of the timelines of a kind.
func (r Reasons) Of(what timeline.What) []int64 {
	if at, there := r.find(what); there {
		return r[at].IDs
	}
	return nil
}

// find returns the position of a kind, and whether the reasons have timelines of it.
func (r Reasons) find(what timeline.What) (at int, there bool) {
	return slices.BinarySearchFunc(r, what, func(one Reason, what timeline.What) int { return strings.Compare(string(one.What), string(what)) })
}

// add adds a timeline.
func (r *Reasons) add(what timeline.What, id int64) {
	at, there := r.find(what)
	if !there {
		*r = slices.Insert(*r, at, Reason{What: what})
	}
	(*r)[at].IDs = append((*r)[at].IDs, id)
}

// MarshalJSON writes the reasons as an object with the kinds as its keys.
func (r Reasons) MarshalJSON() ([]byte, error) {
	if r == nil {
		return []byte("null"), nil
	}
	text := []byte{'{'}
	for i, one := range r {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(strconv.AppendQuote(text, string(one.What)), ':', '[') // a kind is a plain word
		for j, id := range one.IDs {
			if j > 0 {
				text = append(text, ',')
			}
			text = strconv.AppendInt(text, id, 10)
		}
		text = append(text, ']')
	}
	return append(text, '}'), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Reasons) UnmarshalJSON(text []byte) error {
	var byKind map[timeline.What][]int64
	if err := json.Unmarshal(text, &byKind); err != nil {
		return err
	}
	*r = nil
	if len(byKind) > 0 {
		*r = make(Reasons, 0, len(byKind))
	}
	for what, ids := range byKind {
		at, _ := r.find(what)
		*r = slices.Insert(*r, at, Reason{what, ids})
	}
	return nil
}
