package web

import (
	"cmp"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// noticeWords is how much of a text a notice shows.
const noticeWords = 100

// noticeURL is where a notice leads.
func noticeURL(n *timeline.Notice, p *timeline.NoticePage) string {
	switch author, by := p.Users[n.Author], p.Users[n.By]; {
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

// noticeOf puts a notice into words.
func noticeOf(n *timeline.Notice, p *timeline.NoticePage) page.Notice {
	shown := page.Notice{By: p.Users[n.By], Href: noticeURL(n, p), At: n.At, New: !n.Read, Quote: n.Post != 0}
	post, comment := firstWords(n.PostText, noticeWords), firstWords(n.CommentText, noticeWords)
	if n.Post != 0 {
		shown.About = cmp.Or(comment, post)
	}
	of := "user"
	switch {
	case n.Feed.What == timeline.WhatUserPrivate:
		of = "private"
	case n.Feed.What == timeline.WhatGroup:
		of = "group"
	}
	switch n.Kind {
	case timeline.NoticeMention:
		shown.Did = "mentioned you in a post:"
		if n.Comment != 0 {
			shown.Did = "mentioned you in a comment:"
		}
	case timeline.NoticeDirect:
		shown.Did = "sent you a direct message:"
		if n.Comment != 0 {
			shown.Did = "commented on a direct message:"
		}
	case timeline.NoticeComment:
		shown.Did, shown.About, shown.Said = "commented on your post", post, comment
	case timeline.NoticeLike:
		shown.Did = "likes your post"
	case timeline.NoticeCommentLike:
		shown.Did = "likes your comment"
	case timeline.NoticeRequest:
		shown.Did = map[string]string{"user": "asks to subscribe to you.", "private": "asks to subscribe to your private feed.", "group": "asks to join " + groupCalled(n, p) + "."}[of]
		shown.About = "Answer"
	case timeline.NoticeInvitation:
		shown.Did = map[string]string{"user": "invites you to subscribe to them.", "private": "invites you to subscribe to their private feed.", "group": "invites you to join " + groupCalled(n, p) + "."}[of]
		shown.About = "Answer"
	case timeline.NoticeSubscriber:
		shown.Did = map[string]string{"user": "subscribed to you.", "private": "subscribed to your private feed."}[of]
	}
	return shown
}

// groupCalled is what the group of a notice is called.
func groupCalled(n *timeline.Notice, p *timeline.NoticePage) string {
	if card := p.Groups[timeline.GroupID(n.Feed.TheirID)]; card != nil {
		return cmp.Or(card.DisplayName, card.Name)
	}
	return "a group"
}
