package importer

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"amstel.dev/amstel/internal/sample"
)

func TestParse(t *testing.T) {
	t.Parallel()
	got, err := parse(7, []byte("  {\"at\": \"2015-06-07T12:00:30.1239Z\", \"text\":\"\\\"q\\\" \\\\ \\u00e9 e\\u0301 \\ud83d\\ude80 \ufffd \\uFFFD\",\"to\":[ \"anna\", \"direct:boris\" ],\r\n \"author\":\"anna\",\"id\":\"p 1\",\"type\":\"post\"}\r"), false)
	if err != nil {
		t.Fatal(err)
	}
	want := &line{
		number: 7, kind: kindPost, id: "p 1", user: "anna", names: []string{"anna", "direct:boris"},
		text: "\"q\" \\ é é 🚀 \ufffd \ufffd", at: time.Date(2015, 6, 7, 12, 0, 30, 123e6, time.UTC),
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(line{}), cmpopts.IgnoreTypes(sync.Once{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestKeysOfKindsAreApart(t *testing.T) {
	t.Parallel()
	// parse puts both keys into one field, since no type of line has both.
	for k := range kinds {
		for _, pair := range [][]string{{"user", "author"}, {"target", "post", "comment"}, {"admins", "to", "members"}} {
			n := 0
			for _, key := range pair {
				if slices.Contains(keysOf(k), key) {
					n++
				}
			}
			if n > 1 {
				t.Errorf("a %s has several of %q", k, pair)
			}
		}
	}
}

// FuzzParse compares parse with encoding/json: both read the same from each line that parse
// accepts.
func FuzzParse(f *testing.F) {
	for line := range bytes.Lines(sample.Bytes()) {
		f.Add(line)
	}
	f.Add([]byte(`{"type":"like","user":"\ud83d","post":"\uFFFD","at":"2015-06-07T12:00:30Z"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := decode(data)
		if err != nil {
			return
		}
		var want map[string]any
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatalf("taken, but %v", err)
		}
		got := make(map[string]any)
		for key, text := range o.values {
			got[key] = text
		}
		for key, texts := range o.lists {
			list := make([]any, 0, len(texts))
			for _, text := range texts {
				list = append(list, text)
			}
			got[key] = list
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-json +got):\n%s", diff)
		}
		for _, key := range slices.Collect(maps.Keys(o.values)) {
			if strings.ToLower(key) != key {
				t.Errorf("took key %q", key)
			}
		}
		if l, err := parse(1, data, false); err == nil && (l.at.Nanosecond()%1e6 != 0 || l.at.Location() != time.UTC) {
			t.Errorf("took time %v", l.at)
		}
	})
}
