package address

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/query"
	"amstel.dev/amstel/timeline/text"
	"amstel.dev/amstel/web/page"
)

// A Store is the part of the primary that a [Resolver] reads; [timeline.Store] implements it.
type Store interface {
	Lookup(ctx context.Context, name string) (timeline.Named, error)
	FeedsOf(ctx context.Context, whose timeline.Named) (feed, private timeline.TimelineID, err error)
	FindPost(ctx context.Context, viewer timeline.UserID, id timeline.PostID) (timeline.PostHead, error)
	FindHashtag(ctx context.Context, name string) (int64, error)
	FindList(ctx context.Context, owner timeline.UserID, name string) (id timeline.ListID, kept string, err error)
	Lists(ctx context.Context, owner timeline.UserID) ([]timeline.OwnList, error)
	LanguagesUsed(ctx context.Context) ([]text.Language, error)
}

// A Rivers is the part of the rivers that a [Resolver] reads; [river.Node] implements it.
type Rivers interface {
	Visit(context.Context, river.Key, river.At) (*river.View, error)
	EntryAfterWrite(context.Context, river.Key, timeline.PostID) (*river.View, error)
}

// A Resolver finds which part of which river an address means. [New] makes one.
type Resolver struct {
	Names     *Names
	Languages *Languages

	store  Store
	rivers Rivers
	now    func() time.Time
}

// New returns a Resolver. Log gets the errors of reading values that pages can do without.
func New(store Store, rivers Rivers, now func() time.Time, log *slog.Logger) *Resolver {
	return &Resolver{
		Names:     newNames(store, now),
		Languages: &Languages{store: store, rivers: rivers, now: now, log: log},
		store:     store, rivers: rivers, now: now,
	}
}

// Resolve returns the river of a page and the page's part of the river, for package realtime. Page
// is the path with its query, with or without .json.
//
// A page that is already open has the name of its river, and known reports whether a river has the
// name; nil: the page has no name. If the address could mean several rivers now, or means another
// river than when the page was opened, Resolve returns the river with the name.
func (r *Resolver) Resolve(ctx context.Context, viewer timeline.UserID, page string, known func(river.Key) bool) (river.Key, river.At, error) {
	at, err := url.ParseRequestURI("/" + strings.TrimLeft(page, "/"))
	if err != nil {
		return river.Key{}, river.At{}, NotFound(page)
	}
	found, part, err := r.find(ctx, viewer, strings.TrimSuffix(at.Path, ".json"), at.Query(), known)
	return found.Key, part.At, err
}

// Find returns the river of an address and the part that the query asks for.
func (r *Resolver) Find(ctx context.Context, viewer timeline.UserID, path string, query url.Values) (Address, Range, error) {
	return r.find(ctx, viewer, path, query, nil)
}

// FindAgain is Find for an address that meant the river of the kind and id before: a list that was renamed
// since is found, and so is a tag of which the viewer can't read a post any more.
func (r *Resolver) FindAgain(ctx context.Context, viewer timeline.UserID, path string, query url.Values, kind river.Kind, id int64) (Address, Range, error) {
	return r.find(ctx, viewer, path, query, func(key river.Key) bool { return key.What == kind && key.TheirID == id })
}

func (r *Resolver) find(ctx context.Context, viewer timeline.UserID, path string, query url.Values, known func(river.Key) bool) (Address, Range, error) {
	found, err := r.river(ctx, viewer, path, query, known)
	if err != nil {
		return Address{}, Range{}, err
	}
	part, err := readRange(query)
	if err == nil && found.Key.What != river.KindPost {
		err = r.locate(ctx, found, &part)
	}
	switch {
	case err != nil:
		return Address{}, Range{}, err
	case found.Key.What == river.KindPost:
		part = FirstPage // a post's page has no parts
	}
	return found, part, nil
}

// River returns the river of an address, without reading which part is asked for.
func (r *Resolver) River(ctx context.Context, viewer timeline.UserID, path string, query url.Values) (Address, error) {
	return r.river(ctx, viewer, path, query, nil)
}

// river returns the river of an address; for known see Resolve. It checks no right to open
// the river, except for pages that exist only for a signed-in viewer.
func (r *Resolver) river(ctx context.Context, viewer timeline.UserID, path string, query url.Values, known func(river.Key) bool) (Address, error) {
	key := river.Key{Viewer: viewer, TheirID: int64(viewer)}
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case path == "" || path == "/" || path == "/index":
		key.What = river.KindHome
		if viewer == 0 {
			key.What = river.KindEverything
		}
		return Address{Key: key, Path: "/"}, nil
	case path == "/user":
		key.What = river.KindUser
		return Address{Key: key, Path: path}, ownOnly(viewer)
	case path == page.SearchPath:
		return r.search(ctx, key, query, known)
	case parts[0] == "list" && len(parts) == 2:
		return r.list(ctx, key, parts[1], known)
	case parts[0] == "filter":
		return r.filter(ctx, key, path, parts[1:], query)
	case parts[0] == "users" || parts[0] == "list":
		return Address{}, NotFound(path)
	case len(parts) == 2:
		if id, err := strconv.ParseInt(parts[1], 10, 64); err == nil && id > 0 {
			key.What, key.TheirID = river.KindPost, id
			return Address{Key: key, Path: path}, nil
		}
	}
	return r.owned(ctx, key, path, parts)
}

