package timeline

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"amstel.dev/amstel/timeline/internal/primary"
)

// An embed holds the fields of a post that an inbox keeps with the entry of the post, so that a
// page needs fewer reads. [SourceSettings.Embed] says which fields.
type embed struct {
	Version int       `json:"version"`
	Author  *UserCard `json:"author,omitempty"`
	Text    *string   `json:"text,omitempty"`
	Data    *Fold     `json:"data,omitempty"` // without the text
}

// EmbedsOf returns, as JSON, the fields of posts that an inbox keeps with the entries. The
// names of the fields are author, text and data, joined by "+".
func EmbedsOf(ctx context.Context, q primary.Querier, posts []PostID, fields string) (found map[PostID][]byte, err error) {
	defer primary.Wrap(&err, "embed %d posts", len(posts))
	folds, err := readFolds(ctx, q, posts, FoldOptions{})
	if err != nil {
		return nil, err
	}
	var cards map[UserID]*UserCard
	wanted := strings.Split(fields, "+")
	if slices.Contains(wanted, "author") {
		var authors []UserID
		for _, f := range folds {
			authors = append(authors, f.Author)
		}
		if cards, _, err = readCards(ctx, q, authors, nil); err != nil {
			return nil, err
		}
	}
	found = make(map[PostID][]byte, len(folds))
	for id, f := range folds {
		e := embed{Version: f.Version, Author: cards[f.Author]}
		if slices.Contains(wanted, "text") {
			e.Text = &f.Text.Text
		}
		if slices.Contains(wanted, "data") {
			data := *f
			data.Text.Text = ""
			e.Data = &data
		}
		if found[id], err = json.Marshal(e); err != nil {
			return nil, fmt.Errorf("post %d: %w", id, err)
		}
	}
	return found, nil
}

// embeds are the fields of posts that inboxes held, for one snapshot.
type embeds struct {
	posts    map[PostID]*embed
	authors  map[UserID]*UserCard
	versions map[PostID]int // as the facts of the snapshot have them
}

// add remembers embeds that an inbox returned as JSON.
func (e *embeds) add(found map[PostID][]byte) error {
	for id, data := range found {
		one := new(embed)
		if err := json.Unmarshal(data, one); err != nil {
			return fmt.Errorf("embedded fields of post %d: %w", id, err)
		}
		if e.posts == nil {
			e.posts, e.authors, e.versions = make(map[PostID]*embed), make(map[UserID]*UserCard), make(map[PostID]int)
		}
		e.posts[id] = one
		if one.Author != nil {
			e.authors[one.Author.ID] = one.Author
		}
	}
	return nil
}

// note remembers the present versions of posts, by which current tells embeds that are out of
// date.
func (e *embeds) note(facts map[PostID]*Facts) {
	if e.posts == nil {
		return
	}
	for id, f := range facts {
		e.versions[id] = f.Version
	}
}

// current returns the embedded fields of a post, or nil if they are not of the post's present
// version.
func (e *embeds) current(id PostID) *embed {
	one := e.posts[id]
	if one == nil || one.Version != e.versions[id] {
		return nil
	}
	return one
}

// embeddedFolds returns the folds of posts, as readFolds does, and reads only the fields that no
// inbox had.
func (sn *Snapshot) embeddedFolds(ctx context.Context, ids []PostID) (map[PostID]*Fold, error) {
	const texts = `select id, text from posts where id = any($1) and deleted_at is null`
	folds := make(map[PostID]*Fold, len(ids))
	var textless, dataless, linked []PostID // posts of which to read the text; all but the text; everything
	for _, id := range ids {
		switch e := sn.embeds.current(id); {
		case e == nil || e.Text == nil && e.Data == nil:
			linked = append(linked, id)
		case e.Data == nil:
			dataless = append(dataless, id)
		default:
			fold := *e.Data
			folds[id] = &fold
			if e.Text == nil {
				textless = append(textless, id)
			} else {
				fold.Text.Text = *e.Text
			}
		}
	}
	if len(textless) > 0 {
		rows, err := sn.tx.Query(ctx, texts, textless)
		if err != nil {
			return nil, err
		}
		found := make(map[PostID]string, len(textless))
		if err := primary.CollectMap(found)(rows); err != nil {
			return nil, err
		}
		for id, text := range found {
			folds[id].Text.Text = text
		}
	}
	if len(linked) > 0 {
		found, err := readFolds(ctx, sn.tx, linked, FoldOptions{})
		if err != nil {
			return nil, err
		}
		for id, f := range found {
			folds[id] = f
		}
	}
	if len(dataless) > 0 {
		found, err := readFolds(ctx, sn.tx, dataless, FoldOptions{textless: true})
		if err != nil {
			return nil, err
		}
		for id, f := range found {
			f.Text.Text = *sn.embeds.posts[id].Text
			folds[id] = f
		}
	}
	return folds, nil
}
