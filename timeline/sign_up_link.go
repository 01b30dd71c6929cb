package timeline

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A SignUpLink lets people sign up on a site where others can't: whoever opens the link. Its secret is known only when the
// link is made.
type SignUpLink struct {
	ID        int64
	CreatedAt time.Time
	ExpiresAt time.Time
	Uses      int // how many people may sign up with the link
	Used      int // how many did
}

const (
	// mostSignUpLinks is the largest number of links of one person that still work.
	mostSignUpLinks = 10
	// mostSignUpUses and mostAdminUses bound how many people may sign up with one link.
	mostSignUpUses = 10
	mostAdminUses  = 1000
	// mostSignUpDays bounds how long a link works, in days.
	mostSignUpDays = 90
)

// ErrSignUpLink is the error for a link that was used up or revoked, has ended, or never existed.
var ErrSignUpLink = &InvalidError{Field: "link", Reason: "is used up, revoked or too old", Code: "sign_up_link"}

// MostSignUpUses returns how many people may sign up with one link of a person who is, or is not, an administrator of the site.
func MostSignUpUses(admin bool) int {
	if admin {
		return mostAdminUses
	}
	return mostSignUpUses
}

// NewSignUpLink returns the secret of a new link, with which a number of people can sign up within a number of days. The
// error is an [InvalidError] for bad numbers and for one link too many, and [ErrForbidden] on a site that is closed to new
// people.
func (s *Store) NewSignUpLink(ctx context.Context, actor UserID, uses, days int) (secret string, err error) {
	defer primary.Wrap(&err, "sign-up link of user %d", actor)
	const count = `select count(*) from sign_up_links where user_id = $1 and used < uses and expires_at > $2`
	const insert = `insert into sign_up_links (user_id, token_hash, created_at, expires_at, uses) values ($1, $2, $3, $4, $5)`
	if days < 1 || days > mostSignUpDays {
		return "", &InvalidError{Field: "days", Reason: "is not a number from 1 to 90", Code: "number"}
	}
	secret = newSecret()
	err = s.write(ctx, func(tx *txn) error {
		sets, err := lockSets(ctx, tx, actor)
		switch {
		case err != nil:
			return err
		case !sets.MayAct():
			return ErrUnauthorized
		case uses < 1 || uses > MostSignUpUses(sets.Admin):
			return &InvalidError{Field: "uses", Reason: "is not a number within the limits", Code: "number"}
		}
		settings, err := siteSettings(ctx, tx)
		if err != nil {
			return err
		}
		if settings.Registration == RegistrationClosed {
			return ErrClosed
		}
		now := s.db.Now()
		var n int
		if err := tx.QueryRow(ctx, count, actor, now).Scan(&n); err != nil {
			return err
		}
		if n >= mostSignUpLinks {
			return &InvalidError{Field: "uses", Reason: "can't be given out: 10 links still work; revoke one first", Code: "full"}
		}
		_, err = tx.Exec(ctx, insert, actor, digest(secret), now, now.AddDate(0, 0, days), uses)
		return err
	})
	return secret, err
}

// SignUpLinks returns the links of a person, the newest first, and up to count of the people who came by them, the last first: those who are not
// on the other side of a ban.
func (s *Store) SignUpLinks(ctx context.Context, viewer UserID, count int) (links []SignUpLink, came []UserID, err error) {
	defer primary.Wrap(&err, "sign-up links of user %d", viewer)
	const mine = `
		select id, created_at, expires_at, uses, used from sign_up_links where user_id = $1 and used < uses and expires_at > $2
		order by id desc`
	const people = `
		select u.id from users u
		where u.invited_by = $1 and u.status <> 'deleted'
			and not exists (select from bans b where (b.user_id, b.target_id) in ((u.id, $1), ($1, u.id)))
		order by u.id desc limit $2`
	err = s.db.View(ctx, func(q primary.Querier) error {
		rows, err := q.Query(ctx, mine, viewer, s.db.Now())
		if err != nil {
			return err
		}
		if links, err = pgx.CollectRows(rows, pgx.RowToStructByPos[SignUpLink]); err != nil {
			return err
		}
		for i := range links {
			links[i].CreatedAt, links[i].ExpiresAt = links[i].CreatedAt.UTC(), links[i].ExpiresAt.UTC()
		}
		return primary.Read(ctx, q, &came, people, viewer, count)
	})
	return links, came, err
}

// RevokeSignUpLink ends a link of the actor's: no one can sign up with it any more. It returns [ErrNotFound] if the actor has
// no such link.
func (s *Store) RevokeSignUpLink(ctx context.Context, actor UserID, id int64) (err error) {
	defer primary.Wrap(&err, "revoke sign-up link %d", id)
	const query = `delete from sign_up_links where id = $1 and user_id = $2 returning id`
	return s.write(ctx, func(tx *txn) error {
		if err := checkActor(ctx, tx, actor); err != nil {
			return err
		}
		return tx.QueryRow(ctx, query, id, actor).Scan(&id)
	})
}

// SignUpLinkWorks reports whether people can sign up with a link now.
func (s *Store) SignUpLinkWorks(ctx context.Context, secret string) (works bool, err error) {
	defer primary.Wrap(&err, "sign-up link")
	const query = `select exists (select ` + workingLink + `)`
	err = s.db.Pool.QueryRow(ctx, query, digest(secret), s.db.Now()).Scan(&works)
	return works, err
}

// workingLink is the query, without its columns, of the link l with the hash $1 that works at the time $2, and of its person u. A
// link of a deleted or suspended account does not work.
const workingLink = `from sign_up_links l join users u on u.id = l.user_id
	where l.token_hash = $1 and l.used < l.uses and l.expires_at > $2 and u.status <> 'deleted' and u.suspended_at is null`

// useSignUpLink counts one use of a link, and returns the person who made it; [ErrSignUpLink] if the link does not work.
func (s *Store) useSignUpLink(ctx context.Context, tx *txn, secret string) (by UserID, err error) {
	const use = `
		update sign_up_links set used = used + 1
		where used < uses and id = (select l.id ` + workingLink + `)
		returning user_id`
	err = tx.QueryRow(ctx, use, digest(secret), s.db.Now()).Scan(&by)
	if missing(err) {
		err = ErrSignUpLink
	}
	return by, err
}
