package push

import (
	"bytes"
	"crypto/ecdh"
	"encoding/base64"
	"errors"
	"testing"
)

// bytesOf returns the bytes of a text in base64 for addresses.
func bytesOf(t *testing.T, text string) []byte {
	t.Helper()
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestSealIsOfTheStandard seals the example of RFC 8291, section 5.
func TestSealIsOfTheStandard(t *testing.T) {
	t.Parallel()
	const message = "When I grow up, I want to be a watermelon"
	own, err := ecdh.P256().NewPrivateKey(bytesOf(t, "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
	if err != nil {
		t.Fatal(err)
	}
	browser := bytesOf(t, "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")
	auth, salt := bytesOf(t, "BTBZMqHH6r4Tts7J_aSIgg"), bytesOf(t, "DGv6ra1nlYgDCS1FRnbzlw")
	got, err := seal([]byte(message), browser, auth, own, salt, len(message)+1)
	want := bytesOf(t, "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %x, %v; want %x", got, err, want)
	}
	if _, err := seal([]byte(message), browser, auth, own, salt, len(message)); !errors.Is(err, errLong) {
		t.Errorf("a message without room for its end: %v, want %v", err, errLong)
	}
}
