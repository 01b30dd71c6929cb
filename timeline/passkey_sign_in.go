package timeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// BeginPasskeySignIn returns the options with which a browser signs in with any passkey that it has for the site, as JSON in the
// form of WebAuthn's PublicKeyCredentialRequestOptionsJSON. [Store.SignInByPasskey] takes the browser's answer for five minutes.
// The error is [ErrNotFound] on a site without passkeys.
func (s *Store) BeginPasskeySignIn(ctx context.Context) (options []byte, err error) {
	defer primary.Wrap(&err, "begin a sign-in by passkey")
	if s.passkeys == nil {
		return nil, ErrNotFound
	}
	challenge, err := s.newChallenge(ctx, 0)
	if err != nil {
		return nil, err
	}
	asked, _, err := s.passkeys.BeginDiscoverableLogin(webauthn.WithChallenge(challenge))
	if err != nil {
		return nil, err
	}
	return json.Marshal(asked.Response)
}

// SignInByPasskey starts a session of the person whose passkey answered the options of [Store.BeginPasskeySignIn], as
// [Store.NewSession] does, and returns its secret. answer is the browser's, as JSON in the form of WebAuthn's
// AuthenticationResponseJSON. A mail tells the person of a sign-in from a device that is new to the account.
//
// The error is [ErrPasskey] if the answer proves nothing: its passkey is not known here, or its challenge comes late or was used
// before; [ErrPasskeyCloned] if there may be a copy of the passkey; and, for a passkey that proves its person, [ErrSuspended] or a
// [LeavingError]. It is [ErrThrottled] after too many failures of the client.
func (s *Store) SignInByPasskey(ctx context.Context, answer []byte, from Client, remember bool, agent string) (secret string, err error) {
	defer primary.Wrap(&err, "sign in by passkey")
	const find = `select user_id from passkeys where credential_id = $1`
	if s.passkeys == nil {
		return "", ErrNotFound
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrPasskey, err)
	}
	if err := s.checkChallenge(ctx, 0, parsed.Response.CollectedClientData.Challenge); err != nil {
		return "", err
	}
	var user UserID
	err = s.db.Pool.QueryRow(ctx, find, parsed.RawID).Scan(&user)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return "", err
	}
	a := from.passkeyLimits(user)
	if err := s.charge(ctx, a); err != nil {
		return "", err
	}
	secret = newSecret()
	var leaving *LeavingError
	err = s.write(ctx, func(tx *txn) error {
		if err := s.usePasskey(ctx, tx, user, parsed); err != nil {
			return err
		}
		if leaving, err = readLeaving(ctx, tx, user); err != nil {
			return err
		}
		if leaving != nil {
			leaving.Secret, err = s.newLink(ctx, tx, user)
			return err
		}
		if err := primary.LockActor(ctx, tx, user); errors.Is(err, ErrUnauthorized) {
			return ErrSuspended
		} else if err != nil {
			return err
		}
		if err := s.addSession(ctx, tx, secret, user, remember, agent); err != nil {
			return err
		}
		if _, known := from.Devices[user]; known {
			return nil
		}
		return s.queueMail(ctx, tx, user, MailDevice, "")
	})
	if err != nil {
		return "", err
	}
	if leaving != nil {
		return "", leaving
	}
	s.mailBell.ring()
	return secret, s.forgive(ctx, a)
}

// usePasskey checks the answer of a person's authenticator, and notes that the passkey and the challenge were used. It locks the
// rows of the person and of the passkey, so that the count of uses is compared with the one before.
func (s *Store) usePasskey(ctx context.Context, tx *txn, user UserID, parsed *protocol.ParsedCredentialAssertionData) error {
	const lock = `select passkey_handle from users where id = $1 and status <> 'deleted' for share`
	const read = `select ` + credentialColumns + ` from passkeys where user_id = $1 and credential_id = $2 for update`
	const use = `update passkeys set sign_count = $2, backed_up = $3, used_at = $4 where credential_id = $1`
	var owner passkeyOwner
	err := tx.QueryRow(ctx, lock, user).Scan(&owner.handle)
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrPasskey
	}
	if err != nil {
		return err
	}
	rows, err := tx.Query(ctx, read, user, parsed.RawID)
	if err != nil {
		return err
	}
	if owner.credentials, err = pgx.CollectRows(rows, scanCredential); err != nil {
		return err
	}
	challenge := parsed.Response.CollectedClientData.Challenge
	_, c, err := s.passkeys.ValidatePasskeyLogin(func([]byte, []byte) (webauthn.User, error) { return &owner, nil },
		webauthn.SessionData{Challenge: challenge, UserVerification: protocol.VerificationRequired}, parsed)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrPasskey, err)
	}
	if c.Authenticator.CloneWarning {
		return fmt.Errorf("user %d: %w", user, ErrPasskeyCloned)
	}
	if err := s.useChallenge(ctx, tx, challenge); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, use, c.ID, int64(c.Authenticator.SignCount), c.Flags.BackupState, s.db.Now())
	return err
}
