# What there is to do here. On Debian `make run` and `make test` need nothing
# but Go; they install the rest, see scripts/install.

# Without -buildvcs=false a repository that belongs to another user can't be
# built; the version is asked for here instead.
VERSION := $(shell git -c safe.directory='*' describe --tags --always --dirty 2>/dev/null)
BUILD := -buildvcs=false -ldflags "-X main.version=$(VERSION)"
CLIENT := web/client

.PHONY: run start build generate test check types fresh fuzz mutate tools clean

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

# What is generated is committed: templ's Go files, and the page's bundle.
generate:
	go tool templ generate -log-level warn
	go generate ./...

# All there is to check, in the order in which it fails soonest. What tests need
# is installed by now: with CI set, a test that misses it fails, and skips none.
test: tools check types fresh
	CI=true go test -race -timeout 25m ./...

check:
	@unformatted=$$(find . -name '*.go' -not -name '*_templ.go' -not -path '*/node_modules/*' -exec gofmt -l {} +); \
	if [ -n "$$unformatted" ]; then echo "Not formatted by gofmt:"; echo "$$unformatted"; exit 1; fi
	go vet ./...
	go tool staticcheck ./...

# The page's script: its types, which esbuild does not look at, and the tests of
# what decides in it.
types:
	cd $(CLIENT) && npm ci --no-audit --no-fund --loglevel=error && npm test --silent

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
