package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"amstel.dev/amstel/timeline"
)

// The orders to the people of the mixed life, and their answers.
type (
	LifeOrder struct {
		Do        string // [DoVisit], [DoTell] or [DoStop]
		Site      string
		Members   []Member
		PerSecond float64 // how many acts are due in a second
	}
	LifeResult struct {
		Done         []DoneAct // in the order in which they ended
		Acknowledged Acknowledged
		Failed       map[string]int // the number of failures, by message
		Bytes        int64          // how many bytes the site sent in answers, with their headers
	}
	DoneAct struct {
		Act  string        // the name of one of [LifeActs]
		Took time.Duration // the time from when the act was due until it was done
	}
)

// Failures returns how many acts failed, or had an answer without the text just written.
func (r *LifeResult) Failures() (n int) {
	for _, times := range r.Failed {
		n += times
	}
	return n
}

// A LifeAct is what a person does by one request.
type LifeAct struct {
	Name, Of string // Of describes the act
	share    int    // of 100 acts
	do       func(*life, context.Context, *rand.Rand, *Member) error
}

// LifeActs are the acts of the mixed life. People read much more than they write; a fifth of the reads are of visitors.
var LifeActs = []LifeAct{
	{"home", "a member reads their home", 30, func(l *life, ctx context.Context, _ *rand.Rand, m *Member) error {
		return l.read(ctx, m.Token, HomePath)
	}},
	{"scroll", "a member reads their home further down, page 2 to 4", 12, func(l *life, ctx context.Context, random *rand.Rand, m *Member) error {
		return l.read(ctx, m.Token, fmt.Sprintf("%s?page=%d", HomePath, 2+random.IntN(3)))
	}},
	{"open", "a member opens the page of a post", 18, func(l *life, ctx context.Context, random *rand.Rand, m *Member) error {
		return l.read(ctx, m.Token, l.anyPost(random).path())
	}},
	{"visitor", "a visitor reads the front page, everything, a post or a person's page", 15, func(l *life, ctx context.Context, random *rand.Rand, _ *Member) error {
		return l.read(ctx, "", pick(random, []string{HomePath, "/filter/everything", l.anyPost(random).path(), "/" + pick(random, l.Members).Name}))
	}},
	{"like", "a member likes a post", 9, (*life).like},
	{"comment", "a member comments on a post", 8, (*life).comment},
	{"post", "a member publishes a post", 4, (*life).post},
	{"edit", "a member edits a post", 2, (*life).edit},
	{"follow", "a member follows another", 2, (*life).follow},
}

// life has the people of a site read and write. An act begins when it is due, whether or not earlier ones have ended, so a
// slow site does not slow down its people; an act that has to wait for one of the apiAtOnce connections takes longer.
type life struct {
	LifeOrder
	api *api

	mu       sync.Mutex
	told     LifeResult
	posts    []lifePost                 // all posts to read, like and comment on
	unedited []lifePost                 // posts of this life that were not edited yet
	texts    map[timeline.PostID]string // the newest acknowledged text of each post of this life
	written  int                        // the number of texts made
}

// A lifePost is a post and its author.
type lifePost struct {
	author *Member
	id     timeline.PostID
}

// path returns the path of the post's page.
func (p lifePost) path() string { return fmt.Sprintf("/%s/%d", p.author.Name, p.id) }

func newLife() *life {
	return &life{api: newAPI(), texts: map[timeline.PostID]string{}}
}

func (*life) does(o LifeOrder) string { return o.Do }

func (l *life) visit(ctx context.Context, run *sync.WaitGroup, o LifeOrder) error {
	l.LifeOrder, l.api.site = o, o.Site
	for i := range o.Members {
		l.posts = append(l.posts, lifePost{&l.Members[i], o.Members[i].Post})
	}
	run.Go(func() { l.live(ctx) })
	return nil
}

// result returns all results so far.
func (l *life) result() LifeResult {
	l.mu.Lock()
	defer l.mu.Unlock()
	told := l.told
	told.Bytes = l.api.received.Load()
	told.Failed = maps.Clone(told.Failed)
	told.Acknowledged.Texts = append(slices.Clone(told.Acknowledged.Texts), slices.Collect(maps.Values(l.texts))...)
	return told
}

// live begins acts at random times until the context ends. An act that is under way then is not cut off, so that the bench
// knows whether the site took the write.
func (l *life) live(ctx context.Context) {
	requests := context.WithoutCancel(ctx)
	random := rand.New(rand.NewPCG(14, 15))
	var acting errgroup.Group
	acting.SetLimit(apiAtOnce)
	begun := time.Now()
	due := time.Duration(0) // as the time since begun
	for n := uint64(0); ; n++ {
		due += time.Duration(random.ExpFloat64() / l.PerSecond * float64(time.Second))
		if Pause(ctx, time.Until(begun.Add(due))) != nil {
			break
		}
		act, own, at := pickAct(random.IntN(100)), rand.New(rand.NewPCG(n, 16)), begun.Add(due)
		member := &l.Members[own.IntN(len(l.Members))]
		acting.Go(func() error {
			err := act.do(l, requests, own, member)
			l.note(act.Name, time.Since(at), err)
			return nil
		})
	}
	_ = acting.Wait() // no function returns an error
	l.api.client.CloseIdleConnections()
}

