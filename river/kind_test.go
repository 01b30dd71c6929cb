package river

import (
	"context"
	"slices"
	"testing"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/query"
	"amstel.dev/amstel/timeline/ranking"
)

// Each kind of river has a test that reads like the kind's definition in kind.go. The river is
// visited before the posts are written, so that they come in live, and the oracle compares the
// river in the end.

// shows fails the test unless a page has exactly these posts, newest first.
func (p *testSite) shows(key Key, want ...string) {
	p.t.Helper()
	p.sync()
	if found := p.visit(key); !slices.Equal(found, want) {
		p.t.Errorf("%s of %d shows %q, want %q", key.Descriptor(), key.Viewer, found, want)
	}
}

// own is the key of a page of the viewer's own.
func (p *testSite) own(viewer string, kind Kind) Key { return p.page(viewer, kind, viewer) }

func (p *testSite) ids(query string, args ...any) (found []int64) {
	p.t.Helper()
	rows, err := p.store.Pool().Query(p.t.Context(), query, args...)
	p.must(err)
	defer rows.Close()
	for rows.Next() {
		var id int64
		p.must(rows.Scan(&id))
		found = append(found, id)
	}
	return found
}

func (p *testSite) search(viewer, typed string) Key {
	p.t.Helper()
	parsed, err := query.Parse(typed)
	p.must(err)
	return Key{Viewer: p.user(viewer), What: KindSearch, Query: parsed.String()}
}

func (p *testSite) edit(author string, post timeline.PostID, edit timeline.PostEdit) {
	p.t.Helper()
	p.must(p.store.EditPost(p.t.Context(), p.user(author), post, edit))
}

// live opens pages, so that each turn updates them.
func (p *testSite) live(keys ...Key) {
	p.t.Helper()
	for _, key := range keys {
		w, err := p.node.Watch(p.t.Context(), key)
		p.must(err)
		p.t.Cleanup(w.Close)
	}
}

func TestPrivateSubFeed(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna", "bert", "carl")
	_, err := p.store.Invite(t.Context(), p.user("anna"), timeline.FeedName{Name: "anna", Private: true}, "bert")
	p.must(err)
	invited, err := p.store.Invitations(t.Context(), p.user("bert"))
	p.must(err)
	p.must(p.store.AcceptInvitation(t.Context(), p.user("bert"), invited[0].UUID))
	p.post("anna", "for all")
	private := p.page("bert", KindPrivate, "anna")
	p.live(private, p.page("bert", KindUser, "anna"), p.page("carl", KindUser, "anna"))
	p.post("anna", "for few", "user_private")
	p.shows(private, "for few")
	p.shows(p.page("bert", KindUser, "anna"), "for few", "for all") // for the subscribers of the sub-feed, a person's page has the post
	p.shows(p.page("carl", KindUser, "anna"), "for all")
	p.refused(p.page("carl", KindPrivate, "anna"), timeline.ErrForbidden)
	p.refused(p.page("", KindPrivate, "anna"), timeline.ErrForbidden)
	p.compareAll()
}

func TestForYourEyesOnly(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna", "bert")
	p.live(p.own("anna", KindFYEO))
	p.post("anna", "a note", "user_fyeo")
	p.post("anna", "for all")
	p.shows(p.own("anna", KindFYEO), "a note")
	p.live(p.page("anna", KindUser, "anna"), p.page("bert", KindUser, "anna"), p.page("", KindUser, "anna"))
	p.post("anna", "another note", "user_fyeo")
	p.shows(p.page("anna", KindUser, "anna"), "another note", "for all", "a note") // one's own page has all of one's posts
	p.shows(p.page("bert", KindUser, "anna"), "for all")
	p.shows(p.page("", KindUser, "anna"), "for all")
	p.refused(p.page("bert", KindFYEO, "anna"), timeline.ErrNotFound) // no address names another person
	p.compareAll()
}

func TestDiscussionsHasOwnPostsAndThoseCommentedOn(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna", "bert")
	key := p.own("anna", KindDiscussions)
	p.live(key)
	mine := p.post("anna", "mine")
	first := p.post("bert", "first of bert")
	p.post("bert", "second of bert")
	p.shows(key, "mine")
	said := p.comment("anna", first, "well")
	p.shows(key, "first of bert", "mine")
	p.comment("bert", mine, "well, well")
	p.shows(key, "mine", "first of bert")
	p.must(p.store.DeleteComment(t.Context(), p.user("anna"), first, said))
	p.shows(key, "mine")
	p.refused(p.page("bert", KindDiscussions, "anna"), timeline.ErrNotFound)
	p.compareAll()
}

