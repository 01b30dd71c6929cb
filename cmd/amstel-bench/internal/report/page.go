package report

import (
	"html/template"
	"io"
	"slices"
	"strings"
)

// NewPage returns the template of an HTML page that needs no other file. The text of its body may have the
// template "head", which takes the title.
func NewPage(name, body string) *template.Template {
	return template.Must(template.Must(template.New(name).Parse(head)).Parse(body))
}

// head is the beginning of each page.
const head = `{{define "head"}}<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.}}</title>
<style>
body { font: 16px/1.5 sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: .85rem }
th, td { padding: .25rem .6rem; border-bottom: 1px solid #ddd; text-align: right; vertical-align: bottom }
th:first-child, td:first-child, th.text, td.text { text-align: left }
.number { white-space: nowrap }
.text { min-width: 12rem }
.subject { color: #555; padding-bottom: .8rem }
.missed { color: #a40000; font-weight: bold }
svg { max-width: 45rem; width: 100%; height: auto; display: block; margin: 1rem 0 }
</style>
<h1>{{.}}</h1>{{end}}`

var page = NewPage("run", `{{template "head" "What Amstel costs, measured"}}
<p>{{.Heading}}.</p>
<p>Settings: {{.Settings}}.</p>
{{with .Missed}}<p class="missed">{{len .}} of the records miss their bars: {{range $i, $name := .}}{{if $i}}, {{end}}<a href="#{{$name}}">{{$name}}</a>{{end}}.</p>
{{end}}{{with .Comparison}}<h2>Compared with an earlier run</h2>
<p>{{range .Head}}{{.}}<br>{{end}}</p>
<pre class="wide">{{.Table}}</pre>
{{range .Alone}}<p>{{.}}</p>
{{end}}{{end}}<p>A blue bar is the value of a record, and the grey bar below it the value of what was measured beside it. The thin line, and the column "range", go
from the least to the greatest value in the fifths of the measurement; the ring is p99. Quantiles are in ms; CPU time and bytes are those of each.</p>
{{range .Parts}}<h2>{{.Name}}</h2>
{{range .Drawings}}{{.}}{{end}}<div class="wide"><table>
<tr>{{range $.Heads}}<th scope="col">{{.}}</th>{{end}}<th scope="col" class="text">bar</th></tr>
{{range .Rows}}<tr id="{{.Name}}">{{range .Cells}}<td class="number">{{.}}</td>{{end}}<td{{if .Missed}} class="missed"{{end}}>{{.Verdict}}</td><td class="text">{{.Bar}}</td></tr>
<tr><td class="subject" colspan="{{$.Width}}">{{.Subject}}{{with .Others}}. Others: {{.}}{{end}}.</td></tr>
{{end}}</table></div>
{{end}}</html>
`)

// A part has the records of one measurement.
type part struct {
	Name     string
	Drawings []template.HTML
	Rows     []pageRow
}

// A pageRow is a record as a row of a page.
type pageRow struct {
	Name, Verdict, Bar, Subject, Others string
	Cells                               []string
	Missed                              bool
}

// A comparedText is a comparison as a page shows it.
type comparedText struct {
	Table       string
	Head, Alone []string
}

// HTML writes the run as an HTML page. The page has the comparison with an earlier run, unless that is nil.
func (r *Run) HTML(w io.Writer, compared *Comparison) error {
	var data struct {
		Heading, Settings string
		Comparison        *comparedText
		Missed, Heads     []string
		Width             int // the number of columns
		Parts             []part
	}
	data.Heading, data.Settings = r.Heading.String(), r.Heading.Settings
	if compared != nil {
		data.Comparison = &comparedText{compared.table(), compared.head(), compared.alone()}
	}
	data.Width = len(columns)
	for _, c := range columns[:len(columns)-1] {
		data.Heads = append(data.Heads, c.head)
	}
	for _, records := range r.parts() {
		p := part{Name: partOf(records[0].Name)}
		for _, unit := range unitsOf(records) {
			if c := bars(p.Name, unit, records); len(c.Rows) > 1 || len(c.Rows) == 1 && c.Rows[0].Beside > 0 {
				p.Drawings = append(p.Drawings, template.HTML(c.SVG())) // SVG escapes the texts
			}
		}
		for i := range records {
			one := &records[i]
			row := pageRow{Name: one.Name, Verdict: one.verdict(), Bar: one.Bar, Subject: one.subject(), Others: one.others(), Missed: one.Missed()}
			for _, c := range columns[:len(columns)-2] { // the last two have cells of their own
				row.Cells = append(row.Cells, c.of(one))
			}
			p.Rows = append(p.Rows, row)
			if one.Missed() {
				data.Missed = append(data.Missed, one.Name)
			}
		}
		data.Parts = append(data.Parts, p)
	}
	return page.Execute(w, data)
}

// partOf returns the part of a name that the records of one measurement share.
func partOf(name string) string {
	first, _, _ := strings.Cut(name, ".")
	return first
}

// parts returns the records, those of each measurement together.
func (r *Run) parts() (all [][]Record) {
	at := map[string]int{}
	for _, one := range r.Records {
		name := partOf(one.Name)
		i, known := at[name]
		if !known {
			i = len(all)
			at[name], all = i, append(all, nil)
		}
		all[i] = append(all[i], one)
	}
	return all
}

// unitsOf returns the units of records, in the order in which they appear.
func unitsOf(records []Record) (all []string) {
	for i := range records {
		if !slices.Contains(all, records[i].Unit) {
			all = append(all, records[i].Unit)
		}
	}
	return all
}
