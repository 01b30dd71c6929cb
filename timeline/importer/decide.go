package importer

import (
	"amstel.dev/amstel/timeline"
)

// decideAll decides each line, in the order of the file. Each line sees the effects of the lines
// before it. decideAll changes only memory.
func (t *batchTx) decideAll() error {
	for _, l := range t.lines {
		count := t.report.count(l.kind)
		if t.alreadyImported(l) {
			if err := t.checkUnchanged(l); err != nil {
				return err
			}
			count.There++
			continue
		}
		if err := t.decideLine(l, count); err != nil {
			return err
		}
	}
	return nil
}

// decideLine decides about a line that was not imported before, and counts the line.
func (t *batchTx) decideLine(l *line, count *Count) error {
	switch l.kind {
	case kindUser, kindGroup:
		count.New++
		return nil // makeMembers made them
	case kindSubscription:
		return t.decideSubscription(l, count)
	case kindBan:
		return t.decideBan(l, count)
	case kindPost:
		return t.decidePost(l, count)
	case kindComment:
		return t.decideComment(l, count)
	case kindLike:
		return t.decideLike(l, count)
	case kindFile:
		return t.decideFile(l, count)
	case kindCommentFile:
		return t.decideCommentFile(l, count)
	case kindCommentLike:
		return t.decideCommentLike(l, count)
	case kindFavourite:
		return t.decideFavourite(l, count)
	default:
		return t.decideExtra(l, count)
	}
}

// checkUnchanged returns a [LineError] if the line of a post or comment that was imported before has
// another author or time than the post or comment here. It does not compare fields that people can
// change here, such as the text.
func (t *batchTx) checkUnchanged(l *line) error {
	var author timeline.UserID
	var same bool
	switch l.kind {
	case kindPost:
		p := t.posts[l.id]
		if p.line != nil || p.author == 0 {
			return nil
		}
		author, same = p.author, p.at.Equal(l.at)
	case kindComment:
		c := t.comments[l.id]
		if c.line != nil || c.author == 0 {
			return nil
		}
		author, same = c.author, c.at.Equal(l.at)
	default:
		return nil
	}
	if m := t.members[l.user]; m == nil || m.user != author || !same {
		return l.errorf("%s %q of this source is there already, by another author or of another time", l.kind, l.id)
	}
	return nil
}

// markImported records that a line was imported, so that later imports skip the line. theirID is the
// id of the row that the line is about, or 0.
func (t *batchTx) markImported(l *line, theirID int64) {
	t.importedKeys[sourceKey{l.kind, l.external()}] = true
	t.pending.markImported(l, theirID)
}

// skip counts a line about a post, person or group that was deleted here, and marks the line as
// imported.
func (t *batchTx) skip(l *line, count *Count) error {
	t.markImported(l, 0)
	count.Skipped++
	return nil
}

// decideSubscription decides about a subscription. It skips a subscription across a ban, and a
// subscription of a person the feed excludes.
func (t *batchTx) decideSubscription(l *line, count *Count) error {
	user, target, err := t.userAndTarget(l)
	if err != nil {
		return err
	}
	r := &t.relations
	follow := pair{user.user, target.feedOf(l.target).ID}
	switch {
	case user.deleted || target.deleted || target.user != 0 && r.banned(user.user, target.user),
		r.setsOf(user.user).Excluded[follow.timeline]:
		return t.skip(l, count)
	case t.granted[follow]:
		count.New++
	case r.setsOf(user.user).Subscribed[follow.timeline]:
		count.There++
	default:
		count.New++
		r.setsOf(user.user).Subscribed[follow.timeline] = true
		t.pending.subscribe(follow, l.at, l.time("since"))
	}
	t.markImported(l, int64(follow.timeline))
	return nil
}

// decideBan decides about a ban. A ban ends the subscriptions of the two people to each other.
func (t *batchTx) decideBan(l *line, count *Count) error {
	user, target, err := t.userAndTarget(l)
	if err != nil {
		return err
	}
	r := &t.relations
	if user.deleted || target.deleted {
		return t.skip(l, count)
	}
	t.markImported(l, int64(target.user))
	if r.setsOf(user.user).Bans[target.user] {
		count.There++
		return nil
	}
	count.New++
	r.ban(user.user, target.user)
	t.pending.ban(user.user, target.user, l.at)
	for _, w := range []timeline.What{timeline.WhatUser, timeline.WhatUserPrivate} {
		for _, ended := range []pair{{user.user, target.timelines[w].ID}, {target.user, user.timelines[w].ID}} {
			delete(r.setsOf(ended.user).Subscribed, ended.timeline)
			t.pending.unsubscribe(ended)
		}
	}
	return nil
}

