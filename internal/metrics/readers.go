package metrics

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Readers decides which clients may read a server's metrics: clients that connect to the process
// directly, from certain networks. A request through a proxy may come from anywhere, even from a
// connection of this machine, and is refused.
type Readers struct {
	// From are the networks. Empty means this machine and private networks.
	From []netip.Prefix
	// Site is the public host of the site, or empty. A request that names this host came through
	// a proxy, even if the proxy adds no header.
	Site string
}

// near are the networks from which no request comes over the Internet.
var near = []netip.Prefix{
	netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128"),
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("172.16.0.0/12"), netip.MustParsePrefix("192.168.0.0/16"),
	netip.MustParsePrefix("fc00::/7"),
}

// forwarding are the headers that proxies add.
var forwarding = []string{
	"Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Port", "X-Forwarded-Proto", "X-Forwarded-Server",
	"X-Real-Ip", "X-Client-Ip", "X-Cluster-Client-Ip", "X-Original-Forwarded-For", "X-Envoy-External-Address",
	"True-Client-Ip", "Cf-Connecting-Ip", "Fly-Client-Ip", "Fastly-Client-Ip",
}

// Allows reports whether a request may read the metrics.
func (r Readers) Allows(request *http.Request) bool {
	for _, name := range forwarding {
		if _, found := request.Header[name]; found {
			return false
		}
	}
	if r.Site != "" && strings.EqualFold(hostOf(request.Host), hostOf(r.Site)) {
		return false
	}
	peer, err := netip.ParseAddrPort(request.RemoteAddr)
	if err != nil {
		return false
	}
	address := peer.Addr().Unmap().WithZone("")
	from := r.From
	if len(from) == 0 {
		from = near
	}
	for _, prefix := range from {
		if prefix.Contains(address) {
			return true
		}
	}
	return false
}

// hostOf returns a host without its port.
func hostOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.Trim(host, "[]")
}

// Only returns a handler that serves next to readers, and answers 404 to other clients.
func (r Readers) Only(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if !r.Allows(request) {
			http.NotFound(w, request)
			return
		}
		next.ServeHTTP(w, request)
	})
}
