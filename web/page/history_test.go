package page

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"amstel.dev/amstel/timeline"
)

// historyOfText returns the page of a history of texts, each an hour after the one before.
func historyOfText(texts ...string) HistoryModel {
	m := HistoryModel{Shell: sampleShell(anneke, "Earlier texts of a post", "/joost/31/history"), Author: "joost", Post: 31, Mine: true}
	for i, text := range texts {
		m.Versions = append(m.Versions, timeline.Version{Text: text, WrittenAt: at("2026-11-19 10:00:00").Add(time.Duration(i) * time.Hour)})
	}
	return m
}

func historyPages() []samplePage {
	none := historyOfText("Never changed.")
	none.Comment = 7
	return []samplePage{
		{"history", History(historyOfText("The lock opens at nien.", "The lock opens at nine.", "The <b>lock</b> opens at nine,\n  on Monday."))},
		{"history-none", History(none)},
	}
}

// pieces writes differences with [-…-] around removed and {+…+} around added text.
func pieces(all []piece) string {
	var b strings.Builder
	for _, p := range all {
		switch {
		case p.Added:
			b.WriteString("{+" + p.Text + "+}")
		case p.Removed:
			b.WriteString("[-" + p.Text + "-]")
		default:
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func TestDifferences(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, was, is, want string }{
		{"one word", "at nien.", "at nine.", "at [-nien-]{+nine+}."},
		{"neighbouring words", "one blue cat sat", "two red dogs sat", "[-one blue cat-]{+two red dogs+} sat"},
		{"something more", "a b", "a b\n\nc", "a b{+\n\nc+}"},
		{"something less", "a b c", "b", "[-a -]b[- c-]"},
		{"other letters", "мост открыт", "паром открыт", "[-мост-]{+паром+} открыт"},
		{"nothing before", "", "a b", "{+a b+}"},
		{"nothing after", "a b", "", "[-a b-]"},
		{"the same", "a b", "a b", "a b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := pieces(differences(tt.was, tt.is)); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// textIn returns the text of an element, with all its spaces.
func textIn(n *html.Node) (text string) {
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			text += c.Data
		}
	}
	return text
}

// TestHistoryPage: the newest text comes first, and the pieces of each text add up to the text,
// letter by letter. Only the author can delete the history, if there is one.
func TestHistoryPage(t *testing.T) {
	t.Parallel()
	m := historyOfText("a  b\nc", "a  <i>\nc")
	page := parse(t, render(t, History(m)))
	bodies := all(page, ".version .text")
	if len(bodies) != 2 {
		t.Fatalf("%d versions", len(bodies))
	}
	for i, want := range []string{"a  Removed: b (end)Added: <i> (end)\nc", "a  b\nc"} {
		if got := textIn(bodies[i]); got != want {
			t.Errorf("version %d is %q, want %q", i, got, want)
		}
	}
	forms := func(m HistoryModel) int {
		return len(all(parse(t, render(t, History(m))), "main .confirm form"))
	}
	if n := forms(m); n != 1 {
		t.Errorf("%d forms that delete the history", n)
	}
	m.Mine = false
	if n := forms(m) + forms(historyOfText("a")); n != 0 {
		t.Errorf("%d forms that delete another's history, or none", n)
	}
}
