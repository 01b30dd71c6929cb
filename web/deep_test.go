package web_test

import (
	"context"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/web"
)

// askedFrom asks for a page from an address, as a proxy hands it on.
func (b *bundle) askedFrom(address, path string) (status int, header http.Header, body string) {
	request, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.http.URL+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	request.Header.Set("X-Forwarded-For", address)
	answer, err := b.http.Client().Do(request)
	if err != nil {
		b.t.Error(err)
		return 0, nil, ""
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		b.t.Error(err)
	}
	return answer.StatusCode, answer.Header, string(text)
}

func TestPageFarDownWaitsInItsClientsLine(t *testing.T) {
	t.Parallel()
	b := setupWith(t, pgtest.New(t), web.Config{TrustProxy: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("::1/128")}},
		river.Settings{Waiting: 1, Patience: 2 * time.Second}, "anna")
	tx, err := b.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	if _, err := tx.Exec(t.Context(), `lock table timeline_entries in access exclusive mode`); err != nil {
		t.Fatal(err)
	}
	type answer struct {
		status int
		header http.Header
		body   string
	}
	ask := func(address, path string) <-chan answer {
		c := make(chan answer, 1)
		go func() {
			var a answer
			a.status, a.header, a.body = b.askedFrom(address, path)
			c <- a
		}()
		return c
	}
	first := ask("2001:db8:1:2::1", "/filter/everything?order=top")
	for held := false; !held; {
		if err := b.pool.QueryRow(t.Context(), `select exists (select from pg_locks where relation = 'timeline_entries'::regclass and not granted
			and database = (select oid from pg_database where datname = current_database()))`).Scan(&held); err != nil {
			t.Fatal(err)
		}
	}
	// Of two more of its network one waits, until it has waited for long.
	second, third := ask("2001:db8:1:2::2", "/filter/everything.json?order=top"), ask("2001:db8:1:2::3", "/filter/everything.json?order=top")
	other := ask("2001:db8:1:3::1", "/filter/everything?order=top")
	one, two := <-second, <-third
	if one.status > two.status {
		one, two = two, one
	}
	for _, refused := range []struct {
		answer
		status int
		words  string
	}{
		{one, http.StatusTooManyRequests, "too many pages at once"},
		{two, http.StatusServiceUnavailable, "Try again in a moment"},
		{<-other, http.StatusServiceUnavailable, "Try again in a moment"},
	} {
		if refused.answer.status != refused.status || refused.header.Get("Retry-After") == "" || !strings.Contains(refused.body, refused.words) {
			t.Errorf("answered %d (Retry-After %q), want %d and %q: %s", refused.answer.status, refused.header.Get("Retry-After"), refused.status, refused.words, refused.body)
		}
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a := <-first; a.status != http.StatusOK {
		t.Errorf("the page that came first: %d", a.status)
	}
}

func TestPageBelowTheTenThousandthEntryIsRefusedInWords(t *testing.T) {
	t.Parallel()
	b := setup(t, "anna")
	for _, path := range []string{"/filter/everything?page=401", "/anna?page=101&count=100", "/filter/everything.json?page=401", "/anna.json?page=1000000"} {
		status, _, body := b.askedFrom("", path)
		if status != http.StatusUnprocessableEntity || !strings.Contains(body, "below the 10,000th entry; follow the older links") {
			t.Errorf("%s: %d, %s", path, status, body)
		}
	}
	if status, _, _ := b.askedFrom("", "/filter/everything?page=400"); status != http.StatusOK {
		t.Errorf("page 400: %d", status)
	}
}
