package report

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"amstel.dev/amstel/internal/pgtest"
)

// sample returns a run with records of several kinds.
func sample() *Run {
	good, bad := true, false
	return &Run{
		Heading: Heading{
			Date: time.Date(2026, 11, 26, 2, 30, 0, 0, time.UTC), Version: "v1", Go: "go1.26", PostgreSQL: "17", Cores: 2, Load: 1.5, Settings: "300 posts, durable",
		},
		Records: []Record{
			{
				Name: "visit", Of: "first visits <of homes>", Value: 6.5, Unit: "ms", N: 60, P50: 6.5, P95: 9, P99: 18.25, Range: &Range{6, 7.5}, CPU: 0.03, Sent: 120 << 10, Written: 60 << 10,
				Beside: &Beside{"naive page, ms", 52, 80}, Ratio: 8, Bar: "p50 <= 10 ms", OK: &good,
			},
			{Name: "write.post", Of: "posts", Value: 7.7, Unit: "ms", N: 180, P50: 7.7, P99: 30, Bar: "p50 <= 5 ms", OK: &bad},
			{Name: "visit.large", Of: "the same", Value: 10.5, Unit: "ms", N: 60, P50: 10.5, P99: 24},
			{Name: "write.posts", Of: "posts by many", Value: 1344, Unit: "posts/s", N: 5000, Parts: map[string]float64{"turns": 14.5, "errors": 0}},
		},
	}
}

// lines returns the run as lines of JSON.
func lines(t *testing.T, r *Run) string {
	t.Helper()
	var b strings.Builder
	if err := WriteHeading(&b, r.Heading); err != nil {
		t.Fatal(err)
	}
	for _, one := range r.Records {
		if err := one.WriteLine(&b); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func TestRunIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	want := sample()
	text := lines(t, want)
	got, err := ReadRun(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	_, old, _ := strings.Cut(text, "\n")
	if got, err := ReadRun(strings.NewReader(old)); err != nil || len(got.Records) != 4 || got.Heading.String() != "a run without a heading" {
		t.Errorf("without a heading: %+v, %v", got, err)
	}
	for _, tt := range []struct{ text, err string }{
		{"", "no records"},
		{strings.Split(text, "\n")[0], "no records"},
		{text + "soup", "line 6"},
		{`{"status":"ok"}`, "neither a heading nor a record"},
	} {
		if _, err := ReadRun(strings.NewReader(tt.text)); err == nil || !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%.20q: error %v, want one with %q", tt.text, err, tt.err)
		}
	}
}

func TestHeadingTellsTheMachine(t *testing.T) {
	t.Parallel()
	h, err := NewHeading(t.Context(), pgtest.New(t), "v1", "few posts")
	if err != nil {
		t.Fatal(err)
	}
	if h.Date.IsZero() || h.PostgreSQL == "" || h.Cores == 0 || !strings.HasPrefix(h.Go, "go") {
		t.Errorf("%+v", h)
	}
	if text := h.String(); !strings.Contains(text, "version v1, go") || !strings.Contains(text, "PostgreSQL "+h.PostgreSQL) {
		t.Error(text)
	}
}

func TestTableHasARowForEachRecord(t *testing.T) {
	t.Parallel()
	const want = `26 November 2026 02:30 UTC, version v1, go1.26, PostgreSQL 17, 2 cores, load 1.5 at the start
300 posts, durable

name         value  unit     n      p50   p95  p99   range      cpu, ms  sent, KB  written, KB  beside  ratio  ok      bar
visit        6.50   ms       60     6.50  9    18.2  6 to 7.50  0.500    2         1            52      8      ok      p50 <= 10 ms
write.post   7.70   ms       180    7.70       30                                                              missed  p50 <= 5 ms
visit.large  10.5   ms       60     10.5       24
write.posts  1,344  posts/s  5,000

visit: first visits <of homes>; beside it naive page, ms.
write.post: posts.
visit.large: the same.
write.posts: posts by many. Others: errors 0; turns 14.5.
`
	if diff := cmp.Diff(want, sample().Table()); diff != "" {
		t.Error(diff)
	}
}

// TestPageNeedsNoOtherFile reads the page as a browser does: it has the records and the charts, and neither a
// script nor a reference to another file.
func TestPageNeedsNoOtherFile(t *testing.T) {
	t.Parallel()
	var page strings.Builder
	if err := sample().HTML(&page, Compare(sample(), sample(), 0)); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(strings.NewReader(page.String()))
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for node := range root.Descendants() {
		if node.Type != html.ElementNode {
			continue
		}
		count[node.Data]++
		for _, a := range node.Attr {
			if (a.Key == "href" || a.Key == "src") && !strings.HasPrefix(a.Val, "#") {
				t.Errorf("<%s> needs %s", node.Data, a.Val)
			}
			if strings.Contains(a.Val, "NaN") || strings.Contains(a.Val, "Inf") {
				t.Errorf("<%s %s=%q>", node.Data, a.Key, a.Val)
			}
		}
	}
	if count["script"]+count["link"]+count["img"] > 0 || count["svg"] != 1 || count["h2"] != 3 || count["table"] != 2 {
		t.Errorf("elements: %v", count)
	}
	for _, want := range []string{
		"<h1>What Amstel costs, measured</h1>", "first visits &lt;of homes&gt;; beside it naive page, ms.", "1 of the records miss their bars", "Compared with an earlier run",
		`<a href="#write.post">`, "errors 0; turns 14.5", `<td class="missed">missed</td>`, "version v1",
	} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// TestBarsShowWhatARecordHas checks the positions in a chart: 0 to 80 ms take 444 pixels.
func TestBarsShowWhatARecordHas(t *testing.T) {
	t.Parallel()
	records := sample().Records
	records[0].P99 = 80
	c := bars("visit", "ms", []Record{records[0], records[2], records[3], {Name: "less", Unit: "ms", Value: -1}})
	if len(c.Rows) != 2 {
		t.Fatalf("%d rows, want those in ms that are not negative: %+v", len(c.Rows), c.Rows)
	}
	drawn := c.SVG()
	for _, want := range []string{
		`width="36.1" height="14"`,       // 6.5 ms
		`<circle cx="704.0"`,             // p99, 80 ms
		`d="M293.3 43.0H301.6m0 -4v8`,    // the range
		`width="288.6" height="8"`,       // beside it, 52 ms
		`width="58.3" height="14"`,       // visit.large, 10.5 ms
		`font-weight="bold">6.50</text>`, // the value in digits
	} {
		if !strings.Contains(drawn, want) {
			t.Errorf("the chart lacks %s: %s", want, drawn)
		}
	}
}

func TestValueBesideIsComparable(t *testing.T) {
	t.Parallel()
	beside := &Beside{"other", 3, 9}
	for _, tt := range []struct {
		name string
		of   Record
		want float64
	}{
		{"nothing beside it", Record{Value: 1, P50: 1}, 0},
		{"a median", Record{Value: 1, P50: 1, P99: 4, Beside: beside}, 3},
		{"a p99", Record{Value: 4, P50: 1, P99: 4, Beside: beside}, 9},
		{"a rate with a ratio", Record{Value: 100, Ratio: 0.5, P50: 1, Beside: beside}, 3},
		{"another time", Record{Value: 100, P50: 1, P99: 4, Beside: beside}, 0},
	} {
		if got, ok := tt.of.Comparable(); got != tt.want || ok != (tt.want != 0) {
			t.Errorf("%s: %v, %v, want %v", tt.name, got, ok, tt.want)
		}
	}
}
