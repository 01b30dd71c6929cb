package web

import (
	"strings"
	"testing"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

func TestRendererIsThePagesOwn(t *testing.T) {
	t.Parallel()
	r := &still{}
	v, _ := r.Visit(t.Context(), river.Key{}, river.At{})
	users, groups := Renderer{}.Cards(nil, v.Users, v.Groups)
	if !strings.HasPrefix(string(users), `{"3":{"id":3,"name":"alice"`) || string(groups) != "{}" {
		t.Errorf("%s %s", users, groups)
	}
	entry := Renderer{}.EntryJSON(nil, &v.Entries[0], v.Users, v.Groups)
	if !strings.HasPrefix(string(entry), `{"id":77,"url":"/alice/77"`) || strings.Contains(string(entry), "null") {
		t.Errorf("%s", entry)
	}
	// An author without a card gets an address too.
	if entry := (Renderer{}).EntryJSON(&timeline.Sets{}, &v.Entries[0], nil, nil); !strings.Contains(string(entry), `"url":"/-/77"`) {
		t.Errorf("%s", entry)
	}
	if html := (Renderer{}).EntryHTML("en", nil, &v.Entries[0], v.Users, v.Groups); !strings.HasPrefix(html, "<article") || !strings.Contains(html, "hoi") {
		t.Error(html)
	}
}
