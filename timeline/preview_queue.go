package timeline

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// ListenPreviews returns a channel that receives each time this store may have queued a page for
// [Store.TakePreview], and a function that stops the listening.
func (s *Store) ListenPreviews() (bell <-chan struct{}, stop func()) { return s.previewBell.add() }

// A PreviewLease gives one worker the right to fetch the page of a preview, for a time.
type PreviewLease struct {
	ID      int64
	Address string
	Try     int // 1 for the first
}

// previewsLock is the key of the advisory lock for taking previews, "previews" in ASCII. Without
// the lock, two workers could take two pages of one host at the same time.
const previewsLock = 0x7072657669657773

// TakePreview takes the page from the queue that has been due for the longest time. It returns nil
// if no page is due, or if the site shows no previews. It passes over pages of a host from which a
// worker is fetching a page, so as to spare the host. No other worker gets the page, or another
// page of its host, until the worker has finished or postponed the preview, or the lease is over.
func (s *Store) TakePreview(ctx context.Context, lease time.Duration) (l *PreviewLease, err error) {
	defer primary.Wrap(&err, "take a preview from the queue")
	const lock = `select pg_advisory_xact_lock($1)`
	const query = `
		update previews set due_at = $2, taken_until = $2, tries = tries + 1
		where id = (
			select id from previews v
			where state = 'queued' and due_at <= $1 and ` + previewsOn + ` and not exists (
				select from previews b where b.host = v.host and b.state = 'queued' and b.taken_until > $1)
			order by due_at, id limit 1
			for update skip locked)
		returning id, address, tries`
	now := s.db.Now()
	err = s.write(ctx, func(tx *txn) error {
		l = nil
		if _, err := tx.Exec(ctx, lock, int64(previewsLock)); err != nil {
			return err
		}
		var taken PreviewLease
		err := tx.QueryRow(ctx, query, now, now.Add(lease)).Scan(&taken.ID, &taken.Address, &taken.Try)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		l = &taken
		return err
	})
	return l, err
}

// PostponePreview puts a page back into the queue for another try after wait. counts is false for a
// try that was broken off because its worker was stopped: such a try is not counted.
// PostponePreview changes nothing if another worker has taken the page in the meantime.
func (s *Store) PostponePreview(ctx context.Context, l PreviewLease, wait time.Duration, counts bool) (err error) {
	defer primary.Wrap(&err, "postpone preview %d", l.ID)
	const query = `
		update previews set due_at = $3, taken_until = null, tries = tries - case when $4 then 0 else 1 end
		where id = $1 and state = 'queued' and tries = $2`
	_, err = s.db.Pool.Exec(ctx, query, l.ID, l.Try, s.db.Now().Add(wait), counts)
	return err
}

// FinishPreview takes a page from the queue for good. made is the preview to show, or nil if the
// page has none; with a preview, all posts that link to the page change. kept reports whether the
// file store has a file. FinishPreview changes nothing if another worker has taken the page since.
// It returns [ErrFileGone] if the file store lacks the picture, so that the caller stores the
// picture again.
func (s *Store) FinishPreview(ctx context.Context, l PreviewLease, made *Preview, kept Kept) (err error) {
	defer primary.Wrap(&err, "finish preview %d", l.ID)
	// Lock the posts before the preview, like all writers. A post may get the preview after its
	// posts were locked; but the transaction that gives it holds the preview's row until it ends.
	// So the second look, under the lock of the preview, finds each post that the first look
	// missed, and FinishPreview begins again.
	const linking = `select id from posts where preview_id = $1 and deleted_at is null order by id`
	const lock = `select from previews where id = $1 and state = 'queued' and tries = $2 for update`
	const update = `
		update previews set state = $2, due_at = $3, taken_until = null, title = $4, site = $5, about = $6,
			picture = $7, media_type = $8, size = $9, width = $10, height = $11
		where id = $1`
	const raise = `update posts set version = version + 1 where id = any($1)`
	state, show, picture, file := "none", Preview{}, Rendition{}, []byte(nil)
	if made != nil {
		state, show = "ready", *made
		if made.Picture != nil {
			picture, file = *made.Picture, made.Picture.File[:]
		}
	}
	for {
		err := s.write(ctx, func(tx *txn) error {
			if file != nil {
				if err := LockFiles(ctx, tx, kept, picture.File); err != nil {
					return err
				}
			}
			var locked, posts []PostID
			if err := primary.Read(ctx, tx, &locked, linking+` for no key update`, l.ID); err != nil {
				return err
			}
			err := tx.QueryRow(ctx, lock, l.ID, l.Try).Scan()
			if errors.Is(err, pgx.ErrNoRows) {
				return nil
			}
			if err != nil {
				return err
			}
			if err := primary.Read(ctx, tx, &posts, linking, l.ID); err != nil {
				return err
			}
			if slices.ContainsFunc(posts, func(id PostID) bool { return !slices.Contains(locked, id) }) {
				return errMoved
			}
			_, err = tx.Exec(ctx, update, l.ID, state, s.db.Now().Add(sharedFor), show.Title, show.Site, show.About,
				file, picture.MediaType, picture.Size, picture.Width, picture.Height)
			if err != nil || made == nil || len(posts) == 0 {
				return err
			}
			for _, id := range posts {
				tx.Note(Change{Kind: ChangePost, Post: id})
			}
			_, err = tx.Exec(ctx, raise, posts)
			return err
		})
		if !errors.Is(err, errMoved) {
			return err
		}
	}
}
