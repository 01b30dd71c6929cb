package mail

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	Notices []Notice // above the link
	Notes   []string // the paragraphs below the link
	Stop    string   // the address that stops such mails; empty: they can't be stopped
}

// A Notice is a notice in words.
type Notice struct {
	Said    string // the whole sentence
	Comment string // the beginning of a comment; empty: none
	Path    string // of the page that it is about, on the site
	Link    string // its address; the worker fills it in
}

// errNoLetter reports that a mail must not be sent any more.
var errNoLetter = errors.New("the mail must not be sent any more")

// write writes the letter of a mail. The error is errNoLetter if the mail must not be sent any more. upto is the newest notice that
// the letter tells of; 0: none.
func (w *Worker) write(ctx context.Context, lease timeline.MailLease) (l letter, upto int64, err error) {
	words := w.opts.Language
	if chosen, known := catalogue.Find(lease.Language); known && lease.Language != "" {
		words = chosen
	}
	site := strings.TrimPrefix(strings.TrimPrefix(w.opts.URL, "https://"), "http://")
	l = letter{Words: words}
	switch lease.Kind {
	case timeline.MailSignIn:
		secret, err := w.store.NewLink(ctx, lease.User)
		if errors.Is(err, timeline.ErrUnauthorized) { // suspended or deleted meanwhile
			return l, 0, errNoLetter
		}
		if err != nil {
			return l, 0, err
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
			return l, 0, errNoLetter
		}
		if err != nil {
			return l, 0, err
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
	case timeline.MailDevice:
		device, err := w.deviceOf(ctx, words, lease)
		if err != nil {
			return l, 0, err
		}
		l.Subject = words.MailDeviceSubject(site)
		l.Said = []string{words.MailDeviceSaid(lease.Name, site, device), words.MailDeviceNotYou()}
		l.Link, l.Label = w.opts.URL+accountPath, words.MailAddressLabel()
	case timeline.MailPasskeyAdded:
		l.Subject = words.MailPasskeyAddedSubject(site)
		l.Said = []string{words.MailPasskeyAddedSaid(lease.Name, site), words.MailPasskeyNotYou()}
		l.Link, l.Label = w.opts.URL+accountPath, words.MailAddressLabel()
	case timeline.MailPasskeyRemoved:
		l.Subject = words.MailPasskeyRemovedSubject(site)
		l.Said = []string{words.MailPasskeyRemovedSaid(lease.Name, site), words.MailPasskeyNotYou()}
		l.Link, l.Label = w.opts.URL+accountPath, words.MailAddressLabel()
	case timeline.MailAccepted:
		l.Subject = words.MailAcceptedSubject(site)
		l.Said = []string{words.MailAcceptedSaid(lease.Name, site)}
		l.Link, l.Label = w.opts.URL+signInPath, words.MailLeavingLabel()
	case timeline.MailLeaving:
		eraseAt, err := w.store.Leaving(ctx, lease.User)
		if err == nil && eraseAt.IsZero() { // the person came back, or was suspended
			err = errNoLetter
		}
		if err != nil {
			return l, 0, err
		}
		l.Subject = words.MailLeavingSubject(site)
		l.Said = []string{words.MailLeavingSaid(lease.Name, site, words.Day(eraseAt)), words.MailLeavingBack()}
		l.Link, l.Label = w.opts.URL+signInPath, words.MailLeavingLabel()
		l.Notes = []string{words.MailLeavingNotYou()}
	case timeline.MailNotices:
		return w.writeNotices(ctx, lease, l, site)
	default:
		return l, 0, fmt.Errorf("a mail of the unknown kind %q", lease.Kind)
	}
	return l, upto, nil
}

// deviceOf returns the device of the session that began when the mail was queued, in words.
func (w *Worker) deviceOf(ctx context.Context, words catalogue.Language, lease timeline.MailLease) (string, error) {
	sessions, err := w.store.Sessions(ctx, lease.User)
	for _, one := range sessions {
		if one.CreatedAt.Equal(lease.CreatedAt) {
			return words.Device(one.Browser, one.System), nil
		}
	}
	return words.Device("", ""), err
}

// writeNotices writes a mail about notices.
func (w *Worker) writeNotices(ctx context.Context, lease timeline.MailLease, l letter, site string) (letter, int64, error) {
	p, upto, err := w.store.NoticesToMail(ctx, lease.User)
	if errors.Is(err, timeline.ErrUnauthorized) || err == nil && len(p.Notices) == 0 { // read, or out of sight, meanwhile
		return l, 0, errNoLetter
	}
	if err != nil {
		return l, 0, err
	}
	token, err := w.store.StopToken(ctx, lease.User)
	if err != nil {
		return l, 0, err
	}
	l.Subject = l.Words.MailNoticesSubject(len(p.Notices), site)
	l.Said = []string{l.Words.MailNoticesSaid(lease.Name)}
	l.Notices = w.opts.Notices(l.Words, p)
	for i := range l.Notices {
		l.Notices[i].Link = w.opts.URL + l.Notices[i].Path
	}
	l.Link, l.Label = w.opts.URL+noticesPath, l.Words.MailNoticesLabel()
	l.Stop = w.opts.URL + stopLink + token
	return l, upto, nil
}

// The addresses on the site to which mails lead. Package web serves them.
const (
	signInPath  = "/users/sign_in"
	signInLink  = "/users/link/"
	confirmLink = "/users/confirm/"
	forgotPath  = "/users/forgot"
	accountPath = "/settings/account"
	noticesPath = "/notifications"
	stopLink    = "/users/stop/"
)

// plain returns the letter as plain text.
func (l letter) plain() string {
	parts := append([]string{}, l.Said...)
	for _, n := range l.Notices {
		parts = append(parts, strings.Join(slices.DeleteFunc([]string{n.Said, n.Comment, n.Link}, func(line string) bool { return line == "" }), "\n"))
	}
	if l.Link != "" {
		parts = append(parts, l.Label+":\n"+l.Link)
	}
	parts = append(parts, l.Notes...)
	if l.Stop != "" {
		parts = append(parts, l.Words.MailStop()+":\n"+l.Stop)
	}
	return strings.Join(parts, "\n\n") + "\n"
}
