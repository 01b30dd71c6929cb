package web

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/text"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
	"amstel.dev/amstel/web/rights"
	"amstel.dev/amstel/web/webfeed"
)

// The limits of a web feed: the characters of an item's title, and the newest comments that the feed of a post
// has.
const (
	feedTitle    = 80
	feedComments = 100
)

// renderFeed returns the page as a web feed of its posts. The feed of a post's page has the comments.
func (s *Server) renderFeed(q *request, v *riverPage) (rendering, error) {
	f, err := s.feedOf(q, v)
	if err != nil {
		return rendering{}, err
	}
	body, err := q.feed.Encode(f)
	return rendering{
		body: body, kind: q.feed.Type + "; charset=utf-8", language: q.words.Code(), etag: bodyTag(body), feed: true, noindex: q.owner != nil || v.unindexed(),
	}, err
}

// feedOf returns the content of a web feed.
func (s *Server) feedOf(q *request, v *riverPage) (f webfeed.Feed, err error) {
	f = webfeed.Feed{
		ID: webfeed.Tag(s.host, v.feedID(q)), Title: v.title(q.words) + " · " + s.siteName(), About: v.description(q.words, s.siteName()), Language: q.words.Code(),
		Home: s.public + v.address.Top(), Self: s.feedLink(q, v, v.part), First: s.feedLink(q, v, address.FirstPage),
		Icon: s.public + page.SitePicture(q.words).Path,
	}
	if card := v.view.Users[v.address.Owner.User]; v.address.Owner.User != 0 && card != nil {
		person := s.feedPerson(q, card)
		f.Icon = person.Avatar
		switch v.address.Key.What {
		case river.KindUser, river.KindPhotos, river.KindPrivate, river.KindDay:
			f.Author = person
		}
	}
	if card := v.view.Groups[v.address.Owner.Group]; v.address.Owner.Group != 0 && card != nil {
		f.Icon = s.public + page.AvatarPicture(q.words, card.AvatarURL, card.Name, card.DisplayName).Path
	}
	if v.address.Key.What == river.KindPost {
		f.Title = q.words.FeedComments(v.title(q.words)) + " · Amstel"
		f.Items, err = s.commentItems(q, v)
		return f, err
	}
	if v.view.Older != nil {
		_, exact := v.older()
		f.Older = s.feedLink(q, v, exact.ForPeople())
	}
	if newer, there := v.part.Newer(); there {
		f.Newer = s.feedLink(q, v, newer)
	}
	for i := range v.view.Entries {
		if e := &v.view.Entries[i]; !e.Hidden {
			item, err := s.postItem(q, v, e)
			if err != nil {
				return f, err
			}
			f.Items = append(f.Items, item)
		}
	}
	return f, nil
}

// feedID returns the identity of the feed on this site, made of ids that never change. The feed of a private
// address has an identity of its own, because its owner may see more than others.
func (v *riverPage) feedID(q *request) string {
	if q.owner != nil {
		return fmt.Sprintf("feed/%d", q.owner.Address.ID)
	}
	key := v.address.Key
	switch {
	case v.address.Tag() != "":
		return "hashtag/" + v.address.Tag()
	case key.Query != "":
		return fmt.Sprintf("%s/%d/%s", key.What, key.TheirID, url.QueryEscape(key.Query))
	}
	return fmt.Sprintf("%s/%d", key.What, key.TheirID)
}

// feedLink returns the address of a part of the feed.
func (s *Server) feedLink(q *request, v *riverPage, part address.Range) string {
	if q.owner != nil {
		return s.public + page.PrivateFeeds + q.owner.secret + q.feed.Ending + part.Query()
	}
	return s.public + v.address.LinkAs(q.feed.Ending, part)
}

// feedPerson returns the author of an item.
func (s *Server) feedPerson(q *request, card *timeline.UserCard) webfeed.Person {
	if card == nil {
		return webfeed.Person{Name: q.words.EntrySomeone()}
	}
	return webfeed.Person{
		Name: card.DisplayName, URL: s.public + page.NamePath(card.Name), Avatar: s.public + page.AvatarPicture(q.words, card.AvatarURL, card.Name, card.DisplayName).Path,
	}
}

