package models

import (
	"html/template"
	"io"
	"strconv"

	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
)

// page is the HTML of a report, which needs no other file.
var page = report.NewPage("models", `{{template "head" "Sources of rivers, measured"}}
<p>{{.Of}}.</p>
<p>{{.How}}.</p>
<h2>Which to choose here</h2>
<p id="advice">{{.Why}}</p>
<h2>The sources</h2>
<div class="wide"><table>
<tr>{{range .Heads}}<th scope="col">{{.}}</th>{{end}}</tr>
{{range .Rows}}<tr>{{range .}}<td>{{.}}</td>{{end}}</tr>
{{end}}</table></div>
<p>A mean is of the middle half. The cost of a post is its mean and the work that is done later; a source costs less than read from its break-even on.</p>
<h2>The mixed life</h2>
<div class="wide"><table>
<tr><th scope="col">source</th><th scope="col">act</th><th scope="col">acts</th><th scope="col">p50, ms</th><th scope="col">p99, ms</th></tr>
{{range .Lives}}<tr>{{range .}}<td>{{.}}</td>{{end}}</tr>
{{end}}</table></div>
<p>After the life and after the loss, {{.Compared}} homes were compared with those of the timelines, and all were equal.</p>
{{range .Drawings}}{{.}}
{{end}}{{range .Losses}}<p>{{.}}</p>
{{end}}</html>
`)

// HTML writes the report as an HTML page.
func (r *Report) HTML(w io.Writer) error {
	var data struct {
		Of, How, Why string
		Heads        []string
		Rows, Lives  [][]string
		Compared     int
		Drawings     []template.HTML
		Losses       []string
	}
	data.Of, data.How, data.Why = r.Of, r.How, r.Advice.Why
	for _, c := range r.columns() {
		data.Heads = append(data.Heads, c.head)
	}
	for i := range r.Results {
		one := &r.Results[i]
		var row []string
		for _, c := range r.columns() {
			row = append(row, c.of(one))
		}
		data.Rows = append(data.Rows, row)
		for _, op := range one.Life {
			data.Lives = append(data.Lives, []string{one.Source, op.Name, strconv.Itoa(op.N), fixed(op.P50, 1), fixed(op.P99, 1)})
		}
		data.Compared += one.Compared
		if one.Loss != nil {
			data.Losses = append(data.Losses, one.lossInWords())
		}
	}
	for _, c := range r.Charts() {
		data.Drawings = append(data.Drawings, template.HTML(c.SVG())) // SVG escapes the texts
	}
	return page.Execute(w, data)
}

// lossInWords describes in a sentence what the loss of everything cost the source.
func (r *Result) lossInWords() string {
	back := "were not all back when the measurement ended"
	if r.Loss.Back > 0 {
		back = "were back after " + fixed(r.Loss.Back, 1) + " s"
	}
	return r.Source + ": " + r.Loss.Of + " " + back + "; until then an act took " + fixed(r.Loss.After.P50, 1) + " ms (p99 " +
		fixed(r.Loss.After.P99, 1) + "), before the loss " + fixed(r.Loss.Before.P50, 1) + " ms (p99 " + fixed(r.Loss.Before.P99, 1) + ")."
}
