package importer

import (
	"amstel.dev/amstel/timeline"
)

// decide goes through the lines in their order, as if each were done at once.
func (t *taking) decide() error {
	for _, l := range t.lines {
		count := t.report.of(l.kind)
		if t.known(l) {
			if err := t.compare(l); err != nil {
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

// decideLine decides about a line that was not taken before.
func (t *taking) decideLine(l *line, count *Count) error {
	switch l.kind {
	case kindUser, kindGroup:
		count.New++
		return nil // made already
	case kindSubscription:
		return t.subscribe(l, count)
	case kindBan:
		return t.ban(l, count)
	case kindPost:
		return t.post(l, count)
	case kindComment:
		return t.comment(l, count)
	case kindLike:
		return t.like(l, count)
	default:
		return t.likeComment(l, count)
	}
}

// compare holds a line that was taken before against what it was then. What
// people can change here since is not looked at.
func (t *taking) compare(l *line) error {
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
		return l.bad("%s %q of this source is there already, by another author or of another time", l.kind, l.id)
	}
	return nil
}

// remember makes sure that the line is not taken again.
func (t *taking) remember(l *line, theirID int64) {
	t.remembered[remembrance{l.kind, l.external()}] = true
	t.outcome.remember(l, theirID)
}

// skip remembers a line that has no place here any longer.
func (t *taking) skip(l *line, count *Count) error {
	t.remember(l, 0)
	count.Skipped++
	return nil
}

func (t *taking) subscribe(l *line, count *Count) error {
	user, err := t.person(l, l.user)
	if err != nil {
		return err
	}
	target, err := t.anybody(l, l.target)
	if err != nil {
		return err
	}
	r := &t.relations
	follow := pair{user.user, target.feed().ID}
	switch {
	case user.deleted || target.deleted || target.user != 0 && r.between(user.user, target.user),
		r.of(user.user).Excluded[follow.timeline]:
		return t.skip(l, count)
	case t.granted[follow]:
		count.New++
	case r.of(user.user).Subscribed[follow.timeline]:
		count.There++
	default:
		count.New++
		r.of(user.user).Subscribed[follow.timeline] = true
		t.outcome.subscribe(follow, l.at)
	}
	t.remember(l, int64(follow.timeline))
	return nil
}

func (t *taking) ban(l *line, count *Count) error {
	user, err := t.person(l, l.user)
	if err != nil {
		return err
	}
	target, err := t.person(l, l.target)
	if err != nil {
		return err
	}
	r := &t.relations
	if user.deleted || target.deleted {
		return t.skip(l, count)
	}
	t.remember(l, int64(target.user))
	if r.of(user.user).Bans[target.user] {
		count.There++
		return nil
	}
	count.New++
	r.ban(user.user, target.user)
	t.outcome.ban(user.user, target.user, l.at)
	for _, w := range []timeline.What{timeline.WhatUser, timeline.WhatUserPrivate} {
		for _, ended := range []pair{{user.user, target.timelines[w].ID}, {target.user, user.timelines[w].ID}} {
			delete(r.of(ended.user).Subscribed, ended.timeline)
			t.outcome.unsubscribe(ended)
		}
	}
	return nil
}

func (t *taking) post(l *line, count *Count) error {
	p := t.posts[l.id]
	if p.gone {
		return t.skip(l, count)
	}
	count.New++
	if !t.relations.mayPost(p) {
		count.History++
	}
	t.remember(l, int64(p.id))
	o := &t.outcome
	o.posts = append(o.posts, p)
	for _, id := range p.places {
		o.enter(p, id, l.at)
	}
	for _, id := range t.filed.of(p) {
		o.enter(p, id, l.at)
	}
	o.enter(p, t.members[l.user].timelines[timeline.WhatDiscussions].ID, l.at)
	t.name(l, p, nil, p.author)
	return nil
}

func (t *taking) comment(l *line, count *Count) error {
	user, err := t.person(l, l.user)
	if err != nil {
		return err
	}
	p, err := t.postOf(l)
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
	t.remember(l, int64(c.id))
	c.author, c.post = user.user, p
	if at := l.at.UnixMilli(); p.comments+p.newComments == 0 || at > p.freshAt {
		p.moved = p.moved || at != p.freshAt
		p.freshAt = at
	}
	p.newComments++
	o := &t.outcome
	o.comments = append(o.comments, c)
	o.touch(p)
	o.enter(p, user.timelines[timeline.WhatUserComments].ID, l.at)
	o.enter(p, user.timelines[timeline.WhatDiscussions].ID, l.at)
	t.name(l, p, &c.id, user.user)
	return nil
}

func (t *taking) like(l *line, count *Count) error {
	user, err := t.person(l, l.user)
	if err != nil {
		return err
	}
	p, err := t.postOf(l)
	if err != nil {
		return err
	}
	if user.deleted || p.gone {
		return t.skip(l, count)
	}
	t.remember(l, int64(p.id))
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
	o := &t.outcome
	o.likes = append(o.likes, timed[postLike]{like, l.at})
	o.touch(p)
	o.enter(p, user.timelines[timeline.WhatUserLikes].ID, l.at)
	return nil
}

func (t *taking) likeComment(l *line, count *Count) error {
	user, err := t.person(l, l.user)
	if err != nil {
		return err
	}
	c := t.comments[l.target]
	if c == nil || c.line != nil && c.line.number > l.number {
		return l.bad("no comment %q comes before it", l.target)
	}
	if user.deleted || c.gone || c.post == nil || c.post.gone {
		return t.skip(l, count)
	}
	t.remember(l, int64(c.id))
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
	o := &t.outcome
	o.commentLikes = append(o.commentLikes, commentLiked{like, c.post.id, l.at})
	o.touchComment(c)
	o.touch(c.post)
	return nil
}

// postOf finds the post that the line is about.
func (t *taking) postOf(l *line) (*post, error) {
	p := t.posts[l.target]
	if p == nil || p.line != nil && p.line.number > l.number {
		return nil, l.bad("no post %q comes before it", l.target)
	}
	return p, nil
}
