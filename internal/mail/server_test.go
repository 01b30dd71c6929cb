package mail

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/big"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	netmail "net/mail"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// A mailServer is a mail server for mail.example, with TLS, and with an account that may send.
type mailServer struct {
	address  string
	implicit string // the address where connections are encrypted from their beginning
	bare     string // the address of the same server without TLS
	roots    *x509.CertPool

	mu    sync.Mutex
	mails []received
	code  int // of the answer to recipients; 0: all are taken
	text  string
}

// A received is a mail that a server took.
type received struct {
	from string
	to   []string
	data []byte
}

// The account of the mail server.
const mailUser, mailPassword = "site", "hunter2"

func startMailServer(t *testing.T) *mailServer {
	t.Helper()
	s := &mailServer{}
	certificate := s.certify(t)
	for _, at := range []*string{&s.address, &s.implicit, &s.bare} {
		var listen net.ListenConfig
		listener, err := listen.Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		*at = listener.Addr().String()
		server := smtp.NewServer(s)
		server.Domain = "mail.example"
		config := &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
		switch at {
		case &s.address:
			server.TLSConfig = config
		case &s.implicit:
			listener = tls.NewListener(listener, config)
		default:
			server.AllowInsecureAuth = true
		}
		over := make(chan struct{})
		go func() {
			defer close(over)
			_ = server.Serve(listener)
		}()
		t.Cleanup(func() {
			_ = server.Close()
			_ = listener.Close() // the server does not know its listener if it is closed before Serve begins
			<-over
		})
	}
	return s
}

// certify makes a certificate for mail.example, which the server's roots sign.
func (s *mailServer) certify(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"mail.example"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	made, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	s.roots = x509.NewCertPool()
	s.roots.AddCert(made)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// transport returns a transport to the server with the right password, over STARTTLS.
func (s *mailServer) transport(t *testing.T) Transport {
	t.Helper()
	return s.open(t, "smtp://site:hunter2@mail.example", s.address)
}

// open returns the transport of a setting. If the setting names a host, the host is reached at the address.
func (s *mailServer) open(t *testing.T, setting, at string) Transport {
	t.Helper()
	u, err := url.Parse(setting)
	if err != nil {
		t.Fatal(err)
	}
	var plain net.Dialer
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return plain.DialContext(ctx, network, at)
	}
	if u.Hostname() == "" {
		u.Host, dial = at, nil
	}
	transport, err := openSMTP(u, &netmail.Address{Name: "Amstel", Address: "site@amstel.example"}, reach{s.roots, dial})
	if err != nil {
		t.Fatal(err)
	}
	return transport
}

// refuse has the server answer all recipients with a code; 0: it takes all.
func (s *mailServer) refuse(code int, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.code, s.text = code, text
}

func (s *mailServer) all() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.mails)
}

func (s *mailServer) count() int { return len(s.all()) }

// only returns the only mail that arrived.
func (s *mailServer) only(t *testing.T) received {
	t.Helper()
	all := s.all()
	if len(all) != 1 {
		t.Fatalf("%d mails arrived, want 1", len(all))
	}
	return all[0]
}

func (m received) msg(t *testing.T) *netmail.Message {
	t.Helper()
	read, err := netmail.ReadMessage(bytes.NewReader(m.data))
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// parts returns the plain text and the HTML of a mail.
func (m received) parts(t *testing.T) (plain, html string) {
	t.Helper()
	msg := m.msg(t)
	kind, parameters, err := mime.ParseMediaType(msg.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("the mail is %s, %v", kind, err)
	}
	var texts []string
	for parts := multipart.NewReader(msg.Body, parameters["boundary"]); ; {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || part.Header.Get("Content-Transfer-Encoding") != "quoted-printable" {
			t.Fatalf("a part %v: %v", part, err)
		}
		text, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, strings.ReplaceAll(string(text), "\r\n", "\n"))
	}
	if len(texts) != 2 {
		t.Fatalf("the mail has %d parts, want 2", len(texts))
	}
	return texts[0], texts[1]
}

// decoded returns a header without its encoding.
func decoded(t *testing.T, header string) string {
	t.Helper()
	text, err := new(mime.WordDecoder).DecodeHeader(header)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// NewSession begins a connection.
func (s *mailServer) NewSession(*smtp.Conn) (smtp.Session, error) {
	return &mailSession{server: s}, nil
}

// A mailSession is a connection to the server.
type mailSession struct {
	server *mailServer
	known  bool
	mail   received
}

func (c *mailSession) AuthMechanisms() []string { return []string{sasl.Plain} }

func (c *mailSession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if c.known = user == mailUser && password == mailPassword; !c.known {
			return smtp.ErrAuthFailed
		}
		return nil
	}), nil
}

func (c *mailSession) Mail(from string, _ *smtp.MailOptions) error {
	if !c.known {
		return smtp.ErrAuthRequired
	}
	c.mail.from = from
	return nil
}

func (c *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	if c.server.code != 0 {
		return &smtp.SMTPError{Code: c.server.code, EnhancedCode: smtp.EnhancedCode{c.server.code / 100, 1, 1}, Message: c.server.text}
	}
	c.mail.to = append(c.mail.to, to)
	return nil
}

func (c *mailSession) Data(r io.Reader) (err error) {
	if c.mail.data, err = io.ReadAll(r); err != nil {
		return err
	}
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	c.server.mails = append(c.server.mails, c.mail)
	return nil
}

func (c *mailSession) Reset() { c.mail = received{} }

func (c *mailSession) Logout() error { return nil }

// TestConnectionIsEncrypted: a mail reaches a server over STARTTLS, and over TLS from the beginning. It does not reach a server
// without TLS, one whose certificate is of another name, or one that does not know the password; such a mail is tried again,
// because the operator can mend that.
func TestConnectionIsEncrypted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, setting string
		at            func(*mailServer) string
		want          string
	}{
		{"STARTTLS", "smtp://site:hunter2@mail.example", func(s *mailServer) string { return s.address }, "sent"},
		{"TLS", "smtps://site:hunter2@", func(s *mailServer) string { return s.implicit }, "sent"},
		{"no TLS", "smtp://site:hunter2@mail.example", func(s *mailServer) string { return s.bare }, "later"},
		{"another name", "smtp://site:hunter2@other.example", func(s *mailServer) string { return s.address }, "later"},
		{"a wrong password", "smtp://site:wrong@mail.example", func(s *mailServer) string { return s.address }, "later"},
		{"no password", "smtp://mail.example", func(s *mailServer) string { return s.address }, "later"},
		{"nothing there", "smtp://site:hunter2@mail.example", func(*mailServer) string { return "127.0.0.1:1" }, "later"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.forgot()
			transport := d.smtp.open(t, test.setting, test.at(d.smtp))
			if err := transport.Check(t.Context()); (err == nil) != (test.want == "sent" || test.name == "no password") { // which only a mail needs
				t.Errorf("looked at before: %v", err)
			}
			d.wantOutcomes(d.work(d.worker(transport, nil)), test.want)
			_, fault := d.state()
			if n := d.smtp.count(); (n == 1) != (test.want == "sent") || (fault == "") != (n == 1) || strings.Contains(fault, mailPassword) {
				t.Errorf("%d mails arrived; the fault is %q", n, fault)
			}
		})
	}
}
