package timeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// An Applicant is a person without an account, who has signed up on a site where administrators accept new people, and waits.
type Applicant struct {
	ID          int64
	Name        string
	DisplayName string
	About       string // why the person wants to join
	InvitedBy   UserID // whose sign-up link the person used; 0: none
	CreatedAt   time.Time
}

const (
	// mostApplicants is the largest number of applicants who wait.
	mostApplicants = 500
	// applicantsKept is how long an applicant is kept, refused or not.
	applicantsKept = 30 * 24 * time.Hour
	// maxAbout is the largest number of characters in which an applicant says why.
	maxAbout = 500
)

// ErrWaiting is [ErrUnauthorized] for an applicant, who signs up, or signs in with the right password, and waits for an
// administrator.
var ErrWaiting = fmt.Errorf("the account waits for an administrator: %w", ErrUnauthorized)

// A RefusedError is [ErrUnauthorized] for an applicant who signs in with the right password after an administrator's refusal.
type RefusedError struct{ Reason string } // may be empty

func (e *RefusedError) Error() string { return "an administrator refused the account: " + e.Reason }

func (e *RefusedError) Unwrap() error { return ErrUnauthorized }

// checkStranger returns why a stranger wants to join. It returns errors that join an [InvalidError] for each of what the site
// asks of new people and this stranger leaves out: why they want to join, that they agree to the rules, and a name without
// refused words.
func (s *Store) checkStranger(ctx context.Context, u NewUser) (about string, err error) {
	about, wrong := text.CleanLine("about", u.About, maxAbout)
	if u.Stranger == nil {
		return about, wrong
	}
	settings, err := siteSettings(ctx, s.db.Pool)
	if err != nil {
		return "", err
	}
	if wrong == nil && about == "" && u.Link == "" && settings.Registration == RegistrationApproval {
		wrong = &InvalidError{Field: "about", Reason: "is empty: say who you are and why you want to join", Code: "empty"}
	}
	return about, errors.Join(wrong, settings.checkAgreement(u), settings.checkWords("name", u.Name), settings.checkWords("display_name", u.DisplayName))
}

// checkAgreement returns an [InvalidError] if the site has rules to which a new person does not agree.
func (s *SiteSettings) checkAgreement(u NewUser) error {
	if s.Rules != "" && !u.Agrees {
		return &InvalidError{Field: "rules", Reason: "must be agreed to: read the rules of the site", Code: "rules"}
	}
	return nil
}

// apply adds an applicant.
func (s *Store) apply(ctx context.Context, tx *txn, p person, about string) error {
	const lock = `select pg_advisory_xact_lock(hashtext('applicants'))`
	const count = `select count(*) from applicants where refused_at is null`
	const named = `select exists (select from names where name = $1)`
	const insert = `
		insert into applicants (name, email, password_hash, display_name, about, invited_by, created_at, rules_agreed_at)
		values ($1, $2, $3, $4, $5, nullif($6::bigint, 0), $7, $8)`
	if _, err := tx.Exec(ctx, lock); err != nil {
		return err
	}
	var wait int
	var taken bool
	if err := tx.QueryRow(ctx, count).Scan(&wait); err != nil {
		return err
	}
	if wait >= mostApplicants {
		return ErrThrottled
	}
	if err := tx.QueryRow(ctx, named, p.Name).Scan(&taken); err != nil {
		return err
	}
	if taken {
		return &TakenError{"name"}
	}
	if _, err := tx.Exec(ctx, insert, p.Name, p.Email, p.Hash, p.DisplayName, about, p.InvitedBy, p.At, orNull(p.AgreedAt)); err != nil {
		return asTakenError(err)
	}
	return tx.notifyOfWaiting(ctx, p.At, NoticeApplicant)
}

// Applicants returns up to count of the applicants who wait, the first first, to an administrator of the site. The error is
// [ErrForbidden] for any other viewer.
func (s *Store) Applicants(ctx context.Context, viewer UserID, count int) (all []Applicant, err error) {
	defer primary.Wrap(&err, "applicants")
	const query = `
		select id, name, display_name, about, coalesce(invited_by, 0), created_at from applicants
		where refused_at is null order by id limit $1`
	err = s.viewAs(ctx, viewer, (*Sets).checkSiteAdmin, func(q primary.Querier, _ *Sets) error {
		rows, err := q.Query(ctx, query, count)
		if err != nil {
			return err
		}
		all, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Applicant])
		for i := range all {
			all[i].CreatedAt = all[i].CreatedAt.UTC()
		}
		return err
	})
	return all, err
}

