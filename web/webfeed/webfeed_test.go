package webfeed

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/internal/feedtest"
)

var (
	morning = time.Date(2026, 11, 20, 7, 0, 0, 0, time.FixedZone("", 3600))
	evening = time.Date(2026, 11, 20, 19, 30, 0, 123e6, time.UTC)
)

// sample returns a feed with all that a feed can have, and with texts that would break it if they were not escaped.
func sample() Feed {
	post := Link{Tag("amstel.example", "post/7"), "https://amstel.example/anna/7", ""}
	return Feed{
		ID: Tag("amstel.example:8080", "user/1"), Title: `Anna & "Boris" </title> · Amstel`, About: "<b>\x01words]]>", Language: "en",
		Home: "https://amstel.example/anna", Self: "https://amstel.example/anna.x?a=1&b=2", First: "https://amstel.example/anna.x", Older: "https://amstel.example/anna.x?before=1,2", Newer: "https://amstel.example/anna.x?page=1",
		Icon: "https://amstel.example/a.png", Author: Person{"Anna", "https://amstel.example/anna", "https://amstel.example/a.png"},
		Items: []Item{
			{
				ID: post.ID, URL: post.URL, Title: "A boat & <i>", HTML: `<p>A boat &amp; <a href="https://a.example/?a=1&amp;b=2">]]&gt;</a>` + "\x0b\uffff</p>", Author: Person{"Boris 🚣", "https://amstel.example/boris", ""},
				Published: morning, Updated: evening, Language: "nl", NSFW: true, Tags: []string{"boats", "öl"},
				Files:   []File{{"https://amstel.example/f/1.jpg", "image/jpeg", `a "boat"`, 1234, 30, 20}, {"https://amstel.example/f/2.mp3", "audio/mpeg", "song", 99, 0, 0}},
				Replies: &Link{"", post.URL, post.URL + ".x"}, About: "https://a.example/?a=1&b=2",
			},
			{ID: Tag("amstel.example", "comment/8"), URL: post.URL + "#c8", Title: "Nice", HTML: "<p>Nice</p>", Author: Person{Name: "Carol"}, Published: morning, Updated: morning, InReplyTo: &post},
		},
	}
}

func encoded(t *testing.T, f Feed) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, format := range Formats {
		body, err := format.Encode(f)
		if err != nil {
			t.Fatal(err)
		}
		all[format.Name] = string(body)
	}
	return all
}

// TestFormats reads one feed in three formats with the parsers that other programs use.
func TestFormats(t *testing.T) {
	t.Parallel()
	all := encoded(t, sample())
	feedtest.Check(t, all)
	feedtest.Check(t, encoded(t, Feed{ID: Tag("localhost", "user/1"), Title: "Nothing yet", Home: "https://amstel.example/anna", Self: "https://amstel.example/anna.x"}))
	for name, text := range all {
		got := feedtest.Read(t, text)
		if got.Title != `Anna & "Boris" </title> · Amstel` || name != "RSS" && got.Link != "https://amstel.example/anna" || got.FeedLink != "https://amstel.example/anna.x?a=1&b=2" || got.Language != "en" || len(got.Items) != 2 {
			t.Errorf("%s: %q %q %q %q, %d items", name, got.Title, got.Link, got.FeedLink, got.Language, len(got.Items))
			continue
		}
		item := got.Items[0]
		content := item.Content + item.Description
		if item.GUID != "tag:amstel.example,2026:post/7" || item.Link != "https://amstel.example/anna/7" || item.Title != "A boat & <i>" || !strings.HasPrefix(content, `<p>A boat &amp; <a href="https://a.example/?a=1&amp;b=2">]]&gt;</a>`) {
			t.Errorf("%s: %q %q %q %q", name, item.GUID, item.Link, item.Title, content)
		}
		if !item.PublishedParsed.Equal(morning) || len(item.Authors) != 1 && name != "RSS" {
			t.Errorf("%s: published %v by %v", name, item.PublishedParsed, item.Authors)
		}
		if name != "RSS" && (item.UpdatedParsed == nil || !item.UpdatedParsed.Equal(evening.Truncate(time.Second)) || item.Authors[0].Name != "Boris 🚣") {
			t.Errorf("%s: updated %v by %v", name, item.UpdatedParsed, item.Authors)
		}
		if !slices.Contains(item.Categories, "boats") || !slices.Contains(item.Categories, "öl") || name != "JSON Feed" && !slices.Contains(item.Categories, "nsfw") {
			t.Errorf("%s: %v", name, item.Categories)
		}
		files := map[string]int{"Atom": 2, "RSS": 1, "JSON Feed": 2}[name]
		if len(item.Enclosures) != files || item.Enclosures[0].URL != "https://amstel.example/f/1.jpg" || item.Enclosures[0].Type != "image/jpeg" || name != "JSON Feed" && item.Enclosures[0].Length != "1234" {
			t.Errorf("%s: %d files", name, len(item.Enclosures))
		}
	}
	for name, want := range map[string][]string{
		"Atom": {
			`<link rel="next" type="application/atom+xml" href="https://amstel.example/anna.x?before=1,2"></link>`, `<link rel="previous" `, `<link rel="first" `, `xml:lang="nl"`, `<link rel="replies" `,
			`<thr:in-reply-to ref="tag:amstel.example,2026:post/7" href="https://amstel.example/anna/7" type="text/html">`,
		},
		"RSS": {
			`<atom:link rel="next" `, `<guid isPermaLink="false">tag:amstel.example,2026:post/7</guid>`, `<pubDate>Fri, 20 Nov 2026 06:00:00 +0000</pubDate>`, `<media:rating scheme="urn:simple">adult</media:rating>`,
			`<comments>https://amstel.example/anna/7</comments>`, `<dc:creator>Boris 🚣</dc:creator>`, `<media:content url="https://amstel.example/f/2.mp3" fileSize="99" type="audio/mpeg">`,
		},
		"JSON Feed": {`"next_url":"https://amstel.example/anna.x?before=1,2"`, `"nsfw":true`, `"size_in_bytes":1234`, `"image":"https://amstel.example/f/1.jpg"`, `"in_reply_to":"tag:amstel.example,2026:post/7"`, `"version":"https://jsonfeed.org/version/1.1"`},
	} {
		for _, part := range want {
			if !strings.Contains(all[name], part) {
				t.Errorf("%s has no %s:\n%s", name, part, all[name])
			}
		}
	}
}

