package timeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// MaxAttachmentTries is how many times workers try a queued upload before it is refused.
const MaxAttachmentTries = 5

// ListenUploads returns a channel that receives each time this store queues an upload for
// [Store.TakeAttachment], and a function that stops the listening.
func (s *Store) ListenUploads() (bell <-chan struct{}, stop func()) { return s.uploadBell.add() }

// ReceiveAttachment notes that all bytes of a reserved upload are in the file store, as one file,
// and queues the upload. kept reports whether the file store has a file. A second call with the
// same file changes nothing.
//
// The error is [ErrFileGone] if the file store lacks the file, so that the caller stores the file
// again; and [ErrNotFound] if the owner reserved no such upload, if the reservation has expired
// after an hour, or if the file is larger than reserved.
func (s *Store) ReceiveAttachment(ctx context.Context, owner UserID, id AttachmentID, file FileName, size int64, kept Kept) (err error) {
	defer primary.Wrap(&err, "receive attachment %d", id)
	const update = `
		update attachments set state = 'queued', upload = $3, size = $4, due_at = $5
		where id = $1 and user_id = $2 and state = 'receiving' and size >= $4`
	const again = `select from attachments where id = $1 and user_id = $2 and upload = $3`
	err = s.write(ctx, func(tx *txn) error {
		if err := LockFiles(ctx, tx, kept, file); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, update, id, owner, file[:], size, s.db.Now())
		if err != nil || tag.RowsAffected() > 0 {
			return err
		}
		return tx.QueryRow(ctx, again, id, owner, file[:]).Scan()
	})
	if err == nil {
		s.uploadBell.ring()
	}
	return err
}

// A Lease gives one worker the right to process a queued upload, for a time.
type Lease struct {
	ID     AttachmentID
	Owner  UserID
	Upload FileName
	Size   int64
	Try    int // 1 for the first; more than [MaxAttachmentTries] if a worker died in the last try
}

// TakeAttachment takes the upload from the queue that has been due for the longest time, and
// returns nil if none is due. No other worker gets the upload until the time of the lease is over.
// If the worker dies, another one takes the upload then, so no upload is lost.
func (s *Store) TakeAttachment(ctx context.Context, lease time.Duration) (l *Lease, err error) {
	defer primary.Wrap(&err, "take an attachment from the queue")
	const query = `
		update attachments set due_at = $2, tries = tries + 1
		where id = (
			select id from attachments where state = 'queued' and due_at <= $1 order by due_at, id limit 1
			for update skip locked)
		returning id, user_id, upload, size, tries`
	now := s.db.Now()
	err = s.write(ctx, func(tx *txn) error {
		var taken Lease
		var upload []byte
		l = nil
		err := tx.QueryRow(ctx, query, now, now.Add(lease)).Scan(&taken.ID, &taken.Owner, &upload, &taken.Size, &taken.Try)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		taken.Upload = FileName(upload)
		l = &taken
		return nil
	})
	return l, err
}

// PostponeAttachment puts an upload back into the queue for another try after wait. counts is false
// for a try that was broken off because its worker was stopped: such a try is not counted.
// PostponeAttachment changes nothing if another worker has taken the upload in the meantime.
func (s *Store) PostponeAttachment(ctx context.Context, l Lease, wait time.Duration, counts bool) (err error) {
	defer primary.Wrap(&err, "postpone attachment %d", l.ID)
	const query = `
		update attachments set due_at = $3, tries = tries - case when $4 then 0 else 1 end
		where id = $1 and state = 'queued' and tries = $2`
	_, err = s.db.Pool.Exec(ctx, query, l.ID, l.Try, s.db.Now().Add(wait), counts)
	return err
}

// A FinishedFile is what a worker made of an upload.
type FinishedFile struct {
	Kind       string // "image", "audio", "video" or "file"
	MediaType  string
	Frames     int
	Renditions []Rendition
}

// FinishAttachment marks a queued upload as ready, and notes a change of its post, if any. kept
// reports whether the file store has a file. FinishAttachment changes nothing if another worker has
// made the upload ready or refused it.
//
// The error is [ErrFileGone] if the file store lacks one of the renditions, so that the caller
// stores them again, and [ErrNotFound] if the upload was deleted meanwhile.
func (s *Store) FinishAttachment(ctx context.Context, id AttachmentID, made FinishedFile, kept Kept) (err error) {
	defer primary.Wrap(&err, "finish attachment %d", id)
	const update = `
		update attachments set state = 'ready', upload = null, kind = $2, media_type = $3, frames = $4, due_at = $5 where id = $1`
	const insert = `
		insert into renditions (attachment_id, name, file, media_type, size, width, height) values ($1, $2, $3, $4, $5, $6, $7)`
	files := make([]FileName, len(made.Renditions))
	for i, r := range made.Renditions {
		files[i] = r.File
	}
	lock := func(tx *txn) error { return LockFiles(ctx, tx, kept, files...) }
	return s.withAttachment(ctx, id, lock, func(tx *txn, a lockedAttachment) error {
		if a.state != AttachmentQueued {
			return nil
		}
		var b pgx.Batch
		b.Queue(update, id, made.Kind, made.MediaType, max(1, made.Frames), s.db.Now().Add(unattachedFor))
		for _, r := range made.Renditions {
			b.Queue(insert, id, r.Name, r.File[:], r.MediaType, r.Size, r.Width, r.Height)
		}
		if err := tx.SendBatch(ctx, &b).Close(); err != nil {
			return err
		}
		return tx.attachmentsChanged(ctx, a.home)
	})
}

