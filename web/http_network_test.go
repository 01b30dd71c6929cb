package web

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
)

func TestClientNetworkIsTheIPv4AddressOrTheIPv6Network(t *testing.T) {
	t.Parallel()
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for _, tt := range []struct {
		name, from string
		forwarded  []string
		trusted    []netip.Prefix
		want       string
	}{
		{"IPv4", "203.0.113.7:4711", nil, nil, "203.0.113.7/32"},
		{"IPv4 on an IPv6 socket", "[::ffff:203.0.113.7]:4711", nil, nil, "203.0.113.7/32"},
		{"IPv6", "[2001:db8:1:2:3:4:5:6]:4711", nil, nil, "2001:db8:1:2::/64"},
		{"IPv6 with a zone", "[fe80::1%eth0]:4711", nil, nil, "fe80::/64"},
		{"no address", "@", nil, nil, "invalid Prefix"},
		{"forwarded, and no proxy is trusted", "203.0.113.7:4711", []string{"198.51.100.1"}, nil, "203.0.113.7/32"},
		{"forwarded by a stranger", "203.0.113.7:4711", []string{"198.51.100.1"}, proxies, "203.0.113.7/32"},
		{"forwarded by a trusted proxy", "10.0.0.2:4711", []string{"2001:db8:1:2::9"}, proxies, "2001:db8:1:2::/64"},
		{"forwarded by a trusted proxy on an IPv6 socket", "[::ffff:10.0.0.2]:4711", []string{"198.51.100.1"}, proxies, "198.51.100.1/32"},
		{"an IPv4 address in IPv6 form", "10.0.0.2:4711", []string{"::ffff:198.51.100.1"}, proxies, "198.51.100.1/32"},
		{"made up before the proxy", "10.0.0.2:4711", []string{"1.2.3.4, 198.51.100.1"}, proxies, "198.51.100.1/32"},
		{"made up in a header of its own", "10.0.0.2:4711", []string{"1.2.3.4", "198.51.100.1"}, proxies, "198.51.100.1/32"},
		{"made up to look like a proxy", "10.0.0.2:4711", []string{"1.2.3.4, 198.51.100.1, ::ffff:10.0.0.9"}, proxies, "198.51.100.1/32"},
		{"not to be read", "10.0.0.2:4711", []string{"1.2.3.4, nonsense"}, proxies, "invalid Prefix"},
		{"a trusted proxy that forwards none", "10.0.0.2:4711", nil, proxies, "invalid Prefix"},
	} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
		r.RemoteAddr = tt.from
		r.Header["X-Forwarded-For"] = tt.forwarded
		var got netip.Prefix
		clientAddress(tt.trusted)(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			got = ClientNetwork(r.Context())
		})).ServeHTTP(httptest.NewRecorder(), r)
		if got.String() != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
