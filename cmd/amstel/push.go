package main

import (
	"cmp"
	"strings"

	"amstel.dev/amstel/internal/push"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
	"amstel.dev/amstel/web/catalogue"
)

// pushSettings holds the flags for pushes.
type pushSettings struct {
	Push bool `env:"AMSTEL_PUSH" default:"true" negatable:"" help:"Let notifications pop up on the devices of people who want that: the node connects to the push services of the makers of their browsers (on; --no-push switches it off)."`
}

// pushWords returns the notice of a push in words.
func pushWords(words catalogue.Language, p *timeline.NoticePage) push.Message {
	line := web.NoticeLines(words, p)[0]
	return push.Message{Title: strings.TrimSuffix(line.Did, ":"), Body: cmp.Or(line.Comment, line.About), Path: line.Path}
}
