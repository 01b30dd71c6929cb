package mail

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net"
	netmail "net/mail"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"amstel.dev/amstel/timeline"
)

// A Transport passes mails on.
type Transport interface {
	// Pass passes a mail on. A [RefusedError] says whether another try may help.
	Pass(ctx context.Context, m *gomail.Msg) error
	// From returns the sender of all mails.
	From() *netmail.Address
	// Check looks whether mails can be passed on, without passing one on.
	Check(ctx context.Context) error
}

// A RefusedError reports that a transport did not take a mail.
type RefusedError struct {
	ForGood   bool // no other try will help
	NoMailbox bool // because the server knows no such mailbox
	Err       error
}

func (e *RefusedError) Error() string { return e.Err.Error() }

func (e *RefusedError) Unwrap() error { return e.Err }

// Open returns the transport at an address, for mails from a sender, which is a mail address with or without a name. The
// address has one of these forms:
//
//	smtp://USER:PASSWORD@HOST:PORT   an SMTP server; the connection is encrypted by STARTTLS, which only a server on this machine need not have
//	smtps://USER:PASSWORD@HOST:PORT  an SMTP server; the connection is encrypted from its beginning
//	file:FOLDER                      a folder in which each mail becomes a file, for trying the site
//
// The user, the password and the port may be left out; the ports are 587 and 465 then.
func Open(address, from string) (Transport, error) {
	sender, err := netmail.ParseAddress(from)
	if err != nil {
		return nil, fmt.Errorf("the sender %q is no mail address", from)
	}
	if folder, is := strings.CutPrefix(address, "file:"); is && folder != "" {
		return openFolder(folder, sender)
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" || strings.Trim(u.Path, "/") != "" {
		return nil, errors.New("the mail server must be like smtp://user:password@host:587, smtps://user:password@host:465 or file:FOLDER") // without the address, which has the password
	}
	return openSMTP(u, sender, reach{})
}

// pass passes a letter to the transport, as a mail with a plain text and HTML.
func (w *Worker) pass(ctx context.Context, lease timeline.MailLease, l letter) error {
	m := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	from := w.transport.From()
	m.FromMailAddress(from)
	if err := m.To(lease.Address); err != nil {
		return &RefusedError{ForGood: true, Err: err}
	}
	_, host, _ := strings.Cut(from.Address, "@")
	m.SetMessageIDWithValue(lease.Message + "@" + host)
	m.SetDateWithValue(w.opts.Now())
	m.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: no program answers that its reader is away
	if l.Stop != "" {                                  // RFC 8058: one click in the mail program stops such mails
		m.SetGenHeader(gomail.HeaderListUnsubscribe, "<"+l.Stop+">")
		m.SetGenHeader(gomail.HeaderListUnsubscribePost, "List-Unsubscribe=One-Click")
	}
	m.Subject(l.Subject)
	m.SetBodyString(gomail.TypeTextPlain, l.plain())
	var page bytes.Buffer
	if err := l.page().Render(ctx, &page); err != nil {
		return err
	}
	m.AddAlternativeString(gomail.TypeTextHTML, page.String())
	return w.transport.Pass(ctx, m)
}

// A folder keeps mails as files.
type folder struct {
	path string
	from *netmail.Address
}

func openFolder(path string, from *netmail.Address) (*folder, error) {
	if err := os.MkdirAll(path, 0o700); err != nil { // the links in the mails sign people in
		return nil, err
	}
	return &folder{path, from}, nil
}

// From returns the sender of all mails.
func (f *folder) From() *netmail.Address { return f.from }

