//go:build ignore

// Command generate writes the script of the pages, for `go generate`.
package main

import (
	"log"
	"os"

	"amstel.dev/amstel/internal/bundle"
)

func main() {
	script, err := bundle.Script("../../" + bundle.Client)
	if err == nil {
		err = os.WriteFile("../../"+bundle.Output, script, 0o644)
	}
	if err != nil {
		log.Fatal("bundle: ", err)
	}
}
