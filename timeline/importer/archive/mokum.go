package archive

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// A mokumPage is a page of Mokum, or of a site with Mokum's API, as a backup program saves it.
type mokumPage struct {
	Entries  []json.RawMessage          `json:"entries"`
	Comments []json.RawMessage          `json:"comments"` // on a page with all comments of a post
	Users    map[string]json.RawMessage `json:"users"`
	Groups   map[string]json.RawMessage `json:"groups"`
	River    struct {
		Current string `json:"current_user_name"`
	} `json:"river"`
}

type mokumAccount struct {
	ID         id     `json:"id"`
	Name       string `json:"name"`
	Display    string `json:"display_name"`
	Status     string `json:"status"`
	CreatedAt  string `json:"created_at"`
	Subscribed flag   `json:"you_are_subscribed"`
	Subscriber flag   `json:"subscribed_to_you"`
	You        flag   `json:"is_you"`
	Admin      flag   `json:"you_are_admin"`
}

type mokumEntry struct {
	ID            id                `json:"id"`
	Author        id                `json:"user_id"`
	Text          string            `json:"text"`
	At            string            `json:"published_at"`
	Version       int               `json:"version"`
	Public        *flag             `json:"is_public"`
	Status        string            `json:"status"`
	Direct        flag              `json:"is_direct"`
	Reason        map[string][]id   `json:"reason"`
	Timelines     []string          `json:"timelines"`
	Likes         []id              `json:"likes"`
	MoreLikes     int               `json:"more_likes"`
	Liked         flag              `json:"user_liked"`
	Comments      []json.RawMessage `json:"comments"`
	CommentsCount int               `json:"comments_count"`
	Attachments   []mokumAttachment `json:"attachments"`
}

type mokumComment struct {
	ID          id                `json:"id"`
	Post        id                `json:"post_id"`
	Author      id                `json:"user_id"`
	Text        string            `json:"text"`
	At          string            `json:"created_at"`
	Liked       flag              `json:"user_liked"`
	Likes       int               `json:"clikes_count"`
	Attachments []mokumAttachment `json:"attachments"`
}

type mokumAttachment struct {
	ID       id     `json:"id"`
	Name     string `json:"attachment_file_name"`
	Original string `json:"original_url"`
	Alt      string `json:"alt"`
}

func userKey(i id) string  { return "user " + string(i) }
func groupKey(i id) string { return "group " + string(i) }

// readMokum reads a page of Mokum, and reports whether the page could be read.
func (h *history) readMokum(data []byte, files index) bool {
	var page mokumPage
	if !decode(data, &page) {
		return false
	}
	if !h.is("mokum") {
		return true
	}
	var you string
	names := map[string]string{}
	for _, cards := range []struct {
		group bool
		all   map[string]json.RawMessage
		key   func(id) string
	}{{false, page.Users, userKey}, {true, page.Groups, groupKey}} {
		for _, raw := range cards.all {
			var card mokumAccount
			if !decode(raw, &card) || card.ID == "" || card.Name == "" {
				h.skipped.add(map[bool]string{false: "user", true: "group"}[cards.group], "damaged")
				continue
			}
			a := &account{group: cards.group, name: card.Name, display: card.Display, status: statusHere(card.Status)}
			a.at, _ = whenOf(card.CreatedAt)
			h.addAccount(cards.key(card.ID), a)
			names[card.Name] = cards.key(card.ID)
			if !cards.group && (bool(card.You) || card.Name == page.River.Current) {
				you = cards.key(card.ID)
			}
		}
	}
	h.readRelations(you, page)
	for _, raw := range page.Entries {
		h.readEntry(raw, you, names, files)
	}
	for _, raw := range page.Comments {
		h.readComment(raw, "", you, files)
	}
	return true
}

// readRelations reads the subscriptions of the person who saved the page, and the groups that the person administers.
func (h *history) readRelations(you string, page mokumPage) {
	if you == "" {
		return
	}
	for _, raw := range page.Users {
		var card mokumAccount
		if !decode(raw, &card) {
			continue
		}
		if card.Subscribed {
			h.subscriptions[[2]string{you, userKey(card.ID)}] = true
		}
		if card.Subscriber {
			h.subscriptions[[2]string{userKey(card.ID), you}] = true
		}
	}
	for _, raw := range page.Groups {
		var card mokumAccount
		if !decode(raw, &card) {
			continue
		}
		if card.Subscribed {
			h.subscriptions[[2]string{you, groupKey(card.ID)}] = true
		}
		if card.Admin {
			h.addAccount(groupKey(card.ID), &account{group: true, status: "public", admins: []string{you}})
		}
	}
}

