# What there is to do here. On Debian `make run` and `make test` need nothing
# but Go; they install the rest, see scripts/install.

# Without -buildvcs=false a repository that belongs to another user can't be
# built; the version is asked for here instead.
VERSION := $(shell git -c safe.directory='*' describe --tags --always --dirty 2>/dev/null)
BUILD := -buildvcs=false -ldflags "-X main.version=$(VERSION)"
CLIENT := web/client

.PHONY: run start build bench generate check test soak lint types fresh fuzz mutate tools clean

# Everything in one process, with a PostgreSQL of its own; data in ./var.
run: build
	@exec bin/amstel serve

# The same as two processes, as the Procfile has them. Goreman's own server
# would listen on every address.
start: build
	@exec go tool goreman -rpc-server=false start

build:
	@scripts/install run
	go build $(BUILD) -o bin/amstel ./cmd/amstel

# The program that measures: see docs/bench.md. It is no part of the server.
bench:
	@scripts/install run
	go build $(BUILD) -o bin/amstel-bench ./cmd/amstel-bench

# What is generated is committed: templ's Go files, and the page's bundle.
generate:
	go tool templ generate -log-level warn
	go generate ./...

# Three circles of tests, each around the one before: see docs/tests.md. What tests
# need is installed by now: with CI set, a test that misses it fails, and skips none.

# While a change is written: within a minute, once everything has been compiled.
check: tools lint types
	CI=true go test -short ./...

# Before a change lands, and what continuous integration runs: within 15 minutes.
test: tools lint types fresh
	CI=true go test -race -timeout 25m ./...

# By hand, for hours: what is random for long, every fuzz test, and mutants.
soak: tools
	@scripts/soak

# What the linters need compiled is compiled as the tests need it: with RACE, for the
# race detector.
test: RACE := -race

lint:
	@unformatted=$$(find . -name '*.go' -not -name '*_templ.go' -not -path '*/node_modules/*' -exec gofmt -l {} +); \
	if [ -n "$$unformatted" ]; then echo "Not formatted by gofmt:"; echo "$$unformatted"; exit 1; fi
	go vet $(RACE) ./...
	GOFLAGS="$$(go env GOFLAGS) $(RACE)" $$(go tool -n staticcheck) ./...

# The page's script: its types, which esbuild does not look at, and the tests of
# what decides in it.
types: $(CLIENT)/node_modules/.package-lock.json
	cd $(CLIENT) && npm test --silent

$(CLIENT)/node_modules/.package-lock.json: $(CLIENT)/package-lock.json
	cd $(CLIENT) && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

fresh:
	@scripts/fresh

# By hand: every fuzz test for FUZZ, or those that match ONLY, one after the other.
FUZZ := 20s
ONLY := .

fuzz:
	@scripts/fuzz $(FUZZ) '$(ONLY)'

# By hand: breaks the code, SAMPLE of a hundred breaks, and says which no test notices.
SAMPLE := 100

mutate:
	@scripts/mutate -sample $(SAMPLE)

tools:
	@scripts/install test

clean:
	rm -rf bin $(CLIENT)/node_modules $(CLIENT)/build
