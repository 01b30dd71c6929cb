// Package certificate gets the certificates of a site from an authority that speaks ACME (RFC 8555), such
// as Let's Encrypt, keeps them in a folder, and renews them before they end.
//
// The authority proves that a host is the site's by one of two challenges, and the package answers both:
// on the port of HTTPS (tls-alpn-01) and on the port of HTTP (http-01).
package certificate

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

// LetsEncrypt is the address of the ACME directory of Let's Encrypt.
const LetsEncrypt = autocert.DefaultACMEDirectory

// ErrNone reports that a folder has no certificate of a host.
var ErrNone = errors.New("there is no certificate yet")

const (
	// retryAfter is the time between two tries to get a certificate. Authorities allow few failures an hour.
	retryAfter = 15 * time.Minute
	// plainWithin limits how long a request to the port of HTTP may take, with its answer, and plainIdle how
	// long its connection stays open for the next one.
	plainWithin = 10 * time.Second
	plainIdle   = 30 * time.Second
)

// A Config says which certificates a site has, and where they come from.
type Config struct {
	Hosts     []string // the names of the site
	Folder    string   // keeps the certificates and their keys; only its owner can read them
	Directory string   // the address of the authority's ACME directory
	Site      string   // the public address of the site, to which requests by HTTP are redirected
	Log       *slog.Logger
}

// A Keeper gets, keeps and renews the certificates of a site.
type Keeper struct {
	Config
	manager *autocert.Manager
}

// New returns a keeper. To use an authority is to accept its terms.
func New(c Config) *Keeper {
	return &Keeper{c, &autocert.Manager{
		Prompt:     autocert.AcceptTOS,
		Cache:      autocert.DirCache(c.Folder), // writes files with mode 0600
		HostPolicy: autocert.HostWhitelist(c.Hosts...),
		Client:     &acme.Client{DirectoryURL: c.Directory},
	}}
}

// Listen returns a listener that speaks TLS on the connections of another listener.
func (k *Keeper) Listen(l net.Listener) net.Listener {
	return tls.NewListener(l, k.manager.TLSConfig())
}

// ServePlain answers requests by HTTP until the context ends: the challenges of the authority, and
// redirects to the site.
func (k *Keeper) ServePlain(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler:           k.manager.HTTPHandler(http.HandlerFunc(k.redirect)),
		ReadHeaderTimeout: plainWithin, ReadTimeout: plainWithin, WriteTimeout: plainWithin, IdleTimeout: plainIdle,
		ErrorLog: slog.NewLogLogger(k.Log.Handler(), slog.LevelDebug),
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() }) // a redirect that is cut off is asked for again
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve redirects: %w", err)
	}
	return nil
}

// redirect redirects to the same page by HTTPS. What a form sends has travelled in the open already, so a
// form gets an error, by which a person learns of the mistake.
func (k *Keeper) redirect(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		http.Error(w, "Use "+k.Site, http.StatusBadRequest)
		return
	}
	http.Redirect(w, r, k.Site+r.URL.RequestURI(), http.StatusMovedPermanently)
}

// Fetch gets or loads the certificate of each host, so that the first visitor need not wait and a failure
// stands in the log. It tries again until it has all of them or the context ends. From then on they are renewed
// by themselves.
func (k *Keeper) Fetch(ctx context.Context) {
	for missing := k.Hosts; ; {
		var failed []string
		for _, host := range missing {
			switch made, err := k.get(ctx, host); {
			case ctx.Err() != nil:
				return
			case err != nil:
				failed = append(failed, host)
				k.Log.Warn("no certificate", "host", host, "err", err, "again", retryAfter)
			default:
				k.Log.Info("certificate", "host", host, "ends", made.Leaf.NotAfter)
			}
		}
		if missing = failed; len(missing) == 0 {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(retryAfter):
		}
	}
}

// get gets or loads the certificate of a host. The library takes no context, so when the context ends get
// returns, and its goroutine goes on until the authority has answered, or the process ends.
func (k *Keeper) get(ctx context.Context, host string) (*tls.Certificate, error) {
	// The suites tell the library that the key is to be ECDSA, as for browsers.
	hello := &tls.ClientHelloInfo{ServerName: host, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256}}
	var got *tls.Certificate
	var failed error
	done := make(chan struct{})
	go func() {
		defer close(done)
		got, failed = k.manager.GetCertificate(hello)
	}()
	select {
	case <-done:
		return got, failed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Read returns the certificate of a host that a folder has. The error is [ErrNone] if there is none.
func Read(folder, host string) (*x509.Certificate, error) {
	text, err := os.ReadFile(filepath.Join(folder, host))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, err
	}
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type == "CERTIFICATE" { // the first is the host's own; those of the authority follow
			return x509.ParseCertificate(block.Bytes)
		}
	}
	return nil, fmt.Errorf("%s has no certificate", filepath.Join(folder, host))
}
