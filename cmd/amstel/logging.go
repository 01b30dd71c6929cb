package main

import (
	"log/slog"
	"net/url"
	"strings"

	"amstel.dev/amstel/river"
)

// logging says what a role writes to its log, which is the standard error.
type logging struct {
	Log       slog.Level `default:"info" placeholder:"LEVEL" help:"What is logged: debug, info, warn or error, and above (${default})."`
	LogFormat string     `enum:"text,json" default:"text" placeholder:"FORMAT" help:"How: text, or json for programs (${default})."`
}

func (l logging) logger(to streams) *slog.Logger {
	options := &slog.HandlerOptions{Level: l.Log, ReplaceAttr: discreet}
	if l.LogFormat == "json" {
		options.ReplaceAttr = func(groups []string, a slog.Attr) slog.Attr {
			if a.Value.Kind() == slog.KindDuration { // in seconds, not in the library's nanoseconds
				a.Value = slog.Float64Value(a.Value.Duration().Seconds())
			}
			return discreet(groups, a)
		}
		return slog.New(slog.NewJSONHandler(to.err, options))
	}
	return slog.New(slog.NewTextHandler(to.err, options))
}

// discreet keeps out of the log what nobody should find there, whoever logs it:
// what people look for, and addresses that sign in.
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

// withoutSecrets is an address without what it may hold of that kind: its query,
// and the secret of a link that signs in.
func withoutSecrets(address string) string {
	path, _, asks := strings.Cut(address, "?")
	if before, _, is := strings.Cut(path, "/users/link/"); is {
		return before + "/users/link/…"
	}
	if asks {
		path += "?…"
	}
	return path
}

// keyValue is a river's key, without what it is a search for.
func keyValue(key river.Key) slog.Value {
	return slog.GroupValue(slog.String("kind", string(key.What)), slog.Int64("viewer", int64(key.Viewer)), slog.Int64("of", key.TheirID))
}
