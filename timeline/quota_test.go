package timeline

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"
)

// TestCountRequests: the counts of an hour are sums over all callers, whatever the order of the keys in
// each call. They are deleted countsKept after the hour.
func TestCountRequests(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	hour := HourOf(s.clock)
	keys := []string{"token 1", "person 1", "address 192.0.2.1/32"}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			counts := []RequestCount{{keys[0], 1}, {keys[1], 2}, {keys[2], 3}}
			if i%2 == 1 {
				slices.Reverse(counts)
			}
			for range 5 {
				if _, err := s.CountRequests(context.Background(), hour, counts); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	sums, err := s.CountRequests(t.Context(), hour, []RequestCount{{keys[2], 1}, {"token 2", 5}, {keys[0], 10}})
	if err != nil || !slices.Equal(sums, []int{121, 5, 50}) {
		t.Errorf("the sums are %v, %v", sums, err)
	}
	sums, err = s.CountedRequests(t.Context(), hour, []string{"token 2", "token 3", keys[1], keys[0]})
	if err != nil || !slices.Equal(sums, []int{5, 0, 80, 50}) {
		t.Errorf("the counts are %v, %v", sums, err)
	}
	if sums, err = s.CountedRequests(t.Context(), hour+1, keys); err != nil || !slices.Equal(sums, []int{0, 0, 0}) {
		t.Errorf("the counts of the next hour are %v, %v", sums, err)
	}
	rows := func() int { return one[int](s, `select count(*) from request_counts`) }
	s.clock = time.Unix(int64(hour+1)*3600, 0).Add(countsKept - time.Minute)
	s.must(s.PrunePrimary(t.Context(), Ages{}))
	if n := rows(); n != 4 {
		t.Errorf("%d counts are left within an hour after theirs", n)
	}
	s.clock = s.clock.Add(time.Minute)
	s.must(s.PrunePrimary(t.Context(), Ages{}))
	if n := rows(); n != 0 {
		t.Errorf("%d counts of past hours are left", n)
	}
}