// owned returns the river of a page of a person or a group.
func (r *Resolver) owned(ctx context.Context, key river.Key, path string, parts []string) (Address, error) {
	key.What = river.KindUser
	if len(parts) > 1 {
		switch sub := strings.Join(parts[1:], "/"); {
		case sub == "comments":
			key.What = river.KindComments
		case sub == "likes":
			key.What = river.KindLikes
		case sub == "photos":
			key.What = river.KindPhotos
		case sub == "private":
			key.What = river.KindPrivate
		case parts[1] == "calendar":
			key.What, key.Query = river.KindDay, readDay(parts[2:], r.now())
			if key.Query == "" {
				return Address{}, NotFound(path)
			}
			parts = []string{parts[0], DayPath(key.Query)}
		default:
			return Address{}, NotFound(path)
		}
	}
	found, err := r.Names.lookupHeld(ctx, parts[0])
	if err != nil {
		return Address{}, err
	}
	if key.TheirID = found.TheirID(); found.Group != 0 {
		switch {
		case len(parts) == 1:
			key.What = river.KindGroup
		case key.What == river.KindPhotos:
			key.What = river.KindGroupPhotos
		default:
			return Address{}, NotFound(path)
		}
	}
	parts[0] = found.Name
	return Address{Key: key, Owner: found, Path: "/" + strings.Join(parts, "/")}, nil
}

// filter returns the river of a page under /filter: filter timelines of the viewer and of
// the whole site.
func (r *Resolver) filter(ctx context.Context, key river.Key, path string, parts []string, query url.Values) (Address, error) {
	if len(parts) == 1 {
		for name, kind := range map[string]river.Kind{
			"discussions": river.KindDiscussions, "directs": river.KindDirects, "favs": river.KindFavs,
			"mentions": river.KindMentions, "fyeo": river.KindFYEO,
		} {
			if parts[0] == name {
				key.What = kind
				return Address{Key: key, Path: path}, ownOnly(key.Viewer)
			}
		}
	}
	if len(parts) == 0 || len(parts) > 2 {
		return Address{}, NotFound(path)
	}
	found := Address{Path: "/filter/" + parts[0]}
	if len(parts) == 2 {
		found.Lang = strings.ToLower(parts[1])
		found.Path += "/" + found.Lang
		if err := r.Languages.check(ctx, key.Viewer, found.Lang); err != nil {
			return Address{}, err
		}
	}
	key.TheirID = 0
	switch parts[0] {
	case "everything":
		key.What = river.KindEverything
		if found.Lang != "" {
			key.TheirID = timeline.LangID(found.Lang)
		}
	case "best_of", "most_faved":
		period, err := readPeriod(query)
		if err != nil {
			return Address{}, err
		}
		if key.What = river.KindBestOf; parts[0] == "most_faved" {
			key.What = river.KindMostFaved
		}
		key.TheirID = timeline.RankedID(found.Lang, period)
		if period != timeline.Rising {
			found.With = url.Values{"period": {periods[period]}}
		}
	default:
		return Address{}, NotFound(path)
	}
	found.Key = key
	return found, nil
}

// list returns the river of one of the viewer's lists. An open page keeps its list, even if the
// list was renamed.
func (r *Resolver) list(ctx context.Context, key river.Key, name string, known func(river.Key) bool) (Address, error) {
	if err := ownOnly(key.Viewer); err != nil {
		return Address{}, err
	}
	key.What = river.KindList
	address := func(id timeline.ListID, name string) Address {
		key.TheirID = int64(id)
		return Address{Key: key, Path: page.ListPath(name), Name: name}
	}
	id, kept, err := r.store.FindList(ctx, key.Viewer, name)
	if err != nil && !errors.Is(err, timeline.ErrNotFound) {
		return Address{}, err
	}
	called := address(id, kept)
	if known == nil || err == nil && known(called.Key) {
		return called, err
	}
	all, lost := r.store.Lists(ctx, key.Viewer)
	if lost != nil {
		return Address{}, lost
	}
	for _, l := range all {
		if found := address(l.ID, l.Name); known(found.Key) {
			return found, nil
		}
	}
	return called, err
}

