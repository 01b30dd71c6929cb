package timeline

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// maxFeedAddresses is how many private addresses of web feeds a person can have.
const maxFeedAddresses = 100

// feedSeenEvery is the shortest time between two writes of when an address was last used.
const feedSeenEvery = time.Hour

// A FeedAddress is a private address of a web feed. A feed reader that has its secret gets one page
// as the person who made the address sees the page. The primary keeps only a hash of the secret.
type FeedAddress struct {
	ID        int64
	Page      string // path and query of the page, as they were when the address was made
	Kind      string // the kind of the page's river
	TheirID   int64  // the id of the person, group, list or hashtag that the river is about
	CreatedAt time.Time
	SeenAt    *time.Time // nil: never used
}

// NewFeedAddress makes a private address of a page for the actor, and returns its id and secret.
// The caller has checked that the actor may open the page. The error is an [InvalidError] if the
// actor has too many addresses.
func (s *Store) NewFeedAddress(ctx context.Context, actor UserID, a FeedAddress) (id int64, secret string, err error) {
	defer primary.Wrap(&err, "feed address of user %d", actor)
	const insert = `
		insert into feed_addresses (secret_hash, user_id, page, kind, their_id, created_at) values ($1, $2, $3, $4, $5, $6)
		returning id`
	const all = `select count(*) from (select from feed_addresses where user_id = $1 limit $2) f`
	secret = newSecret()
	err = s.write(ctx, func(tx *txn) error {
		if err := primary.LockActor(ctx, tx, actor); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, insert, digest(secret), actor, a.Page, a.Kind, a.TheirID, s.db.Now()).Scan(&id); err != nil {
			return err
		}
		return primary.CheckRoom(ctx, tx, all, actor, maxFeedAddresses, "you have")
	})
	return id, secret, err
}

// FeedAddresses returns a person's private addresses, the newest first.
func (s *Store) FeedAddresses(ctx context.Context, user UserID) (_ []FeedAddress, err error) {
	defer primary.Wrap(&err, "feed addresses of user %d", user)
	const query = `select id, page, kind, their_id, created_at, seen_at from feed_addresses where user_id = $1 order by id desc`
	rows, err := s.db.Pool.Query(ctx, query, user)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[FeedAddress])
}

// RevokeFeedAddress ends a private address of the actor's. It returns [ErrNotFound] if the actor
// has no address with the id. Every request at a private address looks it up in the primary, so no
// node answers at the address afterwards.
func (s *Store) RevokeFeedAddress(ctx context.Context, actor UserID, id int64) (err error) {
	defer primary.Wrap(&err, "feed address %d of user %d", id, actor)
	const query = `delete from feed_addresses where user_id = $1 and id = $2`
	return s.write(ctx, func(tx *txn) error {
		tag, err := tx.Exec(ctx, query, actor, id)
		if err == nil && tag.RowsAffected() == 0 {
			return ErrNotFound
		}
		return err
	})
}

// A FeedOwner is the person who made a private address, together with the address.
type FeedOwner struct {
	Identity
	Address FeedAddress
}

// feedOwnerColumns are the columns for [scanFeedOwner]: columns of an address f and of the person u
// who made it.
const feedOwnerColumns = `
	f.id, f.page, f.kind, f.their_id, f.created_at, f.seen_at, f.secret_hash, u.id, u.name, u.display_name, u.page_language
	from feed_addresses f join users u on u.id = f.user_id`

// feedOwnerActs is the condition for an address to work: the person is neither suspended nor
// deleted.
const feedOwnerActs = ` and u.suspended_at is null and u.status <> 'deleted'`

func scanFeedOwner(row pgx.Row) (o FeedOwner, err error) {
	a := &o.Address
	err = row.Scan(&a.ID, &a.Page, &a.Kind, &a.TheirID, &a.CreatedAt, &a.SeenAt, &o.Hash, &o.User, &o.Name, &o.DisplayName, &o.Language)
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrNotFound
	}
	return o, err
}

// FeedOwner returns the address with a secret, and the person who made it. It returns [ErrNotFound]
// if there is no such address, or if the person is suspended.
func (s *Store) FeedOwner(ctx context.Context, secret string) (o FeedOwner, err error) {
	defer primary.Wrap(&err, "feed address")
	const query = `select ` + feedOwnerColumns + ` where f.secret_hash = $1` + feedOwnerActs
	const touch = `update feed_addresses set seen_at = $2 where id = $1`
	if o, err = scanFeedOwner(s.db.Pool.QueryRow(ctx, query, digest(secret))); err != nil {
		return FeedOwner{}, err
	}
	if now := s.db.Now(); o.Address.SeenAt == nil || now.Sub(*o.Address.SeenAt) >= feedSeenEvery {
		if _, err = s.db.Pool.Exec(ctx, touch, o.Address.ID, now); err != nil {
			return FeedOwner{}, err
		}
	}
	return o, nil
}

// FileKey returns the key with which feed readers open a file in the web feed of a private address.
// People pass on items of a feed more easily than the address itself, so the addresses of files in
// items must not contain the secret. The key opens this one file only, and only as long as the
// address works and the person who made it may read the file.
func (o FeedOwner) FileKey(id AttachmentID) string {
	mac := hmac.New(sha256.New, o.Hash)
	mac.Write([]byte("file " + strconv.FormatInt(int64(id), 10)))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}

// FeedFile returns a rendition of an attachment, which the key that [FeedOwner.FileKey] returned
// opens. address is the id of the private address. It returns [ErrNotFound] if the key is wrong or
// the address has ended, and in the cases of [Store.AttachmentFile].
func (s *Store) FeedFile(ctx context.Context, address int64, key string, id AttachmentID, rendition string) (_ AttachedFile, err error) {
	defer primary.Wrap(&err, "file %d at feed address %d", id, address)
	const query = `select ` + feedOwnerColumns + ` where f.id = $1` + feedOwnerActs
	o, err := scanFeedOwner(s.db.Pool.QueryRow(ctx, query, address))
	if err != nil {
		return AttachedFile{}, err
	}
	if !hmac.Equal([]byte(key), []byte(o.FileKey(id))) {
		return AttachedFile{}, fmt.Errorf("key: %w", ErrNotFound)
	}
	return s.AttachmentFile(ctx, o.User, id, rendition)
}
