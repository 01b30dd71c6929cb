package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// A column is a column of the table of a run.
type column struct {
	head string
	of   func(*Record) string
}

// columns are the columns of the table of a run.
var columns = []column{
	{"name", func(r *Record) string { return r.Name }},
	{"value", func(r *Record) string { return number(r.Value) }},
	{"unit", func(r *Record) string { return r.Unit }},
	{"n", func(r *Record) string { return number(float64(r.N)) }},
	{"p50", func(r *Record) string { return numberOrNone(r.P50) }},
	{"p95", func(r *Record) string { return numberOrNone(r.P95) }},
	{"p99", func(r *Record) string { return numberOrNone(r.P99) }},
	{"range", func(r *Record) string { return r.Range.String() }},
	{"cpu, ms", func(r *Record) string { return r.each(1000 * r.CPU) }},
	{"sent, KB", func(r *Record) string { return r.each(float64(r.Sent) / 1024) }},
	{"written, KB", func(r *Record) string { return r.each(float64(r.Written) / 1024) }},
	{"beside", func(r *Record) string {
		if r.Beside == nil {
			return ""
		}
		return number(r.Beside.Value)
	}},
	{"ratio", func(r *Record) string { return numberOrNone(r.Ratio) }},
	{"ok", func(r *Record) string { return r.verdict() }},
	{"bar", func(r *Record) string { return r.Bar }},
}

// each returns the share that each of the N things has in a sum.
func (r *Record) each(sum float64) string { return numberOrNone(Ratio(sum, float64(r.N))) }

// verdict says whether a record meets its bar; "" if it has none.
func (r *Record) verdict() string {
	switch {
	case r.OK == nil:
		return ""
	case *r.OK:
		return "ok"
	}
	return "missed"
}

// String returns the range in words; "" if there is none.
func (r *Range) String() string {
	if r == nil {
		return ""
	}
	return number(r.Low) + " to " + number(r.High)
}

var english = message.NewPrinter(language.English)

// number formats a number with three digits at least, and no more decimals than these need.
func number(v float64) string {
	switch size := math.Abs(v); {
	case v == math.Trunc(v) || size >= 100:
		return english.Sprintf("%.0f", v)
	case size >= 10:
		return english.Sprintf("%.1f", v)
	case size >= 1:
		return english.Sprintf("%.2f", v)
	}
	return english.Sprintf("%.3f", v)
}

func numberOrNone(v float64) string {
	if v == 0 {
		return ""
	}
	return number(v)
}

// Table returns the run as plain text: the heading, a table of the records, and the subject of each record.
func (r *Run) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n\n", &r.Heading, r.Heading.Settings)
	rows := [][]string{nil}
	for _, c := range columns {
		rows[0] = append(rows[0], c.head)
	}
	for i := range r.Records {
		var row []string
		for _, c := range columns {
			row = append(row, c.of(&r.Records[i]))
		}
		rows = append(rows, row)
	}
	align(&b, rows)
	b.WriteByte('\n')
	for i := range r.Records {
		one := &r.Records[i]
		fmt.Fprintf(&b, "%s: %s", one.Name, one.subject())
		if others := one.others(); others != "" {
			b.WriteString(". Others: " + others)
		}
		b.WriteString(".\n")
	}
	return b.String()
}

// subject says in words what a record is of, and what stands beside it.
func (r *Record) subject() string {
	if r.Beside == nil {
		return r.Of
	}
	return r.Of + "; beside it " + r.Beside.Name
}

// align writes rows of text with aligned columns.
func align(b *strings.Builder, rows [][]string) {
	var padded strings.Builder
	table := tabwriter.NewWriter(&padded, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	_ = table.Flush() // a strings.Builder takes everything
	for row := range strings.Lines(padded.String()) {
		b.WriteString(strings.TrimRight(row, " \n") + "\n")
	}
}

// others returns the parts of a record in words; "" if it has none.
func (r *Record) others() string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(r.Parts)) {
		all = append(all, name+" "+number(r.Parts[name]))
	}
	return strings.Join(all, "; ")
}
