package web

import (
	"strings"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// sentenceIn is what a page says of a failure. What the API says of it is in the table
// of failures, in English.
func (f failure) sentenceIn(words catalogue.Language) string {
	if len(f.wrong) > 0 {
		var all []string
		for _, one := range f.wrong {
			all = append(all, wrongIn(words, one))
		}
		return strings.Join(all, " ")
	}
	switch {
	case f.taken != "":
		return words.WrongTaken()
	case f.admin != nil && f.admin.Group == "":
		return words.FailureLastSiteAdmin()
	case f.admin != nil:
		return words.FailureLastAdmin(f.admin.Group)
	}
	switch f.Code {
	case "bad_token":
		return words.FailureBadToken()
	case "bad_credentials":
		return words.FailureBadCredentials()
	case "bad_link":
		return words.FailureBadLink()
	case "not_by_token":
		return words.FailureNotByToken()
	case "cross_origin":
		return words.FailureCrossOrigin()
	case "method_not_allowed":
		return words.FailureMethodNotAllowed()
	case "unsupported_media_type":
		return words.FailureUnsupportedMediaType()
	case "bad_request":
		return words.FailureBadRequest()
	case "no_such_language":
		return words.FailureNoSuchLanguage()
	case "unavailable":
		return words.FailureUnavailable()
	case "behind":
		return words.FailureBehind()
	case "crowded":
		return words.FailureCrowded()
	case "busy":
		return words.FailureBusy()
	case "throttled":
		return words.FailureThrottled()
	case "unauthorized":
		return words.FailureUnauthorized()
	case "forbidden":
		return words.FailureForbidden()
	case "not_found":
		return words.FailureNotFound()
	case "taken":
		return words.FailureTaken()
	case "conflict":
		return words.FailureConflict()
	case "too_large":
		return words.FailureTooLarge(f.limit)
	}
	return words.FailureFault()
}

// wrongIn is what a page says beside a field. What only a program sends has no code,
// and a sentence that fits everything.
func wrongIn(words catalogue.Language, wrong *timeline.InvalidError) string {
	switch wrong.Code {
	case "empty":
		return words.WrongEmpty()
	case "invisible":
		return words.WrongInvisible()
	case "too_long":
		return words.WrongTooLong(wrong.N)
	case "too_short":
		return words.WrongTooShort(wrong.N)
	case "characters":
		return words.WrongCharacters()
	case "one_line":
		return words.WrongOneLine()
	case "name":
		return words.WrongName()
	case "reserved":
		return words.WrongReserved()
	case "often":
		return words.WrongOften()
	case "email":
		return words.WrongEmail()
	case "password":
		return words.WrongPassword()
	case "old_password":
		return words.WrongOldPassword()
	case "no_password":
		return words.WrongNoPassword()
	case "choice":
		return words.WrongChoice()
	case "nobody":
		return words.WrongNobody()
	case "no_person":
		return words.WrongNoPerson(wrong.Name)
	case "no_group":
		return words.WrongNoGroup(wrong.Name)
	case "group":
		return words.WrongGroup()
	case "yourself":
		return words.WrongYourself()
	case "not_member":
		return words.WrongNotMember()
	case "suspended":
		return words.WrongSuspended()
	case "own_like":
		return words.WrongOwnLike()
	case "own_fav":
		return words.WrongOwnFav()
	case "where":
		return words.WrongWhere()
	case "places":
		return words.WrongPlaces()
	case "mixed_direct":
		return words.WrongMixedDirect()
	case "mixed_fyeo":
		return words.WrongMixedFyeo()
	case "self_direct":
		return words.WrongSelfDirect()
	case "stays_direct":
		return words.WrongStaysDirect()
	case "recipients":
		return words.WrongRecipients()
	case "full":
		return words.WrongFull()
	case "list_name":
		return words.WrongListName()
	case "unreadable":
		return words.WrongUnreadable()
	case "number":
		return words.WrongNumber()
	case "counts_nothing":
		return words.WrongCountsNothing()
	case "no_letter":
		return words.WrongNoLetter()
	case "common":
		return words.WrongCommon()
	case "rarer":
		return words.WrongRarer()
	case "sign_name":
		return words.WrongSignName(wrong.Name)
	case "sign_minus":
		return words.WrongSignMinus(wrong.Name)
	case "sign_in":
		return words.WrongSignIn()
	case "no_word":
		return words.WrongNoWord()
	case "too_much":
		return words.WrongTooMuch()
	case "only_not":
		return words.WrongOnlyNot()
	case "no_comment_word":
		return words.WrongNoCommentWord()
	case "times":
		return words.WrongTimes()
	case "deep":
		return words.WrongDeep()
	case "no_day":
		return words.WrongNoDay(wrong.Name)
	}
	return words.WrongInput()
}
