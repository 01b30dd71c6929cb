package river

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

// TestReasonsKeepTheirOrder: the reasons do not depend on the order in which timelines are listed.
func TestReasonsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	list := []Reason{{timeline.WhatUser, 1}, {timeline.WhatGroup, 3}, {timeline.WhatUserLikes, 4}, {timeline.WhatUser, 20}, {timeline.WhatUser, -5}}
	want := []Reason{{timeline.WhatGroup, 3}, {timeline.WhatUser, -5}, {timeline.WhatUser, 1}, {timeline.WhatUser, 20}, {timeline.WhatUserLikes, 4}}
	reasons := ReasonsOf(slices.Clone(list)...)
	for _, order := range [][]int{{0, 1, 2, 3, 4}, {2, 0, 4, 3, 1}, {4, 1, 2, 0, 3}} {
		var listed, got []Reason
		for _, i := range order {
			listed = append(listed, list[i])
		}
		now := ReasonsOf(listed...)
		for what, id := range now.All() {
			got = append(got, Reason{what, id})
		}
		if diff := cmp.Diff(want, got); diff != "" || now != reasons {
			t.Errorf("listed in the order %v they are %q (-want +got):\n%s", order, now, diff)
		}
	}
	for what, ids := range map[timeline.What][]int64{timeline.WhatUser: {-5, 1, 20}, timeline.WhatUserLikes: {4}, timeline.WhatMentions: nil, "a": nil, "z": nil} {
		if diff := cmp.Diff(ids, reasons.Of(what)); diff != "" {
			t.Errorf("timelines of %s (-want +got):\n%s", what, diff)
		}
	}
	for range reasons.All() {
		break // a loop may end early
	}
}

// TestReasonsInTheRiverDB: the reasons are written as a map of them would be, and read as they were written.
func TestReasonsInTheRiverDB(t *testing.T) {
	t.Parallel()
	for _, asMap := range []map[timeline.What][]int64{
		nil, {timeline.WhatUser: {1}}, {timeline.WhatGroup: {-3, 1 << 52}, timeline.WhatUser: {2}, timeline.WhatUserLikes: {4, 5}},
	} {
		var list []Reason
		for _, what := range slices.Sorted(maps.Keys(asMap)) {
			for _, id := range asMap[what] {
				list = append(list, Reason{what, id})
			}
		}
		reasons := ReasonsOf(list...)
		text, err := json.Marshal(reasons)
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(asMap)
		if err != nil || string(text) != string(want) {
			t.Errorf("written is %s, want %s, %v", text, want, err)
		}
		var read Reasons
		if err := json.Unmarshal(text, &read); err != nil || read != reasons {
			t.Errorf("%s is read as %q, want %q, %v", text, read, reasons, err)
		}
	}
	for text, want := range map[string]Reasons{`{}`: "", `{"user":[]}`: "", `{"user":[2,1]}`: "user:1,2"} {
		var read Reasons
		if err := json.Unmarshal([]byte(text), &read); err != nil || read != want {
			t.Errorf("%s is read as %q, want %q, %v", text, read, want, err)
		}
	}
	for _, text := range []string{`{"user":"no list"}`, `{"us:er":[1]}`, `{"us;er":[1]}`} {
		var read Reasons
		if err := json.Unmarshal([]byte(text), &read); err == nil {
			t.Errorf("the broken row %s is read as %q", text, read)
		}
	}
}

// TestReasonsAreReadWithoutAllocations: turns read the reasons of very many entries.
func TestReasonsAreReadWithoutAllocations(t *testing.T) {
	if testing.Short() {
		t.Skip("counts allocations, and the short tests are compiled without inlining")
	}
	reasons := ReasonsOf(Reason{timeline.WhatGroup, 3}, Reason{timeline.WhatUser, 1}, Reason{timeline.WhatUser, 2})
	read := 0
	on := cardVisitor{user: func(timeline.UserID) { read++ }, group: func(timeline.GroupID) { read++ }}
	if n := testing.AllocsPerRun(100, func() { on.visitReasons(reasons) }); n != 0 || read != 101*3 {
		t.Errorf("reading three reasons takes %v allocations, and %d are read in all", n, read)
	}
}
