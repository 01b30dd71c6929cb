package timeline

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// NewUser holds the data of an account that is to be made.
type NewUser struct {
	Name        string
	Email       string
	Password    string
	DisplayName string // empty: the name
	Admin       bool   // the person administers the site; on a site without an administrator, every new person does
	NoPassword  bool   // the person signs in by a link until they set a password
	// Stranger is the client of a person who signs up; nil means that an operator makes the
	// account. Strangers are throttled, and do not learn whether an e-mail address has an account:
	// if another account has the address, the new account is made without one.
	Stranger *Client
	About    string // why a stranger wants to join, on a site where administrators accept people
	Link     string // the secret of a [SignUpLink] of a stranger; may be empty
	Agrees   bool   // a stranger agrees to the rules of the site
}

// SignUp creates an account with its timelines and returns its id. The error joins an
// [InvalidError] for each bad field, and a [TakenError], which is [ErrTaken], if another account
// has the name or the e-mail address. A stranger who does not agree to the rules of the site has an InvalidError of the field
// rules. The error is [ErrSignInBusy] if too many passwords wait to be
// hashed, and for strangers [ErrThrottled] after too many accounts of their network, and
// [ErrClosed] if the site is closed to new people and has an administrator, [ErrByLink] if it takes only people with a link, and
// [ErrWaiting] if the stranger is an [Applicant] now, who has no account yet.
func (s *Store) SignUp(ctx context.Context, u NewUser) (_ UserID, err error) {
	defer primary.Wrap(&err, "sign up %q", u.Name)
	p := person{Name: u.Name, Email: u.Email, Status: statusPublic, At: s.db.Now()}
	if p.DisplayName, err = s.checkNewUser(ctx, u); err != nil {
		return 0, err
	}
	if u.About, err = s.checkStranger(ctx, u); err != nil {
		return 0, err
	}
	if !u.NoPassword {
		if p.Hash, err = s.hashPassword(ctx, u); err != nil {
			return 0, err
		}
	}
	p.EmailIfFree, p.Newcomer = u.Stranger != nil, u.Stranger != nil
	id, err := s.signUp(ctx, u, p)
	if taken, is := errors.AsType[*TakenError](err); is && taken.Field == "email" && p.EmailIfFree { // another account took the address meanwhile
		p.Email = ""
		id, err = s.signUp(ctx, u, p)
	}
	if err != nil {
		return 0, err
	}
	return id, nil
}

// checkNewUser returns the display name of a new account, or an error that joins all faults that can
// be found before the password is hashed. If a field is bad, checkNewUser also looks whether the
// name is taken, so that the person learns of both faults at once. That look does not count as a
// try, because it reveals only which names have a page, and all visitors can see pages.
func (s *Store) checkNewUser(ctx context.Context, u NewUser) (display string, err error) {
	name := text.CheckName(u.Name)
	wrong := errors.Join(name, text.CheckEmail(u.Email))
	if display = u.Name; u.DisplayName != "" {
		display, err = text.CleanDisplayName(u.DisplayName)
		wrong = errors.Join(wrong, err)
	}
	if !u.NoPassword {
		wrong = errors.Join(wrong, text.CheckPassword(u.Password, u.Name, u.Email, display, s.host()))
	}
	if wrong == nil || name != nil {
		return display, wrong
	}
	switch _, err := s.Lookup(ctx, u.Name); {
	case err == nil:
		wrong = errors.Join(wrong, &TakenError{"name"})
	case !errors.Is(err, ErrNotFound):
		return "", err
	}
	return "", wrong
}

// admit checks that a stranger may sign up now. It uses their link, if they have one, and returns the person who made the
// link, and whether an administrator must accept the stranger. A link of an administrator does that.
func (s *Store) admit(ctx context.Context, tx *txn, registration, link string) (by UserID, wait bool, err error) {
	const admin = `select not admin from users where id = $1`
	switch wait = registration == RegistrationApproval; {
	case registration == RegistrationClosed:
		return 0, false, ErrClosed
	case link == "" && registration == RegistrationLink:
		return 0, false, ErrByLink
	case link == "":
		return 0, wait, nil
	}
	by, err = s.useSignUpLink(ctx, tx, link)
	if err == nil && wait {
		err = tx.QueryRow(ctx, admin, by).Scan(&wait)
	}
	return by, wait, err
}

