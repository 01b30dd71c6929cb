package timeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// AttachmentLimits bound uploads. A zero means the default, which the comments give.
type AttachmentLimits struct {
	File       int64 // bytes of a file; 20 MB
	Person     int64 // bytes of all files of a person; 2 GB
	Site       int64 // bytes of all files; 100 GB
	Unattached int   // files of a person that are in no post or comment; 50
	Post       int   // files in a post, or in a comment; 20
}

// OrDefault returns the limits with the defaults for zeros.
func (l AttachmentLimits) OrDefault() AttachmentLimits {
	return AttachmentLimits{
		File: cmp.Or(l.File, 20<<20), Person: cmp.Or(l.Person, 2<<30), Site: cmp.Or(l.Site, 100<<30),
		Unattached: cmp.Or(l.Unattached, 50), Post: cmp.Or(l.Post, 20),
	}
}

// A QuotaError refuses an upload that exceeds a quota.
type QuotaError struct {
	What  string // the limit that would be passed: "file", "person", "site" or "unattached"
	Limit int64  // in bytes; a number of files if What is "unattached"
	Left  int64  // how much of the limit is left; 0 if What is "unattached"
}

func (e *QuotaError) Error() string {
	switch e.What {
	case "file":
		return fmt.Sprintf("the file is larger than %d bytes", e.Limit)
	case "unattached":
		return fmt.Sprintf("%d uploaded files are in no post or comment: put them into one, or remove them", e.Limit)
	case "site":
		return fmt.Sprintf("the site has room for %d bytes more of %d", e.Left, e.Limit)
	}
	return fmt.Sprintf("there is room for %d bytes more of %d", e.Left, e.Limit)
}

// A NewAttachment is a file that a client is about to upload.
type NewAttachment struct {
	FileName string // as the client names the file
	Alt      string // a description for people who can't see the picture
	Size     int64  // in bytes; 0: unknown, so that the largest size allowed is reserved
}

// fileName returns the name under which an uploaded file is shown. It drops the folders that
// some clients put before the name.
func fileName(name string) (string, error) {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name, err := text.CleanLine("file_name", name, maxFileName)
	return cmp.Or(name, "file"), err
}

// How long texts of an attachment may be, in characters.
const (
	maxFileName = 255
	maxAlt      = 1000
)

// ReserveAttachment reserves room for a file of the actor's, before its first byte is read, and
// returns how many bytes the file may have. The room is free again after an hour, unless
// [Store.ReceiveAttachment] is called before.
//
// Two uploads at the same time can't reserve the same room: the actor's row and the row with the
// site's sum are locked until the reservation is committed.
//
// The error is a [QuotaError] if there is no room, [ErrUnauthorized] for an actor without an
// account, and an [InvalidError] for a bad name or description.
func (s *Store) ReserveAttachment(ctx context.Context, actor UserID, a NewAttachment, limits AttachmentLimits) (id AttachmentID, most int64, err error) {
	defer primary.Wrap(&err, "reserve an attachment of user %d", actor)
	limits = limits.OrDefault()
	if a.FileName, err = fileName(a.FileName); err != nil {
		return 0, 0, err
	}
	if a.Alt, err = text.CleanLine("alt", a.Alt, maxAlt); err != nil {
		return 0, 0, err
	}
	if a.Size <= 0 {
		a.Size = limits.File
	}
	if a.Size > limits.File {
		return 0, 0, &QuotaError{What: "file", Limit: limits.File, Left: limits.File}
	}
	err = s.write(ctx, func(tx *txn) error {
		id, err = reserveAttachment(ctx, tx, actor, a, limits, s.db.Now())
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	return id, a.Size, nil
}

func reserveAttachment(ctx context.Context, tx *txn, actor UserID, a NewAttachment, limits AttachmentLimits, now time.Time) (id AttachmentID, err error) {
	// Unlike LockActor, this lock excludes other reservations of the same person.
	const lock = `select from users where id = $1 and suspended_at is null and status <> 'deleted' for no key update`
	const expire = `delete from attachments where user_id = $1 and state = 'receiving' and due_at <= $2`
	const taken = `
		select coalesce(sum(size), 0)::bigint, count(*) filter (where post_id is null and comment_id is null and state <> 'refused')
		from attachments where user_id = $1`
	// A trigger adds the size to the sum of the site. By default it does so when the transaction
	// commits; settle makes it do so now, so that the sum can be read and compared.
	const insert = `
		insert into attachments (id, user_id, state, file_name, alt, size, created_at, due_at)
		values (next_id($1), $2, 'receiving', $3, $4, $5, $1, $6) returning id`
	const settle = `set constraints attachment_sum immediate`
	const site = `select bytes from attachment_sum`
	err = tx.QueryRow(ctx, lock, actor).Scan()
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, fmt.Errorf("user %d: %w", actor, ErrUnauthorized)
	}
	if err != nil {
		return 0, err
	}
	if _, err := tx.Exec(ctx, expire, actor, now); err != nil {
		return 0, err
	}
	var theirs, all, waiting int64
	if err := tx.QueryRow(ctx, taken, actor).Scan(&theirs, &waiting); err != nil {
		return 0, err
	}
	if waiting >= int64(limits.Unattached) {
		return 0, &QuotaError{What: "unattached", Limit: int64(limits.Unattached)}
	}
	if left := limits.Person - theirs; a.Size > left {
		return 0, &QuotaError{What: "person", Limit: limits.Person, Left: max(0, left)}
	}
	if err := tx.QueryRow(ctx, insert, now, actor, a.FileName, a.Alt, a.Size, now.Add(receivingFor)).Scan(&id); err != nil {
		return 0, err
	}
	if _, err := tx.Exec(ctx, settle); err != nil {
		return 0, err
	}
	if err := tx.QueryRow(ctx, site).Scan(&all); err != nil {
		return 0, err
	}
	if all > limits.Site {
		return 0, &QuotaError{What: "site", Limit: limits.Site, Left: max(0, limits.Site-(all-a.Size))}
	}
	return id, nil
}