// search returns the river of a search. The search for a single hashtag is the page of
// the hashtag if the viewer can read a post with the tag. For all other viewers it is an
// ordinary search, as for a tag that no post has: so they can't tell whether any post has
// the tag. An open page keeps the one of the two rivers that it was opened with. A page with
// the name of neither river gets the search, as if no post had the tag.
func (r *Resolver) search(ctx context.Context, key river.Key, values url.Values, known func(river.Key) bool) (Address, error) {
	search, err := query.Parse(values.Get("q"))
	if err != nil {
		return Address{}, err
	}
	found := Address{Path: page.SearchPath, Name: search.String(), Search: search, With: url.Values{"q": {search.String()}}}
	key.What, key.TheirID, key.Query = river.KindSearch, 0, search.String()
	found.Key = key
	tag := found.Tag()
	if tag == "" || known != nil && known(key) {
		return found, nil
	}
	id, err := r.store.FindHashtag(ctx, tag)
	switch {
	case errors.Is(err, timeline.ErrNotFound):
		return found, nil
	case err != nil:
		return Address{}, err
	}
	key.What, key.TheirID, key.Query = river.KindHashtag, id, ""
	if known == nil {
		view, err := r.rivers.Visit(ctx, key, river.At{Count: PageCount}) // as for the page itself, so that the river is made at once
		if err != nil {
			return Address{}, err
		}
		if len(view.Entries) == 0 {
			return found, nil
		}
	} else if !known(key) {
		return found, nil
	}
	found.Key = key
	return found, nil
}

// locate finds the present places of the posts that bound a part of a river. It refuses bounds
// that do not fit the river's order.
func (r *Resolver) locate(ctx context.Context, a Address, part *Range) error {
	kind, ranking := a.Key.What, a.Ranked()
	if !ranking {
		part.Run = 0
	}
	if ranking && part.Order != river.OrderOwn {
		return &timeline.InvalidError{Field: "order", Reason: "can't be chosen here: this page is a ranking"}
	}
	if kind == river.KindDay && part.Order == river.OrderCreated {
		part.Order = river.OrderOwn // the order of a day is that of creation
	}
	ordered := "fresh"
	switch {
	case ranking || part.Order == river.OrderTop:
		ordered = "score"
	case kind == river.KindDay || part.Order == river.OrderCreated:
		ordered = "publication"
	}
	if part.StartFrom != 0 && ordered != "fresh" {
		return &timeline.InvalidError{Field: "start_from", Reason: "goes only with pages in the order fresh"}
	}
	for _, bound := range []struct {
		field string
		post  timeline.PostID
	}{{"since_id", part.since}, {"max_id", part.max}} {
		if bound.post == 0 {
			continue
		}
		if ordered == "score" {
			return &timeline.InvalidError{Field: bound.field, Reason: "does not go with a page by score; follow its older links"}
		}
		head, err := r.store.FindPost(ctx, a.Key.Viewer, bound.post)
		switch {
		case errors.Is(err, timeline.ErrNotFound):
			return &timeline.InvalidError{Field: bound.field, Reason: "is no post that you can read"}
		case err != nil:
			return err
		}
		at := timeline.Cursor{FreshAt: head.FreshAt, Post: head.ID}
		if ordered == "publication" {
			at = head.ID.Cursor()
		} else if at, err = r.standing(ctx, a.Key, at); err != nil {
			return err
		}
		if bound.field == "since_id" {
			part.After = at
		} else {
			part.Before = timeline.Cursor{FreshAt: at.FreshAt, Post: at.Post + 1} // this post and older
		}
	}
	return nil
}

// standing returns the place of a post in a river. In a home a friend's like may put a
// post higher than its freshness; only the river knows that place.
func (r *Resolver) standing(ctx context.Context, key river.Key, fresh timeline.Cursor) (timeline.Cursor, error) {
	if key.What != river.KindHome && key.What != river.KindList {
		return fresh, nil
	}
	view, err := r.rivers.EntryAfterWrite(ctx, key, fresh.Post)
	if err != nil || len(view.Entries) == 0 || view.Entries[0].Cursor == (timeline.Cursor{}) {
		return fresh, err
	}
	return view.Entries[0].Cursor, nil
}

// periods are the names of periods in addresses. The first is the default.
var periods = []string{timeline.Rising: "rising", timeline.Day: "day", timeline.Week: "week", timeline.Month: "month", timeline.Ever: "ever"}

func readPeriod(query url.Values) (timeline.Period, error) {
	asked := query.Get("period")
	for period, name := range periods {
		if asked == name || asked == "" {
			return timeline.Period(period), nil
		}
	}
	return 0, &timeline.InvalidError{Field: "period", Reason: "must be rising, day, week, month or ever"}
}

// NotFound returns the error of a path that is not the address of a page.
func NotFound(path string) error { return fmt.Errorf("page %q: %w", path, timeline.ErrNotFound) }

// ownOnly returns an error if the viewer is not signed in.
func ownOnly(viewer timeline.UserID) error {
	if viewer == 0 {
		return timeline.ErrUnauthorized
	}
	return nil
}
