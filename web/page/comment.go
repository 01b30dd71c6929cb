package page

import (
	"strconv"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/rights"
)

// A commentModel is a comment as one viewer sees it.
type commentModel struct {
	EntryModel
	Comment *timeline.Comment
	Later   string // how much later than the comment before, if a day or more: "3 days later"
}

func (m commentModel) key() string { return "c" + strconv.FormatInt(int64(m.Comment.ID), 10) }

func (m commentModel) commenter() *timeline.UserCard { return m.user(m.Comment.User) }

// hidden reports whether the viewer hides the comments of this comment's author.
func (m commentModel) hidden() bool { return rights.CommentHidden(m.Sets, m.Comment) }

func (m commentModel) editPath() string {
	return EditCommentPath(m.author().Name, m.fold().Post, m.Comment.ID)
}

func (m commentModel) class() string {
	class := "comment bem-post__comment"
	return class
}

// likes returns in words how many like the comment, and whether the viewer does.
func (m commentModel) likes() string {
	n := m.Comment.Likes
	switch mine := rights.CommentLiked(m.Sets, m.Comment); {
	case mine && n <= 1:
		return m.Words.CommentLikedYou()
	case mine:
		return m.Words.CommentLikedYouAnd(n - 1)
	case n > 0:
		return m.Words.CommentLikes(n)
	}
	return ""
}

// reactions returns the reactions with one click.
func (m commentModel) reactions() []entryAction {
	if !rights.CanLikeComment(m.Sets, m.Entry, m.Comment) {
		return nil
	}
	address := postAPI(m.fold().Post) + "/clike/" + strconv.FormatInt(int64(m.Comment.ID), 10) + ".json"
	one := switched(rights.CommentLiked(m.Sets, m.Comment), address,
		entryAction{Label: m.Words.CommentLike()}, entryAction{Label: m.Words.CommentUnlike()})
	return []entryAction{one}
}

// removal returns the button below the question whether to delete the comment.
func (m commentModel) removal() actionForm {
	one := deleteForm(m.Words.CommentDeleteSure(), commentAPI(m.fold().Post, m.Comment.ID), m.back())
	one.Class = "danger"
	return one
}

// mayReply reports whether the viewer is offered to answer the comment: the form for a
// comment on the post, which the page's script begins with the commenter's name.
func (m commentModel) mayReply() bool {
	return rights.CanComment(m.Sets, m.Entry) && m.Comment.User != m.Sets.User
}

// A post's own page with more than threadLong comments collapses the earlier ones, so that it
// opens at the newest, with the form for a comment in reach. It leaves at least threadStep
// open. The border between both moves by threadStep comments at once, so that it seldom
// moves while the page is open.
const (
	threadLong = 40
	threadStep = 20
)

// later returns the words for the time between two comments, such as "3 days later"; none for less than
// a day. The time between does not depend on the reader's zone, as the days of a calendar do.
func later(words catalogue.Language, between time.Duration) string {
	const day = 24 * time.Hour
	switch days := int(between / day); {
	case days < 1:
		return ""
	case days < 60:
		return words.EntryDaysLater(days)
	case days < 730:
		return words.EntryMonthsLater(days / 30)
	default:
		return words.EntryYearsLater(days / 365)
	}
}

// comments returns the comments in their order. Earlier are those that the post's own page
// collapses. Folded is how many comments stand between before and after that the entry does
// not have.
func (m EntryModel) comments() (earlier, before, after []commentModel, folded int) {
	c := m.fold().Comments
	folded = max(c.Count-len(c.Comments), 0)
	gap := len(c.Comments)
	if folded > 0 {
		gap = min(max(c.Gap, 0), gap)
	}
	for i := range c.Comments {
		one := commentModel{EntryModel: m, Comment: &c.Comments[i]}
		if m.single() && i > 0 {
			one.Later = later(m.Words, c.Comments[i].CreatedAt.Sub(c.Comments[i-1].CreatedAt))
		}
		if i < gap {
			before = append(before, one)
		} else {
			after = append(after, one)
		}
	}
	if n := len(before); m.single() && n > threadLong {
		border := (n - threadStep) / threadStep * threadStep
		earlier, before = before[:border], before[border:]
	}
	return earlier, before, after, folded
}
