package plainrule

import (
	"slices"
	"testing"
)

// The ids of the people of a test.
const (
	visitor = iota
	anna
	boris
	vera
	gleb
)

// small returns a site of those four people, all public, and a public group that Anna
// administers. The id of a feed is ten times its owner's id, plus a number for its kind.
func small() *Site {
	s := New()
	kinds := []string{"user", "user_private", "user_fyeo", "user_directs", "user_likes", "user_comments", "user_favs", "user_discussions", "mentions"}
	for id := int64(anna); id <= gleb; id++ {
		s.People[id] = &Person{ID: id, Name: []string{"", "anna", "boris", "vera", "gleb"}[id], Status: "public", OwnPosts: true}
		s.Names[s.People[id].Name] = id
		for i, what := range kinds {
			s.feed(id*10+int64(i), what, id)
		}
	}
	s.Groups[1] = &Group{ID: 1, Name: "amici", Status: "public", Admins: map[int64]bool{anna: true}}
	s.feed(1000, "group", 1).Subscribers[anna] = Subscription{}
	return s
}

// feed adds a timeline to the site.
func (s *Site) feed(id int64, what string, whose int64) *Feed {
	f := &Feed{ID: id, What: what, Their: whose, Subscribers: make(map[int64]Subscription), Excluded: make(map[int64]bool)}
	s.Feeds[id] = f
	return f
}

// post adds a post, newer than all others.
func (s *Site) post(author int64, to ...*Feed) *Post {
	id := int64(len(s.Posts) + 1)
	p := &Post{ID: id, Author: author, Text: "text", Published: id, Entered: make(map[int64]int64), Favs: make(map[int64]bool)}
	for _, f := range to {
		p.Places = append(p.Places, f.ID)
		p.Entered[f.ID] = id
	}
	s.Posts[id] = p
	return p
}

// like adds a like to a post.
func (s *Site) like(p *Post, who int64) {
	p.Likes = append(p.Likes, Like{who, int64(len(p.Likes))})
	p.Entered[s.Feed("user_likes", who).ID] = p.Published
}

// comment adds a comment to a post.
func (s *Site) comment(p *Post, who int64) *Comment {
	c := &Comment{ID: 100 + int64(len(p.Comments)), Author: who, Text: "said", Created: p.Published*1000 + int64(len(p.Comments)), Bumps: true, Likes: make(map[int64]bool)}
	p.Comments = append(p.Comments, c)
	p.Entered[s.Feed("user_comments", who).ID] = p.Published
	return c
}

// follow adds a subscription to a feed.
func (s *Site) follow(who int64, f *Feed) { f.Subscribers[who] = Subscription{} }

// readers returns those of the visitor and the four people who may read a post.
func (s *Site) readers(p *Post) (all []int64) {
	for v := int64(visitor); v <= gleb; v++ {
		if s.MayRead(v, p) {
			all = append(all, v)
		}
	}
	return all
}

// ids returns the ids of the posts of entries, in their order.
func ids(entries []Entry) (all []int64) {
	for _, e := range entries {
		all = append(all, e.Post.ID)
	}
	return all
}

// want fails the test unless got has the wanted ids, in the same order.
func want(t *testing.T, what string, got []int64, want ...int64) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestAccessOfFeeds(t *testing.T) { // checklist FF3
	t.Parallel()
	for status, readers := range map[string][]int64{
		"public": {visitor, anna, boris, vera, gleb}, "disallow-robots": {visitor, anna, boris, vera, gleb},
		"protected": {anna, boris, vera}, "private": {anna, boris}, "fyeo": {anna}, "deleted": nil,
	} {
		s := small()
		s.People[anna].Status = status
		feed := s.Feed("user", anna)
		s.follow(boris, feed)
		feed.Excluded[gleb] = true
		want(t, "a post of a person whose status is "+status, s.readers(s.post(anna, feed)), readers...)
	}
	s := small()
	s.follow(vera, s.Feed("user_private", anna))
	want(t, "the private sub-feed", s.readers(s.post(anna, s.Feed("user_private", anna))), anna, vera)
	want(t, "for the owner's eyes only", s.readers(s.post(anna, s.Feed("user_fyeo", anna))), anna)
	s.Groups[1].Status = "private"
	want(t, "a private group", s.readers(s.post(boris, s.Feed("group", 1))), anna, boris)
}

