package main

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/sync/errgroup"

	"amstel.dev/amstel/cmd/internal/certificate"
)

// tlsSettings are the flags for certificates of the site's own.
type tlsSettings struct {
	TLS          []string `name:"tls" placeholder:"HOST,..." help:"Serve HTTPS for these names, and get their certificates from Let's Encrypt, whose terms you accept by that. Without it a proxy ends TLS."`
	TLSRedirect  string   `name:"tls-redirect" default:":80" placeholder:"ADDRESS" help:"With --tls, address to listen on for HTTP, which is redirected to HTTPS (${default})."`
	TLSDirectory string   `name:"tls-directory" default:"https://acme-v02.api.letsencrypt.org/directory" placeholder:"ADDRESS" help:"With --tls, ACME directory of the authority (${default})."`
}

// hostForm is the form of a name of which an authority gives certificates.
var hostForm = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+$`)

// Validate returns an error for a host that can have no certificate.
func (s tlsSettings) Validate() error {
	for _, host := range s.TLS {
		if !hostForm.MatchString(host) || net.ParseIP(host) != nil {
			return fmt.Errorf("--tls: %q is not like amstel.example", host)
		}
	}
	return nil
}

// certificates returns the folder of the certificates in the data folder.
func certificates(data string) string { return filepath.Join(data, "certificates") }

// secure returns the settings with an https address, the listener with TLS, and a function that gets the
// certificates and redirects HTTP until its context ends.
func (c *serveCmd) secure(ctx context.Context, to streams, listener net.Listener) (nodeSettings, net.Listener, func(context.Context) error, error) {
	settings := c.nodeSettings
	if settings.URL == "" {
		settings.URL = "https://" + c.TLS[0]
	}
	public, err := publicURL(settings.URL, nil)
	if err != nil {
		return settings, nil, nil, err
	}
	if !strings.HasPrefix(public, "https:") {
		return settings, nil, nil, &settingError{fmt.Sprintf("--url: %q is not an https address, as it must be with --tls", settings.URL)}
	}
	plain, err := listenAs(ctx, "--tls-redirect", c.TLSRedirect)
	if err != nil {
		return settings, nil, nil, err
	}
	log := settings.logger(to)
	keeper := certificate.New(certificate.Config{Hosts: c.TLS, Folder: certificates(c.Data), Directory: c.TLSDirectory, Site: public, Log: log})
	log.Info("serving HTTPS", "at", listener.Addr().String(), "redirecting", plain.Addr().String())
	return settings, keeper.Listen(listener), func(ctx context.Context) error {
		var parts errgroup.Group
		parts.Go(func() error { return keeper.ServePlain(ctx, plain) })
		parts.Go(func() error {
			keeper.Fetch(ctx)
			return nil
		})
		return parts.Wait()
	}, nil
}
