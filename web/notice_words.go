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

// A NoticeLine is a notice in one sentence.
type NoticeLine struct {
	Said    string
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
		if n.Quote && n.About != "" {
			said += " " + words.NoticeQuoted(n.About)
		} else if n.About != "" && n.Own {
			said += " " + n.About
		}
		all = append(all, NoticeLine{Said: said, Comment: n.Comment, Path: n.Href})
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
