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

// names renders people and groups as a list, and then how many more there are, in words.
func names(words catalogue.Language, all []named, more string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		n := len(all)
		if more != "" {
			n++
		}
		for i, p := range all {
			b.WriteString(words.Between(i, n))
			writeNamed(&b, p)
		}
		if more != "" {
			b.WriteString(words.Between(len(all), n) + `<span class="more">` + html.EscapeString(more) + `</span>`)
		}
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// link renders a name with its link.
func (p named) link() templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		writeNamed(&b, p)
		_, err := io.WriteString(w, b.String())
		return err
	})
}
