package web

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/page"
)

// Errors of this package's own; the rest come from timeline and river.
var (
	errToken      = fmt.Errorf("bad token: %w", timeline.ErrUnauthorized)
	errNotByToken = errors.New("not by a token")
	errOrigin     = errors.New("from another site")
	errMethod     = errors.New("method not allowed")
	errMedia      = errors.New("unsupported media type")
	errBody       = errors.New("malformed body")
	errPanic      = errors.New("panic")
	errSignIn     = errors.New("wrong login or password")
	errLink       = errors.New("used or unknown link")
)

// A failure is what an error looks like from outside.
type failure struct {
	Status   int
	Code     string
	Sentence string
	Fields   map[string]string
	Retry    int // seconds; 0: no use

	// What pages make sentences of in the reader's language, beside the code.
	wrong []*timeline.InvalidError // what was typed
	taken string                   // the field with what somebody else has
	admin *timeline.LastAdminError
	limit int // of a body, in KB
}

// failures is the one table from errors to answers; the first that fits counts.
var failures = []struct {
	err error
	failure
}{
	{errToken, failure{Status: http.StatusUnauthorized, Code: "bad_token", Sentence: "This token is not known, or was revoked."}},
	{errSignIn, failure{Status: http.StatusUnauthorized, Code: "bad_credentials", Sentence: "That name and that password do not go together."}},
	{errLink, failure{Status: http.StatusForbidden, Code: "bad_link", Sentence: "This link was used already, or is too old. Ask for a new one."}},
	{errNotByToken, failure{Status: http.StatusForbidden, Code: "not_by_token", Sentence: "A token can't do this. Sign in with your password and do it there."}},
	{errOrigin, failure{Status: http.StatusForbidden, Code: "cross_origin", Sentence: "This came from another site, so it was not done. Open the page here and try again."}},
	{errMethod, failure{Status: http.StatusMethodNotAllowed, Code: "method_not_allowed", Sentence: "That can't be done to this address."}},
	{errMedia, failure{Status: http.StatusUnsupportedMediaType, Code: "unsupported_media_type", Sentence: "Send JSON or a form."}},
	{errBody, failure{Status: http.StatusBadRequest, Code: "bad_request", Sentence: "What was sent could not be read."}},
	{address.ErrLanguage, failure{Status: http.StatusNotFound, Code: "no_such_language", Sentence: "Nobody has written anything here in that language yet."}},
	{timeline.ErrUnavailable, failure{Status: http.StatusServiceUnavailable, Code: "unavailable", Sentence: "The database is away for a moment. Nothing is lost; try again shortly.", Retry: 5}},
	{river.ErrBehind, failure{Status: http.StatusServiceUnavailable, Code: "behind", Sentence: "This server is catching up. Try again in a moment.", Retry: 2}},
	{river.ErrGone, failure{Status: http.StatusServiceUnavailable, Code: "behind", Sentence: "This server is catching up. Try again in a moment.", Retry: 2}},
	{turnstile.ErrCrowded, failure{Status: http.StatusTooManyRequests, Code: "crowded", Sentence: "You have asked for too many pages at once. Wait for some of them, then try again.", Retry: 5}},
	{turnstile.ErrBusy, failure{Status: http.StatusServiceUnavailable, Code: "busy", Sentence: "Too many pages like this one are being asked for. Try again in a moment.", Retry: 5}},
	{timeline.ErrBusy, failure{Status: http.StatusServiceUnavailable, Code: "busy", Sentence: "There is a lot to do just now, and your search is not finished. Nothing is wrong with it: try again in a few seconds.", Retry: 5}},
	{timeline.ErrSignInBusy, failure{Status: http.StatusServiceUnavailable, Code: "busy", Sentence: "Too many people are signing in at this moment. Try again in a few seconds.", Retry: 5}},
	{timeline.ErrThrottled, failure{Status: http.StatusTooManyRequests, Code: "throttled", Sentence: "That was too many tries. Wait a while and try again.", Retry: 60}},
	{timeline.ErrUnauthorized, failure{Status: http.StatusUnauthorized, Code: "unauthorized", Sentence: "Sign in first."}},
	{timeline.ErrForbidden, failure{Status: http.StatusForbidden, Code: "forbidden", Sentence: "This is not for you to see or do."}},
	{timeline.ErrNotFound, failure{Status: http.StatusNotFound, Code: "not_found", Sentence: "There is nothing here."}},
	{timeline.ErrTaken, failure{Status: http.StatusConflict, Code: "taken", Sentence: "Somebody has that already."}},
	{timeline.ErrConflict, failure{Status: http.StatusConflict, Code: "conflict", Sentence: "That does not go together with how things are."}},
}

