package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompareJudgesBeyondTheNoise(t *testing.T) {
	t.Parallel()
	beside := func(value float64) *Beside { return &Beside{Name: "something", Value: value} }
	span := func(low, high float64) *Range { return &Range{low, high} }
	for _, tt := range []struct {
		name     string
		old, new Record
		want     Verdict
		fails    bool
	}{
		{"ranges that overlap", Record{Unit: "ms", Value: 10, Range: span(8, 15)}, Record{Unit: "ms", Value: 20, Range: span(14, 30)}, Alike, false},
		{"slower, by much", Record{Unit: "ms", Value: 10, Range: span(8, 12)}, Record{Unit: "ms", Value: 15, Range: span(13, 18)}, Worse, true},
		{"slower, within the tolerance", Record{Unit: "ms", Value: 10, Range: span(9, 10)}, Record{Unit: "ms", Value: 12, Range: span(11, 13)}, Worse, false},
		{"faster", Record{Unit: "ms", Value: 10, Range: span(8, 12)}, Record{Unit: "ms", Value: 5, Range: span(4, 6)}, Better, false},
		{"a lower rate", Record{Unit: "requests/s", Value: 900, Range: span(800, 950)}, Record{Unit: "requests/s", Value: 600, Range: span(500, 700)}, Worse, true},
		{"a higher rate", Record{Unit: "requests/s", Value: 900, Range: span(800, 950)}, Record{Unit: "requests/s", Value: 1200, Range: span(1000, 1300)}, Better, false},
		{
			"slower, as is what is beside it",
			Record{Unit: "ms", Value: 10, P50: 10, Range: span(8, 12), Beside: beside(3)}, Record{Unit: "ms", Value: 20, P50: 20, Range: span(15, 24), Beside: beside(6)}, Moved, false,
		},
		{
			"slower, and more so than what is beside it",
			Record{Unit: "ms", Value: 10, P50: 10, Range: span(8, 12), Beside: beside(3)}, Record{Unit: "ms", Value: 40, P50: 40, Range: span(30, 50), Beside: beside(6)}, Worse, true,
		},
		{
			"slower, and more so than what is beside it, but within the tolerance",
			Record{Unit: "ms", Value: 10, P50: 10, Range: span(9, 10), Beside: beside(3)}, Record{Unit: "ms", Value: 24, P50: 24, Range: span(23, 25), Beside: beside(6)}, Worse, false,
		},
		{
			"a lower rate, as is the rate beside it",
			Record{Unit: "requests/s", Value: 900, Ratio: 0.9, Range: span(800, 950), Beside: beside(1000)}, Record{Unit: "requests/s", Value: 300, Ratio: 0.8, Range: span(250, 350), Beside: beside(350)}, Moved, false,
		},
		{
			"faster, while what is beside it is slower",
			Record{Unit: "ms", Value: 10, P50: 10, Range: span(8, 12), Beside: beside(3)}, Record{Unit: "ms", Value: 5, P50: 5, Range: span(4, 6), Beside: beside(6)}, Better, false,
		},
		{"a time without a range", Record{Unit: "s", Value: 8}, Record{Unit: "s", Value: 80}, Unknown, false},
		{"a range in one run only", Record{Unit: "ms", Value: 8, Range: span(7, 9)}, Record{Unit: "ms", Value: 80}, Unknown, false},
		{"more statements", Record{Unit: "statements", Value: 20}, Record{Unit: "statements", Value: 26}, Worse, true},
		{"a few more statements", Record{Unit: "statements", Value: 20}, Record{Unit: "statements", Value: 24}, Alike, false},
		{"fewer statements", Record{Unit: "statements", Value: 20}, Record{Unit: "statements", Value: 15}, Better, false},
		{"statements where there were none", Record{Unit: "statements", Value: 0}, Record{Unit: "statements", Value: 3}, Worse, true},
		{"none and none", Record{Unit: "statements", Value: 0}, Record{Unit: "statements", Value: 0}, Alike, false},
		{"a difference below 0", Record{Unit: "ms", Value: 1, Range: span(1, 1)}, Record{Unit: "ms", Value: -1, Range: span(-1, -1)}, Unknown, false},
	} {
		tt.old.Name, tt.new.Name = "it", "it"
		c := Compare(&Run{Records: []Record{tt.old}}, &Run{Records: []Record{tt.new}}, 0.25)
		if got := c.Pairs[0].Verdict; got != tt.want || (len(c.Failed()) > 0) != tt.fails {
			t.Errorf("%s: %v (%v times), failed: %q; want %v, failed: %v", tt.name, got, c.Pairs[0].Worse, c.Failed(), tt.want, tt.fails)
		}
	}
}

func TestComparisonListsEveryRecord(t *testing.T) {
	t.Parallel()
	old, now := sample(), sample()
	now.Heading.Settings, now.Heading.Version = "900 posts, durable", "v2"
	now.Records[0].Value, now.Records[0].P50, now.Records[0].Range, now.Records[0].Beside = 13, 13, &Range{12, 14}, &Beside{"naive page, ms", 65, 80}
	now.Records[0].Sent *= 3
	now.Records[1].Name = "write.direct"
	now.Records[3].Unit = "posts"
	const want = `old: 26 November 2026 02:30 UTC, version v1, go1.26, PostgreSQL 17, 2 cores, load 1.5 at the start
new: 26 November 2026 02:30 UTC, version v2, go1.26, PostgreSQL 17, 2 cores, load 1.5 at the start
The settings differ.
old: 300 posts, durable
new: 900 posts, durable

name                      old    new    unit  change  range, old  range, new  change beside it
visit (sent)     worse    2      6      KB    +200 %
visit            worse    6.50   13     ms    +100 %  6 to 7.50   12 to 14    +25 %
visit (written)  alike    1      1      KB    +0 %
visit (cpu)      unknown  0.500  0.500  ms    +0 %
visit.large      unknown  10.5   10.5   ms    +0 %

Only in the old run: write.post, write.posts.
Only in the new run: write.direct, write.posts.
`
	if diff := cmp.Diff(want, Compare(old, now, 0.25).String()); diff != "" {
		t.Error(diff)
	}
	if same := Compare(old, sample(), 0.25); len(same.Failed())+len(same.OnlyOld)+len(same.OnlyNew) > 0 || strings.Contains(same.String(), "worse") {
		t.Errorf("a run compared with itself: %s", same)
	}
}
