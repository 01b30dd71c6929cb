package main

import (
	"os"
	"strings"
	"testing"
)

// TestBounceCommand: a notification about a mail that was sent stops mail about notifications to its address, if the address takes no
// mail. Other messages change nothing, and without the database the mail server is told to try again.
func TestBounceCommand(t *testing.T) {
	t.Parallel()
	pool, db := fresh(t)
	exim, err := os.ReadFile("../../internal/mail/testdata/bounce-exim.eml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"anna", "bert"} {
		must(t, "user", "add", name, "--email="+name+"@example.org", db)
	}
	const mails = `
		insert into mails (user_id, message, kind, address, state, created_at, due_at, ended_at)
		select id, case name when 'anna' then '5d9f81c9-8eab-4d68-8140-c92599309f49'::uuid else '00000000-0000-0000-0000-000000000001' end,
			'notices', email, 'sent', now(), now(), now() from users`
	if _, err := pool.Exec(t.Context(), mails); err != nil {
		t.Fatal(err)
	}
	bounces := func(text string, code int, says string) {
		t.Helper()
		out, errs, got := commandReading(t.Context(), text, "bounce", db)
		if got != code || !strings.HasPrefix(out+errs, says) || strings.Count(out, "\n") > 1 {
			t.Errorf("exit %d, says %q, %q; want %d, %q", got, out, errs, code, says)
		}
	}
	stopped := func() (names string) {
		t.Helper()
		const query = `select coalesce(string_agg(name, ' ' order by name), '') from users where email_failed_at is not null`
		if err := pool.QueryRow(t.Context(), query).Scan(&names); err != nil {
			t.Fatal(err)
		}
		return names
	}
	full := strings.NewReplacer("5d9f81c9-8eab-4d68-8140-c92599309f49", "00000000-0000-0000-0000-000000000001", "Status: 5.0.0", "Status: 5.2.2").Replace(string(exim))
	bounces("Subject: hello\n\nhi", 0, "ignored: the message is no delivery status notification")
	bounces(strings.ReplaceAll(string(exim), "5d9f81c9", "5d9f81c8"), 0, "ignored: no mail with this Message-ID")
	bounces(full, 0, "noted: the mail did not arrive")
	if got := stopped(); got != "" {
		t.Errorf("mail is stopped to %q, before an address failed", got)
	}
	bounces(string(exim), 0, "noted: the address gets no more mail")
	if got := stopped(); got != "anna" {
		t.Errorf("mail is stopped to %q, want to anna", got)
	}
	var failed int
	if err := pool.QueryRow(t.Context(), `select count(*) from mails where state = 'failed' and fault <> ''`).Scan(&failed); err != nil || failed != 2 {
		t.Errorf("%d mails have failed: %v, want 2", failed, err)
	}
	// The person has another address by now.
	if _, err := pool.Exec(t.Context(), `update users set email_failed_at = null, email = 'new@example.org' where name = 'anna'`); err != nil {
		t.Fatal(err)
	}
	bounces(string(exim), 0, "noted: ")
	if got := stopped(); got != "" {
		t.Errorf("mail is stopped to %q, whose address is another one", got)
	}
	if out, errs, code := commandReading(t.Context(), string(exim), "bounce", "--database=postgres://127.0.0.1:1/none"); code != exitLater {
		t.Errorf("without the database: exit %d, %q, %q; want %d", code, out, errs, exitLater)
	}
}