func TestMentionsHasPostsThatNameTheViewer(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna", "bert", "carl", "dora")
	key := p.own("anna", KindMentions)
	p.live(key)
	p.post("bert", "hello @Anna")
	talk := p.post("bert", "hello")
	p.shows(key, "hello @Anna")
	p.comment("carl", talk, "ask @anna about it")
	p.shows(key, "hello", "hello @Anna")
	p.must(p.store.Ban(t.Context(), p.user("anna"), "carl"))
	p.shows(key, "hello @Anna") // the post is here only by the comment of a person ann banned
	said := p.comment("dora", talk, "who?")
	p.shows(key, "hello @Anna")
	p.must(p.store.EditComment(t.Context(), p.user("dora"), talk, said, timeline.CommentEdit{Text: new("@anna, that is")}))
	p.shows(key, "hello", "hello @Anna")
	p.must(p.store.EditComment(t.Context(), p.user("dora"), talk, said, timeline.CommentEdit{Text: new("never mind")}))
	p.shows(key, "hello @Anna") // the comment of the banned person is out, and so is the reason
	p.compareAll()
}

func TestHashtag(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna", "bert")
	p.post("anna", "first #Go")
	tag := p.ids(`select id from hashtags where name = 'go'`)
	key := Key{What: KindHashtag, TheirID: tag[0]}
	p.live(key)
	p.post("bert", "second #go here")
	third := p.post("bert", "third")
	p.post("bert", "#gopher is another")
	p.shows(key, "second #go here", "first #Go")
	p.edit("bert", third, timeline.PostEdit{Text: new("third #go")})
	p.shows(key, "third #go", "second #go here", "first #Go")
	p.status("bert", "private")
	p.shows(key, "first #Go")
	p.compareAll()
}

func TestEverythingOfALanguage(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna", "bert")
	write := func(text, lang string) timeline.PostID {
		id, err := p.store.CreatePost(t.Context(), p.user("anna"), timeline.NewPost{To: []string{"user"}, Text: text, Lang: lang})
		p.must(err)
		return id
	}
	write("goedemorgen", "nl")
	dutch := Key{What: KindEverything, TheirID: timeline.LangID("nl")}
	p.live(dutch, everything(0))
	write("good morning", "en")
	later := write("dobar dan", "en")
	p.shows(dutch, "goedemorgen")
	p.edit("anna", later, timeline.PostEdit{Lang: new("nl")}) // the author corrects the language
	p.shows(dutch, "dobar dan", "goedemorgen")
	if all := p.visit(everything(0)); len(all) != 3 {
		t.Errorf("everything has %q", all)
	}
	p.refused(Key{What: KindEverything, TheirID: timeline.LangID("fi")}, timeline.ErrNotFound)
	p.compareAll()
}

func TestAListIsAHomeOfItsOwn(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna", "bert", "carl", "dora")
	p.follow("anna", "dora")
	id, err := p.store.CreateList(t.Context(), p.user("anna"), "friends")
	p.must(err)
	p.must(p.store.AddToList(t.Context(), p.user("anna"), id, timeline.FeedName{Name: "bert"}))
	key := Key{Viewer: p.user("anna"), What: KindList, TheirID: int64(id)}
	p.live(key, p.home("anna"))
	p.post("bert", "from bert")
	carls := p.post("carl", "from carl")
	p.post("dora", "from dora")
	p.shows(key, "from bert")
	p.like("bert", carls)
	p.shows(key, "from carl", "from bert") // in its place, by bert's like
	p.shows(p.home("anna"), "from dora")
	p.must(p.store.AddToList(t.Context(), p.user("anna"), id, timeline.FeedName{Name: "carl"}))
	p.must(p.store.RemoveFromList(t.Context(), p.user("anna"), id, timeline.FeedName{Name: "bert"}))
	p.shows(key, "from carl")
	p.refused(Key{Viewer: p.user("bert"), What: KindList, TheirID: int64(id)}, timeline.ErrNotFound)
	p.compareAll()
	p.must(p.store.DeleteList(t.Context(), p.user("anna"), id))
	p.sync()
	p.refused(key, timeline.ErrNotFound)
}