// postItem returns a post as an item.
func (s *Server) postItem(q *request, v *riverPage, e *river.Entry) (webfeed.Item, error) {
	defer page.Blame(e)
	fold, c := e.Fold, s.cardsOf(v.view)
	path := mokum.PostPath(e, c)
	item := webfeed.Item{
		ID: webfeed.Tag(s.host, "post/"+mokum.IDText(fold.Post)), URL: s.public + path, Title: q.words.EntryNsfw(),
		Author: s.feedPerson(q, v.view.Users[fold.Author]), Published: fold.Text.PublishedAt, Updated: later(fold.Text.PublishedAt, fold.Text.UpdatedAt),
		Language: fold.Text.Lang, NSFW: fold.Text.NSFW, Tags: tagsOf(fold.Text.Text), Replies: &webfeed.Link{URL: s.public + path},
	}
	if !item.NSFW {
		item.Title = beginning(q.words, fold.Text.Text, firstFile(fold.Attachments), feedTitle)
		item.Files = s.filesOf(q, e, fold.Attachments)
		if fold.Text.Preview != nil {
			item.About = fold.Text.Preview.Address
		}
	}
	if e.Public {
		item.Replies.Feed = s.public + path + q.feed.Ending
	}
	var err error
	item.HTML, err = page.FeedContent{
		Words: q.words, Text: fold.Text.Text, Linebreaks: fold.Text.Linebreaks, NSFW: fold.Text.NSFW, Files: fold.Attachments, Preview: fold.Text.Preview,
		FileURL: s.fileURL(q, e),
	}.HTML(q.Context(), s.public, s.host)
	return item, err
}

// commentItems returns the newest comments of the page's post as items.
func (s *Server) commentItems(q *request, v *riverPage) (items []webfeed.Item, err error) {
	e, c := &v.view.Entries[0], s.cardsOf(v.view)
	defer page.Blame(e)
	path := mokum.PostPath(e, c)
	to := &webfeed.Link{ID: webfeed.Tag(s.host, "post/"+mokum.IDText(e.Fold.Post)), URL: s.public + path}
	all := e.Fold.Comments.Comments
	for i := range slices.Backward(all) {
		comment := &all[i]
		if rights.CommentHidden(v.view.Sets, comment) || len(items) == feedComments {
			continue
		}
		id := mokum.IDText(comment.ID)
		by := s.feedPerson(q, v.view.Users[comment.User])
		item := webfeed.Item{
			ID: webfeed.Tag(s.host, "comment/"+id), URL: to.URL + "#c" + id, Author: by, Published: comment.CreatedAt, Updated: comment.CreatedAt,
			Title:     q.words.KindTitlePost(by.Name, beginning(q.words, comment.Text, firstFile(comment.Attachments), feedTitle)),
			Tags:      tagsOf(comment.Text),
			Files:     s.filesOf(q, e, comment.Attachments),
			InReplyTo: to,
		}
		if comment.UpdatedAt != nil {
			item.Updated = later(item.Published, *comment.UpdatedAt)
		}
		item.HTML, err = page.FeedContent{Words: q.words, Text: comment.Text, Linebreaks: true, Files: comment.Attachments, FileURL: s.fileURL(q, e)}.
			HTML(q.Context(), s.public, s.host)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}

// later returns the later of two times.
func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// tagsOf returns the hashtags of a text, each once.
func tagsOf(said string) (tags []string) {
	for _, sign := range text.Signs(said) {
		if sign.Kind == text.SignTag && !slices.Contains(tags, sign.Name) {
			tags = append(tags, sign.Name)
		}
	}
	return tags
}

// fileURL returns a function from a file of a post or its comments to the file's address. In the feed of a
// private address, a file that visitors may not see has an address with a key, so that a feed reader can
// fetch the file without a session.
func (s *Server) fileURL(q *request, e *river.Entry) func(*timeline.Attachment, timeline.Rendition) string {
	return func(a *timeline.Attachment, r timeline.Rendition) string {
		if !e.Public && q.owner != nil {
			return s.public + page.FeedFilePath(q.owner.Address.ID, q.owner.FileKey(a.ID), a.ID, r)
		}
		return s.public + page.FilePath(e.Public, a.ID, r)
	}
}

// filesOf returns the files of a post or a comment for an item.
func (s *Server) filesOf(q *request, e *river.Entry, all []timeline.Attachment) (files []webfeed.File) {
	address := s.fileURL(q, e)
	for i := range all {
		a := &all[i]
		r, ok := a.Rendition("original")
		if !ok {
			continue // a file that was imported by its name alone
		}
		files = append(files, webfeed.File{
			URL: address(a, r), Type: r.MediaType, Title: cmp.Or(a.Alt, a.FileName), Size: r.Size, Width: r.Width, Height: r.Height,
		})
	}
	return files
}
