package timeline

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// BeginPasskey returns the options with which a browser makes a passkey for the actor, as JSON in the form of WebAuthn's
// PublicKeyCredentialCreationOptionsJSON. [Store.AddPasskey] takes the browser's answer for five minutes; so the caller, who has
// checked that the actor knows the password, need not ask again. The name is that of the new passkey, and is only checked here.
//
// The error is an [InvalidError] for a bad name, or if the actor has twenty passkeys; [ErrNotFound] on a site without passkeys;
// and [ErrUnauthorized] for a suspended or deleted account.
func (s *Store) BeginPasskey(ctx context.Context, actor UserID, name string) (options []byte, err error) {
	defer primary.Wrap(&err, "begin a passkey of user %d", actor)
	if s.passkeys == nil {
		return nil, ErrNotFound
	}
	if _, err := cleanPasskeyName(name); err != nil {
		return nil, err
	}
	var owner *passkeyOwner
	err = s.write(ctx, func(tx *txn) error {
		owner, err = lockPasskeyOwner(ctx, tx, actor)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(owner.credentials) >= mostPasskeys {
		return nil, errPasskeysFull
	}
	made, _, err := s.passkeys.BeginRegistration(owner, webauthn.WithExclusions(webauthn.Credentials(owner.credentials).CredentialDescriptors()))
	if err != nil {
		return nil, err
	}
	if made.Response.Challenge, err = s.newChallenge(ctx, actor); err != nil {
		return nil, err
	}
	return json.Marshal(made.Response)
}

var errPasskeysFull = &InvalidError{
	Field: "name", Reason: fmt.Sprintf("can't be added: you have %d passkeys already, as many as there can be", mostPasskeys), Code: "full",
}

// AddPasskey adds the passkey that a browser made with the options of [Store.BeginPasskey]. answer is the browser's, as JSON in
// the form of WebAuthn's RegistrationResponseJSON. A mail tells the actor.
//
// The errors are those of BeginPasskey, and [ErrPasskey] if the answer does not fit the options, comes late, or was added before.
func (s *Store) AddPasskey(ctx context.Context, actor UserID, name string, answer []byte) (err error) {
	defer primary.Wrap(&err, "add a passkey of user %d", actor)
	const insert = `
		insert into passkeys (user_id, ` + credentialColumns + `, name, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		on conflict (credential_id) do nothing`
	if s.passkeys == nil {
		return ErrNotFound
	}
	if name, err = cleanPasskeyName(name); err != nil {
		return err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrPasskey, err)
	}
	challenge := parsed.Response.CollectedClientData.Challenge
	if err := s.checkChallenge(ctx, actor, challenge); err != nil {
		return err
	}
	err = s.write(ctx, func(tx *txn) error {
		owner, err := lockPasskeyOwner(ctx, tx, actor)
		if err != nil {
			return err
		}
		if len(owner.credentials) >= mostPasskeys {
			return errPasskeysFull
		}
		c, err := s.passkeys.CreateCredential(owner, webauthn.SessionData{
			Challenge: challenge, UserID: owner.handle, UserVerification: protocol.VerificationRequired,
			CredParams: webauthn.CredentialParametersDefault(),
		}, parsed)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrPasskey, err)
		}
		if err := s.useChallenge(ctx, tx, challenge); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, insert, actor, c.ID, c.PublicKey, int64(c.Authenticator.SignCount), c.Flags.BackupEligible, c.Flags.BackupState,
			transportsOf(c), c.Authenticator.AAGUID, name, s.db.Now())
		if err == nil && tag.RowsAffected() == 0 {
			err = fmt.Errorf("it has an owner already: %w", ErrPasskey)
		}
		if err != nil {
			return err
		}
		return s.queueMail(ctx, tx, actor, MailPasskeyAdded, "")
	})
	if err == nil {
		s.mailBell.ring()
	}
	return err
}

// lockPasskeyOwner locks the row of a person, and returns the person with all of their passkeys. The person gets a handle, a
// random value by which authenticators know the person, unless the person has one. The handle is not the id or the name of the
// account, because an authenticator may show it to any holder of the device, and because a name can change. The error is
// [ErrUnauthorized] for a suspended or deleted account.
func lockPasskeyOwner(ctx context.Context, tx *txn, user UserID) (*passkeyOwner, error) {
	const lock = `
		select name, display_name, passkey_handle from users
		where id = $1 and suspended_at is null and status <> 'deleted' for no key update`
	const name = `update users set passkey_handle = $2 where id = $1`
	const query = `select ` + credentialColumns + ` from passkeys where user_id = $1 order by id`
	var o passkeyOwner
	err := tx.QueryRow(ctx, lock, user).Scan(&o.name, &o.display, &o.handle)
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrUnauthorized
	}
	if err == nil && o.handle == nil {
		o.handle = make([]byte, 64)
		_, _ = rand.Read(o.handle) // never fails
		_, err = tx.Exec(ctx, name, user, o.handle)
	}
	if err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, query, user)
	if err != nil {
		return nil, err
	}
	o.credentials, err = pgx.CollectRows(rows, scanCredential)
	return &o, err
}

// transportsOf returns how the browser reaches the authenticator of a passkey. A later request to make a passkey names them, so
// that the browser finds the passkeys that the person has already.
func transportsOf(c *webauthn.Credential) []string {
	all := make([]string, 0, len(c.Transport))
	for _, one := range c.Transport {
		all = append(all, string(one))
	}
	return all
}
