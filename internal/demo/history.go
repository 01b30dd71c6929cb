package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"
)

const (
	// historyDays is how many days before the start the oldest post is.
	historyDays = 28
	// variants is how many posts of each pattern the history has.
	variants = 4
	// likesMost is how many likes a post of the history has at most, and remarksMost how many comments
	// that fit any post.
	likesMost   = 9
	remarksMost = 2
)

// A history writes the lines of an import, which package importer describes.
type history struct {
	*community
	random *rand.Rand
	now    time.Time
	lines  bytes.Buffer
	last   int // the number of the last post or comment
}

// line is one line of an import.
type line map[string]any

// newHistory returns the past of the community as lines of an import: the accounts, and the posts of the
// last four weeks, with comments and likes.
func newHistory(c *community, seed uint64, now time.Time) ([]byte, error) {
	h := &history{community: c, random: newRandom(seed), now: now.UTC()}
	if err := h.accounts(); err != nil {
		return nil, err
	}
	written := map[string]bool{}
	for i := range c.People {
		author := &c.People[i]
		for _, pattern := range author.Posts {
			for range variants {
				text := expand(h.random, pattern.Text)
				if written[text] {
					continue
				}
				written[text] = true
				if err := h.post(author, pattern, text); err != nil {
					return nil, err
				}
			}
		}
	}
	return h.lines.Bytes(), nil
}

// write appends a line about something that happened at a time.
func (h *history) write(at time.Time, l line) error {
	l["at"] = at.Format("2006-01-02T15:04:05.000Z07:00")
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	h.lines.Write(append(text, '\n'))
	return nil
}

// accounts writes the people, the groups, and who follows whom.
func (h *history) accounts() error {
	at := h.now.AddDate(0, 0, -3*historyDays)
	next := func() time.Time {
		at = at.Add(time.Duration(1+h.random.IntN(100)) * time.Minute)
		return at
	}
	for _, p := range h.People {
		if err := h.write(next(), line{"type": "user", "name": p.Name, "display_name": p.Display, "description": p.About, "status": "public"}); err != nil {
			return err
		}
	}
	for _, g := range h.Groups {
		status := g.Status
		if status == "" {
			status = "public"
		}
		if err := h.write(next(), line{"type": "group", "name": g.Name, "display_name": g.Display, "description": g.About, "status": status, "admins": []string{g.Admin}}); err != nil {
			return err
		}
	}
	for _, p := range h.People {
		for _, target := range append(append([]string{}, p.Follows...), p.Groups...) {
			if target == Guest {
				continue // there is no such account yet
			}
			if err := h.write(next(), line{"type": "subscription", "user": p.Name, "target": target}); err != nil {
				return err
			}
		}
	}
	return nil
}

// post writes a post at a random time, with comments and likes.
func (h *history) post(author *person, pattern pattern, text string) error {
	to := pattern.To
	if len(to) == 0 {
		to = []string{author.Name}
	}
	// The square makes the last days have more posts than the first, as on a site that grows.
	ago := h.random.Float64()
	at := h.now.Add(-time.Minute - time.Duration(ago*ago*historyDays*24*float64(time.Hour))).Truncate(time.Millisecond)
	h.last++
	id := fmt.Sprint("p", h.last)
	if err := h.write(at, line{"type": "post", "id": id, "author": author.Name, "to": to, "text": text}); err != nil {
		return err
	}
	for _, i := range h.random.Perm(len(h.People))[:h.random.IntN(likesMost+1)] {
		if liked := h.after(at); h.People[i].Name != author.Name && liked.Before(h.now) {
			if err := h.write(liked, line{"type": "like", "user": h.People[i].Name, "post": id}); err != nil {
				return err
			}
		}
	}
	comments := append([]string{}, pattern.Comments...)
	h.random.Shuffle(len(comments), func(i, j int) { comments[i], comments[j] = comments[j], comments[i] })
	comments = comments[:h.random.IntN(len(comments)+1)]
	for range h.random.IntN(remarksMost + 1) {
		comments = append(comments, pick(h.random, h.remarks(languageOf(text))))
	}
	said, by := map[string]bool{}, author
	for _, comment := range comments {
		if at = h.after(at); !at.Before(h.now) || said[comment] {
			continue
		}
		said[comment] = true
		by = h.speaker(languageOf(comment), author, by)
		if err := h.comment(id, by, expand(h.random, comment), at); err != nil {
			return err
		}
	}
	return nil
}

// comment writes a comment, which other people may like.
func (h *history) comment(post string, by *person, text string, at time.Time) error {
	h.last++
	id := fmt.Sprint("c", h.last)
	if err := h.write(at, line{"type": "comment", "id": id, "post": post, "author": by.Name, "text": text}); err != nil {
		return err
	}
	liker := &h.People[h.random.IntN(len(h.People))]
	if liked := h.after(at); h.random.IntN(3) == 0 && liker != by && liked.Before(h.now) {
		return h.write(liked, line{"type": "comment_like", "user": liker.Name, "comment": id})
	}
	return nil
}

// after returns a time some minutes or hours after a time.
func (h *history) after(at time.Time) time.Time {
	minutes := 1 + h.random.IntN(20)
	if h.random.IntN(4) == 0 {
		minutes *= 12
	}
	return at.Add(time.Duration(minutes)*time.Minute + time.Duration(h.random.IntN(60_000))*time.Millisecond)
}

// speaker returns a person who comments in a language, and is none of those in but.
func (h *history) speaker(language string, but ...*person) *person {
	return &h.People[speakers(h.random, h.People, language, but...)]
}

// speakers returns the index of a random person who comments in a language, and is none of those in but.
func speakers(random *rand.Rand, people []person, language string, but ...*person) int {
	var able []int
	for i := range people {
		named := false
		for _, other := range but {
			named = named || other.Name == people[i].Name
		}
		if people[i].speaks(language) && !named {
			able = append(able, i)
		}
	}
	return pick(random, able)
}
