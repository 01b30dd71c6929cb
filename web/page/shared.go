package page

import (
	"encoding/json"
	"strings"

	"github.com/a-h/templ"
)

// SharedModel is the page of the form for a post with the draft that a share button sent.
type SharedModel struct {
	Shell
	Form *PostForm
}

// ShareButtonModel is the page that offers a bookmark for sharing.
type ShareButtonModel struct {
	Shell
	Site string // the address of the site, without a path
}

// bookmark returns the address of a bookmark that opens the form for a post with the address of the
// present page, its title, and the selected text. The text is cut, because servers refuse long addresses.
func (m ShareButtonModel) bookmark() templ.SafeURL {
	site, err := json.Marshal(m.Site + SharePath)
	if err != nil {
		panic(err) // a text
	}
	const code = `javascript:(e=>{open(SITE+"?u="+e(location.href)+"&t="+e(document.title)+"&q="+e(String(getSelection()).slice(0,1000)))})(encodeURIComponent)`
	return templ.SafeURL(strings.Replace(code, "SITE", string(site), 1))
}

// shortLink returns an address for people, without its scheme. A long one is cut in its middle, because
// readers know a page by the host and by the end of the path.
func shortLink(link string) string {
	const most = 60
	_, rest, _ := strings.Cut(link, "://")
	if runes := []rune(rest); len(runes) > most {
		return string(runes[:most/2]) + "…" + string(runes[len(runes)-most/2:])
	}
	return rest
}
