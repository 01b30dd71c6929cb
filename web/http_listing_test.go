package web_test

import (
	"context"
	"net/http"
	"net/netip"
	"testing"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/web"
)

// TestOneClientsListsLeaveSlotsToOthers: one client requests more lists than are read at a time,
// and all of them hang. Another client's list is still answered.
func TestOneClientsListsLeaveSlotsToOthers(t *testing.T) {
	t.Parallel()
	b := setupWith(t, pgtest.New(t), web.Config{TrustProxy: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("::1/128")}},
		river.Settings{}, "anna")
	likes := "/anna/" + b.as("anna").post("hello", "user") + "/likes.json"
	tx, err := b.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	if _, err := tx.Exec(t.Context(), `lock table subscriptions in access exclusive mode`); err != nil {
		t.Fatal(err)
	}
	const many = 8
	hanging := make(chan int, many)
	for range many {
		go func() {
			status, _, _ := b.askedFrom("192.0.2.1", "/anna/subscribers.json")
			hanging <- status
		}()
	}
	for held := 0; held == 0; {
		if err := b.pool.QueryRow(t.Context(), `select count(*) from pg_locks where relation = 'subscriptions'::regclass and not granted
			and database = (select oid from pg_database where datname = current_database())`).Scan(&held); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 * many {
		if status, _, body := b.askedFrom("192.0.2.2", likes); status != http.StatusOK {
			t.Fatalf("another client's list is answered with %d: %s", status, body)
		}
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range many {
		if status := <-hanging; status != http.StatusOK {
			t.Errorf("one that waited in line is answered with %d", status)
		}
	}
}
