package timeline

import "testing"

// say comments on a post in those words.
func (s *site) say(who string, post PostID, text string) CommentID {
	s.t.Helper()
	id, err := s.AddComment(s.t.Context(), s.user(who), post, NewComment{Text: text})
	s.must(err)
	return id
}

// writes publishes a post in those words.
func (s *site) writes(who, text string, to ...string) PostID {
	s.t.Helper()
	id, err := s.CreatePost(s.t.Context(), s.user(who), NewPost{Text: text, To: to})
	s.must(err)
	return id
}

func TestWhoIsNamedIsToldOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "cleo", "dora")
	post := s.writes("bert", "for @anna, and for @bert himself", "user")
	s.tells("anna", "bert mention")
	s.tells("bert")

	// Of one deed she is told once, as what concerns her most.
	s.must(s.untoldNow("anna"))
	own := s.post("anna")
	comment := s.say("bert", own, "@anna and @cleo")
	s.tells("anna", "bert mention in a comment")
	s.tells("cleo", "bert mention in a comment")
	s.must(s.EditComment(t.Context(), s.user("bert"), own, comment, "@dora and @cleo"))
	s.tells("anna", "bert comment")
	s.tells("cleo", "bert mention in a comment")
	s.tells("dora", "bert mention in a comment")
	s.must(s.EditComment(t.Context(), s.user("bert"), own, comment, "nobody at all"))
	s.tells("anna", "bert comment")
	s.tells("cleo")
	s.tells("dora")

	s.must(s.untoldNow("anna"))
	s.writes("bert", "dear @anna", "direct:anna", "direct:cleo")
	s.tells("anna", "bert mention")
	s.tells("cleo", "bert direct")

	// An edit of a post names somebody, and somebody else no more.
	s.must(s.untoldNow("anna"))
	s.must(s.EditPost(t.Context(), s.user("bert"), post, PostEdit{Text: new("for @anna and @dora")}))
	s.tells("anna", "bert mention") // who was told of it before it was forgotten
	s.tells("dora", "bert mention")
	s.must(s.EditPost(t.Context(), s.user("bert"), post, PostEdit{Text: new("for @dora")}))
	s.tells("anna")
	s.must(s.DeletePost(t.Context(), s.user("bert"), post))
	s.tells("dora")
}

func TestWhoWantsNoMentionsIsToldOfTheRest(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "cleo")
	for _, name := range []string{"anna", "cleo"} {
		s.must(s.SetNoticeKinds(t.Context(), s.user(name), map[NoticeKind]bool{NoticeMention: false}))
	}
	s.say("bert", s.post("anna"), "@anna and @cleo")
	s.tells("anna", "bert comment")
	s.tells("cleo")
}

// TestNobodyIsToldOfWhatNamesHimUnseen holds that a name in a post that its owner
// may not read tells him nothing, until he may.
func TestNobodyIsToldOfWhatNamesHimUnseen(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	post := s.writes("bert", "not for @anna", "user_private")
	s.say("bert", post, "nor this for @anna")
	s.tells("anna")
	s.joins("anna", FeedName{Name: "bert", Private: true})
	requests, err := s.Requests(t.Context(), s.user("bert"))
	s.must(err)
	s.must(s.Accept(t.Context(), s.user("bert"), requests[0].UUID))
	s.tells("anna", "bert mention", "bert mention in a comment")
}
