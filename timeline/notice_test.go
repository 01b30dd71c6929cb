package timeline

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// noticeLines returns the notices of a person in a few words, oldest first. It fails the test
// unless the count is right and the person may see the subject of each notice.
func (s *site) noticeLines(name string) []string {
	s.t.Helper()
	names := make(map[UserID]string)
	for name, id := range s.people {
		names[id] = name
	}
	p, err := s.NoticesOf(s.t.Context(), s.user(name), 0, 100)
	s.must(err)
	var all []string
	unread := 0
	for _, n := range slices.Backward(p.Notices) {
		words := string(n.Kind)
		if n.By != 0 {
			words = names[n.By] + " " + words
		}
		if n.Comment != 0 && n.Kind != NoticeComment && n.Kind != NoticeCommentLike {
			words += " in a comment"
		}
		if n.Feed.What != "" {
			words += " " + string(n.Feed.What)
		}
		if n.Read {
			words = "(" + words + ")"
		} else {
			unread++
		}
		all = append(all, words)
	}
	one, directs, err := s.Unread(s.t.Context(), s.user(name))
	s.must(err)
	many := s.unread(name)
	if p.Unread != unread || one != unread || many.Count != unread {
		s.t.Errorf("%s has %d unread notices on a list that counts %d; counted alone %d, with others %d", name, unread, p.Unread, one, many.Count)
	}
	if p.Directs != directs || many.Directs != directs {
		s.t.Errorf("%s has %d unread directs on a list, counted alone %d, with others %d", name, p.Directs, directs, many.Directs)
	}
	return all
}

// unread counts the notices of all people in one call, as nodes do.
func (s *site) unread(name string) *Unread {
	s.t.Helper()
	sn, err := s.Snapshot(s.t.Context())
	s.must(err)
	defer sn.Close()
	sets, _, err := sn.Sets(s.t.Context(), slices.Collect(maps.Values(s.people)))
	s.must(err)
	counts, err := sn.Unread(s.t.Context(), sets)
	s.must(err)
	return counts[s.user(name)]
}

// hasNotices fails the test unless a person has exactly these notices, oldest first.
func (s *site) hasNotices(name string, want ...string) {
	s.t.Helper()
	if diff := gocmp.Diff(want, s.noticeLines(name)); diff != "" && len(want)+len(s.noticeLines(name)) > 0 {
		s.t.Errorf("%s is told (-want +got):\n%s", name, diff)
	}
}

