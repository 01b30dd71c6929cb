package page

import (
	"net/url"
	"strconv"
	"strings"

	"amstel.dev/amstel/timeline"
)

// The paths of pages.
const (
	EverythingPath  = "/filter/everything"
	DirectsPath     = "/filter/directs"
	DiscussionsPath = "/filter/discussions"
	MentionsPath    = "/filter/mentions"
	FYEOPath        = "/filter/fyeo"
	BestOfPath      = "/filter/best_of"
	MostFavedPath   = "/filter/most_faved"
	SearchPath      = "/s"
	NoticesPath     = "/notifications"
	RequestsPath    = "/requests"
	NewGroupPath    = "/groups/new"
	FavsPath        = "/filter/favs"
	AboutPath       = "/about"
	RulesPath       = "/about/rules"
	OfflinePath     = "/about/offline"
	SignInPath      = "/users/sign_in"
	SignUpPath      = "/users/sign_up"
	SignOutPath     = "/users/sign_out"
	ForgotPath      = "/users/forgot"
	LinkPath        = "/users/link/" // and the secret of a sign-in link
	ConfirmedPath   = "/users/confirmed"
	StoppedPath     = "/users/stopped"
	// SharePath is the address that share buttons open. Without an address to share, its page offers a share button.
	SharePath = "/sh"
	// NewPostPath is the page with a form for a new post that offers all places of the viewer.
	NewPostPath = "/posts/new"
	// PostAudiencePath answers the form for a new post with the same form, and the
	// audience of the post.
	PostAudiencePath = "/posts/audience"
	// AsksAudience is the query of the button that asks for an audience. A form that is sent with
	// this query changes nothing, even if a field names an action.
	AsksAudience = "ask=audience"
)

// asking returns the address of a button that asks for the audience of the form's choices.
func asking(action string) string {
	if strings.Contains(action, "?") {
		return action // of the settings, where each form has an address of its own
	}
	return action + "?" + AsksAudience
}

// NamePath returns the path of the page of a person or a group.
func NamePath(name string) string { return "/" + pathPart(name) }

// ShareDraftPath returns the path of the form with the draft that a share button sent.
func ShareDraftPath(secret string) string { return SharePath + "/" + secret }

// pathPart returns a name escaped for a path.
func pathPart(name string) string { return url.PathEscape(name) }

// ListPath returns the path of the page of one of the viewer's lists.
func ListPath(name string) string { return "/list/" + pathPart(name) }

// CalendarPath returns the path of a person's calendar.
func CalendarPath(name string) string { return NamePath(name) + "/calendar" }

// TagPath returns the path of the page of a hashtag, which is given without its sign.
func TagPath(tag string) string { return SearchPath + "?q=" + url.QueryEscape("#"+tag) }

// EditGroupPath returns the path of the page for editing a group.
func EditGroupPath(name string) string { return NamePath(name) + "/edit" }

// PostPath returns the path of the page of a post; author is its author's name.
func PostPath(author string, id timeline.PostID) string {
	return NamePath(author) + "/" + strconv.FormatInt(int64(id), 10)
}

// EditPostPath returns the path of the page for editing a post without script.
func EditPostPath(author string, id timeline.PostID) string { return PostPath(author, id) + "/edit" }

// LikesPath returns the path of the page with all people who like a post.
func LikesPath(author string, id timeline.PostID) string { return PostPath(author, id) + "/likes" }

// EntryMenuPath returns the path of the page with all that the viewer can do with a post.
func EntryMenuPath(author string, id timeline.PostID) string { return PostPath(author, id) + "/menu" }

// CommentPath returns the address of a comment on the page of its post.
func CommentPath(author string, id timeline.PostID, c timeline.CommentID) string {
	return PostPath(author, id) + "#c" + strconv.FormatInt(int64(c), 10)
}

// EditCommentPath returns the path of the page for editing a comment without script.
func EditCommentPath(author string, id timeline.PostID, c timeline.CommentID) string {
	return PostPath(author, id) + "/comments/" + strconv.FormatInt(int64(c), 10) + "/edit"
}

// DeleteCommentPath returns the path of the page that asks whether to delete a comment.
func DeleteCommentPath(author string, id timeline.PostID, c timeline.CommentID) string {
	return PostPath(author, id) + "/comments/" + strconv.FormatInt(int64(c), 10) + "/delete"
}

// HistoryPath returns the path of the page with the texts that a post had, or that a comment
// had if the comment is not 0.
func HistoryPath(author string, id timeline.PostID, c timeline.CommentID) string {
	return PostPath(author, id) + historyOf(c)
}

// historyOf returns the end of the path of a history, after the path of its post.
func historyOf(c timeline.CommentID) string {
	if c == 0 {
		return "/history"
	}
	return "/comments/" + strconv.FormatInt(int64(c), 10) + "/history"
}

// The API's addresses that forms post to.

func postAPI(id timeline.PostID) string {
	return "/api/v1/posts/" + strconv.FormatInt(int64(id), 10)
}

func commentAPI(id timeline.PostID, c timeline.CommentID) string {
	return postAPI(id) + "/comments/" + strconv.FormatInt(int64(c), 10) + ".json"
}

func historyAPI(id timeline.PostID, c timeline.CommentID) string {
	return postAPI(id) + historyOf(c) + ".json"
}

func userAPI(name string) string  { return "/api/v1/users/" + pathPart(name) }
func groupAPI(name string) string { return "/api/v1/groups/" + pathPart(name) }

// meAPI returns the API path of the viewer's own account, by its id.
func meAPI(id timeline.UserID) string { return "/api/v1/users/" + strconv.FormatInt(int64(id), 10) }

func listAPI(id timeline.ListID) string {
	return "/api/v1/lists/" + strconv.FormatInt(int64(id), 10)
}

// signInFrom returns the path for signing in and returning to another path. A path for
// signing in or out is not returned to.
func signInFrom(path string) string {
	if path == "" || path == "/" || strings.HasPrefix(path, "/users/") {
		return SignInPath
	}
	return SignInPath + "?return_to=" + url.QueryEscape(path)
}

// ownPath returns a path on this site for any text. Two slashes at the start would be
// another site.
func ownPath(path string) string { return "/" + strings.TrimLeft(path, `/\`) }
