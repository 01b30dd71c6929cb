package browsertest

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"amstel.dev/amstel/timeline"
)

// TestInPlace tests what the script shows inside an entry, and what has a page of its own
// without script.
func TestInPlace(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for _, test := range []struct {
		name string
		run  func(*testing.T, *browser)
	}{
		{"folded comments unfold and stay so", unfolds},
		{"a comment is edited", editsComment},
		{"a post is edited", editsPost},
		{"a post that goes away while it is edited keeps the text", editsGone},
		{"an answer begins with the name", answers},
		{"a long thread opens at its end", longThread},
		{"the menu of an entry says and does what its page does", entryMenu},
		{"a like by keyboard keeps the focus", likesByKeyboard},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t, b)
		})
	}
}

// discuss has two people comment n times, in turn.
func (s *site) discuss(post timeline.PostID, n int) (ids []timeline.CommentID) {
	s.Helper()
	for i := range n {
		ids = append(ids, s.comment([]string{"ann", "bob"}[i%2], post, fmt.Sprintf("comment %d.", i+1)))
	}
	return ids
}

// shownComments returns the ids of the comments in the entry of a post, in their order.
func (tb *tab) shownComments(post timeline.PostID) int {
	tb.Helper()
	return value[int](tb, fmt.Sprintf("document.querySelectorAll('%s .comment').length", entry(post)))
}

func unfolds(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "some early words")
	all := s.discuss(post, 12)
	s.shown()
	ann := b.person(s, "ann")
	ann.live("/filter/everything")
	if n := ann.shownComments(post); n >= 12 {
		t.Fatalf("%d comments before it is unfolded", n)
	}
	ann.click(entry(post) + " .comment-more a")
	ann.until("all comments", func() bool { return ann.shownComments(post) == 12 })
	if at := value[string](ann, "location.pathname"); at != "/filter/everything" {
		t.Errorf("the page is %s", at)
	}
	// A change sends the entry with its comments folded.
	s.comment("bob", post, "comment 13.")
	ann.until("the new comment, too", func() bool { return ann.shownComments(post) == 13 })
	s.must(s.store.DeleteComment(s.Context(), s.ids["bob"], post, all[5]))
	ann.missesText("comment 6.")
	ann.reads("comment 5.")
	if n := ann.shownComments(post); n != 12 {
		t.Errorf("%d comments after one was deleted", n)
	}
	s.must(s.store.EditComment(s.Context(), s.ids["ann"], post, all[6], timeline.CommentEdit{Text: new("comment seven.")}))
	ann.reads("comment seven.")
	ann.reads("edited")
}

func editsComment(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "some early words")
	comment := s.comment("bob", post, "with a tipo")
	s.shown()
	ann, bob := b.person(s, "ann"), b.person(s, "bob")
	ann.live("/filter/everything")
	bob.live("/filter/everything")
	at := fmt.Sprintf("#c%d", comment)
	bob.click(at + " a[data-edit]")
	bob.sees("the text in the form", fmt.Sprintf("document.querySelector('%s .in-place textarea')?.value === 'with a tipo'", at))
	bob.sees("the caret at its end", "document.activeElement.selectionStart === 11")
	// Meanwhile the entry changes.
	s.comment("ann", post, "another comment")
	bob.reads("another comment")
	bob.do(chromedp.KeyEvent(" or two"))
	bob.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(2))) // with Ctrl
	for _, tb := range []*tab{ann, bob} {
		tb.reads("with a tipo or two")
		tb.reads("edited")
	}
	bob.sees("no form", "!document.querySelector('.in-place, .is-editing')")
	bob.sees("the link in focus", fmt.Sprintf("document.activeElement === document.querySelector('%s a[data-edit]')", at))
	bob.sees("no form for a comment", fmt.Sprintf("!document.querySelector('%s form.comment-form')", entry(post)))
	bob.same()
	// Escape and the button close a form without a change.
	for _, leave := range []func(){
		func() { bob.do(chromedp.KeyEvent(kb.Escape)) },
		func() { bob.click(at + " .in-place .form-acts a") },
	} {
		bob.click(at + " a[data-edit]")
		bob.sees("the form", fmt.Sprintf("document.activeElement.value === 'with a tipo or two' && !!document.querySelector('%s .in-place')", at))
		leave()
		bob.sees("no form", "!document.querySelector('.in-place, .is-editing')")
		bob.reads("with a tipo or two")
	}
	// The form shows the refusal and keeps the text.
	bob.click(at + " a[data-edit]")
	bob.sees("the form", fmt.Sprintf("!!document.querySelector('%s .in-place')", at))
	s.must(s.store.DeleteComment(s.Context(), s.ids["bob"], post, comment))
	bob.do(chromedp.KeyEvent(" in vain"))
	bob.click(at + " .in-place button.primary")
	bob.sees("a sentence", fmt.Sprintf("!!document.querySelector('%s .in-place .problem')", at))
	bob.sees("the text", fmt.Sprintf("document.querySelector('%s .in-place textarea').value === 'with a tipo or two in vain'", at))
}

