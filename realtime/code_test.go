package realtime_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestClosingCodesAreThoseOfTheDocs compares the closing codes in code.go with the table of
// docs/wire.md, with the codes in the page's script, and with the line about their metric.
func TestClosingCodesAreThoseOfTheDocs(t *testing.T) {
	t.Parallel()
	read := func(path string) string {
		t.Helper()
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	find := func(path, pattern string) map[string]string {
		t.Helper()
		found := map[string]string{}
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(read(path), -1) {
			found[m[1]] = m[len(m)-1]
		}
		return found
	}
	codes := slices.Sorted(maps.Keys(find("code.go", `(?m)^\tCode\w+ += .*?(\d{4})`)))
	if len(codes) < 8 {
		t.Fatalf("code.go has only %v", codes)
	}
	told := find("../docs/wire.md", `(?m)^\| (\d{4}) \| .* \| (yes|no) \|$`)
	if documented := slices.Sorted(maps.Keys(told)); !slices.Equal(documented, codes) {
		t.Errorf("docs/wire.md has the codes %v, code.go %v", documented, codes)
	}
	script := read("../web/client/src/link.ts")
	final := regexp.MustCompile(`(?s)const finalCodes = .*?;`).FindString(script)
	reconnect := regexp.MustCompile(`(?s)const reconnectCodes = .*?;`).FindString(script)
	metric := regexp.MustCompile("(?m)^.*`amstel_sockets_closed_total`.*$").FindString(read("../docs/metrics.md"))
	for _, code := range codes {
		if told[code] == "yes" != strings.Contains(reconnect, code) || told[code] == "no" != strings.Contains(final, code) {
			t.Errorf("docs/wire.md says %q of coming back after %s, and the page's script does otherwise", told[code], code)
		}
		if !strings.Contains(metric, code) {
			t.Errorf("docs/metrics.md does not have the code %s", code)
		}
	}
}
