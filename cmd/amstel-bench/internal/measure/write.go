package measure

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// The bars of writes.
const (
	postBar       = 5.0    // ms, until a post is answered
	commentBar    = 6.0    // ms, until a comment is answered
	postsBar      = 1000.0 // posts a second by all writers together
	statementsBar = 20.0   // statements for one post, with those of the turn that shows it
)

// writers is the number of members who write at the same time.
const writers = 16

// writes measures how long members wait for the answers to posts and comments, how many posts a node takes in a
// second, and how many statements one post costs.
func (r *run) writes(ctx context.Context) error {
	counts := &report.StatementCounts{}
	config := r.Pool.Config()
	config.ConnConfig.Tracer = counts
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return err
	}
	defer pool.Close()
	store := timeline.New(pool, timeline.Options{})
	if _, err := store.ArrangeSite(ctx, timeline.SiteEdit{"quotas.token": "0", "quotas.person": "0"}); err != nil {
		return err
	}
	people, err := busiest(ctx, pool, writers)
	if err != nil {
		return err
	}
	return r.Serve(ctx, store, func(ctx context.Context, site Site) error {
		w := &writesRun{run: r, site: site, counts: counts, client: &http.Client{
			Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: writers},
		}}
		defer w.client.CloseIdleConnections()
		for _, one := range people {
			token, err := store.NewToken(ctx, one.User, timeline.TokenSpec{Name: "bench", Scopes: timeline.AllScopes})
			if err != nil {
				return err
			}
			w.tokens = append(w.tokens, token)
			// Members write with their homes open.
			home, err := site.Rivers.Watch(ctx, river.Key{Viewer: one.User, What: river.KindHome, TheirID: int64(one.User)})
			if err != nil {
				return err
			}
			defer home.Close()
		}
		if err := w.alone(ctx); err != nil {
			return err
		}
		return w.together(ctx)
	})
}

// A writesRun writes by the API.
type writesRun struct {
	*run
	site   Site
	counts *report.StatementCounts
	client *http.Client
	tokens []string // one of each writer, the one who follows most first
	number atomic.Int64
}

// send sends a request with a body as JSON, and reads the answer into the value to, which may be nil.
func (w *writesRun) send(ctx context.Context, token, method, path string, body, to any) error {
	sent, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, method, w.site.Address+path, bytes.NewReader(sent))
	if err != nil {
		return err
	}
	request.Header.Set("X-API-Token", token)
	request.Header.Set("Content-Type", "application/json")
	response, err := w.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s answers %s: %.200s", method, path, response.Status, text)
	}
	if to == nil {
		return nil
	}
	return json.Unmarshal(text, to)
}

// post writes a post, and returns its id.
func (w *writesRun) post(ctx context.Context, token string) (timeline.PostID, error) {
	var made struct {
		Post struct {
			ID timeline.PostID `json:"id"`
		} `json:"post"`
	}
	text := fmt.Sprintf("Bench writes post %d, which is about as long as posts are.", w.number.Add(1))
	err := w.send(ctx, token, http.MethodPost, "/api/v1/posts", map[string]any{"post": map[string]any{"text": text, "timelines": []string{"user"}}}, &made)
	return made.Post.ID, err
}

// during returns how long a third of the measurement lasts.
func (w *writesRun) during() time.Duration {
	return time.Duration(w.Seconds / 3 * float64(time.Second))
}

// mostWrites is the number of writes of a kind that a member makes. A node takes 600 writes of an account in a minute.
const mostWrites = 180

// repeat calls do for a while, but at least once and at most mostWrites times, and returns how long each call took.
func repeat(during time.Duration, do func() error) (took report.Times, err error) {
	for until := time.Now().Add(during); len(took) == 0 || len(took) < mostWrites && time.Now().Before(until); {
		begun := time.Now()
		if err := do(); err != nil {
			return took, err
		}
		took = append(took, time.Since(begun))
	}
	return took, nil
}

// alone measures the writes of one member.
func (w *writesRun) alone(ctx context.Context) error {
	token := w.tokens[0]
	var post timeline.PostID
	w.counts.Take()
	before, err := report.ReadUsage(ctx, w.Pool)
	if err != nil {
		return err
	}
	took, err := repeat(w.during(), func() (err error) {
		post, err = w.post(ctx, token)
		return err
	})
	if err != nil {
		return err
	}
	if err := settled(ctx, w.site.Rivers); err != nil {
		return err
	}
	counted := w.counts.Take()
	after, err := report.ReadUsage(ctx, w.Pool)
	if err != nil {
		return err
	}
	const of = "by the member who follows most, one after another; until the answer, which has the entry"
	if err := w.reportWait("write.post", "posts "+of, took, postBar); err != nil {
		return err
	}
	each := func(statements int) float64 { return report.Ratio(float64(statements), float64(len(took))) }
	record := report.Record{
		Name: "write.statements", Value: each(counted.Others + counted.Node), Unit: "statements", N: len(took),
		Of:    "statements for each of these posts, with the turns of the node meanwhile",
		Parts: map[string]float64{"write": report.Round(each(counted.Others)), "turns": report.Round(each(counted.Node))},
	}
	record.Written = after.Written - before.Written
	record.Expect(fmt.Sprintf("statements <= %v", statementsBar), record.Value <= statementsBar)
	if err := w.report(record); err != nil {
		return err
	}
	took, err = repeat(w.during(), func() error {
		comment := map[string]any{"comment": map[string]any{"text": fmt.Sprintf("Comment %d on it.", w.number.Add(1))}}
		return w.send(ctx, token, http.MethodPost, fmt.Sprintf("/api/v1/posts/%d/comments", post), comment, nil)
	})
	if err != nil {
		return err
	}
	return w.reportWait("write.comment", "comments on one post "+of, took, commentBar)
}

// reportWait reports how long a member waits.
func (w *writesRun) reportWait(name, of string, took report.Times, bar float64) error {
	record := report.Record{Name: name, Of: of, Unit: "ms"}
	record.SetTimes(took, 0.5)
	record.Expect(fmt.Sprintf("p50 <= %v ms", bar), record.P50 <= bar)
	return w.report(record)
}

// together measures how many posts all writers together make in a second.
func (w *writesRun) together(ctx context.Context) error {
	took, errs := make([]report.Times, len(w.tokens)), make([]error, len(w.tokens))
	var writing sync.WaitGroup
	begun := time.Now()
	for i, token := range w.tokens {
		writing.Go(func() {
			took[i], errs[i] = repeat(w.during(), func() error {
				_, err := w.post(ctx, token)
				return err
			})
		})
	}
	writing.Wait()
	lasted := time.Since(begun)
	if err := errors.Join(errs...); err != nil {
		return err
	}
	var all report.Times
	for _, some := range took {
		all = append(all, some...)
	}
	record := report.Record{
		Name: "write.posts", Value: report.Ratio(float64(len(all)), lasted.Seconds()), Unit: "posts/s",
		Of: fmt.Sprintf("posts by %d members at the same time; the clients are in this process", len(w.tokens)),
	}
	record.SetQuantiles(all)
	record.Expect(fmt.Sprintf("posts/s >= %v", postsBar), record.Value >= postsBar)
	return w.report(record)
}
