package page

import (
	"hash/fnv"
	"html"
	"strconv"
	"strings"
	"unicode"
)

// tones is the number of colours for people without a picture. The stylesheet has a class
// for each, toneFills has the same colours for files.
const tones = 12

var toneFills = [tones]string{
	"#17607a", "#2b6a4d", "#8a4b12", "#a3402b", "#7a3b69", "#4a4f9c",
	"#0f6b6b", "#5f6520", "#93335c", "#3a5a8c", "#6d4c2f", "#5b4291",
}

// tone returns the number of the colour of a name, which is always the same.
func tone(name string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // a hash never fails
	return int(h.Sum32() % tones)
}

// initial returns the letter on the generated picture of a name.
func initial(display, name string) string {
	for _, c := range shownName(display, name) {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return string(unicode.ToUpper(c))
		}
	}
	return "·"
}

// AvatarSVG returns the generated picture of a name as a file, for clients that need an
// address for each picture.
func AvatarSVG(name, display string) string {
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50" viewBox="0 0 40 40"><rect width="40" height="40" fill="`)
	b.WriteString(toneFills[tone(name)])
	b.WriteString(`"/><text x="20" y="20" dy=".35em" text-anchor="middle" font-family="system-ui,sans-serif" font-size="19" font-weight="600" fill="#fff">`)
	b.WriteString(html.EscapeString(initial(display, name)))
	b.WriteString("</text></svg>")
	return b.String()
}

func toneClass(name string) string { return "tone-" + strconv.Itoa(tone(name)) }
