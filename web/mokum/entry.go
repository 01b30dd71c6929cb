package mokum

import (
	"slices"
	"strconv"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
	"amstel.dev/amstel/web/rights"
)

// Cards holds the cards of the people and groups in entries, and the site's own host: links to
// this host do not lead to another site.
type Cards struct {
	Users  map[timeline.UserID]*timeline.UserCard
	Groups map[timeline.GroupID]*timeline.GroupCard
	Host   string
}

// An Entry is an entry in Mokum's shape. A field that Mokum never sends as null, or never
// leaves out, is never null or left out here. A false boolean is left out, except two.
type Entry struct {
	ID               timeline.PostID    `json:"id"`
	URL              string             `json:"url"`
	APIURL           string             `json:"api_url"`
	UserID           timeline.UserID    `json:"user_id"`
	Version          int                `json:"version"`
	CommentsVersion  int                `json:"_comments_version"`
	Text             string             `json:"text"`
	TextAsHTML       string             `json:"text_as_html,omitempty"`
	ParsedText       []textPart         `json:"parsed_text,omitempty"`
	Lang             string             `json:"lang,omitempty"`
	Linebreaks       bool               `json:"linebreaks,omitempty"`
	PublishedAt      string             `json:"published_at"`
	FreshAt          string             `json:"fresh_at"`
	IsPublic         bool               `json:"is_public"`
	Status           string             `json:"status"`
	IsDirect         bool               `json:"is_direct,omitempty"`
	IsHeld           bool               `json:"is_held,omitempty"`
	NSFW             bool               `json:"nsfw,omitempty"`
	CommentsDisabled bool               `json:"comments_disabled,omitempty"`
	Platform         string             `json:"platform,omitempty"`
	Reason           map[string][]int64 `json:"reason"`
	Why              []whyJSON          `json:"why,omitempty"`
	Timelines        []string           `json:"timelines,omitempty"`
	Likes            []timeline.UserID  `json:"likes"`
	MoreLikes        int                `json:"more_likes"`
	FavCount         int                `json:"fav_count"`
	UserLiked        bool               `json:"user_liked,omitempty"`
	UserFaved        bool               `json:"user_faved,omitempty"`
	CanLike          bool               `json:"can_like,omitempty"`
	CanFav           bool               `json:"can_fav,omitempty"`
	Comments         []Comment          `json:"comments"`
	CommentsCount    int                `json:"comments_count"`
	GapPosition      int                `json:"gap_position"`
	GapClikesCount   int                `json:"gap_clikes_count,omitempty"`
	CanComment       bool               `json:"can_comment"`
	CanEdit          bool               `json:"can_edit,omitempty"`
	CanDelete        bool               `json:"can_delete,omitempty"`
	CanModerate      bool               `json:"can_moderate,omitempty"`
	CommentersAcross int                `json:"commenters_across_bans,omitempty"`
	CanRemoveFrom    []string           `json:"can_removefrom,omitempty"`
	CanLeave         bool               `json:"can_leave,omitempty"`
	CanAddRecipients bool               `json:"can_add_recipients,omitempty"`
	CanHide          bool               `json:"can_hide,omitempty"`
	CanUnhide        bool               `json:"can_unhide,omitempty"`
	Attachments      []Attachment       `json:"attachments"`
	Embeds           []Embed            `json:"embeds"`
	Hits             []string           `json:"hits,omitempty"` // the words that a search found, in lower case, as the post has them
	Tag              string             `json:"tag"`
	Unready
}

// Comment is a comment in Mokum's shape.
type Comment struct {
	ID          timeline.CommentID `json:"id"`
	PostID      timeline.PostID    `json:"post_id"`
	UserID      timeline.UserID    `json:"user_id"`
	Text        string             `json:"text"`
	TextAsHTML  string             `json:"text_as_html,omitempty"`
	ParsedText  []textPart         `json:"parsed_text,omitempty"`
	Platform    string             `json:"platform,omitempty"`
	CreatedAt   string             `json:"created_at"`
	UpdatedAt   string             `json:"updated_at,omitempty"`
	URL         string             `json:"url"`
	APIURL      string             `json:"api_url"`
	ClikesCount int                `json:"clikes_count,omitempty"`
	UserLiked   bool               `json:"user_liked,omitempty"`
	CanLike     bool               `json:"can_like,omitempty"`
	IsHidden    bool               `json:"is_hidden,omitempty"`
	CanEdit     bool               `json:"can_edit,omitempty"`
	CanDelete   bool               `json:"can_delete,omitempty"`
	CanModerate bool               `json:"can_moderate,omitempty"`
	Attachments []Attachment       `json:"attachments,omitempty"`
	Unready
}

// A textPart is a piece of a text, with a link or without.
type textPart struct {
	Text     string `json:"text"`
	Href     string `json:"href,omitempty"`
	External bool   `json:"external,omitempty"`
}

