package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/timeline"
)

// The orders to members, and the members' answers.
type (
	MembersOrder struct {
		Do      string // [DoVisit], [DoTell] or [DoStop]
		Site    string
		Members []Member
		Every   time.Duration // the mean time between two requests of a member
	}
	Member struct {
		Name  string
		Token string
		Post  timeline.PostID // a post by the member, for the others to comment on
	}
	MembersResult struct {
		Reads, Writes Requests
		Acknowledged  []string       // the texts of writes that were answered with success
		Failed        map[string]int // the number of failures, by message
	}
)

// Failures returns how many requests failed, or had an answer without the text just written.
func (t *MembersResult) Failures() (n int) {
	for _, times := range t.Failed {
		n += times
	}
	return n
}

// Of the requests of a member, about one in memberPosts writes a post, and about one in memberComments
// writes a comment. All others are reads.
const (
	memberComments = 6
	memberPosts    = 30
)

// members are the clients that read and write as members of the site do. Each waits a random time
// between two requests. They answer an order with the results of their requests since the previous
// order.
type members struct {
	MembersOrder
	api *api

	mu            sync.Mutex
	reads, writes report.Times
	told          MembersResult
}

func newMembers() *members {
	return &members{api: newAPI()}
}

func (*members) does(o MembersOrder) string { return o.Do }

func (m *members) visit(ctx context.Context, run *sync.WaitGroup, o MembersOrder) error {
	m.MembersOrder, m.api.site = o, o.Site
	var living sync.WaitGroup
	for i := range o.Members {
		living.Go(func() { m.live(ctx, i, rand.New(rand.NewPCG(uint64(i), 12))) })
	}
	run.Go(func() {
		living.Wait()
		m.api.client.CloseIdleConnections()
	})
	return nil
}

func (m *members) result() MembersResult {
	m.mu.Lock()
	defer m.mu.Unlock()
	told := m.told
	told.Reads, told.Writes = summary(m.reads), summary(m.writes)
	m.told, m.reads, m.writes = MembersResult{}, nil, nil
	return told
}

func summary(t report.Times) Requests {
	return Requests{Count: len(t), P50: t.Quantile(0.5), P99: t.Quantile(0.99), Worst: t.Quantile(1)}
}

// live reads and writes as the member with index i until the context ends. A request that is under way
// then is not cut off, so that the bench knows whether the site took the write.
func (m *members) live(ctx context.Context, i int, random *rand.Rand) {
	requests := context.WithoutCancel(ctx)
	for n := 0; Pause(ctx, time.Duration(random.ExpFloat64()*float64(m.Every))) == nil; n++ {
		switch {
		case random.IntN(memberPosts) == 0:
			m.write(requests, i, fmt.Sprintf("member %d posts %d", i, n), 0)
		case random.IntN(memberComments) == 0:
			m.write(requests, i, fmt.Sprintf("member %d comments %d", i, n), m.Members[random.IntN(len(m.Members))].Post)
		case random.IntN(3) == 0:
			m.read(requests, i, "/"+m.Members[random.IntN(len(m.Members))].Name+".json")
		default:
			m.read(requests, i, "/index.json")
		}
	}
}

// read requests a page, and records the result.
func (m *members) read(ctx context.Context, i int, path string) {
	took, _, err := m.request(ctx, i, http.MethodGet, path, nil)
	m.note(&m.reads, took, err)
}

// write writes a comment on a post, or a new post if post is 0. Then it checks that the answer has the
// text, and that a page on which the text belongs shows it: the page of the post, or the member's feed
// for a new post.
func (m *members) write(ctx context.Context, i int, text string, post timeline.PostID) {
	path, body := newPost(text)
	if post != 0 {
		path, body = newComment(post, text)
	}
	took, answer, err := m.request(ctx, i, http.MethodPost, path, body)
	m.note(&m.writes, took, err)
	if err != nil {
		return
	}
	m.mu.Lock()
	m.told.Acknowledged = append(m.told.Acknowledged, text)
	m.mu.Unlock()
	if !bytes.Contains(answer, []byte(text)) {
		m.note(nil, 0, errors.New("the answer to a write does not have its text"))
	}
	page := "/" + m.Members[i].Name + ".json" // a new post is at the top of its author's feed
	for _, of := range m.Members {
		if post != 0 && of.Post == post {
			page = fmt.Sprintf("/%s/%d.json", of.Name, post)
		}
	}
	took, answer, err = m.request(ctx, i, http.MethodGet, page, nil)
	m.note(&m.reads, took, err)
	if err == nil && !bytes.Contains(answer, []byte(text)) {
		m.note(nil, 0, errors.New("a page requested after a write does not have its text"))
	}
}

// note records how long a request took, and how it failed. Without a list of times it records only the
// failure.
func (m *members) note(of *report.Times, took time.Duration, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if of != nil {
		*of = append(*of, took)
	}
	if err != nil {
		if m.told.Failed == nil {
			m.told.Failed = map[string]int{}
		}
		m.told.Failed[err.Error()]++
	}
}

// request sends a request of the member with index i.
func (m *members) request(ctx context.Context, i int, method, path string, body []byte) (took time.Duration, answer []byte, err error) {
	return m.api.request(ctx, m.Members[i].Token, method, path, body)
}
