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
	// nameFresh is how long what an account is called is believed without a look
	// at the primary, where nothing else would tell.
	nameFresh = time.Second
)

// An Owner is the person or group that a name belongs to, with the timelines that
// one subscribes to: the feed, and a person's private sub-feed. Its Name is the
// present one, by whichever name the owner was asked for.
type Owner struct {
	timeline.Named
	Feed, Private timeline.TimelineID
}

// TheirID returns the id by which the owner's timelines and rivers go.
func (o Owner) TheirID() int64 {
	if o.Group != 0 {
		return int64(o.Group)
	}
	return int64(o.User)
}

// Account returns the owner without what may change about them.
func (o Owner) Account() Account { return Account{o.User, o.Group} }

// AskedAs returns a [MovedError] unless the name is the owner's present one.
func (o Owner) AskedAs(name string) error {
	if o.Name == name {
		return nil
	}
	return &MovedError{o.Name}
}

// An Account is a person or a group: the other id is 0.
type Account struct {
	User  timeline.UserID
	Group timeline.GroupID
}

// A MovedError says what the owner of the page that was asked for is called now.
type MovedError struct{ Name string }

func (e *MovedError) Error() string { return "is called " + e.Name + " now" }

// Names remembers whose each name is. A name belongs to one account for ever, also
// after the account took another name, so whose it is stays true for as long as it
// is remembered. What an account is called now may change on any node, and the
// account may be gone: that is remembered apart, and believed
//
//   - on pages of rivers as long as the node's own card of the account has the
//     same name, so that a hot page costs no query, and a new name is shown as
//     soon as the node knows of it ([Names.Settle]);
//   - elsewhere for a second ([Names.Lookup]).
//
// A [Resolver] has one.
type Names struct {
	store  Store
	now    func() time.Time
	whose  *cache.Cache[string, Owner]
	called *cache.Cache[Account, string]
}

func newNames(store Store, now func() time.Time) *Names {
	return &Names{store, now, cache.New[string, Owner](namesHeld), cache.New[Account, string](namesHeld)}
}

// Held returns the owner of a name as far as that is remembered, however old, and
// reports whether it is. It asks the primary nothing.
func (n *Names) Held(name string) (Owner, bool) {
	found, _, ok := n.held(strings.ToLower(name))
	return found, ok
}

// held returns the remembered owner of a name in lower case, and since when the
// present name of theirs is.
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

// Forget has what an account is called, and whether it is there, asked anew.
func (n *Names) Forget(whose Account) { n.called.Drop(whose) }

// Lookup returns the owner of a name as they were at most a second ago. While the
// primary is away, what is remembered has to do.
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

// lookupHeld is Lookup for a caller that will settle the name with the card of a
// river: it returns what is remembered, however old.
func (n *Names) lookupHeld(ctx context.Context, name string) (Owner, error) {
	if held, ok := n.Held(name); ok {
		return held, nil
	}
	return n.LookupNow(ctx, name)
}

// LookupNow asks the primary for the owner of a name.
func (n *Names) LookupNow(ctx context.Context, name string) (Owner, error) {
	name = strings.ToLower(name)
	at := n.now()
	held, _, known := n.whose.Get(name)
	named, err := n.store.Lookup(ctx, name)
	if err != nil {
		if known && errors.Is(err, timeline.ErrNotFound) {
			n.Forget(held.Account())
		}
		return Owner{}, fmt.Errorf("whose page: %w", err)
	}
	found := Owner{named, held.Feed, held.Private}
	if !known || found.Account() != held.Account() {
		if found.Feed, found.Private, err = n.store.FeedsOf(ctx, named); err != nil {
			return Owner{}, fmt.Errorf("whose page: %w", err)
		}
	}
	n.put(name, found, at)
	return found, nil
}

// Settle holds the name by which a page was asked for against what its river says
// that its owner is called, which is empty where the river doesn't say, and
// whether the river says that the owner is gone. Where that is another name the
// primary knows best. The address is of the owner's present name afterwards; a page
// that was asked for by an old name is a [MovedError].
func (n *Names) Settle(ctx context.Context, a *Address, asked, called string, gone bool) error {
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
