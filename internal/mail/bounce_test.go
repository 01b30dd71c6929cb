package mail

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// report returns a notification with a status, in the form of RFC 3464, which returns the headers of a mail.
func report(status, headers string) string {
	lines := []string{
		"From: MAILER-DAEMON@mx.example", "To: site@amstel.example", "Subject: Undelivered Mail Returned to Sender",
		`Content-Type: multipart/report; report-type=delivery-status; boundary="b"`, "MIME-Version: 1.0", "",
		"--b", "Content-Type: text/plain", "", "I'm sorry.", "",
		"--b", "Content-Type: message/delivery-status", "", "Reporting-MTA: dns; mx.example", "X-Queue-ID: 4Bz", "", status, "",
		"--b", "Content-Type: text/rfc822-headers", "", headers, "", "--b--", "",
	}
	return strings.Join(lines, "\r\n")
}

// TestReadBounce reads a notification that Exim 4.96 wrote, and others in the form of the RFC.
func TestReadBounce(t *testing.T) {
	t.Parallel()
	exim, err := os.ReadFile("testdata/bounce-exim.eml")
	if err != nil {
		t.Fatal(err)
	}
	_, unboxed, _ := strings.Cut(string(exim), "\n")
	const headers = "Received: by mx.example\r\nMessage-ID: <Ab-1@amstel.example>\r\nSubject: x"
	failed := func(status string) string {
		return report("Final-Recipient: rfc822; anna@mx.example\r\nAction: failed\r\nStatus: "+status+"\r\nDiagnostic-Code: smtp; 550 so\r\n it is", headers)
	}
	const id = "5d9f81c9-8eab-4d68-8140-c92599309f49"
	for name, test := range map[string]struct {
		text string
		want Bounce
	}{
		"of Exim, as in a mailbox":    {string(exim), Bounce{id, true, "5.0.0"}},
		"of Exim":                     {unboxed, Bounce{id, true, "5.0.0"}},
		"of Exim, cut":                {unboxed[:strings.Index(unboxed, "Hello @anna")], Bounce{id, true, "5.0.0"}},
		"no mailbox":                  {failed("5.1.1"), Bounce{"Ab-1", true, "5.1.1 550 so it is"}},
		"a mailbox that is full":      {failed("5.2.2"), Bounce{"Ab-1", false, "5.2.2 550 so it is"}},
		"a mail that looks like spam": {failed("5.7.1"), Bounce{"Ab-1", false, "5.7.1 550 so it is"}},
		"too late":                    {failed("4.4.7"), Bounce{"Ab-1", false, "4.4.7 550 so it is"}},
		"late, and tried again":       {report("Final-Recipient: rfc822; anna@mx.example\r\nAction: delayed\r\nStatus: 5.1.1", headers), Bounce{Message: "Ab-1"}},
		"a part in base64": {strings.Replace(failed("5.1.1"), "Content-Type: text/rfc822-headers\r\n\r\n"+headers,
			"Content-Type: text/rfc822-headers\r\nContent-Transfer-Encoding: base64\r\n\r\nTWVzc2FnZS1JRDogPEFiLTFAYW1zdGVsLmV4YW1wbGU+DQo=", 1), Bounce{"Ab-1", true, "5.1.1 550 so it is"}},
	} {
		if got, err := ReadBounce(strings.NewReader(test.text)); err != nil || *got != test.want {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, test.want)
		}
	}
	for name, text := range map[string]string{
		"nothing":                      "",
		"a letter":                     "From: a@b.example\r\nSubject: hi\r\n\r\nMessage-ID: <x@y>\r\n",
		"an answer of a person away":   "From: a@b.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nMessage-ID: <x@y>\r\n--b--\r\n",
		"a report of something else":   strings.Replace(failed("5.1.1"), "report-type=delivery-status", "report-type=disposition-notification", 1),
		"a report without a mail":      report("Action: failed\r\nStatus: 5.1.1", "Subject: x"),
		"a report without a boundary":  strings.Replace(failed("5.1.1"), `; boundary="b"`, "", 1),
		"only the line of a mailbox":   "From MAILER-DAEMON",
		"a mail beyond what is read":   report("Action: failed\r\nStatus: 5.1.1\r\nX: "+strings.Repeat("x", mostOfBounce), headers),
		"a status that is not a group": report(strings.Repeat(":", 1000), "x"),
	} {
		if got, err := ReadBounce(strings.NewReader(text)); !errors.Is(err, ErrNoBounce) {
			t.Errorf("%s: %+v, %v; want %v", name, got, err, ErrNoBounce)
		}
	}
}

func FuzzReadBounce(f *testing.F) {
	f.Add(report("Action: failed\r\nStatus: 5.1.1", "Message-ID: <a@b>"))
	f.Add("From x\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ReadBounce(strings.NewReader(text))
		if (b == nil) == (err == nil) {
			t.Errorf("%+v, %v", b, err)
		}
		if b != nil && (b.Message == "" || strings.ContainsAny(b.Reason, "\r\n")) {
			t.Errorf("%+v", b)
		}
	})
}
