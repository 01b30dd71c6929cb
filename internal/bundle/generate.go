//go:build ignore

// Command generate writes the scripts of the site, for `go generate`; with -watch,
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
		for _, b := range bundle.Bundles {
			all.Go(func() error { return b.Watch(ctx, top+bundle.Client, top+b.Output) })
		}
		return all.Wait()
	}
	for _, b := range bundle.Bundles {
		script, err := b.Build(top + bundle.Client)
		if err != nil {
			return err
		}
		if err := os.WriteFile(top+b.Output, script, 0o644); err != nil {
			return err
		}
	}
	return nil
}