// EntryOf returns an entry in Mokum's shape, as the viewer sees it.
func EntryOf(viewer *timeline.Sets, e *river.Entry, c Cards) Entry {
	defer page.Blame(e)
	if viewer == nil {
		viewer = &timeline.Sets{}
	}
	fold := e.Fold
	shown := Entry{
		ID:               fold.Post,
		URL:              PostPath(e, c),
		APIURL:           apiPath(e, c),
		UserID:           fold.Author,
		Version:          fold.Version,
		CommentsVersion:  fold.Text.CommentsVersion,
		Text:             fold.Text.Text,
		Lang:             fold.Text.Lang,
		Linebreaks:       fold.Text.Linebreaks,
		PublishedAt:      Stamp(fold.Text.PublishedAt),
		FreshAt:          Stamp(time.UnixMilli(fold.Text.FreshAt)),
		IsPublic:         e.Public,
		Status:           statusOf(e),
		IsDirect:         rights.Direct(e),
		IsHeld:           fold.Text.Held,
		NSFW:             fold.Text.NSFW,
		CommentsDisabled: fold.Text.CommentsDisabled,
		Platform:         fold.Text.Platform,
		Reason:           reasonsOf(viewer, e),
		Timelines:        timelinesOf(e, c),
		Likes:            NotNil(fold.Likes.Users),
		MoreLikes:        fold.Likes.More,
		FavCount:         fold.Likes.Favs,
		UserLiked:        e.Liked,
		UserFaved:        e.Faved,
		CanLike:          rights.CanLike(viewer, e),
		CanFav:           rights.CanFav(viewer, e),
		Comments:         make([]Comment, 0, len(fold.Comments.Comments)),
		CommentsCount:    fold.Comments.Count,
		GapPosition:      fold.Comments.Gap,
		GapClikesCount:   fold.Comments.GapLikes,
		CanComment:       rights.CanComment(viewer, e),
		CanEdit:          rights.CanEdit(viewer, e),
		CanDelete:        rights.CanDelete(viewer, e),
		CanModerate:      rights.CanModerate(viewer, e),
		CommentersAcross: rights.CommentersAcross(viewer, e),
		CanRemoveFrom:    groupNames(rights.CanRemoveFrom(viewer, e), c),
		CanLeave:         rights.CanLeave(viewer, e),
		CanAddRecipients: rights.CanAddRecipients(viewer, e),
		CanHide:          rights.CanHide(viewer, e) && !e.Hidden,
		CanUnhide:        e.Hidden, // also if the viewer hides all posts of the author: clients recognise hidden entries by this field alone
		Attachments:      AttachmentsOf(fold.Attachments, fold.Author, fold.Post, e.Public),
		Embeds:           embedsOf(e),
		Hits:             e.Hits,
		Tag:              e.Tag,
		Unready:          unreadyOf(viewer, fold.Text.Unready, fold.Author, fold.Post),
	}
	shown.TextAsHTML, shown.ParsedText = linked(fold.Text.Text, c.Host)
	for i := range fold.Comments.Comments {
		shown.Comments = append(shown.Comments, CommentOf(viewer, e, &fold.Comments.Comments[i], c))
	}
	return shown
}

// CommentOf returns a comment of an entry in Mokum's shape. The viewer must not be nil.
func CommentOf(viewer *timeline.Sets, e *river.Entry, comment *timeline.Comment, c Cards) Comment {
	id := IDText(comment.ID)
	may := rights.CanDeleteComment(viewer, e, comment)
	shown := CommentText(comment, e.Public, c.Host)
	shown.URL = PostPath(e, c) + "#c" + id
	shown.APIURL = apiPath(e, c) + "/comments/" + id
	shown.ClikesCount = comment.Likes
	shown.UserLiked = rights.CommentLiked(viewer, comment)
	shown.CanLike = rights.CanLikeComment(viewer, e, comment)
	shown.IsHidden = rights.CommentHidden(viewer, comment)
	shown.CanEdit = rights.CanEditComment(viewer, comment)
	shown.CanDelete = may && viewer.User == comment.User
	shown.CanModerate = may && viewer.User != comment.User
	shown.Unready = unreadyOf(viewer, comment.Unready, comment.User, comment.Post)
	return shown
}

// CommentText returns the fields of a comment that are the same for every viewer. The addresses
// of its files depend on whether its post is public. host is the site's own.
func CommentText(comment *timeline.Comment, public bool, host string) Comment {
	shown := Comment{
		ID: comment.ID, PostID: comment.Post, UserID: comment.User, Text: comment.Text, Platform: comment.Platform,
		CreatedAt: Stamp(comment.CreatedAt),
	}
	shown.TextAsHTML, shown.ParsedText = linked(comment.Text, host)
	if len(comment.Attachments) > 0 {
		shown.Attachments = AttachmentsOf(comment.Attachments, comment.User, comment.Post, public)
	}
	if comment.UpdatedAt != nil {
		shown.UpdatedAt = Stamp(*comment.UpdatedAt)
	}
	return shown
}

