package main

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"amstel.dev/amstel/cmd/internal/node"
	"amstel.dev/amstel/internal/metrics"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// nodeSettings are those of every role that serves pages.
type nodeSettings struct {
	URL        string         `placeholder:"ADDRESS" help:"Public address of the site, like https://amstel.example (the one listened on)."`
	TrustProxy []netip.Prefix `placeholder:"CIDR,..." help:"Proxies whose X-Forwarded-For is believed; no others are."`
	Language   string         `default:"en" enum:"en,ru" placeholder:"CODE" help:"Language of the pages of readers who did not choose one, and whose browser asks for none that there is: en or ru (${default})."`
	River      string         `placeholder:"FILE" help:"River DB of this node, which no other may use, and which may be lost at any time (in --data)."`
	RiverSize  byteSize       `default:"4GiB" placeholder:"SIZE" help:"Size that the river DB and its journal may have; beyond it pages go that nobody looked at for longest (${default})."`
	Memory     *byteSize      `placeholder:"SIZE" help:"Memory that pages may take, open ones apart; beyond it those go that nobody looked at for longest (a quarter of the memory that the process may have, at most 2GiB)."`
	GraceHome  time.Duration  `default:"24h" placeholder:"TIME" help:"A home river that nobody looked at for so long goes (${default})."`
	Grace      time.Duration  `default:"4h" placeholder:"TIME" help:"The same for any other river (${default})."`
	Deepest    int            `default:"500" placeholder:"ENTRIES" help:"Entries that a river may hold; pages deeper down are read from the primary (${default})."`
	Writes     int            `default:"600" placeholder:"NUMBER" help:"Writes that one account may make a minute (${default})."`
	Drain      time.Duration  `default:"8s" placeholder:"TIME" help:"How long open pages and requests have to end when the node is told to stop (${default})."`
	DrainPause time.Duration  `default:"0s" placeholder:"TIME" help:"How much of that it goes on as before, but for saying that it is not ready, so that a balancer notices (${default})."`
	measuring
	logging
	LogRequests bool `help:"Log every request, too, without saying whose it is."`
}

const (
	leastMemory    = 16 * mib
	leastRiverSize = 256 * mib
)

// Validate refuses what would be taken for "not set", or means nothing.
func (s nodeSettings) Validate() error {
	for _, one := range []struct {
		flag string
		ok   bool
	}{
		{"--grace-home", s.GraceHome > 0},
		{"--grace", s.Grace > 0},
		{"--deepest", s.Deepest > 0},
		{"--writes", s.Writes > 0},
		{"--drain", s.Drain > 0},
	} {
		if !one.ok {
			return fmt.Errorf("%s must be more than 0", one.flag)
		}
	}
	if s.RiverSize < leastRiverSize {
		return errors.New("--river-size must be 256MiB or more")
	}
	if s.Memory != nil && *s.Memory < leastMemory {
		return errors.New("--memory must be 16MiB or more")
	}
	if slices.ContainsFunc(s.TrustProxy, func(p netip.Prefix) bool { return !p.IsValid() }) {
		return errors.New("--trust-proxy has an empty place: name CIDRs, parted by commas")
	}
	if s.DrainPause < 0 || s.DrainPause >= s.Drain {
		return errors.New("--drain-pause must be less than --drain, and not negative")
	}
	return nil
}

// open puts a node together, whose site is at a public address.
func (s nodeSettings) open(ctx context.Context, store *timeline.Store, public, path string, to streams) (*node.Node, error) {
	counted := metrics.New(versionName())
	gauge, err := s.listenMetrics(ctx, counted)
	if err != nil {
		return nil, err
	}
	counted.Pool(store.Pool().Stat)
	language, _ := catalogue.Find(s.Language) // the parser takes no other
	config := node.Config{
		Language: language,
		Store:    store, River: path, URL: public, Log: s.logger(to), Version: versionName(), Metrics: counted, Gauge: gauge, Reached: reached,
		Settings:   river.Settings{Grace: s.Grace, GraceHome: s.GraceHome, Deepest: s.Deepest, RiverDB: int64(s.RiverSize)},
		TrustProxy: s.TrustProxy, WritesPerMinute: s.Writes, LogRequests: s.LogRequests,
		Drain: s.Drain, DrainPause: s.DrainPause,
	}
	if s.Memory != nil {
		config.Settings.Memory = int64(*s.Memory)
	}
	if s.URL != "" {
		config.Origin = public
	}
	if gauge == nil {
		config.MayMeasure = s.readers(s.URL).May
	}
	n, err := node.Open(ctx, config)
	if bad, ok := errors.AsType[*node.ConfigError](err); ok {
		return nil, &settingError{bad.Error()}
	}
	return n, err
}
