//go:build ignore

// Command generate writes the script of the pages, for `go generate`; with -watch,
// again with each change of a source, for `make dev`.
package main

import (
	"context"
	"log"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"golang.org/x/sync/errgroup"

	"amstel.dev/amstel/internal/bundle"
)

const top = "../../"

func main() {
	if err := generate(); err != nil {
		log.Fatal("bundle: ", err)
	}
}

func generate() error {
	if slices.Contains(os.Args[1:], "-watch") {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		all, ctx := errgroup.WithContext(ctx)
		for language, output := range bundle.Outputs {
			all.Go(func() error { return bundle.Watch(ctx, top+bundle.Client, language, top+output) })
		}
		return all.Wait()
	}
	for language, output := range bundle.Outputs {
		script, err := bundle.Script(top+bundle.Client, language)
		if err != nil {
			return err
		}
		if err := os.WriteFile(top+output, script, 0o644); err != nil {
			return err
		}
	}
	return nil
}
