package timeline

import (
	"strings"
	"testing"
)

// say adds a comment with this text to a post.
func (s *site) say(who string, post PostID, text string) CommentID {
	s.t.Helper()
	id, err := s.AddComment(s.t.Context(), s.user(who), post, NewComment{Text: text})
	s.must(err)
	return id
}

// writes publishes a post with a text.
func (s *site) writes(who, text string, to ...string) PostID {
	s.t.Helper()
	id, err := s.CreatePost(s.t.Context(), s.user(who), NewPost{Text: text, To: to})
	s.must(err)
	return id
}

func TestMentionsAddOneNoticeEach(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "cleo", "dora")
	post := s.writes("bert", "for @anna and the author, @bert", "user")
	s.hasNotices("anna", "bert mention")
	s.hasNotices("bert")

	// One comment gives Anna one notice, of the most specific kind.
	s.must(s.deleteNotices("anna"))
	own := s.post("anna")
	comment := s.say("bert", own, "@anna and @cleo")
	s.hasNotices("anna", "bert mention in a comment")
	s.hasNotices("cleo", "bert mention in a comment")
	s.must(s.EditComment(t.Context(), s.user("bert"), own, comment, CommentEdit{Text: new("@dora and @cleo")}))
	s.hasNotices("anna", "bert comment")
	s.hasNotices("cleo", "bert mention in a comment")
	s.hasNotices("dora", "bert mention in a comment")
	s.must(s.EditComment(t.Context(), s.user("bert"), own, comment, CommentEdit{Text: new("no name at all")}))
	s.hasNotices("anna", "bert comment")
	s.hasNotices("cleo")
	s.hasNotices("dora")

	s.must(s.deleteNotices("anna"))
	s.writes("bert", "dear @anna", "direct:anna", "direct:cleo")
	s.hasNotices("anna", "bert mention")
	s.hasNotices("cleo", "bert direct")

	// An edit of a post adds one mention and removes another. A mention from before the edit
	// causes no second notice, even a long time later.
	s.must(s.deleteNotices("anna"))
	s.must(s.EditPost(t.Context(), s.user("bert"), post, PostEdit{Text: new("for @anna and @dora")}))
	s.hasNotices("anna")
	s.hasNotices("dora", "bert mention")
	s.must(s.EditPost(t.Context(), s.user("bert"), post, PostEdit{Text: new("for @dora")}))
	s.hasNotices("anna")
	s.must(s.DeletePost(t.Context(), s.user("bert"), post))
	s.hasNotices("dora")
}

// TestMentionRepeatedByAnEditAddsNoNotice removes a mention from a post and from a comment by an edit, and
// adds it again. The notice disappears and does not come back as unread, and nodes are told each time
// to count again.
func TestMentionRepeatedByAnEditAddsNoNotice(t *testing.T) {
	long(t)
	t.Parallel()
	s := newSite(t, "anna", "bert", "cleo")
	bert, post := s.user("bert"), s.writes("bert", "hello @anna", "user")
	elsewhere := s.post("cleo")
	comment := s.say("bert", elsewhere, "@anna look")
	for _, tt := range []struct {
		name, told string
		in         PostID
		edit       func(text string) error
	}{
		{"a comment", "bert mention in a comment", elsewhere, func(text string) error {
			return s.EditComment(t.Context(), bert, elsewhere, comment, CommentEdit{Text: new(text)})
		}},
		{"a post", "bert mention", post, func(text string) error { return s.EditPost(t.Context(), bert, post, PostEdit{Text: &text}) }},
	} {
		shows := func(when, told string, n int) {
			t.Helper()
			var all []string
			for _, words := range s.noticeLines("anna") {
				if words == tt.told || words == "("+tt.told+")" {
					all = append(all, words)
				}
			}
			if len(all) != n || n == 1 && all[0] != told {
				t.Errorf("%s, %s: %q", tt.name, when, all)
			}
		}
		changes := func(text string) {
			t.Helper()
			s.noticesChanged(tt.name+" edited to "+text, s.changesOf(func() { s.must(tt.edit(text)) }))
		}
		shows("new", tt.told, 1)
		for range 2 {
			changes("hello")
			shows("without her", "", 0)
			changes("@anna, hello")
			shows("with her again", tt.told, 1)
		}
		s.must(s.ReadNoticesOf(t.Context(), s.user("anna"), tt.in))
		changes("hello")
		shows("without her", "", 0)
		changes("@anna and @cleo")
		shows("read, and with her again", "("+tt.told+")", 1)
		s.must(tt.edit("@cleo and @anna"))
		shows("edited otherwise", "("+tt.told+")", 1)
	}
	s.must(s.DeleteComment(t.Context(), bert, elsewhere, comment))
	s.must(s.DeletePost(t.Context(), bert, post))
	if n := one[int](s, `select count(*) from notices`); n != 0 {
		t.Errorf("%d notices are left of what was deleted", n)
	}
}

