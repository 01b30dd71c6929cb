// Package bundle makes the script of the pages of its sources. It is for `go
// generate` alone: what it makes is committed, so that building Amstel needs no
// JavaScript tools, and nothing that runs imports it.
//
// It does not look at types; `tsc` does that in a check of its own.
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

// options are how the client in that folder is bundled for pages in the language of that
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

// Script returns one module, made of the client in that folder, in a language.
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

// Watch writes the script of the client in that folder to a file, and again with each
// change of a source, until the context ends. What is wrong with a source is printed.
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
