// Package wirejson encodes messages to clients: JSON without the escapes of <, > and &, which
// JSON needs only inside HTML.
package wirejson

import (
	"bytes"
	"encoding/json"
)

// Encode returns a value as JSON on one line, without a line break at the end.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// MustEncode is Encode for values that always can be encoded, such as structs of strings,
// numbers and valid JSON. MustEncode panics if the value can't be encoded.
func MustEncode(v any) []byte {
	text, err := Encode(v)
	if err != nil {
		panic("wirejson: " + err.Error())
	}
	return text
}
