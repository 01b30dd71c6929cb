package main

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"time"

	"amstel.dev/amstel/cmd/internal/node"
	"amstel.dev/amstel/internal/export"
	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/internal/intake"
	"amstel.dev/amstel/internal/mail"
	"amstel.dev/amstel/internal/metrics"
	"amstel.dev/amstel/internal/push"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/exporter"
	"amstel.dev/amstel/timeline/inbox"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/page"
)

// nodeSettings are the flags of every role that serves pages.
type nodeSettings struct {
	URL        string         `placeholder:"ADDRESS" help:"Public address of the site, such as https://amstel.example (the address that the node listens on)."`
	TrustProxy []netip.Prefix `placeholder:"CIDR,..." help:"Proxies whose X-Forwarded-For header is trusted."`
	Language   string         `default:"en" enum:"en,ru" placeholder:"CODE" help:"Language of pages for readers who chose none and whose browser asks for no language that the site has: en or ru (${default})."`
	River      string         `placeholder:"FILE" help:"File of this node's river DB. No other node may use it. It may be deleted while the node is stopped (in --data)."`
	RiverSize  byteSize       `default:"4GiB" placeholder:"SIZE" help:"Largest size of the river DB with its journal. Above it, the pages that were not visited for the longest time are dropped (${default})."`
	Memory     *byteSize      `placeholder:"SIZE" help:"Memory for pages that are not open. Above it, the pages that were not visited for the longest time are dropped (a quarter of the memory that the process may have, at most 2GiB)."`
	GraceHome  time.Duration  `default:"24h" placeholder:"TIME" help:"Time after which a home that was not visited is dropped (${default})."`
	Grace      time.Duration  `default:"4h" placeholder:"TIME" help:"Time after which any other page that was not visited is dropped (${default})."`
	Deepest    int            `default:"500" placeholder:"ENTRIES" help:"Largest number of entries that a river holds. Pages further down are read from the primary (${default})."`
	Shallow    int            `default:"60" placeholder:"ENTRIES" help:"Largest number of entries of a river whose readers look only at its first page. With the value of --deepest, all rivers have the same depth (${default})."`
	Ahead      int            `default:"30" placeholder:"NUMBER" help:"Largest number of homes in a minute that an idle node builds before their regular readers come. 0 builds none (${default})."`
	Writes     int            `default:"600" placeholder:"NUMBER" help:"Writes that one account may make in a minute (${default})."`
	Drain      time.Duration  `default:"8s" placeholder:"TIME" help:"Time that open pages and requests have to end when the node stops (${default})."`
	DrainPause time.Duration  `default:"0s" placeholder:"TIME" help:"Part of --drain for which the node still serves everything but says that it is not ready, so that a load balancer notices (${default})."`
	fileSettings
	mailSettings
	pushSettings
	measuring
	logging
	LogRequests bool `help:"Log every request, without its viewer."`
}

const (
	leastMemory    = 16 * mib
	leastRiverSize = 256 * mib
)

// Validate returns an error for a value that later code would take for "not set", or that makes no
// sense.
func (s nodeSettings) Validate() error {
	for _, limit := range []struct {
		flag string
		ok   bool
	}{
		{"--grace-home", s.GraceHome > 0},
		{"--grace", s.Grace > 0},
		{"--deepest", s.Deepest > 0},
		{"--shallow", s.Shallow > 0},
		{"--writes", s.Writes > 0},
		{"--drain", s.Drain > 0},
	} {
		if !limit.ok {
			return fmt.Errorf("%s must be more than 0", limit.flag)
		}
	}
	if s.Ahead < 0 || s.Ahead > 600 {
		return errors.New("--ahead must be a number from 0 to 600")
	}
	if s.RiverSize < leastRiverSize {
		return errors.New("--river-size must be 256MiB or more")
	}
	if s.Memory != nil && *s.Memory < leastMemory {
		return errors.New("--memory must be 16MiB or more")
	}
	if slices.ContainsFunc(s.TrustProxy, func(p netip.Prefix) bool { return !p.IsValid() }) {
		return errors.New("--trust-proxy has an empty element: separate CIDRs by single commas")
	}
	if s.DrainPause < 0 || s.DrainPause >= s.Drain {
		return errors.New("--drain-pause must be less than --drain, and not negative")
	}
	return errors.Join(s.fileSettings.Validate(), s.mailSettings.Validate())
}

// open assembles a node. public is the public address of the site, path the file of the river DB.
func (s nodeSettings) open(ctx context.Context, store *timeline.Store, inboxes *inbox.Source, files filestore.Store, transport mail.Transport, public, path string, to streams) (*node.Node, error) {
	counted := metrics.New(versionName())
	gauge, err := s.listenMetrics(ctx, counted)
	if err != nil {
		return nil, err
	}
	counted.Pool(store.Pool().Stat)
	log := s.logger(to)
	language, _ := catalogue.Find(s.Language) // the parser accepts only known languages
	counted.Previews()
	counted.Intakes()
	counted.Mails()
	counted.Pushes()
	keeper, previews := s.fileWorkers(store, files, public, log, counted.Preview)
	exports := export.New(store, files, export.Options{
		Pages: func(lang string) exporter.Pages {
			if read, known := catalogue.Find(lang); known {
				return page.Export{Language: read, Site: public}
			}
			return page.Export{Language: language, Site: public}
		},
		Log: log, Reached: reached,
	})
	intakes := intake.New(store, intake.Options{URL: public, Log: log, Done: counted.Intake})
	var mails *mail.Worker
	if transport != nil {
		mails = mail.New(store, transport, mail.Options{URL: public, Language: language, Log: log, Done: counted.Mail, Reached: reached, Notices: mailNotices})
	}
	var pushes *push.Worker
	if s.Push {
		pushes = push.New(store, push.Options{URL: public, Language: language, Log: log, Done: counted.Push, Reached: reached, Write: pushWords, Permit: permitted})
	}
	config := node.Config{
		Language: language,
		Store:    store, Inboxes: inboxes, Keeper: keeper, Previews: previews, Intakes: intakes, Mails: mails, Pushes: pushes, Exports: exports, River: path, URL: public, Log: log, Version: versionName(), Metrics: counted, Gauge: gauge, Reached: reached,
		Settings:   river.Settings{Grace: s.Grace, GraceHome: s.GraceHome, Deepest: s.Deepest, Shallow: s.Shallow, RiverDB: int64(s.RiverSize)},
		TrustProxy: s.TrustProxy, WritesPerMinute: s.Writes, Ahead: s.Ahead, LogRequests: s.LogRequests,
		Drain: s.Drain, DrainPause: s.DrainPause,
	}
	if at, err := url.Parse(public); err == nil && isLoopback(at.Hostname()) { // the mails sign people in
		config.KeptMail, _ = transport.(mail.Keeper)
	}
	if s.Memory != nil {
		config.Settings.Memory = int64(*s.Memory)
	}
	if s.URL != "" {
		config.Origin = public
	}
	if gauge == nil {
		config.MayMeasure = s.readers(s.URL).Allows
	}
	n, err := node.Open(ctx, config)
	if bad, ok := errors.AsType[*node.ConfigError](err); ok {
		return nil, &settingError{bad.Error()}
	}
	return n, err
}
