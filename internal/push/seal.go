package push

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"errors"
)

const (
	// sealedSize is the size of each message before its encryption, padding included, so that push services can't tell messages apart by
	// their length. Services take 4,096 bytes with the 103 that encryption adds.
	sealedSize = 3072
	saltSize   = 16
	recordSize = 4096 // of the header: a message is one record, which may be shorter
)

// errLong is the error of a message that is too long.
var errLong = errors.New("the message is too long")

// seal encrypts a message for a browser (RFC 8291): with the browser's public key and secret, and a key and a salt that serve for this
// message only.
func seal(message, browser, auth []byte, own *ecdh.PrivateKey, salt []byte, size int) ([]byte, error) {
	if len(message) >= size {
		return nil, errLong
	}
	theirs, err := ecdh.P256().NewPublicKey(browser)
	if err != nil {
		return nil, err
	}
	shared, err := own.ECDH(theirs)
	if err != nil {
		return nil, err
	}
	public := own.PublicKey().Bytes()
	secret, err := hkdf.Key(sha256.New, shared, auth, "WebPush: info\x00"+string(browser)+string(public), sha256.Size)
	if err != nil {
		return nil, err
	}
	key, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, err
	}
	nonce, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	// The header of RFC 8188: the salt, the size of records, and the public key as the id of the key.
	sealed := binary.BigEndian.AppendUint32(append([]byte(nil), salt...), recordSize)
	sealed = append(append(sealed, byte(len(public))), public...)
	padded := make([]byte, size)
	padded[copy(padded, message)] = 2 // ends the last record; zeros follow
	return gcm.Seal(sealed, nonce, padded, nil), nil
}
