package timeline

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// ListenIntakes returns a channel that receives each time this store may have made an intake due
// for [Store.TakeIntake], and a function that stops the listening.
func (s *Store) ListenIntakes() (bell <-chan struct{}, stop func()) { return s.intakeBell.add() }

// An IntakeLease gives one worker the right to look at a feed and to post its items, for a time.
type IntakeLease struct {
	ID             int64
	User           UserID
	Feed           TimelineID // where the posts go
	Address        string
	ETag, Modified string // validators of the last document, with which a server can answer "not modified"
	Take           int    // how many times workers have taken the intake, this time included
	Failures       int    // how many looks have failed in a row before this one
	FailingSince   *time.Time
	First          bool // no look has succeeded yet
	Quiet          bool // an import restored the intake: the next document is remembered, but not posted
	CreatedAt      time.Time
}

// intakesLock is the key of the advisory lock for taking intakes, "intakes" in ASCII. Without the
// lock, two workers could take two feeds of one host at the same time.
const intakesLock = 0x696e74616b6573

// hostPause is the least time between two looks at feeds of one host.
const hostPause = 5 * time.Second

// TakeIntake takes the intake that has been due for the longest time, and returns nil if none is
// due. It passes over intakes of suspended people, and, so as to spare the servers of feeds,
// intakes of a host at which a worker is looking or has looked in the last seconds. No other worker
// gets the intake, or another one of its host, until the worker has finished or the lease is over.
func (s *Store) TakeIntake(ctx context.Context, lease time.Duration) (l *IntakeLease, err error) {
	defer primary.Wrap(&err, "take an intake from the queue")
	const lock = `select pg_advisory_xact_lock($1)`
	const query = `
		update intakes set due_at = $2, taken_at = $1, taken_until = $2, takes = takes + 1
		where id = (
			select n.id from intakes n join users u on u.id = n.user_id
			where n.state = 'on' and n.due_at <= $1 and u.suspended_at is null and u.status <> 'deleted' and not exists (
				select from intakes b where b.host = n.host and (b.taken_until > $1 or b.taken_at > $3))
			order by n.due_at, n.id limit 1
			for update of n skip locked)
		returning id, user_id, timeline_id, address, etag, modified, takes, failures, failing_since, checked_at is null, quiet, created_at`
	now := s.db.Now()
	err = s.write(ctx, func(tx *txn) error {
		l = nil
		if _, err := tx.Exec(ctx, lock, int64(intakesLock)); err != nil {
			return err
		}
		if most, err := mostIntakes(ctx, tx); err != nil || most == 0 {
			return err // a site without intakes
		}
		var t IntakeLease
		err := tx.QueryRow(ctx, query, now, now.Add(lease), now.Add(-hostPause)).Scan(
			&t.ID, &t.User, &t.Feed, &t.Address, &t.ETag, &t.Modified, &t.Take, &t.Failures, &t.FailingSince, &t.First, &t.Quiet, &t.CreatedAt)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		l = &t
		return err
	})
	return l, err
}

// An IntakeKey is the hash of the id that an item has in its feed. An intake knows items by it.
type IntakeKey [32]byte

// An IntakeItem is an item of a feed, in plain text.
type IntakeItem struct {
	Key               IntakeKey
	Title, Link, Text string    // each may be empty
	At                time.Time // of its publication; zero: not known
}

// An IntakeDocument is a feed in the state in which a worker fetched it.
type IntakeDocument struct {
	Title, Site    string
	Items          []IntakeItem // the newest first
	ETag, Modified string
}

// postsPerDay is how many items a person's intakes may post in a day.
const postsPerDay = 100

// NewItems returns the items, among those of a document, that the intake does not know. If there
// are any, it also returns how many more items the person's intakes may post in these 24 hours.
func (s *Store) NewItems(ctx context.Context, l IntakeLease, items []IntakeItem) (fresh []IntakeItem, room int, err error) {
	defer primary.Wrap(&err, "new items of intake %d", l.ID)
	const known = `select key from intake_items where intake_id = $1 and key = any($2)`
	const posted = `
		select count(*) from intakes n join intake_items i on i.intake_id = n.id
		where n.user_id = $1 and i.posted_at > $2`
	var found [][]byte
	if err := primary.Read(ctx, s.db.Pool, &found, known, l.ID, keysOf(items)); err != nil {
		return nil, 0, err
	}
	is := make(map[IntakeKey]bool, len(found))
	for _, key := range found {
		is[IntakeKey(key)] = true
	}
	for _, i := range items {
		if !is[i.Key] {
			fresh = append(fresh, i)
		}
	}
	if len(fresh) == 0 {
		return nil, 0, nil
	}
	var n int
	err = s.db.Pool.QueryRow(ctx, posted, l.User, s.db.Now().Add(-24*time.Hour)).Scan(&n)
	return fresh, max(postsPerDay-n, 0), err
}

