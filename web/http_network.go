package web

import (
	"context"
	"net/netip"

	"github.com/go-chi/chi/v5/middleware"
)

// networkBits is the length of the prefix of an IPv6 address that names a client's
// network. A customer of a provider has a /64 at least, and can use any address in it, so
// a limit for single IPv6 addresses would be no limit.
const networkBits = 64

// ClientNetwork returns the network that limits on one client's use count: the IPv4 address as a
// /32, or the /64 of the IPv6 address. The context is of a request that passed the middleware of
// [Server]. X-Forwarded-For counts only from a trusted proxy ([Config.TrustProxy]).
// ClientNetwork returns the zero Prefix if the address is unknown, for example if a trusted
// proxy sends none: all such requests count as one client.
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
