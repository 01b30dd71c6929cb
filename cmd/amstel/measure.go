package main

import (
	"context"
	"net/netip"
	"net/url"
	"strings"

	"amstel.dev/amstel/cmd/internal/node"
	"amstel.dev/amstel/internal/metrics"
)

// measuring says who may read a role's metrics, and where.
type measuring struct {
	Metrics     string         `placeholder:"ADDRESS" help:"Serve /metrics, and /healthz, on a listener of their own."`
	MetricsFrom []netip.Prefix `placeholder:"CIDR,..." help:"Where /metrics may be asked for from, not through a proxy (this machine and private networks)."`
}

// readers are who may read the metrics of a site with that address, empty where
// it has none that everybody knows.
func (s measuring) readers(address string) metrics.Readers {
	r := metrics.Readers{From: s.MetricsFrom}
	if u, err := url.Parse(address); err == nil && !local(u.Hostname()) {
		r.Site = u.Hostname()
	}
	return r
}

// local says whether a host is a name or an address that only those nearby can
// use, who then may as well be asking themselves.
func local(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsUnspecified()
	}
	return host == "" || host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// listenMetrics opens the listener for metrics, if one is asked for.
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
