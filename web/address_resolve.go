package web

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/query"
	"amstel.dev/amstel/timeline/text"
	"amstel.dev/amstel/web/page"
)

// place is what the address of a page says: which river, and whose.
type place struct {
	key   river.Key
	owner owner      // of a person's or group's page
	path  string     // as links have it, without .json
	with  url.Values // what else of the address says which river it is
	// What it is about, as pages have it: a list, a hashtag without its sign, a
	// search as it is written.
	name   string
	search query.Search // as it was read
	lang   string       // of the pages of a language
}

// Resolve finds which part of which river a page shows, for package realtime:
// the page is its path with its query, with or without .json. A page that is open
// already has its river's name, and is says of which river that is; nil: it has
// none. Where its address could be of several rivers now, or is another's, the
// one of that name is it.
func (s *Server) Resolve(ctx context.Context, viewer timeline.UserID, page string, is func(river.Key) bool) (river.Key, river.At, error) {
	at, err := url.ParseRequestURI("/" + strings.TrimLeft(page, "/"))
	if err != nil {
		return river.Key{}, river.At{}, fmt.Errorf("page %q: %w", page, timeline.ErrNotFound)
	}
	where, asked, err := s.find(ctx, viewer, strings.TrimSuffix(at.Path, ".json"), at.Query(), is)
	return where.key, asked.At, err
}

// find finds the river of an address, and which part of it is asked for.
func (s *Server) find(ctx context.Context, viewer timeline.UserID, path string, query url.Values, is func(river.Key) bool) (place, asked, error) {
	where, err := s.placeNamed(ctx, viewer, path, query, is)
	if err != nil {
		return place{}, asked{}, err
	}
	part, err := readQuery(query)
	if err == nil && where.key.What != river.KindPost {
		err = s.locate(ctx, where, &part)
	}
	switch {
	case err != nil:
		return place{}, asked{}, err
	case where.key.What == river.KindPost:
		part = wholePost
	}
	return where, part, nil
}

// place finds the river of an address that is asked for anew.
func (s *Server) place(ctx context.Context, viewer timeline.UserID, path string, query url.Values) (place, error) {
	return s.placeNamed(ctx, viewer, path, query, nil)
}

// placeNamed finds the river of an address, or the one that is meant where a page is
// open; see Resolve. Who may see it is the river's to say, but for pages that are
// only somebody signed in's own.
func (s *Server) placeNamed(ctx context.Context, viewer timeline.UserID, path string, query url.Values, is func(river.Key) bool) (place, error) {
	key := river.Key{Viewer: viewer, TheirID: int64(viewer)}
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case path == "" || path == "/" || path == "/index":
		key.What = river.KindHome
		if viewer == 0 {
			key.What = river.KindEverything
		}
		return place{key: key, path: "/"}, nil
	case path == "/user":
		key.What = river.KindUser
		return place{key: key, path: path}, ownOnly(viewer)
	case path == page.SearchPath:
		return s.searchPlace(ctx, key, query, is)
	case parts[0] == "list" && len(parts) == 2:
		return s.listPlace(ctx, key, parts[1], is)
	case parts[0] == "filter":
		return s.filterPlace(ctx, key, path, parts[1:], query)
	case parts[0] == "users" || parts[0] == "list":
		return place{}, noPage(path)
	case len(parts) == 2:
		if id, err := strconv.ParseInt(parts[1], 10, 64); err == nil && id > 0 {
			key.What, key.TheirID = river.KindPost, id
			return place{key: key, path: path}, nil
		}
	}
	return s.ownedPlace(ctx, key, path, parts)
}

