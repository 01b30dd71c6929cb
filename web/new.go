package web

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/go-chi/httprate"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/discover"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/cache"
	"amstel.dev/amstel/web/quota"
)

// New returns a Server, or an error if the URL is not that of a site.
func New(c Config) (*Server, error) {
	public, err := url.Parse(c.URL)
	if err != nil || public.Host == "" || public.Scheme != "http" && public.Scheme != "https" {
		return nil, fmt.Errorf("public address %q is not like https://amstel.example", c.URL)
	}
	setDefault(&c.Log, slog.New(slog.DiscardHandler))
	setDefault(&c.WritesPerMinute, 600)
	setDefault(&c.BodyLimit, 256<<10)
	setDefault(&c.HotBytes, 64<<20)
	setDefault(&c.BehindAfter, 2*time.Second)
	if c.Now == nil {
		c.Now = time.Now
	}
	found := discover.New(c.Store)
	s := &Server{
		store: c.Store, rivers: c.Rivers, log: c.Log, now: c.Now, config: c,
		public:       public.Scheme + "://" + public.Host,
		host:         public.Host,
		secure:       public.Scheme == "https",
		cookie:       cookieName(public.Scheme == "https"),
		origin:       http.NewCrossOriginProtection(),
		writes:       httprate.NewRateLimiter(c.WritesPerMinute, time.Minute, httprate.WithResponseHeaders(httprate.ResponseHeaders{RetryAfter: "Retry-After"})),
		emails:       httprate.NewRateLimiter(emailsPerHour, time.Hour, httprate.WithResponseHeaders(httprate.ResponseHeaders{RetryAfter: "Retry-After"})),
		pictures:     httprate.NewRateLimiter(picturesPerHour, time.Hour, httprate.WithResponseHeaders(httprate.ResponseHeaders{RetryAfter: "Retry-After"})),
		people:       &identities{store: c.Store, now: c.Now, held: cache.New[[32]byte, *timeline.Identity](identitiesHeld)},
		addresses:    address.New(c.Store, c.Rivers, c.Now, c.Log),
		discover:     found,
		counts:       newCounts(c.Store, c.Now, c.Log),
		joinedGroups: newJoinedGroups(c.Store, c.Now, c.Log),
		groupAdmins:  newGroupAdmins(c.Store, c.Now, c.Log),
		exclusions:   newExclusions(c.Store, c.Now, c.Log),
		devices:      &devices{store: c.Store, now: c.Now, log: c.Log, secure: public.Scheme == "https"},
		leftOffs:     newLeftOffs(c.Store, c.Now),
		quotas:       quota.New(c.Store, c.Now, 0),
		hot:          newHotPages(c.HotBytes),
		fragments:    newFragments(c.HotBytes),
		packer:       newPacker(c.HotBytes / 4),
		feedTimes:    feedTimes{cache.New[string, string](feedTimesHeld)},
		lists:        newLists(),

		peopleStandings: newStandings(found, timeline.WhatUser, peopleFresh, c.Now),
		groupStandings:  newStandings(found, timeline.WhatGroup, countsFresh, c.Now),
	}
	if err := s.origin.AddTrustedOrigin(s.public); err != nil {
		return nil, fmt.Errorf("public address %q: %w", c.URL, err)
	}
	s.routes = s.site(public)
	return s, nil
}

// setDefault sets a zero value to a default.
func setDefault[T comparable](v *T, otherwise T) {
	var zero T
	if *v == zero {
		*v = otherwise
	}
}
