package faye

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"
)

// A clientId is, in base64: the number of the process that made the id, the time in ms, random
// bytes, and a signature.
const (
	makerSize  = 8
	timeSize   = 8
	randomSize = 16
	idSize     = makerSize + timeSize + randomSize
	signSize   = 16
)

// ids makes and reads clientIds.
type ids struct {
	key   []byte
	maker [makerSize]byte
}

func newIDs(secret []byte) ids {
	key := hmac.New(sha256.New, secret)
	key.Write([]byte("clients of faye"))
	made := ids{key: key.Sum(nil)}
	rand.Read(made.maker[:]) // never fails
	return made
}

// make returns a new clientId.
func (i *ids) make(now time.Time) string {
	id := make([]byte, idSize, idSize+signSize)
	copy(id, i.maker[:])
	binary.BigEndian.PutUint64(id[makerSize:], uint64(now.UnixMilli()))
	rand.Read(id[makerSize+timeSize:]) // never fails
	return base64.RawURLEncoding.EncodeToString(append(id, i.sign(id)...))
}

// read reports whether a process of the site made a clientId, when, and whether this process
// made it.
func (i *ids) read(id string) (made time.Time, here, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(id)
	if err != nil || len(id) != base64.RawURLEncoding.EncodedLen(idSize+signSize) || len(raw) != idSize+signSize || !hmac.Equal(raw[idSize:], i.sign(raw[:idSize])) {
		return time.Time{}, false, false
	}
	return time.UnixMilli(int64(binary.BigEndian.Uint64(raw[makerSize:]))), [makerSize]byte(raw) == i.maker, true
}

func (i *ids) sign(id []byte) []byte {
	mac := hmac.New(sha256.New, i.key)
	mac.Write(id)
	return mac.Sum(nil)[:signSize]
}
