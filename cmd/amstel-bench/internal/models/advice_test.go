package models

import (
	"strings"
	"testing"
)

func TestBreakEvenOfVisitsToPosts(t *testing.T) {
	t.Parallel()
	read := Cost{Source: "read", Post: 5, Visit: 10}
	for _, tt := range []struct {
		name   string
		source Cost
		want   float64
		ok     bool
	}{
		{"a source that saves 2 a visit and costs 6 more a post", Cost{Post: 11, Visit: 8}, 3, true},
		{"a source that saves nine tenths of each visit", Cost{Post: 50, Visit: 1}, 5, true},
		{"visits that save nothing", Cost{Post: 11, Visit: 10}, 0, false},
		{"visits that cost more", Cost{Post: 11, Visit: 12}, 0, false},
		{"visits that cost more, posts that cost less", Cost{Post: 4, Visit: 12}, 0, false},
		{"posts that cost less, visits that cost the same", Cost{Post: 4, Visit: 10}, 0, true},
		{"both cost less", Cost{Post: 4, Visit: 9}, 0, true},
		{"the same", read, 0, false},
	} {
		got, ok := BreakEven(read, tt.source)
		if got != tt.want || ok != tt.ok {
			t.Errorf("%s: %v %v, want %v %v", tt.name, got, ok, tt.want, tt.ok)
		}
		if !ok {
			continue
		}
		if below, above := tt.source.Of(got)-read.Of(got), tt.source.Of(got+1)-read.Of(got+1); got > 0 && below != 0 || above >= 0 {
			t.Errorf("%s: at the break-even %v more, one visit above it %v more", tt.name, below, above)
		}
	}
}

func TestAdviceFollowsFromTheFigures(t *testing.T) {
	t.Parallel()
	read := Cost{"read", 5, 10}
	for _, tt := range []struct {
		name   string
		costs  []Cost
		visits float64
		want   string
		says   []string
	}{
		{"few visits", []Cost{read, {"timed", 11, 8}, {"capped", 25, 2}}, 1, "read",
			[]string{"15 ms by read", "19 ms by the cheapest other source, timed", "timed costs less than read from 3 first visits", "capped costs less than read from 2.5 first visits"}},
		{"many visits", []Cost{read, {"timed", 11, 8}, {"capped", 25, 2}}, 10, "capped", []string{"45 ms by capped, which saves 57 %"}},
		{"less than a tenth saved", []Cost{read, {"timed", 5, 9.5}}, 10, "read", []string{"saves 5 %", "not worth keeping inboxes", "any number of visits: timed"}},
		{"nothing saved", []Cost{read, {"timed", 11, 12}, {"sized", 7, 10}}, 1000, "read", []string{"At no number of visits: timed, sized"}},
		{"read alone", []Cost{read}, 1, "read", []string{"15 ms by read."}},
		{"read is not first", []Cost{{"capped", 25, 2}, read}, 10, "capped", []string{"105 ms by read"}},
	} {
		got := Advise(tt.costs, tt.visits)
		if got.Choose != tt.want || got.Visits != tt.visits || !strings.HasPrefix(got.Why, "Choose "+tt.want+" here") {
			t.Errorf("%s: %+v, want %s", tt.name, got, tt.want)
		}
		for _, part := range tt.says {
			if !strings.Contains(got.Why, part) {
				t.Errorf("%s: %q does not say %q", tt.name, got.Why, part)
			}
		}
	}
}
