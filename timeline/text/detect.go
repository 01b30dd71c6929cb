package text

import (
	"slices"
	"strings"
	"unicode"

	"github.com/abadojack/whatlanggo"
)

// The number of letters that a text needs before its language is detected. An alphabet of a
// single language needs few letters; an alphabet of several languages needs more.
const (
	lettersLeast  = 40
	cyrillicLeast = 20
	scriptLeast   = 4
)

// Detect returns the code of the language of a text, or "" if no guess is safe: the text
// is short, has several alphabets, or could be in more than one language. Names,
// hashtags and addresses in the text are ignored.
func Detect(text string) string {
	text = prose(text)
	letters := 0
	scripts := make([]int, 0, 4)
	seen := make([]*unicode.RangeTable, 0, 4)
	for _, c := range text {
		if !unicode.IsLetter(c) {
			continue
		}
		letters++
		script := scriptOf(c)
		i := slices.Index(seen, script)
		if i < 0 {
			i = len(seen)
			seen, scripts = append(seen, script), append(scripts, 0)
		}
		scripts[i]++
	}
	if letters < scriptLeast || 4*slices.Max(scripts) < 3*letters {
		return ""
	}
	// Nynorsk is excluded, because posts have one language Norwegian, which whatlanggo calls Nob.
	options := whatlanggo.Options{Blacklist: map[whatlanggo.Lang]bool{whatlanggo.Nno: true}}
	switch script := seen[slices.Index(scripts, slices.Max(scripts))]; {
	case script == unicode.Cyrillic:
		if letters < cyrillicLeast || !excludeCyrillic(text, options.Blacklist) {
			return ""
		}
	case shared(script) && letters < lettersLeast:
		return ""
	}
	info := whatlanggo.DetectWithOptions(text, options)
	if !info.IsReliable() && (info.Lang == whatlanggo.Nld || info.Lang == whatlanggo.Afr) && excludeDutch(text, options.Blacklist) {
		info = whatlanggo.DetectWithOptions(text, options)
	}
	if !info.IsReliable() {
		return ""
	}
	switch info.Lang {
	case whatlanggo.Nob:
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

// excludeDutch excludes Dutch or Afrikaans if the text has small words of only the other language, and
// reports whether it did. It is needed because the detection counts sequences of letters, which Dutch
// and Afrikaans share, so that the detection could never tell the two apart.
func excludeDutch(text string, out map[whatlanggo.Lang]bool) bool {
	dutch := []string{"een", "ik", "niet", "zijn", "zij", "hij", "wij", "mij", "mijn", "jij", "ze", "zo", "deze", "naar", "bij", "wordt", "blijf", "altijd"}
	afrikaans := []string{"ek", "nie", "sy", "hy", "jy", "my", "vir", "baie", "hulle", "julle", "hierdie", "altyd", "sê"}
	words := strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) && c != '\'' })
	has := func(some []string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(some, word) })
	}
	switch is, other := has(dutch), has(afrikaans); {
	case is == other:
		return false
	case is:
		out[whatlanggo.Afr] = true
	default:
		out[whatlanggo.Nld] = true
	}
	return true
}

// excludeCyrillic excludes the languages whose alphabets lack letters of the text, and reports whether
// any language is left. It allows one such letter in a hundred, because it may be a typing mistake.
func excludeCyrillic(text string, out map[whatlanggo.Lang]bool) (left bool) {
	const common = "абвгдежзклмнопрстуфхцчш"
	for lang, more := range map[whatlanggo.Lang]string{
		whatlanggo.Rus: "ёийщъыьэюя", whatlanggo.Ukr: "ґєиіїйщьюя", whatlanggo.Bel: "ґёійўыьэюя",
		whatlanggo.Bul: "ийщъьюя", whatlanggo.Srp: "иђјљњћџ", whatlanggo.Mkd: "иѓѕјљњќџ",
	} {
		all, others := 0, 0
		for _, c := range text {
			if !unicode.Is(unicode.Cyrillic, c) {
				continue
			}
			all++
			if c = unicode.ToLower(c); !strings.ContainsRune(common, c) && !strings.ContainsRune(more, c) {
				others++
			}
		}
		if 100*others > all {
			out[lang] = true
		} else {
			left = true
		}
	}
	return left
}

// shared reports whether several languages use the script.
func shared(script *unicode.RangeTable) bool {
	switch script {
	case unicode.Latin, unicode.Arabic, unicode.Devanagari, unicode.Ethiopic, unicode.Hebrew:
		return true
	}
	return false
}

// scriptOf returns the alphabet of a letter. The scripts of Chinese and Japanese count
// as one.
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

// prose returns a text without the names, hashtags and addresses in it.
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
