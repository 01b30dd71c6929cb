package page

import "strings"

// firstLine returns the beginning of a description, for a list.
func firstLine(text string) string {
	line, _, more := strings.Cut(strings.TrimSpace(text), "\n")
	const most = 160
	if runes := []rune(line); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	if more {
		line += " …"
	}
	return line
}
