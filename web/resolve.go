package web

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// place is what the path of a page says: which river, and whose.
type place struct {
	key   river.Key
	owner owner  // of a person's or group's page
	path  string // as links have it, without .json
}

// Resolve finds which part of which river a page shows, for package realtime:
// the page is its path with its query, with or without .json.
func (s *Server) Resolve(ctx context.Context, viewer timeline.UserID, page string) (river.Key, river.At, error) {
	at, err := url.ParseRequestURI("/" + strings.TrimLeft(page, "/"))
	if err != nil {
		return river.Key{}, river.At{}, fmt.Errorf("page %q: %w", page, timeline.ErrNotFound)
	}
	where, err := s.place(ctx, viewer, strings.TrimSuffix(at.Path, ".json"))
	if err != nil {
		return river.Key{}, river.At{}, err
	}
	query, err := readQuery(at.Query())
	if err != nil {
		return river.Key{}, river.At{}, err
	}
	return where.key, query.At, nil
}

// place finds the river of a path. Who may see it is the river's to say, but for
// pages that are only somebody signed in's own.
func (s *Server) place(ctx context.Context, viewer timeline.UserID, path string) (place, error) {
	key := river.Key{Viewer: viewer}
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case path == "" || path == "/" || path == "/index":
		key.What, key.TheirID = river.KindHome, int64(viewer)
		if viewer == 0 {
			key.What = river.KindEverything
		}
		return place{key: key, path: "/"}, nil
	case path == "/filter/everything":
		key.What = river.KindEverything
		return place{key: key, path: path}, nil
	case path == "/filter/directs":
		key.What, key.TheirID = river.KindDirects, int64(viewer)
		return place{key: key, path: path}, ownOnly(viewer)
	case path == "/filter/favs":
		key.What, key.TheirID = river.KindFavs, int64(viewer)
		return place{key: key, path: path}, ownOnly(viewer)
	case path == "/user":
		key.What, key.TheirID = river.KindUser, int64(viewer)
		return place{key: key, path: path}, ownOnly(viewer)
	case parts[0] == "filter" || parts[0] == "users" || len(parts) > 2:
		return place{}, fmt.Errorf("page %q: %w", path, timeline.ErrNotFound)
	case len(parts) == 1:
		found, err := s.lookupHeld(ctx, parts[0])
		if err != nil {
			return place{}, err
		}
		key.What, key.TheirID = river.KindUser, found.theirID()
		if found.Group != 0 {
			key.What = river.KindGroup
		}
		return place{key: key, owner: found, path: "/" + found.Name}, nil
	}
	if id, err := strconv.ParseInt(parts[1], 10, 64); err == nil && id > 0 {
		key.What, key.TheirID = river.KindPost, id
		return place{key: key, path: "/" + parts[0] + "/" + parts[1]}, nil
	}
	found, err := s.lookupHeld(ctx, parts[0])
	if err != nil {
		return place{}, err
	}
	switch key.TheirID = found.theirID(); {
	case found.User != 0 && parts[1] == "comments":
		key.What = river.KindComments
	case found.User != 0 && parts[1] == "likes":
		key.What = river.KindLikes
	default:
		return place{}, fmt.Errorf("page %q: %w", path, timeline.ErrNotFound)
	}
	return place{key: key, owner: found, path: "/" + found.Name + "/" + parts[1]}, nil
}

// ownOnly refuses who is not signed in.
func ownOnly(viewer timeline.UserID) error {
	if viewer == 0 {
		return timeline.ErrUnauthorized
	}
	return nil
}

// descriptor is a page's name in words: "user:alice".
func (p place) descriptor() string {
	switch {
	case p.owner.Name != "":
		return string(p.key.What) + ":" + p.owner.Name
	case p.key.What == river.KindPost:
		return string(p.key.What) + ":" + strconv.FormatInt(p.key.TheirID, 10)
	}
	return string(p.key.What)
}