// decidePost decides about a post, and adds the post to its timelines.
func (t *batchTx) decidePost(l *line, count *Count) error {
	p := t.posts[l.id]
	if p.gone {
		return t.skip(l, count)
	}
	count.New++
	if !t.relations.mayPost(p) {
		count.History++
	}
	t.markImported(l, int64(p.id))
	o := &t.pending
	o.posts = append(o.posts, p)
	for _, id := range p.places {
		o.enter(p, id, l.at)
	}
	for _, id := range t.shared.holding(p) {
		o.enter(p, id, l.at)
	}
	o.enter(p, t.members[l.user].timelines[timeline.WhatDiscussions].ID, l.at)
	t.addMentions(l, p, nil, p.author)
	return nil
}

// decideComment decides about a comment. Its post becomes as fresh as the comment if the comment
// bumps, and is the first of the post that bumps or later than all that do.
func (t *batchTx) decideComment(l *line, count *Count) error {
	user, p, err := t.userAndPost(l)
	if err != nil {
		return err
	}
	c := t.comments[l.id]
	if user.deleted || p.gone {
		c.gone = true
		return t.skip(l, count)
	}
	count.New++
	if !t.relations.mayRead(user.user, p) {
		count.History++
	}
	t.markImported(l, int64(c.id))
	c.author, c.post = user.user, p
	if at := l.at.UnixMilli(); l.flag("bumps", true) && (!p.bumped || at > p.freshAt) {
		p.moved = p.moved || at != p.freshAt
		p.freshAt, p.bumped = at, true
	}
	p.newComments++
	o := &t.pending
	o.comments = append(o.comments, c)
	o.touch(p)
	o.enter(p, user.timelines[timeline.WhatUserComments].ID, l.at)
	o.enter(p, user.timelines[timeline.WhatDiscussions].ID, l.at)
	t.addMentions(l, p, &c.id, user.user)
	return nil
}

// decideLike decides about a like of a post.
func (t *batchTx) decideLike(l *line, count *Count) error {
	user, p, err := t.userAndPost(l)
	if err != nil {
		return err
	}
	if user.deleted || p.gone {
		return t.skip(l, count)
	}
	t.markImported(l, int64(p.id))
	like := postLike{p.id, user.user}
	if t.relations.likes[like] {
		count.There++
		return nil
	}
	count.New++
	if !t.relations.mayRead(user.user, p) {
		count.History++
	}
	t.relations.likes[like] = true
	p.newLikes++
	o := &t.pending
	o.likes = append(o.likes, timed[postLike]{like, l.at})
	o.touch(p)
	o.enter(p, user.timelines[timeline.WhatUserLikes].ID, l.at)
	return nil
}

// decideCommentLike decides about a like of a comment.
func (t *batchTx) decideCommentLike(l *line, count *Count) error {
	user, err := t.findPerson(l, l.user)
	if err != nil {
		return err
	}
	c := t.comments[l.target]
	if c == nil || c.line != nil && c.line.number > l.number {
		return l.errorf("no comment %q comes before it", l.target)
	}
	if user.deleted || c.gone || c.post == nil || c.post.gone {
		return t.skip(l, count)
	}
	t.markImported(l, int64(c.id))
	like := commentLike{c.id, user.user}
	if t.relations.commentLikes[like] {
		count.There++
		return nil
	}
	count.New++
	if !t.relations.mayRead(user.user, c.post) {
		count.History++
	}
	t.relations.commentLikes[like] = true
	c.newLikes++
	c.post.newCommentLikes++
	o := &t.pending
	o.commentLikes = append(o.commentLikes, commentLiked{like, c.post.id, l.at})
	o.touchComment(c)
	o.touch(c.post)
	return nil
}

// userAndTarget returns the person and the target of a subscription or a ban. The target of a
// subscription is a person or a group, that of a ban a person. It returns a [LineError] if one of the
// two can't be found.
func (t *batchTx) userAndTarget(l *line) (user, target *member, err error) {
	if user, err = t.findPerson(l, l.user); err != nil {
		return nil, nil, err
	}
	if l.kind == kindBan {
		target, err = t.findPerson(l, l.target)
	} else {
		target, err = t.findMember(l, nameIn(l.target))
	}
	return user, target, err
}

// userAndPost returns the commenter or liker, and the post. It returns a [LineError] if neither
// the primary nor an earlier line has one of them.
func (t *batchTx) userAndPost(l *line) (*member, *post, error) {
	user, err := t.findPerson(l, l.user)
	if err != nil {
		return nil, nil, err
	}
	p := t.posts[l.target]
	if p == nil || p.line != nil && p.line.number > l.number {
		return nil, nil, l.errorf("no post %q comes before it", l.target)
	}
	return user, p, nil
}
