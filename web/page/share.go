package page

import (
	"strconv"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/static"
)

// A Share has the metadata in the head of a page, for search engines and for previews of links
// (Open Graph). It is made from the content of the page, and only of pages for viewers without
// an account, so it reveals nothing that is not open to all. Addresses are absolute.
type Share struct {
	URL       string    // the one address of the page
	Title     string    // without the name of the site
	Kind      string    // of Open Graph: "website", "article" or "profile"
	Published time.Time // of an article
	Picture   SharePicture
}

// A SharePicture is the picture of a preview.
type SharePicture struct {
	Path          string // on this site; absolute in a Share
	Type          string
	Width, Height int
	Alt           string
	Large         bool // shown across the preview, not small beside the text
}

// The pixels of the large file of an uploaded avatar, and of a generated one.
const (
	largeAvatar     = 400
	GeneratedPixels = 392 // seven squares of 56 pixels
)

// PostPicture returns the first picture of a post, and reports false if there is none that
// all readers may see at once.
func PostPicture(words catalogue.Language, e *river.Entry) (SharePicture, bool) {
	if !e.Public || e.Fold.Text.NSFW {
		return SharePicture{}, false
	}
	pictures, _ := filesOf(words, true, e.Fold.Attachments)
	for _, f := range pictures {
		if r, ok := f.Rendition("medium"); ok { // which is JPEG or PNG, as all previews can show
			return SharePicture{Path: f.path("medium"), Type: r.MediaType, Width: r.Width, Height: r.Height, Alt: f.alt(), Large: true}, true
		}
	}
	return SharePicture{}, false
}

// AvatarPicture returns the picture of a person or a group: the uploaded avatar, given by
// its address, or else the generated one.
func AvatarPicture(words catalogue.Language, url, name, displayName string) SharePicture {
	p := SharePicture{
		Path: "/system/avatars/" + pathPart(name) + ".png", Type: "image/png", Width: GeneratedPixels, Height: GeneratedPixels,
		Alt: words.SharePictureOf(displayName),
	}
	if url != "" {
		p.Path, p.Type, p.Width, p.Height = timeline.LargePicture(url), "image/jpeg", largeAvatar, largeAvatar
	}
	return p
}

// SitePicture returns the icon of the site.
func SitePicture(words catalogue.Language) SharePicture {
	return SharePicture{Path: static.Path("icon-512.png"), Type: "image/png", Width: 512, Height: 512, Alt: words.ShareLogo()}
}

// card returns the form of a preview.
func (p SharePicture) card() string {
	if p.Large {
		return "summary_large_image"
	}
	return "summary"
}

// sharePart is an element of the head: a property of Open Graph.
type sharePart struct{ Property, Content string }

// parts returns the properties of Open Graph. A property without content is left out.
func (s Shell) parts(site string) []sharePart {
	p := s.Share.Picture
	all := []sharePart{
		{"og:site_name", site}, {"og:locale", s.Words.ShareLocale()}, {"og:type", s.Share.Kind}, {"og:url", s.Share.URL},
		{"og:title", s.Share.Title}, {"og:description", s.Description},
		{"og:image", p.Path}, {"og:image:type", p.Type}, {"og:image:width", strconv.Itoa(p.Width)}, {"og:image:height", strconv.Itoa(p.Height)}, {"og:image:alt", p.Alt},
	}
	if !s.Share.Published.IsZero() {
		all = append(all, sharePart{"article:published_time", s.Share.Published.UTC().Format(time.RFC3339)})
	}
	return all
}
