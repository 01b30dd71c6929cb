package address

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/cache"
)

const (
	// namesHeld bounds how many names are remembered.
	namesHeld = 50_000
	// nameFresh is how long the present name of an account is used without asking the
	// primary, if no river confirms it.
	nameFresh = time.Second
)

// An Owner is the person or group that a name belongs to, with the timelines to which
// others subscribe: the feed and, of a person, the private sub-feed. Name is the present
// name, even if the owner was asked for by an old one.
type Owner struct {
	timeline.Named
	Feed, Private timeline.TimelineID
}

// TheirID returns the id that the owner's timelines and rivers have.
func (o Owner) TheirID() int64 {
	if o.Group != 0 {
		return int64(o.Group)
	}
	return int64(o.User)
}

// Account returns the part of the owner that never changes.
func (o Owner) Account() Account { return Account{o.User, o.Group} }

// AskedAs returns a [MovedError] unless the name is the owner's present one.
func (o Owner) AskedAs(name string) error {
	if o.Name == name {
		return nil
	}
	return &MovedError{o.Name}
}

// An Account is a person or a group; the other id is 0.
type Account struct {
	User  timeline.UserID
	Group timeline.GroupID
}

// A MovedError reports that the owner of a page has another name now.
type MovedError struct{ Name string }

func (e *MovedError) Error() string { return "is called " + e.Name + " now" }

// Names caches which account each name belongs to. A name belongs to one account for ever, even
// after the account took another name, so this part never becomes outdated. The present name of an
// account may change on any node, and the account may be deleted: this part is cached separately,
// and used
//
//   - on pages of rivers as long as the node's own card of the account has the same name,
//     so that a popular page costs no query, and a new name is shown as soon as the node
//     knows it ([Names.CheckName]);
//   - elsewhere for a second ([Names.Lookup]).
//
// A [Resolver] has one Names.
type Names struct {
	store  Store
	now    func() time.Time
	whose  *cache.Cache[string, Owner]
	called *cache.Cache[Account, string]
}

func newNames(store Store, now func() time.Time) *Names {
	return &Names{store, now, cache.New[string, Owner](namesHeld), cache.New[Account, string](namesHeld)}
}

// Held returns the cached owner of a name, however old, and reports whether the name is cached.
// It never asks the primary.
func (n *Names) Held(name string) (Owner, bool) {
	found, _, ok := n.held(strings.ToLower(name))
	return found, ok
}

// held returns the cached owner of a name in lower case, and the time of the owner's
// present name.
func (n *Names) held(name string) (Owner, time.Time, bool) {
	found, _, ok := n.whose.Get(name)
	if !ok {
		return Owner{}, time.Time{}, false
	}
	called, at, ok := n.called.Get(found.Account())
	if !ok {
		return Owner{}, time.Time{}, false
	}
	found.Name = called
	return found, at, true
}

func (n *Names) put(name string, found Owner, at time.Time) {
	n.whose.Put(name, found, at)
	n.called.Put(found.Account(), found.Name, at)
}

// Forget drops the present name of an account, so that the primary is asked again for the
// name and whether the account exists.
func (n *Names) Forget(whose Account) { n.called.Drop(whose) }

// Lookup returns the owner of a name as of at most a second ago. While the primary is
// unavailable, Lookup returns the cached owner.
func (n *Names) Lookup(ctx context.Context, name string) (Owner, error) {
	held, at, ok := n.held(strings.ToLower(name))
	if ok && n.now().Sub(at) < nameFresh {
		return held, nil
	}
	found, err := n.LookupNow(ctx, name)
	if ok && errors.Is(err, timeline.ErrUnavailable) {
		return held, nil
	}
	return found, err
}

// lookupHeld returns the cached owner, however old, for a page of a river: [Names.CheckName] then
// corrects an outdated name. It asks the primary only if the name is not cached.
func (n *Names) lookupHeld(ctx context.Context, name string) (Owner, error) {
	if held, ok := n.Held(name); ok {
		return held, nil
	}
	return n.LookupNow(ctx, name)
}

// LookupNow reads the owner of a name from the primary.
func (n *Names) LookupNow(ctx context.Context, name string) (Owner, error) {
	name = strings.ToLower(name)
	at := n.now()
	held, _, known := n.whose.Get(name)
	named, err := n.store.Lookup(ctx, name)
	if err != nil {
		if known && errors.Is(err, timeline.ErrNotFound) {
			n.Forget(held.Account())
		}
		return Owner{}, fmt.Errorf("owner of the page: %w", err)
	}
	found := Owner{named, held.Feed, held.Private}
	if !known || found.Account() != held.Account() {
		if found.Feed, found.Private, err = n.store.FeedsOf(ctx, named); err != nil {
			return Owner{}, fmt.Errorf("owner of the page: %w", err)
		}
	}
	n.put(name, found, at)
	return found, nil
}

// CheckName compares the name by which a page was asked for with the name in the owner's
// card, as the page's river has it: called, empty if the river has no card, and gone if
// the owner was deleted. If they differ, the primary decides. Afterwards the address has
// the owner's present name; for a page that was asked for by an old name, CheckName returns
// a [MovedError].
func (n *Names) CheckName(ctx context.Context, a *Address, asked, called string, gone bool) error {
	switch {
	case gone:
		n.Forget(a.Owner.Account())
		return timeline.ErrNotFound
	case called == "":
		called = a.Owner.Name
	}
	if called != asked {
		found, err := n.LookupNow(ctx, asked)
		switch {
		case err == nil:
			called = found.Name // the node of the river may be behind
		case !errors.Is(err, timeline.ErrUnavailable):
			return err
		}
	}
	if called != a.Owner.Name {
		a.Path = "/" + called + strings.TrimPrefix(a.Path, "/"+a.Owner.Name)
		a.Owner.Name = called
		n.put(asked, a.Owner, time.Time{})
	}
	return a.Owner.AskedAs(asked)
}
