package page

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// A Tab is one of the pages about a person or a group.
type Tab string

// The tabs. A group has those of posts and photos.
const (
	TabPosts    Tab = "posts"
	TabPrivate  Tab = "private"
	TabCalendar Tab = "calendar"
	TabPhotos   Tab = "photos"
	TabComments Tab = "comments"
	TabLikes    Tab = "likes"
	TabPeople   Tab = "people"
)

// Following is how a viewer follows a feed.
type Following struct {
	Subscribed  bool
	ForwardOnly bool   // subscribed to new posts only
	Requested   bool   // a request waits for its answer
	Invitation  string // the uuid of an open invitation of the viewer
	Barred      bool   // excluded from the feed: the viewer can't subscribe or ask to
}

// Relation is how the viewer is related to a person or a group.
type Relation struct {
	Self bool // it is the viewer
	// The viewer's relation to the feed, as in [Following].
	Subscribed, ForwardOnly, Requested bool
	Invitation                         string
	Barred                             bool

	Private         Following // to the private sub-feed of a person
	Banned          bool      // by the viewer
	Excluded        bool      // by the viewer, from their feed
	HidesPosts      bool      // the viewer hides the person's posts
	HidesComments   bool
	SubscribedToYou bool
	Admin           bool // the viewer administers the group
	SiteAdmin       bool // the viewer administers the site
	Lists           []ListChoice
}

// feed returns how the viewer follows the feed itself.
func (r Relation) feed() Following {
	return Following{Subscribed: r.Subscribed, ForwardOnly: r.ForwardOnly, Requested: r.Requested, Invitation: r.Invitation, Barred: r.Barred}
}

// Counts are the numbers beside the name of a person or a group; nil: unknown.
type Counts struct {
	Subscribers, Subscriptions *int
}

// UserHead is the top of the pages about a person.
type UserHead struct {
	Card     *timeline.UserCard
	Counts   Counts
	Relation Relation
	Tab      Tab
	Signed   bool   // the viewer is signed in and can subscribe
	Closed   bool   // the viewer may not read the feed: no tabs
	ReturnTo string // the path to which its forms return
}

// GroupHead is the top of a group's page.
type GroupHead struct {
	Card     *timeline.GroupCard
	Counts   Counts
	Relation Relation
	Tab      Tab
	Admins   []*timeline.UserCard
	Members  []*timeline.UserCard // some, whose faces are shown
	Signed   bool
	Closed   bool
	ReturnTo string
}

// A standing shows a status: by the name of an icon, by the class that browser extensions
// look for, and by words.
type standing struct{ Icon, Class, Words string }

func standingOf(words catalogue.Language, status string, group bool) standing {
	switch status {
	case "private":
		if group {
			return standing{"lock", "fa-lock", words.HeadPrivateGroup()}
		}
		return standing{"lock", "fa-lock", words.HeadPrivateFeed()}
	case "protected":
		if group {
			return standing{"shield", "fa-shield", words.HeadProtectedGroup()}
		}
		return standing{"shield", "fa-shield", words.HeadProtectedFeed()}
	case "fyeo":
		return standing{"eye", "fa-eye", words.HeadFyeo()}
	}
	return standing{}
}

// asks reports whether subscribing needs a request.
func asks(status string) bool { return status == "private" || status == "protected" }

func (h *GroupHead) admins() []named {
	all := make([]named, len(h.Admins))
	for i, card := range h.Admins {
		all[i] = namedUser(card)
	}
	return all
}

