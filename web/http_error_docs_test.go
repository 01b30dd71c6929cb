package web

import (
	"maps"
	"net/http"
	"slices"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/openapi"
)

// TestOpenAPINamesEveryFailure compares the failures that a client can be told with those of the
// OpenAPI document, both ways: the codes of each status, and the sentences of the examples.
func TestOpenAPINamesEveryFailure(t *testing.T) {
	t.Parallel()
	told := map[int]map[string][]string{} // sentences, by status and code
	add := func(f failure) {
		if told[f.Status] == nil {
			told[f.Status] = map[string][]string{}
		}
		told[f.Status][f.Code] = append(told[f.Status][f.Code], f.Sentence)
	}
	for _, row := range failures {
		add(explain(row.err))
	}
	add(explain(errPanic))
	add(explain(&scopeError{timeline.ScopeWrite}))
	add(explain(&timeline.RefusedError{}))
	add(explain(&timeline.LeavingError{EraseAt: time.Date(2026, time.December, 10, 0, 0, 0, 0, time.UTC)}))
	add(explain(&timeline.InvalidError{Field: "text", Reason: "is empty"}))
	add(explain(&http.MaxBytesError{Limit: 256 << 10}))
	for what, limit := range map[string]int64{"file": 20 << 20, "person": 500 << 20, "unattached": 100, "site": 0} {
		add(explain(&timeline.QuotaError{What: what, Limit: limit, Left: limit / 100}))
	}
	documented := openapi.Failures()
	for status, codes := range told {
		for code, sentences := range codes {
			if example, is := documented[status][code]; !is || !slices.Contains(sentences, example) {
				t.Errorf("web/openapi/common.yaml has %d %s: %q; want one of %q", status, code, example, sentences)
			}
		}
	}
	for status, codes := range documented {
		for code := range maps.Keys(codes) {
			if told[status][code] == nil {
				t.Errorf("web/openapi/common.yaml has %d %s, which no client is told", status, code)
			}
		}
	}
}
