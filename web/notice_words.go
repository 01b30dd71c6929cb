package web

import (
	"cmp"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/page"
)

// noticeWords is how many characters of a text a notice shows.
const noticeWords = 100

// noticeURL returns the address to which a notice links.
func noticeURL(n *timeline.Notice, p *timeline.NoticePage) string {
	switch author, by := p.Users[n.Author], p.Users[n.By]; {
	case n.Kind == timeline.NoticeIntake:
		return page.IntakesPath
	case n.Kind == timeline.NoticeReport, n.Kind == timeline.NoticeHeld:
		return page.ReportsPath
	case n.Kind == timeline.NoticeApplicant:
		return page.ApplicantsPath
	case n.Kind == timeline.NoticeHeir && p.Groups[timeline.GroupID(n.Feed.TheirID)] != nil:
		return page.NamePath(p.Groups[timeline.GroupID(n.Feed.TheirID)].Name)
	case n.Kind == timeline.NoticeModeration:
		return page.ObjectionPath(n.Decided.ID)
	case n.Kind == timeline.NoticeAccepted && n.Feed.What == timeline.WhatGroup && p.Groups[timeline.GroupID(n.Feed.TheirID)] != nil:
		return page.NamePath(p.Groups[timeline.GroupID(n.Feed.TheirID)].Name)
	case n.Kind == timeline.NoticeRequest, n.Kind == timeline.NoticeInvitation:
		return page.RequestsPath
	case n.Comment != 0 && author != nil:
		return page.CommentPath(author.Name, n.Post, n.Comment)
	case n.Post != 0 && author != nil:
		return page.PostPath(author.Name, n.Post)
	case by != nil:
		return page.NamePath(by.Name)
	}
	return page.NoticesPath
}

// noticeTexts returns the first words of the post and of the comment that a notice is about; empty
// if the notice is about none.
func noticeTexts(words catalogue.Language, n *timeline.Notice) (post, comment string) {
	if n.Post != 0 {
		post = beginning(words, n.PostText, n.PostFile, noticeWords)
	}
	if n.Comment != 0 {
		comment = beginning(words, n.CommentText, n.CommentFile, noticeWords)
	}
	return post, comment
}

// noticeOf returns a notice as the page of notices shows it.
func noticeOf(words catalogue.Language, n *timeline.Notice, p *timeline.NoticePage) page.Notice {
	shown := page.Notice{By: p.Users[n.By], Href: noticeURL(n, p), At: n.At, New: !n.Read, Quote: n.Post != 0}
	post, comment := noticeTexts(words, n)
	if n.Post != 0 {
		shown.About = cmp.Or(comment, post)
	}
	group := groupCalled(words, n, p)
	private, inGroup := n.Feed.What == timeline.WhatUserPrivate, n.Feed.What == timeline.WhatGroup
	switch n.Kind {
	case timeline.NoticeMention:
		shown.Did = words.NoticeDidMention()
		if n.Comment != 0 {
			shown.Did = words.NoticeDidMentionComment()
		}
	case timeline.NoticeDirect:
		shown.Did = words.NoticeDidDirect()
		if n.Comment != 0 {
			shown.Did = words.NoticeDidDirectComment()
		}
	case timeline.NoticeComment:
		shown.Did, shown.About, shown.Comment = words.NoticeDidComment(), post, comment
	case timeline.NoticeLike:
		shown.Did = words.NoticeDidLike()
	case timeline.NoticeCommentLike:
		shown.Did = words.NoticeDidCommentLike()
	case timeline.NoticeRequest:
		shown.About = words.NoticeAnswer()
		switch {
		case inGroup:
			shown.Did = words.NoticeDidRequestGroup(group)
		case private:
			shown.Did = words.NoticeDidRequestPrivate()
		default:
			shown.Did = words.NoticeDidRequest()
		}
	case timeline.NoticeInvitation:
		shown.About = words.NoticeAnswer()
		switch {
		case inGroup:
			shown.Did = words.NoticeDidInviteGroup(group)
		case private:
			shown.Did = words.NoticeDidInvitePrivate()
		default:
			shown.Did = words.NoticeDidInvite()
		}
	case timeline.NoticeSubscriber:
		shown.Did = words.NoticeDidSubscribe()
		if private {
			shown.Did = words.NoticeDidSubscribePrivate()
		}
	case timeline.NoticeAccepted:
		switch {
		case inGroup:
			shown.Did = words.NoticeDidAcceptedGroup(group)
		case private:
			shown.Did = words.NoticeDidAcceptedPrivate()
		default:
			shown.Did = words.NoticeDidAccepted()
		}
	case timeline.NoticeLeft:
		shown.Did = words.NoticeDidLeave()
	case timeline.NoticeReport:
		shown.Own, shown.Did, shown.About = true, words.NoticeReportWaits(), words.NoticeReportOpen()
	case timeline.NoticeApplicant:
		shown.Own, shown.Did, shown.About = true, words.NoticeApplicantWaits(), words.NoticeApplicantOpen()
	case timeline.NoticeHeld:
		shown.Own, shown.Did, shown.About = true, words.NoticeHeldWaits(), words.NoticeHeldOpen()
	case timeline.NoticeHeir:
		shown.Own, shown.Did, shown.About = true, words.NoticeHeir(group), words.NoticeHeirOpen()
	case timeline.NoticeAnswer:
		shown.Own, shown.Did, shown.Comment = true, answerIn(words, n, p), answerReason(n, p)
	case timeline.NoticeModeration:
		shown.Own, shown.Did, shown.Comment, shown.Answer = true, moderationIn(words, n.Decided, p), cmp.Or(n.Decided.Reason, words.NoticeNoReason()), words.NoticeObject()
	case timeline.NoticeIntake:
		shown.Own, shown.About = true, n.Intake.Title
		shown.Did = words.NoticeIntakeFailing()
		if n.Intake.State == timeline.IntakeStopped {
			shown.Did = words.NoticeIntakeStopped()
		}
		if n.Intake.Fault != "" {
			shown.Comment = wrongIn(words, (&timeline.IntakeFault{Code: n.Intake.Fault, Detail: n.Intake.Detail}).Invalid())
		}
	}
	return shown
}

