package timeline

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// The states of an [Intake].
const (
	IntakeOn      = "on"      // workers look at the feed when the intake is due
	IntakePaused  = "paused"  // the owner has paused it
	IntakeStopped = "stopped" // a fault has stopped it; the owner can start it again
)

// An Intake is a feed of another site, in RSS, Atom or JSON Feed, whose new items become posts of a
// person in one place.
type Intake struct {
	ID      int64
	User    UserID    // the owner, who is the author of the posts
	Feed    Timeline  // the place of the posts
	Address string    // of the feed
	Title   string    // of the feed
	Site    string    // the address of the feed's web site; empty: not known
	State   string    // IntakeOn, IntakePaused or IntakeStopped
	Fault   string    // the code of the fault of the last look; empty: none. See [IntakeFault]
	Detail  string    // the detail of the fault
	DueAt   time.Time // of an intake that is on: when a worker looks at the feed next
	// CheckedAt is the time of the last look without a fault, and FailingSince the time of the
	// first of the looks that have failed since then. Each is nil if there was no such look.
	CheckedAt, FailingSince *time.Time
	CreatedAt               time.Time
	Posts                   int           // how many posts were made so far
	Skipped                 int           // how many items were skipped so far, see [Store.SkipItem]
	SkippedFor              *InvalidError // why the last of them was; nil: none was skipped
}

// intakeColumns are the columns for [scanIntake] of an intake n and the timeline t of its place.
const intakeColumns = `
	n.id, n.user_id, t.id, t.what, t.their_id, t.access, n.address, n.title, n.site, n.state, n.fault, n.detail,
	n.due_at, n.checked_at, n.failing_since, n.created_at, n.posts, n.skipped, n.skipped_code, n.skipped_name, n.skipped_n
	from intakes n join timelines t on t.id = n.timeline_id`

func scanIntake(row pgx.CollectableRow) (n Intake, err error) {
	var why InvalidError
	err = row.Scan(&n.ID, &n.User, &n.Feed.ID, &n.Feed.What, &n.Feed.TheirID, &n.Feed.Access, &n.Address, &n.Title, &n.Site, &n.State, &n.Fault, &n.Detail,
		&n.DueAt, &n.CheckedAt, &n.FailingSince, &n.CreatedAt, &n.Posts, &n.Skipped, &why.Code, &why.Name, &why.N)
	if n.Skipped > 0 {
		why.Field = "text"
		n.SkippedFor = &why
	}
	return n, err
}

// Intakes returns a person's intakes, the newest first.
func (s *Store) Intakes(ctx context.Context, user UserID) (_ []Intake, err error) {
	defer primary.Wrap(&err, "intakes of user %d", user)
	const query = `select ` + intakeColumns + ` where n.user_id = $1 order by n.id desc`
	rows, err := s.db.Pool.Query(ctx, query, user)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanIntake)
}

// GroupIntakes returns the intakes whose posts go to a group, the newest first. It returns
// [ErrForbidden] unless the actor administers the group. It leaves out intakes of people across a
// ban from the actor, as [Store.Admins] leaves out such people. Only the actor's own intakes have
// their addresses, because the address of a feed may contain a secret.
func (s *Store) GroupIntakes(ctx context.Context, actor UserID, group GroupID) (list []Intake, err error) {
	defer primary.Wrap(&err, "intakes of group %d", group)
	const query = `
		select ` + intakeColumns + ` join users u on u.id = n.user_id and u.status <> 'deleted'
		where t.what = 'group' and t.their_id = $1 and not exists (
			select from bans where user_id = $2 and target_id = u.id or user_id = u.id and target_id = $2)
		order by n.id desc`
	err = s.db.View(ctx, func(q primary.Querier) error {
		sets, err := actorSets(ctx, q, actor)
		if err != nil {
			return err
		}
		if !sets.MayAct() || !sets.runs(group) {
			return ErrForbidden
		}
		rows, err := q.Query(ctx, query, group, actor)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, scanIntake)
		return err
	})
	for i := range list {
		if list[i].User != actor {
			list[i].Address = ""
		}
	}
	return list, err
}

// A NewIntake is an intake as its owner asks for it, with the feed that was found at the address.
type NewIntake struct {
	To      string // "user", "user_private" or "group:NAME"
	Address string
	Feed    IntakeDocument
}

