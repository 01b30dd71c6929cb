package web

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/page"
)

// Errors of this package. Other errors come from timeline, river, web/address and
// internal/turnstile.
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
	errSlow       = errors.New("upload too slow")
	errDraft      = errors.New("no such draft")
)

// A failure is an error in the form in which a client gets it.
type failure struct {
	Status   int
	Code     string            // for programs; codes never change
	Sentence string            // in English, for programs
	Fields   map[string]string // what is wrong with each field, in English; nil: no field is wrong
	Retry    int               // in how many seconds another try may succeed; 0: none will

	inPage func(catalogue.Language) string // the sentence for people
	wrong  []*timeline.InvalidError        // the invalid input
	taken  string                          // the field with a value that another account has
}

// failures is the one table from errors to answers. The first row whose error is wrapped
// applies. All sentences are in the catalogues; programs get the English one.
var failures = []struct {
	err    error
	status int
	code   string
	retry  int // in seconds
	inPage func(catalogue.Language) string
}{
	{errToken, http.StatusUnauthorized, "bad_token", 0, catalogue.Language.FailureBadToken},
	{errSignIn, http.StatusUnauthorized, "bad_credentials", 0, catalogue.Language.FailureBadCredentials},
	{errLink, http.StatusForbidden, "bad_link", 0, catalogue.Language.FailureBadLink},
	{errNotByToken, http.StatusForbidden, "not_by_token", 0, catalogue.Language.FailureNotByToken},
	{errOrigin, http.StatusForbidden, "cross_origin", 0, catalogue.Language.FailureCrossOrigin},
	{errMethod, http.StatusMethodNotAllowed, "method_not_allowed", 0, catalogue.Language.FailureMethodNotAllowed},
	{errMedia, http.StatusUnsupportedMediaType, "unsupported_media_type", 0, catalogue.Language.FailureUnsupportedMediaType},
	{errSlow, http.StatusRequestTimeout, "too_slow", 0, catalogue.Language.FailureTooSlow},
	{errBody, http.StatusBadRequest, "bad_request", 0, catalogue.Language.FailureBadRequest},
	{errDraft, http.StatusNotFound, "no_draft", 0, catalogue.Language.FailureNoDraft},
	{address.ErrLanguage, http.StatusNotFound, "no_such_language", 0, catalogue.Language.FailureNoSuchLanguage},
	{timeline.ErrUnavailable, http.StatusServiceUnavailable, "unavailable", 5, catalogue.Language.FailureUnavailable},
	{river.ErrBehind, http.StatusServiceUnavailable, "behind", 2, catalogue.Language.FailureBehind},
	{river.ErrGone, http.StatusServiceUnavailable, "behind", 2, catalogue.Language.FailureBehind},
	{turnstile.ErrCrowded, http.StatusTooManyRequests, "crowded", 5, catalogue.Language.FailureCrowded},
	{turnstile.ErrBusy, http.StatusServiceUnavailable, "busy", 5, catalogue.Language.FailureBusyPages},
	{timeline.ErrBusy, http.StatusServiceUnavailable, "busy", 5, catalogue.Language.FailureBusySearch},
	{timeline.ErrSignInBusy, http.StatusServiceUnavailable, "busy", 5, catalogue.Language.FailureBusySignIn},
	{timeline.ErrThrottled, http.StatusTooManyRequests, "throttled", 60, catalogue.Language.FailureThrottled},
	{timeline.ErrPasskey, http.StatusForbidden, "bad_passkey", 0, catalogue.Language.FailureBadPasskey},
	{timeline.ErrSuspended, http.StatusForbidden, "suspended", 0, catalogue.Language.FailureSuspended},
	{timeline.ErrWaiting, http.StatusForbidden, "waiting", 0, catalogue.Language.FailureWaiting},
	{timeline.ErrByLink, http.StatusForbidden, "registration_by_link", 0, catalogue.Language.FailureRegistrationByLink},
	{timeline.ErrClosed, http.StatusForbidden, "registration_closed", 0, catalogue.Language.FailureRegistrationClosed},
	{timeline.ErrUnauthorized, http.StatusUnauthorized, "unauthorized", 0, catalogue.Language.FailureUnauthorized},
	{timeline.ErrForbidden, http.StatusForbidden, "forbidden", 0, catalogue.Language.FailureForbidden},
	{timeline.ErrNotFound, http.StatusNotFound, "not_found", 0, catalogue.Language.FailureNotFound},
	{timeline.ErrTaken, http.StatusConflict, "taken", 0, catalogue.Language.FailureTaken},
	{timeline.ErrConflict, http.StatusConflict, "conflict", 0, catalogue.Language.FailureConflict},
}

