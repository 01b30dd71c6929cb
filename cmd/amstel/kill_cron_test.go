package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"amstel.dev/amstel/cmd/internal/jobs"
	"amstel.dev/amstel/internal/faulttest"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/ranking"
)

// TestCronKilled kills cron in the middle of each of its jobs. No process runs the periodic job
// again for the same tick; the run for the next tick does all of its work. The erase job, which
// works in chunks, continues from its last chunk.
func TestCronKilled(t *testing.T) {
	long(t)
	t.Parallel()
	for _, tt := range []struct {
		job, point string
		before     func(*cronScenario)        // prepares work for the job
		half       func(*cronScenario) string // how the state after the kill differs from the expected one
		done       func(*cronScenario) string // the part of the job that is undone at the end
	}{
		{"prune", "timeline: claimed", (*cronScenario).addPrunable, (*cronScenario).nothingPruned, (*cronScenario).allPruned},
		{"prune", "timeline: pruned", (*cronScenario).addPrunable, (*cronScenario).partlyPruned, (*cronScenario).allPruned},
		{"prune", "timeline: job done", (*cronScenario).addPrunable, (*cronScenario).allPruned, (*cronScenario).allPruned},
		{"rank", "timeline: ranked", (*cronScenario).addLikedPost, (*cronScenario).notRanked, (*cronScenario).isRanked},
		{"rank", "timeline: ranks stored", (*cronScenario).addLikedPost, (*cronScenario).isRanked, (*cronScenario).isRanked},
		{"", "timeline: job written", (*cronScenario).deleteLargeAccount, (*cronScenario).notErased, (*cronScenario).erased},
		{"", "timeline: job committed", (*cronScenario).deleteLargeAccount, (*cronScenario).notErased, (*cronScenario).erased},
	} {
		t.Run(tt.point, func(t *testing.T) {
			t.Parallel()
			url := pgtest.URL(t)
			scenario := faulttest.New(t, url)
			scenario.Oracle = oracle(t, url)
			for _, what := range []string{"work off", "rank", "delete account"} { // cron does these
				scenario.World.Without[what] = true
			}
			endpoint := faulttest.Endpoint{River: filepath.Join(t.TempDir(), "river.db")}
			endpoint.URL = start(t, "web", "--listen=127.0.0.1:0", "--writes=1000000", "--database", url, "--data", t.TempDir(), "--river", endpoint.River).url
			scenario.SetNodes(endpoint.URL)
			scenario.OpenPages()
			o := &cronScenario{scenario}
			tt.before(o)
			scenario.StartLoad()
			if tt.job == "rank" { // cron runs prune first, which would reach the point
				o.claimTick("prune")
			}
			m := startKillable(t, killAtOnce+tt.point, "cron", "--database", url)
			m.waitKilled()
			if why := tt.half(o); why != "" {
				t.Errorf("after the kill: %s", why)
			}
			startKillable(t, "", "cron", "--database", url)
			if tt.job != "" {
				tick := o.lastTick(tt.job)
				o.wantNoSecondRun(tt.job, tick)
				o.run(tt.job, tick.Add(time.Hour))
			}
			scenario.Until("the job is not done", func() string { return tt.done(o) })
			scenario.CheckAll(endpoint)
		})
	}
}

// A cronScenario is a scenario with work for cron.
type cronScenario struct{ *faulttest.Scenario }

func (o *cronScenario) exec(query string, args ...any) {
	o.Helper()
	_, err := o.Pool.Exec(o.Context(), query, args...)
	o.Must(err)
}

func (o *cronScenario) count(query string, args ...any) (n int) {
	o.Helper()
	o.Must(o.Pool.QueryRow(o.Context(), query, args...).Scan(&n))
	return n
}

// claimTick marks a job as run for the present tick and the next one.
func (o *cronScenario) claimTick(name string) {
	o.Helper()
	for _, j := range jobs.OfPrimary(o.Store) {
		if j.Name == name {
			for _, tick := range []time.Time{time.Now(), time.Now().Add(j.Every)} { // the test may go on into the next tick
				o.exec(`insert into job_ticks (job, tick) values ($1, $2) on conflict do nothing`, name, tick.UTC().Truncate(j.Every))
			}
		}
	}
}

// lastTick returns the latest claimed tick of a job.
func (o *cronScenario) lastTick(name string) (tick time.Time) {
	o.Helper()
	o.Must(o.Pool.QueryRow(o.Context(), `select max(tick) from job_ticks where job = $1`, name).Scan(&tick))
	return tick
}

