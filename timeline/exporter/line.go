package exporter

import (
	"encoding/hex"
	"path"
	"strings"
	"time"

	"amstel.dev/amstel/timeline"
)

// The types of lines, with their keys in the order in which they are written. Package importer
// describes the keys. A key is left out if its value is the one that the importer assumes without
// the key.

type exportLine struct {
	Type    string `json:"type"`
	Version int    `json:"version"`
	Site    string `json:"site"`
	Scope   string `json:"scope"`
	User    string `json:"user,omitempty"`
}

type settingLine struct {
	Type  string `json:"type"`
	Name  string `json:"name"`
	Value string `json:"value"`
}

type userLine struct {
	Type         string   `json:"type"`
	Name         string   `json:"name"`
	DisplayName  string   `json:"display_name"`
	Status       string   `json:"status"`
	Description  string   `json:"description,omitempty"`
	Lang         string   `json:"lang,omitempty"`
	PageLanguage string   `json:"page_language,omitempty"`
	Theme        string   `json:"theme,omitempty"`
	Density      string   `json:"density,omitempty"`
	TimeZone     string   `json:"time_zone,omitempty"`
	DirectsFrom  string   `json:"directs_from,omitempty"`
	OwnPosts     *bool    `json:"own_posts,omitempty"`
	VisitTimes   *bool    `json:"visit_times,omitempty"`
	Newcomer     bool     `json:"newcomer,omitempty"`
	NoticesOff   []string `json:"notices_off,omitempty"`
	pictureKeys
	Email          string `json:"email,omitempty"`
	EmailConfirmed bool   `json:"email_confirmed,omitempty"`
	PasswordHash   string `json:"password_hash,omitempty"`
	Admin          bool   `json:"admin,omitempty"`
	SuspendedAt    string `json:"suspended_at,omitempty"`
	EraseAt        string `json:"erase_at,omitempty"`
	RulesAgreedAt  string `json:"rules_agreed_at,omitempty"`
	Barred         bool   `json:"barred,omitempty"`
	At             string `json:"at"`
}

type groupLine struct {
	Type        string `json:"type"`
	Name        string `json:"name"`
	DisplayName string `json:"display_name"`
	Status      string `json:"status"`
	Description string `json:"description,omitempty"`
	NSFW        bool   `json:"nsfw,omitempty"`
	Posting     string `json:"posting,omitempty"`
	Joining     string `json:"joining,omitempty"`
	pictureKeys
	Admins []string `json:"admins"`
	At     string   `json:"at"`
}

// pictureKeys are the paths of an avatar and of a cover.
type pictureKeys struct {
	Avatar      string `json:"avatar,omitempty"`
	AvatarLarge string `json:"avatar_large,omitempty"`
	Cover       string `json:"cover,omitempty"`
	CoverLarge  string `json:"cover_large,omitempty"`
}

// relationLine is a line about a person and other accounts: an earlier name, a subscription, a
// request, an invitation, a ban, an exclusion, a hidden or muted person, a list, a saved search, or
// an intake.
type relationLine struct {
	Type        string    `json:"type"`
	ID          string    `json:"id,omitempty"`
	User        string    `json:"user,omitempty"`
	Name        string    `json:"name,omitempty"`
	Target      string    `json:"target,omitempty"`
	From        string    `json:"from,omitempty"`
	ForwardOnly *bool     `json:"forward_only,omitempty"`
	Posts       *bool     `json:"posts,omitempty"`
	Likes       *bool     `json:"likes,omitempty"`
	Comments    *bool     `json:"comments,omitempty"`
	Members     *[]string `json:"members,omitempty"`
	Query       *string   `json:"query,omitempty"`
	Title       string    `json:"title,omitempty"`
	Address     string    `json:"address,omitempty"`
	URL         string    `json:"url,omitempty"`
	State       string    `json:"state,omitempty"`
	Since       string    `json:"since,omitempty"`
	At          string    `json:"at,omitempty"`
}

