package web_test

import (
	"encoding/json"
	"errors"
	"html"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/internal/picture"
	"amstel.dev/amstel/timeline"
)

var (
	metaTag      = regexp.MustCompile(`<meta (?:name|property)="(description|og:[^"]*|article:[^"]*|twitter:[^"]*)" content="([^"]*)"`)
	canonicalTag = regexp.MustCompile(`<link rel="canonical" href="([^"]*)"`)
)

// shared returns what the head of a page tells search engines and previews of links, by name.
func shared(body string) map[string]string {
	told := map[string]string{}
	head, _, _ := strings.Cut(body, "</head>")
	for _, m := range metaTag.FindAllStringSubmatch(head, -1) {
		told[m[1]] = html.UnescapeString(m[2])
	}
	if m := canonicalTag.FindStringSubmatch(head); m != nil {
		told["canonical"] = html.UnescapeString(m[1])
	}
	return told
}

// previewed requests a page, and returns the properties in its head, with addresses relative to
// the site. The picture must exist, with its type and size.
func (c *client) previewed(path string) map[string]string {
	c.b.t.Helper()
	c.accept = "text/html"
	told := shared(c.get(path).ok().body)
	for _, name := range []string{"canonical", "og:url", "og:image"} {
		within, is := strings.CutPrefix(told[name], c.b.http.URL)
		if !is {
			c.b.t.Errorf("%s: %s is %q, not an address of the site", path, name, told[name])
		}
		told[name] = within
	}
	file := c.get(told["og:image"]).ok()
	m, _, err := image.DecodeConfig(strings.NewReader(file.body))
	if err != nil {
		c.b.t.Fatalf("%s: the picture %s: %v", path, told["og:image"], err)
	}
	if size := []string{strconv.Itoa(m.Width), strconv.Itoa(m.Height)}; told["og:image:width"] != size[0] || told["og:image:height"] != size[1] || file.header.Get("Content-Type") != told["og:image:type"] {
		c.b.t.Errorf("%s: the picture of %v is told as %v", path, size, told)
	}
	for _, name := range []string{"og:image:width", "og:image:height", "og:image:type", "og:site_name"} {
		delete(told, name)
	}
	return told
}

