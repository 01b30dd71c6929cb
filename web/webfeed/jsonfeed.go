package webfeed

import (
	"time"

	"amstel.dev/amstel/internal/wirejson"
)

type jsonFeed struct {
	Version     string       `json:"version"`
	Title       string       `json:"title"`
	HomePageURL string       `json:"home_page_url"`
	FeedURL     string       `json:"feed_url,omitempty"`
	Description string       `json:"description,omitempty"`
	NextURL     string       `json:"next_url,omitempty"`
	Icon        string       `json:"icon,omitempty"`
	Authors     []jsonAuthor `json:"authors,omitempty"`
	Language    string       `json:"language,omitempty"`
	Items       []jsonItem   `json:"items"`
}

type jsonAuthor struct {
	Name   string `json:"name"`
	URL    string `json:"url,omitempty"`
	Avatar string `json:"avatar,omitempty"`
}

type jsonItem struct {
	ID            string       `json:"id"`
	URL           string       `json:"url"`
	ExternalURL   string       `json:"external_url,omitempty"`
	Title         string       `json:"title"`
	ContentHTML   string       `json:"content_html"`
	Image         string       `json:"image,omitempty"`
	DatePublished string       `json:"date_published"`
	DateModified  string       `json:"date_modified,omitempty"`
	Authors       []jsonAuthor `json:"authors"`
	Tags          []string     `json:"tags,omitempty"`
	Language      string       `json:"language,omitempty"`
	Attachments   []jsonFile   `json:"attachments,omitempty"`
	Amstel        *jsonOurs    `json:"_amstel,omitempty"`
}

type jsonFile struct {
	URL         string `json:"url"`
	MIMEType    string `json:"mime_type"`
	Title       string `json:"title,omitempty"`
	SizeInBytes int64  `json:"size_in_bytes"`
}

// jsonOurs is our extension of an item: fields that JSON Feed lacks.
type jsonOurs struct {
	NSFW         bool   `json:"nsfw,omitempty"`
	CommentsURL  string `json:"comments_url,omitempty"`  // the page with the comments
	CommentsFeed string `json:"comments_feed,omitempty"` // their feed
	InReplyTo    string `json:"in_reply_to,omitempty"`   // the id of the post of a comment
}

// encodeJSON returns the feed as JSON Feed.
func encodeJSON(f Feed) ([]byte, error) {
	shown := jsonFeed{
		Version: "https://jsonfeed.org/version/1.1", Title: f.Title, HomePageURL: f.Home, FeedURL: f.Self, Description: f.About,
		NextURL: f.Older, Icon: f.Icon, Language: f.Language, Items: make([]jsonItem, 0, len(f.Items)),
	}
	if f.Author.Name != "" {
		shown.Authors = []jsonAuthor{jsonAuthor(f.Author)}
	}
	for _, item := range f.Items {
		shown.Items = append(shown.Items, jsonItemOf(item))
	}
	return wirejson.Encode(shown)
}

func jsonItemOf(item Item) jsonItem {
	shown := jsonItem{
		ID: item.ID, URL: item.URL, ExternalURL: item.About, Title: item.Title, ContentHTML: item.HTML, Authors: []jsonAuthor{jsonAuthor(item.Author)},
		DatePublished: item.Published.UTC().Format(time.RFC3339), Language: item.Language, Tags: item.Tags,
	}
	if item.Updated.After(item.Published) {
		shown.DateModified = item.Updated.UTC().Format(time.RFC3339)
	}
	for _, file := range item.Files {
		if shown.Image == "" && file.isPicture() {
			shown.Image = file.URL
		}
		shown.Attachments = append(shown.Attachments, jsonFile{file.URL, file.Type, file.Title, file.Size})
	}
	ours := jsonOurs{NSFW: item.NSFW}
	if item.Replies != nil {
		ours.CommentsURL, ours.CommentsFeed = item.Replies.URL, item.Replies.Feed
	}
	if item.InReplyTo != nil {
		ours.InReplyTo = item.InReplyTo.ID
	}
	if ours != (jsonOurs{}) {
		shown.Amstel = &ours
	}
	return shown
}