func keysOf(items []IntakeItem) [][]byte {
	keys := make([][]byte, len(items))
	for i := range items {
		keys[i] = items[i].Key[:]
	}
	return keys
}

// ErrLeaseLost reports that a worker's lease on an intake has ended: another worker has taken the
// intake in the meantime, or the owner has paused or removed it.
var ErrLeaseLost = errors.New("the intake is not this worker's any more")

// lockLease locks the intake of a lease. It returns [ErrLeaseLost] if the lease has ended.
func (tx *txn) lockLease(ctx context.Context, l IntakeLease) error {
	const query = `select from intakes where id = $1 and takes = $2 and state = 'on' for no key update`
	err := tx.QueryRow(ctx, query, l.ID, l.Take).Scan()
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrLeaseLost
	}
	return err
}

// PostItem publishes an item as a post of the intake's owner, and remembers the item, in one
// transaction. It posts nothing if the intake knows the item. title is the title of the feed. The
// error is [ErrLeaseLost] if the lease has ended, [ErrUnauthorized] if the owner is suspended, an
// [IntakeFault] if the owner may not post to the place any more, and otherwise an error of
// [Store.CreatePost].
func (s *Store) PostItem(ctx context.Context, l IntakeLease, title string, item IntakeItem) (err error) {
	defer primary.Wrap(&err, "post an item of intake %d", l.ID)
	const remember = `
		insert into intake_items (intake_id, key, seen_at, posted_at) values ($1, $2, $3, $3) on conflict do nothing`
	const count = `update intakes set posts = posts + 1 where id = $1`
	const place = `
		select t.what, coalesce(g.name, '') from timelines t left join groups g on t.what = 'group' and g.id = t.their_id where t.id = $1`
	err = s.write(ctx, func(tx *txn) error {
		if err := tx.lockLease(ctx, l); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, remember, l.ID, item.Key[:], s.db.Now())
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		var what What
		var group string
		if err := tx.QueryRow(ctx, place, l.Feed).Scan(&what, &group); err != nil {
			return err
		}
		to := destinations{own: []What{what}}
		if what == WhatGroup {
			to = destinations{groups: []string{group}}
		}
		post := item.post(l, title)
		if _, err := s.createPost(ctx, tx, l.User, post, to); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, count, l.ID)
		return err
	})
	wrong, invalid := errors.AsType[*InvalidError](err)
	switch {
	case errors.Is(err, ErrForbidden), invalid && wrong.Code == "no_group":
		return &IntakeFault{Code: IntakeRights}
	case err == nil:
		s.db.Reached(pointItemPosted)
		s.previewBell.ring()
	}
	return err
}

// SkipItem remembers an item that [Store.PostItem] refused to post, and counts it for the owner of the intake, with the reason. It does
// nothing if the intake knows the item. The error is [ErrLeaseLost] if the lease has ended.
func (s *Store) SkipItem(ctx context.Context, l IntakeLease, item IntakeItem, why *InvalidError) (err error) {
	defer primary.Wrap(&err, "skip an item of intake %d", l.ID)
	const remember = `insert into intake_items (intake_id, key, seen_at) values ($1, $2, $3) on conflict do nothing`
	const count = `update intakes set skipped = skipped + 1, skipped_code = $2, skipped_name = $3, skipped_n = $4 where id = $1`
	return s.write(ctx, func(tx *txn) error {
		if err := tx.lockLease(ctx, l); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, remember, l.ID, item.Key[:], s.db.Now())
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, count, l.ID, why.Code, why.Name, why.N)
		return err
	})
}

// post returns the post for an item: its title, its link, and the beginning of its text. The title
// of the feed is shown in the head of the post, where other posts have the name of the program that
// they were written with.
//
// An @name in an item is a name of another site. An invisible character after the @ keeps it from
// mentioning an account of this site.
func (i IntakeItem) post(l IntakeLease, title string) NewPost {
	head, rest := i.Title, i.Text
	if head == "" {
		head, rest = i.Text, ""
	}
	said := strings.TrimSpace(unsigned(head) + "\n" + i.Link)
	if rest != "" {
		said += "\n\n" + unsigned(rest)
	}
	// The UUID is made from the place and the item, so that the item is not posted a second time if
	// the owner removes the intake and adds it again.
	sum := sha256.Sum256(fmt.Appendf(nil, "intake %d %x", l.Feed, i.Key))
	return NewPost{
		UUID:     fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16]),
		Text:     text.Cut(said, text.MaxText),
		Platform: text.Cut(title, text.MaxLabel), Linebreaks: new(true), LinkPreview: new(true),
	}
}

// unsigned returns a text in which no @name is a mention.
func unsigned(said string) string {
	var b strings.Builder
	done := 0
	for _, sign := range text.Signs(said) {
		if sign.Kind == text.SignName {
			b.WriteString(said[done : sign.From+1])
			b.WriteRune('\u2060') // WORD JOINER
			done = sign.From + 1
		}
	}
	return b.String() + said[done:]
}

