package page

import (
	"context"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/text"
)

// A Look is how a reader sees every page, by the settings of their account. The zero value is
// that of readers without an account: the browser's theme, with times in UTC until the
// page's script writes them in the browser's zone.
type Look struct {
	Theme   string // light or dark; else that of the browser
	Density string // compact; else comfortable
	Zone    string // the name of the reader's time zone; empty: that of the browser
}

// withLook is the key of the [Look] in the context of a page that is rendered.
type withLook struct{}

// WithLook returns a context in which pages are rendered for a reader with the look. HTML that many
// readers share, such as the entries that sockets push, is rendered without a look.
func WithLook(ctx context.Context, l Look) context.Context {
	return context.WithValue(ctx, withLook{}, l)
}

func lookOf(ctx context.Context) Look {
	l, _ := ctx.Value(withLook{}).(Look)
	return l
}

// withHost is the key of the site's own host in the context of a page that is rendered.
type withHost struct{}

// WithHost returns a context in which links to the host are no links to another site.
func WithHost(ctx context.Context, host string) context.Context {
	return context.WithValue(ctx, withHost{}, host)
}

func hostOf(ctx context.Context) string {
	host, _ := ctx.Value(withHost{}).(string)
	return host
}

// A Face is what every page shows of the site.
type Face struct {
	Name  string
	Rules bool // the site has rules, see [RulesPath]
}

// withFace is the key of the [Face] in the context of a page that is rendered.
type withFace struct{}

// WithFace returns a context in which pages have the face.
func WithFace(ctx context.Context, f Face) context.Context {
	return context.WithValue(ctx, withFace{}, f)
}

// faceOf returns the face of a context; that of a site without settings if the context has none.
func faceOf(ctx context.Context) Face {
	f, _ := ctx.Value(withFace{}).(Face)
	if f.Name == "" {
		f.Name = timeline.DefaultName
	}
	return f
}

// scheme returns the value of the meta element color-scheme.
func (l Look) scheme() string {
	if l.fixed() {
		return l.Theme
	}
	return "light dark"
}

// fixed reports whether the theme does not follow the browser.
func (l Look) fixed() bool { return l.Theme == "light" || l.Theme == "dark" }

// ground returns the colour of the page's ground in a fixed theme.
func (l Look) ground() string {
	if l.Theme == "dark" {
		return groundDark
	}
	return groundLight
}

// inZone returns a time in the reader's zone, or in UTC if the reader has not set one.
func inZone(ctx context.Context, t time.Time) time.Time {
	if zone, ok := text.Zone(lookOf(ctx).Zone); ok {
		return t.In(zone)
	}
	return t.UTC()
}
