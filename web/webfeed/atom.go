package webfeed

import (
	"encoding/xml"
	"strconv"
	"time"
)

// The namespaces of the elements in XML.
const (
	atomSpace   = "http://www.w3.org/2005/Atom"
	threadSpace = "http://purl.org/syndication/thread/1.0"
)

type atomFeed struct {
	XMLName   xml.Name      `xml:"feed"`
	Space     string        `xml:"xmlns,attr"`
	Thread    string        `xml:"xmlns:thr,attr"`
	Language  string        `xml:"xml:lang,attr,omitempty"`
	ID        string        `xml:"id"`
	Title     string        `xml:"title"`
	Subtitle  string        `xml:"subtitle,omitempty"`
	Updated   string        `xml:"updated"`
	Author    *atomPerson   `xml:"author"`
	Links     []atomLink    `xml:"link"`
	Icon      string        `xml:"icon,omitempty"`
	Generator atomGenerator `xml:"generator"`
	Entries   []atomEntry   `xml:"entry"`
}

type atomGenerator struct {
	Name string `xml:",chardata"`
}

type atomPerson struct {
	Name string `xml:"name"`
	URI  string `xml:"uri,omitempty"`
}

type atomLink struct {
	Rel    string `xml:"rel,attr"`
	Type   string `xml:"type,attr,omitempty"`
	Href   string `xml:"href,attr"`
	Title  string `xml:"title,attr,omitempty"`
	Length string `xml:"length,attr,omitempty"`
}

type atomEntry struct {
	Language   string         `xml:"xml:lang,attr,omitempty"`
	ID         string         `xml:"id"`
	Title      string         `xml:"title"`
	Updated    string         `xml:"updated"`
	Published  string         `xml:"published"`
	Author     atomPerson     `xml:"author"`
	Links      []atomLink     `xml:"link"`
	Categories []atomCategory `xml:"category"`
	InReplyTo  *atomReply     `xml:"thr:in-reply-to"`
	Content    atomText       `xml:"content"`
}

type atomCategory struct {
	Term string `xml:"term,attr"`
}

type atomReply struct {
	Ref  string `xml:"ref,attr"`
	Href string `xml:"href,attr"`
	Type string `xml:"type,attr"`
}

type atomText struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

// encodeAtom returns the feed as Atom.
func encodeAtom(f Feed) ([]byte, error) {
	const itself, page = "application/atom+xml", "text/html"
	shown := atomFeed{
		Space: atomSpace, Thread: threadSpace, Language: f.Language,
		ID: f.ID, Title: readable(f.Title), Subtitle: readable(f.About), Updated: f.Updated().Format(time.RFC3339),
		Icon: f.Icon, Generator: atomGenerator{"Amstel"}, Links: links(page, itself, f),
	}
	if f.Author.Name != "" {
		shown.Author = &atomPerson{readable(f.Author.Name), f.Author.URL}
	}
	for _, item := range f.Items {
		shown.Entries = append(shown.Entries, atomEntryOf(item))
	}
	return encodeXML(shown)
}

// links returns the links of a feed, as Atom and RSS have them. A link to the feed itself, and the
// pages of RFC 5005, are of its own media type.
func links(page, itself string, f Feed) (all []atomLink) {
	if page != "" {
		all = append(all, atomLink{Rel: "alternate", Type: page, Href: f.Home})
	}
	for _, link := range []struct{ rel, href string }{{"self", f.Self}, {"first", f.First}, {"next", f.Older}, {"previous", f.Newer}} {
		if link.href != "" {
			all = append(all, atomLink{Rel: link.rel, Type: itself, Href: link.href})
		}
	}
	return all
}

func atomEntryOf(item Item) atomEntry {
	entry := atomEntry{
		Language: item.Language, ID: item.ID, Title: readable(item.Title), Author: atomPerson{readable(item.Author.Name), item.Author.URL},
		Updated: item.Updated.UTC().Format(time.RFC3339), Published: item.Published.UTC().Format(time.RFC3339),
		Links:   []atomLink{{Rel: "alternate", Type: "text/html", Href: item.URL}},
		Content: atomText{"html", readable(item.HTML)},
	}
	if item.Replies != nil && item.Replies.Feed != "" {
		entry.Links = append(entry.Links, atomLink{Rel: "replies", Type: "application/atom+xml", Href: item.Replies.Feed})
	}
	if item.About != "" {
		entry.Links = append(entry.Links, atomLink{Rel: "related", Href: item.About})
	}
	for _, file := range item.Files {
		entry.Links = append(entry.Links, atomLink{
			Rel: "enclosure", Type: file.Type, Href: file.URL, Title: readable(file.Title), Length: strconv.FormatInt(file.Size, 10),
		})
	}
	for _, tag := range item.Tags {
		entry.Categories = append(entry.Categories, atomCategory{tag})
	}
	if item.NSFW {
		entry.Categories = append(entry.Categories, atomCategory{nsfw})
	}
	if to := item.InReplyTo; to != nil {
		entry.InReplyTo = &atomReply{to.ID, to.URL, "text/html"}
	}
	return entry
}

// encodeXML returns a document.
func encodeXML(v any) ([]byte, error) {
	body, err := xml.Marshal(v)
	if err != nil {
		return nil, err
	}
	return append([]byte(xml.Header), body...), nil
}