// AddIntake adds an intake of the actor's, and returns a lease on it for the given time. The caller
// posts the first items of the feed under the lease.
//
// If the actor may not post to the place, the errors are those of [Store.CreatePost]. The error is
// an [InvalidError] if the actor has an intake of this address in this place already, or as many
// intakes as the site allows.
func (s *Store) AddIntake(ctx context.Context, actor UserID, asked NewIntake, lease time.Duration) (l *IntakeLease, err error) {
	defer primary.Wrap(&err, "new intake of user %d", actor)
	const insert = `
		insert into intakes (user_id, timeline_id, address, host, title, site, state, created_at, due_at, taken_at, taken_until, takes)
		values ($1, $2, $3, $4, $5, $6, 'on', $7, $8, $7, $8, 1)
		on conflict do nothing returning id`
	const all = `select count(*) from (select from intakes where user_id = $1 limit $2) n`
	at, err := url.Parse(asked.Address)
	if err != nil {
		return nil, (&IntakeFault{Code: IntakeAddress}).Invalid()
	}
	to, err := parseDestinations([]string{asked.To})
	if err != nil {
		return nil, err
	}
	if len(to.directs) > 0 {
		return nil, &InvalidError{Field: "to", Reason: "is none of user, user_private, user_fyeo, group:NAME", Code: "choice"}
	}
	now := s.db.Now()
	err = s.write(ctx, func(tx *txn) error {
		sets, err := lockSets(ctx, tx, actor)
		if err != nil {
			return err
		}
		if !sets.MayAct() {
			return ErrUnauthorized
		}
		places, err := to.resolve(ctx, tx, sets, nil)
		if err != nil {
			return err
		}
		most, err := mostIntakes(ctx, tx)
		if err != nil {
			return err
		}
		l = &IntakeLease{User: actor, Feed: places[0], Address: asked.Address, Take: 1, First: true, CreatedAt: now}
		err = tx.QueryRow(ctx, insert, actor, places[0], asked.Address, at.Host, asked.Feed.Title, asked.Feed.Site, now, now.Add(lease)).Scan(&l.ID)
		if errors.Is(err, pgx.ErrNoRows) {
			return &InvalidError{Field: "address", Reason: "is imported there already", Code: "intake_twice"}
		}
		if err != nil {
			return err
		}
		return primary.CheckRoom(ctx, tx, all, actor, most, "you import")
	})
	if full, is := errors.AsType[*InvalidError](err); is && full.Code == "full" {
		err = &InvalidError{Field: "address", Reason: full.Reason, Code: "intake_full"}
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// mostIntakes returns how many intakes a person may have by the site's setting, or by default.
func mostIntakes(ctx context.Context, q primary.Querier) (n int, err error) {
	const query = `select coalesce((select (value->>'intakes')::int from site_settings), $1)`
	return n, q.QueryRow(ctx, query, defaultIntakes).Scan(&n)
}

// defaultIntakes is how many intakes a person may have by default, and maxIntakes the most that a
// site may allow.
const (
	defaultIntakes = 20
	maxIntakes     = 1000
)

// An IntakeEdit is a change of an intake by its owner.
type IntakeEdit struct {
	Pause *bool // true: pause it; false: start it again after a pause or a stop; nil: neither
	Look  bool  // have a worker look at the feed soon
}

// lookPause is the least time between a look at a feed and another look that the owner asks for.
const lookPause = time.Minute

// EditIntake changes an intake of the actor's. It returns [ErrNotFound] if the actor has no intake
// with the id.
func (s *Store) EditIntake(ctx context.Context, actor UserID, id int64, edit IntakeEdit) (err error) {
	defer primary.Wrap(&err, "edit intake %d", id)
	const find = `select state, due_at, coalesce(taken_at, created_at) from intakes where id = $1 and user_id = $2 for no key update`
	const update = `update intakes set state = $2, due_at = $3, failing_since = case when state = 'stopped' and $2 = 'on' then null else failing_since end where id = $1`
	err = s.write(ctx, func(tx *txn) error {
		if err := primary.LockActor(ctx, tx, actor); err != nil {
			return err
		}
		var state string
		var due, taken time.Time
		err := tx.QueryRow(ctx, find, id, actor).Scan(&state, &due, &taken)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrNotFound
		}
		if err != nil {
			return err
		}
		soon := taken.Add(lookPause)
		if now := s.db.Now(); soon.Before(now) {
			soon = now
		}
		switch {
		case edit.Pause != nil && *edit.Pause:
			state = IntakePaused
		case edit.Pause != nil && state != IntakeOn:
			state, due = IntakeOn, soon
		}
		if edit.Look && soon.Before(due) {
			due = soon
		}
		_, err = tx.Exec(ctx, update, id, state, due)
		return err
	})
	if err == nil {
		s.intakeBell.ring()
	}
	return err
}

// RemoveIntake removes an intake; its posts stay. The owner may do so, and the administrators of
// the group to which the posts go. For other actors the error is [ErrNotFound].
func (s *Store) RemoveIntake(ctx context.Context, actor UserID, id int64) (err error) {
	defer primary.Wrap(&err, "remove intake %d", id)
	const find = `
		select n.user_id, case when t.what = 'group' then t.their_id else 0 end
		from intakes n join timelines t on t.id = n.timeline_id where n.id = $1`
	const remove = `delete from intakes where id = $1`
	return s.write(ctx, func(tx *txn) error {
		sets, err := lockSets(ctx, tx, actor)
		if err != nil {
			return err
		}
		var owner UserID
		var group GroupID
		err = tx.QueryRow(ctx, find, id).Scan(&owner, &group)
		if errors.Is(err, pgx.ErrNoRows) || err == nil && !sets.MayRemove(owner, group) {
			return ErrNotFound
		}
		if err != nil {
			return err
		}
		if err := tx.retractIntake(ctx, id); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, remove, id)
		return err
	})
}

