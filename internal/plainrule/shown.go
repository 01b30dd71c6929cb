package plainrule

import (
	"slices"
	"time"
)

// Shown is an entry as a viewer is shown it, in the shape of Mokum's API
// (docs/wire.md#shapes). Tests decode an entry of a page's JSON into one and compare it with
// the result of [Site.Show].
type Shown struct {
	ID               int64              `json:"id"`
	UserID           int64              `json:"user_id"`
	Text             string             `json:"text"`
	FreshAt          string             `json:"fresh_at"`
	IsPublic         bool               `json:"is_public"`
	IsDirect         bool               `json:"is_direct"`
	CommentsDisabled bool               `json:"comments_disabled"`
	Reason           map[string][]int64 `json:"reason"`
	Timelines        []string           `json:"timelines"`
	Likes            []int64            `json:"likes"`
	MoreLikes        int                `json:"more_likes"`
	FavCount         int                `json:"fav_count"`
	UserLiked        bool               `json:"user_liked"`
	UserFaved        bool               `json:"user_faved"`
	Comments         []ShownComment     `json:"comments"`
	CommentsCount    int                `json:"comments_count"`
	GapPosition      int                `json:"gap_position"`
	GapClikesCount   int                `json:"gap_clikes_count"`
	CanLike          bool               `json:"can_like"`
	CanFav           bool               `json:"can_fav"`
	CanComment       bool               `json:"can_comment"`
	CanEdit          bool               `json:"can_edit"`
	CanDelete        bool               `json:"can_delete"`
	CommentersAcross int                `json:"commenters_across_bans"`
	IsHeld           bool               `json:"is_held"`
	CanModerate      bool               `json:"can_moderate"`
	CanUnhide        bool               `json:"can_unhide"`
	CanRemoveFrom    []string           `json:"can_removefrom"`
	CanLeave         bool               `json:"can_leave"`
	CanAddRecipients bool               `json:"can_add_recipients"`
	Attachments      []File             `json:"attachments"`
	Queued           []File             `json:"attachments_queued"`
	Embeds           []Preview          `json:"embeds"`
}

// ShownComment is a comment (docs/wire.md#shapes).
type ShownComment struct {
	ID          int64  `json:"id"`
	UserID      int64  `json:"user_id"`
	Text        string `json:"text"`
	ClikesCount int    `json:"clikes_count"`
	UserLiked   bool   `json:"user_liked"`
	CanLike     bool   `json:"can_like"`
	CanEdit     bool   `json:"can_edit"`
	CanDelete   bool   `json:"can_delete"`
	CanModerate bool   `json:"can_moderate"`
	IsHidden    bool   `json:"is_hidden"`
	Attachments []File `json:"attachments"`
	Queued      []File `json:"attachments_queued"`
}