// RefuseAttachment refuses a queued upload. The owner sees the reason in the post or comment that
// has the file, until the owner removes the file; for a file in no post or comment, the reason is
// kept for a day. RefuseAttachment changes nothing if another worker has made the upload ready or
// refused it.
func (s *Store) RefuseAttachment(ctx context.Context, id AttachmentID, why Refusal) (err error) {
	defer primary.Wrap(&err, "refuse attachment %d", id)
	const update = `
		update attachments set state = 'refused', upload = null, size = 0, reason = $2, due_at = $3 where id = $1`
	return s.withAttachment(ctx, id, nil, func(tx *txn, a lockedAttachment) error {
		if a.state != AttachmentQueued {
			return nil
		}
		if _, err := tx.Exec(ctx, update, id, why, s.db.Now().Add(refusedFor)); err != nil {
			return err
		}
		return tx.attachmentsChanged(ctx, a.home)
	})
}

// A home is the post that an attachment belongs to, either directly or by a comment on the post.
type home struct {
	post      PostID // 0: the attachment is in no post or comment
	byComment bool   // a comment on the post has the attachment
}

// A lockedAttachment is an attachment whose row and whose post [Store.withAttachment] has locked.
type lockedAttachment struct {
	home
	owner UserID
	state AttachmentState
}

// homeOf is the query of an attachment's home, owner and state. $1 is the attachment.
const homeOf = `
	select coalesce(a.post_id, c.post_id, 0), a.comment_id is not null, a.user_id, a.state
	from attachments a left join all_comments c on c.id = a.comment_id where a.id = $1`

// errMoved reports that an attachment or a preview was put into a post while the caller waited
// for the row's lock.
var errMoved = errors.New("the row was put into a post meanwhile")

// withAttachment locks an attachment and runs f on it. Before that it calls first, unless first is
// nil, to take the locks that come earlier in the order of locks, and locks the attachment's post.
// The post is known only after a read without a lock. If the attachment was put into another post
// since, withAttachment begins again.
func (s *Store) withAttachment(ctx context.Context, id AttachmentID, first func(*txn) error, f func(*txn, lockedAttachment) error) error {
	const lockPost = `select from posts where id = $1 for no key update`
	for {
		err := s.write(ctx, func(tx *txn) error {
			if first != nil {
				if err := first(tx); err != nil {
					return err
				}
			}
			var before, a lockedAttachment
			if err := tx.QueryRow(ctx, homeOf, id).Scan(&before.post, &before.byComment, &before.owner, &before.state); err != nil {
				return err
			}
			if before.post != 0 {
				if err := tx.QueryRow(ctx, lockPost, before.post).Scan(); err != nil {
					return err
				}
			}
			if err := tx.QueryRow(ctx, homeOf+` for update of a`, id).Scan(&a.post, &a.byComment, &a.owner, &a.state); err != nil {
				return err
			}
			if a.home != before.home {
				return errMoved
			}
			return f(tx, a)
		})
		if !errors.Is(err, errMoved) {
			return err
		}
	}
}

// attachmentsChanged raises the versions of the post in which attachments changed, writes the
// search words of its files, and notes the change. The caller has locked the post.
func (tx *txn) attachmentsChanged(ctx context.Context, at home) error {
	const query = `update posts set version = version + 1 where id = $1`
	switch {
	case at.post == 0:
		return nil
	case at.byComment:
		return tx.commentsChanged(ctx, Change{Kind: ChangePost, Post: at.post})
	}
	tx.Note(Change{Kind: ChangePost, Post: at.post, TextChanged: true})
	if _, err := tx.Exec(ctx, query, at.post); err != nil {
		return err
	}
	return tx.setFileWords(ctx, at.post)
}

// An AttachmentError says which file can't be put into a post or comment. It is
// [ErrNotFound] if the actor has no such file, and [ErrConflict] otherwise.
type AttachmentError struct {
	ID  AttachmentID
	Why error
}

func (e *AttachmentError) Error() string { return fmt.Sprintf("attachment %d: %v", e.ID, e.Why) }

func (e *AttachmentError) Unwrap() error { return e.Why }
