package web

import (
	"testing"
)

func TestOwnPath(t *testing.T) {
	t.Parallel()
	for text, own := range map[string]bool{
		"/":                      true,
		"/alice?page=2#c5":       true,
		"/alice/55":              true,
		"":                       false,
		"alice":                  false,
		"//evil.example":         false,
		"///evil.example":        false,
		"/\\evil.example":        false,
		"/%2fevil.example":       false,
		"/%2fevil.example/ ":     false,
		"/\t/evil.example":       false,
		"https://evil.example/":  false,
		"javascript:alert(1)":    false,
		"/x\r\nSet-Cookie: a=b":  false,
		"/\u007f":                false,
		"/%zz":                   false,
		"https:/alice":           false,
		"/redirect?to=//evil.ex": true,
	} {
		if path, is := ownPath(text); is != own || own && path != text {
			t.Errorf("%q: own %v (%q), want %v", text, is, path, own)
		}
	}
}