// tabs returns the pages about the person that the viewer may see.
func (h *UserHead) tabs(words catalogue.Language) []PickerLink {
	own := NamePath(h.Card.Name)
	all := []PickerLink{{Text: words.HeadPosts(), Href: own, Current: h.Tab == TabPosts}}
	if h.Relation.Self || h.Relation.Private.Subscribed {
		all = append(all, PickerLink{Text: words.HeadPrivate(), Href: own + "/private", Current: h.Tab == TabPrivate})
	}
	return append(all,
		photosTab(words, own, h.Tab),
		PickerLink{Text: words.HeadComments(), Href: own + "/comments", Current: h.Tab == TabComments},
		PickerLink{Text: words.HeadLikes(), Href: own + "/likes", Current: h.Tab == TabLikes},
		PickerLink{Text: words.HeadCalendar(), Href: CalendarPath(h.Card.Name), Current: h.Tab == TabCalendar})
}

// tabs returns the pages about the group.
func (h *GroupHead) tabs(words catalogue.Language) []PickerLink {
	own := NamePath(h.Card.Name)
	return []PickerLink{{Text: words.HeadPosts(), Href: own, Current: h.Tab == TabPosts}, photosTab(words, own, h.Tab)}
}

// photosTab returns the link to the posts with photos below the path of a person or a group.
func photosTab(words catalogue.Language, own string, current Tab) PickerLink {
	return PickerLink{Text: words.HeadPhotos(), Href: own + "/photos", Current: current == TabPhotos}
}

func (h *UserHead) name() string { return namedUser(h.Card).Text }

// main returns the first action about a person: to subscribe, to answer an invitation, to
// withdraw a request, to unsubscribe.
func (h *UserHead) main(words catalogue.Language) []actionForm {
	called := verbs{words.HeadSubscribe(), words.HeadAskSubscribe(), words.HeadUnsubscribe(), words.HeadWithdraw()}
	if h.Card.Status == "fyeo" {
		return nil // no account can subscribe to it
	}
	return following(words, userAPI(h.Card.Name)+"/subscribers.json", h.Relation.feed(), asks(h.Card.Status), called, h.ReturnTo)
}

func (h *GroupHead) main(words catalogue.Language) []actionForm {
	called := verbs{words.HeadJoin(), words.HeadAskJoin(), words.HeadLeave(), words.HeadWithdraw()}
	mustAsk := asks(h.Card.Status) || h.Card.Joining == "request"
	return following(words, groupAPI(h.Card.Name)+"/subscribers.json", h.Relation.feed(), mustAsk, called, h.ReturnTo)
}

// verbs are the labels of the actions around a subscription.
type verbs struct{ join, ask, leave, withdraw string }

// following returns the actions that fit how the viewer follows a feed.
func following(words catalogue.Language, api string, f Following, asks bool, called verbs, back string) []actionForm {
	switch {
	case f.Subscribed:
		return []actionForm{deleteForm(called.leave, api, back)}
	case f.Invitation != "":
		return []actionForm{
			{Label: words.HeadAccept(), Class: "primary", Action: invitationAPI(f.Invitation), Method: "PUT", ReturnTo: back},
			deleteForm(words.HeadDecline(), invitationAPI(f.Invitation), back),
		}
	case f.Requested:
		return []actionForm{deleteForm(called.withdraw, api, back)}
	case f.Barred:
		return nil
	case asks:
		return []actionForm{{Label: called.ask, Class: "primary", Action: api, ReturnTo: back}}
	}
	return []actionForm{{Label: called.join, Class: "primary", Action: api, ReturnTo: back}}
}

// since returns the actions for a viewer without a subscription: to subscribe to all posts,
// or to new posts only.
func since(words catalogue.Language, api string, f Following, asks bool, main []actionForm, called verbs, back string) []actionForm {
	policy := func(label, hint, method, on string) []actionForm {
		return []actionForm{{Label: label, Hint: hint, Class: "link", Action: api, Method: method, ReturnTo: back, Fields: []sending{{"forward_only", on}}}}
	}
	switch {
	case f.Subscribed && f.ForwardOnly:
		return policy(words.HeadShowOlder(), words.HeadShowOlderHint(), "PATCH", "0")
	case f.Subscribed:
		return policy(words.HeadOnlyNew(), words.HeadOnlyNewHint(), "PATCH", "1")
	case len(main) == 1 && main[0].Method == "":
		label := called.join
		if asks {
			label = called.ask
		}
		return policy(label, words.HeadNewHint(), "", "1")
	}
	return nil
}

