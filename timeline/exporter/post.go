package exporter

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
)

// A Post is a post of an export. Its exported fields are for pages.
type Post struct {
	ID     timeline.PostID
	Author string // the name
	Text   string
	To     []string // the places, in the form of lines
	// Linebreaks reports whether single newlines of the text are shown.
	Linebreaks bool
	At         time.Time
	Mine       bool // the person of the export wrote the post
	Files      []File
	Likes      []string // the names of people who like the post, the earliest like first
	Comments   []*Comment

	author    timeline.UserID
	places    []timeline.TimelineID
	line      postLine
	likes     []mark
	favs      []mark
	clikes    []commentMark
	hidden    []mark
	fileLines []fileLine
	earlier   []earlier
}

// A Comment is a comment of an export. Its exported fields are for pages.
type Comment struct {
	ID     timeline.CommentID
	Author string // the name
	Text   string
	At     time.Time
	Mine   bool
	Files  []File

	author    timeline.UserID
	line      commentLine
	fileLines []fileLine
	earlier   []earlier
}

// A File is a picture or another file of a post or comment.
type File struct {
	Path string // in the zip file
	Name string // of the upload
	Alt  string
	Kind string // "image", "audio", "video" or "file"
}

// A mark is a like, a favourite or a hide.
type mark struct {
	user timeline.UserID
	name string
	at   time.Time
}

type commentMark struct {
	mark
	comment timeline.CommentID
}

// An earlier is a text that an edit replaced.
type earlier struct {
	text               string
	places             []timeline.TimelineID
	writtenAt, endedAt time.Time
}

// The largest size of a chunk, unless it has only one post: in posts, and in comments, likes and
// favourites of the posts together.
const (
	chunkPosts = 500
	chunkParts = 20_000
)

// writePosts writes all posts with their comments, likes and so on, a chunk at a time, in the order
// of their ids, which is the order of their times.
func (e *export) writePosts(ctx context.Context) error {
	const all = `
		select p.id, p.comments_count + p.likes_count + p.favs_count from posts p join users u on u.id = p.user_id and u.status <> 'deleted'
		where p.deleted_at is null order by p.id`
	// The posts of a person's export: posts that the person wrote, commented on, likes, has among
	// their favourites, or got as a direct, and posts with a comment that the person likes.
	const own = `
		select p.id, p.comments_count + p.likes_count + p.favs_count from (
			select id from posts where user_id = $1
			union select post_id from comments where user_id = $1
			union select post_id from likes where user_id = $1
			union select post_id from favs where user_id = $1
			union select post_id from comment_likes where user_id = $1
			union select e.post_id from timelines t join timeline_entries e on e.timeline_id = t.id where t.what = 'user_directs' and t.their_id = $1
		) k join posts p on p.id = k.id join users u on u.id = p.user_id and u.status <> 'deleted' and not u.withheld
		where p.deleted_at is null and not p.withheld order by p.id`
	var rows pgx.Rows
	var err error
	if e.all() {
		rows, err = e.tx.Query(ctx, all)
	} else {
		rows, err = e.tx.Query(ctx, own, e.User)
	}
	if err != nil {
		return err
	}
	type counted struct {
		ID    timeline.PostID
		Parts int32
	}
	posts, err := pgx.CollectRows(rows, pgx.RowToStructByPos[counted])
	if err != nil {
		return err
	}
	if e.Pages != nil && !e.all() {
		if e.months, err = newMonths(e); err != nil {
			return err
		}
		defer e.months.close()
	}
	e.progress(0, len(posts))
	for from := 0; from < len(posts); {
		parts, to := 0, from
		for to < len(posts) && to-from < chunkPosts && (to == from || parts+int(posts[to].Parts) <= chunkParts) {
			parts += int(posts[to].Parts)
			to++
		}
		ids := make([]timeline.PostID, 0, to-from)
		for _, p := range posts[from:to] {
			ids = append(ids, p.ID)
		}
		if err := e.writeChunk(ctx, ids); err != nil {
			return err
		}
		from = to
		e.progress(from, len(posts))
	}
	if e.months != nil {
		return e.months.finish(ctx)
	}
	return nil
}

func (e *export) progress(done, posts int) {
	if e.Progress != nil {
		e.Progress(done, posts)
	}
}