// run runs a job for a tick, as any process may.
func (o *cronScenario) run(name string, tick time.Time) {
	o.Helper()
	for _, j := range jobs.OfPrimary(o.Store) {
		if j.Name == name {
			o.Until(name, func() string {
				if err := j.Run(context.WithoutCancel(o.Context()), tick); err != nil {
					return err.Error()
				}
				return ""
			})
		}
	}
}

// wantNoSecondRun fails the test if a job can be run for a tick that another process claimed.
func (o *cronScenario) wantNoSecondRun(name string, tick time.Time) {
	o.Helper()
	for _, j := range jobs.OfPrimary(o.Store) {
		if j.Name == name {
			if err := j.Run(o.Context(), tick); !errors.Is(err, jobs.ErrElsewhere) {
				o.Errorf("%s for the tick of the killed process: %v, want ErrElsewhere", name, err)
			}
		}
	}
}

// addPrunable adds old rows to the change log, which prune deletes first, and to submissions,
// which it deletes later.
func (o *cronScenario) addPrunable() {
	_, err := o.Store.Sequence(o.Context())
	o.Must(err)
	o.exec(`update change_log set at = now() - interval '3 days' where position < (select position from log_head)`)
	o.exec(`insert into submissions (user_id, uuid, what, their_id, created_at) select min(id), gen_random_uuid(), 'post', 1, now() - interval '30 days' from users`)
}

// countPrunable returns the numbers of old rows.
func (o *cronScenario) countPrunable() (log, submissions int) {
	return o.count(`select count(*) from change_log where at < now() - interval '2 days'`), o.count(`select count(*) from submissions where created_at < now() - interval '20 days'`)
}

// whyNotPruned returns the numbers of old rows, unless log and submissions say correctly whether
// there are any.
func (o *cronScenario) whyNotPruned(log, submissions bool) string {
	changes, others := o.countPrunable()
	if changes > 0 != log || others > 0 != submissions {
		return fmt.Sprintf("%d old changes and %d old submissions", changes, others)
	}
	return ""
}

func (o *cronScenario) nothingPruned() string { return o.whyNotPruned(true, true) }
func (o *cronScenario) partlyPruned() string  { return o.whyNotPruned(false, true) }
func (o *cronScenario) allPruned() string     { return o.whyNotPruned(false, false) }

// addLikedPost ranks all posts, and then adds a post that the next ranking must contain.
func (o *cronScenario) addLikedPost() {
	if _, err := ranking.Rank(o.Context(), o.Store); err != nil {
		o.Must(err)
	}
	post, err := o.Store.CreatePost(o.Context(), o.World.People[0].ID, timeline.NewPost{To: []string{"user"}, Text: "the best of all"})
	o.Must(err)
	o.World.Without["status"] = true
	public := "public"
	o.Must(o.Store.SetProfile(o.Context(), o.World.People[0].ID, timeline.ProfileEdit{Status: &public}))
	for _, who := range o.World.People[1:] {
		_ = o.Store.Like(o.Context(), who.ID, post) // the store refuses a banned person
	}
}

func (o *cronScenario) countRanks() int {
	return o.count(`
		select count(*) from posts p join timeline_entries e on e.post_id = p.id join timelines t on t.id = e.timeline_id
		where p.text = 'the best of all' and t.what = 'best_of'`)
}

func (o *cronScenario) notRanked() string {
	if n := o.countRanks(); n > 0 {
		return fmt.Sprintf("the best post has %d ranks already", n)
	}
	return ""
}

func (o *cronScenario) isRanked() string {
	if o.countRanks() == 0 {
		return "the best post has no rank"
	}
	return ""
}

// deleteLargeAccount deletes an account with so many posts that erasing them takes several
// chunks.
func (o *cronScenario) deleteLargeAccount() {
	who := o.World.People[len(o.World.People)-1]
	for i := range 120 {
		_, err := o.Store.CreatePost(o.Context(), who.ID, timeline.NewPost{To: []string{"user"}, Text: fmt.Sprint("a post to be erased ", i)})
		o.Must(err)
	}
	o.Must(o.Store.DeleteAccount(o.Context(), who.ID, who.Password))
	_, err := o.Store.Pool().Exec(o.Context(), `update users set erase_at = 'epoch' where id = $1`, who.ID)
	o.Must(err)
	o.Must(o.Store.EraseAccounts(o.Context()))
	o.World.People = o.World.People[:len(o.World.People)-1]
	o.World.Gone = append(o.World.Gone, who)
}

func (o *cronScenario) countJobs() int { return o.count(`select count(*) from jobs`) }

func (o *cronScenario) notErased() string {
	if o.countJobs() == 0 {
		return "no erase job is left"
	}
	return ""
}

func (o *cronScenario) erased() string {
	if n := o.countJobs(); n > 0 {
		return fmt.Sprintf("%d erase jobs are left", n)
	}
	return ""
}
