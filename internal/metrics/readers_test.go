package metrics

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
)

func TestReaders(t *testing.T) {
	t.Parallel()
	office := Readers{From: []netip.Prefix{netip.MustParsePrefix("203.0.113.0/24")}}
	site := Readers{Site: "amstel.example"}
	for _, tt := range []struct {
		name    string
		readers Readers
		from    string
		host    string
		header  string
		may     bool
	}{
		{"this machine", Readers{}, "127.0.0.1:4711", "", "", true},
		{"this machine, in the other family", Readers{}, "[::1]:4711", "", "", true},
		{"this machine, in both", Readers{}, "[::ffff:127.0.0.1]:4711", "", "", true},
		{"a private network", Readers{}, "10.1.2.3:4711", "10.1.2.4:8080", "", true},
		{"another", Readers{}, "192.168.1.1:4711", "", "", true},
		{"one with a zone", Readers{}, "[fd00::1%eth0]:4711", "", "", true},
		{"next to a private network", Readers{}, "172.32.0.1:4711", "", "", false},
		{"the Internet", Readers{}, "203.0.113.7:4711", "", "", false},
		{"no address", Readers{}, "@", "", "", false},
		{"a proxy on this machine", Readers{}, "127.0.0.1:4711", "", "X-Forwarded-For", false},
		{"one that says less", Readers{}, "127.0.0.1:4711", "", "X-Real-IP", false},
		{"one that says it the new way", Readers{}, "127.0.0.1:4711", "", "Forwarded", false},
		{"one that says only that there is one", Readers{}, "127.0.0.1:4711", "", "Via", false},
		{"one that says only how it was asked", Readers{}, "127.0.0.1:4711", "", "X-Forwarded-Proto", false},
		{"one that keeps to the site's name and says nothing", site, "127.0.0.1:4711", "Amstel.Example", "", false},
		{"the same on a port", site, "127.0.0.1:4711", "amstel.example:443", "", false},
		{"this machine under its own name", site, "127.0.0.1:4711", "localhost:8080", "", true},
		{"who may", office, "203.0.113.7:4711", "", "", true},
		{"who may, through a proxy", office, "203.0.113.7:4711", "", "X-Forwarded-For", false},
		{"this machine, where others may", office, "127.0.0.1:4711", "", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequestWithContext(t.Context(), "GET", "/metrics", nil)
			r.RemoteAddr = tt.from
			if tt.host != "" {
				r.Host = tt.host
			}
			if tt.header != "" {
				r.Header.Set(tt.header, "") // even with an empty value
			}
			if may := tt.readers.Allows(r); may != tt.may {
				t.Errorf("may: %v, want %v", may, tt.may)
			}
			w := httptest.NewRecorder()
			tt.readers.Only(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(w, r)
			if want := map[bool]int{true: 200, false: 404}[tt.may]; w.Code != want {
				t.Errorf("it answers %d, want %d", w.Code, want)
			}
		})
	}
}
