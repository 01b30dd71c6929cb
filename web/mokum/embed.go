package mokum

import (
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/web/page"
)

// An Embed is the preview of the first link of a post, in the shape that oEmbed has for a link.
type Embed struct {
	Type            string `json:"type"` // always "link"
	URL             string `json:"url"`  // of the page that the post links to
	Title           string `json:"title"`
	ProviderName    string `json:"provider_name"` // of the page's site
	Description     string `json:"description,omitempty"`
	ThumbnailURL    string `json:"thumbnail_url,omitempty"` // a path of this site
	ThumbnailWidth  int    `json:"thumbnail_width,omitempty"`
	ThumbnailHeight int    `json:"thumbnail_height,omitempty"`
}

// embedsOf returns the preview of an entry as a list of one, or an empty list; never nil.
func embedsOf(e *river.Entry) []Embed {
	p := e.Fold.Text.Preview
	if p == nil {
		return []Embed{}
	}
	shown := Embed{Type: "link", URL: p.Address, Title: p.Title, ProviderName: p.Site, Description: p.About}
	if r := p.Picture; r != nil {
		shown.ThumbnailURL, shown.ThumbnailWidth, shown.ThumbnailHeight = page.PreviewPath(e.Public, e.Fold.Post, *r), r.Width, r.Height
	}
	return []Embed{shown}
}
