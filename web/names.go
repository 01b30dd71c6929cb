package web

import (
	"context"
	"fmt"
	"strings"

	"amstel.dev/amstel/timeline"
)

// namesHeld bounds how many names are remembered.
const namesHeld = 50_000

// owner is whom a name belongs to, with the timeline that one subscribes to.
type owner struct {
	timeline.Named
	feed timeline.TimelineID
}

// theirID is the id by which the owner's timelines and rivers go.
func (o owner) theirID() int64 {
	if o.Group != 0 {
		return int64(o.Group)
	}
	return int64(o.User)
}

// lookup finds whom a name belongs to. Names are never given to anybody else,
// so one that was found stays found; only what is there is remembered.
func (s *Server) lookup(ctx context.Context, name string) (owner, error) {
	name = strings.ToLower(name)
	if found, held := s.names.get(name); held {
		return found, nil
	}
	named, err := s.store.Lookup(ctx, name)
	if err != nil {
		return owner{}, fmt.Errorf("whose page: %w", err)
	}
	found := owner{Named: named}
	snapshot, err := s.store.Snapshot(ctx)
	if err != nil {
		return owner{}, fmt.Errorf("whose page: %w", err)
	}
	defer snapshot.Close()
	what := timeline.WhatUser
	if named.Group != 0 {
		what = timeline.WhatGroup
	}
	timelines, err := snapshot.TimelinesOf(ctx, found.theirID(), what)
	if err != nil {
		return owner{}, fmt.Errorf("whose page: %w", err)
	}
	for id := range timelines {
		found.feed = id
	}
	s.names.put(name, found)
	return found, nil
}
