//go:build ignore

// Command generate writes the code of the catalogues, for `go generate`.
package main

import (
	"log"
	"os"

	"amstel.dev/amstel/internal/catalogue"
)

func main() {
	if err := generate(); err != nil {
		log.Fatal("catalogue: ", err)
	}
}

func generate() error {
	all, err := catalogue.Read(".")
	if err != nil {
		return err
	}
	methods, err := catalogue.Go(all)
	if err != nil {
		return err
	}
	if err := os.WriteFile("messages_gen.go", methods, 0o644); err != nil {
		return err
	}
	for i, l := range catalogue.Languages {
		if err := os.WriteFile("../client/src/words/"+l.Code+".ts", catalogue.TypeScript(all, i), 0o644); err != nil {
			return err
		}
	}
	return nil
}
