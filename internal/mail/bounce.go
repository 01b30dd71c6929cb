package mail

import (
	"bufio"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	netmail "net/mail"
	"net/textproto"
	"strings"
)

// A Bounce is what a mail server says about a mail of the site that did not arrive, in a delivery status notification (RFC 3464).
type Bounce struct {
	Message string // the first part of the Message-ID of the mail, as of [timeline.MailLease]
	ForGood bool   // the address takes no mail; else this mail failed for another reason, or is only late
	Reason  string // as the mail server gives it; may be empty
}

// ErrNoBounce is the error for a message that is no delivery status notification, or tells of no mail of the site.
var ErrNoBounce = errors.New("the message is no delivery status notification about a mail of this site")

// mostOfBounce is how many bytes of a notification are read. It may return a whole mail, of which the headers are enough.
const mostOfBounce = 1 << 20

// mailboxLine begins the line that mail servers put before a message that they give to a program, as in a mailbox (RFC 4155).
const mailboxLine = "From "

// ReadBounce reads a message to the sender of the site's mail.
func ReadBounce(from io.Reader) (*Bounce, error) {
	in := bufio.NewReader(io.LimitReader(from, mostOfBounce))
	if begins, _ := in.Peek(len(mailboxLine)); string(begins) == mailboxLine {
		_, _ = in.ReadString('\n') // the end of the message is an error below
	}
	m, err := netmail.ReadMessage(in)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoBounce, err)
	}
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/report" || !strings.EqualFold(params["report-type"], "delivery-status") {
		return nil, ErrNoBounce
	}
	var b Bounce
	parts := multipart.NewReader(m.Body, params["boundary"])
	for {
		part, err := parts.NextPart()
		if err != nil {
			break // the end; or the returned mail is longer than what is read
		}
		b.read(part)
	}
	if b.Message == "" {
		return nil, ErrNoBounce
	}
	return &b, nil
}

// read reads one part of a notification.
func (b *Bounce) read(part *multipart.Part) {
	kind, _, err := mime.ParseMediaType(part.Header.Get("Content-Type"))
	if err != nil {
		return
	}
	var body io.Reader = part // which decodes quoted-printable by itself
	if strings.EqualFold(part.Header.Get("Content-Transfer-Encoding"), "base64") {
		body = base64.NewDecoder(base64.StdEncoding, part)
	}
	switch kind {
	case "message/delivery-status", "message/global-delivery-status":
		b.readStatus(body)
	case "message/rfc822", "message/global", "text/rfc822-headers", "message/global-headers":
		headers, _ := textproto.NewReader(bufio.NewReader(body)).ReadMIMEHeader()
		b.Message, _, _ = strings.Cut(strings.Trim(headers.Get("Message-Id"), "<> "), "@")
	}
}

// readStatus reads the groups of fields of a delivery status: the first is about the message, each other about a recipient. A mail
// of the site has one recipient.
func (b *Bounce) readStatus(body io.Reader) {
	r := textproto.NewReader(bufio.NewReader(body))
	for {
		fields, err := r.ReadMIMEHeader()
		if strings.EqualFold(strings.TrimSpace(fields.Get("Action")), "failed") {
			status := strings.TrimSpace(fields.Get("Status"))
			b.ForGood = addressFails(status)
			_, reason, _ := strings.Cut(fields.Get("Diagnostic-Code"), ";")
			b.Reason = strings.TrimSpace(status + " " + strings.Join(strings.Fields(reason), " "))
		}
		if err != nil {
			return
		}
	}
}

// addressFails reports whether a status code (RFC 3463) says that an address takes no mail: its mailbox or host does not exist, has
// moved, or is disabled. A full mailbox, or a mail that looks like spam, says nothing of the next mail.
func addressFails(status string) bool {
	class, detail, _ := strings.Cut(status, ".")
	switch {
	case class != "5":
		return false
	case detail == "0.0": // the server gives no detail
		return true
	}
	switch detail {
	case "1.0", "1.1", "1.2", "1.3", "1.6", "1.10", "2.1", "4.4":
		return true
	}
	return false
}
