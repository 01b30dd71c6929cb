package realtime_test

import (
	"fmt"
	"io"
	"net/url"
	"strings"
	"testing"

	"amstel.dev/amstel/internal/livetest"
	"amstel.dev/amstel/realtime"
	liveclient "amstel.dev/amstel/realtime/client"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// languageRender renders an entry as the code of the language.
type languageRender struct{ livetest.Render }

func (languageRender) EntryHTML(language string, _ *timeline.Sets, _ *river.Entry, _ realtime.Users, _ realtime.Groups) string {
	return "in " + language
}

// TestHTMLIsInThePagesLanguage has pages in two languages poll: each is sent HTML, in its
// own language, in the field for HTML.
func TestHTMLIsInThePagesLanguage(t *testing.T) {
	within(t, func(c *realtime.Config) {
		c.Render, c.Languages = languageRender{}, []string{"en", "ru"}
	}, func(b *bench) {
		b.fill(everything, 1)
		page := b.visit(everything, "", "")
		for lang, want := range map[string]string{"en": `"html":"in en"`, "ru": `"html":"in ru"`, "xx": `"html":"in "`} {
			query := url.Values{"river": {page.River}, "page": {page.Path}, "as": {"html"}, "lang": {lang}}
			answer, err := b.net.HTTP().Get("http://site.test/live/changes?" + query.Encode())
			if err != nil {
				b.Fatal(err)
			}
			body, err := io.ReadAll(answer.Body)
			answer.Body.Close()
			if err != nil || !strings.Contains(string(body), want) {
				t.Errorf("lang %s: %s, %v; want %s", lang, body, err, want)
			}
		}
	})
}

// TestPatch_PagesInTwoLanguagesOnOneRiver_HasEachPagesHTML changes a post on open pages of one
// river: each page gets HTML in its own language, in the field for HTML.
func TestPatch_PagesInTwoLanguagesOnOneRiver_HasEachPagesHTML(t *testing.T) {
	within(t, func(c *realtime.Config) {
		c.Render, c.Languages = languageRender{}, []string{"en", "ru"}
	}, func(b *bench) {
		b.fill(everything, 1)
		wants := map[string]string{"en": `"html":"in en"`, "ru": `"html":"in ru"`, "xx": `"html":"in "`}
		clients := make(map[string]*client)
		for lang := range wants {
			page := b.visit(everything, "", "")
			clients[lang] = b.dial("")
			clients[lang].write(fmt.Sprintf(`{"type":"sub","river":%q,"page":%q,"epoch":%q,"counter":%d,"have":[[1,%q]],"as":"html","lang":%q}`,
				page.River, page.Path, page.Epoch, page.Counter, page.Entries[1].Tag, lang))
			if f := clients[lang].next(); f.Type != "hello" {
				t.Fatalf("lang %s: the first frame is %+v, not a hello", lang, f)
			}
		}
		b.rivers.Put(everything, fold(2, 1, 2000, "post 2"))
		for lang, want := range wants {
			patch, err := liveclient.Read(b.Context(), clients[lang].conn)
			if err != nil || !strings.Contains(string(patch), `"type":"patch"`) || !strings.Contains(string(patch), want) {
				t.Errorf("lang %s: %s, %v; want a patch with %s", lang, patch, err, want)
			}
		}
	})
}
