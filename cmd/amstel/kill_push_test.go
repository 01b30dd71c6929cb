package main

import (
	"encoding/pem"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/pushtest"
	"amstel.dev/amstel/timeline"
)

// permitEnv is the environment variable that names the server of a test to which pushes may go.
const permitEnv = "AMSTEL_TEST_PERMIT"

// mayConnect lets this process send pushes to the server in permitEnv.
func mayConnect() {
	if at, err := netip.ParseAddrPort(os.Getenv(permitEnv)); err == nil {
		permitted = []netip.AddrPort{at}
	}
}

// TestPushKilled kills a node at each point of its work on a push. When the lease of the dead node is over, another node sends
// the push, and the browser has it once.
func TestPushKilled(t *testing.T) {
	long(t)
	t.Parallel()
	for _, point := range []string{"push: taken", "push: sent", "push: noted"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			url := pgtest.URL(t)
			pool := pgtest.Open(t, url)
			store := timeline.New(pool, timeline.Options{Argon: pgtest.Argon})
			service := pushtest.Start(t, time.Now)
			ok := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			roots := filepath.Join(t.TempDir(), "roots.pem")
			ok(os.WriteFile(roots, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: service.Certificate().Raw}), 0o600))
			anna, err := store.SignUp(t.Context(), timeline.NewUser{Name: "anna", Email: "anna@example.org", NoPassword: true})
			ok(err)
			bert, err := store.SignUp(t.Context(), timeline.NewUser{Name: "bert", Email: "bert@example.org", NoPassword: true})
			ok(err)
			browser := device(t, store, service, anna)
			_, err = store.CreatePost(t.Context(), bert, timeline.NewPost{To: []string{"direct:anna"}, Text: "Bring boots."})
			ok(err)
			_, err = pool.Exec(t.Context(), `update pushes set due_at = created_at`)
			ok(err)

			environment := []string{permitEnv + "=" + service.Address().String(), "SSL_CERT_FILE=" + roots}
			args := []string{"web", "--listen=127.0.0.1:0", "--database", url, "--data", t.TempDir(), "--url", "https://amstel.example"}
			startWith(t, environment, os.Args[0], killAtOnce+point, args...).waitKilled()
			waiting := func() (pushes int) {
				ok(pool.QueryRow(t.Context(), `select count(*) from pushes`).Scan(&pushes))
				return pushes
			}
			if got, noted := waiting(), point == "push: noted"; (got == 0) != noted {
				t.Errorf("after the kill %d pushes wait", got)
			}
			if got, taken := len(browser.Messages()), point == "push: taken"; (got == 0) != taken {
				t.Errorf("after the kill the browser has %d messages", got)
			}
			_, err = pool.Exec(t.Context(), `update pushes set taken_until = now()`) // the lease is over
			ok(err)
			startWith(t, environment, os.Args[0], "", args...)
			until(t, time.Minute, func() string {
				if got := waiting(); got > 0 {
					return fmt.Sprintf("%d pushes wait", got)
				}
				return ""
			})
			if got := browser.Messages(); len(got) != 1 || got[0].Body != "Bring boots." {
				t.Errorf("the browser has %+v", got)
			}
			if asked, twice := service.Asked(), point == "push: sent"; (asked == 2) != twice {
				t.Errorf("the push service was asked %d times", asked)
			}
		})
	}
}
