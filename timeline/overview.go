package timeline

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// An Overview is what administrators of the site see of the whole site at a glance.
type Overview struct {
	People, Groups int
	New            int   // people who signed up in the last seven days
	Seen           int   // people who used a session in the last seven days
	Suspended      int   // people
	Reports        int   // open ones, to the administrators of the site
	Applicants     int   // who wait to be accepted
	Held           int   // posts that wait to be published
	Posts          int64 // roughly, as PostgreSQL estimates it
	Comments       int64 // roughly
	Bytes          int64 // of the database, with indexes
	Mails          int   // that wait to be sent
	FailedMails    int   // that were given up in the last seven days
	Jobs           int   // deleted and suspended accounts at whose rows a job still works
	Uploads        int   // files that wait for their work
}

// Overview returns the numbers of the whole site to an administrator of the site; [ErrForbidden] for any other viewer.
func (s *Store) Overview(ctx context.Context, viewer UserID) (o *Overview, err error) {
	defer primary.Wrap(&err, "overview")
	const query = `
		select
			(select count(*) from users where status <> 'deleted'),
			(select count(*) from groups where status <> 'deleted'),
			(select count(*) from users where status <> 'deleted' and created_at > $1),
			(select count(distinct user_id) from sessions where seen_at > $1),
			(select count(*) from users where status <> 'deleted' and suspended_at is not null),
			(select count(*) from reports where group_id is null and journal_id is null),
			(select count(*) from applicants where refused_at is null),
			(select count(*) from held_posts h join posts p on p.id = h.post_id join users u on u.id = p.user_id where (h.journal_id is null or h.changed) and not (` + postGone + `)),
			(select greatest(reltuples, 0)::bigint from pg_class where oid = 'posts'::regclass),
			(select greatest(reltuples, 0)::bigint from pg_class where oid = 'all_comments'::regclass),
			pg_database_size(current_database()),
			(select count(*) from mails where state = 'queued'),
			(select count(*) from mails where state = 'failed' and ended_at > $1),
			(select count(*) from jobs) + (select count(*) from suspension_jobs),
			(select count(*) from attachments where state = 'queued')`
	err = s.viewAs(ctx, viewer, (*Sets).checkSiteAdmin, func(q primary.Querier, _ *Sets) error {
		o = &Overview{}
		return q.QueryRow(ctx, query, s.db.Now().AddDate(0, 0, -7)).Scan(&o.People, &o.Groups, &o.New, &o.Seen, &o.Suspended, &o.Reports, &o.Applicants, &o.Held,
			&o.Posts, &o.Comments, &o.Bytes, &o.Mails, &o.FailedMails, &o.Jobs, &o.Uploads)
	})
	if err != nil {
		return nil, err
	}
	return o, nil
}

// An Account is a person as administrators of the site see them in the list of all people.
type Account struct {
	ID        UserID
	CreatedAt time.Time
	SeenAt    *time.Time // when the person last used a session; nil: no session is left
	InvitedBy UserID     // whose sign-up link the person used; 0: none
	Suspended bool
	EraseAt   *time.Time // when the account is erased, which the person deleted; nil: not deleted
	Admin     bool
	Reports   int // open ones about the person, to the administrators of the site
}

// Accounts returns up to count people with ids below before (0: from the newest) to an administrator of the site, the newest
// first: those whose name begins with a text, or all if it is empty. The error is [ErrForbidden] for any other viewer.
func (s *Store) Accounts(ctx context.Context, viewer UserID, name string, before UserID, count int) (all []Account, err error) {
	defer primary.Wrap(&err, "accounts")
	const query = `
		select u.id, u.created_at, (select max(seen_at) from sessions where user_id = u.id), coalesce(u.invited_by, 0), ` + suspended + `, u.erase_at, u.admin,
			(select count(*) from reports r where r.user_id = u.id and r.group_id is null and r.journal_id is null)
		from users u
		where u.status <> 'deleted' and u.id < $1 and starts_with(u.name, $2)
		order by u.id desc limit $3`
	if before <= 0 {
		before = aboveAll
	}
	err = s.viewAs(ctx, viewer, (*Sets).checkSiteAdmin, func(q primary.Querier, _ *Sets) error {
		rows, err := q.Query(ctx, query, before, strings.ToLower(strings.TrimSpace(name)), count)
		if err != nil {
			return err
		}
		all, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Account])
		for i := range all {
			all[i].CreatedAt = all[i].CreatedAt.UTC()
			if seen := all[i].SeenAt; seen != nil {
				*seen = seen.UTC()
			}
		}
		return err
	})
	return all, err
}

// A FailedMail is a mail to a person that was given up, or came back. It names no address: administrators do not learn those of
// other people.
type FailedMail struct {
	User  UserID
	At    time.Time
	Fault string // what the mail server said, in which … stands for the address
}

// FailedMails returns up to count of the mails that failed in the last seven days, the newest first, to an administrator of the
// site. The error is [ErrForbidden] for any other viewer.
func (s *Store) FailedMails(ctx context.Context, viewer UserID, count int) (all []FailedMail, err error) {
	defer primary.Wrap(&err, "failed mails")
	const query = `
		select user_id, ended_at, regexp_replace(fault, '[^[:space:]<>:;"]+@[^[:space:]<>:;"]+', '…', 'g') from mails
		where state = 'failed' and ended_at > $1 order by ended_at desc, id desc limit $2`
	err = s.viewAs(ctx, viewer, (*Sets).checkSiteAdmin, func(q primary.Querier, _ *Sets) error {
		rows, err := q.Query(ctx, query, s.db.Now().AddDate(0, 0, -7), count)
		if err != nil {
			return err
		}
		all, err = pgx.CollectRows(rows, pgx.RowToStructByPos[FailedMail])
		for i := range all {
			all[i].At = all[i].At.UTC()
		}
		return err
	})
	return all, err
}
