package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"amstel.dev/amstel/timeline"
)

// wantClientError fails the test unless an error of the input is answered by a status from 400 to
// 499, with a sentence.
func wantClientError(t *testing.T, err error) {
	t.Helper()
	f := explain(err)
	if f.Status < 400 || f.Status >= 500 || f.Sentence == "" || len(f.Sentence) > 3000 || !utf8.ValidString(f.Sentence) {
		t.Fatalf("%v is answered by %d %q", err, f.Status, f.Sentence)
	}
}

// deep is how deep a tree is.
func deep(v any) int {
	most := 0
	switch v := v.(type) {
	case input:
		for _, part := range v {
			most = max(most, deep(part))
		}
	case map[string]any:
		for _, part := range v {
			most = max(most, deep(part))
		}
	case []any:
		for _, part := range v {
			most = max(most, deep(part))
		}
	default:
		return 0
	}
	return most + 1
}

// all reads an input by each of its methods.
func (in input) all(t *testing.T) {
	t.Helper()
	for name := range in {
		if text, err := in.text(name); err != nil {
			wantClientError(t, err)
		} else if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			t.Errorf("%q is the text %q", name, text)
		}
		if texts, err := in.texts(name); err != nil {
			wantClientError(t, err)
		} else {
			for _, text := range texts {
				if text == "" || !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
					t.Errorf("%q has the text %q", name, text)
				}
			}
		}
		if n, err := in.number(name); err != nil {
			wantClientError(t, err)
		} else if n < 0 || n == 0 && in[name] != nil {
			t.Errorf("%q is the number %d", name, n)
		}
		if _, err := in.flag(name); err != nil {
			wantClientError(t, err)
		}
		if _, err := in.name(name); err != nil {
			wantClientError(t, err)
		}
		if part, err := in.in(name); err != nil {
			wantClientError(t, err)
		} else {
			part.all(t)
		}
	}
	if rest, err := in.changed(); err != nil {
		wantClientError(t, err)
	} else if len(rest) > len(in) {
		t.Errorf("%v is more than %v", rest, in)
	}
	if _, err := newPost(in); err != nil {
		wantClientError(t, err)
	}
}

// FuzzJSONInput: a body of JSON is refused, or becomes a tree no larger than the body.
func FuzzJSONInput(f *testing.F) {
	for _, body := range []string{
		"", " ", "null", "{}", "[]", "7", `"x"`, "{", `{}{}`, `{"post":{"text":"hoi","timelines":["user"],"nsfw":"false"},"_uuid":"0f8fad5b-d9cb-469f-a165-70867728950e"}`,
		`{"post":7,"upto":"12","was":{"name":"x"},"name":["x"]}`, `{"a":1e400,"b":-0,"c":1.5,"d":9223372036854775808}`, `{"a":"\ud800","b":"\u0000"}`, "{\"a\":\"\xff\"}",
		`{"user":{"name":"@anna "}, "to":"a, b;c"}`, `{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":1}}}}}}}}}}`, strings.Repeat(`{"a":`, 300), strings.Repeat("[", 300), "\ufeff{}",
		`{"post":{"id":"1","comments_disable":1,"lang":null}}`, `{"was":{"a":["y","x"]},"a":["x","y"]}`, `{"a":true,"a":false}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		in, err := jsonInput(body)
		if err != nil {
			wantClientError(t, err)
			return
		}
		if d := deep(in); d > levels+1 {
			t.Fatalf("%d levels", d)
		}
		in.all(t)
		// The input equals the value that encoding/json reads.
		again, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		if len(again) > 6*len(body)+8 { // \u0001 for a byte
			t.Errorf("%d bytes are %d", len(body), len(again))
		}
	})
}

// FuzzFormInput: a form is refused, or becomes a tree no larger than the form. A form and a JSON
// body with the same content give the same tree.
func FuzzFormInput(f *testing.F) {
	for _, body := range []string{
		"", "a=b", "post[text]=hoi&post[timelines][]=user&post[timelines][]=group:x", "a=1&a[b]=2", "a[b]=1&a=2", "a[]=1&a=2", "a[][b]=1", "[]=1", "]=1", "[[[=1", "a[b][c][d][e][f][g][h][i][j]=1",
		"a]=1&a=2", "%ff=1", "a=%ff", "a=%00", "a=%zz", "a;b=1", "was[name]=x&name=x", "was=1&name=x", "_method=DELETE", "a[=1", "a[b=1", "post=1", "post[id]=7&upto=+7", strings.Repeat("a[", 200) + "=1",
		"user[email]=anna&user[password]=x&user[remember_me]=0&user[remember_me]=1&utf8=%E2%9C%93&commit=Sign+in",
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		form, err := url.ParseQuery(body)
		if err != nil {
			return
		}
		in, err := formInput(form)
		if err != nil {
			wantClientError(t, err)
			return
		}
		if d := deep(in); d > levels+1 {
			t.Fatalf("%d levels of %q", d, body)
		}
		in.all(t)
	})
}

// FuzzReadInput: a request's body is read or refused according to its Content-Type.
func FuzzReadInput(f *testing.F) {
	for _, kind := range []string{"", "application/json", "application/json; charset=utf-8", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", "application/merge-patch+json", "image/png", ";", "a/b; c", "multipart/form-data"} {
		for _, body := range []string{"", "{}", "a=b", "--x\r\nContent-Disposition: form-data; name=\"post[text]\"\r\n\r\nhoi\r\n--x--\r\n", "--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"g\"\r\n\r\nhoi\r\n--x--\r\n", "--x"} {
			f.Add(kind, []byte(body))
		}
	}
	f.Fuzz(func(t *testing.T, kind string, body []byte) {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(string(body)))
		r.Header = http.Header{"Content-Type": {kind}}
		if err := readForm(r, 256<<10); err != nil {
			wantClientError(t, err)
			return
		}
		in, err := readInput(r)
		if err != nil {
			wantClientError(t, err)
			return
		}
		in.all(t)
		if r.MultipartForm != nil {
			_ = r.MultipartForm.RemoveAll() // as a server does
		}
	})
}

// FuzzTypedNames: names in a typed list contain no separators.
func FuzzTypedNames(f *testing.F) {
	for _, text := range []string{"", "@anna, bert;carl\tdora\r\nemre", "@@a", ",,,", "a b", "\u00a0a"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range typedNames(text) {
			if strings.ContainsAny(name, ",; \t\r\n") || len(name) > len(text) {
				t.Errorf("%q has the name %q", text, name)
			}
		}
	})
}

// FuzzSentences: each error of an input is shown as a sentence.
func FuzzSentences(f *testing.F) {
	f.Add("text", "is empty")
	f.Add("_uuid", "is not a UUID.")
	f.Add("q", "ß")
	f.Add("", "")
	f.Fuzz(func(t *testing.T, field, reason string) {
		if got := sentence(inWords(field) + " " + reason); got != "" && !strings.HasSuffix(got, ".") {
			t.Errorf("%q", got)
		}
		err := errors.Join(errBody, &timeline.InvalidError{Field: field, Reason: reason})
		if f := explain(err); f.Status != 422 || len(f.Fields) != 1 {
			t.Errorf("%+v", f)
		}
	})
}
