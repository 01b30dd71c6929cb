package push

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"time"
)

// signedFor is how long a signature holds; RFC 8292 allows a day.
const signedFor = 12 * time.Hour

// authorization returns the header by which a push service recognises the site (RFC 8292). audience is the origin of the service, subject
// an address at which the operator of the service reaches that of the site.
func authorization(key *ecdsa.PrivateKey, audience, subject string, now time.Time) (string, error) {
	claims, err := json.Marshal(map[string]any{"aud": audience, "exp": now.Add(signedFor).Unix(), "sub": subject})
	if err != nil {
		return "", err
	}
	const header = `{"typ":"JWT","alg":"ES256"}`
	token := base64.RawURLEncoding.EncodeToString([]byte(header)) + "." + base64.RawURLEncoding.EncodeToString(claims)
	hash := sha256.Sum256([]byte(token))
	r, s, err := ecdsa.Sign(rand.Reader, key, hash[:])
	if err != nil {
		return "", err
	}
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	public, err := publicKey(key)
	if err != nil {
		return "", err
	}
	return "vapid t=" + token + "." + base64.RawURLEncoding.EncodeToString(signature) + ", k=" + public, nil
}

// publicKey returns the public key of the site as browsers take it, which pass it to their push services.
func publicKey(key *ecdsa.PrivateKey) (string, error) {
	b, err := key.PublicKey.Bytes()
	return base64.RawURLEncoding.EncodeToString(b), err
}
