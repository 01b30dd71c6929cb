package page

import (
	"net/http"

	"amstel.dev/amstel/web/catalogue"
)

// ErrorModel is the page of a request that came to nothing.
type ErrorModel struct {
	Shell
	Status  int
	Message string // a sentence of its own; empty: that of the status
	// Of a 403 about a person or a group: whose page it is, so that the viewer
	// may ask to subscribe.
	User  *UserHead
	Group *GroupHead
	Retry int // of a 503 or 429: in how many seconds to try again; 0: not known
}

// errorText is the heading and the sentence of a status.
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

// ErrorTitle is the title of the page of a status.
func ErrorTitle(words catalogue.Language, status int) string {
	heading, _ := errorText(words, status)
	return heading
}

func (m ErrorModel) text() (heading, sentence string) {
	heading, sentence = errorText(m.Words, m.Status)
	signed := m.Viewer != nil
	switch {
	case m.User != nil:
		heading, sentence = m.Words.ErrorPrivateFeed(), m.Words.ErrorPrivateFeedText()
	case m.Group != nil:
		heading, sentence = m.Words.ErrorPrivateGroup(), m.Words.ErrorPrivateGroupText()
	}
	if (m.User != nil || m.Group != nil) && !signed {
		sentence = m.Words.ErrorSignInToRead()
	}
	if m.Message != "" {
		sentence = m.Message
	}
	return heading, sentence
}

// retries says whether trying again may help.
func (m ErrorModel) retries() bool {
	return m.Status == http.StatusServiceUnavailable || m.Status == http.StatusTooManyRequests
}

// when to try again, in words.
func (m ErrorModel) when() string {
	switch {
	case m.Retry <= 0:
		return m.Words.ErrorMoment()
	case m.Retry < 120:
		return m.Words.ErrorSeconds(m.Retry)
	}
	return m.Words.ErrorMinutes((m.Retry + 59) / 60)
}

// signIn says whether signing in may help.
func (m ErrorModel) signIn() bool {
	if m.Viewer != nil || m.User != nil || m.Group != nil {
		return false // whose page it is stands above, with what to do
	}
	return m.Status == http.StatusForbidden || m.Status == http.StatusUnauthorized || m.Status == http.StatusNotFound
}

// AboutModel is the page that says what this is.
type AboutModel struct{ Shell }
