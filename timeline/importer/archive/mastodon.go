package archive

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// everyone is the name of all readers in ActivityPub.
const everyone = "https://www.w3.org/ns/activitystreams#Public"

type mastodonActor struct {
	ID        string `json:"id"`
	Username  string `json:"preferredUsername"`
	Name      string `json:"name"`
	Published string `json:"published"`
}

type mastodonActivity struct {
	Type   string          `json:"type"`
	Actor  string          `json:"actor"`
	Object json.RawMessage `json:"object"`
}

type mastodonNote struct {
	ID        string `json:"id"`
	Summary   string `json:"summary"`
	ReplyTo   string `json:"inReplyTo"`
	Published string `json:"published"`
	To        texts  `json:"to"`
	CC        texts  `json:"cc"`
	Content   string `json:"content"`
	Files     []struct {
		URL  string `json:"url"`
		Name string `json:"name"`
	} `json:"attachment"`

	author string // the key of the person
}

// texts is a list of texts, or a single one.
type texts []string

// UnmarshalJSON implements [json.Unmarshaler].
func (t *texts) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*t = texts{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(t))
}

// readActor reads actor.json, which describes the owner of the archive. It reports whether the page
// could be read.
func (h *history) readActor(data []byte) bool {
	var a mastodonActor
	if !decode(data, &a) || a.ID == "" {
		return false
	}
	if h.is("mastodon") {
		made := &account{name: strings.ToLower(a.Username), display: a.Name, status: "public"}
		made.at, _ = whenOf(a.Published)
		h.addAccount("user "+a.ID, made)
	}
	return true
}

// readMastodon reads a list of activities. outbox.json has the posts of the owner. likes.json and
// bookmarks.json name only posts of other sites, and are counted as skipped. It reports whether the
// page could be read.
func (h *history) readMastodon(base, folder string, data []byte, files index) bool {
	var list struct {
		Items []json.RawMessage `json:"orderedItems"`
	}
	if !decode(data, &list) {
		return false
	}
	if !h.is("mastodon") {
		return true
	}
	if kind := map[string]string{"likes.json": "like", "bookmarks.json": "bookmark"}[base]; kind != "" {
		h.skipped.addN(kind, "of a post on another site", len(list.Items))
		return true
	}
	var notes []mastodonNote
	for _, raw := range list.Items {
		var did mastodonActivity
		var note mastodonNote
		switch {
		case !decode(raw, &did):
			h.skipped.add("post", "damaged")
		case did.Type == "Announce":
			h.skipped.add("boost", "of a post on another site")
		case did.Type != "Create" || !decode(did.Object, &note) || note.ID == "" || did.Actor == "":
			h.skipped.add("post", "damaged")
		default:
			note.author = "user " + did.Actor
			notes = append(notes, note)
		}
	}
	h.addNotes(notes, folder, files)
	return true
}

// addNotes adds the posts of a person, the oldest first. An answer to a post of the person's own
// becomes a comment on the post that began the thread.
func (h *history) addNotes(notes []mastodonNote, folder string, files index) {
	slices.SortStableFunc(notes, func(a, b mastodonNote) int { return strings.Compare(a.Published, b.Published) })
	root := map[string]string{}
	for _, n := range notes {
		at, ok := whenOf(n.Published)
		to, direct := n.place()
		switch {
		case !ok:
			h.skipped.add("post", "without a time that can be")
			continue
		case direct:
			h.skipped.add("post", "a message to people on other sites")
			continue
		}
		author, written := n.author, textOf(n.Content)
		if n.Summary != "" {
			written = strings.TrimSpace(n.Summary + "\n\n" + written)
		}
		var attached []file
		for i, f := range n.Files {
			found := files.at(path.Join("/", folder, f.URL))
			if found == "" {
				found = files.at(f.URL)
			}
			attached = append(attached, file{id: n.ID + " " + string(rune('a'+i%26)), path: found, alt: f.Name, name: path.Base(f.URL)})
		}
		if n.ReplyTo == "" {
			root[n.ID] = n.ID
			h.addPost(n.ID, &post{author: author, text: written, at: at, to: []place{{to, author}}, closed: to == "private", files: attached})
			continue
		}
		began := root[n.ReplyTo]
		if p := h.posts[began]; p == nil {
			h.skipped.add("post", "an answer to a post that the archive does not have")
		} else if to == "private" && !p.closed {
			h.skipped.add("post", "an answer that fewer people could read than the post it answers")
		} else {
			root[n.ID] = began
			h.addComment(n.ID, &comment{post: began, author: author, text: written, at: at, files: attached})
		}
	}
}

// place returns the kind of place for a post: "feed" if all people could read it, else "private",
// for followers. direct reports whether the post was only for certain people.
func (n *mastodonNote) place() (kind string, direct bool) {
	both := slices.Concat(n.To, n.CC)
	if slices.Contains(both, everyone) || slices.Contains(both, "as:Public") || slices.Contains(both, "Public") {
		return "feed", false
	}
	return "private", !slices.ContainsFunc(both, func(to string) bool { return strings.HasSuffix(to, "/followers") })
}

// textOf returns the text of a post that is HTML. Paragraphs and line breaks become lines, links
// become their addresses, and hashtags stay as they are.
func textOf(source string) string {
	doc, err := html.Parse(strings.NewReader(source))
	if err != nil {
		return ""
	}
	var b strings.Builder
	var walk func(n *html.Node, depth int)
	walk = func(n *html.Node, depth int) {
		if depth > 100 {
			return
		}
		switch {
		case n.Type == html.TextNode:
			b.WriteString(n.Data)
		case n.DataAtom == atom.Br:
			b.WriteString("\n")
		case n.DataAtom == atom.A && !strings.HasPrefix(shown(n), "#"):
			for _, a := range n.Attr {
				if a.Key == "href" {
					b.WriteString(a.Val)
				}
			}
			return
		case n.DataAtom == atom.Script || n.DataAtom == atom.Style:
			return
		}
		for c := range n.ChildNodes() {
			walk(c, depth+1)
		}
		if n.DataAtom == atom.P || n.DataAtom == atom.Li || n.DataAtom == atom.Blockquote {
			b.WriteString("\n\n")
		}
	}
	walk(doc, 0)
	written := strings.TrimSpace(b.String())
	for strings.Contains(written, "\n\n\n") {
		written = strings.ReplaceAll(written, "\n\n\n", "\n\n")
	}
	return written
}

// shown returns the text that an element and its descendants show.
func shown(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}
