package models

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A column is a column of the table of sources.
type column struct {
	head string
	of   func(*Result) string
}

func fixed(n float64, digits int) string { return strconv.FormatFloat(n, 'f', digits, 64) }

// columns returns the columns of the table of sources. The column of the break-even compares a source
// with reading timelines.
func (r *Report) columns() []column {
	read, _ := apart(r.Costs())
	return []column{
		{"source", func(one *Result) string { return one.Source }},
		{"first visit: mean, p99, ms", func(one *Result) string { return fixed(one.Visit.Mean, 1) + ", " + fixed(one.Visit.P99, 1) }},
		{"its statements", func(one *Result) string { return fixed(one.VisitStatements, 1) }},
		{"from inboxes, %", func(one *Result) string { return fixed(one.FromInbox, 0) }},
		{"post: mean, p99, ms", func(one *Result) string { return fixed(one.Post.Mean, 1) + ", " + fixed(one.Post.P99, 1) }},
		{"later, ms", func(one *Result) string { return fixed(one.Work, 1) }},
		{"its statements", func(one *Result) string { return fixed(one.PostStatements, 1) }},
		{"its rows", func(one *Result) string { return fixed(one.PostRows, 0) }},
		{"its log, KB", func(one *Result) string { return fixed(one.PostWAL/1024, 1) }},
		{"inboxes", func(one *Result) string { return strconv.Itoa(one.Inboxes) }},
		{"their size, MB", func(one *Result) string { return fixed(float64(one.Bytes)/1e6, 1) }},
		{"filled in, s", func(one *Result) string { return fixed(one.Fill, 1) }},
		{"break-even, first visits for each post", func(one *Result) string {
			if one.Source == read.Source {
				return "–"
			}
			from, ok := BreakEven(read, one.Cost())
			if !ok {
				return "never"
			}
			return number(from)
		}},
		{"back after a loss, s", func(one *Result) string {
			switch {
			case one.Loss == nil:
				return "–"
			case one.Loss.Back == 0:
				return "not yet"
			}
			return fixed(one.Loss.Back, 1)
		}},
	}
}

// Table returns the results as Markdown tables: the sources, then the ramps and the lives.
func (r *Report) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s.\n\n", r.Of)
	var heads []string
	var rows [][]string
	for _, c := range r.columns() {
		heads = append(heads, c.head)
	}
	for i := range r.Results {
		var row []string
		for _, c := range r.columns() {
			row = append(row, c.of(&r.Results[i]))
		}
		rows = append(rows, row)
	}
	markdown(&b, heads, rows)
	r.ramp(&b, "a post until the answer, ms, by followers", func(one *Result) []Step { return one.Sends }, func(s Step) float64 { return s.Answer })
	r.ramp(&b, "a post until every inbox knows, ms, by followers", func(one *Result) []Step { return one.Sends }, func(s Step) float64 { return s.Done })
	r.ramp(&b, "a first visit, ms, by people followed", func(one *Result) []Step { return one.Reads }, func(s Step) float64 { return s.Answer })
	r.lives(&b)
	fmt.Fprintf(&b, "\n%s\n", r.Advice.Why)
	return b.String()
}

// markdown writes a Markdown table. The first column is aligned as text, and the others as numbers.
func markdown(b *strings.Builder, heads []string, rows [][]string) {
	fmt.Fprintf(b, "| %s |\n| --- |%s\n", strings.Join(heads, " | "), strings.Repeat(" ---: |", len(heads)-1))
	for _, row := range rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
	}
}

// ramp writes the table of a ramp: a row for each source, and a column for each step.
func (r *Report) ramp(b *strings.Builder, head string, of func(*Result) []Step, value func(Step) float64) {
	heads := []string{head}
	var rows [][]string
	for i := range r.Results {
		steps := of(&r.Results[i])
		if len(steps) == 0 {
			return
		}
		row := []string{r.Results[i].Source}
		for _, s := range steps {
			if i == 0 {
				heads = append(heads, strconv.Itoa(s.N))
			}
			row = append(row, fixed(value(s), 1))
		}
		rows = append(rows, row)
	}
	b.WriteByte('\n')
	markdown(b, heads, rows)
}

// lives writes the table of the mixed lives.
func (r *Report) lives(b *strings.Builder) {
	heads := []string{"p50, p99 of acts when " + r.How}
	var rows [][]string
	for i := range r.Results {
		row := []string{r.Results[i].Source}
		for _, op := range r.Results[i].Life {
			if i == 0 {
				heads = append(heads, op.Name)
			}
			row = append(row, fixed(op.P50, 1)+", "+fixed(op.P99, 1))
		}
		rows = append(rows, append(row, fixed(r.Results[i].Rate, 1), strconv.Itoa(r.Results[i].Compared)))
	}
	heads = append(heads, "acts a second", "homes compared")
	b.WriteByte('\n')
	markdown(b, heads, rows)
}

// CSV writes the results as CSV: a line for each number, with the columns source, measurement, of,
// value and unit.
func (r *Report) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"source", "measurement", "of", "value", "unit"}) // Error reports the first error of any Write
	for i := range r.Results {
		one := &r.Results[i]
		line := func(name, of string, value float64, unit string) {
			_ = out.Write([]string{one.Source, name, of, strconv.FormatFloat(value, 'f', -1, 64), unit})
		}
		spread := func(name string, s Spread) {
			line(name+".mean", "", s.Mean, "ms")
			line(name+".p50", "", s.P50, "ms")
			line(name+".p99", "", s.P99, "ms")
		}
		spread("visit", one.Visit)
		line("visit.statements", "", one.VisitStatements, "")
		line("visit.from_inbox", "", one.FromInbox, "%")
		spread("post", one.Post)
		line("post.work", "", one.Work, "ms")
		line("post.statements", "", one.PostStatements, "")
		line("post.rows", "", one.PostRows, "")
		line("post.wal", "", one.PostWAL, "bytes")
		line("inboxes", "", float64(one.Inboxes), "")
		line("inboxes.bytes", "", float64(one.Bytes), "bytes")
		line("fill", "", one.Fill, "s")
		for _, s := range one.Sends {
			line("ramp.send", strconv.Itoa(s.N), s.Answer, "ms")
			line("ramp.send.done", strconv.Itoa(s.N), s.Done, "ms")
		}
		for _, s := range one.Reads {
			line("ramp.read", strconv.Itoa(s.N), s.Answer, "ms")
		}
		for _, op := range one.Life {
			line("life."+op.Name+".count", "", float64(op.N), "")
			line("life."+op.Name+".p50", "", op.P50, "ms")
			line("life."+op.Name+".p99", "", op.P99, "ms")
		}
		line("life.rate", "", one.Rate, "acts/s")
		line("life.first_visits", "", float64(one.FirstVisits), "")
		line("compared", "", float64(one.Compared), "homes")
		if one.Loss == nil {
			continue
		}
		line("loss.at", "", one.Loss.At, "s")
		line("loss.back", one.Loss.Of, one.Loss.Back, "s")
		spread("loss.before", one.Loss.Before)
		spread("loss.after", one.Loss.After)
		for _, t := range one.Loss.Ticks {
			of := fixed(t.At, 2)
			line("loss.tick.rate", of, t.Rate, "acts/s")
			line("loss.tick.p50", of, t.P50, "ms")
			line("loss.tick.worst", of, t.Worst, "ms")
		}
	}
	out.Flush()
	return out.Error()
}
