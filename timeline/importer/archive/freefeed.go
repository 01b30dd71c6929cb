package archive

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
)

// A freeFeedPage is an answer of FreeFeed's API, or all files of a backup of one account. In the
// files of a backup each list is a map by ids.
type freeFeedPage struct {
	Posts       oneOrMore `json:"posts"`
	Comments    oneOrMore `json:"comments"`
	Users       oneOrMore `json:"users"`
	Subscribers oneOrMore `json:"subscribers"`
	Admins      oneOrMore `json:"admins"`
	Feeds       oneOrMore `json:"subscriptions"`
	Attachments oneOrMore `json:"attachments"`
}

// oneOrMore holds objects that the archive has as a list, as a map by their ids, or as a single
// object.
type oneOrMore []json.RawMessage

// UnmarshalJSON implements [json.Unmarshaler].
func (o *oneOrMore) UnmarshalJSON(data []byte) error {
	var list []json.RawMessage
	if json.Unmarshal(data, &list) == nil {
		*o = append(*o, list...)
		return nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(data, &object); err != nil {
		return err
	}
	if _, one := object["id"]; one {
		*o = append(*o, slices.Clone(data))
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		*o = append(*o, object[key])
	}
	return nil
}

type freeFeedAccount struct {
	ID        id     `json:"id"`
	Name      string `json:"username"`
	Display   string `json:"screenName"`
	Type      string `json:"type"`
	Private   flag   `json:"isPrivate"`
	Protected flag   `json:"isProtected"`
	CreatedAt id     `json:"createdAt"`
	Admins    []id   `json:"administrators"`
}

type freeFeedFeed struct {
	ID    id     `json:"id"`
	Name  string `json:"name"`
	Owner id     `json:"user"`
}

type freeFeedPost struct {
	ID              id     `json:"id"`
	Body            string `json:"body"`
	CreatedAt       id     `json:"createdAt"`
	Author          id     `json:"createdBy"`
	PostedTo        []id   `json:"postedTo"`
	Likes           []id   `json:"likes"`
	Comments        []id   `json:"comments"`
	Attachments     []id   `json:"attachments"`
	OmittedComments int    `json:"omittedComments"`
	OmittedLikes    int    `json:"omittedLikes"`
}

type freeFeedComment struct {
	ID        id     `json:"id"`
	Post      id     `json:"postId"`
	Body      string `json:"body"`
	CreatedAt id     `json:"createdAt"`
	Author    id     `json:"createdBy"`
	Hidden    int    `json:"hideType"`
}

type freeFeedAttachment struct {
	ID       id     `json:"id"`
	FileName string `json:"fileName"`
	URL      string `json:"url"`
}

// freeFeedParts maps the names of the files of a backup to the kinds of objects in them.
var freeFeedParts = map[string]string{
	"users.json": "users", "posts.json": "posts", "comments.json": "comments", "feeds.json": "subscriptions", "attachments.json": "attachments",
}

// readFreeFeedPart reads a file of a backup. It only collects the objects in the file, because
// objects of different files refer to each other. It reports whether the file is one of a backup.
func (h *history) readFreeFeedPart(base string, keys map[string]json.RawMessage) bool {
	part, known := freeFeedParts[base]
	if base == "timeline.json" || base == "session.json" { // of the backup program itself
		return true
	}
	if !known {
		return false
	}
	for _, raw := range keys {
		var thing struct {
			ID id `json:"id"`
		}
		if !decode(raw, &thing) || thing.ID == "" {
			return false
		}
	}
	if !h.is("freefeed") {
		return true
	}
	list := slices.Collect(maps.Values(keys))
	return h.collect(part, list)
}

// collect adds objects of a kind to the objects that finishFreeFeed reads at the end. It returns
// true.
func (h *history) collect(part string, list []json.RawMessage) bool {
	switch part {
	case "users":
		h.freeFeed.Users = append(h.freeFeed.Users, list...)
	case "posts":
		h.freeFeed.Posts = append(h.freeFeed.Posts, list...)
	case "comments":
		h.freeFeed.Comments = append(h.freeFeed.Comments, list...)
	case "subscriptions":
		h.freeFeed.Feeds = append(h.freeFeed.Feeds, list...)
	case "attachments":
		h.freeFeed.Attachments = append(h.freeFeed.Attachments, list...)
	}
	return true
}

// readFreeFeed reads a page of FreeFeed's API. It only collects the objects of the page, because
// objects of different pages refer to each other. It reports whether the page could be read.
func (h *history) readFreeFeed(data []byte) bool {
	var page freeFeedPage
	if !decode(data, &page) {
		return false
	}
	if !h.is("freefeed") {
		return true
	}
	h.collect("users", slices.Concat(page.Users, page.Subscribers, page.Admins))
	h.collect("posts", page.Posts)
	h.collect("comments", page.Comments)
	h.collect("subscriptions", page.Feeds)
	return h.collect("attachments", page.Attachments)
}

// finishFreeFeed adds the collected objects of all pages of FreeFeed to the history.
func (h *history) finishFreeFeed(files index) {
	groups := map[id]bool{}
	for _, raw := range h.freeFeed.Users {
		var a freeFeedAccount
		if string(raw) == "null" {
			continue
		}
		if !decode(raw, &a) || a.ID == "" || a.Name == "" {
			h.skipped.add("user", "damaged")
			continue
		}
		made := &account{group: a.Type == "group", name: a.Name, display: a.Display, status: "public"}
		switch {
		case bool(a.Private):
			made.status = "private"
		case bool(a.Protected):
			made.status = "protected"
		}
		made.at, _ = whenOf(string(a.CreatedAt))
		for _, admin := range a.Admins {
			made.admins = append(made.admins, userKey(admin))
		}
		if groups[a.ID] = made.group; made.group {
			h.addAccount(groupKey(a.ID), made)
		} else {
			h.addAccount(userKey(a.ID), made)
		}
	}
	feeds := map[id]freeFeedFeed{}
	for _, raw := range h.freeFeed.Feeds {
		var f freeFeedFeed
		if decode(raw, &f) {
			feeds[f.ID] = f
		}
	}
	attached := map[id]freeFeedAttachment{}
	for _, raw := range h.freeFeed.Attachments {
		var a freeFeedAttachment
		if decode(raw, &a) {
			attached[a.ID] = a
		}
	}
	posts := map[id]id{} // the posts of comments, by the ids of the comments
	for _, raw := range h.freeFeed.Posts {
		h.readFreeFeedPost(raw, groups, feeds, attached, posts, files)
	}
	for _, raw := range h.freeFeed.Comments {
		h.readFreeFeedComment(raw, posts)
	}
}

func (h *history) readFreeFeedPost(raw []byte, groups map[id]bool, feeds map[id]freeFeedFeed, attached map[id]freeFeedAttachment, posts map[id]id, files index) {
	var e freeFeedPost
	if !decode(raw, &e) || e.ID == "" || e.Author == "" {
		h.skipped.add("post", "damaged")
		return
	}
	at, ok := whenOf(string(e.CreatedAt))
	if !ok {
		h.skipped.add("post", "without a time that can be")
		return
	}
	p := &post{author: userKey(e.Author), text: e.Body, at: at, comments: len(e.Comments) + max(e.OmittedComments, 0), moreLike: max(e.OmittedLikes, 0)}
	for _, liker := range e.Likes {
		p.likes = append(p.likes, userKey(liker))
	}
	for _, to := range e.PostedTo {
		switch feed, known := feeds[to]; {
		case !known:
		case feed.Name == "Directs" && feed.Owner != e.Author:
			p.to = append(p.to, place{"direct", userKey(feed.Owner)})
		case feed.Name == "Posts" && groups[feed.Owner]:
			p.to = append(p.to, place{"feed", groupKey(feed.Owner)})
		case feed.Name == "Posts":
			p.to = append(p.to, place{"feed", userKey(feed.Owner)})
		}
	}
	for _, i := range e.Attachments {
		a := attached[i]
		p.files = append(p.files, file{id: string(i), path: files.at(a.URL), name: path.Base(a.FileName)})
	}
	for _, c := range e.Comments {
		posts[c] = e.ID
	}
	h.addPost(string(e.ID), p)
}

func (h *history) readFreeFeedComment(raw []byte, posts map[id]id) {
	var c freeFeedComment
	if !decode(raw, &c) || c.ID == "" {
		h.skipped.add("comment", "damaged")
		return
	}
	if c.Hidden != 0 || c.Author == "" {
		h.skipped.add("comment", "hidden or deleted there")
		return
	}
	at, ok := whenOf(string(c.CreatedAt))
	if !ok {
		h.skipped.add("comment", "without a time that can be")
		return
	}
	of := c.Post
	if of == "" {
		of = posts[c.ID]
	}
	h.addComment(string(c.ID), &comment{post: string(of), author: userKey(c.Author), text: c.Body, at: at})
}