func TestMutedReasonsBringNothingHome(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna", "bert", "carl")
	p.follow("anna", "bert")
	liked, talked := p.post("carl", "liked"), p.post("carl", "talked about")
	p.live(p.home("anna"))
	p.like("bert", liked)
	p.comment("bert", talked, "so")
	p.shows(p.home("anna"), "talked about", "liked")
	p.must(p.store.Mute(t.Context(), p.user("anna"), "bert", timeline.MutedParts{Likes: true}))
	p.shows(p.home("anna"), "talked about")
	p.shows(p.page("anna", KindLikes, "bert"), "liked") // the person's page has the post
	p.must(p.store.Unmute(t.Context(), p.user("anna"), "bert", timeline.MutedParts{Likes: true}))
	p.must(p.store.Mute(t.Context(), p.user("anna"), "bert", timeline.MutedParts{Comments: true}))
	p.shows(p.home("anna"), "liked")
	p.compareAll()
}

func TestOwnPostsStandAtHomeUnlessUnwanted(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna", "bert")
	p.follow("anna", "bert")
	p.live(p.home("anna"))
	p.post("anna", "mine")
	p.post("bert", "of bert")
	p.shows(p.home("anna"), "of bert", "mine")
	p.must(p.store.SetOwnPosts(t.Context(), p.user("anna"), false))
	p.shows(p.home("anna"), "of bert")
	p.compareAll()
}

func TestDayHasPostsPublishedThen(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna", "bert")
	first := p.post("anna", "first")
	p.post("bert", "of bert")
	p.post("anna", "second")
	p.comment("bert", first, "which comes up, but not here")
	day := Key{What: KindDay, TheirID: int64(p.user("anna")), Query: "2026-11-20"}
	month, year, next := day, day, day
	month.Query, year.Query, next.Query = "2026-11", "2026", "2026-11-21"
	p.live(day, next)
	p.post("anna", "third")
	for _, key := range []Key{day, month, year} {
		p.shows(key, "third", "second", "first")
	}
	p.shows(next)
	for _, query := range []string{"", "2026-13", "20261120", "yesterday"} {
		day.Query = query
		p.refused(day, timeline.ErrNotFound)
	}
	p.status("anna", "private")
	p.sync()
	p.refused(month, timeline.ErrForbidden)
	p.compareAll()
}

func TestSearchIsARiver(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna", "bert", "carl")
	old := p.post("anna", "the boats go by")
	words, phrase, not := p.search("carl", "boat"), p.search("carl", `"boats go"`), p.search("carl", "boat -red")
	from, said, liked := p.search("carl", "from:bert boat"), p.search("carl", "in:comments oar"), p.search("carl", "liked-by:bert")
	p.live(words, phrase, not, from, said, liked)
	p.shows(words, "the boats go by")
	red := p.post("bert", "a red boat")
	p.post("bert", "a bicycle")
	p.shows(words, "a red boat", "the boats go by")
	p.shows(phrase, "the boats go by")
	p.shows(not, "the boats go by")
	p.shows(from, "a red boat")
	p.shows(said)
	p.comment("bert", old, "with one oar")
	p.shows(said, "the boats go by")
	p.shows(words, "the boats go by", "a red boat") // it came up
	p.like("bert", old)
	p.shows(liked, "the boats go by")
	p.edit("bert", red, timeline.PostEdit{Text: new("a red car")})
	p.shows(words, "the boats go by")
	v, err := p.node.Visit(t.Context(), words, At{})
	p.must(err)
	if hits := v.Entries[0].Hits; !slices.Equal(hits, []string{"boats"}) {
		t.Errorf("hits %q", hits)
	}
	p.must(p.store.Ban(t.Context(), p.user("bert"), "carl"))
	p.shows(said)
	p.shows(liked)
	p.shows(from)
	p.status("anna", "private")
	p.shows(words)
	p.status("anna", "public")
	p.waitSettled()
	p.shows(words, "the boats go by")
	p.compareAll()
}

