package page

import (
	"net/http"
	"time"

	"amstel.dev/amstel/web/catalogue"
)

// ErrorModel is the content of an error page.
type ErrorModel struct {
	Shell
	Status  int
	Message string // a sentence; empty: the one of the status
	// User or Group is the owner of a page that the viewer may not read, so that the
	// viewer can ask to subscribe.
	User  *UserHead
	Group *GroupHead
	Retry int // of a 503 or 429: in how many seconds to try again; 0: unknown
}

// errorText returns the heading and the sentence of a status.
func errorText(words catalogue.Language, status int) (heading, sentence string) {
	switch status {
	case http.StatusNotFound:
		return words.ErrorNotFound(), words.ErrorNotFoundText()
	case http.StatusForbidden:
		return words.ErrorForbidden(), words.ErrorForbiddenText()
	case http.StatusUnauthorized:
		return words.ErrorUnauthorized(), words.ErrorUnauthorizedText()
	case http.StatusTooManyRequests:
		return words.ErrorSlower(), words.ErrorSlowerText()
	case http.StatusServiceUnavailable:
		return words.ErrorBusy(), words.ErrorBusyText()
	case http.StatusUnprocessableEntity, http.StatusBadRequest:
		return words.ErrorUnusable(), words.ErrorUnusableText()
	case http.StatusInternalServerError:
		return words.ErrorBroken(), words.ErrorBrokenText()
	}
	return words.ErrorUnusable(), words.ErrorOtherText()
}

// ErrorTitle returns the title of the page of a status.
func ErrorTitle(words catalogue.Language, status int) string {
	heading, _ := errorText(words, status)
	return heading
}

func (m ErrorModel) text() (heading, sentence string) {
	heading, sentence = errorText(m.Words, m.Status)
	signed := m.Viewer != nil
	var relation Relation
	switch {
	case m.User != nil:
		heading, sentence, relation = m.Words.ErrorPrivateFeed(), m.Words.ErrorPrivateFeedText(), m.User.Relation
	case m.Group != nil:
		heading, sentence, relation = m.Words.ErrorPrivateGroup(), m.Words.ErrorPrivateGroupText(), m.Group.Relation
	}
	switch { // the sentence names what the head of the page offers
	case m.User == nil && m.Group == nil:
	case !signed:
		sentence = m.Words.ErrorSignInToRead()
	case relation.Banned:
		sentence = m.Words.ErrorPrivateFeedBanned()
	case relation.Requested:
		sentence = m.Words.ErrorPrivateAsked()
	case relation.Barred:
		sentence = m.Words.ErrorPrivateBarred()
	}
	if m.Message != "" {
		sentence = m.Message
	}
	return heading, sentence
}

// retries reports whether trying again may help.
func (m ErrorModel) retries() bool {
	return m.Status == http.StatusServiceUnavailable || m.Status == http.StatusTooManyRequests
}

// when returns in words when to try again.
func (m ErrorModel) when() string {
	switch {
	case m.Retry <= 0:
		return m.Words.ErrorMoment()
	case m.Retry < 120:
		return m.Words.ErrorSeconds(m.Retry)
	}
	return m.Words.ErrorMinutes((m.Retry + 59) / 60)
}

// signIn reports whether signing in may help.
func (m ErrorModel) signIn() bool {
	if m.Viewer != nil || m.User != nil || m.Group != nil {
		return false // the owner's head has the link
	}
	return m.Status == http.StatusForbidden || m.Status == http.StatusUnauthorized || m.Status == http.StatusNotFound
}

// AboutModel is the content of the page about the site.
type AboutModel struct {
	Shell
	About string // by administrators; may be empty
}

// RulesModel is the content of the page of the rules of the site.
type RulesModel struct {
	Shell
	Rules string
	Since time.Time // when the rules were changed last
}
