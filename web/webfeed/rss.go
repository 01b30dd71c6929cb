package webfeed

import (
	"encoding/xml"
	"strconv"
	"time"
)

type rssFeed struct {
	XMLName xml.Name   `xml:"rss"`
	Version string     `xml:"version,attr"`
	Atom    string     `xml:"xmlns:atom,attr"`
	Creator string     `xml:"xmlns:dc,attr"`
	Media   string     `xml:"xmlns:media,attr"`
	Channel rssChannel `xml:"channel"`
}

type rssChannel struct {
	Title         string     `xml:"title"`
	Link          string     `xml:"link"`
	Description   string     `xml:"description"`
	Language      string     `xml:"language,omitempty"`
	LastBuildDate string     `xml:"lastBuildDate,omitempty"`
	Generator     string     `xml:"generator"`
	Docs          string     `xml:"docs"`
	Image         *rssImage  `xml:"image"`
	Links         []atomLink `xml:"atom:link"`
	Items         []rssItem  `xml:"item"`
}

type rssImage struct {
	URL   string `xml:"url"`
	Title string `xml:"title"`
	Link  string `xml:"link"`
}

type rssItem struct {
	Title       string         `xml:"title"`
	Link        string         `xml:"link"`
	Description string         `xml:"description"`
	Creator     string         `xml:"dc:creator"`
	Language    string         `xml:"dc:language,omitempty"`
	Categories  []rssCategory  `xml:"category"`
	Comments    string         `xml:"comments,omitempty"`
	Enclosure   *rssEnclosure  `xml:"enclosure"`
	GUID        rssGUID        `xml:"guid"`
	PubDate     string         `xml:"pubDate"`
	Updated     string         `xml:"atom:updated,omitempty"`
	Media       []mediaContent `xml:"media:content"`
	Rating      *mediaRating   `xml:"media:rating"`
}

type rssCategory struct {
	Name string `xml:",chardata"`
}

type rssEnclosure struct {
	URL    string `xml:"url,attr"`
	Length string `xml:"length,attr"`
	Type   string `xml:"type,attr"`
}

type rssGUID struct {
	IsPermaLink bool   `xml:"isPermaLink,attr"`
	ID          string `xml:",chardata"`
}

type mediaContent struct {
	URL    string `xml:"url,attr"`
	Size   string `xml:"fileSize,attr"`
	Type   string `xml:"type,attr"`
	Width  int    `xml:"width,attr,omitempty"`
	Height int    `xml:"height,attr,omitempty"`
	Title  string `xml:"media:title,omitempty"`
}

type mediaRating struct {
	Scheme string `xml:"scheme,attr"`
	Rating string `xml:",chardata"`
}

// encodeRSS returns the feed as RSS. An item of RSS has one enclosure, which is the first file; Media RSS
// lists all files.
func encodeRSS(f Feed) ([]byte, error) {
	shown := rssFeed{
		Version: "2.0", Atom: atomSpace, Creator: "http://purl.org/dc/elements/1.1/", Media: "http://search.yahoo.com/mrss/",
		Channel: rssChannel{
			Title: readable(f.Title), Link: f.Home, Description: readable(f.About), Language: f.Language, Generator: "Amstel",
			Docs: "https://www.rssboard.org/rss-specification", Links: links("", "application/rss+xml", f),
		},
	}
	if shown.Channel.Description == "" {
		shown.Channel.Description = shown.Channel.Title // RSS wants one
	}
	if f.Icon != "" {
		shown.Channel.Image = &rssImage{f.Icon, shown.Channel.Title, f.Home}
	}
	if len(f.Items) > 0 {
		shown.Channel.LastBuildDate = f.Updated().Format(rssDate)
	}
	for _, item := range f.Items {
		shown.Channel.Items = append(shown.Channel.Items, rssItemOf(item))
	}
	return encodeXML(shown)
}

// rssDate is the form of times in RSS: RFC 822, with a year of four digits.
const rssDate = "Mon, 02 Jan 2006 15:04:05 +0000"

func rssItemOf(item Item) rssItem {
	shown := rssItem{
		Title: readable(item.Title), Link: item.URL, Description: readable(item.HTML), Creator: readable(item.Author.Name), Language: item.Language,
		GUID: rssGUID{false, item.ID}, PubDate: item.Published.UTC().Format(rssDate),
	}
	if item.Updated.After(item.Published) {
		shown.Updated = item.Updated.UTC().Format(time.RFC3339)
	}
	if item.Replies != nil {
		shown.Comments = item.Replies.URL
	}
	for _, tag := range item.Tags {
		shown.Categories = append(shown.Categories, rssCategory{tag})
	}
	if item.NSFW {
		shown.Categories = append(shown.Categories, rssCategory{nsfw})
		shown.Rating = &mediaRating{"urn:simple", "adult"}
	}
	for i, file := range item.Files {
		size := strconv.FormatInt(file.Size, 10)
		if i == 0 {
			shown.Enclosure = &rssEnclosure{file.URL, size, file.Type}
		}
		shown.Media = append(shown.Media, mediaContent{file.URL, size, file.Type, file.Width, file.Height, readable(file.Title)})
	}
	return shown
}