// direct returns the path for writing a direct message to the person; empty if there is
// none.
func (h *UserHead) direct() string {
	if h.Relation.Banned {
		return ""
	}
	return DirectsPath + "?to=" + url.QueryEscape(h.Card.Name)
}

// menu returns the other actions about a person.
func (h *UserHead) menu(words catalogue.Language) []actionForm {
	r, api, back := h.Relation, userAPI(h.Card.Name), h.ReturnTo
	if r.Banned {
		return nil
	}
	all := since(words, api+"/subscribers.json", r.feed(), asks(h.Card.Status), h.main(words), verbs{join: words.HeadSubscribeNew(), ask: words.HeadAskSubscribeNew()}, back)
	called := verbs{ask: words.HeadAskPrivate(), leave: words.HeadLeavePrivate(), withdraw: words.HeadWithdrawPrivate()}
	for _, d := range following(words, api+"/private/subscribers.json", r.Private, true, called, back) {
		d.Class = "link"
		switch {
		case r.Private.Invitation != "":
			d.Hint = words.HeadPrivateInvitedHint(h.name())
		case !r.Private.Subscribed && !r.Private.Requested:
			d.Hint = words.HeadPrivateHint(h.name())
		}
		all = append(all, d)
	}
	hide := toggle(r.HidesPosts, api+"/hide.json", back,
		actionForm{Label: words.HeadHidePosts(), Class: "link", Hint: words.HeadHidePostsHint()}, actionForm{Label: words.HeadUnhidePosts(), Class: "link"})
	comments := toggle(r.HidesComments, api+"/hide_comments.json", back,
		actionForm{Label: words.HeadHideComments(), Class: "link", Hint: words.HeadHideCommentsHint()}, actionForm{Label: words.HeadUnhideComments(), Class: "link"})
	exclude := toggle(r.Excluded, api+"/exclusion.json", back,
		actionForm{Label: words.HeadBlock(), Ask: words.HeadBlockAsk(h.name()), Sure: words.HeadBlockSure()},
		actionForm{Label: words.HeadUnblock(), Class: "link"})
	ban := actionForm{Label: words.HeadBan(), Ask: words.HeadBanAsk(h.name()), Sure: words.HeadBanSure(), Action: api + "/ban.json", ReturnTo: back}
	return append(all, hide, comments, exclude, ban)
}

// menu returns the other actions about a group.
func (h *GroupHead) menu(words catalogue.Language) []actionForm {
	return since(words, groupAPI(h.Card.Name)+"/subscribers.json", h.Relation.feed(), asks(h.Card.Status) || h.Card.Joining == "request", h.main(words),
		verbs{join: words.HeadJoinNew(), ask: words.HeadAskJoinNew()}, h.ReturnTo)
}

func invitationAPI(uuid string) string { return "/api/v1/invitations/" + pathPart(uuid) + ".json" }

// badges returns what the viewer did about the person, and how the viewer subscribes.
func (h *UserHead) badges(words catalogue.Language) string {
	r := h.Relation
	var all []string
	for _, mark := range []struct {
		on   bool
		said string
	}{
		{r.Banned, words.HeadMarkBanned()},
		{r.Subscribed && r.ForwardOnly, words.HeadMarkNewOnly()},
		{r.HidesPosts && !r.HidesComments, words.HeadMarkHidePosts()},
		{r.HidesComments && !r.HidesPosts, words.HeadMarkHideComments()},
		{r.HidesPosts && r.HidesComments, words.HeadMarkHideBoth()},
		{r.Excluded, words.HeadMarkBlocked()},
	} {
		if mark.on {
			all = append(all, mark.said)
		}
	}
	return capital(strings.Join(all, "; "))
}

// capital returns words with a capital letter.
func capital(words string) string {
	if words == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[size:]
}
