package web

import (
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// A wrongSentence returns the sentence to show beside a field with invalid input.
type wrongSentence func(catalogue.Language, *timeline.InvalidError) string

// wrongSentences holds the sentence for each code of a [timeline.InvalidError]. An
// error without a code is caused only by programs, and has no sentence of its own.
var wrongSentences = map[string]wrongSentence{
	"empty":           always(catalogue.Language.WrongEmpty),
	"no_content":      always(catalogue.Language.WrongNoContent),
	"invisible":       always(catalogue.Language.WrongInvisible),
	"too_long":        withLimit(catalogue.Language.WrongTooLong),
	"too_short":       withLimit(catalogue.Language.WrongTooShort),
	"characters":      always(catalogue.Language.WrongCharacters),
	"one_line":        always(catalogue.Language.WrongOneLine),
	"name":            always(catalogue.Language.WrongName),
	"reserved":        always(catalogue.Language.WrongReserved),
	"often":           always(catalogue.Language.WrongOften),
	"email":           always(catalogue.Language.WrongEmail),
	"password":        always(catalogue.Language.WrongPassword),
	"old_password":    always(catalogue.Language.WrongOldPassword),
	"no_password":     always(catalogue.Language.WrongNoPassword),
	"sign_in_again":   always(catalogue.Language.WrongSignInAgain),
	"common_password": always(catalogue.Language.WrongCommonPassword),
	"own_password":    always(catalogue.Language.WrongOwnPassword),
	"choice":          always(catalogue.Language.WrongChoice),
	"nobody":          always(catalogue.Language.WrongNobody),
	"no_person":       withName(catalogue.Language.WrongNoPerson),
	"no_group":        withName(catalogue.Language.WrongNoGroup),
	"group":           always(catalogue.Language.WrongGroup),
	"yourself":        always(catalogue.Language.WrongYourself),
	"not_member":      always(catalogue.Language.WrongNotMember),
	"suspended":       always(catalogue.Language.WrongSuspended),
	"own_like":        always(catalogue.Language.WrongOwnLike),
	"where":           always(catalogue.Language.WrongWhere),
	"places":          always(catalogue.Language.WrongPlaces),
	"too_many":        withLimit(catalogue.Language.WrongTooMany),
	"mixed_direct":    always(catalogue.Language.WrongMixedDirect),
	"mixed_fyeo":      always(catalogue.Language.WrongMixedFyeo),
	"self_direct":     always(catalogue.Language.WrongSelfDirect),
	"stays_direct":    always(catalogue.Language.WrongStaysDirect),
	"refused":         withName(catalogue.Language.WrongRefused),
	"newcomer_posts":  withLimit(catalogue.Language.WrongNewcomerPosts),
	"newcomer_link":   withLimit(catalogue.Language.WrongNewcomerLink),
	"held":            always(catalogue.Language.WrongHeld),
	"filter_long":     withLimit(catalogue.Language.WrongFilterLong),
	"filter_empty":    withName(catalogue.Language.WrongFilterEmpty),
	"filter_many":     withLimit(catalogue.Language.WrongFilterMany),
	"recipients":      always(catalogue.Language.WrongRecipients),
	"no_file":         always(catalogue.Language.WrongNoFile),
	"picture_type":    always(catalogue.Language.WrongPictureType),
	"picture_damaged": always(catalogue.Language.WrongPictureDamaged),
	"picture_large":   always(catalogue.Language.WrongPictureLarge),
	"picture_tool":    always(catalogue.Language.WrongPictureTool),
	"full":            always(catalogue.Language.WrongFull),
	"list_name":       always(catalogue.Language.WrongListName),
	"unreadable":      always(catalogue.Language.WrongUnreadable),
	"number":          always(catalogue.Language.WrongNumber),
	"counts_nothing":  always(catalogue.Language.WrongCountsNothing),
	"no_scope":        always(catalogue.Language.WrongNoScope),
	"past":            always(catalogue.Language.WrongPast),
	"no_letter":       always(catalogue.Language.WrongNoLetter),
	"common":          always(catalogue.Language.WrongCommon),
	"rarer":           always(catalogue.Language.WrongRarer),
	"sign_name":       withName(catalogue.Language.WrongSignName),
	"sign_minus":      withName(catalogue.Language.WrongSignMinus),
	"sign_in":         always(catalogue.Language.WrongSignIn),
	"sign_has":        always(catalogue.Language.WrongSignHas),
	"no_word":         always(catalogue.Language.WrongNoWord),
	"too_much":        always(catalogue.Language.WrongTooMuch),
	"only_not":        always(catalogue.Language.WrongOnlyNot),
	"no_comment_word": always(catalogue.Language.WrongNoCommentWord),
	"times":           always(catalogue.Language.WrongTimes),
	"deep":            always(catalogue.Language.WrongDeep),
	"days":            withLimit(catalogue.Language.WrongDays),
	"rules":           always(catalogue.Language.WrongRules),
	"hide_private":    always(catalogue.Language.WrongHidePrivate),
	"sign_up_link":    always(catalogue.Language.WrongSignUpLink),
	"site_only":       always(catalogue.Language.WrongSiteOnly),
	"not_there":       always(catalogue.Language.WrongNotThere),
	"address":         always(catalogue.Language.WrongAddress),
	"no_day":          withName(catalogue.Language.WrongNoDay),

	"intake_off":     always(catalogue.Language.WrongIntakeOff),
	"intake_full":    always(catalogue.Language.WrongIntakeFull),
	"intake_twice":   always(catalogue.Language.WrongIntakeTwice),
	"intake_address": always(catalogue.Language.WrongIntakeAddress),
	"intake_away":    always(catalogue.Language.WrongIntakeAway),
	"intake_status":  withName(catalogue.Language.WrongIntakeStatus),
	"intake_gone":    always(catalogue.Language.WrongIntakeGone),
	"intake_no_feed": always(catalogue.Language.WrongIntakeNoFeed),
	"intake_broken":  always(catalogue.Language.WrongIntakeBroken),
	"intake_large":   always(catalogue.Language.WrongIntakeLarge),
	"intake_adding":  always(catalogue.Language.WrongIntakeAdding),
	"intake_crowd":   always(catalogue.Language.WrongIntakeCrowd),
	"intake_rights":  always(catalogue.Language.WrongIntakeRights),
}

// always returns a sentence without gaps.
func always(sentence func(catalogue.Language) string) wrongSentence {
	return func(words catalogue.Language, _ *timeline.InvalidError) string { return sentence(words) }
}

// withLimit returns a sentence that says a limit: of a length, in characters, or of a number of
// files.
func withLimit(sentence func(catalogue.Language, int) string) wrongSentence {
	return func(words catalogue.Language, wrong *timeline.InvalidError) string { return sentence(words, wrong.N) }
}

// withName returns a sentence that repeats the typed name.
func withName(sentence func(catalogue.Language, string) string) wrongSentence {
	return func(words catalogue.Language, wrong *timeline.InvalidError) string {
		return sentence(words, wrong.Name)
	}
}

// wrongIn returns the sentence that a form shows beside the field of invalid input.
func wrongIn(words catalogue.Language, wrong *timeline.InvalidError) string {
	if sentence, ok := wrongSentences[wrong.Code]; ok {
		return sentence(words, wrong)
	}
	return words.WrongInput()
}
