package web

import (
	"context"
	"errors"
	"maps"
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// showSubscribers lists the subscribers of a person or a group.
func (s *Server) showSubscribers(w http.ResponseWriter, q *request) error {
	l := listing{heading: q.words.RequestSubscribers(), empty: q.words.RequestSubscribersNone(), kept: true}
	err := s.fillListing(q, &l, func(ctx context.Context, name string) (err error) {
		l.people, err = s.store.Subscribers(ctx, q.who.User, name)
		return err
	})
	if err != nil {
		return err
	}
	body := map[string]any{"subscribers": mokum.NotNil(l.people), "banned_subscribers": []timeline.UserID{}}
	if l.whose.User != 0 && l.whose.User == q.who.User && !q.html {
		banned, err := s.bannedBy(q, &l)
		if err != nil {
			return err
		}
		body["banned_subscribers"] = banned
	}
	return s.answerList(w, q, &l, body)
}

// bannedBy returns the people the visitor bans, and adds their cards to a list. A ban ends
// a subscription, so these people are no subscribers, but Mokum lists them beside the
// subscribers.
func (s *Server) bannedBy(q *request, l *listing) ([]timeline.UserID, error) {
	banned, err := s.store.Banned(q.Context(), q.who.User)
	if err != nil {
		return nil, err
	}
	more, err := s.cards(q.Context(), banned, nil)
	if err != nil {
		return nil, err
	}
	maps.Copy(l.cards.Users, more.Users)
	return mokum.NotNil(banned), nil
}

// showSubscriptions lists the people and groups to which a person subscribes.
func (s *Server) showSubscriptions(w http.ResponseWriter, q *request) error {
	l := listing{heading: q.words.RequestSubscriptions(), empty: q.words.RequestSubscriptionsNone()}
	err := s.fillListing(q, &l, func(ctx context.Context, name string) (err error) {
		l.people, l.groups, err = s.store.Subscriptions(ctx, q.who.User, name)
		return err
	})
	if err != nil {
		return err
	}
	if q.Header.Get("Accept") == "application/json" && l.whose.User == q.who.User && q.who.signedIn() {
		return s.answerList(w, q, &l, s.subscriptionsOf2016(q, &l))
	}
	return s.answerList(w, q, &l, map[string]any{"subscriptions": mokum.NotNil(l.people), "group_subscriptions": mokum.NotNil(l.groups)})
}

// subscriptionsOf2016 returns the visitor's own subscriptions in the shape of 2016: people and
// groups themselves in place of their ids. Clients of that year accept JSON and nothing else,
// and read their own list alone.
func (s *Server) subscriptionsOf2016(q *request, l *listing) map[string]any {
	type person struct {
		User   mokum.User `json:"user"`
		Mutual bool       `json:"mutual"`
	}
	type group struct {
		Group mokum.Group `json:"group"`
	}
	users, groups := l.cards.Shapes(l.sets)
	users.MarkSubscribers(s.subscribersOf(q, users.IDs()))
	people, joined := []person{}, []group{}
	for _, id := range l.people {
		if shown, known := users[mokum.IDText(id)]; known {
			people = append(people, person{shown, shown.SubscribedToYou})
		}
	}
	for _, id := range l.groups {
		if shown, known := groups[mokum.IDText(id)]; known {
			joined = append(joined, group{shown})
		}
	}
	return map[string]any{"subscriptions": people, "group_subscriptions": joined}
}

// A listing is a list of people and groups on the page of a person or group.
type listing struct {
	heading, empty string
	kept           bool // the page's owner decides about the list: it is a list of subscribers
	whose          address.Owner
	people         []timeline.UserID
	groups         []timeline.GroupID

	sets  *timeline.Sets // of the visitor
	cards mokum.Cards
}

// fillListing fills a list for the owner the path names: the ids by read, then the
// cards of the people and groups, of the owner and of the visitor.
func (s *Server) fillListing(q *request, l *listing, read func(ctx context.Context, name string) error) (err error) {
	ctx := q.Context()
	if l.whose, err = s.addresses.Names.Lookup(ctx, q.param("name")); err != nil {
		return err
	}
	if err := read(ctx, l.whose.Name); err != nil {
		return s.closedList(q, l.whose, err)
	}
	if err := l.whose.AskedAs(q.askedName()); err != nil {
		return err
	}
	if l.sets, l.cards, err = s.setsAndCards(ctx, q.who.User, l.whose); err != nil {
		return err
	}
	more, err := s.cards(ctx, l.people, l.groups)
	if err != nil {
		return err
	}
	maps.Copy(l.cards.Users, more.Users)
	maps.Copy(l.cards.Groups, more.Groups)
	return nil
}

// closedList returns the error for a list that the visitor can't read. If the owner banned the
// visitor, the error is the same as for a person who does not exist.
func (s *Server) closedList(q *request, whose address.Owner, err error) error {
	if errors.Is(err, timeline.ErrForbidden) && whose.User != 0 && q.who.signedIn() {
		sets, _, lost := s.setsAndCards(q.Context(), q.who.User, whose)
		if lost != nil {
			return lost
		}
		if mine, banned := sets.Bans[whose.User]; banned && !mine {
			return timeline.ErrNotFound
		}
	}
	return s.closed(q, whose, err)
}

// answerList serves a list; body is the JSON besides the cards.
func (s *Server) answerList(w http.ResponseWriter, q *request, l *listing, body map[string]any) error {
	if q.html {
		m, err := s.peopleModel(q, l)
		if err != nil {
			return err
		}
		return s.page(w, q, http.StatusOK, page.People(m))
	}
	users, groups := l.cards.Shapes(l.sets)
	users.MarkSubscribers(s.subscribersOf(q, users.IDs()))
	body["users"], body["groups"] = users, groups
	s.json(w, q, http.StatusOK, body)
	return nil
}

func (s *Server) peopleModel(q *request, l *listing) (page.PeopleModel, error) {
	m := page.PeopleModel{Shell: s.shell(q, q.words.KindTitleDay(l.whose.Name, l.heading)), Heading: l.heading, Empty: l.empty}
	if m.Viewer != nil {
		m.Viewer.Requests = l.sets.Incoming
	}
	signed, back := q.who.signedIn(), q.ownAddress()
	counts, stands := s.counts.headCounts(q.Context(), l.sets, l.whose).shown(), s.relation(q, l.sets, l.whose)
	if card := l.cards.Users[l.whose.User]; card != nil {
		m.Head = &page.UserHead{Card: card, Counts: counts, Relation: stands, Tab: page.TabPeople, Signed: signed, ReturnTo: back}
	}
	if card := l.cards.Groups[l.whose.Group]; card != nil {
		if l.kept {
			m.Heading, m.Empty = q.words.RequestMembers(), q.words.RequestMembersNone()
		}
		m.Group = &page.GroupHead{Card: card, Counts: counts, Relation: stands, Signed: signed, ReturnTo: back}
	}
	for _, id := range l.people {
		if card := l.cards.Users[id]; card != nil {
			m.Users = append(m.Users, card)
		}
	}
	for _, id := range l.groups {
		if card := l.cards.Groups[id]; card != nil {
			m.Groups = append(m.Groups, card)
		}
	}
	if l.kept && (stands.Self || stands.Admin) {
		m.Manager = &page.Manager{Self: q.who.User, Name: l.whose.Name, Group: stands.Admin}
	}
	return m, s.admins(q, &m)
}

// admins adds the administrators of the page's group.
func (s *Server) admins(q *request, m *page.PeopleModel) error {
	if m.Group == nil {
		return nil
	}
	admins, err := s.store.Admins(q.Context(), q.who.User, m.Group.Card.Name)
	if err != nil {
		return err
	}
	if m.Manager != nil {
		m.Manager.Admins = make(map[timeline.UserID]bool, len(admins))
		for _, id := range admins {
			m.Manager.Admins[id] = true
		}
	}
	m.Group.Admins, err = s.shown(q, admins)
	return err
}
