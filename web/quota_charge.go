package web

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/quota"
)

// A usedUpError is the refusal of a request over a quota.
type usedUpError struct{ reset time.Duration }

func (e *usedUpError) Error() string { return fmt.Sprintf("a quota is used up for %v", e.reset) }

func (*usedUpError) Unwrap() error { return timeline.ErrThrottled }

// minutes returns the time until the next hour in minutes, rounded up.
func (e *usedUpError) minutes() int { return int((e.reset + time.Minute - 1) / time.Minute) }

// charge counts a request against the quotas of its token and of its person, or of its address, and
// returns a usedUpError if a quota is used up. Headers tell programs how many requests are left.
//
// Unknown addresses, and those of this machine itself, are not counted: such requests come through a proxy
// that is not set as trusted, and all visitors behind the proxy would share one quota.
func (s *Server) charge(w http.ResponseWriter, q *request) error {
	limits := s.rivers.Site().Quotas
	if !q.who.signedIn() {
		network := ClientNetwork(q.Context())
		if limits.Address == 0 || !network.IsValid() || network.Addr().IsLoopback() {
			return nil
		}
		return s.take(w, q, quota.OfNetwork(network), limits.Address)
	}
	if q.token {
		if err := s.take(w, q, quota.OfToken(q.who.TokenID), limits.Token); err != nil {
			return err
		}
	}
	return s.take(w, q, quota.OfPerson(q.who.User), limits.Person)
}

// take counts a request of a key that may make limit requests an hour; 0: any number.
func (s *Server) take(w http.ResponseWriter, q *request, k quota.Key, limit int) error {
	if limit == 0 {
		return nil
	}
	r := s.quotas.Take(q.Context(), k, limit)
	if !q.html || !r.OK {
		tellQuota(w.Header(), k.Kind(), r)
	}
	if !r.OK {
		return &usedUpError{r.Reset}
	}
	return nil
}

// The headers of quotas, as draft-ietf-httpapi-ratelimit-headers-10 of the IETF has them: lists of
// structured fields, here "token";q=5000;w=3600 and "token";r=4999;t=1200. Each has an item for each
// quota that the request counts for.
const (
	policyHeader = "RateLimit-Policy"
	leftHeader   = "RateLimit"
)

// tellQuota adds a quota to the headers of an answer.
func tellQuota(header http.Header, kind quota.Kind, r quota.Result) {
	name := kind.String()
	addItem(header, policyHeader, name, ";q=", r.Limit, ";w=", int(time.Hour/time.Second))
	addItem(header, leftHeader, name, ";r=", r.Left, ";t=", wholeSeconds(r.Reset))
	if !r.OK {
		header.Set("Retry-After", strconv.Itoa(wholeSeconds(r.Reset)))
	}
}

// addItem adds an item with two parameters to a header that is a list.
func addItem(header http.Header, field, name, first string, a int, second string, b int) {
	var buffer [128]byte
	item := buffer[:0]
	if before := header.Get(field); before != "" {
		item = append(append(item, before...), ", "...)
	}
	item = append(append(append(item, '"'), name...), '"')
	item = strconv.AppendInt(append(item, first...), int64(a), 10)
	item = strconv.AppendInt(append(item, second...), int64(b), 10)
	header.Set(field, string(item))
}

// wholeSeconds returns a duration in seconds, rounded up.
func wholeSeconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// SaveQuotas adds to the primary the requests that this node has counted. The node calls SaveQuotas
// every few seconds.
func (s *Server) SaveQuotas(ctx context.Context) error { return s.quotas.Save(ctx) }

// QuotaStats returns numbers about the quotas.
func (s *Server) QuotaStats() quota.Stats { return s.quotas.Stats() }
