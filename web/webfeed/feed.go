package webfeed

import (
	"strings"
	"time"
)

// A Feed is a page of a list of posts or comments. All addresses are absolute.
type Feed struct {
	ID       string // stays the same while people and the page are renamed; see [Tag]
	Title    string
	About    string // may be empty
	Language string // the code of the language of what the site says, such as the title
	Home     string // the address of the page that people read
	Self     string // of this page of the feed
	First    string // of the first page of the feed
	Older    string // of the next page of the feed; empty: there is none
	Newer    string // of the page before; empty: this is the first
	Icon     string // of a square picture; empty: none
	Author   Person // of the feed; without a name: it has none, or several
	Items    []Item
}

// A Person is an author.
type Person struct {
	Name   string
	URL    string
	Avatar string // empty: none
}

// An Item is a post or a comment.
type Item struct {
	ID        string
	URL       string
	Title     string
	HTML      string // with absolute addresses
	Author    Person
	Published time.Time
	Updated   time.Time // of the last edit that readers are shown; not before Published
	Language  string    // the code of the language; empty: unknown
	NSFW      bool      // not safe for work
	Tags      []string  // hashtags, without their sign
	Files     []File
	Replies   *Link  // the comments of a post; nil of a comment
	InReplyTo *Link  // the post of a comment
	About     string // the address of a page that the post links to first; empty: none
}

// A Link leads to a page of the site and its feed.
type Link struct {
	ID   string // of what the page is about; may be empty
	URL  string
	Feed string // in the format of the feed that has the link; empty: none that visitors can open
}

// A File is a file of an item.
type File struct {
	URL           string
	Type          string // its media type
	Title         string // the description, or the name of the file
	Size          int64  // in bytes
	Width, Height int    // in pixels; 0 for files that are no pictures
}

// isPicture reports whether a file is a picture.
func (f File) isPicture() bool { return strings.HasPrefix(f.Type, "image/") }

// Updated returns when the newest item was last edited; the epoch of Unix for a feed without items.
func (f Feed) Updated() time.Time {
	newest := time.Unix(0, 0)
	for _, item := range f.Items {
		if item.Updated.After(newest) {
			newest = item.Updated
		}
	}
	return newest.UTC()
}

// nsfw is the category of items that are not safe for work.
const nsfw = "nsfw"

// Tag returns the id of a thing of a site, by RFC 4151. It has the name of the site's host, the
// year in which these ids were defined, and numbers that never change, so that an item stays the
// same one after its author or its page has another name.
func Tag(host, thing string) string {
	if strings.HasPrefix(host, "[") { // an address of IPv6, which a tag can't have
		host = "localhost"
	}
	host, _, _ = strings.Cut(host, ":") // no port
	return "tag:" + host + ",2026:" + thing
}

// A Format is a format of feeds.
type Format struct {
	Ending string // of the paths of feeds, with its dot
	Name   string // as people call it
	Type   string // its media type
	Encode func(Feed) ([]byte, error)
}

// Formats are all formats, the one that links should prefer first.
var Formats = []Format{
	{".atom", "Atom", "application/atom+xml", encodeAtom},
	{".rss", "RSS", "application/rss+xml", encodeRSS},
	{".feed.json", "JSON Feed", "application/feed+json", encodeJSON},
}

// Cut returns a path without the ending of a format, and the format; nil if the path has no such
// ending.
func Cut(path string) (page string, format *Format) {
	for i := range Formats {
		if page, has := strings.CutSuffix(path, Formats[i].Ending); has {
			return page, &Formats[i]
		}
	}
	return path, nil
}

// readable returns a text without the characters that XML can't have.
func readable(text string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0xFFFE || c == 0xFFFF {
			return -1
		}
		return c
	}, text)
}
