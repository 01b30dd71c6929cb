package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestFlagsHaveTheirDocumentedEnvironment checks that each environment variable in a table of
// docs/running.md is read by the program, as the help of serve says.
func TestFlagsHaveTheirDocumentedEnvironment(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/running.md")
	if err != nil {
		t.Fatal(err)
	}
	var help bytes.Buffer
	if code := run(t.Context(), []string{"serve", "--help"}, streams{out: &help, err: &help}); code != 0 {
		t.Fatalf("serve --help ends with %d", code)
	}
	words := regexp.MustCompile("`([^`]+)`")
	read := strings.Join(strings.Fields(help.String()), " ")
	count := 0
	for _, row := range regexp.MustCompile("(?m)^\\| (`--[^|]+) \\| ([^|]*`[A-Z_0-9]+`) \\|").FindAllStringSubmatch(string(page), -1) {
		for _, name := range words.FindAllStringSubmatch(row[2], -1) {
			count++
			if !strings.Contains(read, "$"+name[1]+")") {
				t.Errorf("docs/running.md has %s for %s, but serve does not read it", name[1], row[1])
			}
		}
	}
	if count < 12 {
		t.Errorf("docs/running.md has only %d environment variables", count)
	}
}
