package page

import (
	"net/url"
	"strconv"
	"strings"

	"amstel.dev/amstel/timeline"
)

// The addresses of the pages that have one of their own.
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
	SettingsPath    = "/settings"
	MyListsPath     = "/settings/lists"
	MyPeoplePath    = "/settings/people"
	FavsPath        = "/filter/favs"
	AboutPath       = "/about"
	SignInPath      = "/users/sign_in"
	SignUpPath      = "/users/sign_up"
	SignOutPath     = "/users/sign_out"
	// PostAudiencePath answers the form to write a post with by itself, with who
	// would see the post.
	PostAudiencePath = "/posts/audience"
)

// NamePath is the page of a person or a group.
func NamePath(name string) string { return "/" + pathPart(name) }

// pathPart is a name as a part of an address.
func pathPart(name string) string { return url.PathEscape(name) }

// ListPath is the page of one of one's own lists.
func ListPath(name string) string { return "/list/" + pathPart(name) }

// CalendarPath is the page of when somebody wrote.
func CalendarPath(name string) string { return NamePath(name) + "/calendar" }

// TagPath is the page of a hashtag, written without its sign.
func TagPath(tag string) string { return SearchPath + "?q=" + url.QueryEscape("#"+tag) }

// EditGroupPath is the page on which a group's administrators arrange it.
func EditGroupPath(name string) string { return NamePath(name) + "/edit" }

// PostPath is the page of a post; author is its author's name.
func PostPath(author string, id timeline.PostID) string {
	return NamePath(author) + "/" + strconv.FormatInt(int64(id), 10)
}

// EditPostPath is the page on which a post is edited without script.
func EditPostPath(author string, id timeline.PostID) string { return PostPath(author, id) + "/edit" }

// CommentPath is the place of a comment on the page of its post.
func CommentPath(author string, id timeline.PostID, c timeline.CommentID) string {
	return PostPath(author, id) + "#c" + strconv.FormatInt(int64(c), 10)
}

// EditCommentPath is the page on which a comment is edited without script.
func EditCommentPath(author string, id timeline.PostID, c timeline.CommentID) string {
	return PostPath(author, id) + "/comments/" + strconv.FormatInt(int64(c), 10) + "/edit"
}

// The API's addresses that forms post to.

func postAPI(id timeline.PostID) string {
	return "/api/v1/posts/" + strconv.FormatInt(int64(id), 10)
}

func commentAPI(id timeline.PostID, c timeline.CommentID) string {
	return postAPI(id) + "/comments/" + strconv.FormatInt(int64(c), 10) + ".json"
}

func userAPI(name string) string  { return "/api/v1/users/" + pathPart(name) }
func groupAPI(name string) string { return "/api/v1/groups/" + pathPart(name) }

// meAPI is one's own account, which goes by its number.
func meAPI(id timeline.UserID) string { return "/api/v1/users/" + strconv.FormatInt(int64(id), 10) }

func listAPI(id timeline.ListID) string {
	return "/api/v1/lists/" + strconv.FormatInt(int64(id), 10)
}

// signInFrom is the page to sign in on, on the way to another: one's own, and
// none of those on which one signs in or out.
func signInFrom(path string) string {
	if path == "" || path == "/" || strings.HasPrefix(path, "/users/") {
		return SignInPath
	}
	return SignInPath + "?return_to=" + url.QueryEscape(path)
}

// ownPath is a path on this site, whatever it was made of: one that begins with
// two slashes would be another site's.
func ownPath(path string) string { return "/" + strings.TrimLeft(path, `/\`) }