// explain returns the failure that a client gets for an error. An error outside the table is a
// fault of the server: the client learns only that there was a fault.
func explain(err error) failure {
	f := failure{Status: http.StatusInternalServerError, Code: "fault", inPage: catalogue.Language.FailureFault}
	if wrong := invalid(err); len(wrong) > 0 {
		f = failureOfInput(wrong)
		if taken, also := errors.AsType[*timeline.TakenError](err); also {
			f.take(taken.Field)
		}
		return f
	}
	if bad, ok := errors.AsType[*timeline.AttachmentError](err); ok {
		return failureOfInput([]*timeline.InvalidError{{
			Field: "attachment_ids", Reason: fmt.Sprintf("name %d, which you have not uploaded, or which is elsewhere or was refused", bad.ID), Code: "no_file",
		}})
	}
	if full, ok := errors.AsType[*timeline.QuotaError](err); ok {
		return failureOfQuota(full)
	}
	if scope, ok := errors.AsType[*scopeError](err); ok {
		f.Status, f.Code = http.StatusForbidden, "scope"
		f.inPage = func(words catalogue.Language) string {
			return words.FailureScope(strings.Join(scope.needed.Names(), ", "))
		}
		f.Sentence = f.inPage(catalogue.English)
		return f
	}
	if used, ok := errors.AsType[*usedUpError](err); ok {
		f.Status, f.Code, f.Retry = http.StatusTooManyRequests, "throttled", wholeSeconds(used.reset)
		f.inPage = func(words catalogue.Language) string { return words.FailureUsedUp(used.minutes()) }
		f.Sentence = f.inPage(catalogue.English)
		return f
	}
	if many, ok := errors.AsType[*timeline.ExportLimitError](err); ok {
		f.Status, f.Code, f.Retry = http.StatusTooManyRequests, "throttled", wholeSeconds(many.After)
		hours := int((many.After + time.Hour - 1) / time.Hour)
		f.inPage = func(words catalogue.Language) string { return words.FailureExports(hours) }
		f.Sentence = f.inPage(catalogue.English)
		return f
	}
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		f.Status, f.Code = http.StatusRequestEntityTooLarge, "too_large"
		f.inPage = func(words catalogue.Language) string { return words.FailureTooLarge(int(large.Limit >> 10)) }
	} else {
		for _, row := range failures {
			if errors.Is(err, row.err) {
				f.Status, f.Code, f.Retry, f.inPage = row.status, row.code, row.retry, row.inPage
				break
			}
		}
	}
	if refused, ok := errors.AsType[*timeline.RefusedError](err); ok {
		f.Status, f.Code, f.inPage = http.StatusForbidden, "refused", catalogue.Language.FailureRefused
		if refused.Reason != "" {
			f.inPage = func(words catalogue.Language) string { return words.FailureRefusedFor(refused.Reason) }
		}
	}
	if leaving, ok := errors.AsType[*timeline.LeavingError](err); ok {
		f.Status, f.Code = http.StatusForbidden, "leaving"
		f.inPage = func(words catalogue.Language) string { return words.FailureLeaving(words.Day(leaving.EraseAt)) }
	}
	if last, ok := errors.AsType[*timeline.LastAdminError](err); ok {
		f.inPage = func(words catalogue.Language) string { return words.FailureLastAdmin(last.Group) }
		if last.Group == "" {
			f.inPage = catalogue.Language.FailureLastSiteAdmin
		}
	}
	f.Sentence = f.inPage(catalogue.English)
	if taken, ok := errors.AsType[*timeline.TakenError](err); ok {
		f.inPage, f.Sentence, f.Fields = catalogue.Language.WrongTaken, "", make(map[string]string)
		f.take(taken.Field)
	}
	return f
}

