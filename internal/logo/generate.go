//go:build ignore

// Command generate writes the icons of the site, for `go generate`.
package main

import (
	"log"
	"os"

	"amstel.dev/amstel/internal/logo"
)

const top = "../../"

func main() {
	files, err := logo.Files()
	if err != nil {
		log.Fatal("logo: ", err)
	}
	for name, file := range files {
		if err := os.WriteFile(top+logo.Folder+"/"+name, file, 0o644); err != nil {
			log.Fatal("logo: ", err)
		}
	}
}
