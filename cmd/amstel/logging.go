package main

import "log/slog"

// logging says what a role writes to its log, which is the standard error.
type logging struct {
	Log slog.Level `default:"info" placeholder:"LEVEL" help:"What is logged: debug, info, warn or error, and above (${default})."`
}

func (l logging) logger(to streams) *slog.Logger {
	return slog.New(slog.NewTextHandler(to.err, &slog.HandlerOptions{Level: l.Log}))
}
