package browsertest

import (
	"fmt"
	"testing"

	"amstel.dev/amstel/timeline"
)

// TestRights tests actions that change what people see.
func TestRights(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for _, test := range []struct {
		name string
		run  func(*testing.T, *browser)
	}{
		{"favourites, and posts that are folded away", keepAndHide},
		{"a post is moved out of sight", moveAway},
		{"the form names the readers while the author chooses", saysWhileChoosing},
		{"the form names the readers without script", saysWithoutScript},
		{"a person's comments are hidden, and shown again", hideComments},
		{"a direct gets another recipient", addToDirect},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t, b)
		})
	}
}

// act returns the selector of the button that posts to an address of a post.
func act(post timeline.PostID, what string) string {
	return fmt.Sprintf("%[1]s :is(form[action='/api/v1/posts/%[2]d/%[3]s.json'] button, button[formaction='/api/v1/posts/%[2]d/%[3]s.json'])", entry(post), post, what)
}

// openMenu opens the menu of an entry, and waits until the script has filled the menu.
func (tb *tab) openMenu(post timeline.PostID) {
	tb.Helper()
	tb.click(entry(post) + " .actions > a[href$='/menu']:not(.is-open), " + entry(post) + " .actions > .menu > summary")
	tb.sees("the menu", fmt.Sprintf("!!document.querySelector('%s .menu-box')", entry(post)))
}

// says waits until the form has this sentence about the readers of the post.
func (tb *tab) says(sentence string) {
	tb.Helper()
	tb.sees(fmt.Sprintf("%q", sentence), fmt.Sprintf("document.querySelector('.seen-by-says').innerText === %s", quote(sentence)))
}

func keepAndHide(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "worth keeping")
	s.shown()
	ann, bob := b.person(s, "ann"), b.person(s, "bob")
	ann.live("/ann")
	bob.live("/ann")
	bob.click(act(post, "favs"))
	bob.sees("the button that undoes it", fmt.Sprintf("document.querySelector(%s).ariaLabel === 'Unfavourite 1'", quote(act(post, "favs"))))
	ann.sees("how many keep the post", fmt.Sprintf("document.querySelector(%s).innerText.endsWith('1')", quote(act(post, "favs"))))
	bob.openMenu(post)
	bob.click(act(post, "hide"))
	bob.reads("Show again")
	bob.missesText("worth keeping")
	bob.same()
	bob.live("/filter/favs")
	bob.reads("Show again")
	bob.click(act(post, "hide"))
	bob.reads("worth keeping")
	bob.click(act(post, "favs"))
	bob.missesText("worth keeping")
	bob.same()
	ann.sees("that no one keeps the post", fmt.Sprintf("!/[0-9]/.test(document.querySelector(%s).innerText)", quote(act(post, "favs"))))
	ann.same()
}

func moveAway(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "said too early")
	s.shown()
	ann, bob := b.person(s, "ann"), b.person(s, "bob")
	bob.live("/ann")
	ann.open(fmt.Sprintf("/ann/%d/edit", post))
	ann.click("input[value='user_fyeo']")
	ann.says("Only you will see this. 1 person, and everyone who is not signed in, will no longer see it.")
	ann.same()
	if value[bool](ann, "document.querySelector('input[type=checkbox][value=user]').checked") {
		t.Error("the feed is still chosen beside the author's eyes only")
	}
	ann.leave("form .primary")
	bob.missesText("said too early")
	bob.same()
	ann.reads("said too early")
	ann.reads("only you")
}

func saysWhileChoosing(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob", "carl")
	_, err := s.store.Subscribe(t.Context(), s.ids["bob"], timeline.FeedName{Name: "ann"}, timeline.SubscribeOptions{})
	s.must(err)
	ann := b.person(s, "ann")
	ann.live("/")
	ann.enter("#post-form textarea", "half a thought")
	ann.click("#post-form .seen-by-ask")
	ann.says("Everyone will see this.")
	ann.click("#post-form details.post-to > summary")
	ann.click("#post-form input[value='user']")
	ann.says("Choose where it goes.")
	ann.click("#post-form input[value='user_private']")
	ann.says("Only you will see this.")
	ann.same()
	ann.open("/settings/privacy")
	ann.click("input[name='user[status]'][value='private']")
	ann.says("1 person will see your feed. 1 person, and everyone who is not signed in, will no longer see it.")
	ann.same()
}

func saysWithoutScript(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	ann := b.person(s, "ann")
	ann.withoutScript()
	ann.open("/")
	ann.enter("#post-form textarea", "half a thought")
	ann.leave("#post-form .seen-by-ask")
	ann.has("Everyone will see this.", "half a thought")
	ann.leave("#post-form .primary")
	ann.has("half a thought")
	ann.open("/settings/privacy")
	ann.click("input[name='user[status]'][value='fyeo']")
	ann.leave(".seen-by-ask")
	ann.has("Only you will see your feed. 1 person, and everyone who is not signed in, will no longer see it.")
	ann.leave("form .form-acts .primary")
	bob := b.person(s, "bob")
	bob.open("/ann")
	bob.lacks("half a thought")
}

func hideComments(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob", "carl")
	post := s.post("ann", "a post")
	s.comment("carl", post, "something tiresome")
	s.shown()
	bob, other := b.person(s, "bob"), b.person(s, "bob")
	bob.live("/ann")
	bob.reads("something tiresome")
	other.open("/carl")
	other.click(".subject details.menu > summary")
	other.leave(".subject form[action$='/hide_comments.json'] button")
	bob.reads("a hidden comment by carl")
	bob.missesText("something tiresome")
	bob.click(entry(post) + " .comment-folded > summary")
	bob.reads("something tiresome")
	other.open("/settings/people")
	other.leave("form[action='/api/v1/users/carl/hide_comments.json'] button")
	bob.missesText("a hidden comment by carl")
	bob.reads("something tiresome")
	bob.same()
}

func addToDirect(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob", "carl")
	post, err := s.store.CreatePost(t.Context(), s.ids["ann"], timeline.NewPost{To: []string{"direct:bob"}, Text: "between us"})
	s.must(err)
	s.shown()
	ann, carl := b.person(s, "ann"), b.person(s, "carl")
	ann.live("/filter/directs")
	carl.live("/filter/directs")
	ann.openMenu(post)
	ann.enter(entry(post)+" input[name=to]", "carl")
	ann.click(act(post, "recipients"))
	carl.reads("between us")
	ann.reads("direct message to bob and carl")
	ann.sees("that the menu closed", "!document.querySelector('#river details.menu[open]')")
	ann.same()
	carl.openMenu(post)
	carl.click(entry(post) + " .menu-box details.confirm > summary")
	carl.click(act(post, "recipients"))
	carl.missesText("between us")
	carl.same()
	ann.missesText("carl")
}
