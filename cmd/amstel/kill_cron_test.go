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

// TestCronKilled kills cron in the middle of each of its jobs. A job that is once a
// lastTick is not done twice for the tick, by any process, and is done whole at the next
// tick; a job in chunks goes on where it was.
func TestCronKilled(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		job, point string
		before     func(*cronScenario) // what there is to do
		half       func(*cronScenario) string
		done       func(*cronScenario) string // says what is not done; nil: nothing is to be seen
	}{
		{"prune", "timeline: claimed", (*cronScenario).addPrunable, (*cronScenario).nothingPruned, (*cronScenario).allPruned},
		{"prune", "timeline: pruned", (*cronScenario).addPrunable, (*cronScenario).partlyPruned, (*cronScenario).allPruned},
		{"prune", "timeline: job done", (*cronScenario).addPrunable, (*cronScenario).allPruned, (*cronScenario).allPruned},
		{"rank", "timeline: ranked", (*cronScenario).addLikedPost, (*cronScenario).notRanked, (*cronScenario).isRanked},
		{"rank", "timeline: ranks stored", (*cronScenario).addLikedPost, (*cronScenario).isRanked, (*cronScenario).isRanked},
		{"", "timeline: erased", (*cronScenario).deleteLargeAccount, (*cronScenario).notErased, (*cronScenario).erased},
		{"", "timeline: erase committed", (*cronScenario).deleteLargeAccount, (*cronScenario).notErased, (*cronScenario).erased},
	} {
		t.Run(tt.point, func(t *testing.T) {
			t.Parallel()
			url := pgtest.URL(t)
			scenario := faulttest.New(t, url)
			scenario.Oracle = oracle(t, url)
			for _, what := range []string{"work off", "rank", "delete account"} { // that is cron's, here
				scenario.World.Without[what] = true
			}
			endpoint := faulttest.Endpoint{River: filepath.Join(t.TempDir(), "river.db")}
			endpoint.URL = start(t, "web", "--listen=127.0.0.1:0", "--writes=1000000", "--database", url, "--river", endpoint.River).url
			scenario.SetNodes(endpoint.URL)
			scenario.OpenPages()
			o := &cronScenario{scenario}
			tt.before(o)
			scenario.StartLoad()
			if tt.job == "rank" { // its claim is not the first
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

// cronScenario is a scenario with something for cron to do.
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

// claimTick has a job be done for the present tick already.
func (o *cronScenario) claimTick(name string) {
	o.Helper()
	for _, j := range jobs.OfPrimary(o.Store) {
		if j.Name == name {
			for _, tick := range []time.Time{time.Now(), time.Now().Add(j.Every)} { // should the hour end now
				o.exec(`insert into job_ticks (job, tick) values ($1, $2) on conflict do nothing`, name, tick.UTC().Truncate(j.Every))
			}
		}
	}
}

// lastTick is the one that a job was claimed for last.
func (o *cronScenario) lastTick(name string) (tick time.Time) {
	o.Helper()
	o.Must(o.Pool.QueryRow(o.Context(), `select max(tick) from job_ticks where job = $1`, name).Scan(&tick))
	return tick
}

// run has a job be run for a tick, as any process would.
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

// wantNoSecondRun fails the test if a process runs a job again for a tick.
func (o *cronScenario) wantNoSecondRun(name string, tick time.Time) {
	o.Helper()
	for _, j := range jobs.OfPrimary(o.Store) {
		if j.Name == name {
			if err := j.Run(o.Context(), tick); !errors.Is(err, jobs.ErrElsewhere) {
				o.Errorf("%s is run again for the tick that somebody died in: %v", name, err)
			}
		}
	}
}

// addPrunable leaves what is to be pruned, of the first kind and of a later one.
func (o *cronScenario) addPrunable() {
	_, err := o.Store.Sequence(o.Context())
	o.Must(err)
	o.exec(`update change_log set at = now() - interval '3 days' where position < (select position from log_head)`)
	o.exec(`insert into submissions (user_id, uuid, what, their_id, created_at) select min(id), gen_random_uuid(), 'post', 1, now() - interval '30 days' from users`)
}

func (o *cronScenario) countPrunable() (log, submissions int) {
	return o.count(`select count(*) from change_log where at < now() - interval '2 days'`), o.count(`select count(*) from submissions where created_at < now() - interval '20 days'`)
}

func (o *cronScenario) whyNotPruned(log, submissions bool) string {
	is, are := o.countPrunable()
	if is > 0 != log || are > 0 != submissions {
		return fmt.Sprintf("%d old changes and %d old submissions", is, are)
	}
	return ""
}

func (o *cronScenario) nothingPruned() string { return o.whyNotPruned(true, true) }
func (o *cronScenario) partlyPruned() string  { return o.whyNotPruned(false, true) }
func (o *cronScenario) allPruned() string     { return o.whyNotPruned(false, false) }

// addLikedPost leaves posts to be ranked, which were not.
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
		_ = o.Store.Like(o.Context(), who.ID, post) // a banned person may not
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

// deleteLargeAccount deletes an account with much to take away.
func (o *cronScenario) deleteLargeAccount() {
	who := o.World.People[len(o.World.People)-1]
	for i := range 120 {
		_, err := o.Store.CreatePost(o.Context(), who.ID, timeline.NewPost{To: []string{"user"}, Text: fmt.Sprint("of who leaves ", i)})
		o.Must(err)
	}
	o.Must(o.Store.DeleteAccount(o.Context(), who.ID, who.Password))
	o.World.People = o.World.People[:len(o.World.People)-1]
	o.World.Gone = append(o.World.Gone, who)
}

func (o *cronScenario) countJobs() int { return o.count(`select count(*) from jobs`) }

func (o *cronScenario) notErased() string {
	if o.countJobs() == 0 {
		return "nothing is left to do"
	}
	return ""
}

func (o *cronScenario) erased() string {
	if n := o.countJobs(); n > 0 {
		return fmt.Sprintf("%d jobs are left", n)
	}
	return ""
}
