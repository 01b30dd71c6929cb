package page

import (
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/web/catalogue"
)

// An emptiness is the message of a page without posts: a title, and a sentence about the posts
// that the page is for, or about what the reader can do, perhaps with a link.
type emptiness struct {
	Title, Text string
	Linked      catalogue.Linked
	Path        string // of the link
}

// emptiness returns the message of the page for when it has no posts.
func (m RiverModel) emptiness() emptiness {
	w := m.Words
	own := m.User != nil && m.User.Relation.Self
	// of returns the sentences for the owner of the page, or for other viewers.
	of := func(title, own1 string, others func(who string) string) emptiness {
		if own {
			return emptiness{Title: title, Text: own1}
		}
		return emptiness{Title: title, Text: others(m.subject())}
	}
	switch m.kind() {
	case river.KindHome:
		return emptiness{Title: w.EmptyHome(), Linked: w.EmptyHomeText(), Path: EverythingPath}
	case river.KindDirects:
		return emptiness{Title: w.EmptyDirects(), Text: w.EmptyDirectsText()}
	case river.KindFavs:
		return emptiness{Title: w.EmptyFavs(), Text: w.EmptyFavsText()}
	case river.KindDiscussions:
		return emptiness{Title: w.EmptyDiscussions(), Text: w.EmptyDiscussionsText()}
	case river.KindMentions:
		return emptiness{Title: w.EmptyMentions(), Text: w.EmptyMentionsText(m.name())}
	case river.KindFYEO:
		return emptiness{Title: w.EmptyFyeo(), Text: w.EmptyFyeoText()}
	case river.KindList:
		return emptiness{Title: w.EmptyList(), Text: w.EmptyListText()}
	case river.KindEverything:
		if m.Head.Language.Code != "" {
			return emptiness{Title: w.EmptyLanguage(m.languageCalled()), Text: w.EmptyLanguageText()}
		}
		return emptiness{Title: w.EmptyEverything(), Text: w.EmptyEverythingText()}
	case river.KindBestOf:
		return emptiness{Title: w.EmptyBest(), Text: w.EmptyBestText()}
	case river.KindMostFaved:
		return emptiness{Title: w.EmptyBest(), Text: w.EmptyFavedText()}
	case river.KindHashtag, river.KindSearch:
		if m.kind() == river.KindHashtag || m.Head.Tag != "" {
			return emptiness{Title: w.EmptyTag(), Text: w.EmptyTagText(m.Head.Tag)}
		}
		return emptiness{Title: w.EmptySearch(), Text: w.EmptySearchText()}
	case river.KindGroup:
		if m.Form != nil { // above the empty page, for a viewer who may post
			return emptiness{Title: w.EmptyGroup(), Text: w.EmptyGroupYou()}
		}
		return emptiness{Title: w.EmptyGroup(), Text: w.EmptyGroupText()}
	case river.KindPhotos:
		return of(w.EmptyPhotos(), w.EmptyPhotosYou(), w.EmptyPhotosText)
	case river.KindGroupPhotos:
		return emptiness{Title: w.EmptyPhotos(), Text: w.EmptyPhotosGroup()}
	case river.KindComments:
		return of(w.EmptyComments(), w.EmptyCommentsYou(), w.EmptyCommentsText)
	case river.KindLikes:
		return of(w.EmptyLikes(), w.EmptyLikesYou(), w.EmptyLikesText)
	case river.KindPrivate:
		return of(w.EmptyPrivate(), w.EmptyPrivateYou(), w.EmptyPrivateText)
	case river.KindDay:
		return emptiness{Title: w.EmptyDay(), Text: w.EmptyDayText()}
	case river.KindPost:
		return emptiness{Title: w.EmptyPost(), Linked: w.EmptyPostText(), Path: "/"}
	}
	return of(w.EmptyPosts(), w.EmptyPostsYou(), w.EmptyPostsText)
}
