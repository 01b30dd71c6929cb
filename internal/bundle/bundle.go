// Package bundle makes the script of the pages of its sources. It is for `go
// generate` alone: what it makes is committed, so that building Amstel needs no
// JavaScript tools, and nothing that runs imports it.
//
// It does not look at types; `tsc` does that in a check of its own.
package bundle

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

//go:generate go run generate.go

// Where things are, from the repository's top.
const (
	Client = "web/client"           // the sources
	Output = "web/static/client.js" // what pages load
)

// Script makes one module of the client in that folder. Names are kept, so that
// what breaks in somebody's browser can be read.
func Script(client string) ([]byte, error) {
	folder, err := filepath.Abs(client)
	if err != nil {
		return nil, err
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir:    folder,
		EntryPoints:      []string{"src/main.ts"},
		Bundle:           true,
		Format:           api.FormatESModule,
		Target:           api.ES2022,
		Charset:          api.CharsetUTF8,
		LegalComments:    api.LegalCommentsNone,
		MinifyWhitespace: true,
		MinifySyntax:     true,
	})
	if len(result.Errors) > 0 {
		return nil, errors.New(strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}), ""))
	}
	if n := len(result.OutputFiles); n != 1 {
		return nil, fmt.Errorf("%d files instead of one", n)
	}
	return result.OutputFiles[0].Contents, nil
}
