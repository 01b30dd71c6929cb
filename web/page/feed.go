package page

import (
	"bytes"
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// The paths of web feeds with a private address, and of the files in them.
const (
	PrivateFeeds = "/feed/"
	FeedFiles    = PrivateFeeds + "files/"
	FeedsPath    = "/settings/feeds"
	feedsAPI     = "/api/v1/feed_addresses"
)

// FeedFilePath returns the address at which feed readers get a rendition in the feed of a private
// address. The key opens this file only.
func FeedFilePath(address int64, key string, id timeline.AttachmentID, r timeline.Rendition) string {
	return FeedFiles + strconv.FormatInt(address, 10) + "/" + key + "/" + strconv.FormatInt(int64(id), 10) + "/" + r.Name + extension(r.MediaType)
}

// A FeedLink is the address of the web feed of a page in one format, which Name and Type name.
type FeedLink struct{ Type, Name, Href string }

// AskFeedPath returns the path of the page of the settings at which a person makes a private
// address for the feed of a page.
func AskFeedPath(path string) string { return FeedsPath + "?page=" + url.QueryEscape(path) }

// FeedContent is the content of a post or a comment in a web feed.
type FeedContent struct {
	Words      catalogue.Language
	Text       string
	Linebreaks bool
	NSFW       bool
	Files      []timeline.Attachment
	Preview    *timeline.Preview
	// FileURL returns the absolute address of a rendition.
	FileURL func(*timeline.Attachment, timeline.Rendition) string
}

// HTML returns the content as HTML with absolute addresses. Public is the address of the site, such as
// https://amstel.example, and host its host.
func (c FeedContent) HTML(ctx context.Context, public, host string) (string, error) {
	return outsideHTML(ctx, feedContent(c), public, host)
}

// outsideHTML returns the HTML of a component for readers outside the site: addresses of the site are
// absolute. Public is the address of the site, such as https://amstel.example, and host its host.
func outsideHTML(ctx context.Context, c templ.Component, public, host string) (string, error) {
	var b bytes.Buffer
	if err := c.Render(WithHost(ctx, host), &b); err != nil {
		return "", err
	}
	// Quotes in the texts of people are escaped, so each of these begins the address of a link.
	return strings.ReplaceAll(b.String(), `href="/`, `href="`+public+`/`), nil
}

// A feedFile is a file as a feed shows it.
type feedFile struct {
	*timeline.Attachment
	URL, Small    string // Small is the address of a smaller picture; empty: the file is no picture
	Width, Height string // of the smaller picture
}

// files returns the files that have addresses. The files of a post that is not safe for work are
// not shown as pictures.
func (c FeedContent) files() (all []feedFile) {
	for i := range c.Files {
		f := feedFile{Attachment: &c.Files[i]}
		original, ok := f.Rendition("original")
		if !ok {
			continue // a file that was imported by its name alone
		}
		f.URL = c.FileURL(f.Attachment, original)
		if medium, ok := f.Rendition("medium"); ok && !c.NSFW {
			f.Small, f.Width, f.Height = c.FileURL(f.Attachment, medium), strconv.Itoa(medium.Width), strconv.Itoa(medium.Height)
		}
		all = append(all, f)
	}
	return all
}

// A FeedAddress is a private address of a web feed, without its secret.
type FeedAddress struct {
	timeline.FeedAddress
	Title string // of the page
}

func (a FeedAddress) api() string { return feedsAPI + "/" + strconv.FormatInt(a.ID, 10) + ".json" }

// A FeedChoice is a page for which a person can make a private address.
type FeedChoice struct{ Path, Title string }
