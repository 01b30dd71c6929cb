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

	"amstel.dev/amstel/internal/bundle"
)

const client, output = "../../" + bundle.Client, "../../" + bundle.Output

func main() {
	if err := generate(); err != nil {
		log.Fatal("bundle: ", err)
	}
}

func generate() error {
	if slices.Contains(os.Args[1:], "-watch") {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		return bundle.Watch(ctx, client, output)
	}
	script, err := bundle.Script(client)
	if err != nil {
		return err
	}
	return os.WriteFile(output, script, 0o644)
}
