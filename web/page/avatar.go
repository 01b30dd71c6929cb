package page

import (
	"hash/fnv"
	"html"
	"strconv"
	"strings"
	"unicode"
)

// tones is how many colours there are for people without a picture; the
// stylesheet has a class for each, toneFills has them for files of their own.
const tones = 12

var toneFills = [tones]string{
	"#17607a", "#2b6a4d", "#8a4b12", "#a3402b", "#7a3b69", "#4a4f9c",
	"#0f6b6b", "#5f6520", "#93335c", "#3a5a8c", "#6d4c2f", "#5b4291",
}

// tone is the colour of a name: always the same.
func tone(name string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // a hash takes everything
	return int(h.Sum32() % tones)
}

// initial is the letter that stands for a name.
func initial(display, name string) string {
	for _, c := range shownName(display, name) {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return string(unicode.ToUpper(c))
		}
	}
	return "·"
}

// AvatarSVG is the generated picture of somebody without one, as a file of its
// own, for clients that want an address of a picture.
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
