package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

// addressWithin is how long the public address may take to answer.
const addressWithin = 5 * time.Second

// The times before the end of a certificate from which on a finding is a warning or a problem.
const (
	certificateWarning = 14 * 24 * time.Hour
	certificateProblem = 3 * 24 * time.Hour
)

// checkAddress asks the public address, and looks at its certificate.
func (d *doctor) checkAddress(ctx context.Context) finding {
	address := d.URL
	if address == "" {
		_, address = readServing(d.Data)
	}
	if address == "" {
		return found(stateWarning, "the public address is not known: give --url here, and to amstel serve")
	}
	at, err := url.Parse(address)
	if err != nil || at.Host == "" {
		return found(stateProblem, "--url is not an address as https://amstel.example")
	}
	if at.Scheme != "https" && !isLoopback(at.Hostname()) {
		return found(stateProblem, "%s is not https, so passwords and cookies travel in the open: put a proxy with TLS in front, and give the https address as --url", address)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/healthz", nil)
	if err != nil {
		return failed(err)
	}
	answer, err := d.client.Do(r)
	if err != nil {
		if isTLS(err) {
			return found(stateProblem, "browsers refuse the certificate of %s: %v; renew it", address, err)
		}
		return found(stateWarning, "%s can't be reached from here: %v", address, err)
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<16)) // so that the connection ends cleanly
	if answer.StatusCode != http.StatusOK {
		return found(stateProblem, "%s/healthz answers %s: look whether the proxy reaches a node", address, answer.Status)
	}
	if answer.TLS == nil {
		return found(stateOK, "%s answers, on this machine only", address)
	}
	return d.checkEnd(answer.TLS.PeerCertificates[0], address+" answers; its certificate", "the certificate of "+address)
}

// checkEnd compares the end of a certificate with the present time. The findings begin with well or bad.
func (d *doctor) checkEnd(shown *x509.Certificate, well, bad string) finding {
	// A certificate of some days is renewed in its last third, so it has to end sooner to be late.
	late := shown.NotAfter.Sub(shown.NotBefore) / 6
	ends := shown.NotAfter.Format(time.DateOnly)
	switch left := shown.NotAfter.Sub(d.now()); {
	case left < min(certificateProblem, late/2):
		return found(stateProblem, "%s ends on %s: look why it was not renewed", bad, ends)
	case left < min(certificateWarning, late):
		return found(stateWarning, "%s ends on %s: look why it was not renewed", bad, ends)
	}
	return found(stateOK, "%s ends on %s", well, ends)
}

// isLoopback reports whether only this machine can reach a host.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// isTLS reports whether an error is about a certificate.
func isTLS(err error) bool {
	_, unverified := errors.AsType[*tls.CertificateVerificationError](err)
	_, invalid := errors.AsType[x509.CertificateInvalidError](err)
	_, other := errors.AsType[x509.HostnameError](err)
	return unverified || invalid || other
}
