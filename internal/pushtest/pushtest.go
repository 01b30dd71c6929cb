// Package pushtest has a push service for tests: what the makers of browsers run, with browsers that read their messages.
package pushtest

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A Service is a push service with a certificate of its own.
type Service struct {
	*httptest.Server

	mu       sync.Mutex
	browsers map[string]*Browser // by the path of their endpoint
	answer   func(http.ResponseWriter) bool
	asked    int
	wrong    []error
	now      func() time.Time
}

// A Browser has an endpoint at a push service.
type Browser struct {
	Endpoint string
	Public   []byte
	Auth     []byte

	service  *Service
	key      *ecdh.PrivateKey
	topics   []string
	messages map[string]Message // by topic: a later message replaces an earlier one
}

// A Message is what a browser has got.
type Message struct{ Title, Body, Path, Lang, Tag string }

// Start starts a push service, which the end of the test stops. The test fails if the service gets a request that a real one would refuse.
func Start(t testing.TB, now func() time.Time) *Service {
	s := &Service{browsers: make(map[string]*Browser), now: now}
	s.Server = httptest.NewTLSServer(s)
	t.Cleanup(func() {
		s.Close()
		for _, err := range s.wrong {
			t.Errorf("the push service got a wrong request: %v", err)
		}
	})
	return s
}

// Address returns the address on which the service listens.
func (s *Service) Address() netip.AddrPort {
	return netip.MustParseAddrPort(s.Listener.Addr().String())
}

// Roots returns the authority of the certificate of the service.
func (s *Service) Roots() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	return pool
}

// Browser makes a browser with an endpoint.
func (s *Service) Browser() *Browser {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	b := &Browser{Endpoint: s.URL + "/" + rand.Text(), Public: key.PublicKey().Bytes(), Auth: make([]byte, 16), service: s, key: key, messages: make(map[string]Message)}
	_, _ = rand.Read(b.Auth) // never fails
	s.mu.Lock()
	defer s.mu.Unlock()
	s.browsers[strings.TrimPrefix(b.Endpoint, s.URL)] = b
	return b
}

// Messages returns what the browser has got, in the order of the first message of each topic.
func (b *Browser) Messages() (all []Message) {
	b.service.mu.Lock()
	defer b.service.mu.Unlock()
	for _, topic := range b.topics {
		all = append(all, b.messages[topic])
	}
	return all
}

// Answer has the service answer requests by a function; nil: as a push service does. The service takes a push if the function returns false.
func (s *Service) Answer(answer func(http.ResponseWriter) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = answer
}

// Asked returns how many requests there were.
func (s *Service) Asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// ServeHTTP takes a push.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 4097))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	if s.answer != nil && s.answer(w) {
		return
	}
	b := s.browsers[r.URL.Path]
	if b == nil {
		w.WriteHeader(http.StatusGone)
		return
	}
	var m Message
	if err == nil {
		err = s.check(r, len(body))
	}
	if err == nil {
		m, err = b.open(body)
	}
	if err != nil {
		s.wrong = append(s.wrong, err)
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	topic := r.Header.Get("Topic")
	if _, known := b.messages[topic]; !known {
		b.topics = append(b.topics, topic)
	}
	b.messages[topic] = m
	w.WriteHeader(http.StatusCreated)
}

// check returns an error unless a request is a push as RFC 8030 wants it, by a site that RFC 8292 recognises.
func (s *Service) check(r *http.Request, size int) error {
	if _, err := strconv.Atoi(r.Header.Get("TTL")); err != nil || r.Method != http.MethodPost || r.Header.Get("Content-Encoding") != "aes128gcm" || size > 4096 {
		return fmt.Errorf("%s of %d bytes with the headers %v", r.Method, size, r.Header)
	}
	topic := r.Header.Get("Topic")
	if _, err := base64.RawURLEncoding.DecodeString(topic); err != nil || topic == "" || len(topic) > 32 {
		return fmt.Errorf("the topic is %q", topic)
	}
	var token, key string
	for part := range strings.SplitSeq(strings.TrimPrefix(r.Header.Get("Authorization"), "vapid "), ", ") {
		switch name, value, _ := strings.Cut(part, "="); name {
		case "t":
			token = value
		case "k":
			key = value
		}
	}
	point, err := base64.RawURLEncoding.DecodeString(key)
	if err != nil {
		return err
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		return err
	}
	dot := strings.LastIndexByte(token, '.')
	if dot < 0 {
		return fmt.Errorf("the token is %q", token)
	}
	signature, err := base64.RawURLEncoding.DecodeString(token[dot+1:])
	if err != nil || len(signature) != 64 {
		return fmt.Errorf("the signature has %d bytes, %v", len(signature), err)
	}
	hash := sha256.Sum256([]byte(token[:dot]))
	if !ecdsa.Verify(public, hash[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		return errors.New("the signature is another key's")
	}
	_, payload, _ := strings.Cut(token[:dot], ".")
	text, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil {
		return err
	}
	var claims struct {
		Aud, Sub string
		Exp      int64
	}
	if err := json.Unmarshal(text, &claims); err != nil {
		return err
	}
	until := time.Unix(claims.Exp, 0).Sub(s.now())
	sub, err := url.Parse(claims.Sub)
	if err != nil || claims.Aud != s.URL || sub.Scheme != "https" && sub.Scheme != "mailto" || until <= 0 || until > 24*time.Hour {
		return fmt.Errorf("the claims are %+v, %v", claims, err)
	}
	return nil
}

// open decrypts a message (RFC 8291 and 8188).
func (b *Browser) open(sealed []byte) (m Message, err error) {
	const header = 16 + 4 + 1
	if len(sealed) < header+65 || sealed[header-1] != 65 || binary.BigEndian.Uint32(sealed[16:]) < uint32(len(sealed)-header-65) {
		return m, fmt.Errorf("the header of %d bytes is wrong", len(sealed))
	}
	salt, theirs, text := sealed[:16], sealed[header:header+65], sealed[header+65:]
	public, err := ecdh.P256().NewPublicKey(theirs)
	if err != nil {
		return m, err
	}
	shared, err := b.key.ECDH(public)
	if err != nil {
		return m, err
	}
	secret, err := hkdf.Key(sha256.New, shared, b.Auth, "WebPush: info\x00"+string(b.Public)+string(theirs), 32)
	if err != nil {
		return m, err
	}
	key, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return m, err
	}
	nonce, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return m, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return m, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return m, err
	}
	plain, err := gcm.Open(nil, nonce, text, nil)
	if err != nil {
		return m, err
	}
	end := strings.TrimRight(string(plain), "\x00")
	if !strings.HasSuffix(end, "\x02") {
		return m, errors.New("the record does not end with 2")
	}
	return m, json.Unmarshal([]byte(strings.TrimSuffix(end, "\x02")), &m)
}
