package main

import (
	"context"
	"net/netip"
	"net/url"
	"strings"

	"amstel.dev/amstel/cmd/internal/node"
	"amstel.dev/amstel/internal/metrics"
)

// A measuring holds the flags for the metrics of a role: the address that serves the metrics,
// and the networks that may read them.
type measuring struct {
	Metrics     string         `placeholder:"ADDRESS" help:"Serve /metrics and /healthz at this address, apart from the site."`
	MetricsFrom []netip.Prefix `placeholder:"CIDR,..." help:"Networks that may read /metrics, directly and not through a proxy (this machine and private networks)."`
}

// readers returns the rule for the readers of metrics. The address is the public address
// of the site, or empty if the site has none.
func (s measuring) readers(address string) metrics.Readers {
	r := metrics.Readers{From: s.MetricsFrom}
	if u, err := url.Parse(address); err == nil && !local(u.Hostname()) {
		r.Site = u.Hostname()
	}
	return r
}

// local reports whether a host can be reached only from this machine or a private network. Such a host
// does not identify the site: a request that names it need not have come through a proxy.
func local(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsUnspecified()
	}
	return host == "" || host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// listenMetrics opens the listener for metrics. It returns nil without --metrics.
func (s measuring) listenMetrics(ctx context.Context, m *metrics.Metrics) (*node.Gauge, error) {
	if s.Metrics == "" {
		return nil, nil
	}
	listener, err := listenAs(ctx, "--metrics", s.Metrics)
	if err != nil {
		return nil, err
	}
	return node.NewGauge(listener, s.readers("").Only(m.Handler())), nil
}
