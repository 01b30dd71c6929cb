# The commands of the repository. On Debian `make run` and `make test` need only
# Go; they install the rest, see scripts/install.

# Without -buildvcs=false a repository that belongs to another user can't be
# built; the version is asked for here instead.
VERSION := $(shell git -c safe.directory='*' describe --tags --always --dirty 2>/dev/null)
BUILD := -buildvcs=false -ldflags "-X main.version=$(VERSION)"
CLIENT := web/client

.PHONY: help run demo dev start build bench package generate fmt check test soak lint types fresh fuzz mutate prose screenshots tools clean lint-changed form

# `make help` prints the text behind ## after each target.
help: ## lists all targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Everything in one process, with a PostgreSQL of its own; data in ./var.
run: build ## builds, and starts everything in one process, with data in ./var
	@exec bin/amstel serve

# Invented people who write by themselves, so that one sees the site live. Data in ./var/demo,
# apart from that of make run; bin/amstel demo --fresh starts afresh.
demo: build ## starts a site of people who write by themselves, with data in ./var/demo
	@exec bin/amstel demo

# What make run starts, for people who change the code: each saved file is built, and pages in the
# browser reload, at http://127.0.0.1:7331. Esbuild builds the script, templ the
# templates, and Go the program. Data in ./var.
dev: build ## as make run, rebuilt and reloaded with each change, at http://127.0.0.1:7331
	@exec go tool goreman -f Procfile.dev -rpc-server=false -set-ports=false start

# What make run starts, in two processes, as the Procfile has them. Goreman's own server
# would listen on every address.
start: build ## as make run, but in two processes, web and cron, as the Procfile has them
	@exec go tool goreman -rpc-server=false start

build: ## builds bin/amstel, and on Debian installs everything needed for it
	@scripts/install run
	go build $(BUILD) -o bin/amstel ./cmd/amstel

# The program that measures: see docs/bench.md. It is not part of the server.
bench: ## builds bin/amstel-bench, which measures
	@scripts/install run
	go build $(BUILD) -o bin/amstel-bench ./cmd/amstel-bench

# The package is built of a program without what debuggers need: see docs/running.md.
package: ## builds bin/amstel.deb, the package for Debian
	@scripts/install run
	go build -buildvcs=false -trimpath -ldflags "-s -w -X main.version=$(VERSION)" -o bin/package/amstel ./cmd/amstel
	scripts/package bin/package/amstel bin/amstel.deb

# Generated files are committed: templ's Go files, and the page's bundle.
generate: ## generates the templates' Go files and the page's script
	go tool templ generate -log-level warn
	go generate ./web/catalogue
	go generate ./...

# `make lint` fails on a Go file or a template that is not formatted, `make types` on a
# TypeScript, JavaScript or CSS file that is not formatted.
fmt: $(CLIENT)/node_modules/.package-lock.json ## formats Go, templates, TypeScript, JavaScript and CSS
	@find . -name '*.go' -not -name '*_templ.go' -not -path '*/node_modules/*' -exec gofmt -l -w {} +
	go tool templ fmt -log-level warn web
	cd $(CLIENT) && npm run --silent format

# Three circles of tests, each around the one before: see docs/tests.md. What tests
# need is installed by now: with CI set, a test that misses it fails, and skips none.
# Lint has run the checks of vet, so go test need not run a part of them again.

# Tests wait for servers, browsers and each other more than they compute, so one package
# more than there are processors is tested at a time. The packages that take longest come
# first, so that none of them is left over at the end. A program with the race detector
# pauses for a second at its end, for reports of other threads; a test has waited for
# its goroutines by then, so a moment is enough. Without what debuggers need the linker takes half.
LONGEST := internal/faulttest web internal/browsertest river cmd/amstel cmd/amstel-bench/internal/measure timeline cmd/amstel-bench
# With -O1, and without what debuggers need, the C compiler takes a third of the time for SQLite.
check test lint: export CGO_CFLAGS := -O1
GO_TEST = CI=true GORACE=atexit_sleep_ms=10 go test -vet=off -ldflags='-s -w' -p $$(($$(getconf _NPROCESSORS_ONLN) + 1))
PACKAGES := $(LONGEST:%=./%) ./...

# All tests of these packages are long, so the short circle does not link them. The tests of
# ALONE start programs or browsers and share no memory with them.
ALONE := internal/browsertest cmd/amstel-bench cmd/amstel-bench/internal/measure
LONG := $(ALONE) internal/faulttest

# Without inlining the compiler takes a third less. Tests that count allocations need inlining, so they are
# long. The linters compile what they need as the tests after them need it.
FAST := -gcflags=-l

# Packages whose code or tests start goroutines: by a go statement, a group, a timer, or a server of a
# test. Only these run with the race detector. Parallel tests of another package share no memory but that
# of the package's code, which packages with goroutines call with the detector.
RACED = $(shell grep -rlE --include='*.go' --exclude-dir=node_modules --exclude-dir=testdata \
	'^\s*go [a-z]|\.Go\b|AfterFunc|httptest\.New.*Server|synctest\.|racetest\.' . | xargs -n1 dirname | sort -u)

