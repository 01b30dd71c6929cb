package measure

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/timeline"
)

// lifeVisitors is how many sockets of visitors are open on the river of everything.
const lifeVisitors = 10

// A lifeRun has the members and the visitors of a community read and write at a rate.
type lifeRun struct {
	*run
	store *timeline.Store
	site  Site
	client.FollowedPages
	before, after             report.Usage
	socketsBefore, socketsNow realtime.Stats
}

// life measures a mixed life: members and visitors read, scroll, open posts, like, comment, publish, edit and follow, each when
// it is due, while pages are open.
func (r *run) life(ctx context.Context) error {
	store := timeline.New(r.Pool, timeline.Options{})
	return r.Serve(ctx, store, func(ctx context.Context, site Site) error {
		members, err := r.activeMembers(ctx, store)
		if err != nil {
			return err
		}
		l := &lifeRun{run: r, store: store, site: site}
		done, err := l.measure(ctx, members)
		if err != nil {
			return err
		}
		return l.reportLife(ctx, len(members), done)
	})
}

// measure opens pages, and has people live for some seconds.
func (l *lifeRun) measure(ctx context.Context, members []client.Member) (done client.LifeResult, err error) {
	var homes []client.Page
	for _, m := range members {
		homes = append(homes, client.Page{Path: client.HomePath, Token: m.Token})
	}
	if err := client.LoadPages(ctx, l.site.Address, homes); err != nil { // so that every home lives
		return done, err
	}
	if l.Sockets, err = client.StartSockets(ctx, l.Clients); err != nil {
		return done, err
	}
	// The sockets stay open for the oracle, see reportLife.
	l.Site = l.site.Address
	pages := openHomes(members)
	for range lifeVisitors {
		pages = append(pages, client.Page{Path: hotPath})
	}
	err = l.Open(pages)
	if err == nil {
		done, err = l.live(ctx, members)
	}
	if err != nil {
		err = errors.Join(err, l.Sockets.Stop(false))
	}
	return done, err
}

// live has people live for some seconds, and reads what that costs.
func (l *lifeRun) live(ctx context.Context, members []client.Member) (done client.LifeResult, err error) {
	people, err := client.Start(ctx, l.Clients, client.PartLife)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, people.Stop(err == nil)) }()
	l.notice("%d members and visitors read and write for %v s, %v times a second.", len(members), l.Seconds, l.Acts)
	if l.before, err = l.usage(ctx, l.Pool, l.site); err != nil {
		return done, err
	}
	l.socketsBefore = l.site.Live()
	if _, err := client.Call[client.LifeResult](people, client.LifeOrder{Do: client.DoVisit, Site: l.site.Address, Members: members, PerSecond: l.Acts}); err != nil {
		return done, err
	}
	if err := client.Pause(ctx, l.during()); err != nil {
		return done, err
	}
	if done, err = client.Call[client.LifeResult](people, client.LifeOrder{Do: client.DoStop}); err != nil {
		return done, err
	}
	l.socketsNow = l.site.Live()
	l.after, err = l.usage(ctx, l.Pool, l.site)
	l.after.Sent += done.Bytes
	return done, err
}

// reportLife asks the oracle, and reports all acts together, the frames, and each kind of act.
func (l *lifeRun) reportLife(ctx context.Context, members int, done client.LifeResult) (err error) {
	defer func() { err = errors.Join(err, l.Sockets.Stop(err == nil)) }()
	found, err := l.consult(ctx, l.store, l.site, &l.FollowedPages, &done.Acknowledged)
	if err != nil {
		return err
	}
	for _, failure := range slices.Sorted(maps.Keys(done.Failed)) {
		l.notice("%d times: %s", done.Failed[failure], failure)
	}
	var all report.Times
	by := map[string]report.Times{}
	for _, one := range done.Done {
		all, by[one.Act] = append(all, one.Took), append(by[one.Act], one.Took)
	}
	record := report.Record{Name: "life", Unit: "ms"}
	record.SetTimes(all, 0.99)
	record.SetUsage(l.before, l.after)
	frames := l.socketsNow.Frames - l.socketsBefore.Frames
	record.Of = fmt.Sprintf("acts of %d members and of visitors, %v due in a second, %d pages open on sockets; %d acts failed; %v", members, l.Acts, len(l.Pages), done.Failures(), found)
	record.Parts = map[string]float64{"acts a second": report.Ratio(float64(len(all)), l.Seconds), "frames": float64(frames), "slowest": all.Quantile(1)}
	record.Expect("nothing fails, and all is as it should be", found.whole() && done.Failures() == 0 && len(all) > 0)
	if err := l.report(record); err != nil {
		return err
	}
	for _, act := range client.LifeActs {
		if times := by[act.Name]; len(times) > 0 {
			record := report.Record{Name: "life." + act.Name, Unit: "ms", Of: act.Of + "; from when the act was due until the answer"}
			record.SetTimes(times, 0.5)
			if err := l.report(record); err != nil {
				return err
			}
		}
	}
	if frames == 0 {
		return nil
	}
	bytes := l.socketsNow.Bytes - l.socketsBefore.Bytes
	return l.report(report.Record{
		Name: "life.frames", Unit: "bytes", N: int(frames), Value: report.Ratio(float64(bytes), float64(frames)), Sent: bytes,
		Of:    "the mean length of a frame to the open pages meanwhile",
		Parts: map[string]float64{"frames a second": report.Ratio(float64(frames), l.Seconds), "frames for each act": report.Ratio(float64(frames), float64(len(all)))},
	})
}
