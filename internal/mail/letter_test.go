package mail

import (
	"errors"
	"strings"
	"testing"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// TestEveryKindHasALetter writes a mail of each kind in each language: it greets the person, has a link to the site, and says which site.
func TestEveryKindHasALetter(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	w := d.worker(d.smtp.transport(t), nil)
	subjects := make(map[string]string)
	for _, words := range catalogue.All {
		for kind, link := range map[timeline.MailKind]string{
			timeline.MailSignIn: signInLink, timeline.MailPassword: forgotPath, timeline.MailConfirm: confirmLink, timeline.MailAddress: accountPath, timeline.MailTaken: forgotPath, timeline.MailDevice: accountPath, timeline.MailAccepted: signInPath,
			timeline.MailPasskeyAdded: accountPath, timeline.MailPasskeyRemoved: accountPath,
		} {
			l, _, err := w.write(t.Context(), timeline.MailLease{Kind: kind, User: d.anna, Name: "anna", Address: "anna@example.org", Language: words.Code()})
			if err != nil {
				t.Fatalf("%s in %s: %v", kind, words.Code(), err)
			}
			if !strings.HasPrefix(l.Link, "https://amstel.example"+link) || l.Label == "" || !strings.Contains(l.Said[0], "@anna") || !strings.Contains(l.Subject, "amstel.example") {
				t.Errorf("%s in %s: %+v", kind, words.Code(), l)
			}
			if other, same := subjects[l.Subject]; same {
				t.Errorf("%s in %s has the subject of %s", kind, words.Code(), other)
			}
			subjects[l.Subject] = string(kind) + " in " + words.Code()
		}
	}
	if _, _, err := w.write(t.Context(), timeline.MailLease{Kind: "poem"}); err == nil {
		t.Error("a mail of an unknown kind is written")
	}
	// A person who has confirmed the address meanwhile, or wants another one, gets no mail.
	for _, address := range []string{"other@example.org", "anna@example.org"} {
		if address == "anna@example.org" {
			_, err := d.store.Pool().Exec(t.Context(), `update users set email_confirmed_at = now()`)
			d.must(err)
		}
		if _, _, err := w.write(t.Context(), timeline.MailLease{Kind: timeline.MailConfirm, User: d.anna, Address: address}); !errors.Is(err, errNoLetter) {
			t.Errorf("%s: %v, want %v", address, err, errNoLetter)
		}
	}
}

// TestLetterToAPersonWhoDeletedTheAccount names the day of the erasure and leads to the page for signing in; a person who came back gets none.
func TestLetterToAPersonWhoDeletedTheAccount(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	w := d.worker(d.smtp.transport(t), nil)
	lease := timeline.MailLease{Kind: timeline.MailLeaving, User: d.anna, Name: "anna", Address: "anna@example.org", Language: "en"}
	if _, _, err := w.write(t.Context(), lease); !errors.Is(err, errNoLetter) {
		t.Errorf("of an account that was not deleted: %v, want %v", err, errNoLetter)
	}
	_, err := d.store.Pool().Exec(t.Context(), `update users set suspended_at = now(), erase_at = '2031-03-04 12:00Z' where id = $1`, d.anna)
	d.must(err)
	l, _, err := w.write(t.Context(), lease)
	d.must(err)
	if l.Link != "https://amstel.example"+signInPath || !strings.Contains(l.Said[0], "@anna") || !strings.Contains(l.Said[0], "4 March 2031") {
		t.Errorf("the letter is %+v", l)
	}
}