// writeChunk writes some posts: first the lines of all posts, then the lines of their comments, likes
// and so on. So an import has read a post before it comes to a line that names the post.
func (e *export) writeChunk(ctx context.Context, ids []timeline.PostID) error {
	c := &chunk{export: e, byID: make(map[timeline.PostID]*Post, len(ids)), comments: make(map[timeline.CommentID]*Comment)}
	if err := c.read(ctx, ids); err != nil {
		return err
	}
	if err := c.readPlaces(ctx); err != nil {
		return err
	}
	if err := c.decide(); err != nil {
		return err
	}
	if err := c.addFiles(ctx); err != nil {
		return err
	}
	if err := e.need(ctx, c.names()...); err != nil {
		return err
	}
	if err := c.write(); err != nil {
		return err
	}
	e.posts += len(c.posts)
	if e.months == nil {
		return nil
	}
	for _, p := range c.posts {
		if err := e.months.add(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// decide removes from the chunk what the person of the export may not read: whole posts, and from
// the other posts the comments and likes of people across a ban. It writes the person's own comments,
// likes and favourites of the removed posts to apart.jsonl.
func (c *chunk) decide() error {
	if c.all() {
		for _, p := range c.posts {
			p.To = c.destinations(p.author, p.places)
		}
		return nil
	}
	readable := c.posts[:0]
	for _, p := range c.posts {
		facts := timeline.AccessFacts{Author: p.author, Places: p.places}
		if !c.sets.MayRead(facts, c.timeline) {
			if err := c.writeApart(p); err != nil {
				return err
			}
			continue
		}
		p.To = c.destinations(p.author, p.places)
		p.Mine = p.author == c.User
		p.Comments = slices.DeleteFunc(p.Comments, func(one *Comment) bool { return c.banned(one.author) })
		p.likes = slices.DeleteFunc(p.likes, func(m mark) bool { return c.banned(m.user) })
		p.clikes = slices.DeleteFunc(p.clikes, func(m commentMark) bool {
			return c.comments[m.comment] == nil || c.banned(c.comments[m.comment].author)
		})
		if !p.Mine {
			p.earlier = nil
		}
		for _, one := range p.Comments {
			if one.Mine = one.author == c.User; !one.Mine {
				one.earlier = nil
			}
		}
		readable = append(readable, p)
	}
	c.posts = readable
	return nil
}

// An apartLine is a line of apart.jsonl: a comment, a like or a favourite of the person, of a post
// that they may not read.
type apartLine struct {
	Type string `json:"type"`
	ID   string `json:"id,omitempty"`
	Post string `json:"post"`
	Text string `json:"text,omitempty"`
	At   string `json:"at"`
}

// writeApart writes the person's own comments, like and favourite of a post that they may not read.
// It writes nothing of the post but its id, and nothing of other people.
func (c *chunk) writeApart(p *Post) error {
	post := strconv.FormatInt(int64(p.ID), 10)
	for _, one := range p.Comments {
		if one.author != c.User {
			continue
		}
		l := apartLine{"comment", strconv.FormatInt(int64(one.ID), 10), post, one.Text, stamp(one.At)}
		if err := c.apart.line(l); err != nil {
			return err
		}
		c.me.Apart++
	}
	for _, of := range []struct {
		kind  string
		marks []mark
	}{{"like", p.likes}, {"favourite", p.favs}} {
		for _, m := range of.marks {
			if m.user != c.User {
				continue
			}
			if err := c.apart.line(apartLine{Type: of.kind, Post: post, At: stamp(m.at)}); err != nil {
				return err
			}
			c.me.Apart++
		}
	}
	return nil
}

// names returns the names of all accounts that lines of the chunk name, for [export.need]. If
// everything is exported, it returns none.
func (c *chunk) names() (names []string) {
	if c.all() {
		return nil
	}
	for _, p := range c.posts {
		names = append(names, p.Author)
		for _, to := range p.To {
			names = append(names, accountOf(to))
		}
		for _, one := range p.Comments {
			names = append(names, one.Author)
		}
		for _, m := range p.likes {
			names = append(names, m.name)
		}
		for _, of := range p.earlier {
			for _, to := range c.destinations(p.author, of.places) {
				names = append(names, accountOf(to))
			}
		}
	}
	return names
}

// write writes the lines of the chunk.
func (c *chunk) write() error {
	var lines []any
	add := func(l any) { lines = append(lines, l) }
	for _, p := range c.posts {
		p.line.To = p.To
		add(p.line)
	}
	for _, p := range c.posts {
		post := strconv.FormatInt(int64(p.ID), 10)
		for _, l := range p.fileLines {
			add(l)
		}
		for _, of := range p.earlier {
			add(earlierLine{"earlier_text", post, "", c.destinations(p.author, of.places), of.text, stamp(of.writtenAt), stamp(of.endedAt)})
		}
		for _, one := range p.Comments {
			add(one.line)
		}
		for _, one := range p.Comments {
			for _, l := range one.fileLines {
				add(l)
			}
			for _, of := range one.earlier {
				to := []string{}
				if c.all() { // the person may not know the former places of a post that another person wrote
					to = c.destinations(p.author, of.places)
				}
				add(earlierLine{"comment_earlier_text", "", one.line.ID, to, of.text, stamp(of.writtenAt), stamp(of.endedAt)})
			}
		}
		for _, m := range p.likes {
			p.Likes = append(p.Likes, m.name)
			add(markLine{Type: "like", User: m.name, Post: post, At: stamp(m.at)})
		}
		for _, m := range p.clikes {
			add(markLine{Type: "comment_like", User: m.name, Comment: strconv.FormatInt(int64(m.comment), 10), At: stamp(m.at)})
		}
		for _, m := range p.favs {
			add(markLine{Type: "favourite", User: m.name, Post: post, At: stamp(m.at)})
		}
		for _, m := range p.hidden {
			add(markLine{Type: "hidden_post", User: m.name, Post: post, At: stamp(m.at)})
		}
	}
	for _, l := range lines {
		if err := c.lines.line(l); err != nil {
			return err
		}
	}
	return nil
}
