package page

import (
	"context"
	"html"
	"io"
	"strings"

	"github.com/a-h/templ"

	"amstel.dev/amstel/web/catalogue"
)

// filled renders a sentence with elements in its gaps.
func filled(sentence catalogue.Filled, elements ...templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) (err error) {
		sentence.Each(func(text string) {
			if err == nil {
				_, err = io.WriteString(w, html.EscapeString(text))
			}
		}, func(i int) {
			if err == nil && i < len(elements) {
				err = elements[i].Render(ctx, w)
			}
		})
		return err
	})
}

// linked renders a sentence with its links, which lead to pages of this site.
func linked(sentence catalogue.Linked, paths ...string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		sentence.Each(func(text string) { b.WriteString(html.EscapeString(text)) }, func(i int, text string) {
			b.WriteString(`<a href="` + html.EscapeString(ownPath(paths[i])) + `">` + html.EscapeString(text) + `</a>`)
		})
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// others is how many more people there are than a list names, in words; empty: none. Button says
// that the words are the button of a form around the list.
type others struct {
	Text   string
	Button bool
}

// names renders people and groups as a list, and then how many more there are.
func names(words catalogue.Language, all []named, more others) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		n := len(all)
		if more.Text != "" {
			n++
		}
		for i, p := range all {
			b.WriteString(words.Between(i, n))
			writeNamed(&b, p)
		}
		text := html.EscapeString(more.Text)
		switch {
		case more.Button:
			b.WriteString(words.Between(len(all), n) + `<button class="link">` + text + `</button>`)
		case more.Text != "":
			b.WriteString(words.Between(len(all), n) + `<span class="more">` + text + `</span>`)
		}
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// storeScript returns a script element with data, which browsers do not run. The data is JSON that
// [EscapeScript] has escaped, so the data can't end the element.
func storeScript(store string) string {
	return `<script type="application/json" data-js-react-on-rails-store="mokumStore">` + store + `</script>`
}

var scriptEscapes = strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`)

// EscapeScript returns JSON without the characters that have a meaning in HTML.
func EscapeScript(json string) string { return scriptEscapes.Replace(json) }

// link renders a name with its link.
func (p named) link() templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		writeNamed(&b, p)
		_, err := io.WriteString(w, b.String())
		return err
	})
}