// AcceptApplicant makes the account of an applicant, as an administrator of the site. The person is told by mail, and can sign
// in. The error is [ErrForbidden] for any other actor, [ErrNotFound] if no such applicant waits, and a [TakenError] if another
// account has taken the name meanwhile.
func (s *Store) AcceptApplicant(ctx context.Context, actor UserID, id int64) (err error) {
	defer primary.Wrap(&err, "accept applicant %d", id)
	const take = `
		delete from applicants where id = $1 and refused_at is null
		returning name, email, password_hash, display_name, coalesce(invited_by, 0), rules_agreed_at`
	err = s.write(ctx, func(tx *txn) error {
		if err := lockSiteAdmin(ctx, tx, actor); err != nil {
			return err
		}
		p := person{Status: statusPublic, EmailIfFree: true, Newcomer: true, At: s.db.Now()}
		var agreed *time.Time
		if err := tx.QueryRow(ctx, take, id).Scan(&p.Name, &p.Email, &p.Hash, &p.DisplayName, &p.InvitedBy, &agreed); err != nil {
			return err
		}
		if agreed != nil {
			p.AgreedAt = *agreed
		}
		user, err := makeUser(ctx, tx, p)
		if err != nil {
			return err
		}
		if err := s.mailNewcomer(ctx, tx, user, p.Email); err != nil {
			return err
		}
		if err := s.queueMail(ctx, tx, user, MailAccepted, ""); err != nil {
			return err
		}
		tx.Note(Change{Kind: ChangeCard, User: user})
		if _, err = s.record(ctx, tx, JournalEntry{By: actor, Act: ActAccept, User: user}); err != nil {
			return err
		}
		return tx.retractWaiting(ctx, NoticeApplicant)
	})
	if err == nil {
		s.mailBell.ring()
	}
	return err
}

// RefuseApplicant refuses an applicant, as an administrator of the site, with a reason that may be empty. The person reads it
// when they sign in. The errors are those of [Store.AcceptApplicant], and an [InvalidError] for a bad reason.
func (s *Store) RefuseApplicant(ctx context.Context, actor UserID, id int64, reason string) (err error) {
	defer primary.Wrap(&err, "refuse applicant %d", id)
	const refuse = `
		update applicants set refused_at = $2, reason = $3 where id = $1 and refused_at is null returning name`
	if reason, err = text.CleanLine("reason", reason, maxReason); err != nil {
		return err
	}
	return s.write(ctx, func(tx *txn) error {
		if err := lockSiteAdmin(ctx, tx, actor); err != nil {
			return err
		}
		var name string
		if err := tx.QueryRow(ctx, refuse, id, s.db.Now(), reason).Scan(&name); err != nil {
			return err
		}
		// An applicant is no person of the primary, so the reason has the name.
		said := "@" + name
		if reason != "" {
			said += ": " + reason
		}
		if _, err := s.record(ctx, tx, JournalEntry{By: actor, Act: ActRefuse, User: actor, Reason: said}); err != nil {
			return err
		}
		return tx.retractWaiting(ctx, NoticeApplicant)
	})
}

// pruneApplicants deletes the applicants who applied too long ago, of whom there are at most some hundreds.
func (tx *txn) pruneApplicants(ctx context.Context, now time.Time) error {
	const old = `delete from applicants where created_at < $1`
	tag, err := tx.Exec(ctx, old, now.Add(-applicantsKept))
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	return tx.retractWaiting(ctx, NoticeApplicant)
}

// lockSiteAdmin locks the row of an actor, and returns [ErrUnauthorized] or [ErrForbidden] unless the actor acts as an
// administrator of the site.
func lockSiteAdmin(ctx context.Context, tx *txn, actor UserID) error {
	sets, err := lockSets(ctx, tx, actor)
	if err != nil {
		return err
	}
	return sets.checkSiteAdmin()
}
