package metrics

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of metrics into its page")

// page documents the metrics.
const page = "../../docs/metrics.md"

// The table is between these two marks.
const (
	tableBegins = "<!-- go test ./internal/metrics -update -->\n"
	tableEnds   = "<!-- end -->\n"
)

// TestDocs: the page names exactly the existing metrics.
func TestDocs(t *testing.T) {
	m := all(t)
	rows := slices.SortedFunc(slices.Values(m.made), func(a, b description) int { return cmp.Compare(a.name, b.name) })
	var table strings.Builder
	table.WriteString("| metric | | by | |\n| --- | --- | --- | --- |\n")
	for _, a := range rows {
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", a.name, a.kind, a.labels, a.help)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(text), tableBegins)
	written, after, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		t.Fatal("the page has no place for the table")
	}
	if written == table.String() {
		return
	}
	if *update {
		if err := os.WriteFile(page, []byte(before+tableBegins+table.String()+tableEnds+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("the table of docs/metrics.md is not of the metrics there are; go test ./internal/metrics -update writes it. It should be\n%s", &table)
}
