package timeline

import (
	"strings"
	"unicode"

	"github.com/abadojack/whatlanggo"
)

// How much of a text must be there before its language is told from it. Letters
// of some scripts say it by themselves, and few of them will do.
const (
	lettersLeast = 40
	scriptLeast  = 4
)

// DetectLang tells the language of a text, or "" where it can't be relied upon:
// the text is short, of several alphabets, or could be of more than one language.
// Names, tags and addresses in it say nothing.
func DetectLang(text string) string {
	text = prose(text)
	letters, most := 0, 0
	scripts := make(map[*unicode.RangeTable]int, 2)
	for _, c := range text {
		if !unicode.IsLetter(c) {
			continue
		}
		letters++
		s := scriptOf(c)
		scripts[s]++
		most = max(most, scripts[s])
	}
	if letters < scriptLeast || 4*most < 3*letters {
		return ""
	}
	info := whatlanggo.Detect(text)
	if !info.IsReliable() || letters < lettersLeast && shared(info.Script) {
		return ""
	}
	switch info.Lang {
	case whatlanggo.Nob, whatlanggo.Nno: // both are Norwegian
		return "no"
	case whatlanggo.Pes:
		return "fa"
	case whatlanggo.Ydd:
		return "yi"
	}
	code := info.Lang.Iso6391()
	if _, known := FindLanguage(code); !known {
		return ""
	}
	return code
}

// shared says whether languages of one script have to be told from each other.
func shared(script *unicode.RangeTable) bool {
	switch script {
	case unicode.Latin, unicode.Cyrillic, unicode.Arabic, unicode.Devanagari, unicode.Ethiopic, unicode.Hebrew:
		return true
	}
	return false
}

// scriptOf is the alphabet of a letter; those that Chinese and Japanese are
// written in count as one.
func scriptOf(c rune) *unicode.RangeTable {
	switch {
	case c < unicode.MaxLatin1 || unicode.Is(unicode.Latin, c):
		return unicode.Latin
	case unicode.Is(unicode.Cyrillic, c):
		return unicode.Cyrillic
	case unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana):
		return unicode.Han
	}
	for script := range whatlanggo.Scripts {
		if unicode.Is(script, c) {
			return script
		}
	}
	return nil
}

// prose is a text without its signs.
func prose(text string) string {
	signs := Signs(text)
	if len(signs) == 0 {
		return text
	}
	var b strings.Builder
	from := 0
	for _, s := range signs {
		b.WriteString(text[from:s.From])
		b.WriteByte(' ')
		from = s.To
	}
	b.WriteString(text[from:])
	return b.String()
}