// explain finds what an error looks like from outside. What is in no table is a
// fault of ours, of which the outside learns only that there is one.
func explain(err error) failure {
	if wrong := invalid(err); len(wrong) > 0 {
		f := failure{Status: http.StatusUnprocessableEntity, Code: "invalid", Fields: make(map[string]string), wrong: wrong}
		var sentences []string
		for _, one := range wrong {
			f.Fields[one.Field] = one.Reason
			sentences = append(sentences, sentence(inWords(one.Field)+" "+one.Reason))
		}
		f.Sentence = strings.Join(sentences, " ")
		return f
	}
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return failure{
			Status: http.StatusRequestEntityTooLarge, Code: "too_large",
			Sentence: fmt.Sprintf("That is too large: at most %d KB can be sent.", large.Limit>>10),
			limit:    int(large.Limit >> 10),
		}
	}
	for _, row := range failures {
		if errors.Is(err, row.err) {
			return inDetail(row.failure, err)
		}
	}
	return failure{Status: http.StatusInternalServerError, Code: "fault", Sentence: "Something broke on our side. It has been noted."}
}

// invalid finds all that is said to be wrong with the input; several errors may
// be joined.
func invalid(err error) []*timeline.InvalidError {
	switch wrapped := err.(type) {
	case *timeline.InvalidError:
		return []*timeline.InvalidError{wrapped}
	case interface{ Unwrap() error }:
		return invalid(wrapped.Unwrap())
	case interface{ Unwrap() []error }:
		var all []*timeline.InvalidError
		for _, one := range wrapped.Unwrap() {
			all = append(all, invalid(one)...)
		}
		return all
	}
	return nil
}

// inDetail adds to a failure which field is taken, or whose last administrator has
// to stay, where the error has that.
func inDetail(f failure, err error) failure {
	if taken, is := errors.AsType[*timeline.TakenError](err); is {
		f.Fields, f.taken = map[string]string{taken.Field: "is taken already"}, taken.Field
		f.Sentence = sentence(taken.Field + " is taken already")
	}
	if last, is := errors.AsType[*timeline.LastAdminError](err); is {
		f.admin = last
		f.Sentence = "The last administrator of " + last.Group + " can't go: make somebody else one first."
		if last.Group == "" {
			f.Sentence = "The site has no other administrator: make somebody else one first."
		}
	}
	return f
}

// sentence makes a clause one that can stand alone.
func sentence(clause string) string {
	first, size := utf8.DecodeRuneInString(clause)
	if size == 0 {
		return ""
	}
	whole := string(unicode.ToUpper(first)) + clause[size:]
	if !strings.HasSuffix(whole, ".") {
		whole += "."
	}
	return whole
}

// inWords is a field's name as a sentence has it: _uuid is "uuid".
func inWords(field string) string {
	if field == "q" {
		return "the search"
	}
	return strings.TrimSpace(strings.ReplaceAll(field, "_", " "))
}

// problems are the fields of a failure as a form shows them.
func (q *request) problems(f failure) page.Problems {
	found := page.Problems{}
	for _, one := range f.wrong {
		found[one.Field] = wrongIn(q.words, one)
	}
	if f.taken != "" {
		found[f.taken] = q.words.WrongTaken()
	}
	if len(found) == 0 {
		found[""] = f.sentenceIn(q.words)
	}
	return found
}

// mendable says whether an error is of what was typed, so that the form is
// shown again rather than a page that says no.
func mendable(err error) (failure, bool) {
	f := explain(err)
	switch {
	case errors.Is(err, timeline.ErrUnauthorized), errors.Is(err, timeline.ErrNotFound):
		return f, false
	}
	return f, f.Status == http.StatusUnprocessableEntity || f.Status == http.StatusConflict || f.Status == http.StatusForbidden || f.Status == http.StatusTooManyRequests
}
