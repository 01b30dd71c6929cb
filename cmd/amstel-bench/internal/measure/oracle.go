package measure

import (
	"context"
	"errors"
	"fmt"
	"time"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// oracleCalm is the longest wait until the node has finished its work.
const oracleCalm = time.Minute

// A finding is what the oracle found after a load.
type finding struct {
	acknowledged, lost int // writes that were answered with success, and how many of these the primary does not have
	unequal            int // open pages that differ from their rivers
	rivers             int // living rivers that were compared with fresh builds
	differences        int // differences between these
}

// whole reports whether all is as it should be.
func (f finding) whole() bool { return f.lost == 0 && f.unequal == 0 && f.differences == 0 }

// String describes the finding for a record.
func (f finding) String() string {
	return fmt.Sprintf("%d of %d acknowledged writes lost; %d open pages unlike their river; check: %d rivers, %d differences",
		f.lost, f.acknowledged, f.unequal, f.rivers, f.differences)
}

// consult waits until the node has finished its work, and then compares: the primary with the acknowledged writes, every
// open page with its river, and every living river with a fresh build.
func (r *run) consult(ctx context.Context, store *timeline.Store, site Site, pages *client.FollowedPages, acknowledged *client.Acknowledged) (f finding, err error) {
	if err := settledWithin(ctx, site.Rivers, oracleCalm); err != nil {
		return f, err
	}
	f.acknowledged = acknowledged.Count()
	if f.lost, err = r.lost(ctx, acknowledged); err != nil {
		return f, err
	}
	_, unequal, err := pages.Compare(ctx)
	if err != nil {
		return f, err
	}
	for _, page := range unequal {
		r.notice("%s", page)
	}
	checked, err := river.Check(ctx, store, site.River, river.CheckOptions{}, func(line string) { r.notice("%s", line) })
	f.unequal, f.rivers, f.differences = len(unequal), checked.Rivers, checked.Differences
	return f, err
}

// settledWithin waits until the loop has finished the work that it left for later turns. It is an error
// if that takes longer than within.
func settledWithin(ctx context.Context, node *river.Node, within time.Duration) error {
	for until := time.Now().Add(within); ; {
		if err := node.WaitApplied(ctx); err != nil && !errors.Is(err, river.ErrBehind) {
			return err
		}
		s := node.Stats()
		if s.Marks == 0 && s.Sweeping == 0 && s.Jobs == 0 && s.Building == 0 {
			return nil
		}
		if time.Now().After(until) {
			return fmt.Errorf("after %v there are %d marks, %d sweeps, %d jobs and %d builds left", within, s.Marks, s.Sweeping, s.Jobs, s.Building)
		}
	}
}

// lost counts the acknowledged writes that the primary does not have.
func (r *run) lost(ctx context.Context, acknowledged *client.Acknowledged) (lost int, err error) {
	const query = `
		select (select count(*) from unnest($1::text[]) a(mark)
				where not exists (select from comments c where c.text = a.mark) and not exists (select from posts p where p.text = a.mark))
			+ (select count(*) from unnest($2::text[], $3::bigint[]) a(name, post)
				where not exists (select from likes l join users u on u.id = l.user_id where u.name = a.name and l.post_id = a.post))
			+ (select count(*) from unnest($4::text[], $5::text[]) a(name, feed)
				where not exists (
					select from subscriptions s join users u on u.id = s.user_id join timelines t on t.id = s.timeline_id join users f on f.id = t.their_id
					where u.name = a.name and t.what = 'user' and f.name = a.feed))`
	var likers, followers, followed []string
	var liked []timeline.PostID
	for _, l := range acknowledged.Likes {
		likers, liked = append(likers, l.By), append(liked, l.Post)
	}
	for _, f := range acknowledged.Follows {
		followers, followed = append(followers, f.By), append(followed, f.Feed)
	}
	return lost, r.Pool.QueryRow(ctx, query, acknowledged.Texts, likers, liked, followers, followed).Scan(&lost)
}