// Check tests that a file can be written to the folder.
func (f *folder) Check(context.Context) error {
	file, err := os.CreateTemp(f.path, "check-*.part")
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

// Pass writes a mail into a file of its own, whose name is the first part of the Message-ID.
func (f *folder) Pass(_ context.Context, m *gomail.Msg) error {
	name, _, _ := strings.Cut(strings.Trim(m.GetMessageID(), "<>"), "@")
	path := filepath.Join(f.path, name+".eml")
	var text bytes.Buffer
	if _, err := m.WriteTo(&text); err != nil {
		return err
	}
	if err := os.WriteFile(path+".part", text.Bytes(), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

// A Kept is a mail in a folder.
type Kept struct {
	At          time.Time
	To, Subject string
	Text        string // the plain text
}

// mostKept is how many mails of a folder are listed.
const mostKept = 50

// Kept returns the newest mails in the folder, the newest first.
func (f *folder) Kept() ([]Kept, error) {
	paths, err := filepath.Glob(filepath.Join(f.path, "*.eml"))
	if err != nil {
		return nil, err
	}
	all := make([]Kept, 0, len(paths))
	for _, path := range paths {
		one, err := readKept(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was just removed
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", filepath.Base(path), err)
		}
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b Kept) int { return b.At.Compare(a.At) })
	return all[:min(len(all), mostKept)], nil
}

// readKept reads the file of a mail.
func readKept(path string) (one Kept, err error) {
	file, err := os.Open(path)
	if err != nil {
		return one, err
	}
	defer file.Close()
	m, err := gomail.EMLToMsgFromReader(file)
	if err != nil {
		return one, err
	}
	for _, to := range m.GetTo() {
		one.To = to.Address // the only one
	}
	first := func(values []string) string { return append(values, "")[0] }
	if one.At, err = netmail.ParseDate(first(m.GetGenHeader(gomail.HeaderDate))); err != nil {
		return one, err
	}
	if one.Subject, err = new(mime.WordDecoder).DecodeHeader(first(m.GetGenHeader(gomail.HeaderSubject))); err != nil {
		return one, err
	}
	for _, part := range m.GetParts() {
		if part.GetContentType() == gomail.TypeTextPlain {
			text, err := part.GetContent()
			one.Text = string(text)
			return one, err
		}
	}
	return one, nil
}

// A Keeper is a transport that keeps the mails.
type Keeper interface {
	// Kept returns the newest mails, the newest first.
	Kept() ([]Kept, error)
}

// A server is an SMTP server.
type server struct {
	client func() (*gomail.Client, error) // a client has one connection at a time
	from   *netmail.Address
}

// dialWithin is the time for one answer of an SMTP server.
const dialWithin = 20 * time.Second

// A reach says how to reach a server. Only tests set it.
type reach struct {
	roots *x509.CertPool                                                       // that sign the server's certificate; nil: those of the machine
	dial  func(ctx context.Context, network, address string) (net.Conn, error) // nil: the network
}

func openSMTP(u *url.URL, from *netmail.Address, r reach) (*server, error) {
	host := u.Hostname()
	opts := []gomail.Option{
		gomail.WithTimeout(dialWithin), gomail.WithTLSConfig(&tls.Config{ServerName: host, MinVersion: tls.VersionTLS12, RootCAs: r.roots}),
	}
	if r.dial != nil {
		opts = append(opts, gomail.WithDialContextFunc(r.dial))
	}
	port := 587
	if u.Scheme == "smtps" {
		port = 465
		opts = append(opts, gomail.WithSSL())
	} else if isLocal(host) {
		opts = append(opts, gomail.WithTLSPolicy(gomail.TLSOpportunistic))
	} else {
		opts = append(opts, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if given := u.Port(); given != "" {
		n, err := strconv.Atoi(given)
		if err != nil || n < 1 || n > 65535 {
			return nil, fmt.Errorf("the mail server's port %q is no port", given)
		}
		port = n
	}
	opts = append(opts, gomail.WithPort(port))
	if u.User != nil {
		password, _ := u.User.Password()
		opts = append(opts, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(u.User.Username()), gomail.WithPassword(password))
	}
	s := &server{from: from, client: func() (*gomail.Client, error) { return gomail.NewClient(host, opts...) }}
	_, err := s.client() // so that bad settings are found at the start
	return s, err
}

// isLocal reports whether a host is this machine.
func isLocal(host string) bool {
	at, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && at.IsLoopback()
}

// From returns the sender of all mails.
func (s *server) From() *netmail.Address { return s.from }

// Check connects to the SMTP server, and signs in.
func (s *server) Check(ctx context.Context) error {
	client, err := s.client()
	if err != nil {
		return err
	}
	if err := client.DialWithContext(ctx); err != nil {
		return err
	}
	return client.Close()
}

// Pass passes a mail to the SMTP server, over a connection of its own.
func (s *server) Pass(ctx context.Context, m *gomail.Msg) error {
	client, err := s.client()
	if err != nil {
		return err
	}
	err = client.DialAndSendWithContext(ctx, m)
	if err == nil {
		return nil
	}
	refused := &RefusedError{Err: err}
	// Only the server's answer about this recipient or this mail is final. Whatever is wrong with the connection or with
	// the settings can be mended.
	if send, is := errors.AsType[*gomail.SendError](err); is {
		permanent := send.ErrorCode() >= 500 && send.ErrorCode() < 600
		refused.NoMailbox = permanent && send.Reason == gomail.ErrSMTPRcptTo
		refused.ForGood = permanent && (send.Reason == gomail.ErrSMTPRcptTo || send.Reason == gomail.ErrSMTPData || send.Reason == gomail.ErrSMTPDataClose)
	}
	return refused
}
