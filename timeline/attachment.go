package timeline

import (
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A FileName is the SHA-256 of a file's bytes, under which the file store keeps the file.
type FileName [32]byte

// String returns the name as 64 hexadecimal digits.
func (n FileName) String() string { return hex.EncodeToString(n[:]) }

// MarshalText returns the name as [FileName.String] does.
func (n FileName) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalText reads a name as [FileName.String] writes it. Each file has exactly one name, so
// capital letters are an error.
func (n *FileName) UnmarshalText(text []byte) error {
	var read FileName
	if len(text) != hex.EncodedLen(len(read)) {
		return fmt.Errorf("a name of a file has %d digits, not %d", hex.EncodedLen(len(read)), len(text))
	}
	if _, err := hex.Decode(read[:], text); err != nil {
		return fmt.Errorf("%q is no name of a file: %w", text, err)
	}
	if read.String() != string(text) {
		return fmt.Errorf("%q is no name of a file: it has capital letters", text)
	}
	*n = read
	return nil
}

// AttachmentState is how far an upload has come.
type AttachmentState string

// The states of an attachment, in their order; the last state is ready or refused.
const (
	AttachmentReceiving AttachmentState = "receiving" // the bytes are on their way
	AttachmentQueued    AttachmentState = "queued"    // the bytes are kept, and wait for a worker
	AttachmentReady     AttachmentState = "ready"     // the renditions are kept
	AttachmentRefused   AttachmentState = "refused"   // only the reason is kept
)

// How long an attachment stays if nothing more happens to it.
const (
	receivingFor  = time.Hour          // the upload is not complete
	refusedFor    = 24 * time.Hour     // refused, and in no post or comment
	unattachedFor = 2 * 24 * time.Hour // ready, and in no post or comment
)

// A Refusal is the reason why an upload was refused. Programs get the value itself, people a
// sentence of package web.
type Refusal string

// The refusals. All but the last two are caused by the file itself.
const (
	RefusedType    Refusal = "type"    // a picture of a type that can't be shown
	RefusedBytes   Refusal = "bytes"   // a picture with too many bytes
	RefusedPixels  Refusal = "pixels"  // a picture with too many pixels
	RefusedFrames  Refusal = "frames"  // a picture that moves, with too many frames
	RefusedDamaged Refusal = "damaged" // a picture that can't be decoded
	RefusedEffort  Refusal = "effort"  // a picture that takes too much memory or time to decode
	RefusedNoTool  Refusal = "no_tool" // a picture on a server that has no tool for pictures
	RefusedFailed  Refusal = "failed"  // all tries failed
)

// Refusals returns all refusals.
func Refusals() []Refusal {
	return []Refusal{RefusedType, RefusedBytes, RefusedPixels, RefusedFrames, RefusedDamaged, RefusedEffort, RefusedNoTool, RefusedFailed}
}

// An UploadedFile is an attachment in the form that only its owner sees.
type UploadedFile struct {
	ID         AttachmentID
	State      AttachmentState
	FileName   string  // as the owner's device named the file
	Kind       string  // "image", "audio", "video" or "file"
	MediaType  string  // found by content; empty until the file is ready
	Size       int64   // of the upload, in bytes
	Frames     int     // more than one: the picture moves
	Alt        string  // the owner's description, for people who can't see the picture
	Refused    Refusal // why the file was refused
	UploadedAt int64   // in milliseconds since 1970
	// Renditions are in no order. A file other than a picture has one rendition, the original.
	Renditions []Rendition
}

// A Rendition is one file of a ready attachment, for example the thumbnail.
type Rendition struct {
	Name      string   `json:"name"` // "original", "medium", "thumb", "grid" or "grid2x"
	File      FileName `json:"file"`
	MediaType string   `json:"media_type"`
	Size      int64    `json:"size"`
	Width     int      `json:"width,omitempty"` // in pixels; 0 for a file other than a picture
	Height    int      `json:"height,omitempty"`
}

// UnattachedFiles returns the files of a person that are in no post or comment, in the
// order of their uploads: queued, ready and refused ones.
func (s *Store) UnattachedFiles(ctx context.Context, owner UserID) (files []UploadedFile, err error) {
	defer primary.Wrap(&err, "unattached files of user %d", owner)
	err = s.db.View(ctx, func(q primary.Querier) error {
		files, err = readUploads(ctx, q, "post_id is null and comment_id is null", owner)
		return err
	})
	return files, err
}

// FilesOf returns the files that a person put into their own post, or, unless comment is 0, into
// their own comment on the post, in the order of the post or comment. Queued and refused files are
// included. It returns [ErrNotFound] if the person may not read the post.
func (s *Store) FilesOf(ctx context.Context, owner UserID, post PostID, comment CommentID) (files []UploadedFile, err error) {
	defer primary.Wrap(&err, "files of post %d, comment %d", post, comment)
	err = s.db.View(ctx, func(q primary.Querier) error {
		sets, err := ReadSets(ctx, q, owner)
		if err != nil {
			return err
		}
		if _, err := readablePlaces(ctx, q, sets, post); err != nil {
			return err
		}
		if comment != 0 {
			files, err = readUploads(ctx, q, "comment_id = $2 and comment_id in (select id from comments where post_id = $3)", owner, comment, post)
		} else {
			files, err = readUploads(ctx, q, "post_id = $2", owner, post)
		}
		return err
	})
	return files, err
}

// readUploads returns the uploads of a person, $1, that meet a condition. It leaves out uploads
// that are still being received.
func readUploads(ctx context.Context, q primary.Querier, condition string, args ...any) ([]UploadedFile, error) {
	query := `
		select id, state, file_name, kind, media_type, size, frames, alt, reason, (extract(epoch from created_at) * 1000)::bigint
		from attachments where user_id = $1 and state <> 'receiving' and ` + condition + ` order by position, id`
	const renditions = `
		select attachment_id, name, file, media_type, size, width, height from renditions where attachment_id = any($1)`
	rows, err := q.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	var ids []AttachmentID
	at := make(map[AttachmentID]int)
	files, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (f UploadedFile, err error) {
		err = row.Scan(&f.ID, &f.State, &f.FileName, &f.Kind, &f.MediaType, &f.Size, &f.Frames, &f.Alt, &f.Refused, &f.UploadedAt)
		at[f.ID] = len(ids)
		ids = append(ids, f.ID)
		return f, err
	})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	if rows, err = q.Query(ctx, renditions, ids); err != nil {
		return nil, err
	}
	var id AttachmentID
	var file []byte
	var r Rendition
	_, err = pgx.ForEachRow(rows, []any{&id, &r.Name, &file, &r.MediaType, &r.Size, &r.Width, &r.Height}, func() error {
		r.File = FileName(file)
		files[at[id]].Renditions = append(files[at[id]].Renditions, r)
		return nil
	})
	return files, err
}

// RemoveAttachment deletes a file of the actor's: a file in no post or comment, in any state, or a
// refused file of a post or comment, where the author then no longer sees the refusal. It returns
// the post of the file; 0 if the file was in none. The error is [ErrNotFound] if the actor has no
// such file, and [ErrConflict] for any other file of a post or comment, because [Store.EditPost]
// and [Store.EditComment] remove such files.
func (s *Store) RemoveAttachment(ctx context.Context, actor UserID, id AttachmentID) (post PostID, err error) {
	defer primary.Wrap(&err, "remove attachment %d", id)
	const remove = `delete from attachments where id = $1`
	lockActor := func(tx *txn) error { return primary.LockActor(ctx, tx, actor) }
	err = s.withAttachment(ctx, id, lockActor, func(tx *txn, a lockedAttachment) error {
		switch {
		case a.owner != actor:
			return ErrNotFound
		case a.post != 0 && a.state != AttachmentRefused:
			return fmt.Errorf("the file is in a post or comment: %w", ErrConflict)
		}
		if _, err := tx.Exec(ctx, remove, id); err != nil {
			return err
		}
		post = a.post
		return tx.attachmentsChanged(ctx, a.home)
	})
	return post, err
}