func TestActionsAddNoticesAndTheirUndoRetractsThem(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		action func(s *site) (undo func() error)
		want   string // anna's notice
	}{
		{"a like", func(s *site) func() error {
			post := s.post("anna")
			s.must(s.Like(t.Context(), s.user("bert"), post))
			s.must(s.Like(t.Context(), s.user("bert"), post))
			return func() error { return s.Unlike(t.Context(), s.user("bert"), post) }
		}, "bert like"},
		{"a like of a post that is deleted", func(s *site) func() error {
			post := s.post("anna")
			s.must(s.Like(t.Context(), s.user("bert"), post))
			return func() error { return s.DeletePost(t.Context(), s.user("anna"), post) }
		}, "bert like"},
		{"a comment", func(s *site) func() error {
			post := s.post("anna")
			comment := s.comment("bert", post)
			return func() error { return s.DeleteComment(t.Context(), s.user("bert"), post, comment) }
		}, "bert comment"},
		{"a like of a comment, whose it is is not told", func(s *site) func() error {
			post := s.post("cleo")
			comment := s.comment("anna", post)
			s.must(s.LikeComment(t.Context(), s.user("bert"), post, comment))
			return func() error { return s.UnlikeComment(t.Context(), s.user("bert"), post, comment) }
		}, "comment_like"},
		{"a like of a comment that is deleted", func(s *site) func() error {
			post := s.post("cleo")
			comment := s.comment("anna", post)
			s.must(s.LikeComment(t.Context(), s.user("bert"), post, comment))
			return func() error { return s.DeleteComment(t.Context(), s.user("cleo"), post, comment) }
		}, "comment_like"},
		{"a direct message", func(s *site) func() error {
			post := s.post("bert", "direct:anna", "direct:cleo")
			return func() error { return s.DeletePost(t.Context(), s.user("bert"), post) }
		}, "bert direct"},
		{"a comment on a direct message of another's", func(s *site) func() error {
			post := s.post("bert", "direct:anna", "direct:cleo")
			s.must(s.ReadNoticesOf(t.Context(), s.user("anna"), post))
			s.must(s.deleteNotices("anna"))
			comment := s.comment("cleo", post)
			return func() error { return s.DeleteComment(t.Context(), s.user("bert"), post, comment) }
		}, "cleo direct in a comment"},
		{"a comment on a direct message of one's own", func(s *site) func() error {
			post := s.post("anna", "direct:bert")
			comment := s.comment("bert", post)
			return func() error { return s.DeleteComment(t.Context(), s.user("bert"), post, comment) }
		}, "bert direct in a comment"},
		{"one more recipient of a direct message", func(s *site) func() error {
			post := s.post("bert", "direct:cleo")
			s.must(s.AddRecipients(t.Context(), s.user("bert"), post, []string{"anna"}))
			s.hasNotices("cleo", "bert direct")
			return func() error { return s.LeaveDirect(t.Context(), s.user("anna"), post) }
		}, "bert direct"},
		{"a request", func(s *site) func() error {
			s.status("anna", "private")
			s.joins("bert", FeedName{Name: "anna"})
			return func() error { return s.Withdraw(t.Context(), s.user("bert"), FeedName{Name: "anna"}) }
		}, "bert request user"},
		{"a request that is accepted", func(s *site) func() error {
			s.joins("bert", FeedName{Name: "anna", Private: true})
			return func() error {
				requests, err := s.Requests(t.Context(), s.user("anna"))
				return errors.Join(err, s.Accept(t.Context(), s.user("anna"), requests[0].UUID))
			}
		}, "bert request user_private"},
		{"a request to a group", func(s *site) func() error {
			s.group("anna", NewGroup{Name: "cooks", DisplayName: "Cooks", Status: "private", Posting: "members", Joining: "request"})
			s.joins("bert", FeedName{Name: "cooks"})
			return func() error {
				requests, err := s.Requests(t.Context(), s.user("anna"))
				return errors.Join(err, s.Reject(t.Context(), s.user("anna"), requests[0].UUID))
			}
		}, "bert request group"},
		{"an invitation", func(s *site) func() error {
			_, err := s.Invite(t.Context(), s.user("bert"), FeedName{Name: "bert", Private: true}, "anna")
			s.must(err)
			return func() error {
				invitations, err := s.Invitations(t.Context(), s.user("anna"))
				return errors.Join(err, s.EndInvitation(t.Context(), s.user("bert"), invitations[0].UUID))
			}
		}, "bert invitation user_private"},
		{"a subscriber", func(s *site) func() error {
			s.joins("bert", FeedName{Name: "anna"})
			return func() error { return s.Unsubscribe(t.Context(), s.user("bert"), FeedName{Name: "anna"}) }
		}, "bert subscriber user"},
		{"a subscriber who was invited", func(s *site) func() error {
			_, err := s.Invite(t.Context(), s.user("anna"), FeedName{Name: "anna", Private: true}, "bert")
			s.must(err)
			invitations, err := s.Invitations(t.Context(), s.user("bert"))
			s.must(err)
			s.must(s.AcceptInvitation(t.Context(), s.user("bert"), invitations[0].UUID))
			s.hasNotices("bert")
			return func() error {
				return s.RemoveSubscriber(t.Context(), s.user("anna"), FeedName{Name: "anna", Private: true}, "bert")
			}
		}, "bert subscriber user_private"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, "anna", "bert", "cleo")
			var undo func() error
			changes := s.changesOf(func() { undo = tt.action(s) })
			s.hasNotices("anna", tt.want)
			s.noticesChanged("the action", changes)
			changes = s.changesOf(func() { s.must(undo()) })
			s.hasNotices("anna")
			if !strings.Contains(tt.name, "recipient") {
				s.noticesChanged("its undoing", changes)
			}
		})
	}
}

// deleteNotices deletes a person's notices.
func (s *site) deleteNotices(name string) error {
	_, err := s.db.Pool.Exec(s.t.Context(), `delete from notices where user_id = $1`, s.user(name))
	return err
}

