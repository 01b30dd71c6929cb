package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/internal/acmetest"
	"amstel.dev/amstel/realtime/client"
)

// TestServeTLS: a site with --tls gets a certificate, redirects HTTP, and keeps a page up to date over TLS.
// A restart goes on with the same certificate.
func TestServeTLS(t *testing.T) {
	long(t)
	t.Parallel()
	_, db := fresh(t)
	data := t.TempDir()
	authority := acmetest.New(t, "tls-alpn-01", 90*24*time.Hour)
	must(t, "user", "add", "anna", "--email=anna@example.org", db)
	token := strings.TrimSpace(must(t, "user", "token", "anna", db))
	for i := range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		out, in := io.Pipe()
		var stderr written
		code := make(chan int, 1)
		go func() {
			code <- run(ctx, []string{
				"serve", "--tls=river.example", "--listen=127.0.0.1:0", "--tls-redirect=127.0.0.1:0", "--tls-directory", authority.Directory, "--data", data, db,
			}, streams{out: in, err: &stderr})
			in.Close()
		}()
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "https://river.example\n" {
			cancel()
			t.Fatalf("amstel serve prints %q: exit %d: %s", line, <-code, stderr.String())
		}
		at := regexp.MustCompile(`msg="serving HTTPS" at=(\S+) redirecting=(\S+)`).FindStringSubmatch(stderr.String())
		if at == nil {
			cancel()
			t.Fatalf("the log does not say where the site listens: exit %d: %s", <-code, stderr.String())
		}
		authority.Serve(at[2], at[1])
		site, err := client.New("https://river.example", token)
		if err != nil {
			t.Fatal(err)
		}
		site = site.WithHTTP(authority.Client())
		follow(t, site, i+1)
		response, err := authority.Client().Get("http://river.example/anna")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if to := response.Header.Get("Location"); response.StatusCode != http.StatusMovedPermanently || to != "https://river.example/anna" {
			t.Errorf("HTTP is answered %s, to %q", response.Status, to)
		}
		response, err = authority.Client().Get("https://river.example/")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if number := response.TLS.PeerCertificates[0].SerialNumber.Int64(); number != 101 {
			t.Errorf("at start %d the site has certificate %d, want the first, 101", i+1, number)
		}
		cancel()
		if code := <-code; code != 0 {
			t.Errorf("stopping: exit %d: %s", code, stderr.String())
		}
	}
	if out, _, _ := command(t.Context(), "doctor", "--tls=river.example", "--data", data, db); !strings.Contains(out, "ok       certificates: the certificate of river.example, got by amstel serve, ends on ") {
		t.Errorf("the doctor says:\n%s", out)
	}
}

// follow posts while a page is open, and waits until the page shows the n-th post.
func follow(t *testing.T, site *client.Client, n int) {
	t.Helper()
	errSeen := errors.New("seen")
	posted := false
	err := site.Follow(t.Context(), "/", func(r *client.River, _ client.Change) error {
		if len(r.Entries()) == n {
			return errSeen
		}
		if posted {
			return nil
		}
		posted = true
		_, err := site.Post(t.Context(), "By TLS", "", "user")
		return err
	})
	if !errors.Is(err, errSeen) {
		t.Errorf("the open page: %v", err)
	}
}

func TestTLSSettings(t *testing.T) {
	t.Parallel()
	_, db := fresh(t)
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"an address":      {[]string{"--tls=https://amstel.example"}, "is not like amstel.example"},
		"a number":        {[]string{"--tls=192.0.2.1"}, "is not like amstel.example"},
		"a machine":       {[]string{"--tls=localhost"}, "is not like amstel.example"},
		"an open address": {[]string{"--tls=amstel.example", "--url=http://amstel.example"}, "is not an https address"},
		"no redirect":     {[]string{"--tls=amstel.example", "--tls-redirect=80"}, "--tls-redirect"},
	} {
		_, err, code := command(t.Context(), append([]string{"serve", "--listen=127.0.0.1:0", "--data", t.TempDir(), db}, tt.args...)...)
		if code != exitUsage || !strings.Contains(err, tt.want) {
			t.Errorf("%s: exit %d: %s", name, code, err)
		}
	}
	for _, flag := range []string{"--tls=localhost", "--mail-from=site@amstel.example"} {
		if _, err, code := command(t.Context(), "doctor", "--data", t.TempDir(), flag); code != exitUsage || !strings.Contains(err, strings.Split(flag, "=")[0]) {
			t.Errorf("the doctor with %s: exit %d: %s", flag, code, err)
		}
	}
}

// withCertificate returns a function that has a doctor look for a certificate of amstel.example, and writes the
// certificate of a host, for 90 days, as amstel serve does, but with a mode. An empty host has none.
func withCertificate(t *testing.T, host string, mode os.FileMode, then ...func(*doctor)) func(*doctor) {
	return func(d *doctor) {
		t.Helper()
		d.TLS = []string{"amstel.example"}
		for _, f := range then {
			f(d)
		}
		if host == "" {
			return
		}
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		leaf := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{host}, NotBefore: time.Now(), NotAfter: time.Now().AddDate(0, 0, 90)}
		der, err := x509.CreateCertificate(rand.Reader, leaf, leaf, key.Public(), key)
		if err != nil {
			t.Fatal(err)
		}
		folder := certificates(d.Data)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, host), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), mode); err != nil {
			t.Fatal(err)
		}
	}
}
