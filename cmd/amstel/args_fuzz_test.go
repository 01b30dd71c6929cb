package main

import (
	"context"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// FuzzArgs parses command lines, and runs none. A line is refused with a short sentence, or its settings
// are valid.
func FuzzArgs(f *testing.F) {
	for _, line := range []string{
		"", "serve", "serve --listen=127.0.0.1:0 --data /tmp/x", "web --port=70000", "web --port=x", "web --trust-proxy=10.0.0.0/8,::1/128", "web --trust-proxy=10.0.0.1", "web --trust-proxy=10.0.0.0/33", "web --trust-proxy=,", "serve --grace=0s", "serve --grace=-1h", "serve --grace=9999999h",
		"serve --deepest=0", "serve --writes=9223372036854775808", "serve --log=loud", "serve --log=debug+2 --log-format=xml", "settings", "settings bump freefeed", "settings a b c", "user", "user add anna --email=x --password=y --admin", "user link", "import", "import x --source=", "check --viewer=x",
		"bench --help", "--help", "-h", "--", "-", "serve serve", "serve --data=", "version --x", "serve --url=ftp://x", "cron --database=postgres://x", "serve --listen", "\xff", "serve --grace=\x00",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		var c cli
		exited := false
		parser, err := kong.New(&c, kong.Name("amstel"), kong.Writers(io.Discard, io.Discard), kong.Exit(func(int) { exited = true }),
			kong.BindTo(t.Context(), (*context.Context)(nil)), kong.Bind(streams{}))
		if err != nil {
			t.Fatal(err)
		}
		_, err = parser.Parse(strings.Fields(line))
		if exited {
			return
		}
		if err != nil {
			if err.Error() == "" || len(err.Error()) > 2*len(line)+400 {
				t.Errorf("%q is refused with an empty or long message: %q", line, err)
			}
			return
		}
		for _, s := range []nodeSettings{c.Serve.nodeSettings, c.Web.nodeSettings} {
			if err := s.Validate(); err != nil && (strings.HasPrefix(line, "serve") || strings.HasPrefix(line, "web")) {
				t.Errorf("%q is accepted, though %v", line, err)
			}
			for _, prefix := range s.TrustProxy {
				if !prefix.IsValid() {
					t.Errorf("%q trusts %v", line, prefix)
				}
			}
		}
	})
}

// A where is the address of a listener, as a text.
type where string

func (where) Network() string  { return "tcp" }
func (w where) String() string { return string(w) }

// A listening is a listener that no client can reach.
type listening struct {
	net.Listener
	at where
}

func (l listening) Addr() net.Addr { return l.at }

// FuzzPublicURL: publicURL refuses an address, or returns one with only a scheme and a host.
func FuzzPublicURL(f *testing.F) {
	for _, given := range []string{"", "https://amstel.example", "http://[::1]:80/", "https://amstel.example/path", "https://a?b", "https://a#b", "https://user:pw@a", "ftp://a", "//a", "https://", "HTTPS://A", "https://a:99999", "http://a b", "https://a\x00"} {
		f.Add(given, "127.0.0.1:8080")
	}
	f.Add("", "[::]:80")
	f.Add("", "0.0.0.0:80")
	f.Add("", "[fe80::1%eth0]:80")
	f.Fuzz(func(t *testing.T, given, listens string) {
		if _, _, err := net.SplitHostPort(listens); err != nil && given == "" {
			return // no listener has such an address
		}
		public, err := publicURL(given, listening{at: where(listens)})
		if err != nil || given == "" {
			return
		}
		at, err := url.Parse(public)
		if err != nil || at.Host == "" || at.Path != "" || at.RawQuery != "" || at.User != nil || at.Scheme != "http" && at.Scheme != "https" {
			t.Errorf("the address of %q is %q: %v", given, public, err)
		}
	})
}

// FuzzReadServing: readServing reads any content of the lock file, and returns only what the file has.
func FuzzReadServing(f *testing.F) {
	for _, text := range []string{"", "123\nhttp://127.0.0.1:8080\n", "\n\n", "x", "1\n2\n3", "\x00", strings.Repeat("x", 100_000)} {
		f.Add(text)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(filepath.Join(dir, lockName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if pid, address := readServing(dir); len(pid)+len(address) > len(text) || strings.Contains(pid, "\n") {
			t.Errorf("%q: %q at %q", text, pid, address)
		}
	})
}

// FuzzWithoutSecrets: withoutSecrets removes the query of an address, and the secret of a
// sign-in link.
func FuzzWithoutSecrets(f *testing.F) {
	for _, address := range []string{"/", "/users/link/s3cret", "//users/link/s3cret?x", "/s?q=s3cret", "/alice#s3cret", "?", "/users/link/", "https://amstel.example/users/link/s3cret"} {
		f.Add(address)
	}
	f.Fuzz(func(t *testing.T, address string) {
		logged := withoutSecrets(address)
		if _, query, found := strings.Cut(address, "?"); found && len(query) > 3 && strings.Contains(logged, "?"+query) {
			t.Errorf("%q is logged as %q", address, logged)
		}
		if path, _, _ := strings.Cut(address, "?"); strings.Contains(path, "/users/link/") && !strings.HasSuffix(logged, "/users/link/…") {
			t.Errorf("%q is logged as %q", address, logged)
		}
	})
}