// TestPrivateAndProtected: checklist FF4. A post is in a private feed that U may read, and in a
// protected one that excludes U: U reads the post.
func TestPrivateAndProtected(t *testing.T) {
	t.Parallel()
	s := small()
	s.People[anna].Status, s.Groups[1].Status = "private", "protected"
	f1, f2 := s.Feed("user", anna), s.Feed("group", 1)
	s.follow(boris, f1)
	f2.Excluded[boris] = true
	f2.Excluded[gleb] = true
	p := s.post(anna, f1, f2)
	want(t, "F1 and F2", s.readers(p), anna, boris, vera)
	if !s.TakesPart(boris, p) || s.TakesPart(gleb, p) {
		t.Error("Boris reads the post through F1 and must take part, Gleb must not")
	}
	known := s.VisiblePlaces(boris, p)
	if len(known) != 1 || known[0] != f1 {
		t.Errorf("Boris is shown the places %v, want only F1", known)
	}
}

func TestExcludedFromPublicTakesNoPart(t *testing.T) {
	t.Parallel()
	s := small()
	s.Feed("group", 1).Excluded[vera] = true
	p := s.post(boris, s.Feed("group", 1))
	if !s.MayRead(vera, p) || s.TakesPart(vera, p) || !s.TakesPart(gleb, p) {
		t.Error("a person whom a public group excludes must read its post and add nothing")
	}
}

// TestFilterFeeds: checklist FF5 and FF13. A filter feed shows a viewer posts that are public, protected and not kept from the
// viewer, or private and for the viewer.
func TestFilterFeeds(t *testing.T) {
	t.Parallel()
	s := small()
	s.People[boris].Status, s.People[vera].Status = "private", "protected"
	private, protected := s.Feed("user", boris), s.Feed("user", vera)
	open := s.post(gleb, s.Feed("user", gleb))
	guarded := s.post(vera, protected)
	closed := s.post(boris, private)
	for _, p := range []*Post{open, guarded, closed} {
		s.like(p, anna)
		s.comment(p, anna)
	}
	page := func(v int64) []int64 {
		likes, _ := s.LikesPage(v, anna)
		comments, _ := s.CommentsPage(v, anna)
		if !slices.Equal(ids(likes), ids(comments)) {
			t.Errorf("likes %v, comments %v", ids(likes), ids(comments))
		}
		return ids(likes)
	}
	want(t, "a visitor", page(visitor), open.ID)
	want(t, "signed in", page(gleb), guarded.ID, open.ID)
	s.follow(gleb, private)
	want(t, "a subscriber of the private feed", page(gleb), closed.ID, guarded.ID, open.ID) // checklist MO14
	protected.Excluded[gleb] = true
	want(t, "a viewer whom the protected feed excludes", page(gleb), closed.ID, open.ID)
	s.People[anna].Status = "private"
	if _, may := s.CommentsPage(gleb, anna); may {
		t.Error("the page of comments of a private person opens for a viewer who can't read their feed")
	}
}

func TestHome(t *testing.T) { // checklist FF9, KA6, MO6
	t.Parallel()
	s := small()
	mine := s.post(anna, s.Feed("user_fyeo", anna))
	theirs := s.post(boris, s.Feed("user", boris))
	liked := s.post(gleb, s.Feed("user", gleb))
	s.like(liked, boris)
	said := s.post(gleb, s.Feed("user_private", gleb))
	s.comment(said, boris)
	direct := s.post(vera, s.Feed("user_directs", vera), s.Feed("user_directs", anna))
	s.post(vera, s.Feed("user", vera))
	want(t, "home without subscriptions", ids(s.Home(anna)), direct.ID, mine.ID)
	s.follow(anna, s.Feed("user", boris))
	want(t, "home of a friend", ids(s.Home(anna)), direct.ID, liked.ID, theirs.ID, mine.ID)
	s.follow(anna, s.Feed("user_private", gleb))
	want(t, "with a post that a friend commented on and the viewer may read", ids(s.Home(anna)), direct.ID, said.ID, liked.ID, theirs.ID, mine.ID)
	s.Feed("user", boris).Subscribers[anna] = Subscription{Since: liked.Published}
	want(t, "forward only", ids(s.Home(anna)), direct.ID, said.ID, liked.ID, mine.ID)
	s.People[boris].Status = "fyeo"
	want(t, "without a feed that was closed", ids(s.Home(anna)), direct.ID, said.ID, mine.ID)
}