// answerIn returns what was decided about a report of the viewer.
func answerIn(words catalogue.Language, n *timeline.Notice, p *timeline.NoticePage) string {
	who := words.NoticeAPerson()
	if card := p.Users[n.Decided.User]; card != nil {
		who = "@" + card.Name
	}
	switch {
	case n.Decided.User == p.Sets.User:
		return words.NoticeAnswerObjection()
	case n.Decided.Act == timeline.ActDismiss:
		return words.NoticeAnswerNothing(who)
	}
	return words.NoticeAnswerDone(who)
}

// answerReason returns the reason in the answer to an objection of the viewer. The reason of any other decision is for the
// person who was reported.
func answerReason(n *timeline.Notice, p *timeline.NoticePage) string {
	if n.Decided.User == p.Sets.User {
		return n.Decided.Reason
	}
	return ""
}

// moderationIn returns what administrators did about the viewer.
func moderationIn(words catalogue.Language, e *timeline.JournalEntry, p *timeline.NoticePage) string {
	by := words.NoticeBySite()
	if card := p.Groups[e.Group]; card != nil {
		by = words.NoticeByGroup(cmp.Or(card.DisplayName, card.Name))
	}
	switch e.Act {
	case timeline.ActHide:
		return words.NoticeModeratedHide(by, words.Day(e.Written))
	case timeline.ActDeletePost:
		return words.NoticeModeratedPost(by, words.Day(e.Written))
	case timeline.ActDeleteComment:
		return words.NoticeModeratedComment(by, words.Day(e.Written))
	case timeline.ActTakeOut:
		return words.NoticeModeratedOut(by, words.Day(e.Written))
	case timeline.ActSuspend:
		return words.NoticeModeratedSuspend(by)
	}
	return words.NoticeModeratedWarn(by)
}

// A NoticeLine is a notice in one sentence.
type NoticeLine struct {
	Said    string
	Did     string // the beginning of Said, without the text that the notice is about
	About   string // the beginning of that text; empty: none
	Comment string // the beginning of a comment, or what is wrong with a feed; empty: none
	Path    string // of the page that the notice is about
}

// NoticeLines returns the notices of a page in words, as mails show them.
func NoticeLines(words catalogue.Language, p *timeline.NoticePage) (all []NoticeLine) {
	for i := range p.Notices {
		n := noticeOf(words, &p.Notices[i], p)
		said := n.Did
		switch {
		case n.By != nil:
			said = cmp.Or(n.By.DisplayName, n.By.Name) + " " + said
		case !n.Own:
			said = words.NoticeSomeone() + " " + said
		}
		line := NoticeLine{Said: said, Did: said, Comment: n.Comment, Path: n.Href}
		if n.Quote && n.About != "" {
			line.About = n.About
			line.Said += " " + words.NoticeQuoted(n.About)
		} else if n.About != "" && n.Own {
			line.Said += " " + n.About
		}
		all = append(all, line)
	}
	return all
}

// groupCalled returns the shown name of a notice's group.
func groupCalled(words catalogue.Language, n *timeline.Notice, p *timeline.NoticePage) string {
	if card := p.Groups[timeline.GroupID(n.Feed.TheirID)]; card != nil {
		return cmp.Or(card.DisplayName, card.Name)
	}
	return words.NoticeAGroup()
}
