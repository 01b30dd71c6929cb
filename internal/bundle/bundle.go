// Package bundle builds the scripts of the site from their TypeScript sources: the script of the
// pages, a second script that pages load when they first need it, scripts of single pages, and the service worker. Only `go
// generate` uses the package. The scripts are committed, so building Amstel needs no JavaScript
// tools.
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

// A Bundle is a script of the site.
type Bundle struct {
	Source   string // from Client
	Language string // the code of the language of its sentences, or empty
	Output   string // from the repository's top
}

// Bundles are all scripts. Pages of older builds ask for client.js.
var Bundles = []Bundle{
	{"src/main.ts", "en", "web/static/client.js"},
	{"src/main.ts", "ru", "web/static/client.ru.js"},
	{"src/extra.ts", "", "web/static/extra.js"},
	{"src/api.ts", "", "web/static/api.js"},
	{"src/passkey.ts", "", "web/static/passkey.js"},
	{"worker/worker.ts", "", "web/static/service-worker.js"},
}

// options returns how to build the bundle from the sources in a folder. Names are kept, so that
// an error in a browser can be read.
func (b Bundle) options(client string) (api.BuildOptions, error) {
	folder, err := filepath.Abs(client)
	return api.BuildOptions{
		AbsWorkingDir:    folder,
		EntryPoints:      []string{b.Source},
		Bundle:           true,
		Define:           map[string]string{"LANGUAGE": strconv.Quote(b.Language)},
		Format:           api.FormatESModule,
		Target:           api.ES2022,
		Charset:          api.CharsetUTF8,
		LegalComments:    api.LegalCommentsNone,
		MinifyWhitespace: true,
		MinifySyntax:     true,
	}, err
}

// Build returns the script, built from the sources in a folder.
func (b Bundle) Build(client string) ([]byte, error) {
	how, err := b.options(client)
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

// Watch writes the script, built from the sources in a folder, to a file, and writes it again
// after each change of a source, until the context ends. It prints the errors of sources.
func (b Bundle) Watch(ctx context.Context, client, output string) error {
	how, err := b.options(client)
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