func TestDirects(t *testing.T) { // checklist FF16
	t.Parallel()
	s := small()
	p := s.post(anna, s.Feed("user_directs", anna), s.Feed("user_directs", boris), s.Feed("user_directs", vera))
	want(t, "readers", s.readers(p), anna, boris, vera)
	for _, v := range []int64{anna, boris, vera} {
		want(t, "directs", ids(s.Directs(v)), p.ID)
	}
	want(t, "directs of a person who has none", ids(s.Directs(gleb)))
	if got := s.Show(anna, s.Directs(anna)[0], false).Reason["user_directs_sent"]; !slices.Equal(got, []int64{boris, vera}) {
		t.Errorf("the author is shown the recipients %v", got)
	}
	s.Bans[[2]int64{vera, boris}] = true
	want(t, "a ban between receivers", s.readers(p), anna, boris, vera)
	want(t, "the parties that a recipient is shown", s.Show(boris, s.Directs(boris)[0], false).Reason["user_directs_received"], anna, boris)
	if !s.MayLeave(boris, p) || s.MayLeave(anna, p) || !s.MayAddRecipients(anna, p) || s.MayAddRecipients(boris, p) {
		t.Error("a recipient may leave, and the author may add recipients; no other")
	}
}

func TestBans(t *testing.T) {
	t.Parallel()
	s := small()
	p := s.post(anna, s.Feed("user", anna))
	for _, v := range []int64{boris, vera, gleb} {
		s.like(p, v)
		s.comment(p, v).Likes = map[int64]bool{boris: true, vera: true, gleb: true}
		p.Favs[v] = true
	}
	s.Bans[[2]int64{boris, vera}] = true
	for _, v := range []int64{boris, vera} { // both directions
		shown := s.Show(v, Entry{Post: p}, true)
		if len(shown.Likes) != 2 || len(shown.Comments) != 2 || shown.CommentsCount != 2 || shown.FavCount != 2 || shown.Comments[0].ClikesCount != 2 {
			t.Errorf("viewer %d is shown %+v", v, shown)
		}
	}
	if shown := s.Show(gleb, Entry{Post: p}, true); len(shown.Likes) != 3 || shown.CommentsCount != 3 || shown.Comments[0].ClikesCount != 3 {
		t.Errorf("a viewer without a ban is shown %+v", shown)
	}
	s.Bans[[2]int64{anna, gleb}] = true
	want(t, "readers", s.readers(p), visitor, anna, boris, vera)
	if _, open := s.PersonPage(gleb, anna); open {
		t.Error("a person's page opens across a ban")
	}
	group := s.post(anna, s.Feed("group", 1))
	if entries, open := s.GroupPage(gleb, 1); !open || len(entries) != 0 {
		t.Error("a banned member must open the group, and not see the post of the other member")
	}
	want(t, "the group's post", s.readers(group), visitor, anna, boris, vera)
}

func TestFolds(t *testing.T) {
	t.Parallel()
	s := small()
	p := s.post(anna, s.Feed("user", anna))
	for i := range 6 {
		who := []int64{boris, vera, gleb}[i%3]
		p.Likes = append(p.Likes, Like{int64(10 + i), int64(i)})
		s.comment(p, who).Likes[vera] = true
	}
	shown := s.Show(visitor, Entry{Post: p}, false)
	if !slices.Equal(shown.Likes, []int64{13, 14, 15}) || shown.MoreLikes != 3 {
		t.Errorf("likes %v and %d more", shown.Likes, shown.MoreLikes)
	}
	if len(shown.Comments) != 2 || shown.CommentsCount != 6 || shown.GapPosition != 1 || shown.GapClikesCount != 4 {
		t.Errorf("comments %+v", shown)
	}
	s.Bans[[2]int64{gleb, vera}] = true // four comments are left, and all are shown
	shown = s.Show(gleb, Entry{Post: p}, false)
	if len(shown.Comments) != 4 || shown.CommentsCount != 4 || shown.GapPosition != 0 || shown.Comments[0].ClikesCount != 0 {
		t.Errorf("comments without those across a ban: %+v", shown)
	}
}

