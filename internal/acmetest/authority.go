// Package acmetest has an authority for tests, which gives certificates by ACME to a site on this machine.
package acmetest

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/acme"
)

// An Authority is a small ACME authority (RFC 8555) with one account and one order at a time. It checks the
// signature of each request, looks at the site for the answer to its challenge, and signs the certificate.
// The first certificate has the serial number 101.
type Authority struct {
	// Directory is the address of the ACME directory.
	Directory string

	t         testing.TB
	url       string
	challenge string // the only challenge that it offers
	key       *ecdsa.PrivateKey
	root      *x509.Certificate
	ready     chan struct{} // closed when the addresses of the site are known

	mu      sync.Mutex
	plain   string          // where the site listens for HTTP
	secure  string          // where the site listens for HTTPS
	left    []time.Duration // of the lifetimes of the next certificates; the last holds for all that follow
	account *ecdsa.PublicKey
	host    string
	status  string // of the order and its authorization
	leaf    []byte
	issued  int
}

// New starts an authority that ends with the test. The challenge is tls-alpn-01 or http-01. Left says how much
// is left of the lifetimes of its certificates, which began 60 days ago; the last of left holds for all that
// follow.
func New(t testing.TB, challenge string, left ...time.Duration) *Authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	root := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Test authority"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().AddDate(-1, 0, 0), NotAfter: time.Now().AddDate(1, 0, 0), KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, root, root, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	a := &Authority{t: t, challenge: challenge, key: key, left: left, ready: make(chan struct{})}
	if a.root, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(a)
	t.Cleanup(server.Close)
	a.url, a.Directory = server.URL, server.URL+"/directory"
	return a
}

// Serve tells the authority and its clients where the site listens for HTTP and HTTPS. Until the first call,
// challenges wait.
func (a *Authority) Serve(plain, secure string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.plain == "" {
		close(a.ready)
	}
	a.plain, a.secure = plain, secure
}

// Asked returns the host of the last order, or "" if there was none.
func (a *Authority) Asked() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.host
}

// ServeHTTP answers the requests of a client.
func (a *Authority) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/challenge" {
		select {
		case <-a.ready:
		case <-r.Context().Done():
			return
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	w.Header().Set("Replay-Nonce", rand.Text())
	if r.URL.Path == "/directory" {
		a.answer(w, http.StatusOK, map[string]string{"newNonce": a.url + "/nonce", "newAccount": a.url + "/account", "newOrder": a.url + "/new-order"})
		return
	}
	if r.URL.Path == "/nonce" {
		return
	}
	payload, err := a.open(r)
	if err != nil {
		a.refuse(w, err)
		return
	}
	switch r.URL.Path {
	case "/account":
		w.Header().Set("Location", a.url+"/account/1")
		a.answer(w, http.StatusCreated, map[string]string{"status": "valid"})
	case "/new-order":
		var order struct{ Identifiers []struct{ Value string } }
		if err := json.Unmarshal(payload, &order); err != nil || len(order.Identifiers) != 1 {
			a.refuse(w, fmt.Errorf("order %s", payload))
			return
		}
		a.host, a.status = order.Identifiers[0].Value, "pending"
		w.Header().Set("Location", a.url+"/order")
		a.answer(w, http.StatusCreated, a.order())
	case "/order":
		a.answer(w, http.StatusOK, a.order())
	case "/authorization":
		status := a.status
		if status == "ready" {
			status = "valid"
		}
		a.answer(w, http.StatusOK, map[string]any{"status": status, "identifier": map[string]string{"type": "dns", "value": a.host}, "challenges": []any{a.offer(status)}})
	case "/challenge":
		a.status = "ready"
		if err := a.validate(); err != nil {
			a.t.Logf("the challenge failed: %v", err)
			a.status = "invalid"
		}
		a.answer(w, http.StatusOK, a.offer("processing"))
	case "/finalize":
		if err := a.issue(payload); err != nil || a.status != "ready" {
			a.refuse(w, fmt.Errorf("an order that is %s: %w", a.status, err))
			return
		}
		a.status = "valid"
		w.Header().Set("Location", a.url+"/order")
		a.answer(w, http.StatusOK, a.order())
	case "/certificate":
		_ = pem.Encode(w, &pem.Block{Type: "CERTIFICATE", Bytes: a.leaf}) // a client that has gone needs no answer
	default:
		a.refuse(w, fmt.Errorf("path %s", r.URL.Path))
	}
}