// ownedPlace finds the pages of a person or a group.
func (s *Server) ownedPlace(ctx context.Context, key river.Key, path string, parts []string) (place, error) {
	key.What = river.KindUser
	if len(parts) > 1 {
		switch sub := strings.Join(parts[1:], "/"); {
		case sub == "comments":
			key.What = river.KindComments
		case sub == "likes":
			key.What = river.KindLikes
		case sub == "private":
			key.What = river.KindPrivate
		case parts[1] == "calendar":
			key.What, key.Query = river.KindDay, s.dayOf(parts[2:])
			if key.Query == "" {
				return place{}, noPage(path)
			}
			parts = []string{parts[0], dayPath(key.Query)}
		default:
			return place{}, noPage(path)
		}
	}
	found, err := s.lookupHeld(ctx, parts[0])
	if err != nil {
		return place{}, err
	}
	if key.TheirID = found.theirID(); found.Group != 0 {
		if len(parts) > 1 {
			return place{}, noPage(path)
		}
		key.What = river.KindGroup
	}
	parts[0] = found.Name
	return place{key: key, owner: found, path: "/" + strings.Join(parts, "/")}, nil
}

// filterPlace finds what the system gathers: for the viewer, and of the whole
// site.
func (s *Server) filterPlace(ctx context.Context, key river.Key, path string, parts []string, query url.Values) (place, error) {
	if len(parts) == 1 {
		for name, kind := range map[string]river.Kind{
			"discussions": river.KindDiscussions, "directs": river.KindDirects, "favs": river.KindFavs,
			"mentions": river.KindMentions, "fyeo": river.KindFYEO,
		} {
			if parts[0] == name {
				key.What = kind
				return place{key: key, path: path}, ownOnly(key.Viewer)
			}
		}
	}
	if len(parts) == 0 || len(parts) > 2 {
		return place{}, noPage(path)
	}
	where := place{path: "/filter/" + parts[0]}
	if len(parts) == 2 {
		where.lang = strings.ToLower(parts[1])
		where.path += "/" + where.lang
		if err := s.spoken(ctx, key.Viewer, where.lang); err != nil {
			return place{}, err
		}
	}
	key.TheirID = 0
	switch parts[0] {
	case "everything":
		key.What = river.KindEverything
		if where.lang != "" {
			key.TheirID = timeline.LangID(where.lang)
		}
	case "best_of", "most_faved":
		period, err := readPeriod(query)
		if err != nil {
			return place{}, err
		}
		if key.What = river.KindBestOf; parts[0] == "most_faved" {
			key.What = river.KindMostFaved
		}
		key.TheirID = timeline.RankedID(where.lang, period)
		if period != timeline.Rising {
			where.with = url.Values{"period": {periodName(period)}}
		}
	default:
		return place{}, noPage(path)
	}
	where.key = key
	return where, nil
}

// listPlace finds one of the viewer's lists. An open page is of its list whatever
// that is called by now.
func (s *Server) listPlace(ctx context.Context, key river.Key, name string, is func(river.Key) bool) (place, error) {
	if err := ownOnly(key.Viewer); err != nil {
		return place{}, err
	}
	key.What = river.KindList
	placed := func(id timeline.ListID, name string) place {
		key.TheirID = int64(id)
		return place{key: key, path: page.ListPath(name), name: name}
	}
	id, kept, err := s.store.FindList(ctx, key.Viewer, name)
	if err != nil && !errors.Is(err, timeline.ErrNotFound) {
		return place{}, err
	}
	called := placed(id, kept)
	if is == nil || err == nil && is(called.key) {
		return called, err
	}
	all, lost := s.store.Lists(ctx, key.Viewer)
	if lost != nil {
		return place{}, lost
	}
	for _, l := range all {
		if where := placed(l.ID, l.Name); is(where.key) {
			return where, nil
		}
	}
	return called, err
}

