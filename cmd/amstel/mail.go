package main

import (
	"errors"

	"amstel.dev/amstel/internal/mail"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
	"amstel.dev/amstel/web/catalogue"
)

// mailSettings holds the flags for sending mail.
type mailSettings struct {
	Mail     string `env:"AMSTEL_MAIL" placeholder:"ADDRESS" help:"Server that sends the site's mail, such as smtp://user:password@mail.example:587 or smtps://user:password@mail.example:465; or file:FOLDER, where each mail becomes a file. Give a password by the environment variable: other users of the machine can read flags. Without it the site sends no mail."`
	MailFrom string `env:"AMSTEL_MAIL_FROM" placeholder:"ADDRESS" help:"Sender of the site's mail, such as 'Amstel <amstel@mail.example>'."`
}

// Validate returns an error if one of the settings is given without the other.
func (m mailSettings) Validate() error {
	if (m.Mail == "") != (m.MailFrom == "") {
		return errors.New("--mail and --mail-from belong together")
	}
	return nil
}

// transport returns the transport for the site's mail; nil if the site sends none.
func (m mailSettings) transport() (mail.Transport, error) {
	if m.Mail == "" {
		return nil, nil
	}
	t, err := mail.Open(m.Mail, m.MailFrom)
	if err != nil {
		return nil, &settingError{"mail: " + err.Error()}
	}
	return t, nil
}

// mailNotices returns notices in words, for mails.
func mailNotices(words catalogue.Language, p *timeline.NoticePage) (all []mail.Notice) {
	for _, line := range web.NoticeLines(words, p) {
		all = append(all, mail.Notice{Said: line.Said, Comment: line.Comment, Path: line.Path})
	}
	return all
}
