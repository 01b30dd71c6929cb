package models

import (
	"context"
	"errors"
	"slices"
	"time"

	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// inTurns calls do for each source. With each turn another source is the first, so that other work of
// the machine affects all sources alike.
func inTurns(all []*laboratory, turn int, do func(*laboratory) error) error {
	for i := range all {
		if err := do(all[(turn+i)%len(all)]); err != nil {
			return err
		}
	}
	return nil
}

// visits measures first visits, in each round on new nodes without rivers.
func visits(ctx context.Context, all []*laboratory) error {
	c := all[0].Config
	for round := range c.Rounds + 1 {
		for _, l := range all {
			if round == 1 { // round 0 only prepared every statement
				l.visited = visited{before: l.inboxes.Counts()}
			}
			l.visited.steps = slices.Grow(l.visited.steps, len(l.people.Readers))[:len(l.people.Readers)]
		}
		if err := visitRound(ctx, all, round); err != nil {
			return err
		}
	}
	for _, l := range all {
		v, after := &l.visited, l.inboxes.Counts()
		chosen := after.Chosen - v.before.Chosen
		read := after.Missed - v.before.Missed + after.Below - v.before.Below + after.Waiting - v.before.Waiting
		l.result.FromInbox = 100 * report.Ratio(float64(chosen), float64(chosen+read))
		l.result.Visit = spread(v.homes)
		l.result.VisitStatements = report.Ratio(float64(v.statements), float64(len(v.homes)))
		for i, one := range l.people.Readers {
			l.result.Reads = append(l.result.Reads, Step{N: one.N, Answer: v.steps[i].Quantile(0.5), Done: v.steps[i].Quantile(0.5)})
		}
	}
	return nil
}

// visitRound visits each home once with each source.
func visitRound(ctx context.Context, all []*laboratory, round int) (err error) {
	on := make(map[*laboratory]*river.Node, len(all))
	for _, l := range all {
		node, stop, startErr := l.start(ctx, l.store)
		if startErr != nil {
			return startErr
		}
		defer func() { err = errors.Join(err, stop()) }()
		on[l] = node
	}
	turn := round
	first := func(user timeline.UserID, note func(l *laboratory, took time.Duration, statements int)) error {
		turn++
		return inTurns(all, turn, func(l *laboratory) error {
			l.asked.Take()
			begun := time.Now()
			if err := visit(ctx, on[l], user, river.At{}); err != nil {
				return err
			}
			note(l, time.Since(begun), l.asked.Take().Others)
			return nil
		})
	}
	for _, at := range all[0].people.Homes {
		err := first(all[0].people.People[at].ID, func(l *laboratory, took time.Duration, statements int) {
			l.visited.homes = append(l.visited.homes, took)
			l.visited.statements += statements
		})
		if err != nil {
			return err
		}
	}
	for i, one := range all[0].people.Readers {
		err := first(one.Person, func(l *laboratory, took time.Duration, _ int) { l.visited.steps[i] = append(l.visited.steps[i], took) })
		if err != nil {
			return err
		}
	}
	return nil
}

// perStep is how many posts each author of the ramp publishes with each source.
const perStep = 7

// posts measures posts: first those of authors of the community, then those of the ramp's authors.
func posts(ctx context.Context, all []*laboratory) error {
	c, people := all[0].Config, all[0].people
	plan := planLoss(c.Seed, people, nil, 100, 1, float64(c.Writes+1))
	for i, a := range plan {
		author := people.People[a.who].ID
		err := inTurns(all, i, func(l *laboratory) (err error) {
			if i == 0 { // this post only prepares every statement
				if _, _, err := l.send(ctx, author, i); err != nil {
					return err
				}
				l.asked.Take()
				l.sent = sent{}
				l.sent.rows, err = l.rows(ctx)
				return err
			}
			before, err := l.wal(ctx)
			if err != nil {
				return err
			}
			answer, whole, err := l.send(ctx, author, i)
			if err != nil {
				return err
			}
			after, err := l.wal(ctx)
			if err != nil {
				return err
			}
			s := &l.sent
			s.answers, s.wholes, s.wal = append(s.answers, answer), append(s.wholes, whole), append(s.wal, after-before)
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, l := range all {
		statements := l.asked.Take().Others
		rows, err := l.rows(ctx)
		if err != nil {
			return err
		}
		s, n := &l.sent, float64(len(l.sent.answers))
		l.result.Post = spread(s.answers)
		l.result.Work = max(0, report.Round(spread(s.wholes).Mean-l.result.Post.Mean))
		l.result.PostStatements, l.result.PostRows = report.Ratio(float64(statements), n), report.Ratio(float64(rows-s.rows), n)
		l.result.PostWAL = mean(s.wal)
	}
	for _, one := range people.Authors {
		took := make(map[*laboratory]*[2]report.Times, len(all))
		for i := range perStep {
			err := inTurns(all, i, func(l *laboratory) error {
				answer, whole, err := l.send(ctx, one.Person, i)
				if err != nil {
					return err
				}
				if took[l] == nil {
					took[l] = new([2]report.Times)
				}
				took[l][0], took[l][1] = append(took[l][0], answer), append(took[l][1], whole)
				return nil
			})
			if err != nil {
				return err
			}
		}
		for _, l := range all {
			l.result.Sends = append(l.result.Sends, Step{N: one.N, Answer: took[l][0].Quantile(0.5), Done: took[l][1].Quantile(0.5)})
		}
	}
	return nil
}

// send publishes a post and puts it into all inboxes. It returns how long it took until the author had
// the answer, and until all inboxes had the post.
func (l *laboratory) send(ctx context.Context, author timeline.UserID, i int) (answer, whole time.Duration, err error) {
	begun := time.Now()
	if _, err := l.store.CreatePost(ctx, author, newPost(i)); err != nil {
		return 0, 0, err
	}
	answer = time.Since(begun)
	later, err := l.tell(ctx)
	return answer, answer + later, err
}

// wal returns how many bytes the primary has written into its log so far, for all databases.
func (l *laboratory) wal(ctx context.Context) (bytes int64, err error) {
	const read = `select (pg_current_wal_insert_lsn() - '0/0')::bigint`
	err = l.pool.QueryRow(report.ByBench(ctx), read).Scan(&bytes)
	return bytes, err
}

// rows returns how many rows have been written into the database so far. PostgreSQL collects these
// counts late, so rows first has each idle connection report its own.
func (l *laboratory) rows(ctx context.Context) (n int64, err error) {
	const flush = `select pg_stat_force_next_flush()`
	const read = `select sum(n_tup_ins + n_tup_upd + n_tup_del)::bigint from pg_stat_user_tables`
	ctx = report.ByBench(ctx)
	for _, conn := range l.pool.AcquireAllIdle(ctx) {
		_, flushErr := conn.Exec(ctx, flush)
		conn.Release()
		err = errors.Join(err, flushErr)
	}
	if err != nil {
		return 0, err
	}
	err = l.pool.QueryRow(ctx, read).Scan(&n)
	return n, err
}
