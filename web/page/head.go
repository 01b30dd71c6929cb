package page

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// Tab is one of the pages about a person.
type Tab string

// The tabs of a person's page.
const (
	TabPosts    Tab = "posts"
	TabPrivate  Tab = "private"
	TabCalendar Tab = "calendar"
	TabComments Tab = "comments"
	TabLikes    Tab = "likes"
	TabPeople   Tab = "people"
)

// Following is how somebody stands to a feed that he can subscribe to.
type Following struct {
	Subscribed  bool
	ForwardOnly bool   // subscribed to what is new alone
	Requested   bool   // asked to subscribe, and not answered yet
	Invitation  string // the uuid of an invitation that waits for his answer
	Barred      bool   // excluded from it: he can neither subscribe nor ask
}

// Relation is how the viewer stands to a person or a group.
type Relation struct {
	Self bool // it is the viewer
	// To the feed, as in Following.
	Subscribed, ForwardOnly, Requested bool
	Invitation                         string
	Barred                             bool

	Private         Following // to the private sub-feed of a person
	Banned          bool      // by the viewer
	Excluded        bool      // by the viewer from his feed
	HidesPosts      bool      // the viewer hides the person's posts
	HidesComments   bool
	SubscribedToYou bool
	Admin           bool // the viewer administers the group
	Lists           []ListChoice
}

// feed is how the viewer stands to the feed itself.
func (r Relation) feed() Following {
	return Following{Subscribed: r.Subscribed, ForwardOnly: r.ForwardOnly, Requested: r.Requested, Invitation: r.Invitation, Barred: r.Barred}
}

// Counts are the numbers shown about a person or a group; nil: not known.
type Counts struct {
	Subscribers, Subscriptions *int
}

// UserHead is the top of the pages about a person.
type UserHead struct {
	Card     *timeline.UserCard
	Counts   Counts
	Relation Relation
	Tab      Tab
	Signed   bool   // somebody is signed in: offer to subscribe
	Closed   bool   // the viewer may not read it: no tabs
	ReturnTo string // where its forms lead back to
}

// GroupHead is the top of a group's page.
type GroupHead struct {
	Card     *timeline.GroupCard
	Counts   Counts
	Relation Relation
	Admins   []*timeline.UserCard
	Signed   bool
	Closed   bool
	ReturnTo string
}

// standing is what a status means, for people: the icon's name (and the class
// that browser extensions look for), and words.
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

// asks says whether subscribing is by request.
func asks(status string) bool { return status == "private" || status == "protected" }

func (h *GroupHead) admins() []named {
	all := make([]named, len(h.Admins))
	for i, card := range h.Admins {
		all[i] = namedUser(card)
	}
	return all
}

// tabs are the pages about the person that the viewer may look at.
func (h *UserHead) tabs(words catalogue.Language) []Choice {
	own := NamePath(h.Card.Name)
	all := []Choice{{Text: words.HeadPosts(), Href: own, Current: h.Tab == TabPosts}}
	if h.Relation.Self || h.Relation.Private.Subscribed {
		all = append(all, Choice{Text: words.HeadPrivate(), Href: own + "/private", Current: h.Tab == TabPrivate})
	}
	return append(all,
		Choice{Text: words.HeadComments(), Href: own + "/comments", Current: h.Tab == TabComments},
		Choice{Text: words.HeadLikes(), Href: own + "/likes", Current: h.Tab == TabLikes},
		Choice{Text: words.HeadCalendar(), Href: CalendarPath(h.Card.Name), Current: h.Tab == TabCalendar})
}

func (h *UserHead) name() string { return namedUser(h.Card).Text }

// main is the deed that stands before all others: to subscribe, to answer an
// invitation, to take a request back, to leave.
func (h *UserHead) main(words catalogue.Language) []deed {
	called := verbs{words.HeadSubscribe(), words.HeadAskSubscribe(), words.HeadUnsubscribe(), words.HeadWithdraw()}
	if h.Card.Status == "fyeo" {
		return nil // nobody subscribes to it
	}
	return following(words, userAPI(h.Card.Name)+"/subscribers.json", h.Relation.feed(), asks(h.Card.Status), called, h.ReturnTo)
}

