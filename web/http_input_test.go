package web

import (
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestInput(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, kind, body string
		want             input
		wrong            string
	}{
		{name: "nothing", body: "", want: input{}},
		{name: "nothing, said to be JSON", kind: "application/json", body: " ", want: input{}},
		{name: "JSON", kind: "application/json; charset=utf-8", body: `{"post":{"text":"hoi"}}`,
			want: input{"post": map[string]any{"text": "hoi"}}},
		{name: "JSON of nothing", kind: "application/json", body: "null"},
		{name: "JSON that is a list", kind: "application/json", body: "[]", wrong: "malformed body"},
		{name: "JSON cut off", kind: "application/json", body: `{"post":`, wrong: "malformed body"},
		{name: "JSON twice", kind: "application/json", body: `{}{}`, wrong: "malformed body"},
		{name: "JSON that is no UTF-8", kind: "application/json", body: "{\"a\":\"\xff\"}", wrong: "not valid UTF-8"},
		{name: "a picture", kind: "image/png", body: "png", wrong: "unsupported media type"},
		{name: "a form", kind: "application/x-www-form-urlencoded",
			body: "post[text]=hoi&post[timelines][]=user&post[timelines][]=group:x&post[nsfw]=0&post[nsfw]=1",
			want: input{"post": input{"text": "hoi", "timelines": []any{"user", "group:x"}, "nsfw": "1"}}},
		{name: "a form that gives a field in two ways", kind: "application/x-www-form-urlencoded",
			body: "post=1&post[text]=2", wrong: "in two ways"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest("POST", "/", strings.NewReader(tt.body))
			r.Header.Set("Content-Type", tt.kind)
			if strings.HasPrefix(tt.kind, "application/x-www") {
				if err := r.ParseForm(); err != nil {
					t.Fatal(err)
				}
			}
			got, err := readInput(r)
			if tt.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), tt.wrong) {
					t.Fatalf("error %v, want %q", err, tt.wrong)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestBodyThatBreaksOff reads a body whose client hangs up, which is no fault of the server.
func TestBodyThatBreaksOff(t *testing.T) {
	t.Parallel()
	for kind, body := range map[string]string{"application/json": `{"post":{"text":"hoi`, "text/plain": "\x00", "image/png": ""} {
		r := httptest.NewRequest("POST", "/", io.MultiReader(strings.NewReader(body), iotest.ErrReader(io.ErrUnexpectedEOF)))
		r.Header.Set("Content-Type", kind)
		if _, err := readInput(r); explain(err).Status != 400 {
			t.Errorf("a body of %s that breaks off is answered %d: %v", kind, explain(err).Status, err)
		}
	}
}

func TestInputKinds(t *testing.T) {
	t.Parallel()
	in, err := jsonInput([]byte(`{"yes":["true",true,1,"1","on"],"no":["false",false,0,"0",""],"odd":[2,"maybe",[],{}],
		"list":["a","b"],"one":"a","mixed":["a",1],"bad":"a\u0000b","number":3}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"yes": true, "no": false} {
		for _, value := range in[name].([]any) {
			if got, err := (input{"x": value}).flag("x"); err != nil || *got != want {
				t.Errorf("%v is %v, %v; want %v", value, got, err, want)
			}
		}
	}
	for _, value := range in["odd"].([]any) {
		if _, err := (input{"x": value}).flag("x"); err == nil {
			t.Errorf("%v passes for a boolean", value)
		}
	}
	for name, want := range map[string][]string{"list": {"a", "b"}, "one": {"a"}, "none": nil} {
		if got, err := in.texts(name); err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s is %v, %v; want %v", name, got, err, want)
		}
	}
	for _, name := range []string{"mixed", "number", "bad"} {
		if _, err := in.texts(name); err == nil {
			t.Errorf("%s passes for a list of texts", name)
		}
	}
	for _, name := range []string{"list", "bad", "number"} {
		if _, err := in.text(name); err == nil {
			t.Errorf("%s passes for a text", name)
		}
	}
	if _, err := in.in("one"); err == nil {
		t.Error("a text passes for an object")
	}
}
