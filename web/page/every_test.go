package page

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"amstel.dev/amstel/web/static"
)

var pagesDir = flag.String("pages", "", "a folder to write the sample pages to, to look at them")

// TestEveryPage checks the rules for all pages. With -pages it also writes the pages to files
// for people to look at.
func TestEveryPage(t *testing.T) {
	t.Parallel()
	for _, p := range samplePages() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			source := render(t, p.page)
			doc := parse(t, source)
			if source != render(t, p.page) {
				t.Error("rendered twice it differs")
			}
			checkFrame(t, doc)
			checkInert(t, doc)
			checkIDs(t, doc)
			checkForms(t, doc)
			checkLinks(t, doc)
			if *pagesDir != "" {
				if err := os.WriteFile(filepath.Join(*pagesDir, p.name+".html"), []byte(source), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// checkFrame checks that the page has the elements that each page must have once.
func checkFrame(t *testing.T, doc *html.Node) {
	t.Helper()
	if title := words(one(t, doc, "head title")); !strings.HasSuffix(title, "Amstel") {
		t.Errorf("the title is %q", title)
	}
	for _, selector := range []string{
		"html[lang=en]", "meta[name=viewport]", "link[rel=stylesheet]", "link[rel=icon]", "head script[type=module]",
		"header.site nav", "main", "h1", "#banner[role=status]", "#content", `body > a.skip[href="#content"]`,
	} {
		one(t, doc, selector)
	}
}

// checkInert checks that the page contains no script or style of its own, as the content
// security policy demands, and requests nothing from other sites.
func checkInert(t *testing.T, doc *html.Node) {
	t.Helper()
	for _, n := range below(doc, true) {
		switch n.Data {
		case "style", "iframe", "object", "embed", "base":
			t.Errorf("there is a %s element", n.Data)
		case "script":
			if src := attr(n, "src"); n.FirstChild != nil || !strings.HasPrefix(src, "/static/client") && src != static.Path("passkey.js") {
				t.Errorf("there is a script of its own, or one from %q", src)
			}
		}
		for _, a := range n.Attr {
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
				t.Errorf("%s has the attribute %s=%q", n.Data, a.Key, a.Val)
			}
			if (a.Key == "src" || n.Data == "link" && a.Key == "href") && !strings.HasPrefix(a.Val, "/") {
				t.Errorf("%s asks for %q", n.Data, a.Val)
			}
		}
	}
}

// checkIDs checks that ids are unique, and that each reference to an id has an element.
func checkIDs(t *testing.T, doc *html.Node) {
	t.Helper()
	ids := map[string]bool{}
	for _, n := range all(doc, "[id]") {
		if ids[attr(n, "id")] || attr(n, "id") == "" {
			t.Errorf("the id %q is there twice, or empty", attr(n, "id"))
		}
		ids[attr(n, "id")] = true
	}
	for _, n := range below(doc, true) {
		for _, key := range []string{"for", "form", "aria-labelledby", "aria-describedby"} {
			for _, id := range strings.Fields(attr(n, key)) {
				if !ids[id] {
					t.Errorf("%s %s=%q names nothing", n.Data, key, id)
				}
			}
		}
		if href := attr(n, "href"); strings.HasPrefix(href, "#") && !ids[href[1:]] {
			t.Errorf("the link %q leads nowhere", href)
		}
	}
}

// checkForms checks that each form works without script, and that each input has a label.
func checkForms(t *testing.T, doc *html.Node) {
	t.Helper()
	labelled := map[string]bool{}
	for _, l := range all(doc, "label[for]") {
		labelled[attr(l, "for")] = true
	}
	for _, f := range all(doc, "form") {
		if attr(f, "id") != "" && !has(f, "action") {
			checkEntryForm(t, doc, f)
			continue
		}
		// A form that changes nothing is sent by GET, and not to the API.
		asks := attr(f, "method") == "get" && !strings.HasPrefix(attr(f, "action"), "/api/") && len(all(f, "input[type=hidden]")) == 0
		if attr(f, "method") != "post" && !asks || !strings.HasPrefix(attr(f, "action"), "/") {
			t.Errorf("a form goes by %q to %q", attr(f, "method"), attr(f, "action"))
		}
		sending := 0
		for _, button := range all(f, "button") {
			if asks := attr(button, "formaction"); !has(button, "formaction") {
				sending++
			} else if !strings.HasPrefix(asks, "/") || strings.HasPrefix(asks, "/api/") {
				t.Errorf("the form to %q asks at %q", attr(f, "action"), asks)
			}
		}
		if sending != 1 {
			t.Errorf("the form to %q has %d buttons", attr(f, "action"), sending)
		}
		for _, input := range slices.Concat(all(f, "input"), all(f, "textarea"), all(f, "select")) {
			name, kind := attr(input, "name"), attr(input, "type")
			inLabel := input.Parent.Data == "label"
			if name == "" || kind != "hidden" && !inLabel && !labelled[attr(input, "id")] && attr(input, "aria-label") == "" {
				t.Errorf("in the form to %q the input %q has no name or no label", attr(f, "action"), name)
			}
		}
		for _, method := range all(f, "input[name=_method]") {
			if !strings.Contains("PATCH PUT DELETE", attr(method, "value")) {
				t.Errorf("the form to %q has the method %q", attr(f, "action"), attr(method, "value"))
			}
		}
	}
}

// checkEntryForm checks the form that the buttons of an entry share: each button has an address
// of the API, and the form itself has none.
func checkEntryForm(t *testing.T, doc, form *html.Node) {
	t.Helper()
	if attr(form, "method") != "post" {
		t.Errorf("the form of an entry goes by %q", attr(form, "method"))
	}
	for _, button := range all(doc, "button[form="+attr(form, "id")+"]") {
		if !strings.HasPrefix(attr(button, "formaction"), "/api/v1/posts/") || has(button, "name") && attr(button, "value") != "DELETE" || words(button) == "" && attr(button, "aria-label") == "" {
			t.Errorf("a button of an entry is %v, %q", button.Attr, words(button))
		}
	}
}

// checkLinks checks that links have a target, and a name for screen readers.
func checkLinks(t *testing.T, doc *html.Node) {
	t.Helper()
	bookmark := string(ShareButtonModel{Site: "https://amstel.example"}.bookmark())
	for _, a := range all(doc, "a") {
		href := attr(a, "href")
		switch {
		case strings.HasPrefix(href, "http"):
			if attr(a, "target") != "_blank" || attr(a, "rel") != "nofollow noopener" {
				t.Errorf("the link outside to %q is %v", href, a.Attr)
			}
		case href == bookmark: // people drag it to their bookmarks
		case !strings.HasPrefix(href, "/") && !strings.HasPrefix(href, "#"), strings.HasPrefix(href, "//"):
			t.Errorf("there is a link to %q", href)
		}
		if words(a) == "" && attr(a, "aria-hidden") != "true" {
			t.Errorf("the link to %q has no words", href)
		}
	}
	for _, current := range all(doc, "[aria-current]") {
		if attr(current, "aria-current") != "page" {
			t.Errorf("aria-current is %q", attr(current, "aria-current"))
		}
	}
	for _, img := range all(doc, "img") {
		if !has(img, "alt") {
			t.Error("a picture has no alt")
		}
	}
}
