package mail

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// A letter is the content of a mail, in the language of its reader. Programs that show no HTML show it as plain text.
type letter struct {
	Words   catalogue.Language
	Subject string
	Said    []string // the paragraphs above the link
	Link    string   // an address on the site; empty: none
	Label   string   // of the link
	Notes   []string // the paragraphs below the link
}

// errNoLetter reports that a mail must not be sent any more.
var errNoLetter = errors.New("the mail must not be sent any more")

// write writes the letter of a mail. The error is errNoLetter if the mail must not be sent any more.
func (w *Worker) write(ctx context.Context, lease timeline.MailLease) (letter, error) {
	words := w.opts.Language
	if chosen, known := catalogue.Find(lease.Language); known && lease.Language != "" {
		words = chosen
	}
	site := strings.TrimPrefix(strings.TrimPrefix(w.opts.URL, "https://"), "http://")
	l := letter{Words: words}
	switch lease.Kind {
	case timeline.MailSignIn:
		secret, err := w.store.NewLink(ctx, lease.User)
		if errors.Is(err, timeline.ErrUnauthorized) { // suspended or deleted meanwhile
			return l, errNoLetter
		}
		if err != nil {
			return l, err
		}
		l.Subject = words.MailSignInSubject(site)
		l.Said = []string{words.MailSignInSaid(lease.Name, site)}
		l.Link, l.Label = w.opts.URL+signInLink+secret, words.MailSignInLabel()
		l.Notes = []string{words.MailSignInFor(), words.MailSignInNotYou()}
	case timeline.MailPassword:
		l.Subject = words.MailPasswordSubject(site)
		l.Said = []string{words.MailPasswordSaid(lease.Name, site), words.MailPasswordNotYou()}
		l.Link, l.Label = w.opts.URL+forgotPath, words.MailPasswordLabel()
	case timeline.MailConfirm:
		secret, err := w.store.NewEmailLink(ctx, lease.User, lease.Address)
		if errors.Is(err, timeline.ErrUnauthorized) { // the person has confirmed the address, or wants another one
			return l, errNoLetter
		}
		if err != nil {
			return l, err
		}
		l.Subject = words.MailConfirmSubject(site)
		l.Said = []string{words.MailConfirmSaid(lease.Name, site)}
		l.Link, l.Label = w.opts.URL+confirmLink+secret, words.MailConfirmLabel()
		l.Notes = []string{words.MailConfirmFor(), words.MailConfirmNotYou(site)}
	case timeline.MailAddress:
		l.Subject = words.MailAddressSubject(site)
		l.Said = []string{words.MailAddressSaid(lease.Name, site), words.MailAddressNotYou()}
		l.Link, l.Label = w.opts.URL+accountPath, words.MailAddressLabel()
	case timeline.MailTaken:
		l.Subject = words.MailTakenSubject(site)
		l.Said = []string{words.MailTakenSaid(lease.Name, site)}
		l.Link, l.Label = w.opts.URL+forgotPath, words.MailPasswordLabel()
		l.Notes = []string{words.MailTakenNotYou()}
	default:
		return l, fmt.Errorf("a mail of the unknown kind %q", lease.Kind)
	}
	return l, nil
}

// The addresses on the site to which mails lead. Package web serves them.
const (
	signInLink  = "/users/link/"
	confirmLink = "/users/confirm/"
	forgotPath  = "/users/forgot"
	accountPath = "/settings/account"
)

// plain returns the letter as plain text.
func (l letter) plain() string {
	parts := append([]string{}, l.Said...)
	if l.Link != "" {
		parts = append(parts, l.Label+":\n"+l.Link)
	}
	return strings.Join(append(parts, l.Notes...), "\n\n") + "\n"
}
