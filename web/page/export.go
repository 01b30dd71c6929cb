package page

import (
	"context"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"amstel.dev/amstel/timeline/exporter"
	"amstel.dev/amstel/web/catalogue"
)

// Export renders the pages of a person's export, which open without a connection and have no script; it implements
// [exporter.Pages].
type Export struct {
	Language catalogue.Language // for a person who chose none
	Site     string             // the address of the site, such as https://amstel.example
}

// words returns the language of the pages: the one that the person reads pages in.
func (e Export) words(me *exporter.Profile) catalogue.Language {
	if words, known := catalogue.Find(me.Language); known {
		return words
	}
	return e.Language
}

// Post implements [exporter.Pages].
func (e Export) Post(ctx context.Context, to io.Writer, me *exporter.Profile, p *exporter.Post) error {
	return exportedPost(e, e.words(me), p).Render(ctx, to)
}

// Month implements [exporter.Pages].
func (e Export) Month(ctx context.Context, to io.Writer, me *exporter.Profile, m exporter.Month, posts io.Reader) error {
	rendered := templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.Copy(w, posts)
		return err
	})
	return exportedMonth(e.words(me), me, m, rendered).Render(ctx, to)
}

// Index implements [exporter.Pages].
func (e Export) Index(ctx context.Context, to io.Writer, me *exporter.Profile, months []exporter.Month) error {
	return exportedIndex(e, e.words(me), me, exportedYears(months)).Render(ctx, to)
}

// An exportedYear is a year with its months that have posts.
type exportedYear struct {
	Year   int
	Months []exporter.Month
}

// exportedYears returns the years of months, the newest first.
func exportedYears(months []exporter.Month) (years []exportedYear) {
	for i := len(months) - 1; i >= 0; i-- {
		year := months[i].First.Year()
		if n := len(years); n == 0 || years[n-1].Year != year {
			years = append(years, exportedYear{Year: year})
		}
		last := &years[len(years)-1]
		last.Months = append([]exporter.Month{months[i]}, last.Months...)
	}
	return years
}

// exportedPlaces returns the places of a post in words; empty for a post that is only in its author's feed.
func exportedPlaces(words catalogue.Language, p *exporter.Post) string {
	if len(p.To) == 1 && p.To[0] == p.Author {
		return ""
	}
	var places []string
	for _, to := range p.To {
		kind, name, prefixed := strings.Cut(to, ":")
		switch {
		case !prefixed:
			places = append(places, to)
		case kind == "private":
			places = append(places, words.ExportPrivate(name))
		case kind == "fyeo":
			places = append(places, words.ExportFyeo())
		default:
			places = append(places, words.ExportDirect(name))
		}
	}
	return strings.Join(places, ", ")
}

// exportedTime returns a time in words, in UTC.
func exportedTime(words catalogue.Language, t time.Time) string { return words.Moment(t.UTC()) }

// exportedText renders a text as the site does, with absolute addresses.
func exportedText(e Export, text string, linebreaks bool) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		_, host, _ := strings.Cut(e.Site, "://")
		text, err := outsideHTML(ctx, markedText(text, linebreaks, nil), e.Site, host)
		if err != nil {
			return err
		}
		_, err = io.WriteString(w, text)
		return err
	})
}

// exportsAPI is the address of the exports in the API.
const exportsAPI = "/api/v1/exports"

// ExportPath returns the address of the file of a person's export.
func ExportPath(id int64, name string, at time.Time) string {
	return DataPath + "/" + strconv.FormatInt(id, 10) + "/" + name + "-" + at.UTC().Format(time.DateOnly) + ".zip"
}

// An OwnExport holds the viewer's exports for the page of the settings.
type OwnExport struct {
	All     []OneExport
	Waiting bool // one of them is being made
}

// A OneExport is an export as its owner sees it.
type OneExport struct {
	ID          int64
	State       string // "queued", "ready" or "failed"
	Done, Posts int
	Size        int64
	URL         string // of the file, once it is ready
	CreatedAt   time.Time
}

func (e OneExport) api() string { return exportsAPI + "/" + strconv.FormatInt(e.ID, 10) + ".json" }

// far returns the words for how far the export has come.
func (e OneExport) far(words catalogue.Language) string {
	if e.Posts == 0 {
		return words.ExportSoon()
	}
	return words.ExportProgress(words.Number(e.Done), words.Number(e.Posts))
}

// exportedStyle is the style of the pages, which have no other file for it.
const exportedStyle = `:root{color-scheme:light dark;--ink:#1d2327;--soft:#5c6970;--line:#dfe4e7;--paper:#fff;--ground:#f4f6f7;--link:#0b6177}
@media(prefers-color-scheme:dark){:root{--ink:#e3e8ea;--soft:#9aa7ad;--line:#333c41;--paper:#1b2124;--ground:#121618;--link:#6fc3d8}}
*{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--ink);font:17px/1.5 system-ui,sans-serif}
main{max-width:44rem;margin:0 auto;padding:1.5rem 1rem 4rem}a{color:var(--link)}h1{font-size:1.6rem;line-height:1.2;margin:.5rem 0}h2{font-size:1.1rem;margin:2rem 0 .5rem}
.cover{width:100%;max-height:14rem;object-fit:cover;border-radius:.75rem}.who{display:flex;gap:1rem;align-items:center}.who img{width:5rem;height:5rem;border-radius:50%}
.soft,time{color:var(--soft);font-size:.85rem}article,section.box{background:var(--paper);border:1px solid var(--line);border-radius:.75rem;padding:1rem;margin:1rem 0;overflow-wrap:anywhere}
article header{display:flex;flex-wrap:wrap;gap:0 .6rem;align-items:baseline}article.mine{border-inline-start:4px solid var(--link)}
.text{margin:.4rem 0}.text p,.text ul,.text blockquote,.text pre{margin:.4rem 0}.text pre{overflow-x:auto}.files{display:flex;flex-wrap:wrap;gap:.5rem;margin:.5rem 0}.files img,.files video{max-width:100%;max-height:24rem;border-radius:.5rem}
ul.comments{list-style:none;margin:.75rem 0 0;padding:.25rem 0 0;border-top:1px solid var(--line)}ul.comments li{margin:.5rem 0}ul.comments li.mine{border-inline-start:3px solid var(--link);padding-inline-start:.6rem}
ul.months{display:grid;grid-template-columns:repeat(auto-fill,minmax(12rem,1fr));gap:.25rem 1rem;list-style:none;padding:0}ul.names{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;padding:0}
@media print{body{background:none}article{break-inside:avoid}}`
