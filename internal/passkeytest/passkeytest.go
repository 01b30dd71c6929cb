// Package passkeytest has an authenticator for tests: it makes one passkey, and answers as a browser does that asks the
// authenticator of a device.
package passkeytest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"
)

// An Authenticator keeps one passkey. Tests change its fields to make it answer wrongly.
type Authenticator struct {
	Origin     string // the origin of the page that asks
	Site       string // the site that the passkey is for, a host name; empty: the site that the options name
	Count      uint32 // the count of uses, sent with the next answer; 0: it counts none
	Unverified bool   // the person neither entered a PIN nor showed a finger
	Handle     []byte // of the person, from the options of the passkey

	t   testing.TB
	key *ecdsa.PrivateKey
	id  []byte
}

// New returns an authenticator without a passkey, for pages of an origin.
func New(t testing.TB, origin string) *Authenticator { return &Authenticator{t: t, Origin: origin} }

// The bits of an authenticator's answer.
const (
	flagPresent  = 1 << 0
	flagVerified = 1 << 2
	flagNew      = 1 << 6 // the data has a new passkey
)

// options are those parts of the options of a browser that an authenticator needs.
type options struct {
	Challenge string
	RPID      string
	RP        struct{ ID string }
	User      struct{ ID string }
}

func (a *Authenticator) read(text []byte) (o options) {
	a.t.Helper()
	if err := json.Unmarshal(text, &o); err != nil {
		a.t.Fatal(err)
	}
	if o.RPID == "" {
		o.RPID = o.RP.ID
	}
	if a.Site != "" {
		o.RPID = a.Site
	}
	return o
}

// Create makes the passkey, and returns the answer to the options, in the form of RegistrationResponseJSON.
func (a *Authenticator) Create(text []byte) []byte {
	a.t.Helper()
	o := a.read(text)
	var err error
	if a.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		a.t.Fatal(err)
	}
	a.id = make([]byte, 32)
	_, _ = rand.Read(a.id) // never fails
	if a.Handle, err = base64.RawURLEncoding.DecodeString(o.User.ID); err != nil {
		a.t.Fatal(err)
	}
	data := a.data(o, flagNew)
	data = append(data, make([]byte, 16)...) // of no known model
	data = binary.BigEndian.AppendUint16(data, uint16(len(a.id)))
	data = append(append(data, a.id...), a.publicKey()...)
	// A map in CBOR: fmt is none, attStmt is empty, and authData has a length of two bytes.
	object := append([]byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59"), byte(len(data)>>8), byte(len(data)))
	return a.answer(map[string]any{
		"clientDataJSON":    encode(a.client(o, "webauthn.create")),
		"attestationObject": encode(append(object, data...)),
		"transports":        []string{"internal"},
	})
}

// Get returns the answer of the passkey to the options, in the form of AuthenticationResponseJSON.
func (a *Authenticator) Get(text []byte) []byte {
	a.t.Helper()
	o := a.read(text)
	data, client := a.data(o, 0), a.client(o, "webauthn.get")
	hash := sha256.Sum256(client)
	signed := sha256.Sum256(append(data, hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, signed[:])
	if err != nil {
		a.t.Fatal(err)
	}
	return a.answer(map[string]any{
		"clientDataJSON": encode(client), "authenticatorData": encode(data), "signature": encode(signature), "userHandle": encode(a.Handle),
	})
}

func (a *Authenticator) answer(response map[string]any) []byte {
	a.t.Helper()
	text, err := json.Marshal(map[string]any{
		"id": encode(a.id), "rawId": encode(a.id), "type": "public-key", "response": response, "clientExtensionResults": struct{}{},
	})
	if err != nil {
		a.t.Fatal(err)
	}
	return text
}

// client returns what the browser signs with the answer.
func (a *Authenticator) client(o options, what string) []byte {
	a.t.Helper()
	text, err := json.Marshal(map[string]any{"type": what, "challenge": o.Challenge, "origin": a.Origin, "crossOrigin": false})
	if err != nil {
		a.t.Fatal(err)
	}
	return text
}

// data returns the beginning of the authenticator data: the hash of the site, the flags and the count.
func (a *Authenticator) data(o options, flags byte) []byte {
	flags |= flagPresent
	if !a.Unverified {
		flags |= flagVerified
	}
	hash := sha256.Sum256([]byte(o.RPID))
	return binary.BigEndian.AppendUint32(append(hash[:], flags), a.Count)
}

// publicKey returns the public key in COSE: a map in CBOR of the key type EC2, the algorithm ES256, the curve P-256 and the
// coordinates of the point.
func (a *Authenticator) publicKey() []byte {
	a.t.Helper()
	point, err := a.key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		a.t.Fatal(err)
	}
	key := append([]byte("\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20"), point[1:33]...)
	return append(append(key, "\x22\x58\x20"...), point[33:]...)
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
