package page

import (
	"net/url"
	"strings"

	"amstel.dev/amstel/timeline"
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

func standingOf(status string, group bool) standing {
	switch status {
	case "private":
		if group {
			return standing{"lock", "fa-lock", "Private group: only members read it"}
		}
		return standing{"lock", "fa-lock", "Private feed: only approved subscribers read it"}
	case "protected":
		if group {
			return standing{"shield", "fa-shield", "Protected group: only people who are signed in read it"}
		}
		return standing{"shield", "fa-shield", "Protected feed: only people who are signed in read it"}
	case "fyeo":
		return standing{"eye", "fa-eye", "For your eyes only"}
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
func (h *UserHead) tabs() []Choice {
	own := NamePath(h.Card.Name)
	all := []Choice{{Text: "Posts", Href: own, Current: h.Tab == TabPosts}}
	if h.Relation.Self || h.Relation.Private.Subscribed {
		all = append(all, Choice{Text: "Private", Href: own + "/private", Current: h.Tab == TabPrivate})
	}
	return append(all,
		Choice{Text: "Comments", Href: own + "/comments", Current: h.Tab == TabComments},
		Choice{Text: "Likes", Href: own + "/likes", Current: h.Tab == TabLikes},
		Choice{Text: "Calendar", Href: CalendarPath(h.Card.Name), Current: h.Tab == TabCalendar})
}

func (h *UserHead) name() string { return namedUser(h.Card).Text }

// main is the deed that stands before all others: to subscribe, to answer an
// invitation, to take a request back, to leave.
func (h *UserHead) main() []deed {
	words := verbs{join: "Subscribe", ask: "Ask to subscribe", leave: "Unsubscribe"}
	if h.Card.Status == "fyeo" {
		return nil // nobody subscribes to it
	}
	return following(userAPI(h.Card.Name)+"/subscribers.json", h.Relation.feed(), asks(h.Card.Status), words, h.ReturnTo)
}

func (h *GroupHead) main() []deed {
	words := verbs{join: "Join", ask: "Ask to join", leave: "Leave"}
	mustAsk := asks(h.Card.Status) || h.Card.Joining == "request"
	return following(groupAPI(h.Card.Name)+"/subscribers.json", h.Relation.feed(), mustAsk, words, h.ReturnTo)
}

// verbs are what subscribing is called.
type verbs struct{ join, ask, leave string }

// following are the buttons that fit how the viewer stands to a feed.
func following(api string, f Following, asks bool, words verbs, back string) []deed {
	switch {
	case f.Subscribed:
		return []deed{away(words.leave, api, back)}
	case f.Invitation != "":
		return []deed{
			{Label: "Accept the invitation", Class: "primary", Action: invitationAPI(f.Invitation), Method: "PUT", ReturnTo: back},
			away("Decline", invitationAPI(f.Invitation), back),
		}
	case f.Requested:
		return []deed{away("Withdraw request", api, back)}
	case f.Barred:
		return nil
	case asks:
		return []deed{{Label: words.ask, Class: "primary", Action: api, ReturnTo: back}}
	}
	return []deed{{Label: words.join, Class: "primary", Action: api, ReturnTo: back}}
}

// since are the choices of what a subscription brings: all there is, or what
// comes from now on.
func since(api string, f Following, main []deed, back string) []deed {
	policy := func(label, hint, method, on string) []deed {
		return []deed{{Label: label, Hint: hint, Class: "link", Action: api, Method: method, ReturnTo: back, Fields: []sending{{"forward_only", on}}}}
	}
	switch {
	case f.Subscribed && f.ForwardOnly:
		return policy("Show at home what was there before, too", "You see only what has come since you chose so.", "PATCH", "0")
	case f.Subscribed:
		return policy("Show at home only what comes from now on", "What is there now leaves your home page.", "PATCH", "1")
	case len(main) == 1 && main[0].Method == "":
		return policy(main[0].Label+", from now on only", "Your home page gets nothing older.", "", "1")
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
func (h *UserHead) menu() []deed {
	r, api, back := h.Relation, userAPI(h.Card.Name), h.ReturnTo
	if r.Banned {
		return nil
	}
	all := since(api+"/subscribers.json", r.feed(), h.main(), back)
	for _, d := range following(api+"/private/subscribers.json", r.Private, true, verbs{ask: "Ask for the private feed", leave: "Leave the private feed"}, back) {
		d.Class = "link"
		switch {
		case r.Private.Invitation != "":
			d.Hint = "To the private feed of " + h.name() + ", for approved subscribers only."
		case !r.Private.Subscribed && !r.Private.Requested:
			d.Hint = "What " + h.name() + " posts there only approved subscribers read."
		case r.Private.Requested:
			d.Label = "Withdraw the request for the private feed"
		}
		all = append(all, d)
	}
	hide := onOff(r.HidesPosts, api+"/hide.json", back,
		deed{Label: "Hide posts", Class: "link", Hint: "They stand folded in your pages."}, deed{Label: "Show posts again", Class: "link"})
	comments := onOff(r.HidesComments, api+"/hide_comments.json", back,
		deed{Label: "Hide comments", Class: "link", Hint: "They stand folded under posts, for you alone."}, deed{Label: "Show comments again", Class: "link"})
	exclude := onOff(r.Excluded, api+"/exclusion.json", back,
		deed{Label: "Exclude from my feed", Ask: h.name() + " will not be your subscriber any more, nor comment on or like what only your feed shows. Where your feed is not public, it can't be read, either.", Sure: "Exclude"},
		deed{Label: "Let into my feed again", Class: "link"})
	ban := deed{Label: "Ban", Ask: "Ban " + h.name() + "? Neither of you will see what the other writes.", Sure: "Ban", Action: api + "/ban.json", ReturnTo: back}
	return append(all, hide, comments, exclude, ban)
}

// menu is what else can be done about a group.
func (h *GroupHead) menu() []deed {
	return since(groupAPI(h.Card.Name)+"/subscribers.json", h.Relation.feed(), h.main(), h.ReturnTo)
}

func invitationAPI(uuid string) string { return "/api/v1/invitations/" + pathPart(uuid) + ".json" }

// marks say what the viewer did about the person, and how he subscribes.
func (h *UserHead) marks() string {
	r := h.Relation
	var all []string
	for _, mark := range []struct {
		on    bool
		words string
	}{
		{r.Banned, "you banned them"},
		{r.Subscribed && r.ForwardOnly, "you subscribe to what is new alone"},
		{r.HidesPosts && !r.HidesComments, "you hide their posts"},
		{r.HidesComments && !r.HidesPosts, "you hide their comments"},
		{r.HidesPosts && r.HidesComments, "you hide their posts and comments"},
		{r.Excluded, "you exclude them from your feed"},
	} {
		if mark.on {
			all = append(all, mark.words)
		}
	}
	return capital(strings.Join(all, "; "))
}

// capital begins a sentence.
func capital(words string) string {
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:]
}