// An IntakeFault is the reason why the items of a feed can't be fetched or posted. Pages find the
// sentence for people by the code, in the language of the reader.
type IntakeFault struct {
	Code   string
	Detail string // in English, for the owner of the feed: "404 Not Found"
}

// The codes of faults.
const (
	IntakeAddress = "intake_address" // the address is not public, so the server must not connect to it
	IntakeAway    = "intake_away"    // the feed's server did not answer, or not in time
	IntakeStatus  = "intake_status"  // the feed's server answered with an error, which Detail gives
	IntakeGone    = "intake_gone"    // the feed's server says that the feed has ended
	IntakeNoFeed  = "intake_no_feed" // the document is not a feed
	IntakeBroken  = "intake_broken"  // the feed is damaged; Detail says how
	IntakeLarge   = "intake_large"   // the feed is too large; Detail gives the limit
	IntakeRights  = "intake_rights"  // the owner may not post to the group any more
)

// intakeFaults has the sentence of each code in English, for programs. Each sentence follows the
// word "address".
var intakeFaults = []InvalidError{
	{Reason: "is not a public address that begins with http:// or https://: use the address of the feed as a browser shows it", Code: "intake_address"},
	{Reason: "could not be reached, or did not answer in time: check it, or try again later", Code: "intake_away"},
	{Reason: "was refused by its server: check that it opens in a browser without signing in", Code: "intake_status"},
	{Reason: "has no feed any more: look for its new address on its web site", Code: "intake_gone"},
	{Reason: "has no feed in RSS, Atom or JSON Feed: look for its feed on its web site", Code: "intake_no_feed"},
	{Reason: "has a feed that is damaged: tell the people who run its web site", Code: "intake_broken"},
	{Reason: "has a feed that is too large: look for a shorter feed on its web site", Code: "intake_large"},
	{Reason: "goes into a group to which you may not post now: join the group again, or remove the feed", Code: "intake_rights"},
}

func (f *IntakeFault) Error() string { return f.Invalid().Error() }

// Invalid returns the fault as an error of the field "address", for a person who has just typed
// the address.
func (f *IntakeFault) Invalid() *InvalidError {
	wrong := intakeFaults[slices.IndexFunc(intakeFaults, func(w InvalidError) bool { return w.Code == f.Code })]
	wrong.Field, wrong.Name = "address", f.Detail
	if f.Detail != "" {
		wrong.Reason += " (" + f.Detail + ")"
	}
	return &wrong
}
