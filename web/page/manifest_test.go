package page

import (
	"strings"
	"testing"

	"amstel.dev/amstel/web/catalogue"
)

// TestBrowserHasTheColoursOfThePages compares the colours that pages and the manifest give to
// browsers with the colours of the stylesheet.
func TestBrowserHasTheColoursOfThePages(t *testing.T) {
	t.Parallel()
	doc := parse(t, render(t, Layout(Shell{}, about(AboutModel{}))))
	schemes := colourTokens(t)
	for scheme, colours := range schemes {
		told := map[string]string{}
		for _, colour := range all(doc, "meta[name=theme-color]") {
			told[attr(colour, "media")] = attr(colour, "content")
		}
		if got := told["(prefers-color-scheme: "+scheme+")"]; got != colours["ground"] {
			t.Errorf("in %s the browser is told %q, and pages are %s", scheme, got, colours["ground"])
		}
	}
	if m := NewManifest(catalogue.English, "Amstel"); m.Theme != schemes["light"]["ground"] || m.Background != m.Theme {
		t.Errorf("the manifest has %s and %s", m.Theme, m.Background)
	}
}

// TestHeadOfASharedPageEscapes renders a head with texts that could end an attribute.
func TestHeadOfASharedPageEscapes(t *testing.T) {
	t.Parallel()
	s := Shell{Words: catalogue.English, Description: `"><script>1</script>`, Share: &Share{
		URL: "https://amstel.example/a?x=1&y=2", Title: `"><b>`, Kind: "article", Picture: SharePicture{Path: "https://amstel.example/f/1.jpg", Width: 3, Height: 2, Alt: `'"`, Large: true},
	}}
	source := render(t, Layout(s, about(AboutModel{})))
	doc := parse(t, source)
	if strings.Contains(source, "<script>1") || len(all(doc, "head b")) != 0 {
		t.Error("a text became an element")
	}
	for selector, want := range map[string]string{
		`meta[property="og:title"]`: `"><b>`, `meta[property="og:description"]`: `"><script>1</script>`, `meta[property="og:image:alt"]`: `'"`,
		`meta[name="twitter:card"]`: "summary_large_image", `meta[property="og:image:width"]`: "3",
	} {
		if got := attr(one(t, doc, selector), "content"); got != want {
			t.Errorf("%s is %q, want %q", selector, got, want)
		}
	}
	if got := attr(one(t, doc, "link[rel=canonical]"), "href"); got != "https://amstel.example/a?x=1&y=2" {
		t.Errorf("the address is %q", got)
	}
	for _, element := range all(doc, "meta") {
		if has(element, "property") && attr(element, "content") == "" {
			t.Errorf("%s has no content", attr(element, "property"))
		}
	}
}
