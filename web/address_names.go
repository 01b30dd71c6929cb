package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"amstel.dev/amstel/timeline"
)

const (
	// namesHeld bounds how many names are remembered.
	namesHeld = 50_000
	// nameFresh is how long what an account is called is believed without a look
	// at the primary, where nothing else would tell.
	nameFresh = time.Second
)

// owner is whom a name belongs to, with the timelines that one subscribes to: the
// feed, and a person's private sub-feed. Its Name is what he is called now,
// whatever he was asked for by.
type owner struct {
	timeline.Named
	feed, private timeline.TimelineID
}

// theirID is the id by which the owner's timelines and rivers go.
func (o owner) theirID() int64 {
	if o.Group != 0 {
		return int64(o.Group)
	}
	return int64(o.User)
}

// account is the owner without what may change about him.
func (o owner) account() account { return account{o.User, o.Group} }

// account is a person or a group.
type account struct {
	user  timeline.UserID
	group timeline.GroupID
}

// names remember whose each name is. A name belongs to one account for ever,
// also when that is called otherwise by now, so that is true for as long as it is
// remembered. What an account is called now may change on any node, and it may be
// gone: that is remembered apart, and believed
//
//   - on pages of rivers as long as the node's own card of the account has the
//     same name, so that a hot page costs no query, and a new name is shown as
//     soon as the node knows of it ([Server.settle]);
//   - elsewhere for a second ([Server.lookup]).
type names struct {
	whose  *bounded[string, owner]
	called *bounded[account, called]
}

// called is what an account is called, as of a time.
type called struct {
	name string
	at   time.Time
}

func newNames() names {
	return names{newBounded[string, owner](namesHeld), newBounded[account, called](namesHeld)}
}

// get finds whose a name is, as far as that is remembered, and since when.
func (n names) get(name string) (owner, time.Time, bool) {
	found, held := n.whose.get(name)
	if !held {
		return owner{}, time.Time{}, false
	}
	now, held := n.called.get(found.account())
	if !held {
		return owner{}, time.Time{}, false
	}
	found.Name = now.name
	return found, now.at, true
}

func (n names) put(name string, found owner, at time.Time) {
	n.whose.put(name, found)
	n.called.put(found.account(), called{found.Name, at})
}

// forget has what an account is called, and whether it is there, asked anew.
func (n names) forget(user timeline.UserID, group timeline.GroupID) {
	n.called.drop(account{user, group})
}

// lookup finds whom a name belongs to, as it was at most a second ago. While the
// primary is away, what is remembered has to do.
func (s *Server) lookup(ctx context.Context, name string) (owner, error) {
	name = strings.ToLower(name)
	held, at, is := s.names.get(name)
	if is && s.now().Sub(at) < nameFresh {
		return held, nil
	}
	found, err := s.lookupNow(ctx, name)
	if is && errors.Is(err, timeline.ErrUnavailable) {
		return held, nil
	}
	return found, err
}

// lookupHeld is lookup for who will settle the name with the card of a river: it
// answers what is remembered, however old.
func (s *Server) lookupHeld(ctx context.Context, name string) (owner, error) {
	name = strings.ToLower(name)
	if held, _, is := s.names.get(name); is {
		return held, nil
	}
	return s.lookupNow(ctx, name)
}

// lookupNow asks the primary; the name is in lower case.
func (s *Server) lookupNow(ctx context.Context, name string) (owner, error) {
	at := s.now()
	held, known := s.names.whose.get(name)
	named, err := s.store.Lookup(ctx, name)
	if err != nil {
		if known && errors.Is(err, timeline.ErrNotFound) {
			s.names.forget(held.User, held.Group)
		}
		return owner{}, fmt.Errorf("whose page: %w", err)
	}
	found := owner{Named: named, feed: held.feed, private: held.private}
	if !known || found.account() != held.account() {
		if found.feed, found.private, err = s.feedsOf(ctx, found); err != nil {
			return owner{}, fmt.Errorf("whose page: %w", err)
		}
	}
	s.names.put(name, found, at)
	return found, nil
}