func (s *Store) signUp(ctx context.Context, u NewUser, p person) (id UserID, err error) {
	const held = `select exists (select from applicants where name = $1)`
	var wait bool
	err = s.write(ctx, func(tx *txn) error {
		led, err := lockLeadership(ctx, tx)
		if err != nil {
			return err
		}
		if led && u.Stranger != nil {
			settings, err := siteSettings(ctx, tx)
			if err != nil {
				return err
			}
			if p.InvitedBy, wait, err = s.admit(ctx, tx, settings.Registration, u.Link); err != nil {
				return err
			}
			// Rules that came after checkStranger count, too.
			if err := settings.checkAgreement(u); err != nil {
				return err
			}
			if settings.Rules != "" {
				p.AgreedAt = p.At
			}
			if wait {
				return s.apply(ctx, tx, p, u.About)
			}
			var taken bool
			if err := tx.QueryRow(ctx, held, p.Name).Scan(&taken); err != nil {
				return err
			}
			if taken {
				return &TakenError{"name"}
			}
		}
		p.Admin = u.Admin || !led
		if id, err = makeUser(ctx, tx, p); err != nil {
			return err
		}
		if err := s.mailNewcomer(ctx, tx, id, u.Email); err != nil {
			return err
		}
		tx.Note(Change{Kind: ChangeCard, User: id})
		return nil
	})
	if err == nil && wait {
		err = ErrWaiting
	}
	if err == nil {
		s.mailBell.ring()
	}
	return id, err
}

// mailNewcomer queues the mail with which a new person confirms the address that they gave. If another account has the address,
// its owner is told.
func (s *Store) mailNewcomer(ctx context.Context, tx *txn, id UserID, email string) error {
	const owner = `select id from users where lower(email) = lower($1)`
	if !s.mails || email == "" {
		return nil
	}
	var has UserID
	if err := tx.QueryRow(ctx, owner, email).Scan(&has); err != nil {
		return err
	}
	if has == id {
		return s.queueMail(ctx, tx, id, MailConfirm, email)
	}
	return s.queueMail(ctx, tx, has, MailTaken, "")
}

// hashPassword returns the hash of a new person's password. A stranger waits in the line of
// strangers.
func (s *Store) hashPassword(ctx context.Context, u NewUser) (string, error) {
	l := line{member: true}
	if u.Stranger != nil {
		l = s.lineOf(*u.Stranger, 0)
	}
	seat, err := s.vault.stand(l)
	if err != nil {
		return "", err
	}
	defer seat.leave()
	if u.Stranger != nil {
		if err := s.charge(ctx, u.Stranger.signUpLimits()); err != nil {
			return "", err
		}
	}
	return seat.hash(ctx, u.Password)
}

// lockLeadership reports whether the site has an administrator. If the site has none, it takes a
// lock until the transaction ends and looks again, so that only one person becomes the first
// administrator.
func lockLeadership(ctx context.Context, q primary.Querier) (led bool, err error) {
	const ask = `select exists (select from users where admin)`
	const lock = `select pg_advisory_xact_lock(hashtext('the first administrator'))`
	if err := q.QueryRow(ctx, ask).Scan(&led); err != nil || led {
		return led, err
	}
	if _, err := q.Exec(ctx, lock); err != nil {
		return false, err
	}
	err = q.QueryRow(ctx, ask).Scan(&led)
	return led, err
}

// A person is a new row of the table users; an empty e-mail address or hash is stored as
// null.
type person struct {
	Name, Email, Hash, DisplayName, Description, Status string
	Admin                                               bool
	EmailIfFree                                         bool // if another account has the address, the person gets none
	Newcomer                                            bool
	InvitedBy                                           UserID    // 0: no one
	AgreedAt                                            time.Time // to the rules of the site; the zero time: they did not
	At                                                  time.Time
}

// makeUser inserts a person: the name, the row and the timelines.
func makeUser(ctx context.Context, q primary.Querier, p person) (UserID, error) {
	const query = `
		with person as (
			insert into users (name, email, password_hash, display_name, description, status, admin, created_at, newcomer, invited_by, rules_agreed_at)
			values ($1, case when $11 and exists (select from users where lower(email) = lower($2)) then null else nullif($2, '') end, nullif($3, ''), $4, $5, $6, $7, $8, $12, nullif($13::bigint, 0), $14)
			returning id
		), named as (
			insert into names (name, what, their_id) select $1, 'user', id from person
		), made as (
			insert into timelines (what, their_id, access)
			select t.what, person.id, t.access from person, unnest($9::text[], $10::text[]) as t (what, access)
		)
		select id from person`
	kinds, access := userTimelines(p.Status)
	var id UserID
	err := q.QueryRow(ctx, query, p.Name, p.Email, p.Hash, p.DisplayName, p.Description, p.Status, p.Admin, p.At, kinds, access, p.EmailIfFree, p.Newcomer, p.InvitedBy, orNull(p.AgreedAt)).Scan(&id)
	return id, asTakenError(err)
}

// asTakenError turns a violation of a unique constraint into a [TakenError] that names
// the field.
func asTakenError(err error) error {
	pgErr, isPg := errors.AsType[*pgconn.PgError](err)
	switch {
	case !isPg || pgErr.Code != "23505":
		return err
	case pgErr.ConstraintName == "users_email":
		return &TakenError{"email"}
	}
	return &TakenError{"name"}
}