// A scopeError is the refusal of a token without the scope that the request needs.
type scopeError struct{ needed timeline.Scopes }

func (e *scopeError) Error() string {
	return "the token lacks the scope " + strings.Join(e.needed.Names(), ", ")
}

// take notes that another account has the value of a field.
func (f *failure) take(field string) {
	const reason = "is already taken"
	f.taken, f.Fields[field] = field, reason
	f.Sentence = strings.TrimSpace(f.Sentence + " " + sentence(field+" "+reason))
}

// failureOfQuota returns the failure for an upload that exceeds a quota.
func failureOfQuota(full *timeline.QuotaError) failure {
	f := failure{Status: http.StatusRequestEntityTooLarge}
	switch full.What {
	case "file":
		f.Code = "file_too_large"
		f.inPage = func(words catalogue.Language) string { return words.FailureFileTooLarge(words.Size(full.Limit)) }
	case "person":
		f.Code = "files_full"
		f.inPage = func(words catalogue.Language) string {
			return words.FailureFilesFull(words.Size(full.Left), words.Size(full.Limit))
		}
	case "unattached":
		f.Status, f.Code = http.StatusConflict, "unattached"
		f.inPage = func(words catalogue.Language) string { return words.FailureUnattached(int(full.Limit)) }
	default:
		f.Status, f.Code = http.StatusInsufficientStorage, "site_full"
		f.inPage = func(words catalogue.Language) string { return words.FailureSiteFull(words.Size(full.Left)) }
	}
	f.Sentence = f.inPage(catalogue.English)
	return f
}

// failureOfInput returns the failure for invalid input. Programs get each wrong field with
// the reason; people see the sentence of each error's code.
func failureOfInput(wrong []*timeline.InvalidError) failure {
	f := failure{Status: http.StatusUnprocessableEntity, Code: "invalid", Fields: make(map[string]string), wrong: wrong}
	var sentences []string
	for _, one := range wrong {
		f.Fields[one.Field] = one.Reason
		sentences = append(sentences, sentence(inWords(one.Field)+" "+one.Reason))
	}
	f.Sentence = strings.Join(sentences, " ")
	f.inPage = func(words catalogue.Language) string {
		var all []string
		for _, one := range wrong {
			all = append(all, wrongIn(words, one))
		}
		return strings.Join(all, " ")
	}
	return f
}

// invalid returns every [timeline.InvalidError] that an error wraps or joins.
func invalid(err error) []*timeline.InvalidError {
	// errors.As stops at the first, so each error that err wraps is looked at here. A
	// switch over any tells errorlint that no wrapped error is missed.
	switch wrapped := any(err).(type) {
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

// sentence returns a clause with a capital letter and a full stop.
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

// inWords returns a field's name as a sentence has it: "uuid" for "_uuid".
func inWords(field string) string {
	if field == "q" {
		return "the search"
	}
	return strings.TrimSpace(strings.ReplaceAll(field, "_", " "))
}

// problems returns the sentences beside the fields of a form after a failure, in the viewer's
// language. A sentence about no field has the empty name.
func (q *request) problems(f failure) page.Problems {
	found := page.Problems{}
	for _, one := range f.wrong {
		found[one.Field] = wrongIn(q.words, one)
	}
	if f.taken != "" {
		found[f.taken] = q.words.WrongTaken()
	}
	if len(found) == 0 {
		found[""] = f.inPage(q.words)
	}
	return found
}

// fixableByUser returns the failure for an error, and reports whether another input may
// succeed, so that the form is shown again instead of an error page.
func fixableByUser(err error) (f failure, ok bool) {
	f = explain(err)
	if errors.Is(err, timeline.ErrUnauthorized) || errors.Is(err, timeline.ErrNotFound) {
		return f, false
	}
	if _, full := errors.AsType[*timeline.QuotaError](err); full {
		return f, true
	}
	switch f.Status {
	case http.StatusUnprocessableEntity, http.StatusConflict, http.StatusForbidden, http.StatusTooManyRequests:
		return f, true
	}
	return f, false
}
