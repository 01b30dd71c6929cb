package importer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
)

// A taking is one try to take a batch, in one transaction: it looks up what
// the batch names, makes the people and groups, draws ids, locks the posts
// that were there, decides line by line in memory, and then writes each table
// at once.
type taking struct {
	tx      pgx.Tx
	source  string
	granted map[pair]bool
	lines   []*line
	report  Report

	members    map[string]*member // by name
	posts      map[string]*post   // by external id
	comments   map[string]*comment
	byPost     map[timeline.PostID]*post
	remembered map[remembrance]bool // lines of other kinds, and all that this batch has taken
	filed      filed

	relations relations
	outcome   outcome
}

// A pair is a person and a timeline.
type pair struct {
	user     timeline.UserID
	timeline timeline.TimelineID
}

// A remembrance is what a line is remembered by.
type remembrance struct {
	kind     kind
	external string
}

// A member is a person or a group.
type member struct {
	line      int // that made it, in this batch; 0: it was there
	user      timeline.UserID
	group     timeline.GroupID
	deleted   bool
	lang      string // that he said he writes in
	timelines map[timeline.What]timeline.Timeline
}

// feed is the timeline that is subscribed to.
func (m *member) feed() timeline.Timeline {
	if m.group != 0 {
		return m.timelines[timeline.WhatGroup]
	}
	return m.timelines[timeline.WhatUser]
}

// A post is one of the file's, from this batch or from before.
type post struct {
	line     *line // nil: it was there
	id       timeline.PostID
	author   timeline.UserID
	at       time.Time
	places   []timeline.TimelineID // sorted
	gone     bool                  // deleted here since
	freshAt  int64                 // milliseconds
	comments int                   // that it had

	lang   string // of a new one
	tags   []string
	listed bool // it is one of those of the whole site

	// What this batch adds.
	newComments, newLikes, newCommentLikes int
	moved                                  bool // its freshAt rose
}

// A comment is one of the file's, from this batch or from before.
type comment struct {
	line   *line // nil: it was there
	id     timeline.CommentID
	author timeline.UserID
	at     time.Time
	post   *post
	postID timeline.PostID
	gone   bool // deleted here since

	newLikes int
}

func newTaking(tx pgx.Tx, source string, granted map[pair]bool, lines []*line) *taking {
	return &taking{
		tx:         tx,
		source:     source,
		granted:    granted,
		lines:      lines,
		report:     Report{Lines: len(lines)},
		members:    make(map[string]*member),
		posts:      make(map[string]*post),
		comments:   make(map[string]*comment),
		byPost:     make(map[timeline.PostID]*post),
		remembered: make(map[remembrance]bool),
		filed:      newFiled(),
		relations:  newRelations(),
		outcome:    newOutcome(),
	}
}

// take does all of it but begin and commit.
func (t *taking) take(ctx context.Context) error {
	for _, step := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"look up", t.lookUp},
		{"make people and groups", t.makeMembers},
		{"find posts", t.findPosts},
		{"find relations", t.findRelations},
		{"file by texts", t.file},
		{"decide", func(context.Context) error { return t.decide() }},
		{"write", t.write},
	} {
		err := step.do(ctx)
		if _, ofLine := errors.AsType[*LineError](err); ofLine {
			return err
		}
		if err != nil {
			return fmt.Errorf("%s lines %d to %d: %w", step.name, t.lines[0].number, t.lines[len(t.lines)-1].number, err)
		}
	}
	return nil
}

// known says whether the line was taken before: by an earlier import, or
// earlier in this batch.
func (t *taking) known(l *line) bool {
	switch l.kind {
	case kindUser, kindGroup:
		m := t.members[l.name]
		return m != nil && m.line != l.number
	case kindPost:
		p := t.posts[l.id]
		return p != nil && p.line != l
	case kindComment:
		c := t.comments[l.id]
		return c != nil && c.line != l
	}
	return t.remembered[remembrance{l.kind, l.external()}]
}

// person finds whom the line names.
func (t *taking) person(l *line, name string) (*member, error) {
	m := t.members[name]
	switch {
	case m == nil || m.line > l.number:
		return nil, l.bad("no user %q comes before it", name)
	case m.user == 0:
		return nil, l.bad("%q is a group, a user is wanted", name)
	}
	return m, nil
}

// anybody finds whom or what the line names.
func (t *taking) anybody(l *line, name string) (*member, error) {
	m := t.members[name]
	if m == nil || m.line > l.number {
		return nil, l.bad("no user or group %q comes before it", name)
	}
	return m, nil
}