// TestPhotosHasPostsWithAnImage follows the pictures of posts on open pages.
func TestPhotosHasPostsWithAnImage(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "anna", "bert", "carl")
	p.makeGroup("anna", "rowing", "public")
	rowing := p.ids(`select id from groups where name = 'rowing'`)[0]
	hers, groups, found := p.page("bert", KindPhotos, "anna"), Key{Viewer: p.user("bert"), What: KindGroupPhotos, TheirID: rowing}, p.search("bert", "has:image")
	boat, oar := p.post("anna", "a boat"), p.post("anna", "an oar", "group:rowing")
	p.post("anna", "a bicycle")
	p.live(hers, groups, found)
	p.shows(hers)
	file := p.attach("anna", boat)
	p.shows(hers) // the file is not ready
	p.finishImage(file)
	p.shows(hers, "a boat")
	p.shows(found, "a boat")
	p.shows(groups)
	p.finishImage(p.attach("anna", oar))
	p.shows(hers, "a boat") // the other is not in her feed
	p.shows(groups, "an oar")
	p.shows(found, "an oar", "a boat")
	p.edit("anna", boat, timeline.PostEdit{Text: new("a red boat")})
	p.shows(hers, "a red boat")
	p.status("anna", "private")
	p.shows(found, "an oar")
	p.refused(hers, timeline.ErrForbidden)
	p.status("anna", "public")
	p.waitSettled()
	p.shows(found, "an oar", "a red boat")
	p.shows(hers, "a red boat")
	p.edit("anna", boat, timeline.PostEdit{Files: new(timeline.Files)})
	p.shows(found, "an oar")
	p.shows(hers)
	p.shows(p.page("carl", KindPhotos, "anna"))
	p.compareAll()
}

// attach puts a queued file into a post.
func (p *testSite) attach(author string, post timeline.PostID) timeline.AttachmentID {
	p.t.Helper()
	ctx, who := p.t.Context(), p.user(author)
	id, _, err := p.store.ReserveAttachment(ctx, who, timeline.NewAttachment{FileName: "boat.jpg", Size: 1}, timeline.AttachmentLimits{})
	p.must(err)
	p.must(p.store.ReceiveAttachment(ctx, who, id, timeline.FileName{1}, 1, fileKept))
	p.edit(author, post, timeline.PostEdit{Files: &timeline.Files{IDs: []timeline.AttachmentID{id}}})
	return id
}

// finishImage makes a queued file ready, as an image.
func (p *testSite) finishImage(id timeline.AttachmentID) {
	p.t.Helper()
	p.must(p.store.FinishAttachment(p.t.Context(), id, timeline.FinishedFile{Kind: "image", MediaType: "image/jpeg"}, fileKept))
}

// fileKept reports that the file store has every file.
func fileKept(context.Context, timeline.FileName) (bool, error) { return true, nil }

func TestRankingsStandInTheOrderOfTheirScore(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna", "bert", "carl", "dora")
	first, second := p.post("anna", "first"), p.post("anna", "second")
	p.post("anna", "no reply")
	key := Key{What: KindBestOf, TheirID: timeline.RankedID("", timeline.Day)}
	rank := func() {
		t.Helper()
		_, err := ranking.Rank(t.Context(), p.store)
		p.must(err)
		p.sync()
	}
	p.live(key)
	for _, who := range []string{"bert", "carl"} {
		p.like(who, second)
	}
	p.like("bert", first)
	rank()
	p.shows(key, "second", "first")
	before, err := p.node.Visit(t.Context(), key, At{Count: 1})
	p.must(err)
	for _, who := range []string{"carl", "dora"} {
		p.like(who, first)
	}
	rank()
	p.shows(key, "first", "second")
	// A client that reads on from an earlier page gets the order of the earlier page.
	rest, err := p.node.Visit(t.Context(), key, At{Count: 1, Before: *before.Older, Run: before.Run})
	p.must(err)
	if found := texts(rest.Entries); !slices.Equal(found, []string{"first"}) || rest.Live {
		t.Errorf("the rest of the page of before is %q, live %v", found, rest.Live)
	}
	p.must(p.store.Fav(t.Context(), p.user("bert"), second))
	rank()
	for _, period := range []timeline.Period{timeline.Rising, timeline.Ever} {
		p.shows(Key{What: KindMostFaved, TheirID: timeline.RankedID("", period)}, "second")
	}
	p.compareAll()
}
