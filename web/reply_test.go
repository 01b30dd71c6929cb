package web

import (
	"testing"

	"amstel.dev/amstel/timeline"
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

// What is known of a comment without a view of its post says nothing that would
// be of everybody, across bans as well.
func TestCommentWithoutAView(t *testing.T) {
	t.Parallel()
	shown := commentAlone(nil, &timeline.Comment{ID: 5, Post: 7, User: 3, Text: "hoi", Likes: 4}, visitor{})
	if shown.ClikesCount != 0 || shown.ID != 5 || shown.Text != "hoi" {
		t.Errorf("%+v", shown)
	}
}
