package web

import (
	"context"
	"net/netip"

	"github.com/go-chi/chi/v5/middleware"
)

// networkBits is how much of an IPv6 address names a client's network. One
// customer of a provider has a /64 at least, and can take any address in that
// /64, so counting single IPv6 addresses bounds nothing.
const networkBits = 64

// ClientNetwork returns the network that a request counts as wherever the site
// bounds one client's use: the IPv4 address as a /32, or the /64 of the IPv6
// address. The context is that of a request that passed the middleware of
// [Server]. X-Forwarded-For counts only where it comes from a trusted proxy
// ([Config.TrustProxy]). ClientNetwork returns the zero Prefix where no address
// is known, as behind a trusted proxy that sends none: all such requests count
// as one client.
func ClientNetwork(ctx context.Context) netip.Prefix {
	address := middleware.GetClientIPAddr(ctx).Unmap()
	if address.Is4() {
		return netip.PrefixFrom(address, address.BitLen())
	}
	network, err := address.Prefix(networkBits) // which drops the zone
	if err != nil {
		return netip.Prefix{}
	}
	return network
}
