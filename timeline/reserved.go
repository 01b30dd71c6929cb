package timeline

import "slices"

// reserved are first elements of addresses that are, or may one day be, pages
// of the site.
var reserved = []string{
	"about", "account", "admin", "administrator", "amstel", "anonymous", "api", "apple-touch-icon", "as", "assets",
	"atom", "attachments", "avatars", "best", "best_of", "comments", "customize", "directs", "discussions",
	"everything", "favicon", "favicon.ico", "favs", "faye", "feed", "feeds", "files", "filter", "filters", "group",
	"groups", "healthz", "help", "home", "images", "index", "likes", "list", "lists", "live", "login", "logout",
	"manifest", "mentions", "metrics", "most_faved", "new", "nobody", "notifications", "null", "openapi", "photos", "post", "posts",
	"privacy", "public", "readyz", "requests", "robots", "robots.txt", "root", "rss", "s", "search", "service-worker",
	"session", "sessions", "settings", "sh", "sign_in", "sign_out", "sign_up", "signin", "signout", "signup", "site",
	"sitemap", "static", "subscribers", "subscriptions", "system", "terms", "undefined", "user", "user_fyeo",
	"user_private", "users", "websocket", "well-known", "whoami",
}

// ReservedNames are the names that nobody can have, sorted: every first
// element of the site's own addresses that could be one is among them.
func ReservedNames() []string { return slices.Clone(reserved) }

func isReserved(name string) bool {
	return slices.Contains(reserved, name)
}
