package timeline

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/text"
)

// Files are the attachments that a client wants a post or comment to have, in this order.
type Files struct {
	IDs  []AttachmentID
	Most int                     // the largest number allowed; 0: the default of [AttachmentLimits]
	Alts map[AttachmentID]string // new descriptions; a file without an entry keeps its description
}

// check cleans the descriptions. It returns an [InvalidError] for a repeated file, for too many
// files, and for a bad description.
func (f Files) check() error {
	for id, alt := range f.Alts {
		clean, err := text.CleanLine("alt", alt, maxAlt)
		if err != nil {
			return err
		}
		f.Alts[id] = clean
	}
	if most := (AttachmentLimits{Post: f.Most}).OrDefault().Post; len(f.IDs) > most {
		return &InvalidError{Field: "attachment_ids", Reason: fmt.Sprintf("are more than %d", most), Code: "too_many", N: most}
	}
	if sorted := slices.Sorted(slices.Values(f.IDs)); len(slices.Compact(sorted)) < len(f.IDs) {
		return &InvalidError{Field: "attachment_ids", Reason: "name a file twice"}
	}
	return nil
}

// errNoContent is the error of a post or comment with neither text nor files.
var errNoContent = &InvalidError{Field: "text", Reason: "is empty, and there is no file", Code: "no_content"}

// checkContent returns errNoContent if an edit left a post, or a comment on it unless comment
// is 0, without text and without files. A file that was refused does not count.
func (tx *txn) checkContent(ctx context.Context, post PostID, comment CommentID) error {
	const query = `
		select exists (select from posts where id = $1 and $2::bigint = 0 and text <> '')
			or exists (select from comments where id = $2 and text <> '')
			or exists (select from attachments where (post_id = $1 and $2 = 0 or comment_id = $2 and $2 <> 0) and state <> 'refused')`
	var has bool
	if err := tx.QueryRow(ctx, query, post, comment).Scan(&has); err != nil {
		return err
	}
	if !has {
		return errNoContent
	}
	return nil
}

// setAttachments gives a post the files of to, in their order; or, unless comment is 0, a comment on
// the post. It deletes files that the post or comment had and to does not name. It returns an
// [AttachmentError] for a file that is not the actor's own, is neither queued nor ready, or is in
// another post or comment. setAttachments reports whether anything changed; then the caller raises
// the post's version. The caller has checked the files and the rights, and has locked the post and
// the actor.
func (tx *txn) setAttachments(ctx context.Context, actor UserID, at home, comment CommentID, to Files) (changed bool, err error) {
	const lock = `
		select id, state, post_id, comment_id from attachments where id = any($1) and user_id = $2 order by id for update`
	const drop = `
		delete from attachments where (post_id = $1 and $2::bigint = 0 or comment_id = $2 and $2 <> 0) and id <> all($3)`
	const set = `
		update attachments a set
			post_id = case when $2::bigint = 0 then $1::bigint end, comment_id = nullif($2, 0), position = f.n - 1
		from unnest($3::bigint[]) with ordinality f(id, n)
		where a.id = f.id and (num_nonnulls(a.post_id, a.comment_id) = 0 or a.position <> f.n - 1)`
	const describe = `
		update attachments a set alt = f.alt
		from unnest($1::bigint[], $2::text[]) f(id, alt) where a.id = f.id and a.alt <> f.alt`
	files := append([]AttachmentID{}, to.IDs...) // id <> all(null) is never true
	found := make(map[AttachmentID]error, len(files))
	rows, err := tx.Query(ctx, lock, files, actor)
	if err != nil {
		return false, err
	}
	var id AttachmentID
	var state AttachmentState
	var inPost *PostID
	var inComment *CommentID
	_, err = pgx.ForEachRow(rows, []any{&id, &state, &inPost, &inComment}, func() error {
		elsewhere := inPost != nil && (at.byComment || *inPost != at.post) || inComment != nil && *inComment != comment
		switch {
		case elsewhere:
			found[id] = fmt.Errorf("is in another post or comment: %w", ErrConflict)
		case state != AttachmentQueued && state != AttachmentReady:
			found[id] = fmt.Errorf("is %s: %w", state, ErrConflict)
		default:
			found[id] = nil
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	for _, id := range files {
		if why, known := found[id]; !known {
			return false, &AttachmentError{id, ErrNotFound}
		} else if why != nil {
			return false, &AttachmentError{id, why}
		}
	}
	dropped, err := tx.Exec(ctx, drop, at.post, comment, files)
	if err != nil {
		return false, err
	}
	moved, err := tx.Exec(ctx, set, at.post, comment, files)
	if err != nil {
		return false, err
	}
	var described []AttachmentID
	var alts []string
	for _, id := range files {
		if alt, is := to.Alts[id]; is {
			described, alts = append(described, id), append(alts, alt)
		}
	}
	said, err := tx.Exec(ctx, describe, described, alts)
	return err == nil && dropped.RowsAffected()+moved.RowsAffected()+said.RowsAffected() > 0, err
}
