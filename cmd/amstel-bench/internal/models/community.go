package models

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/timeline"
)

// A Person is a person of the community that is measured.
type Person struct {
	ID        timeline.UserID
	Name      string
	Public    bool
	Follows   int
	Followers int
	Posts     int
}

// A Ramp is a person with N followers, or a person who follows N people.
type Ramp struct {
	Person timeline.UserID
	N      int
}

// A Community has the people whose homes and posts are measured. Other fields refer to people by their
// index in People.
type Community struct {
	People    []Person
	Following [][2]int // follower and followed
	Active    []int    // the people who visit their homes
	Homes     []int    // the active people whose first visits are measured
	Authors   []Ramp   // authors with 1, 4, 16 … followers
	Readers   []Ramp   // readers who follow 1, 4, 16 … people
	Posts     int      // the number of all posts
}

// steps returns the steps of a ramp: 1, and then each number factor times the previous one, up to most.
func steps(factor, most int) (all []int) {
	for n := 1; n <= most; n *= max(2, factor) {
		all = append(all, n)
	}
	return all
}

// prepare makes the people of the ramps, unless an earlier run has made them.
func prepare(ctx context.Context, pool *pgxpool.Pool, c *Config) error {
	store := timeline.New(pool, timeline.Options{})
	people, err := readPeople(ctx, pool)
	if err != nil {
		return err
	}
	var public []Person
	for _, i := range order(c.Seed, people) {
		if people[i].Public {
			public = append(public, people[i])
		}
	}
	person := func(name string) (id timeline.UserID, err error) {
		err = pool.QueryRow(ctx, `select id from users where name = $1`, name).Scan(&id)
		if err == nil {
			return id, nil
		}
		return store.SignUp(ctx, timeline.NewUser{Name: name, Email: name + "@example.org", NoPassword: true})
	}
	for _, n := range steps(c.RampBy, min(c.RampMost, len(public))) {
		author, err := person(rampAuthor(n))
		if err != nil {
			return err
		}
		for _, p := range public[:n] {
			if _, err := store.Subscribe(ctx, p.ID, timeline.FeedName{Name: rampAuthor(n)}, timeline.SubscribeOptions{}); err != nil {
				return fmt.Errorf("ramp author %d: %w", author, err)
			}
		}
		reader, err := person(rampReader(n))
		if err != nil {
			return err
		}
		for _, p := range public[len(public)-n:] {
			if _, err := store.Subscribe(ctx, reader, timeline.FeedName{Name: p.Name}, timeline.SubscribeOptions{}); err != nil {
				return fmt.Errorf("ramp reader %d: %w", reader, err)
			}
		}
	}
	_, err = pool.Exec(ctx, `vacuum (analyze)`)
	return err
}

// order returns the indices of the people in a random order. The same seed gives the same order.
func order(seed uint64, people []Person) []int {
	return rand.New(rand.NewPCG(seed, 3)).Perm(len(people))
}

// active returns the indices of the people who visit their homes: a share of the public people and the
// same share of the others. prepare takes the public people in the same order for the ramps, so the
// followers of each ramp author have that share of active people too, and the first is always active.
func active(people []Person, order []int, share float64) (found []int) {
	count := map[bool]int{} // of public people, and of others
	for _, i := range order {
		n := count[people[i].Public]
		if math.Ceil(share*float64(n+1)) > math.Ceil(share*float64(n)) {
			found = append(found, i)
		}
		count[people[i].Public]++
	}
	return found
}

func rampAuthor(n int) string { return fmt.Sprintf("ramp-author-%d", n) }

func rampReader(n int) string { return fmt.Sprintf("ramp-reader-%d", n) }

// readPeople returns all people except those whom [prepare] made, in the order of their ids.
func readPeople(ctx context.Context, pool *pgxpool.Pool) ([]Person, error) {
	const query = `
		select u.id, u.name, u.status in ('public', 'disallow-robots'),
			(select count(*) from subscriptions s where s.user_id = u.id),
			(select count(*) from subscriptions s join timelines t on t.id = s.timeline_id where t.what = 'user' and t.their_id = u.id),
			(select count(*) from posts p where p.user_id = u.id and p.deleted_at is null)
		from users u
		where u.status <> 'deleted' and u.suspended_at is null and u.name not like 'ramp-author-%' and u.name not like 'ramp-reader-%'
		order by u.id`
	rows, _ := pool.Query(ctx, query) // CollectRows reports its error
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Person])
}

// readCommunity reads the community from the primary after [prepare]. The same seed chooses the same
// active people.
func readCommunity(ctx context.Context, pool *pgxpool.Pool, c *Config) (*Community, error) {
	const following = `
		select s.user_id, t.their_id from subscriptions s join timelines t on t.id = s.timeline_id
		where t.what = 'user' order by 1, 2`
	const byName = `select id from users where name = $1`
	people, err := readPeople(ctx, pool)
	if err != nil {
		return nil, err
	}
	if len(people) < 3 {
		return nil, fmt.Errorf("the community has %d people; three are needed", len(people))
	}
	m := &Community{People: people}
	at := make(map[timeline.UserID]int, len(people))
	for i, p := range people {
		at[p.ID] = i
		m.Posts += p.Posts
	}
	rows, err := pool.Query(ctx, following)
	if err != nil {
		return nil, err
	}
	var who, whom timeline.UserID
	if _, err := pgx.ForEachRow(rows, []any{&who, &whom}, func() error {
		i, there := at[who]
		j, other := at[whom]
		if there && other && people[j].Public {
			m.Following = append(m.Following, [2]int{i, j})
		}
		return nil
	}); err != nil {
		return nil, err
	}
	m.Active = active(people, order(c.Seed, people), float64(c.Active)/100)
	m.Homes = m.Active[:min(c.Homes, len(m.Active))]
	for n := 1; n <= c.RampMost; n *= max(2, c.RampBy) {
		for name, to := range map[string]*[]Ramp{rampAuthor(n): &m.Authors, rampReader(n): &m.Readers} {
			var id timeline.UserID
			if err := pool.QueryRow(ctx, byName, name).Scan(&id); err == nil {
				*to = append(*to, Ramp{id, n})
			}
		}
	}
	return m, nil
}