// keptKeys is how many items an intake remembers. The number is several times as large as that of
// the items in a document, so that an item that is still in the feed is never forgotten.
const keptKeys = 2000

// FinishIntake ends a look at a feed that found no fault. feed is the document, or nil if the feed
// has not changed since the last look. known are the items of the document that the intake
// remembers from now on. moved is the new address of the feed, or empty if the feed has not moved.
// wait is the time until the next look. It returns [ErrLeaseLost] if the lease has ended.
func (s *Store) FinishIntake(ctx context.Context, l IntakeLease, feed *IntakeDocument, known []IntakeItem, moved string, wait time.Duration) (err error) {
	defer primary.Wrap(&err, "finish a look at intake %d", l.ID)
	const update = `
		update intakes set checked_at = $2, due_at = $3, taken_until = null, failures = 0, failing_since = null, told_at = null, fault = '', detail = ''
		where id = $1`
	const document = `update intakes set title = $2, site = $3, etag = $4, modified = $5, quiet = false where id = $1`
	const move = `
		update intakes n set address = $2, host = $3
		where id = $1 and not exists (
			select from intakes o where o.user_id = n.user_id and o.timeline_id = n.timeline_id and o.address = $2)`
	// The time of an item is renewed once a day at most, so that frequent looks rewrite few rows.
	const remember = `
		insert into intake_items (intake_id, key, seen_at) select $1, key, $3 from unnest($2::bytea[]) key order by key
		on conflict (intake_id, key) do update set seen_at = excluded.seen_at where intake_items.seen_at < $3::timestamptz - interval '1 day'`
	const forget = `
		delete from intake_items where intake_id = $1 and key in (
			select key from intake_items where intake_id = $1 order by seen_at desc, key offset $2)`
	now := s.db.Now()
	err = s.write(ctx, func(tx *txn) error {
		if err := tx.lockLease(ctx, l); err != nil {
			return err
		}
		var b pgx.Batch
		b.Queue(update, l.ID, now, now.Add(wait))
		if feed != nil {
			b.Queue(document, l.ID, feed.Title, feed.Site, feed.ETag, feed.Modified)
			b.Queue(remember, l.ID, keysOf(known), now)
			b.Queue(forget, l.ID, keptKeys)
		}
		if at, err := url.Parse(moved); err == nil && moved != "" {
			b.Queue(move, l.ID, moved, at.Host)
		}
		if err := tx.SendBatch(ctx, &b).Close(); err != nil || l.Failures == 0 {
			return err
		}
		return tx.retractIntake(ctx, l.ID)
	})
	return err
}

// How long a feed must have been failing, and at how many looks in a row, before its owner gets a
// notice.
const (
	toldAfter = 24 * time.Hour
	toldLooks = 3
)

// FailIntake ends a look at a feed that found a fault. The next look is after wait. With stop there
// is none before the owner starts the intake again.
//
// The owner gets a notice when the feed has been failing for a day, or has stopped, and no other
// notice before a look succeeds. An owner who may not post to the place any more gets no notice:
// they are told nothing about a group that they have lost. It returns [ErrLeaseLost] if the lease
// has ended.
func (s *Store) FailIntake(ctx context.Context, l IntakeLease, fault IntakeFault, wait time.Duration, stop bool) (err error) {
	defer primary.Wrap(&err, "fail intake %d", l.ID)
	const query = `
		update intakes set state = case when $6 then 'stopped' else state end, fault = $2, detail = $3, failures = failures + 1,
			failing_since = coalesce(failing_since, $4), due_at = $5, taken_until = null
		where id = $1
		returning told_at is null and fault <> 'intake_rights' and (state = 'stopped' or failures >= $7 and failing_since <= $8)`
	const told = `update intakes set told_at = $2 where id = $1`
	now := s.db.Now()
	return s.write(ctx, func(tx *txn) error {
		if err := tx.lockLease(ctx, l); err != nil {
			return err
		}
		var tell bool
		err := tx.QueryRow(ctx, query, l.ID, fault.Code, fault.Detail, now, now.Add(wait), stop, toldLooks, now.Add(-toldAfter)).Scan(&tell)
		if err != nil || !tell {
			return err
		}
		if _, err := tx.Exec(ctx, told, l.ID, now); err != nil {
			return err
		}
		return tx.notifyOfIntake(ctx, now, l.ID)
	})
}

// PostponeIntake ends a look that neither succeeded nor failed, because the worker was stopped or
// the owner is suspended. The next look is after wait.
func (s *Store) PostponeIntake(ctx context.Context, l IntakeLease, wait time.Duration) (err error) {
	defer primary.Wrap(&err, "postpone intake %d", l.ID)
	const query = `update intakes set due_at = $3, taken_until = null where id = $1 and takes = $2`
	_, err = s.db.Pool.Exec(ctx, query, l.ID, l.Take, s.db.Now().Add(wait))
	return err
}
