package web

import (
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/page"
)

// describedBy is how many characters of a text describe a page.
const describedBy = 200

// share returns the description of the page, and the data for search engines and previews of
// links, all from the text of the page. A page for a viewer with an account has no such data,
// because the viewer may read more than a visitor; nor has the page of a search.
func (s *Server) share(q *request, v *riverPage) (share *page.Share, description string) {
	if q.who.signedIn() || v.address.ShownKind() == river.KindSearch {
		return nil, ""
	}
	share = &page.Share{URL: s.public + v.canonical(), Title: v.title(q.words), Kind: "website", Picture: page.SitePicture(q.words)}
	description = v.description(q.words, s.siteName())
	if card := v.view.Users[v.address.Owner.User]; v.address.Owner.User != 0 && card != nil {
		share.Kind, share.Picture = "profile", page.AvatarPicture(q.words, card.AvatarURL, card.Name, card.DisplayName)
	}
	if card := v.view.Groups[v.address.Owner.Group]; v.address.Owner.Group != 0 && card != nil {
		share.Picture = page.AvatarPicture(q.words, card.AvatarURL, card.Name, card.DisplayName)
	}
	if v.address.Key.What == river.KindPost {
		s.sharePost(q.words, share, v)
	}
	share.Picture.Path = s.public + share.Picture.Path
	return share, description
}

// sharePost completes the data of a post's page: the time of publication, and the picture of the
// post or of its author.
func (s *Server) sharePost(words catalogue.Language, share *page.Share, v *riverPage) {
	e := &v.view.Entries[0]
	share.Kind, share.Published = "article", e.Fold.Text.PublishedAt
	if picture, ok := page.PostPicture(words, e); ok {
		share.Picture = picture
	} else if card := v.view.Users[e.Fold.Author]; card != nil {
		share.Picture = page.AvatarPicture(words, card.AvatarURL, card.Name, card.DisplayName)
	}
}

// canonical returns the one path and query of the page. A post in a group has two
// addresses, and what visitors without an account see at / is everything.
func (v *riverPage) canonical() string {
	switch v.address.Key.What {
	case river.KindPost:
		e := &v.view.Entries[0]
		if card := v.view.Users[e.Fold.Author]; card != nil {
			return page.PostPath(card.Name, e.Fold.Post)
		}
	case river.KindEverything:
		if front := v.address; v.address.Lang == "" {
			front.Path = "/"
			return front.Link(v.part.ForPeople())
		}
	}
	return v.address.Link(v.part.ForPeople())
}

// description returns the text about the page for search engines and previews, or an empty
// string if the title says everything. The site is its name.
func (v *riverPage) description(words catalogue.Language, site string) string {
	switch v.address.Key.What {
	case river.KindEverything:
		if v.address.Lang == "" {
			return words.WelcomeTitle() + " " + words.WelcomeText()
		}
	case river.KindPost:
		if fold := v.view.Entries[0].Fold; !fold.Text.NSFW {
			return beginning(words, fold.Text.Text, firstFile(fold.Attachments), describedBy)
		}
		return words.EntryNsfw()
	}
	if v.address.Tag() != "" {
		return words.KindDescribeTag(v.address.Name)
	}
	if about := v.about(words); about != "" {
		return about
	}
	if card := v.view.Users[v.address.Owner.User]; v.address.Owner.User != 0 && card != nil {
		if card.Description != "" {
			return firstWords(card.Description, describedBy)
		}
		return words.SharePerson(card.DisplayName, site)
	}
	if card := v.view.Groups[v.address.Owner.Group]; v.address.Owner.Group != 0 && card != nil {
		if card.Description != "" {
			return firstWords(card.Description, describedBy)
		}
		return words.ShareGroup(card.DisplayName, site)
	}
	return ""
}
