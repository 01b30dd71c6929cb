package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"golang.org/x/sync/errgroup"

	"amstel.dev/amstel/realtime/client"
)

// directs is the page on which each person watches for direct messages.
const directs = "/filter/directs"

// notice has the newest text of an entry answered if a person wrote it who is not of the community. By is the
// person who sees the entry on the page at path.
func (a *activity) notice(ctx context.Context, acting *errgroup.Group, by *actor, path string, e client.Entry) {
	newest := client.Comment{ID: e.ID, UserID: e.UserID}
	if n := len(e.Comments); n > 0 {
		newest = e.Comments[n-1]
	}
	a.mu.Lock()
	known := a.byID[newest.UserID] != nil || a.noticed[newest.ID]
	if !known {
		a.noticed[newest.ID] = true
	}
	a.mu.Unlock()
	if known {
		return
	}
	acting.Go(func() error {
		if err := a.wait(ctx, a.Rhythm.Answer); err != nil {
			return err
		}
		if err := a.answer(ctx, by, path, e.URL, newest.ID); err != nil && ctx.Err() == nil {
			a.Log.Debug("a person of the demonstration could not answer", "err", err)
		}
		return nil
	})
}

// answer writes an answer to a text, which is the post of an entry or one of the comments there, unless a
// person of the community has commented after the text. It also has people like the post.
func (a *activity) answer(ctx context.Context, by *actor, path, url string, id int64) error {
	thread, err := by.client.Timeline(ctx, url)
	if err != nil || len(thread.Entries) == 0 {
		return err
	}
	post := thread.Entries[0]
	texts := append([]client.Comment{{ID: post.ID, UserID: post.UserID, Text: post.Text}}, post.Comments...)
	at := slices.IndexFunc(texts, func(c client.Comment) bool { return c.ID == id })
	if at < 0 || slices.ContainsFunc(texts[at+1:], func(c client.Comment) bool { return a.byID[c.UserID] != nil }) {
		return nil
	}
	language := languageOf(texts[at].Text)
	a.mu.Lock()
	reply := expand(a.random, pick(a.random, a.community.answersTo(texts[at].Text)))
	speaker := a.actors[speakers(a.random, a.community.People, language)]
	likers := a.someActors(a.random, 1+a.random.IntN(3))
	a.mu.Unlock()
	if path == directs {
		speaker, likers = by, []*actor{by} // only the people whom it was sent to can read a direct
	} else if partner := a.partner(texts[:at], language); partner != nil {
		speaker = partner
	}
	if _, err := speaker.client.Comment(ctx, post.ID, reply, client.UUID(fmt.Sprint("answer to ", id))); err != nil {
		return err
	}
	if a.byID[post.UserID] != nil {
		return nil
	}
	for _, each := range likers {
		if slices.Contains(post.Likes, each.id) {
			continue
		}
		if err := a.wait(ctx, a.Rhythm.Answer); err != nil {
			return err
		}
		if err := each.client.Like(ctx, post.ID); err != nil {
			return err
		}
	}
	return nil
}

// partner returns the person of the community who wrote the last of some texts and comments in a
// language; nil if there is none. So a conversation goes on between the same two.
func (a *activity) partner(texts []client.Comment, language string) *actor {
	for _, text := range slices.Backward(texts) {
		if who := a.byID[text.UserID]; who != nil && who.speaks(language) {
			return who
		}
	}
	return nil
}

// someActors returns n different people.
func (a *activity) someActors(random *rand.Rand, n int) (some []*actor) {
	for _, i := range random.Perm(len(a.actors))[:n] {
		some = append(some, a.actors[i])
	}
	return some
}
