package river

import (
	"fmt"

	"amstel.dev/amstel/timeline"
)

// validate returns an error if a loaded state contradicts itself: ids that do not match, parallel
// lists of different lengths, entries out of order. With such a state other code would panic, or
// show one post for another.
func (st *state) validate() error {
	if st.counter < 0 || st.cursor < 0 || st.position < 0 || st.purged > st.counter {
		return fmt.Errorf("it stands at counter %d, cursor %d, position %d, purged to %d", st.counter, st.cursor, st.position, st.purged)
	}
	for id, h := range st.held {
		if err := h.validate(id); err != nil {
			return err
		}
	}
	for user, v := range st.viewers {
		if v.sets == nil || v.sets.User != user || user < 0 {
			return fmt.Errorf("the sets of viewer %d belong to another viewer", user)
		}
	}
	for id, c := range st.users {
		if c.card == nil || c.card.ID != id {
			return fmt.Errorf("the card of person %d belongs to another person", id)
		}
	}
	for id, c := range st.groups {
		if c.card == nil || c.card.ID != id {
			return fmt.Errorf("the card of group %d belongs to another group", id)
		}
	}
	for id, rv := range st.rivers {
		if err := rv.validate(id); err != nil {
			return err
		}
		if st.byKey[rv.key] != rv {
			return fmt.Errorf("two rivers have the key of river %d", id)
		}
	}
	for _, j := range st.jobs {
		if j.kind != jobRecheck && j.kind != jobWalk {
			return fmt.Errorf("there is a job of unknown kind %q", j.kind)
		}
	}
	return nil
}

// validate returns an error if a held post contradicts itself.
func (h *held) validate(id timeline.PostID) error {
	f := h.facts
	switch {
	case id <= 0 || f == nil || f.ID != id || h.fold.Post != id:
		return fmt.Errorf("the facts or the fold of post %d belong to another post", id)
	case len(f.Entered) != len(f.In) || f.Ranks != nil && len(f.Ranks) != len(f.In):
		return fmt.Errorf("post %d is in %d timelines, came into %d and is ranked in %d", id, len(f.In), len(f.Entered), len(f.Ranks))
	}
	for _, fold := range []*timeline.Fold{h.fold, h.all} {
		if fold == nil {
			continue
		}
		for i := range fold.Comments.Comments {
			if c := &fold.Comments.Comments[i]; c.Post != id || c.ID <= 0 {
				return fmt.Errorf("post %d has a comment of post %d", id, c.Post)
			}
		}
	}
	return nil
}

// validate returns an error if a river contradicts itself.
func (rv *river) validate(id int64) error {
	if rv.id != id || id <= 0 || rv.epoch == "" || !rv.key.valid() || (rv.query != nil) != kinds[rv.key.What].search {
		return fmt.Errorf("river %d has the invalid key %+v or epoch %q", id, rv.key, rv.epoch)
	}
	for i, e := range rv.order {
		post := e.post.facts.ID
		switch {
		case e.post.entries[rv] != e || e.cursor.Post != post: // an entry that stands twice too
			return fmt.Errorf("river %d has post %d in place of another", id, post)
		case i > 0 && !e.cursor.Below(rv.order[i-1].cursor):
			return fmt.Errorf("river %d has post %d out of order", id, post)
		}
	}
	return nil
}