// TestEditThatRemovesAMentionLeavesNoticesOfWantedKinds: when an edit removes the mention of a person,
// the person's notice becomes one of the comment or of the direct message, unless the person has turned
// off notices of that kind.
func TestEditThatRemovesAMentionLeavesNoticesOfWantedKinds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		off  []NoticeKind
		to   []string
		want []string
	}{
		{"a comment", nil, []string{"user"}, []string{"bert comment"}},
		{"a comment, off", []NoticeKind{NoticeComment}, []string{"user"}, nil},
		{"a direct", []NoticeKind{NoticeComment}, []string{"direct:bert"}, []string{"bert direct in a comment"}},
		{"a direct, off", []NoticeKind{NoticeDirect}, []string{"direct:bert"}, []string{"bert comment"}},
		{"a direct, all off", []NoticeKind{NoticeComment, NoticeDirect}, []string{"direct:bert"}, nil},
		{"names are off", []NoticeKind{NoticeMention}, []string{"user"}, []string{"bert comment"}},
		{"none that fits is off", []NoticeKind{NoticeLike, NoticeDirect}, []string{"user"}, []string{"bert comment"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, "anna", "bert")
			post := s.writes("anna", "boats", tt.to...)
			comment := s.say("bert", post, "hello @anna")
			for _, kind := range tt.off {
				s.must(s.SetNoticeKinds(t.Context(), s.user("anna"), map[NoticeKind]bool{kind: false}))
			}
			s.hasNotices("anna", "bert mention in a comment")
			s.must(s.EditComment(t.Context(), s.user("bert"), post, comment, CommentEdit{Text: new("hello")}))
			s.hasNotices("anna", tt.want...)
		})
	}
}

// TestTextWithManyMentionsNotifiesTheFirst: one text can't notify thousands of people.
func TestTextWithManyMentionsNotifiesTheFirst(t *testing.T) {
	t.Parallel()
	names := []string{"bert"}
	text := "@nobody1 @bert"
	for c := 'a'; c <= 't'; c++ {
		name := "anna_" + string(c)
		names, text = append(names, name), text+" @"+name+", @"+name
	}
	s := newSite(t, append(names, "writer")...)
	post := s.writes("writer", text, "user")
	s.say("writer", s.post("writer"), text)
	s.hasNotices("bert", "writer mention", "writer mention in a comment")
	s.hasNotices("anna_r", "writer mention", "writer mention in a comment")
	s.hasNotices("anna_s")
	s.must(s.EditPost(t.Context(), s.user("writer"), post, PostEdit{Text: new(strings.ReplaceAll(text, "@nobody1", ""))}))
	s.hasNotices("anna_s", "writer mention")
	s.hasNotices("anna_t")
	s.checkPosts()
}

func TestMentionsSwitchedOffLeaveOtherNotices(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "cleo")
	for _, name := range []string{"anna", "cleo"} {
		s.must(s.SetNoticeKinds(t.Context(), s.user(name), map[NoticeKind]bool{NoticeMention: false}))
	}
	s.say("bert", s.post("anna"), "@anna and @cleo")
	s.hasNotices("anna", "bert comment")
	s.hasNotices("cleo")
}

// TestMentionInUnreadablePostHasNoNotice: a mention in a post that the person may not read
// causes no visible notice, until the person may read the post.
func TestMentionInUnreadablePostHasNoNotice(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	post := s.writes("bert", "not for @anna", "user_private")
	s.say("bert", post, "nor this for @anna")
	s.hasNotices("anna")
	s.joins("anna", FeedName{Name: "bert", Private: true})
	requests, err := s.Requests(t.Context(), s.user("bert"))
	s.must(err)
	s.must(s.Accept(t.Context(), s.user("bert"), requests[0].UUID))
	s.hasNotices("anna", "bert mention", "bert mention in a comment", "bert accepted user_private")
}