# While a change is written. The script is checked if a file of it changed since it was right.
check: FLAGS := $(FAST)
check: tools lint-changed $(CLIENT)/build/right ## linters, types and the short tests
	$(GO_TEST) $(FLAGS) -short $$(go list $(PACKAGES) | grep -vxF $(LONG:%=-e amstel.dev/amstel/%))

# Before a change lands, and what continuous integration runs. The race detector doubles the cost
# of a test, so each long test runs once: with the detector if goroutines share memory in it, and
# else without. See internal/racetest. Each test of internal/faulttest runs with the detector.
test: tools lint types fresh ## all tests, the short and the concurrent ones with the race detector
	RACED_APART=1 $(GO_TEST) -timeout 55m $$(go list $(PACKAGES) | grep -vxF amstel.dev/amstel/internal/faulttest)
	$(GO_TEST) $(FAST) -race -short -timeout 55m $$(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' $(PACKAGES) | grep -vxF $(ALONE:%=-e amstel.dev/amstel/%) | grep -xF $(RACED:./%=-e amstel.dev/amstel/%))

# By hand, for hours: what is random for long, every fuzz test, and mutants.
soak: tools ## random runs, fuzz tests and mutants: for hours
	@scripts/soak

lint: form ## gofmt, templ fmt, the checks of vet, staticcheck and errorlint, and misspell
	@$(LINT) ./... && mkdir -p bin && touch bin/linted

# A finding of a linter follows from the files of its package, and from a few facts of the
# packages that these import. So the short circle looks at the packages with a file that
# changed since all were right, and the next circle looks at all.
LINT = lint=$$(go tool -n lint) && GOFLAGS="$$(go env GOFLAGS) $(FLAGS)" $$lint
lint-changed: form
	@mkdir -p bin && touch bin/linting && packages=./...; \
	if [ -e bin/linted ] && [ -z "$$(find go.mod staticcheck.conf internal/lint -newer bin/linted)" ]; then \
		packages=$$(find . -name '*.go' -newer bin/linted -not -path '*/node_modules/*' -exec dirname {} + | sort -u); fi; \
	if [ -n "$$packages" ]; then $(LINT) $$packages; fi && mv bin/linting bin/linted

form:
	@unformatted=$$(find . -name '*.go' -not -name '*_templ.go' -not -path '*/node_modules/*' -exec gofmt -l {} +); \
	if [ -n "$$unformatted" ]; then echo "Not formatted by gofmt:"; echo "$$unformatted"; exit 1; fi
	@templ=$$(go tool -n templ); unformatted=$$(find . -name '*.templ' -not -path '*/node_modules/*' | while read -r file; do \
		$$templ fmt -stdout -log-level warn "$$file" | cmp -s - "$$file" || echo "$$file"; done); \
	if [ -n "$$unformatted" ]; then echo "Not formatted by templ fmt (make fmt does it):"; echo "$$unformatted"; exit 1; fi
	@find . -type f \( -name '*.go' -o -name '*.ts' -o -name '*.js' -o -name '*.css' -o -name '*.md' -o -name '*.templ' \
		-o -name '*.toml' -o -name '*.sql' -o -name '*.yml' -o -path './scripts/*' -o -name Makefile \) \
		-not -name '*_templ.go' -not -path '*/node_modules/*' -not -path './$(CLIENT)/build/*' -not -path './$(CLIENT)/dist/*' -not -path './.git/*' -print0 | \
	xargs -0 $$(go tool -n misspell) -error

# The page's script: its types, which esbuild does not look at, and the tests of
# what decides in it. Prettier checks the form of the script and of the stylesheet.
types: $(CLIENT)/node_modules/.package-lock.json ## form, types and tests of the page's script
	cd $(CLIENT) && npm run --silent formatted
	cd $(CLIENT) && npm test --silent
	@touch $(CLIENT)/build/right

$(CLIENT)/build/right: $(shell find $(addprefix $(CLIENT)/,src lib worker test example package-lock.json tsconfig.json) web/static/amstel.css web/page/testdata/audience.json)
	@$(MAKE) --no-print-directory types

$(CLIENT)/node_modules/.package-lock.json: $(CLIENT)/package-lock.json
	cd $(CLIENT) && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

fresh: ## fails if a generated file is not up to date
	@scripts/fresh

# By hand: every fuzz test for FUZZ, or those that match ONLY, one after the other.
FUZZ := 20s
ONLY := .

fuzz: ## every fuzz test for FUZZ (20s), or those that match ONLY
	@scripts/fuzz $(FUZZ) '$(ONLY)'

# By hand: pictures of the pages of the sample community, three widths, two themes and
# two languages of each. Names of pages, separated by commas, as PAGES=home,post limit them.
PAGES :=

screenshots: tools build ## takes pictures of all pages, or of PAGES, into bin/screenshots
	go run ./internal/screenshots -only '$(PAGES)'

# By hand: the files that most need a second reading come last.
prose: ## counts the vague words in the comments of each Go file
	@go run ./internal/prose -files

# By hand: breaks the code, SAMPLE of a hundred breaks, and says which no test notices.
SAMPLE := 100

mutate: ## breaks the code, SAMPLE of a hundred breaks, and reports which no test notices
	@scripts/mutate -sample $(SAMPLE)

tools: ## installs what tests need
	@scripts/install test

clean: ## removes what was built
	rm -rf bin $(CLIENT)/node_modules $(CLIENT)/build $(CLIENT)/dist
