package page

import "amstel.dev/amstel/timeline"

// EditPostModel is the page on which a post is edited, and moved.
type EditPostModel struct {
	Shell
	Author           string // its author's name
	Post             timeline.PostID
	Text             string
	CommentsDisabled bool
	Lang, Detected   string               // codes of languages: what its author said, what it is taken for
	To               []Destination        // where it is, and where it may go
	Recipients       []*timeline.UserCard // of a direct, which is not moved
	Direct           bool
	Was              Was       // what the form's fields were
	Audience         *Audience // who would see it, where that was asked
	Problems         Problems
}

// EditModel is the page on which a comment is edited without script.
type EditModel struct {
	Shell
	Author   string // the post's author's name
	Post     timeline.PostID
	Comment  timeline.CommentID
	Text     string
	Problems Problems
}

// automatic says what leaving the language to the site comes to.
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