func (h *GroupHead) main(words catalogue.Language) []deed {
	called := verbs{words.HeadJoin(), words.HeadAskJoin(), words.HeadLeave(), words.HeadWithdraw()}
	mustAsk := asks(h.Card.Status) || h.Card.Joining == "request"
	return following(words, groupAPI(h.Card.Name)+"/subscribers.json", h.Relation.feed(), mustAsk, called, h.ReturnTo)
}

// verbs are what subscribing is called.
type verbs struct{ join, ask, leave, withdraw string }

// following are the buttons that fit how the viewer stands to a feed.
func following(words catalogue.Language, api string, f Following, asks bool, called verbs, back string) []deed {
	switch {
	case f.Subscribed:
		return []deed{away(called.leave, api, back)}
	case f.Invitation != "":
		return []deed{
			{Label: words.HeadAccept(), Class: "primary", Action: invitationAPI(f.Invitation), Method: "PUT", ReturnTo: back},
			away(words.HeadDecline(), invitationAPI(f.Invitation), back),
		}
	case f.Requested:
		return []deed{away(called.withdraw, api, back)}
	case f.Barred:
		return nil
	case asks:
		return []deed{{Label: called.ask, Class: "primary", Action: api, ReturnTo: back}}
	}
	return []deed{{Label: called.join, Class: "primary", Action: api, ReturnTo: back}}
}

// since are the choices of what a subscription brings: all there is, or what
// comes from now on.
// called are the buttons of who does not subscribe yet.
func since(words catalogue.Language, api string, f Following, asks bool, main []deed, called verbs, back string) []deed {
	policy := func(label, hint, method, on string) []deed {
		return []deed{{Label: label, Hint: hint, Class: "link", Action: api, Method: method, ReturnTo: back, Fields: []sending{{"forward_only", on}}}}
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

// direct is the page on which a direct message is written to the person; empty
// where there is none.
func (h *UserHead) direct() string {
	if h.Relation.Banned {
		return ""
	}
	return DirectsPath + "?to=" + url.QueryEscape(h.Card.Name)
}

// menu is what else can be done about a person.
func (h *UserHead) menu(words catalogue.Language) []deed {
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
	hide := onOff(r.HidesPosts, api+"/hide.json", back,
		deed{Label: words.HeadHidePosts(), Class: "link", Hint: words.HeadHidePostsHint()}, deed{Label: words.HeadUnhidePosts(), Class: "link"})
	comments := onOff(r.HidesComments, api+"/hide_comments.json", back,
		deed{Label: words.HeadHideComments(), Class: "link", Hint: words.HeadHideCommentsHint()}, deed{Label: words.HeadUnhideComments(), Class: "link"})
	exclude := onOff(r.Excluded, api+"/exclusion.json", back,
		deed{Label: words.HeadBlock(), Ask: words.HeadBlockAsk(h.name()), Sure: words.HeadBlockSure()},
		deed{Label: words.HeadUnblock(), Class: "link"})
	ban := deed{Label: words.HeadBan(), Ask: words.HeadBanAsk(h.name()), Sure: words.HeadBanSure(), Action: api + "/ban.json", ReturnTo: back}
	return append(all, hide, comments, exclude, ban)
}

// menu is what else can be done about a group.
func (h *GroupHead) menu(words catalogue.Language) []deed {
	return since(words, groupAPI(h.Card.Name)+"/subscribers.json", h.Relation.feed(), asks(h.Card.Status) || h.Card.Joining == "request", h.main(words),
		verbs{join: words.HeadJoinNew(), ask: words.HeadAskJoinNew()}, h.ReturnTo)
}

func invitationAPI(uuid string) string { return "/api/v1/invitations/" + pathPart(uuid) + ".json" }

// marks say what the viewer did about the person, and how he subscribes.
func (h *UserHead) marks(words catalogue.Language) string {
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

// capital begins a sentence.
func capital(words string) string {
	if words == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[size:]
}
