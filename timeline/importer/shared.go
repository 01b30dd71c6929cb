package importer

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/text"
)

// sharedTimelines are the public timelines of the whole site that a post enters by its text: the
// timelines of languages, by [timeline.LangID] (0 is the timeline of all languages), and the
// timelines of hashtags, by the names of the hashtags.
type sharedTimelines struct {
	languages map[int64]timeline.TimelineID
	tags      map[string]timeline.TimelineID
}

func newShared() sharedTimelines {
	return sharedTimelines{languages: make(map[int64]timeline.TimelineID), tags: make(map[string]timeline.TimelineID)}
}

// holding returns the shared timelines that hold a post.
func (f *sharedTimelines) holding(p *post) []timeline.TimelineID {
	var ids []timeline.TimelineID
	for _, tag := range p.tags {
		ids = append(ids, f.tags[tag])
	}
	if !p.listed {
		return ids
	}
	ids = append(ids, f.languages[0])
	if p.lang != "" {
		ids = append(ids, f.languages[timeline.LangID(p.lang)])
	}
	return ids
}

// placeByText finds the hashtags and the language of each new post, which decide the post's
// shared timelines. It makes missing timelines.
func (t *batchTx) placeByText(ctx context.Context) error {
	t.detectLanguages()
	tags, langs := make(set), make(set)
	for _, l := range t.lines {
		p := t.posts[l.id]
		if l.kind != kindPost || p.line != l || p.gone {
			continue
		}
		p.tags, p.lang = text.Tags(l.text), t.members[l.user].lang
		if l.exported {
			p.lang = l.value("lang")
		} else if p.lang == "" {
			p.lang = l.language()
		}
		p.listed = slices.ContainsFunc(p.places, func(id timeline.TimelineID) bool {
			switch t.relations.timelines[id].What {
			case timeline.WhatUser, timeline.WhatUserPrivate, timeline.WhatGroup:
				return true
			}
			return false
		})
		for _, tag := range p.tags {
			tags.add(tag)
		}
		if _, made := t.shared.languages[timeline.LangID(p.lang)]; p.listed && !made {
			langs.add(p.lang)
		}
	}
	return t.makeShared(ctx, slices.Sorted(slices.Values(tags.list())), slices.Sorted(slices.Values(langs.list())))
}

// makeShared finds the timelines of hashtags and of languages, and makes those that do not
// exist. Both lists are sorted, because all writers lock rows in the same order.
func (t *batchTx) makeShared(ctx context.Context, tags, langs []string) error {
	var b pgx.Batch
	if len(tags) > 0 {
		timeline.QueueHashtags(&b, tags, t.shared.tags)
	}
	if len(langs) > 0 {
		timeline.QueueLanguages(&b, langs, t.shared.languages)
	}
	if b.Len() == 0 {
		return nil
	}
	return t.tx.SendBatch(ctx, &b).Close()
}

// addMentions adds the mentions in the text of a line, which is the post's own text if c is nil, and
// the comment c otherwise. by is the author of the text. A name that only a later line has is no
// mention.
func (t *batchTx) addMentions(l *line, p *post, c *timeline.CommentID, by timeline.UserID) {
	named := map[timeline.UserID]bool{by: true, 0: true}
	for _, name := range text.Names(l.text) {
		m := t.members[name]
		if m == nil || m.line > l.number || m.deleted || named[m.user] {
			continue
		}
		named[m.user] = true
		t.pending.mentions = append(t.pending.mentions, mention{p.id, c, by, m.user})
		t.pending.enter(p, m.timelines[timeline.WhatMentions].ID, l.at)
	}
}