// feedsOf finds the timelines that one subscribes to.
func (s *Server) feedsOf(ctx context.Context, whose owner) (feed, private timeline.TimelineID, err error) {
	snapshot, err := s.store.Snapshot(ctx)
	if err != nil {
		return 0, 0, err
	}
	defer snapshot.Close()
	kinds := []timeline.What{timeline.WhatUser, timeline.WhatUserPrivate}
	if whose.Group != 0 {
		kinds = []timeline.What{timeline.WhatGroup}
	}
	timelines, err := snapshot.TimelinesOf(ctx, whose.theirID(), kinds...)
	for id, t := range timelines {
		if t.What == timeline.WhatUserPrivate {
			private = id
		} else {
			feed = id
		}
	}
	return feed, private, err
}

// self is who asks, as the owner of his pages.
func (s *Server) self(q *request) (owner, error) { return s.lookup(q.Context(), q.who.Name) }

// settle holds the name that a page was asked for by against what its river says
// its owner is called. Where that is another the primary knows best; a page that
// was asked for by an old name is [movedError].
func (s *Server) settle(ctx context.Context, v *visited, asked string) error {
	name, gone := v.called()
	switch {
	case gone:
		s.names.forget(v.place.owner.User, v.place.owner.Group)
		return timeline.ErrNotFound
	case name == "":
		name = v.place.owner.Name // its card is missing
	}
	if name != asked {
		found, err := s.lookupNow(ctx, asked)
		switch {
		case err == nil:
			name = found.Name // this node may be behind
		case !errors.Is(err, timeline.ErrUnavailable):
			return err
		}
	}
	if name != v.place.owner.Name {
		v.place.path = "/" + name + strings.TrimPrefix(v.place.path, "/"+v.place.owner.Name)
		v.place.owner.Name = name
		s.names.put(asked, v.place.owner, time.Time{})
	}
	return v.place.owner.askedAs(asked)
}

// askedAs is [movedError] unless the name is the owner's present one.
func (o owner) askedAs(name string) error {
	if o.Name == name {
		return nil
	}
	return &movedError{o.Name}
}

// movedError says what the owner of what was asked for is called now. It is
// answered by leading on to there.
type movedError struct{ name string }

func (e *movedError) Error() string { return "is called " + e.name + " now" }

// called is what the river says its owner is called, and whether he is gone; no
// name where it doesn't say.
func (v *visited) called() (name string, gone bool) {
	if card := v.view.Users[v.place.owner.User]; v.place.owner.User != 0 && card != nil {
		return card.Name, card.Status == timeline.StatusDeleted
	}
	if card := v.view.Groups[v.place.owner.Group]; v.place.owner.Group != 0 && card != nil {
		return card.Name, card.Status == timeline.StatusDeleted
	}
	return "", false
}

// askedName is the name that the request's path begins with, as names are written.
func (q *request) askedName() string {
	name, _, _ := strings.Cut(strings.TrimPrefix(pagePath(q.Request), "/"), "/")
	return strings.ToLower(name)
}

// leadOn answers what was asked for under an old name with the same address
// under the present one. That may be the old one again some day, so nobody is to
// remember this for good.
func leadOn(w http.ResponseWriter, q *request, name string) {
	_, rest, more := strings.Cut(strings.TrimPrefix(pagePath(q.Request), "/"), "/")
	to := url.URL{Path: "/" + name, RawQuery: q.URL.RawQuery}
	if more {
		to.Path += "/" + rest
	}
	if strings.HasSuffix(q.URL.Path, ".json") {
		to.Path += ".json"
	}
	w.Header().Set("Cache-Control", "no-cache")
	http.Redirect(w, q.Request, to.String(), http.StatusMovedPermanently)
}