// TestPreviewsOfPages reads the preview of a link to each kind of page.
func TestPreviewsOfPages(t *testing.T) {
	long(t)
	t.Parallel()
	maker, err := picture.New(picture.Limits{}, 2)
	if errors.Is(err, picture.ErrNoTool) && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := newStudio(t, timeline.AttachmentLimits{}, maker, "alice", "bobby")
	alice, bobby, visitor := s.as("alice"), s.as("bobby"), s.visitor()
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "cooks", "display_name": "Cooks", "description": "We cook\n& eat."}}).ok()
	plain := alice.post("A \"red\" boat <i>\n\nwith #tea", "group:cooks", "user")
	withPicture := func(fields object) string {
		t.Helper()
		id := s.readyFile(alice, file{"soup.jpg", "a bowl of soup", photo(t, 90)})
		post := object{"text": "soup", "timelines": []string{"user"}, "attachment_ids": []json.Number{id}}
		for name, value := range fields {
			post[name] = value
		}
		return alice.send("POST", "/api/v1/posts", object{"post": post}).ok().id("post", "id")
	}
	pictured, silent, unsafe := withPicture(nil), withPicture(object{"text": ""}), withPicture(object{"nsfw": true})
	bobby.picture("/api/v1/avatars", "avatar", photo(t, 120)).ok()
	painted := bobby.post("I have a face", "user")
	if err := s.node.WaitApplied(t.Context()); err != nil {
		t.Fatal(err)
	}
	medium := "/f/" // the name of the bytes follows
	avatar := bobby.get("/bobby.json").ok().at("users", numberText(float64(s.ids["bobby"])), "avatar_url").(string)
	own := map[string]string{
		"description": "A \"red\" boat <i> with #tea", "og:type": "article", "og:title": "Alice: A \"red\" boat <i> with #tea",
		"og:image": "/system/avatars/alice.png", "og:image:alt": "Avatar of Alice", "twitter:card": "summary", "canonical": "/alice/" + plain,
	}
	const welcome = "A small social network that updates as you read. Follow people and groups, and talk in the comments. The busiest conversations rise to the top."
	for path, want := range map[string]map[string]string{
		"/alice/" + plain: own,
		"/cooks/" + plain: own,
		"/alice/" + pictured: {
			"description": "soup", "og:type": "article", "og:title": "Alice: soup", "og:image": medium, "og:image:alt": "a bowl of soup", "twitter:card": "summary_large_image",
		},
		"/alice/" + silent: {
			"description": "a bowl of soup", "og:type": "article", "og:title": "Alice: a bowl of soup", "og:image": medium, "og:image:alt": "a bowl of soup", "twitter:card": "summary_large_image",
		},
		"/alice/" + unsafe: {
			"description": "Not safe for work", "og:type": "article", "og:title": "Alice: Not safe for work", "og:image": "/system/avatars/alice.png", "og:image:alt": "Avatar of Alice", "twitter:card": "summary",
		},
		"/bobby/" + painted: {
			"description": "I have a face", "og:type": "article", "og:title": "Bobby: I have a face", "og:image": timeline.LargePicture(avatar), "og:image:alt": "Avatar of Bobby", "twitter:card": "summary",
		},
		"/alice": {
			"description": "Posts by Alice on Amstel.", "og:type": "profile", "og:title": "Alice", "og:image": "/system/avatars/alice.png", "og:image:alt": "Avatar of Alice", "twitter:card": "summary",
		},
		"/cooks": {
			"description": "We cook & eat.", "og:type": "website", "og:title": "Cooks", "og:image": "/system/avatars/cooks.png", "og:image:alt": "Avatar of Cooks", "twitter:card": "summary",
		},
		"/s?q=%23tea": {
			"description": "Posts with the tag #tea.", "og:type": "website", "og:title": "#tea", "og:image": "icon", "og:image:alt": "The logo of Amstel: three waves", "twitter:card": "summary",
		},
		"/": {
			"description": welcome, "og:type": "website", "og:title": "Everything", "og:image": "icon", "og:image:alt": "The logo of Amstel: three waves", "twitter:card": "summary",
		},
		"/filter/everything?page=2": {
			"description": welcome, "og:type": "website", "og:title": "Everything", "og:image": "icon", "og:image:alt": "The logo of Amstel: three waves", "twitter:card": "summary", "canonical": "/?page=2",
		},
	} {
		told := visitor.previewed(path)
		if want["canonical"] == "" {
			want["canonical"] = path
		}
		want["og:url"], want["og:description"], want["og:locale"] = want["canonical"], want["description"], "en_US"
		for short, long := range map[string]string{medium: "/f/", "icon": "/static/icon-512."} {
			if want["og:image"] == short && strings.HasPrefix(told["og:image"], long) {
				want["og:image"] = told["og:image"]
			}
		}
		if published := told["article:published_time"]; (published != "") != (want["og:type"] == "article") {
			t.Errorf("%s was published at %q", path, published)
		}
		delete(told, "article:published_time")
		if diff := cmp.Diff(want, told); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	if told := visitor.read("ru", "/alice"); shared(told.body)["og:locale"] != "ru_RU" || shared(told.body)["description"] != "Посты Alice на сайте Amstel." {
		t.Errorf("in Russian it tells %v", shared(told.body))
	}
}

// TestPreviewsTellNothingPrivate opens pages that not all readers see whole: for members
// of them, for strangers, and after they were closed.
func TestPreviewsTellNothingPrivate(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, bobby, visitor := b.as("alice"), b.as("bobby"), b.visitor()
	tells := func(c *client, path string, status int) map[string]string {
		t.Helper()
		c.accept = "text/html"
		a := c.get(path)
		c.accept = ""
		if a.status != status {
			t.Errorf("%s: %d, want %d", path, a.status, status)
		}
		return shared(a.body)
	}
	open := alice.post("for everybody", "user")
	closed := alice.post("for subscribers", "user_private")
	if told := tells(visitor, "/alice/"+open, 200); told["og:description"] != "for everybody" {
		t.Errorf("a public post tells %v", told)
	}
	for _, page := range []struct {
		who    *client
		path   string
		status int
	}{
		{alice, "/alice/" + closed, 200}, {bobby, "/alice/" + closed, 404}, {visitor, "/alice/" + closed, 404},
		{alice, "/", 200}, {bobby, "/alice/" + open, 200}, {alice, "/filter/directs", 200}, {visitor, "/s?q=everybody", 200}, {visitor, "/users/sign_in", 200},
	} {
		if told := tells(page.who, page.path, page.status); len(told) != 0 {
			t.Errorf("%s tells %v", page.path, told)
		}
	}
	alice.send("PATCH", "/api/v1/users/"+numberOf(b.ids["alice"]), object{"user": object{"status": "private", "description": "of alice"}}).ok()
	for path, status := range map[string]int{"/alice/" + open: 404, "/alice": 200, "/alice/comments": 403} {
		if told := tells(visitor, path, status); len(told) != 0 {
			t.Errorf("%s, which was closed, tells %v", path, told)
		}
	}
	if told := tells(visitor, "/", 200); strings.Contains(told["og:description"], "everybody") || told["og:title"] == "" {
		t.Errorf("the front page tells %v", told)
	}
}
