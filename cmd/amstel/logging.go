package main

import (
	"log/slog"
	"net/url"
	"strings"

	"amstel.dev/amstel/river"
)

// logging holds the flags for the log of a role, which goes to the standard error.
type logging struct {
	Log       slog.Level `default:"info" placeholder:"LEVEL" help:"Lowest level that is logged: debug, info, warn or error (${default})."`
	LogFormat string     `enum:"text,json" default:"text" placeholder:"FORMAT" help:"Format of the log: text, or json for programs (${default})."`
}

func (l logging) logger(to streams) *slog.Logger {
	options := &slog.HandlerOptions{Level: l.Log, ReplaceAttr: discreet}
	if l.LogFormat == "json" {
		options.ReplaceAttr = func(groups []string, a slog.Attr) slog.Attr {
			if a.Value.Kind() == slog.KindDuration { // in seconds; the library would write nanoseconds
				a.Value = slog.Float64Value(a.Value.Duration().Seconds())
			}
			return discreet(groups, a)
		}
		return slog.New(slog.NewJSONHandler(to.err, options))
	}
	return slog.New(slog.NewTextHandler(to.err, options))
}

// discreet removes secrets from the attributes of the log: the words that people search for, and the
// secrets of sign-in links. The log of every package passes through discreet.
func discreet(_ []string, a slog.Attr) slog.Attr {
	switch a.Value.Kind() {
	case slog.KindString:
		switch a.Key {
		case "url", "page", "path":
			a.Value = slog.StringValue(withoutSecrets(a.Value.String()))
		}
	case slog.KindAny:
		switch v := a.Value.Any().(type) {
		case *url.URL:
			if v != nil {
				a.Value = slog.StringValue(withoutSecrets(v.RequestURI()))
			}
		case river.Key:
			a.Value = keyValue(v)
		}
	}
	return a
}

// withoutSecrets returns an address without its query, which may contain the words of a search,
// and without the secret of a sign-in link.
func withoutSecrets(address string) string {
	path, _, hasQuery := strings.Cut(address, "?")
	if before, _, found := strings.Cut(path, "/users/link/"); found {
		return before + "/users/link/…"
	}
	if hasQuery {
		path += "?…"
	}
	return path
}

// keyValue returns a river's key for the log, without the words of a search.
func keyValue(key river.Key) slog.Value {
	return slog.GroupValue(slog.String("kind", string(key.What)), slog.Int64("viewer", int64(key.Viewer)), slog.Int64("of", key.TheirID))
}
