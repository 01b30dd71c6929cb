package page

import (
	"strings"
	"time"
)

// MailsPath is the page that lists the mails of a site that keeps them in a folder.
const MailsPath = "/about/mails"

// MailsModel is the content of the page that lists mails.
type MailsModel struct {
	Shell
	Mails []SentMail // the newest first
}

// A SentMail is a mail as the page shows it.
type SentMail struct {
	At          time.Time
	To, Subject string
	Text        string
	Site        string // the public address of the site: addresses that begin with it are shown as links
}

// A mailPart is a part of a mail's text: an address on the site, or the text between two of them.
type mailPart struct{ Text, Path string }

// parts returns the text of the mail, cut at the addresses on the site.
func (m SentMail) parts() (all []mailPart) {
	rest := m.Text
	for {
		before, after, found := strings.Cut(rest, m.Site+"/")
		if before != "" {
			all = append(all, mailPart{Text: before})
		}
		if !found {
			return all
		}
		path := "/" + after
		if end := strings.IndexAny(path, " \n\t"); end >= 0 {
			path = path[:end]
		}
		all = append(all, mailPart{m.Site + path, path})
		rest = after[len(path)-1:]
	}
}
