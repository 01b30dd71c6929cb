package page

import (
	"net/http"
	"strconv"
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
func errorText(status int) (heading, sentence string) {
	switch status {
	case http.StatusNotFound:
		return "There is nothing here", "The page was never here, is gone, or is not for you to know of."
	case http.StatusForbidden:
		return "This is not open to you", "You may not see or do this."
	case http.StatusUnauthorized:
		return "Sign in first", "This is for people who are signed in."
	case http.StatusTooManyRequests:
		return "A little slower, please", "That was too much in too short a time."
	case http.StatusServiceUnavailable:
		return "We are catching our breath", "This can't be answered right now. Nothing is lost."
	case http.StatusUnprocessableEntity, http.StatusBadRequest:
		return "That did not work", "What was sent could not be used."
	case http.StatusInternalServerError:
		return "Something broke", "The fault is ours, and it has been noted."
	}
	if text := http.StatusText(status); text != "" {
		return text, "That could not be done."
	}
	return "That did not work", "That could not be done."
}

func (m ErrorModel) text() (heading, sentence string) {
	heading, sentence = errorText(m.Status)
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
		return "Try again in a moment."
	case m.Retry < 120:
		return "Try again in " + count(m.Retry, "second", "seconds") + "."
	}
	return "Try again in " + strconv.Itoa((m.Retry+59)/60) + " minutes."
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
