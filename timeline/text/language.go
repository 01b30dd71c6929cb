package text

import (
	"slices"
	"strings"
)

// A Language is a language in which posts can be written.
type Language struct {
	Code string // ISO 639-1, two letters
	Name string // in English
	Own  string // in the language itself
}

// Languages returns all languages, sorted by their English names.
func Languages() []Language { return slices.Clone(languages) }

// FindLanguage returns the language with a code, and reports whether there is one.
func FindLanguage(code string) (Language, bool) {
	i := slices.IndexFunc(languages, func(l Language) bool { return l.Code == code })
	if i < 0 {
		return Language{}, false
	}
	return languages[i], true
}

// CleanLanguage returns the code of a language in lower case. The code may be empty. It returns an
// [InvalidError] for an unknown code.
func CleanLanguage(code string) (string, error) {
	code = strings.ToLower(strings.TrimSpace(code))
	if code == "" {
		return "", nil
	}
	if _, known := FindLanguage(code); !known {
		return "", &InvalidError{Field: "lang", Reason: "must be the code of a language, such as en, or empty", Code: "choice"}
	}
	return code, nil
}

// languages are the languages that Detect knows, and other widely written languages.
var languages = []Language{
	{"af", "Afrikaans", "Afrikaans"},
	{"ak", "Akan", "Akan"},
	{"sq", "Albanian", "Shqip"},
	{"am", "Amharic", "አማርኛ"},
	{"ar", "Arabic", "العربية"},
	{"hy", "Armenian", "Հայերեն"},
	{"az", "Azerbaijani", "Azərbaycanca"},
	{"ba", "Bashkir", "Башҡортса"},
	{"eu", "Basque", "Euskara"},
	{"be", "Belarusian", "Беларуская"},
	{"bn", "Bengali", "বাংলা"},
	{"bs", "Bosnian", "Bosanski"},
	{"bg", "Bulgarian", "Български"},
	{"my", "Burmese", "မြန်မာ"},
	{"ca", "Catalan", "Català"},
	{"ce", "Chechen", "Нохчийн"},
	{"zh", "Chinese", "中文"},
	{"cv", "Chuvash", "Чӑвашла"},
	{"hr", "Croatian", "Hrvatski"},
	{"cs", "Czech", "Čeština"},
	{"da", "Danish", "Dansk"},
	{"nl", "Dutch", "Nederlands"},
	{"en", "English", "English"},
	{"eo", "Esperanto", "Esperanto"},
	{"et", "Estonian", "Eesti"},
	{"fi", "Finnish", "Suomi"},
	{"fr", "French", "Français"},
	{"fy", "Frisian", "Frysk"},
	{"gl", "Galician", "Galego"},
	{"ka", "Georgian", "ქართული"},
	{"de", "German", "Deutsch"},
	{"el", "Greek", "Ελληνικά"},
	{"gu", "Gujarati", "ગુજરાતી"},
	{"ht", "Haitian Creole", "Kreyòl ayisyen"},
	{"ha", "Hausa", "Hausa"},
	{"he", "Hebrew", "עברית"},
	{"hi", "Hindi", "हिन्दी"},
	{"hu", "Hungarian", "Magyar"},
	{"is", "Icelandic", "Íslenska"},
	{"ig", "Igbo", "Igbo"},
	{"id", "Indonesian", "Bahasa Indonesia"},
	{"ga", "Irish", "Gaeilge"},
	{"it", "Italian", "Italiano"},
	{"ja", "Japanese", "日本語"},
	{"jv", "Javanese", "Basa Jawa"},
	{"kn", "Kannada", "ಕನ್ನಡ"},
	{"kk", "Kazakh", "Қазақша"},
	{"km", "Khmer", "ខ្មែរ"},
	{"rw", "Kinyarwanda", "Ikinyarwanda"},
	{"ko", "Korean", "한국어"},
	{"ku", "Kurdish", "Kurdî"},
	{"ky", "Kyrgyz", "Кыргызча"},
	{"la", "Latin", "Latina"},
	{"lv", "Latvian", "Latviešu"},
	{"lt", "Lithuanian", "Lietuvių"},
	{"lb", "Luxembourgish", "Lëtzebuergesch"},
	{"mk", "Macedonian", "Македонски"},
	{"mg", "Malagasy", "Malagasy"},
	{"ms", "Malay", "Bahasa Melayu"},
	{"ml", "Malayalam", "മലയാളം"},
	{"mt", "Maltese", "Malti"},
	{"mr", "Marathi", "मराठी"},
	{"mn", "Mongolian", "Монгол"},
	{"ne", "Nepali", "नेपाली"},
	{"no", "Norwegian", "Norsk"},
	{"ny", "Nyanja", "Chinyanja"},
	{"or", "Odia", "ଓଡ଼ିଆ"},
	{"om", "Oromo", "Afaan Oromoo"},
	{"os", "Ossetian", "Ирон"},
	{"fa", "Persian", "فارسی"},
	{"pl", "Polish", "Polski"},
	{"pt", "Portuguese", "Português"},
	{"pa", "Punjabi", "ਪੰਜਾਬੀ"},
	{"ro", "Romanian", "Română"},
	{"rn", "Rundi", "Ikirundi"},
	{"ru", "Russian", "Русский"},
	{"gd", "Scottish Gaelic", "Gàidhlig"},
	{"sr", "Serbian", "Српски"},
	{"sn", "Shona", "chiShona"},
	{"si", "Sinhala", "සිංහල"},
	{"sk", "Slovak", "Slovenčina"},
	{"sl", "Slovenian", "Slovenščina"},
	{"so", "Somali", "Soomaali"},
	{"es", "Spanish", "Español"},
	{"sw", "Swahili", "Kiswahili"},
	{"sv", "Swedish", "Svenska"},
	{"tl", "Tagalog", "Tagalog"},
	{"tg", "Tajik", "Тоҷикӣ"},
	{"ta", "Tamil", "தமிழ்"},
	{"tt", "Tatar", "Татарча"},
	{"te", "Telugu", "తెలుగు"},
	{"th", "Thai", "ไทย"},
	{"ti", "Tigrinya", "ትግርኛ"},
	{"tr", "Turkish", "Türkçe"},
	{"tk", "Turkmen", "Türkmençe"},
	{"uk", "Ukrainian", "Українська"},
	{"ur", "Urdu", "اردو"},
	{"ug", "Uyghur", "ئۇيغۇرچە"},
	{"uz", "Uzbek", "Oʻzbekcha"},
	{"vi", "Vietnamese", "Tiếng Việt"},
	{"cy", "Welsh", "Cymraeg"},
	{"yi", "Yiddish", "ייִדיש"},
	{"yo", "Yoruba", "Yorùbá"},
	{"zu", "Zulu", "isiZulu"},
}