// searchPlace finds what a search finds. One of a single tag is that tag's page
// for who may read a post that has it. For all others it is a search like any
// other, as it is where nobody used the tag: they are not told which. A page that
// was opened as one of the two stays that; who has the name of neither is answered
// as if the tag were nobody's.
func (s *Server) searchPlace(ctx context.Context, key river.Key, asked url.Values, is func(river.Key) bool) (place, error) {
	search, err := query.Parse(asked.Get("q"))
	if err != nil {
		return place{}, err
	}
	where := place{path: page.SearchPath, name: search.String(), search: search, with: url.Values{"q": {search.String()}}}
	key.What, key.TheirID, key.Query = river.KindSearch, 0, search.String()
	where.key = key
	tag := where.tag()
	if tag == "" || is != nil && is(key) {
		return where, nil
	}
	id, err := s.store.FindHashtag(ctx, tag)
	switch {
	case errors.Is(err, timeline.ErrNotFound):
		return where, nil
	case err != nil:
		return place{}, err
	}
	key.What, key.TheirID, key.Query = river.KindHashtag, id, ""
	if is == nil {
		view, err := s.rivers.Visit(ctx, key, river.At{Count: pageCount}) // as the page itself, so that it is made at once
		if err != nil {
			return place{}, err
		}
		if len(view.Entries) == 0 {
			return where, nil
		}
	} else if !is(key) {
		return where, nil
	}
	where.key = key
	return where, nil
}

// periods are the names of periods in addresses. The first one is that of an
// address that names none.
var periods = []string{timeline.Rising: "rising", timeline.Day: "day", timeline.Week: "week", timeline.Month: "month", timeline.Ever: "ever"}

func periodName(period timeline.Period) string { return periods[period] }

func readPeriod(query url.Values) (timeline.Period, error) {
	asked := query.Get("period")
	for period, name := range periods {
		if asked == name || asked == "" {
			return timeline.Period(period), nil
		}
	}
	return 0, &timeline.InvalidError{Field: "period", Reason: "must be rising, day, week, month or ever"}
}

// noPage says that there is no such page.
func noPage(path string) error { return fmt.Errorf("page %q: %w", path, timeline.ErrNotFound) }

// ownOnly refuses who is not signed in.
func ownOnly(viewer timeline.UserID) error {
	if viewer == 0 {
		return timeline.ErrUnauthorized
	}
	return nil
}

// ranked says whether the river is a ranking.
func (p place) ranked() bool {
	return p.key.What == river.KindBestOf || p.key.What == river.KindMostFaved
}

// what is the kind as clients are told it: a tag's page is one, whether or not
// there is anything with that tag.
func (p place) what() river.Kind {
	if p.tag() != "" {
		return river.KindHashtag
	}
	return p.key.What
}

// tag is the hashtag, without its sign, of which alone the page is; empty: none.
func (p place) tag() string {
	if p.path != page.SearchPath {
		return ""
	}
	signs := text.Signs(p.name)
	if len(signs) != 1 || signs[0].Kind != text.SignTag || signs[0].To-signs[0].From != len(p.name) {
		return ""
	}
	return signs[0].Name
}

// descriptor is a page's name in words: "user:alice".
func (p place) descriptor() string {
	name := []string{string(p.what())}
	for _, part := range []string{p.owner.Name, p.key.Query, p.lang, p.with.Get("period")} {
		if part != "" {
			name = append(name, part)
		}
	}
	switch p.what() {
	case river.KindPost:
		name = append(name[:1], strconv.FormatInt(p.key.TheirID, 10))
	case river.KindHashtag:
		name = append(name[:1], p.tag())
	case river.KindList:
		name = append(name, p.name)
	}
	return strings.Join(name, ":")
}

// address is the page's, with which part of it is shown.
func (p place) address(part asked) string { return p.path + p.query(part) }

// top is the page's address from the top.
func (p place) top() string { return p.address(wholeTop) }

// jsonAddress is the same with .json.
func (p place) jsonAddress(part asked) string {
	path := p.path
	if path == "/" {
		path = "/index"
	}
	return path + ".json" + p.query(part)
}

func (p place) query(part asked) string {
	if part == wholeTop && len(p.with) == 0 {
		return ""
	}
	query := part.values()
	for name, values := range p.with {
		query[name] = values
	}
	if len(query) == 0 {
		return ""
	}
	return "?" + query.Encode()
}
