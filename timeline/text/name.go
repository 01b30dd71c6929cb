package text

import (
	"regexp"
	"slices"
)

// nameForm is the form of a name.
var nameForm = regexp.MustCompile(`^[a-z0-9_][a-z0-9_-]{2,48}$`)

// CheckName returns an [InvalidError] unless a new person or group may have the name.
func CheckName(name string) error {
	switch {
	case !nameForm.MatchString(name):
		return &InvalidError{Field: "name", Reason: "must be 3 to 49 of a-z, 0-9, _ and -, and not begin with -", Code: "name"}
	case isReserved(name):
		return &InvalidError{Field: "name", Reason: "is reserved", Code: "reserved"}
	}
	return nil
}

// reserved are the first elements of the paths that are pages of the site, or may become pages.
var reserved = []string{
	"about", "account", "admin", "administrator", "amstel", "anonymous", "api", "apple-touch-icon", "as", "assets",
	"atom", "attachments", "avatars", "best", "best_of", "comments", "customize", "directs", "discussions",
	"everything", "f", "favicon", "favicon.ico", "favs", "faye", "feed", "feeds", "files", "filter", "filters", "group",
	"groups", "healthz", "help", "home", "images", "index", "likes", "list", "lists", "live", "login", "logout",
	"manifest", "mentions", "metrics", "most_faved", "new", "nobody", "notifications", "null", "openapi", "photos", "post", "posts",
	"privacy", "public", "readyz", "requests", "robots", "robots.txt", "root", "rss", "s", "search", "service-worker",
	"session", "sessions", "settings", "sh", "sign_in", "sign_out", "sign_up", "signin", "signout", "signup", "site",
	"sitemap", "static", "subscribers", "subscriptions", "system", "terms", "undefined", "user", "user_fyeo",
	"user_private", "users", "websocket", "well-known", "whoami",
}

// Reserved returns the names that no account can have, sorted. They include the first element of every
// path of the site, if the element has the form of a name.
func Reserved() []string { return slices.Clone(reserved) }

func isReserved(name string) bool {
	return slices.Contains(reserved, name)
}