// joins subscribes a person to a feed, or sends a request.
func (s *site) joins(who string, name FeedName) {
	s.t.Helper()
	_, err := s.Subscribe(s.t.Context(), s.user(who), name, SubscribeOptions{})
	s.must(err)
}

// noticesChanged fails the test unless the changes include one of anna's notices.
func (s *site) noticesChanged(what string, changes []Change) {
	s.t.Helper()
	if !slices.ContainsFunc(changes, func(c Change) bool { return c.Kind == ChangeNotice && c.User == s.user("anna") }) {
		s.t.Errorf("no notice change of anna's was noted by %s", what)
	}
}

func TestOwnActionAddsNoNotice(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	post := s.post("anna", "user", "user_private")
	comment := s.comment("anna", post)
	s.comment("anna", s.post("anna", "direct:bert"))
	s.must(s.LikeComment(t.Context(), s.user("bert"), post, comment))
	s.hasNotices("anna", "comment_like")
	s.hasNotices("bert", "anna direct", "anna direct in a comment")
}

func TestNoNoticeOfAKindThatIsSwitchedOff(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	anna, post := s.user("anna"), s.post("anna")
	s.must(s.SetNoticeKinds(t.Context(), anna, map[NoticeKind]bool{NoticeLike: false, NoticeSubscriber: false}))
	s.must(s.SetNoticeKinds(t.Context(), anna, map[NoticeKind]bool{NoticeSubscriber: true, NoticeMention: true}))
	kinds, err := s.NoticeKinds(t.Context(), anna)
	s.must(err)
	for kind, wanted := range kinds {
		if wanted == (kind == NoticeLike) {
			t.Errorf("%s: wanted is %v", kind, wanted)
		}
	}
	if len(kinds) != len(NoticeKinds()) {
		t.Errorf("kinds: %v", kinds)
	}
	s.must(s.Like(t.Context(), s.user("bert"), post))
	s.comment("bert", post)
	s.joins("bert", FeedName{Name: "anna"})
	s.hasNotices("anna", "bert comment", "bert subscriber user")
	var invalid *InvalidError
	if err := s.SetNoticeKinds(t.Context(), anna, map[NoticeKind]bool{"gossip": true}); !errors.As(err, &invalid) {
		t.Errorf("a kind that is none: %v", err)
	}
	if err := s.SetNoticeKinds(t.Context(), 0, nil); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("the kinds of a visitor: %v", err)
	}
}

func TestNoticesAreShownWhileTheirPostIsReadable(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "cleo")
	post := s.post("cleo", "user", "user_private")
	comment := s.comment("anna", post)
	s.must(s.LikeComment(t.Context(), s.user("bert"), post, comment))
	direct := s.post("bert", "direct:anna")
	s.joins("bert", FeedName{Name: "anna"})
	whole := []string{"comment_like", "bert direct", "bert subscriber user"}
	s.hasNotices("anna", whole...)
	depends := s.unread("anna")
	if !slices.Equal(depends.Posts, []PostID{post, direct}) || !slices.Equal(depends.People, []UserID{s.user("bert"), s.user("cleo")}) {
		t.Errorf("the count depends on %v and %v", depends.Posts, depends.People)
	}

	// The post moves to a place that she can't read, and back.
	s.must(s.EditPost(t.Context(), s.user("cleo"), post, PostEdit{To: []string{"user_private"}}))
	s.hasNotices("anna", "bert direct", "bert subscriber user")
	if !slices.Contains(s.unread("anna").Posts, post) {
		t.Error("the count does not depend on a post that it leaves out")
	}
	s.must(s.EditPost(t.Context(), s.user("cleo"), post, PostEdit{To: []string{"user"}}))
	s.hasNotices("anna", whole...)
	s.status("cleo", "private")
	s.hasNotices("anna", "bert direct", "bert subscriber user")
	s.status("cleo", "public")

	// Anna bans Bert, then Bert bans Anna: notices of what a ban ended do not come back.
	for _, pair := range [][2]string{{"anna", "bert"}, {"bert", "anna"}} {
		s.must(s.Ban(t.Context(), s.user(pair[0]), pair[1]))
		s.hasNotices("anna")
		s.must(s.Unban(t.Context(), s.user(pair[0]), pair[1]))
		s.hasNotices("anna", "comment_like", "bert direct")
	}
	s.joins("bert", FeedName{Name: "anna"})
	s.hasNotices("anna", whole...)

	hash := "a hash"
	_, err := s.db.Pool.Exec(t.Context(), `update users set password_hash = $2 where id = $1`, s.user("bert"), hash)
	s.must(err)
	s.must(s.write(t.Context(), func(tx *txn) error { return s.Store.deleteAccount(t.Context(), tx, s.user("bert"), hash) }))
	s.hasNotices("anna")
}