// answer writes an answer as JSON.
func (a *Authority) answer(w http.ResponseWriter, status int, body any) {
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// refuse answers that a request is not allowed, and why.
func (a *Authority) refuse(w http.ResponseWriter, why error) {
	a.t.Logf("the authority refuses: %v", why)
	a.answer(w, http.StatusForbidden, map[string]string{"type": "urn:ietf:params:acme:error:unauthorized", "detail": why.Error()})
}

// order returns the order as clients see it.
func (a *Authority) order() map[string]any {
	return map[string]any{
		"status": a.status, "identifiers": []map[string]string{{"type": "dns", "value": a.host}},
		"authorizations": []string{a.url + "/authorization"}, "finalize": a.url + "/finalize", "certificate": a.url + "/certificate",
	}
}

// offer returns the challenge as clients see it.
func (a *Authority) offer(status string) map[string]string {
	return map[string]string{"type": a.challenge, "url": a.url + "/challenge", "token": "the-token", "status": status}
}

// open checks the signature of a request, and returns its payload.
func (a *Authority) open(r *http.Request) ([]byte, error) {
	var signed struct{ Protected, Payload, Signature string }
	if err := json.NewDecoder(r.Body).Decode(&signed); err != nil {
		return nil, err
	}
	decode := base64.RawURLEncoding.DecodeString
	protected, err := decode(signed.Protected)
	if err != nil {
		return nil, err
	}
	var header struct {
		URL string
		JWK *struct{ X, Y string }
	}
	if err := json.Unmarshal(protected, &header); err != nil || header.URL != a.url+r.URL.Path {
		return nil, fmt.Errorf("header %s: %w", protected, err)
	}
	if header.JWK != nil { // of a new account
		x, errX := decode(header.JWK.X)
		y, errY := decode(header.JWK.Y)
		if errX != nil || errY != nil {
			return nil, fmt.Errorf("key %v", header.JWK)
		}
		if a.account, err = ecdsa.ParseUncompressedPublicKey(elliptic.P256(), append(append([]byte{4}, x...), y...)); err != nil {
			return nil, err
		}
	}
	signature, err := decode(signed.Signature)
	if err != nil || len(signature) != 64 || a.account == nil {
		return nil, fmt.Errorf("signature %q: %w", signed.Signature, err)
	}
	digest := sha256.Sum256([]byte(signed.Protected + "." + signed.Payload))
	if !ecdsa.Verify(a.account, digest[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		return nil, fmt.Errorf("the signature is not the account's")
	}
	return decode(signed.Payload)
}

// validate looks at the site for the answer to the challenge.
func (a *Authority) validate() error {
	thumbprint, err := acme.JWKThumbprint(crypto.PublicKey(a.account))
	if err != nil {
		return err
	}
	want := "the-token." + thumbprint
	if a.challenge == "http-01" {
		r, err := http.NewRequest(http.MethodGet, "http://"+a.plain+"/.well-known/acme-challenge/the-token", nil)
		if err != nil {
			return err
		}
		r.Host = a.host
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		if got, err := io.ReadAll(res.Body); err != nil || string(got) != want {
			return fmt.Errorf("the site answers %s %q, %w", res.Status, got, err)
		}
		return nil
	}
	conn, err := tls.Dial("tcp", a.secure, &tls.Config{ServerName: a.host, NextProtos: []string{acme.ALPNProto}, InsecureSkipVerify: true})
	if err != nil {
		return err
	}
	defer conn.Close()
	sum := sha256.Sum256([]byte(want))
	value, err := asn1.Marshal(sum[:])
	if err != nil {
		return err
	}
	for _, extension := range conn.ConnectionState().PeerCertificates[0].Extensions {
		if extension.Id.String() == "1.3.6.1.5.5.7.1.31" && string(extension.Value) == string(value) {
			return nil
		}
	}
	return fmt.Errorf("the site's certificate does not answer the challenge")
}

// issue signs the certificate that a client requests.
func (a *Authority) issue(payload []byte) error {
	var body struct{ CSR string }
	if err := json.Unmarshal(payload, &body); err != nil {
		return err
	}
	der, err := base64.RawURLEncoding.DecodeString(body.CSR)
	if err != nil {
		return err
	}
	request, err := x509.ParseCertificateRequest(der)
	if err != nil || request.CheckSignature() != nil || len(request.DNSNames) != 1 || request.DNSNames[0] != a.host {
		return fmt.Errorf("request for %v: %w", request, err)
	}
	a.issued++
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(int64(100 + a.issued)), Subject: pkix.Name{CommonName: a.host}, DNSNames: request.DNSNames,
		NotBefore: time.Now().AddDate(0, 0, -60), NotAfter: time.Now().Add(a.left[0]), KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if len(a.left) > 1 {
		a.left = a.left[1:]
	}
	a.leaf, err = x509.CreateCertificate(rand.Reader, leaf, a.root, request.PublicKey, a.key)
	return err
}

// Client returns a client that reaches the site under each name, and trusts the authority.
func (a *Authority) Client() *http.Client {
	roots := x509.NewCertPool()
	roots.AddCert(a.root)
	return &http.Client{
		Transport: &http.Transport{
			ForceAttemptHTTP2: true, DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: roots},
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				a.mu.Lock()
				defer a.mu.Unlock()
				to := a.secure
				if _, port, _ := net.SplitHostPort(address); port == "80" {
					to = a.plain
				}
				return new(net.Dialer).DialContext(ctx, network, to)
			},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
