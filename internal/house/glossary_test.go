package house

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

const glossary = "docs/glossary.md"

// defined matches a row of the glossary, and finds its word and the name in the code.
var defined = regexp.MustCompile(`(?m)^\| ([^|]+?) \|[^|]+\| ([^|]+?) \|$`)

// nouns are the metaphors in docs, in forms that have no other meaning there. A page may use
// them only while the glossary defines the word on the right.
var nouns = map[string]string{
	`rivers?`: "river", `hubs?`: "hub", `folds?`: "fold", `floors?`: "floor", `gates?`: "gate", `doorbells?`: "doorbell",
	`tombstones?`: "tombstone", `janitors?`: "janitor", `oracles?`: "oracle", `beats?`: "beat", `epochs?`: "epoch", `sweeps?`: "sweep",
	`quarantined?`: "quarantine", `poison(?:ed)?`: "poison", `sequencers?`: "sequencer", `checkpoints?`: "checkpoint", `lifts?|lifted`: "lift",
	`bumps?|bumped`: "bump", `renditions?`: "rendition", `sub-feeds?`: "private sub-feed", `tiers? [012]`: "tier 0, 1, 2",
}

// undefined lists the words of the glossary that no other page, comment or sentence uses, and
// the metaphors in pages that the glossary does not define.
func undefined(repository fs.FS) ([]string, error) {
	l, err := readLibrary(repository)
	if err != nil {
		return nil, err
	}
	var texts strings.Builder
	for name, text := range l.pages {
		if name != glossary {
			texts.WriteString(text)
		}
	}
	for _, text := range l.comments {
		texts.WriteString(text)
	}
	all := strings.Join(strings.Fields(strings.ToLower(texts.String())), " ")
	var findings []string
	var words []string
	for _, found := range defined.FindAllStringSubmatch(l.pages[glossary], -1) {
		word, _, _ := strings.Cut(found[1], " (")
		words = append(words, word)
		stem, _, _ := strings.Cut(strings.ToLower(word), ",")
		if word != "word" && word != "---" && !strings.Contains(all, stem) {
			findings = append(findings, fmt.Sprintf("%s: nothing uses the word %q", glossary, word))
		}
	}
	for form, word := range nouns {
		used := regexp.MustCompile(`(?i)\b(?:` + form + `)\b`)
		for name, text := range l.pages {
			inDocs := path.Dir(name) == "docs" && name != glossary
			if inDocs && used.MatchString(fence.ReplaceAllString(text, "")) && !slices.Contains(words, word) {
				findings = append(findings, fmt.Sprintf("%s: uses %s, and the glossary has no %q", name, used.FindString(text), word))
			}
		}
	}
	slices.Sort(findings)
	return findings, nil
}

func TestGlossary(t *testing.T) {
	t.Parallel()
	findings, err := undefined(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range findings {
		t.Error(finding)
	}
}

func TestUndefinedFinds(t *testing.T) {
	t.Parallel()
	const head = "| word | meaning | in code |\n| --- | --- | --- |\n"
	const river, floor = "| river | A page. | package `river` |\n", "| epoch (of a river) | A name. | – |\n"
	for _, tt := range []struct {
		name, glossary, page, code string
		want                       string // part of the only finding; none if empty
	}{
		{"words that a page uses", head + river + floor, "A river has an epoch.", "", ""},
		{"a word that a comment uses", head + river, "", "// A River flows.", ""},
		{"a word in two lines", head + "| river DB | A file. | – |\n" + river, "", "// a river\n// DB", ""},
		{"a word that only the glossary uses", head + river, "A page.", "", `nothing uses the word "river"`},
		{"a metaphor without a row", head, "Two hubs.", "", `no "hub"`},
		{"a metaphor in a block of code", head, "```\nhubs\n```\n", "", ""},
		{"a word that contains a metaphor", head, "A github.", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			findings, err := undefined(fstest.MapFS{
				glossary: {Data: []byte(tt.glossary)}, "docs/p.md": {Data: []byte(tt.page)},
				"a/a.go": {Data: []byte("package a\n\n" + tt.code + "\nvar x = 1\n")},
			})
			if err != nil {
				t.Fatal(err)
			}
			if tt.want == "" && len(findings) > 0 || tt.want != "" && (len(findings) != 1 || !strings.Contains(findings[0], tt.want)) {
				t.Errorf("found %q, want %q", findings, tt.want)
			}
		})
	}
}
