package timeline

import (
	"context"
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/jackc/pgx/v5"
	"golang.org/x/net/idna"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// A Passkey is a way of a person to sign in without the password: a key pair of which the person's device or password manager
// keeps the private key, and the site the public key.
type Passkey struct {
	ID        int64
	Name      string // which the person gives it
	CreatedAt time.Time
	UsedAt    *time.Time // the last sign-in with it; nil: none
}

const (
	// mostPasskeys is the largest number of passkeys of one person.
	mostPasskeys = 20
	// maxPasskeyName is the largest number of characters in the name of a passkey.
	maxPasskeyName = 50
)

// newPasskeySite returns the part of WebAuthn that checks passkeys of the site with a public address; nil if browsers make no
// passkeys for the address. They make passkeys for names, not for IP addresses, and only over HTTPS or for localhost.
func newPasskeySite(address string) *webauthn.WebAuthn {
	at, err := url.Parse(address)
	if err != nil || at.Scheme != "https" && (at.Scheme != "http" || at.Hostname() != "localhost") {
		return nil
	}
	host, err := idna.Lookup.ToASCII(at.Hostname()) // as browsers name the site
	if err != nil {
		return nil
	}
	origin := at.Scheme + "://" + host
	if port := at.Port(); port != "" {
		origin += ":" + port
	}
	site, err := webauthn.New(&webauthn.Config{
		RPID: host, RPDisplayName: at.Host, RPOrigins: []string{origin},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			RequireResidentKey: protocol.ResidentKeyRequired(), ResidentKey: protocol.ResidentKeyRequirementRequired,
			UserVerification: protocol.VerificationRequired,
		},
		Timeouts: webauthn.TimeoutsConfig{
			Login: webauthn.TimeoutConfig{Timeout: challengeFor}, Registration: webauthn.TimeoutConfig{Timeout: challengeFor},
		},
		// Some password managers answer more than they are asked.
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
	})
	if err != nil {
		return nil
	}
	return site
}

// TakesPasskeys reports whether people can sign in to the site with passkeys, which depends on its public address.
func (s *Store) TakesPasskeys() bool { return s.passkeys != nil }

// Passkeys returns a person's passkeys, the oldest first.
func (s *Store) Passkeys(ctx context.Context, user UserID) (_ []Passkey, err error) {
	defer primary.Wrap(&err, "passkeys of user %d", user)
	const query = `select id, name, created_at, used_at from passkeys where user_id = $1 order by id`
	rows, err := s.db.Pool.Query(ctx, query, user)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Passkey])
}

// RenamePasskey gives one of the actor's passkeys another name. It returns an [InvalidError] for a bad name, and [ErrNotFound]
// if the actor has no passkey of this id.
func (s *Store) RenamePasskey(ctx context.Context, actor UserID, id int64, name string) (err error) {
	defer primary.Wrap(&err, "rename passkey %d of user %d", id, actor)
	const rename = `update passkeys set name = $3 where user_id = $1 and id = $2`
	if name, err = cleanPasskeyName(name); err != nil {
		return err
	}
	tag, err := s.db.Pool.Exec(ctx, rename, actor, id, name)
	if err == nil && tag.RowsAffected() == 0 {
		err = ErrNotFound
	}
	return err
}

// RemovePasskey removes one of the actor's passkeys, with which the actor can't sign in any more. A mail tells the actor. The
// caller has checked that the actor knows the password. The error is [ErrNotFound] if the actor has no passkey of this id.
func (s *Store) RemovePasskey(ctx context.Context, actor UserID, id int64) (err error) {
	defer primary.Wrap(&err, "remove passkey %d of user %d", id, actor)
	const remove = `delete from passkeys where user_id = $1 and id = $2`
	err = s.write(ctx, func(tx *txn) error {
		tag, err := tx.Exec(ctx, remove, actor, id)
		if err == nil && tag.RowsAffected() == 0 {
			err = ErrNotFound
		}
		if err != nil {
			return err
		}
		return s.queueMail(ctx, tx, actor, MailPasskeyRemoved, "")
	})
	if err == nil {
		s.mailBell.ring()
	}
	return err
}

func cleanPasskeyName(name string) (string, error) {
	name, err := text.CleanLine("name", name, maxPasskeyName)
	if err == nil && name == "" {
		err = &InvalidError{Field: "name", Reason: "is empty", Code: "empty"}
	}
	return name, err
}

// A passkeyOwner is a person as package webauthn knows people.
type passkeyOwner struct {
	handle        []byte // see lockPasskeyOwner
	name, display string
	credentials   []webauthn.Credential
}

func (o *passkeyOwner) WebAuthnID() []byte                         { return o.handle }
func (o *passkeyOwner) WebAuthnName() string                       { return o.name }
func (o *passkeyOwner) WebAuthnDisplayName() string                { return o.display }
func (o *passkeyOwner) WebAuthnCredentials() []webauthn.Credential { return o.credentials }

// credentialColumns are the columns of passkeys that scanCredential reads.
const credentialColumns = `credential_id, public_key, sign_count, backup_eligible, backed_up, transports, aaguid`

// scanCredential returns the row of a passkey as package webauthn knows passkeys.
func scanCredential(row pgx.CollectableRow) (c webauthn.Credential, err error) {
	var eligible, backedUp bool
	err = row.Scan(&c.ID, &c.PublicKey, &c.Authenticator.SignCount, &eligible, &backedUp, &c.Transport, &c.Authenticator.AAGUID)
	flags := protocol.FlagUserPresent | protocol.FlagUserVerified
	if eligible {
		flags |= protocol.FlagBackupEligible
	}
	if backedUp {
		flags |= protocol.FlagBackupState
	}
	c.Flags = webauthn.NewCredentialFlags(flags)
	return c, err
}