// pickAct returns the act for a number from 0 to 99, so that each act gets its share.
func pickAct(n int) LifeAct {
	for _, act := range LifeActs {
		if n -= act.share; n < 0 {
			return act
		}
	}
	return LifeActs[0]
}

// note records how long an act took, and how it failed.
func (l *life) note(act string, took time.Duration, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.told.Done = append(l.told.Done, DoneAct{act, took})
	if err != nil {
		if l.told.Failed == nil {
			l.told.Failed = map[string]int{}
		}
		l.told.Failed[act+": "+err.Error()]++
	}
}

// anyPost returns a random post.
func (l *life) anyPost(random *rand.Rand) lifePost {
	l.mu.Lock()
	defer l.mu.Unlock()
	return pick(random, l.posts)
}

// request sends a request.
func (l *life) request(ctx context.Context, token, method, path string, body []byte) ([]byte, error) {
	_, answer, err := l.api.request(ctx, token, method, path, body)
	return answer, err
}

// read requests a page as HTML, as browsers do.
func (l *life) read(ctx context.Context, token, path string) error {
	_, err := l.request(ctx, token, http.MethodGet, path, nil)
	return err
}

// write sends a text, and checks that the answer has it.
func (l *life) write(ctx context.Context, by *Member, method, path string, body []byte, text string) ([]byte, error) {
	answer, err := l.request(ctx, by.Token, method, path, body)
	if err == nil && !bytes.Contains(answer, []byte(text)) {
		err = errors.New("the answer to a write does not have its text")
	}
	return answer, err
}

// text returns a text unlike all others.
func (l *life) text(of string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.written++
	return fmt.Sprintf("%s %d of a mixed life, which is about as long as such texts are.", of, l.written)
}

// comment comments on a random post.
func (l *life) comment(ctx context.Context, random *rand.Rand, by *Member) error {
	text := l.text("Comment")
	path, body := newComment(l.anyPost(random).id, text)
	_, err := l.write(ctx, by, http.MethodPost, path, body, text)
	if err == nil {
		l.acknowledge(func(a *Acknowledged) { a.Texts = append(a.Texts, text) })
	}
	return err
}

// post publishes a post. From then on people read, like and comment on it.
func (l *life) post(ctx context.Context, _ *rand.Rand, by *Member) error {
	text := l.text("Post")
	path, body := newPost(text)
	answer, err := l.write(ctx, by, http.MethodPost, path, body, text)
	if err != nil {
		return err
	}
	id, err := createdPost(answer)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	made := lifePost{by, id}
	l.posts, l.unedited, l.texts[id] = append(l.posts, made), append(l.unedited, made), text
	return nil
}

// edit changes the text of a post of this life that was not edited yet. If there is none, it publishes a post.
func (l *life) edit(ctx context.Context, random *rand.Rand, by *Member) error {
	l.mu.Lock()
	if len(l.unedited) == 0 {
		l.mu.Unlock()
		return l.post(ctx, random, by)
	}
	old := l.unedited[0]
	l.unedited = l.unedited[1:]
	l.mu.Unlock()
	text := l.text("Edited post")
	body := encoded(map[string]any{"post": map[string]any{"text": text}})
	_, err := l.write(ctx, old.author, http.MethodPatch, fmt.Sprintf("/api/v1/posts/%d", old.id), body, text)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.texts[old.id] = text; err != nil {
		delete(l.texts, old.id) // the post may have either text
	}
	return err
}

// like likes a random post of another member.
func (l *life) like(ctx context.Context, random *rand.Rand, by *Member) error {
	post := l.anyPost(random)
	if post.author.Name == by.Name {
		by = l.other(random, by)
	}
	_, err := l.request(ctx, by.Token, http.MethodPost, fmt.Sprintf("/api/v1/posts/%d/likes", post.id), encoded(map[string]any{}))
	if err == nil {
		l.acknowledge(func(a *Acknowledged) { a.Likes = append(a.Likes, Like{by.Name, post.id}) })
	}
	return err
}

// follow subscribes to the feed of another member.
func (l *life) follow(ctx context.Context, random *rand.Rand, by *Member) error {
	feed := l.other(random, by).Name
	_, err := l.request(ctx, by.Token, http.MethodPost, "/api/v1/users/"+feed+"/subscribers", encoded(map[string]any{}))
	if err == nil {
		l.acknowledge(func(a *Acknowledged) { a.Follows = append(a.Follows, Follow{by.Name, feed}) })
	}
	return err
}

// other returns a random member other than one.
func (l *life) other(random *rand.Rand, than *Member) *Member {
	i := random.IntN(len(l.Members))
	if l.Members[i].Name == than.Name {
		i = (i + 1) % len(l.Members)
	}
	return &l.Members[i]
}

// acknowledge records a write.
func (l *life) acknowledge(add func(*Acknowledged)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	add(&l.told.Acknowledged)
}
