package metrics

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Readers are who may read a server's metrics: whoever asks the process itself,
// from one of the addresses. What came through a proxy comes from anywhere,
// whatever the address that it came from: often it is this machine's own.
type Readers struct {
	// From are the addresses; none: this machine's, and those of private networks.
	From []netip.Prefix
	// Site is the host that the site is known by to everybody, if one is; a
	// request that names it came through a proxy, even where that adds no header.
	Site string
}

// near are the addresses from which nobody asks over the Internet.
var near = []netip.Prefix{
	netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128"),
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("172.16.0.0/12"), netip.MustParsePrefix("192.168.0.0/16"),
	netip.MustParsePrefix("fc00::/7"),
}

// forwarding are the headers by which proxies say whom they ask for.
var forwarding = []string{
	"Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Port", "X-Forwarded-Proto", "X-Forwarded-Server",
	"X-Real-Ip", "X-Client-Ip", "X-Cluster-Client-Ip", "X-Original-Forwarded-For", "X-Envoy-External-Address",
	"True-Client-Ip", "Cf-Connecting-Ip", "Fly-Client-Ip", "Fastly-Client-Ip",
}

// May says whether a request is one of theirs.
func (r Readers) May(request *http.Request) bool {
	for _, name := range forwarding {
		if _, has := request.Header[name]; has {
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

// hostOf is a host without its port.
func hostOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.Trim(host, "[]")
}

// Only lets readers through, and has nothing for others.
func (r Readers) Only(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if !r.May(request) {
			http.NotFound(w, request)
			return
		}
		next.ServeHTTP(w, request)
	})
}