func editsPost(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "early words")
	s.shown()
	ann, bob := b.person(s, "ann"), b.person(s, "bob")
	ann.live("/filter/everything")
	bob.live("/filter/everything")
	ann.openMenu(post)
	ann.click(entry(post) + " .menu-box a[data-edit]")
	field := entry(post) + " .in-place textarea"
	ann.sees("the text in the form", fmt.Sprintf("document.querySelector('%s')?.value === 'early words'", field))
	ann.sees("the other settings closed", "!document.querySelector('.in-place details').open")
	ann.eval(fmt.Sprintf("document.querySelector(%q).select()", field))
	ann.enter(field, "late words")
	ann.click(entry(post) + " .in-place button.primary")
	for _, tb := range []*tab{ann, bob} {
		tb.reads("late words")
		tb.reads("edited")
		tb.missesText("early words")
	}
	ann.sees("no form", "!document.querySelector('.in-place, .is-editing')")
	ann.same()
	head, err := s.store.FindPost(s.Context(), s.ids["ann"], post)
	s.must(err)
	if head.CommentsDisabled || len(head.To) != 1 || head.To[0] != "user" || head.LangGiven {
		t.Errorf("the edit changed more than the text: %+v", head)
	}
}

func editsGone(t *testing.T, b *browser) {
	s := newSite(t, "ann")
	post := s.post("ann", "early words")
	s.shown()
	ann := b.person(s, "ann")
	ann.live("/filter/everything")
	ann.openMenu(post)
	ann.click(entry(post) + " .menu-box a[data-edit]")
	field := entry(post) + " .in-place textarea"
	ann.sees("the form", fmt.Sprintf("!!document.querySelector('%s')", field))
	ann.eval(fmt.Sprintf("document.querySelector(%q).select()", field))
	ann.enter(field, "late words")
	s.must(s.store.DeletePost(s.Context(), s.ids["ann"], post))
	ann.reads("This post is no longer on the page.")
	ann.sees("the text", fmt.Sprintf("document.querySelector('%s').value === 'late words'", field))
}

func entryMenu(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "some early words")
	_, err := s.store.Subscribe(s.Context(), s.ids["bob"], timeline.FeedName{Name: "ann"}, timeline.SubscribeOptions{})
	s.must(err)
	s.shown()
	bob := b.person(s, "bob")
	bob.live("/")
	bob.openMenu(post)
	bob.reads("You subscribe to ann.")
	bob.do(chromedp.KeyEvent(kb.Escape))
	bob.sees("the menu closed", "!document.querySelector('#river details[open]')")
	s.comment("ann", post, "and more")
	bob.reads("and more")
	bob.openMenu(post)
	s.comment("ann", post, "and more still")
	bob.reads("and more still")
	bob.sees("the menu open after a change", fmt.Sprintf("!!document.querySelector('%s details[open] .menu-box')", entry(post)))
	bob.click(entry(post) + " .why form button")
	bob.missesText("some early words")
	bob.same()
}

func likesByKeyboard(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "some early words")
	s.shown()
	bob := b.person(s, "bob")
	bob.live("/ann")
	bob.eval(fmt.Sprintf("document.querySelector('%s .actions > button').focus()", entry(post)))
	for _, label := range []string{"Unlike 1", "Like", "Unlike 1"} {
		bob.do(chromedp.KeyEvent(kb.Enter))
		bob.sees(label+" in focus", fmt.Sprintf("document.activeElement.innerText.trim() === %q", label))
	}
	bob.same()
}

func answers(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "some early words")
	comment := s.comment("bob", post, "is it so?")
	own := s.comment("ann", post, "it is")
	s.shown()
	ann := b.person(s, "ann")
	ann.live("/filter/everything")
	ann.click(fmt.Sprintf("#c%d .bem-post__comment-rest a[href$='#f']", comment))
	field := entry(post) + " form.comment-form textarea"
	ann.sees("the name", fmt.Sprintf("document.querySelector(%q).value === '@bob '", field))
	ann.do(chromedp.KeyEvent("indeed"))
	ann.click(fmt.Sprintf("#c%d .bem-post__comment-rest a[href$='#f']", comment))
	ann.sees("the name once, before what is typed", fmt.Sprintf("document.querySelector(%q).value === '@bob indeed'", field))
	ann.sees("no answer to one's own", fmt.Sprintf("!document.querySelector(`#c%d .bem-post__comment-rest a[href$='#f']`)", own))
	ann.send(post)
	ann.reads("@bob indeed")
	ann.same()
}

func longThread(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "some early words")
	all := s.discuss(post, 65)
	s.shown()
	ann := b.person(s, "ann")
	path := fmt.Sprintf("/ann/%d", post)
	ann.live(path)
	ann.reads("40 earlier comments")
	open := "[...document.querySelectorAll('.comment')].filter((c) => c.checkVisibility()).length"
	if n := value[int](ann, open); n != 25 {
		t.Errorf("%d comments are open, want 25", n)
	}
	s.comment("bob", post, "comment 66.")
	ann.reads("comment 66.")
	if n := value[int](ann, open); n != 26 {
		t.Errorf("%d comments are open, want 26", n)
	}
	ann.same()
	ann.click(".comments-earlier > summary")
	ann.until("all comments", func() bool { return value[int](ann, open) == 66 })
	// A link to an earlier comment opens the collapsed ones.
	ann.live("/filter/everything")
	ann.live(fmt.Sprintf("%s#c%d", path, all[3]))
	ann.sees("the comment", fmt.Sprintf("document.getElementById('c%d').checkVisibility()", all[3]))
}
