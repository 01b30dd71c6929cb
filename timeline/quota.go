package timeline

import (
	"context"
	"math"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// Quotas say how many requests may be made in an hour of the clock; 0: any number. A request with a
// token counts for the token and for its person, a request with a session for the person, and any
// other request for the client's address.
type Quotas struct {
	Token, Person, Address int
}

// mostQuota is the greatest quota that can be set.
const mostQuota = 1_000_000_000

// fields returns the settings of the quotas.
func (q *Quotas) fields() []siteField {
	one := func(key, whose string, value *int, initial int) siteField {
		return siteField{
			key: "quotas." + key, initial: float64(initial), value: value, whole: true,
			about:  "How many requests " + whose + " may make in an hour, on all servers together. 0: any number.",
			orZero: true, least: 1, most: mostQuota, bounds: "is a whole number from 0, which means no limit, to 1000000000",
		}
	}
	return []siteField{
		one("token", "a token", &q.Token, 5_000),
		one("person", "a person, with all of their tokens and sessions,", &q.Person, 20_000),
		one("address", "an address (an IPv4 address or an IPv6 /64), without signing in,", &q.Address, 10_000),
	}
}

// HourOf returns the hour of the clock that a time is in, counted since 1970.
func HourOf(t time.Time) int { return int(math.Floor(float64(t.Unix()) / 3600)) }

// A RequestCount is a number of requests of a token, a person or an address.
type RequestCount struct {
	Key string
	N   int
}

// CountRequests adds counts to the numbers of requests made in an hour, and returns the sums of all
// nodes, in the order of counts. No two of the counts may have the same key.
func (s *Store) CountRequests(ctx context.Context, hour int, counts []RequestCount) (sums []int, err error) {
	defer primary.Wrap(&err, "count requests of hour %d", hour)
	// All statements lock the rows in the order of their keys, so that two statements never wait
	// for each other.
	const query = `
		insert into request_counts as c (key, hour, used)
		select key, $1, n from unnest($2::text[], $3::bigint[]) as new (key, n) order by key
		on conflict (key, hour) do update set used = c.used + excluded.used
		returning key, used`
	keys, ns := make([]string, len(counts)), make([]int64, len(counts))
	place := make(map[string]int, len(counts))
	for i, one := range counts {
		keys[i], ns[i], place[one.Key] = one.Key, int64(one.N), i
	}
	rows, err := s.db.Pool.Query(ctx, query, hour, keys, ns)
	if err != nil {
		return nil, err
	}
	sums = make([]int, len(counts))
	var key string
	var used int
	_, err = pgx.ForEachRow(rows, []any{&key, &used}, func() error {
		sums[place[key]] = used
		return nil
	})
	return sums, err
}

// CountedRequests returns the numbers of requests that all nodes have counted in an hour so far, in
// the order of the keys.
func (s *Store) CountedRequests(ctx context.Context, hour int, keys []string) (sums []int, err error) {
	defer primary.Wrap(&err, "counted requests of hour %d", hour)
	const query = `
		select coalesce(c.used, 0)
		from unnest($2::text[]) with ordinality as k (key, n) left join request_counts c on c.key = k.key and c.hour = $1
		order by k.n`
	rows, err := s.db.Pool.Query(ctx, query, hour, keys)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int])
}