type postLine struct {
	Type             string   `json:"type"`
	ID               string   `json:"id"`
	Author           string   `json:"author"`
	To               []string `json:"to"`
	Text             string   `json:"text"`
	CommentsDisabled bool     `json:"comments_disabled,omitempty"`
	NSFW             bool     `json:"nsfw,omitempty"`
	Linebreaks       *bool    `json:"linebreaks,omitempty"`
	Lang             string   `json:"lang,omitempty"`
	LangGiven        bool     `json:"lang_given,omitempty"`
	Platform         string   `json:"platform,omitempty"`
	LinkPreview      *bool    `json:"link_preview,omitempty"`
	UpdatedAt        string   `json:"updated_at,omitempty"`
	At               string   `json:"at"`
}

type commentLine struct {
	Type      string `json:"type"`
	ID        string `json:"id"`
	Post      string `json:"post"`
	Author    string `json:"author"`
	Text      string `json:"text"`
	Platform  string `json:"platform,omitempty"`
	Bumps     *bool  `json:"bumps,omitempty"`
	UpdatedAt string `json:"updated_at,omitempty"`
	At        string `json:"at"`
}

// markLine is the line of a like, a favourite, a like of a comment, or a hidden post.
type markLine struct {
	Type    string `json:"type"`
	User    string `json:"user"`
	Post    string `json:"post,omitempty"`
	Comment string `json:"comment,omitempty"`
	At      string `json:"at"`
}

type fileLine struct {
	Type       string   `json:"type"`
	ID         string   `json:"id"`
	Post       string   `json:"post,omitempty"`
	Comment    string   `json:"comment,omitempty"`
	Path       string   `json:"path"`
	Alt        string   `json:"alt"`
	FileName   string   `json:"file_name"`
	Kind       string   `json:"kind,omitempty"`
	MediaType  string   `json:"media_type,omitempty"`
	Frames     int      `json:"frames,omitempty"`
	Renditions []string `json:"renditions,omitempty"`
	At         string   `json:"at"`
}

type earlierLine struct {
	Type      string   `json:"type"`
	Post      string   `json:"post,omitempty"`
	Comment   string   `json:"comment,omitempty"`
	To        []string `json:"to"`
	Text      string   `json:"text"`
	WrittenAt string   `json:"written_at"`
	At        string   `json:"at"`
}

// unless returns a pointer to the flag, or nil if the importer assumes the same value without the
// key.
func unless(assumed, flag bool) *bool {
	if flag == assumed {
		return nil
	}
	return &flag
}

// except returns the text, or "" if the importer assumes the same text without the key.
func except(assumed, text string) string {
	if text == assumed {
		return ""
	}
	return text
}

// stamp returns a time in the form of lines.
func stamp(at time.Time) string { return at.UTC().Format(time.RFC3339Nano) }

// stampOf returns a time in the form of lines, or "" if there is none.
func stampOf(at *time.Time) string {
	if at == nil {
		return ""
	}
	return stamp(*at)
}

// extensions are the endings of file names by media type. A browser that opens a file from a disk
// recognises its type by the ending.
var extensions = map[string]string{
	"image/jpeg": ".jpg", "image/png": ".png", "image/gif": ".gif", "image/webp": ".webp", "image/avif": ".avif", "image/heic": ".heic",
	"audio/mpeg": ".mp3", "audio/ogg": ".ogg", "audio/mp4": ".m4a", "audio/wav": ".wav", "audio/flac": ".flac",
	"video/mp4": ".mp4", "video/webm": ".webm", "video/quicktime": ".mov", "video/ogg": ".ogv", "application/pdf": ".pdf",
}

// pathOf returns the path of a file in the zip file. It ends in the ending for the media type. For a
// media type without an ending, it ends in the ending of fileName, unless a browser might run a
// script in such a file.
func pathOf(name timeline.FileName, mediaType, fileName string) string {
	ending, known := extensions[mediaType]
	if !known {
		ending = strings.ToLower(path.Ext(fileName))
		if len(ending) > 6 || strings.ContainsFunc(strings.TrimPrefix(ending, "."), func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') }) ||
			ending == "." || strings.HasPrefix(ending, ".htm") || ending == ".svg" || strings.HasPrefix(ending, ".xh") || ending == ".js" {
			ending = ""
		}
	}
	text := hex.EncodeToString(name[:])
	return "files/" + text[:2] + "/" + text + ending
}