func TestFeedIsTheSameBytes(t *testing.T) {
	t.Parallel()
	first, again := encoded(t, sample()), encoded(t, sample())
	for name := range first {
		if first[name] != again[name] {
			t.Errorf("%s differs each time", name)
		}
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/anna.atom": "/anna Atom", "/anna.rss": "/anna RSS", "/anna.feed.json": "/anna JSON Feed", "/anna.json": "/anna.json", "/anna": "/anna", "": "", ".atom": " Atom", "/a.atom.rss": "/a.atom RSS",
	} {
		page, format := Cut(path)
		if format != nil {
			page += " " + format.Name
		}
		if page != want {
			t.Errorf("%q is %q, want %q", path, page, want)
		}
	}
	if got := Tag("[::1]:8080", "x") + Tag("localhost:80", "y"); got != "tag:localhost,2026:xtag:localhost,2026:y" {
		t.Error(got)
	}
}

// FuzzFormats: whatever people write, a feed is well-formed, and keeps its items.
func FuzzFormats(f *testing.F) {
	for _, text := range []string{"", "hoi", "\x00\x01\ufffe\uffff", "]]>", "</content>", "<!--", `"'&<>`, "\xff", "\u202e", "&#0;"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		feed := Feed{ID: "tag:a,2026:1", Title: text, About: text, Home: "https://a.example/", Author: Person{Name: text}, Items: []Item{
			{ID: "tag:a,2026:2", Title: text, HTML: text, Author: Person{Name: text}, Tags: []string{text}, Files: []File{{URL: "https://a.example/1", Title: text}}},
		}}
		for _, format := range Formats {
			body, err := format.Encode(feed)
			if err != nil {
				t.Fatalf("%s: %v", format.Name, err)
			}
			if format.Name == "JSON Feed" {
				if !json.Valid(body) {
					t.Errorf("%s of %q is not JSON", format.Name, text)
				}
				continue
			}
			items := 0
			for d := xml.NewDecoder(bytes.NewReader(body)); ; {
				token, err := d.Token()
				if err != nil {
					if fmt.Sprint(err) != "EOF" {
						t.Errorf("%s of %q: %v", format.Name, text, err)
					}
					break
				}
				if start, is := token.(xml.StartElement); is && (start.Name.Local == "entry" || start.Name.Local == "item") {
					items++
				}
			}
			if items != 1 {
				t.Errorf("%s of %q has %d items", format.Name, text, items)
			}
		}
	})
}
