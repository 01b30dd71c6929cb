// Command lint runs all linters of Go code in one program, so that the packages are loaded once:
// the checks of go vet, the checks of staticcheck in staticcheck.conf, and errorlint. The
// findings are kept in staticcheck's cache, so a package is read again only if it or one of its
// imports changed.
//
//	go tool lint ./...
//
// The flags are staticcheck's. A line //lint:ignore CHECK REASON switches a check off for the
// next statement.
package main

import (
	"os"

	"github.com/polyfloyd/go-errorlint/errorlint"
	"golang.org/x/tools/go/analysis/suite/vet"
	"honnef.co/go/tools/lintcmd"
	"honnef.co/go/tools/lintcmd/version"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
	"honnef.co/go/tools/stylecheck"
	"honnef.co/go/tools/unused"
)

func main() {
	cmd := lintcmd.NewCommand("lint")
	cmd.SetVersion(version.Version, version.MachineVersion)
	cmd.ParseFlags(os.Args[1:])
	cmd.AddAnalyzers(simple.Analyzers...)
	cmd.AddAnalyzers(staticcheck.Analyzers...)
	cmd.AddAnalyzers(stylecheck.Analyzers...)
	cmd.AddAnalyzers(unused.Analyzer)
	cmd.AddBareAnalyzers(vet.Suite...)
	cmd.AddBareAnalyzers(errorlint.NewAnalyzer())
	cmd.Run()
}
