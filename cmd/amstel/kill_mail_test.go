package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
)

// TestMailKilled kills a node at each point of its work on a mail. When the lease of the dead node is over, another node sends
// the mail, and the folder has it once.
func TestMailKilled(t *testing.T) {
	long(t)
	t.Parallel()
	for _, point := range []string{"mail: taken", "mail: sent", "mail: noted"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			url, data := pgtest.URL(t), t.TempDir()
			pool := pgtest.Open(t, url)
			store := timeline.New(pool, timeline.Options{Argon: pgtest.Argon, Mails: true})
			ok := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			_, err := store.SignUp(t.Context(), timeline.NewUser{Name: "anna", Email: "anna@example.org", NoPassword: true})
			ok(err)
			_, err = pool.Exec(t.Context(), `delete from mails`) // from signing up
			ok(err)
			ok(store.MailLink(t.Context(), "anna", timeline.Client{}))
			folder := filepath.Join(data, "mails")
			args := []string{"web", "--listen=127.0.0.1:0", "--database", url, "--data", data, "--mail", "file:" + folder, "--mail-from", "site@amstel.example"}
			m := startKillable(t, killAtOnce+point, args...)
			m.waitKilled()

			state := func() (state string) {
				ok(pool.QueryRow(t.Context(), `select state from mails`).Scan(&state))
				return state
			}
			if got, sent := state(), point == "mail: noted"; (got == "sent") != sent {
				t.Errorf("after the kill the mail is %s", got)
			}
			_, err = pool.Exec(t.Context(), `update mails set taken_until = now()`) // the lease is over
			ok(err)
			startKillable(t, "", args...)
			until(t, time.Minute, func() string {
				if got := state(); got != "sent" {
					return fmt.Sprintf("the mail is %s", got)
				}
				return ""
			})
			if files, err := os.ReadDir(folder); err != nil || len(files) != 1 {
				t.Errorf("the folder has %v, %v; want one mail", files, err)
			}
		})
	}
}
