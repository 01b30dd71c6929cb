package importer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
)

// A batchTx is one try to import a batch, in one transaction. Its steps are: lock the files of the
// batch; read all rows that the batch names; insert people and groups; draw ids; lock existing posts;
// decide about each line in memory; write each table with one statement.
type batchTx struct {
	tx      pgx.Tx
	source  string
	granted map[pair]bool
	lines   []*line
	files   Files
	kept    map[*line][]keptFile // the files of the new lines, in the order of [line.files]
	report  Report

	site    string // the id of the site that wrote the file, if the file is an export
	restore bool   // see [Options.Restore]
	home    bool   // site is this site: posts, comments and files may exist here under the ids in the file

	members      map[string]*member          // by name
	people       map[timeline.UserID]*member // the people among members; made for the first earlier text
	posts        map[string]*post            // by the id in the file
	comments     map[string]*comment         // by the id in the file
	byPost       map[timeline.PostID]*post   // the same posts, by their ids here
	importedKeys map[sourceKey]bool          // lines of other kinds that were imported before, and lines of this batch decided so far
	shared       sharedTimelines
	assigned     map[int64]bool // ids of an export that new rows of this batch keep

	relations relations
	pending   pendingRows
}

// A pair is a person and a timeline.
type pair struct {
	user     timeline.UserID
	timeline timeline.TimelineID
}

// A sourceKey identifies an imported line of its source.
type sourceKey struct {
	kind     kind
	external string
}

// A member is a person or a group.
type member struct {
	line      int // the line of this batch that makes the member; 0: the member existed before
	user      timeline.UserID
	group     timeline.GroupID
	deleted   bool
	lang      string // the language that the person says they write in
	timelines map[timeline.What]timeline.Timeline
}

// feed returns the timeline to which people subscribe: the feed of a person, or that of a group.
func (m *member) feed() timeline.Timeline {
	if m.group != 0 {
		return m.timelines[timeline.WhatGroup]
	}
	return m.timelines[timeline.WhatUser]
}

// A post is a post of the file, from this batch or from an earlier batch.
type post struct {
	line    *line // nil: the post existed before this batch
	id      timeline.PostID
	author  timeline.UserID
	at      time.Time
	places  []timeline.TimelineID // sorted
	gone    bool                  // the post was deleted here, or its author or all of its places were
	freshAt int64                 // milliseconds since 1970
	bumped  bool                  // the post has a comment that bumps

	lang   string // of a new post: the language
	tags   []string
	listed bool // the post enters the timelines of everything

	// How many comments, likes and favourites this batch adds.
	newComments, newLikes, newCommentLikes, newFavs int
	moved                                           bool // this batch made the post fresher
}

// A comment is a comment of the file, from this batch or from an earlier batch.
type comment struct {
	line   *line // nil: the comment existed before this batch
	id     timeline.CommentID
	author timeline.UserID
	at     time.Time
	post   *post
	postID timeline.PostID
	gone   bool // the comment or its post was deleted here, or its author was

	newLikes int // how many likes this batch adds
}

func newBatchTx(tx pgx.Tx, w *writer, lines []*line, kept map[*line][]keptFile) *batchTx {
	return &batchTx{
		tx:           tx,
		source:       w.source,
		granted:      w.granted,
		lines:        lines,
		files:        w.files,
		kept:         kept,
		site:         w.site,
		restore:      w.restore,
		report:       Report{Lines: len(lines)},
		members:      make(map[string]*member),
		posts:        make(map[string]*post),
		comments:     make(map[string]*comment),
		byPost:       make(map[timeline.PostID]*post),
		importedKeys: make(map[sourceKey]bool),
		shared:       newShared(),
		assigned:     make(map[int64]bool),
		relations:    newRelations(),
		pending:      newPendingRows(),
	}
}

// run runs all steps of the import of a batch, except begin and commit.
func (t *batchTx) run(ctx context.Context) error {
	for _, step := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"lock the files of", t.lockFiles},
		{"look up", t.lookUp},
		{"make people and groups", t.makeMembers},
		{"name", t.addNames},
		{"find posts", t.findPosts},
		{"find relations", t.findRelations},
		{"place by texts", t.placeByText},
		{"decide", func(context.Context) error { return t.decideAll() }},
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

// alreadyImported reports whether the line was imported before: by an earlier import, or
// by an earlier line of this batch.
func (t *batchTx) alreadyImported(l *line) bool {
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
	return t.importedKeys[sourceKey{l.kind, l.external()}]
}

// findPerson returns the person whom line l calls by a name. It returns a [LineError] if neither the
// primary nor an earlier line has the name, or if a group has the name.
func (t *batchTx) findPerson(l *line, name string) (*member, error) {
	m := t.members[name]
	switch {
	case m == nil || m.line > l.number:
		return nil, l.errorf("no user %q comes before it", name)
	case m.user == 0:
		return nil, l.errorf("%q is a group, a user is wanted", name)
	}
	return m, nil
}

// findMember returns the person or group that line l calls by a name. It returns a [LineError] if
// neither the primary nor an earlier line has the name.
func (t *batchTx) findMember(l *line, name string) (*member, error) {
	m := t.members[name]
	if m == nil || m.line > l.number {
		return nil, l.errorf("no user or group %q comes before it", name)
	}
	return m, nil
}
