package pgserver

import (
	"os"
	"strings"
	"testing"
)

// FuzzState: each content of the file that says how to join the server is read as a state,
// or gives an error that names the file. The same goes for the version of the cluster.
func FuzzState(f *testing.F) {
	for _, text := range []string{"", "{}", "null", "[]", `{"owner":1,"postmaster":2,"socket":"/tmp/x"}`, `{"owner":-1,"postmaster":99999999999999999999}`, "\x00", `{"socket":7}`, "16", "16\n", "sixteen", "-1", " 17 "} {
		f.Add([]byte(text))
	}
	at := folder(f.TempDir())
	if err := os.MkdirAll(at.data(), 0o700); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, path := range []string{at.state(), at.data() + "/PG_VERSION"} {
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s, err := readState(at)
		if err != nil && !strings.Contains(err.Error(), at.state()) {
			t.Errorf("%q: %v does not name the file", text, err)
		}
		if err == nil && s.Postmaster > 0 {
			alive(s.Postmaster) // asks, and does nothing
		}
		if _, err := at.major(); err != nil && !strings.Contains(err.Error(), string(at)) {
			t.Errorf("%q: %v does not name the folder", text, err)
		}
	})
}