// linked returns a text as HTML and in parts; empty if the text has no links.
func linked(text, host string) (html string, parts []textPart) {
	html, changed := page.Linkify(text, host)
	if !changed {
		return "", nil
	}
	segments := page.Segments(text, host)
	if !slices.ContainsFunc(segments, func(s page.Segment) bool { return s.Href != "" }) {
		return html, nil
	}
	for _, s := range segments {
		parts = append(parts, textPart{s.Text, s.Href, s.External})
	}
	return html, parts
}

// statusOf returns the status of the post's audience, as far as the viewer knows it.
func statusOf(e *river.Entry) string {
	has := func(is func(timeline.Timeline) bool) bool { return slices.ContainsFunc(e.Places, is) }
	switch {
	case e.Public:
		return "public"
	case has(func(t timeline.Timeline) bool { return t.Access == timeline.AccessProtected }):
		return "protected"
	case len(e.Places) > 0 && !has(func(t timeline.Timeline) bool { return t.What != timeline.WhatUserFYEO }):
		return "fyeo"
	}
	return "private"
}

// reasonsOf returns why an entry is here, and where it was posted, in the words of the API. The
// API tells sent directs from received ones, and has no timelines of the whole site, and no
// timelines that are the viewer's alone. A post in its author's feed alone has no place to name.
func reasonsOf(viewer *timeline.Sets, e *river.Entry) map[string][]int64 {
	reasons := make(map[string][]int64)
	add := func(what timeline.What, id int64) {
		key := string(what)
		switch {
		case what == timeline.WhatUserDirects && viewer.User == e.Fold.Author:
			key = "user_directs_sent"
			if id == int64(viewer.User) {
				return
			}
		case what == timeline.WhatUserDirects:
			key = "user_directs_received"
		case what == timeline.WhatUserFavs, what == timeline.WhatDiscussions, what == timeline.WhatMentions,
			what != timeline.WhatGroup && !what.OfUser():
			return // the page that shows the entry is the reason
		}
		if at, there := slices.BinarySearch(reasons[key], id); !there && len(reasons[key]) < mostReasons {
			reasons[key] = slices.Insert(reasons[key], at, id)
		}
	}
	for what, id := range e.Reasons.All() {
		add(what, id)
	}
	for _, t := range e.Places {
		add(t.What, t.TheirID)
	}
	if len(e.Places) == 1 && e.Places[0].What == timeline.WhatUser {
		delete(reasons, string(timeline.WhatUser)) // Mokum does not name the author's feed if it is the only place
	}
	return reasons
}

// mostReasons is the greatest number of ids of one reason.
const mostReasons = 20

// timelinesOf returns the places of the post that the viewer knows, in the form of destinations.
func timelinesOf(e *river.Entry, c Cards) []string {
	var places []string
	for _, t := range e.Places {
		switch t.What {
		case timeline.WhatGroup:
			if card := c.Groups[timeline.GroupID(t.TheirID)]; card != nil {
				places = append(places, "group:"+card.Name)
			}
		case timeline.WhatUserDirects:
			if card := c.Users[timeline.UserID(t.TheirID)]; card != nil && card.ID != e.Fold.Author {
				places = append(places, "direct:"+card.Name)
			}
		default:
			places = append(places, string(t.What))
		}
	}
	return places
}

// groupNames returns the names of groups.
func groupNames(ids []timeline.GroupID, c Cards) []string {
	var names []string
	for _, id := range ids {
		if card := c.Groups[id]; card != nil {
			names = append(names, card.Name)
		}
	}
	return names
}

// PostPath returns the path of a post's page, under a group if the post is in one.
func PostPath(e *river.Entry, c Cards) string {
	id := strconv.FormatInt(int64(e.Fold.Post), 10)
	for _, t := range e.Places {
		if t.What != timeline.WhatGroup {
			continue
		}
		if card := c.Groups[timeline.GroupID(t.TheirID)]; card != nil {
			return "/" + card.Name + "/" + id
		}
	}
	return "/" + AuthorName(e, c) + "/" + id
}

// apiPath returns a post's path in the API, which is always under its author.
func apiPath(e *river.Entry, c Cards) string {
	return "/api/v1/posts/" + AuthorName(e, c) + "/" + strconv.FormatInt(int64(e.Fold.Post), 10)
}

// AuthorName returns the author's name, or "-", which no account can have, if the card is
// missing.
func AuthorName(e *river.Entry, c Cards) string {
	if card := c.Users[e.Fold.Author]; card != nil {
		return card.Name
	}
	return "-"
}

// Stamp returns a time in the form that Mokum uses.
func Stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// NotNil returns the list, or an empty list for nil, which JSON would write as null.
func NotNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