func TestRights(t *testing.T) {
	t.Parallel()
	s := small()
	s.People[gleb].Admin = true
	p := s.post(boris, s.Feed("user", boris), s.Feed("group", 1))
	c := s.comment(p, vera)
	for v, want := range map[int64]struct {
		like, comment, edit, remove, moderate, removeFrom bool
	}{
		visitor: {}, anna: {like: true, comment: true, moderate: true, removeFrom: true},
		boris: {comment: true, edit: true, remove: true, moderate: true, removeFrom: true},
		vera:  {like: true, comment: true}, gleb: {like: true, comment: true, remove: true, moderate: true},
	} {
		shown := s.Show(v, Entry{Post: p}, false)
		got := struct{ like, comment, edit, remove, moderate, removeFrom bool }{
			shown.CanLike, shown.CanComment, shown.CanEdit, shown.CanDelete, shown.CanModerate, len(shown.CanRemoveFrom) > 0}
		if got != want {
			t.Errorf("viewer %d may %+v, want %+v", v, got, want)
		}
	}
	p.CommentsDisabled = true
	if s.MayComment(anna, p) || !s.MayComment(boris, p) {
		t.Error("with comments disabled, only the author may comment")
	}
	if s.MayLikeComment(vera, p, c) || !s.MayLikeComment(boris, p, c) {
		t.Error("Vera may not like her own comment, and Boris may")
	}
	s.HiddenPeople[[2]int64{vera, boris}] = true
	s.HiddenComments[[2]int64{boris, vera}] = true
	if !s.Hides(vera, p) || s.Hides(anna, p) || !s.HidesComment(boris, c) || s.HidesComment(vera, c) {
		t.Error("a post and a comment are hidden for the person who hid them, and no other")
	}
}

func TestEverything(t *testing.T) {
	t.Parallel()
	s := small()
	s.People[anna].Status, s.People[boris].Status = "protected", "private"
	s.follow(vera, s.Feed("user", boris))
	a, b := s.post(anna, s.Feed("user", anna)), s.post(boris, s.Feed("user", boris), s.Feed("group", 1))
	s.post(boris, s.Feed("user", boris))
	s.post(vera, s.Feed("user_private", vera))
	want(t, "everything for a visitor", ids(s.Everything(visitor)), b.ID)
	want(t, "everything for Vera", ids(s.Everything(vera)), b.ID, a.ID)
}

func TestLists(t *testing.T) {
	t.Parallel()
	s := small()
	feed := s.Feed("user", anna)
	for _, v := range []int64{boris, vera, gleb} {
		s.follow(v, feed)
	}
	s.follow(boris, s.Feed("group", 1))
	s.Bans[[2]int64{vera, gleb}] = true
	list := func(v int64) []int64 { people, _ := s.Subscribers(v, feed); return people }
	want(t, "subscribers", list(visitor), boris, vera, gleb)
	want(t, "across a ban", list(vera), boris, vera)
	people, groups, _ := s.Subscriptions(anna, boris)
	want(t, "people", people, anna)
	want(t, "groups", groups, 1)
	s.Groups[1].Status = "private"
	_, groups, _ = s.Subscriptions(gleb, boris)
	want(t, "groups, for a viewer who can't read them", groups)
	_, groups, _ = s.Subscriptions(boris, boris)
	want(t, "groups, for the person", groups, 1)
	s.People[anna].Status = "fyeo"
	people, _, _ = s.Subscriptions(gleb, boris)
	want(t, "people, for a viewer who can't read them", people)
	people, _, _ = s.Subscriptions(boris, boris)
	want(t, "people, for the person", people, anna)
	s.People[anna].Status = "public"
	s.People[gleb].Status = "deleted"
	want(t, "without a deleted account", list(visitor), boris, vera)
}

func TestAudience(t *testing.T) { // checklist BE8
	t.Parallel()
	s := small()
	s.follow(boris, s.Feed("user_private", anna))
	s.Bans[[2]int64{gleb, anna}] = true
	p := s.post(anna, s.Feed("user", anna))
	if got := s.AudienceIn(anna, p, []int64{s.Feed("user_private", anna).ID}); got != (Audience{People: 1, Lose: 1, Closes: true}) {
		t.Errorf("into the private sub-feed: %+v", got)
	}
	if got := s.AudienceIn(anna, nil, p.Places); got != (Audience{Everybody: true, People: 2, Gain: 2, Opens: true}) {
		t.Errorf("a new post: %+v", got)
	}
	if got := s.AudienceOf(anna, "fyeo"); got != (Audience{Lose: 2, Closes: true}) || s.People[anna].Status != "public" {
		t.Errorf("for the owner's eyes only: %+v", got)
	}
}
