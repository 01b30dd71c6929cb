package faulttest

import (
	"context"
	"encoding/json"
	"slices"

	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
)

// renderer renders entries for sockets, and panics at poisoned posts.
type renderer struct {
	web.Renderer
	bad func(timeline.PostID) bool
}

// EntryJSON renders an entry. It panics if the entry's post is poisoned.
func (r renderer) EntryJSON(viewer *timeline.Sets, e *river.Entry, users realtime.Users, groups realtime.Groups) json.RawMessage {
	if r.bad != nil && r.bad(e.Facts.ID) {
		panic("a poisoned post")
	}
	return r.Renderer.EntryJSON(viewer, e, users, groups)
}

// poisonedRivers are the rivers of a node, with entries that web can't render.
type poisonedRivers struct {
	*river.Node
	bad func(timeline.PostID) bool
}

// Visit visits a river. The entries of poisoned posts have no folds, so rendering them panics.
func (p poisonedRivers) Visit(ctx context.Context, key river.Key, at river.At) (*river.View, error) {
	v, err := p.Node.Visit(ctx, key, at)
	if err != nil || p.bad == nil {
		return v, err
	}
	other := *v
	other.Entries = slices.Clone(v.Entries)
	for i := range other.Entries {
		if p.bad(other.Entries[i].Facts.ID) {
			other.Entries[i].Fold = nil
		}
	}
	return &other, nil
}