// Show returns the parts of an entry that are shown to a viewer, if the viewer may read it.
// With whole it has all comments, as on the post's own page.
func (s *Site) Show(v int64, e Entry, whole bool) Shown {
	p := e.Post
	shown := Shown{
		ID: p.ID, UserID: p.Author, Text: p.Text, CommentsDisabled: p.CommentsDisabled,
		FreshAt:          time.UnixMilli(p.Fresh()).UTC().Format("2006-01-02T15:04:05.000Z"),
		IsPublic:         s.MayRead(0, p),
		IsDirect:         s.IsDirect(p),
		Reason:           s.reason(v, e),
		Timelines:        s.named(v, p),
		FavCount:         s.Favs(v, p),
		UserFaved:        p.Favs[v],
		CanLike:          s.MayLike(v, p),
		CanFav:           s.MayFav(v, p),
		CanComment:       s.MayComment(v, p),
		CanEdit:          s.MayEdit(v, p.Author),
		CanDelete:        s.MayDelete(v, p),
		CanModerate:      s.MayModerate(v, p),
		CommentersAcross: s.CommentersAcross(v, p),
		IsHeld:           p.Held,
		CanUnhide:        s.Hides(v, p),
		CanRemoveFrom:    s.RemoveFrom(v, p),
		CanLeave:         s.MayLeave(v, p),
		CanAddRecipients: s.MayAddRecipients(v, p),
		Attachments:      p.Files,
		Queued:           unready(v, p.Author, p.Unready),
		Embeds:           p.Previews,
	}
	// Up to five likes are all shown. Of six or more the newest three are shown, and the rest
	// are counted.
	likes := s.Likes(v, p)
	shown.UserLiked = slices.Contains(likes, v)
	if n := len(likes); n >= 6 {
		shown.MoreLikes, likes = n-3, likes[n-3:]
	}
	shown.Likes = likes
	// "comments: up to 4 all shown … folded to first+last".
	comments := s.Comments(v, p)
	shown.CommentsCount = len(comments)
	if n := len(comments); n >= 5 && !whole {
		for _, c := range comments[1 : n-1] {
			shown.GapClikesCount += s.CommentLikes(v, c)
		}
		shown.GapPosition, comments = 1, []*Comment{comments[0], comments[n-1]}
	}
	for _, c := range comments {
		shown.Comments = append(shown.Comments, ShownComment{
			ID: c.ID, UserID: c.Author, Text: c.Text, ClikesCount: s.CommentLikes(v, c), UserLiked: c.Likes[v] && v != 0,
			CanLike: s.MayLikeComment(v, p, c), CanEdit: s.MayEdit(v, c.Author), CanDelete: v != 0 && v == c.Author,
			CanModerate: v != c.Author && s.MayModerate(v, p), IsHidden: s.HidesComment(v, c),
			Attachments: c.Files, Queued: unready(v, c.Author, c.Unready),
		})
	}
	return shown
}

// unready returns the names of the files that are not ready of a post or comment, for a viewer.
// Only their owner is told of them.
func unready(v, owner int64, files []File) (named []File) {
	if v != owner {
		return nil
	}
	for _, f := range files {
		named = append(named, File{ID: f.ID, Name: f.Name})
	}
	return named
}

// reason returns why an entry is on the page and where it was posted, as far as the viewer
// may know, in the words of the API.
func (s *Site) reason(v int64, e Entry) map[string][]int64 {
	reason := make(map[string][]int64)
	add := func(what string, whose int64) {
		switch {
		case what == "everything", what == "hashtag", what == "best_of", what == "most_faved":
			return // timelines of the whole site
		case what == "user_favs", what == "user_discussions", what == "mentions":
			return // timelines of the viewer's own pages
		case what == "user_directs" && v == e.Post.Author:
			if what = "user_directs_sent"; whose == v {
				return
			}
		case what == "user_directs":
			what = "user_directs_received"
		}
		if !slices.Contains(reason[what], whose) {
			reason[what] = append(reason[what], whose)
		}
	}
	for what, ids := range e.Reasons {
		for _, id := range ids {
			add(what, id)
		}
	}
	places := s.VisiblePlaces(v, e.Post)
	for _, f := range places {
		add(f.What, f.Their)
	}
	if len(places) == 1 && places[0].What == "user" {
		delete(reason, "user") // "{} = just the author's feed"
	}
	for _, ids := range reason {
		slices.Sort(ids)
	}
	return reason
}

// named returns the places of a post that the viewer may know of, as the API names them
// when a post is written, sorted.
func (s *Site) named(v int64, p *Post) (names []string) {
	for _, f := range s.VisiblePlaces(v, p) {
		switch f.What {
		case "group":
			names = append(names, "group:"+s.Groups[f.Their].Name)
		case "user_directs":
			if f.Their != p.Author {
				names = append(names, "direct:"+s.People[f.Their].Name)
			}
		default:
			names = append(names, f.What)
		}
	}
	slices.Sort(names)
	return names
}