// readEntry reads a post, with the comments and likes on the page.
func (h *history) readEntry(raw []byte, you string, names map[string]string, files index) {
	var e mokumEntry
	if !decode(raw, &e) || e.ID == "" || e.Author == "" {
		h.skipped.add("post", "damaged")
		return
	}
	at, ok := whenOf(e.At)
	if !ok {
		h.skipped.add("post", "without a time that can be")
		return
	}
	p := &post{
		author: userKey(e.Author), text: e.Text, at: at, version: e.Version, comments: e.CommentsCount, moreLike: max(e.MoreLikes, 0),
		files: mokumFiles(e.Attachments, files),
	}
	p.closed = e.Public != nil && !bool(*e.Public) || e.Status != "" && statusHere(e.Status) == "private"
	for _, liker := range e.Likes {
		p.likes = append(p.likes, userKey(liker))
	}
	if bool(e.Liked) && you != "" && !slices.Contains(p.likes, you) {
		p.likes = append(p.likes, you)
		p.moreLike = max(p.moreLike-1, 0)
	}
	p.to = placesOfEntry(&e, names)
	h.addPost(string(e.ID), p)
	for _, raw := range e.Comments {
		h.readComment(raw, e.ID, you, files)
	}
}

// placesOfEntry returns the places of a post: the places in its reasons and timelines, else the
// author's feed.
func placesOfEntry(e *mokumEntry, names map[string]string) []place {
	author := userKey(e.Author)
	var to []place
	add := func(kind, of string) {
		if at := (place{kind, of}); !slices.Contains(to, at) {
			to = append(to, at)
		}
	}
	for why, ids := range e.Reason {
		for _, i := range ids {
			switch why {
			case "user":
				add("feed", userKey(i))
			case "group":
				add("feed", groupKey(i))
			case "user_private", "user_fyeo":
				add(strings.TrimPrefix(why, "user_"), userKey(i))
			case "user_directs_received", "user_directs_sent":
				if userKey(i) != author {
					add("direct", userKey(i))
				}
			}
		}
	}
	for _, timeline := range e.Timelines {
		kind, name, _ := strings.Cut(timeline, ":")
		switch {
		case timeline == "user":
			add("feed", author)
		case timeline == "user_private" || timeline == "user_fyeo":
			add(strings.TrimPrefix(timeline, "user_"), author)
		case kind == "group" && names[name] != "":
			add("feed", names[name])
		case kind == "direct" && names[name] != "" && names[name] != author:
			add("direct", names[name])
		}
	}
	switch {
	case len(to) > 0:
	case e.Status == "fyeo" && !bool(e.Direct):
		add("fyeo", author)
	case !bool(e.Direct):
		add("feed", author)
	}
	return to
}

// readComment reads a comment on the post of; on a page of comments, of is empty, and the comment
// itself names its post.
func (h *history) readComment(raw []byte, of id, you string, files index) {
	var c mokumComment
	if !decode(raw, &c) || c.ID == "" || c.Author == "" || c.Post == "" && of == "" {
		h.skipped.add("comment", "damaged")
		return
	}
	at, ok := whenOf(c.At)
	if !ok {
		h.skipped.add("comment", "without a time that can be")
		return
	}
	if of == "" {
		of = c.Post
	}
	made := &comment{post: string(of), author: userKey(c.Author), text: c.Text, at: at, files: mokumFiles(c.Attachments, files)}
	if bool(c.Liked) && you != "" {
		made.likes = append(made.likes, you)
	}
	h.addComment(string(c.ID), made)
}

// mokumFiles returns the files of a post or comment.
func mokumFiles(all []mokumAttachment, files index) (found []file) {
	for _, a := range all {
		found = append(found, file{id: string(a.ID), path: files.at(a.Original), alt: a.Alt, name: path.Base(a.Name)})
	}
	return found
}