func TestRequestNotifiesAdministrators(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "cleo")
	s.group("anna", NewGroup{Name: "cooks", DisplayName: "Cooks", Status: "private", Posting: "members", Joining: "request"})
	_, err := s.Invite(t.Context(), s.user("anna"), FeedName{Name: "cooks"}, "cleo")
	s.must(err)
	s.hasNotices("cleo", "anna invitation group")
	s.joins("cleo", FeedName{Name: "cooks"})
	s.hasNotices("cleo")
	s.hasNotices("anna") // a group has no notices of new members
	s.must(s.AddAdmin(t.Context(), s.user("anna"), "cooks", "cleo"))
	s.joins("bert", FeedName{Name: "cooks"})
	s.hasNotices("anna", "bert request group")
	s.hasNotices("cleo", "bert request group")
	s.must(s.RemoveAdmin(t.Context(), s.user("anna"), "cooks", "cleo"))
	s.hasNotices("cleo")
}

func TestNoticesArePagedAndMarkedRead(t *testing.T) {
	long(t)
	t.Parallel()
	s := newSite(t, "anna", "bert")
	hidden, post := s.post("anna"), s.post("anna")
	anna := s.user("anna")
	direct, err := s.CreatePost(t.Context(), s.user("bert"), NewPost{To: []string{"direct:anna"}, Text: "for @anna"}) // a mention
	s.must(err)
	for i := range 130 {
		name := fmt.Sprintf("person%d", i)
		s.add(name)
		s.must(s.Like(t.Context(), s.user(name), post))
		if i >= 10 {
			s.must(s.Like(t.Context(), s.user(name), hidden))
		}
	}
	// From now on Anna may not read the post of the newest notices.
	_, err = s.db.Pool.Exec(t.Context(), `update posts set user_id = $2, places = array[]::bigint[] where id = $1`, hidden, s.user("bert"))
	s.must(err)
	counts := func(after string, notices, directs int) {
		t.Helper()
		if n, d, err := s.Unread(t.Context(), anna); n != notices || d != directs || err != nil {
			t.Errorf("%s: %d unread notices and %d directs, want %d and %d; %v", after, n, d, notices, directs, err)
		}
	}
	counts("the direct is below a hundred visible notices", MostUnread, 1)
	var all []Notice
	for before := int64(0); ; {
		p, err := s.NoticesOf(t.Context(), anna, before, 40)
		s.must(err)
		all = append(all, p.Notices...)
		if before = p.Older; before == 0 {
			break
		}
		if len(p.Notices) != 40 {
			t.Errorf("a page of %d while there are more", len(p.Notices))
		}
	}
	if len(all) != 131 || !slices.IsSortedFunc(all, func(a, b Notice) int { return int(b.ID - a.ID) }) {
		t.Errorf("%d notices on all pages", len(all))
	}
	s.must(s.ReadNotices(t.Context(), anna, all[3].ID))
	counts("all but three were read", 3, 0)
	if got := s.changesOf(func() { s.must(s.ReadNotices(t.Context(), anna, all[3].ID)) }); len(got) != 0 {
		t.Errorf("reading what was read changed %v", got)
	}
	s.must(s.ReadNoticesOf(t.Context(), anna, post))
	counts("those of the post were read", 0, 0)
	comment := func() {
		t.Helper()
		_, err := s.AddComment(t.Context(), s.user("bert"), direct, NewComment{Text: "and more"})
		s.must(err)
	}
	comment()
	comment()
	s.must(s.Like(t.Context(), s.user("person0"), s.post("anna")))
	counts("two comments on one direct", 3, 1)
	s.must(s.ReadNoticesOfDirects(t.Context(), anna))
	counts("those of directs were read", 1, 0)
	if err := s.ReadNotices(t.Context(), 0, 1); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("a visitor reads notices: %v", err)
	}
}
