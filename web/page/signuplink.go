package page

import (
	"strconv"

	"amstel.dev/amstel/timeline"
)

// SignUpLinksPath is the page on which people make links with which others can sign up.
const SignUpLinksPath = "/settings/invite"

// SignUpLinksModel is the content of the page of sign-up links.
type SignUpLinksModel struct {
	Shell
	New        string // the address of the link that was just made
	Closed     bool   // no one may sign up
	Uses, Days string // as typed
	Problems   Problems
	Links      []timeline.SignUpLink
	Came       []*timeline.UserCard // those who came by the viewer's links, the last first
}

// signUpDays are the numbers of days from which people choose how long a link works.
var signUpDays = []int{1, 7, 30, 90}

// revoke returns the button that revokes a link.
func (m SignUpLinksModel) revoke(l timeline.SignUpLink) actionForm {
	return deleteForm(m.Words.SignUpLinkRevoke(), "/api/v1/sign_up_links/"+strconv.FormatInt(l.ID, 10)+".json", SignUpLinksPath)
}
