package certificate

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"amstel.dev/amstel/internal/acmetest"
)

const (
	host    = "river.example"
	quarter = 90 * 24 * time.Hour
)

// serving serves a site with certificates of the authority, kept in a folder, until the test or stop ends it.
func serving(t *testing.T, a *acmetest.Authority, folder string) (k *Keeper, stop func()) {
	t.Helper()
	listen := func() net.Listener {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	plain, secure := listen(), listen()
	a.Serve(plain.Addr().String(), secure.Addr().String())
	k = New(Config{Hosts: []string{host}, Folder: folder, Directory: a.Directory, Site: "https://" + host, Log: slog.New(slog.DiscardHandler)})
	site := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Proto) })}
	site.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)
	ctx, cancel := context.WithCancel(t.Context())
	var parts sync.WaitGroup
	parts.Go(func() { _ = site.Serve(k.Listen(secure)) })
	parts.Go(func() {
		if err := k.ServePlain(ctx, plain); err != nil {
			t.Error(err)
		}
	})
	stop = sync.OnceFunc(func() {
		cancel()
		site.Close()
		parts.Wait()
	})
	t.Cleanup(stop)
	return k, stop
}

// get returns the answer to a request, without its body.
func get(t *testing.T, c *http.Client, method, address string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(body)
}

func TestSiteGetsAndKeepsItsCertificate(t *testing.T) {
	t.Parallel()
	for _, challenge := range []string{"tls-alpn-01", "http-01"} {
		t.Run(challenge, func(t *testing.T) {
			t.Parallel()
			a, folder := acmetest.New(t, challenge, quarter), filepath.Join(t.TempDir(), "certificates")
			if _, err := Read(folder, host); !errors.Is(err, ErrNone) {
				t.Errorf("before the start: %v, want %v", err, ErrNone)
			}
			for range 2 { // the second start has the certificate of the first
				k, stop := serving(t, a, folder)
				k.Fetch(t.Context())
				res, body := get(t, a.Client(), http.MethodGet, "https://"+host+"/")
				if shown := res.TLS.PeerCertificates[0]; shown.SerialNumber.Int64() != 101 || body != "HTTP/2.0" {
					t.Errorf("the site shows certificate %v and answers by %s", shown.SerialNumber, body)
				}
				stop()
			}
			kept, err := Read(folder, host)
			if err != nil || kept.SerialNumber.Int64() != 101 {
				t.Errorf("the folder has %v, %v", kept, err)
			}
			err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				info, err := d.Info()
				if err == nil && info.Mode().Perm()&0o077 != 0 {
					t.Errorf("other users may read %s: %v", path, info.Mode())
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

func TestCertificateIsRenewedBeforeItEnds(t *testing.T) {
	t.Parallel()
	a := acmetest.New(t, "tls-alpn-01", 5*24*time.Hour, quarter)
	folder := filepath.Join(t.TempDir(), "certificates")
	k, _ := serving(t, a, folder)
	k.Fetch(t.Context())
	for {
		res, _ := get(t, a.Client(), http.MethodGet, "https://"+host+"/")
		if res.TLS.PeerCertificates[0].SerialNumber.Int64() == 102 {
			break
		}
	}
	if kept, err := Read(folder, host); err != nil || kept.SerialNumber.Int64() != 102 {
		t.Errorf("the folder has %v, %v", kept, err)
	}
}

func TestPlainRequestsAreRedirected(t *testing.T) {
	t.Parallel()
	a := acmetest.New(t, "http-01", quarter)
	serving(t, a, filepath.Join(t.TempDir(), "certificates"))
	for _, tt := range []struct {
		name, method, address string
		status                int
		to                    string
	}{
		{"a page", "GET", "http://" + host + "/anna?page=2", http.StatusMovedPermanently, "https://" + host + "/anna?page=2"},
		{"another name", "GET", "http://10.0.0.1//evil.example", http.StatusMovedPermanently, "https://" + host + "//evil.example"},
		{"a form", "POST", "http://" + host + "/users", http.StatusBadRequest, ""},
		{"an unknown challenge", "GET", "http://" + host + "/.well-known/acme-challenge/x", http.StatusNotFound, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res, body := get(t, a.Client(), tt.method, tt.address)
			if res.StatusCode != tt.status || res.Header.Get("Location") != tt.to {
				t.Errorf("the answer is %s to %q: %s", res.Status, res.Header.Get("Location"), body)
			}
		})
	}
}

func TestNoCertificateForOtherNames(t *testing.T) {
	t.Parallel()
	a := acmetest.New(t, "tls-alpn-01", quarter)
	k, _ := serving(t, a, filepath.Join(t.TempDir(), "certificates"))
	if _, err := a.Client().Get("https://other.example/"); err == nil {
		t.Error("a request for another name is answered")
	}
	if host := a.Asked(); host != "" {
		t.Errorf("the authority was asked for %s", host)
	}
	// An authority that does not answer holds up neither the site nor its end.
	ended, end := context.WithCancel(t.Context())
	end()
	k.Fetch(ended)
}

func TestReadRefusesADamagedFile(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, host), []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(folder, host); err == nil || !strings.Contains(err.Error(), "has no certificate") {
		t.Errorf("Read returns %v", err)
	}
}
