package page

import "amstel.dev/amstel/timeline"

// EditPostModel is the content of the page for editing and moving a post.
type EditPostModel struct {
	Shell
	Author           string // the author's name
	Post             timeline.PostID
	Text             string
	CommentsDisabled bool
	LinkPreview      bool
	Lang, Detected   string               // codes of languages: chosen by the author; detected
	To               []Destination        // the places it is in, and those it can be moved to
	Recipients       []*timeline.UserCard // of a direct, which can't be moved
	Direct           bool
	Initial          Initial // the values of the fields when the form was made
	Files            FileFields
	Audience         *Audience // of the post as the form has it; nil: not asked
	Problems         Problems
}

// EditModel is the content of the page for editing a comment without script.
type EditModel struct {
	Shell
	Author   string // the post's author's name
	Post     timeline.PostID
	Comment  timeline.CommentID // 0: the comment is new
	Text     string
	Files    FileFields
	Address  string // of the page with the form, of a new comment
	ReturnTo string // of a new comment
	UUID     string // of a new comment
	Problems Problems
}

func (m EditModel) action() string {
	if m.Comment == 0 {
		return postAPI(m.Post) + "/comments.json"
	}
	return commentAPI(m.Post, m.Comment)
}

// address returns the address of the page, to which its form is sent.
func (m EditModel) address() string {
	if m.Comment == 0 {
		return ownPath(m.Address)
	}
	return EditCommentPath(m.Author, m.Post, m.Comment)
}

func (m EditModel) method() string {
	if m.Comment == 0 {
		return ""
	}
	return "PATCH"
}

// back returns the address that the form leads to.
func (m EditModel) back() string {
	if m.Comment == 0 {
		return ownPath(m.ReturnTo)
	}
	return CommentPath(m.Author, m.Post, m.Comment)
}

// send returns the label of the button.
func (m EditModel) send() string {
	if m.Comment == 0 {
		return m.Words.EntryCommentSend()
	}
	return m.Words.FormSave()
}

// automatic returns the label of the choice that leaves the language to the site.
func (m EditPostModel) automatic() string {
	if name := languageName(m.Detected); name != "" && m.Lang == "" {
		return m.Words.PostAutomaticIs(name)
	}
	return m.Words.PostAutomatic()
}

func (m EditPostModel) recipients() []named {
	all := make([]named, len(m.Recipients))
	for i, card := range m.Recipients {
		all[i] = namedUser(card)
	}
	return all
}
