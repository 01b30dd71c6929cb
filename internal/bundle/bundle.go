// Package bundle builds the script of the pages from its TypeScript sources. Only `go
// generate` uses it. The script is committed, so building Amstel needs no JavaScript tools.
//
// The package does not check types. The command `tsc` does, in `make types`.
package bundle

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

//go:generate go run generate.go

// Client is where the sources are, from the repository's top.
const Client = "web/client"

// Outputs are what pages load, from the repository's top, by the code of their
// language. Pages of older builds ask for client.js.
var Outputs = map[string]string{
	"en": "web/static/client.js",
	"ru": "web/static/client.ru.js",
}

// options returns how to bundle the client in a folder for pages in one language, given by its
// code. Names are kept, so that an error in a browser can be read.
func options(client, language string) (api.BuildOptions, error) {
	folder, err := filepath.Abs(client)
	return api.BuildOptions{
		AbsWorkingDir:    folder,
		EntryPoints:      []string{"src/main.ts"},
		Bundle:           true,
		Define:           map[string]string{"LANGUAGE": strconv.Quote(language)},
		Format:           api.FormatESModule,
		Target:           api.ES2022,
		Charset:          api.CharsetUTF8,
		LegalComments:    api.LegalCommentsNone,
		MinifyWhitespace: true,
		MinifySyntax:     true,
	}, err
}

// Script returns the client in a folder as one module in one language.
func Script(client, language string) ([]byte, error) {
	how, err := options(client, language)
	if err != nil {
		return nil, err
	}
	result := api.Build(how)
	if len(result.Errors) > 0 {
		return nil, errors.New(strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}), ""))
	}
	if n := len(result.OutputFiles); n != 1 {
		return nil, fmt.Errorf("%d files instead of one", n)
	}
	return result.OutputFiles[0].Contents, nil
}

// Watch writes the script of the client in a folder to a file, and writes it again after each
// change of a source, until the context ends. It prints the errors of sources.
func Watch(ctx context.Context, client, language, output string) error {
	how, err := options(client, language)
	if err != nil {
		return err
	}
	if how.Outfile, err = filepath.Abs(output); err != nil {
		return err
	}
	how.Write, how.LogLevel = true, api.LogLevelInfo
	watching, failed := api.Context(how)
	if failed != nil {
		return failed
	}
	defer watching.Dispose()
	if err := watching.Watch(api.WatchOptions{}); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}
