package realtime

import (
	"encoding/json"
	"testing"

	"github.com/coder/websocket"

	"amstel.dev/amstel/river"
)

// FuzzParse reads random bytes as a client's frame: the frame is valid, or is refused with a
// reason that fits into a closing frame.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"type":"sub","river":"r","page":"/","epoch":"e","counter":7,"position":8,"have":[[1,"a"],[2,"b"]],"as":"html"}`,
		`{"type":"vis","hidden":true}`, `{}`, `[]`, `null`, `"`, `{"type":"sub","have":[[1]]}`, `{"type":"sub","counter":1e99}`,
		`{"type":"sub","river":"r","page":"/","counter":-9223372036854775808,"have":[[9223372036854775807,""]]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parse(websocket.MessageText, data)
		if err != nil {
			if reason := short(err.Error()); reason == "" || len(closing(CodeBad, reason)) > controlFrame {
				t.Errorf("refused because of %q", reason)
			}
			return
		}
		if !json.Valid(data) {
			t.Errorf("%q was read", data)
		}
		r := m.resume(river.At{})
		if (r.Counter == 0) != (m.Counter <= 0) || r.Counter < 0 || r.Counter == 0 && r.Epoch != "" || len(r.Have) != len(m.Have) {
			t.Errorf("%q is resumed from %+v", data, r)
		}
		if m.Type == "sub" && (m.River == "" || m.Page == "" || m.As != AsJSON && m.As != AsHTML) {
			t.Errorf("%q is a sub of %+v", data, m)
		}
	})
}
