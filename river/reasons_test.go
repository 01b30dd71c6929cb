package river

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

// TestReasonsKeepTheirOrder adds timelines in several orders: the reasons are the same, and their JSON is that of a map.
func TestReasonsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	want := Reasons{{timeline.WhatGroup, []int64{3}}, {timeline.WhatUser, []int64{1, 2}}, {timeline.WhatUserLikes, []int64{4}}}
	kinds := []timeline.What{timeline.WhatUser, timeline.WhatGroup, timeline.WhatUserLikes, timeline.WhatUser}
	ids := []int64{1, 3, 4, 2}
	for _, order := range [][]int{{0, 1, 2, 3}, {2, 0, 3, 1}, {1, 2, 0, 3}} {
		var got Reasons
		for _, i := range order {
			got.add(kinds[i], ids[i])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("added in the order %v (-want +got):\n%s", order, diff)
		}
	}
	for what, ids := range map[timeline.What][]int64{timeline.WhatUser: {1, 2}, timeline.WhatUserLikes: {4}, timeline.WhatMentions: nil, "a": nil, "z": nil} {
		if diff := cmp.Diff(ids, want.Of(what)); diff != "" {
			t.Errorf("timelines of %s (-want +got):\n%s", what, diff)
		}
	}
}

// TestReasonsInTheRiverDB: the reasons are written as a map of them would be, and read as they were written.
func TestReasonsInTheRiverDB(t *testing.T) {
	t.Parallel()
	for _, reasons := range []Reasons{
		nil, {}, {{timeline.WhatUser, []int64{1}}}, {{timeline.WhatGroup, []int64{-3, 1 << 52}}, {timeline.WhatUser, []int64{}}, {timeline.WhatUserLikes, []int64{4, 5}}},
	} {
		var asMap map[timeline.What][]int64
		if reasons != nil {
			asMap = make(map[timeline.What][]int64)
		}
		for _, one := range reasons {
			asMap[one.What] = one.IDs
		}
		text, err := json.Marshal(reasons)
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(asMap)
		if err != nil || string(text) != string(want) {
			t.Errorf("written is %s, want %s, %v", text, want, err)
		}
		var read Reasons
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatal(err)
		}
		if len(reasons) > 0 || len(read) > 0 {
			if diff := cmp.Diff(reasons, read); diff != "" {
				t.Errorf("%s is read as (-want +got):\n%s", text, diff)
			}
		}
	}
	var read Reasons
	if err := json.Unmarshal([]byte(`{"user":"no list"}`), &read); err == nil {
		t.Error("a broken row is read")
	}
}
