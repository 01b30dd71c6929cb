package timeline

import (
	"context"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// An AttachedFile is a file of an attachment that a viewer may read.
type AttachedFile struct {
	Rendition
	FileName string // of the upload, as the owner's device named it
	Kind     string // of the attachment
}

// attachedColumns are the columns for [scanAttached]: columns of an attachment a, its comment c,
// and its rendition r.
const attachedColumns = `
	a.id, coalesce(a.post_id, c.post_id, 0), a.user_id, a.file_name, a.kind, r.name, r.file, r.media_type, r.size, r.width, r.height`

// An attached is a file with the facts that decide who may see it.
type attached struct {
	id    AttachmentID
	post  PostID // 0: in no post or comment
	owner UserID
	file  AttachedFile
}

func scanAttached(row pgx.CollectableRow) (a attached, err error) {
	f := &a.file
	var name []byte
	err = row.Scan(&a.id, &a.post, &a.owner, &f.FileName, &f.Kind, &f.Name, &name, &f.MediaType, &f.Size, &f.Width, &f.Height)
	if err == nil {
		f.File = FileName(name)
	}
	return a, err
}

// AttachmentFile returns a rendition of an attachment. It returns [ErrNotFound] if the rendition
// does not exist, or if the viewer may not read the post of the attachment. Like a comment, the
// file of a comment is hidden from people across a ban from its author. Only the owner sees a file
// that is in no post or comment.
func (s *Store) AttachmentFile(ctx context.Context, viewer UserID, id AttachmentID, rendition string) (_ AttachedFile, err error) {
	defer primary.Wrap(&err, "rendition %s of attachment %d", rendition, id)
	const query = `
		select ` + attachedColumns + `
		from attachments a join renditions r on r.attachment_id = a.id left join comments c on c.id = a.comment_id
		where a.id = $1 and r.name = $2 and a.state = 'ready'`
	if !text.Valid(rendition) { // the name is from a URL, and PostgreSQL refuses text that is not UTF-8
		return AttachedFile{}, ErrNotFound
	}
	var found attached
	err = s.db.View(ctx, func(q primary.Querier) error {
		rows, err := q.Query(ctx, query, id, rendition)
		if err != nil {
			return err
		}
		if found, err = pgx.CollectExactlyOneRow(rows, scanAttached); err != nil {
			return err
		}
		sets, err := ReadSets(ctx, q, viewer)
		if err != nil {
			return err
		}
		if found.post == 0 {
			if viewer == 0 || viewer != found.owner || !sets.MayAct() {
				return ErrNotFound
			}
			return nil
		}
		if _, err := readablePlaces(ctx, q, sets, found.post); err != nil {
			return err
		}
		if _, banned := sets.Bans[found.owner]; banned {
			return ErrNotFound
		}
		return nil
	})
	if err != nil {
		return AttachedFile{}, err
	}
	return found.file, nil
}

// publicChunk is how many files [Store.PublicFile] reads and decides at a time.
const publicChunk = 20

// PublicFile returns a file of a post, a preview or a comment that visitors may read, and that the
// viewer may read too. Otherwise it returns [ErrNotFound]: the file does not exist, or no visitor
// may read it, or all posts and comments with the file are hidden from the viewer by bans.
func (s *Store) PublicFile(ctx context.Context, viewer UserID, file FileName) (found AttachedFile, err error) {
	defer primary.Wrap(&err, "public file %s", file)
	// Many people may have uploaded the same bytes, so there may be many posts. The query leaves
	// out posts that are in no public timeline; the visibility rule decides about the others.
	const inFiles = `
		select ` + attachedColumns + `
		from renditions r join attachments a on a.id = r.attachment_id left join comments c on c.id = a.comment_id
		join posts p on p.id = coalesce(a.post_id, c.post_id)
		where r.file = $1 and a.id > $2 and a.state = 'ready'
			and exists (select from timelines t where t.id = any (p.places) and t.access = $3)
		order by a.id, r.name limit $4`
	// The same for the pictures of previews, with the ids of posts in place of ids of attachments.
	const inPreviews = `
		select p.id, p.id, p.user_id, '` + PreviewPicture + `', 'image', '` + PreviewPicture + `', v.picture, v.media_type, v.size, v.width, v.height
		from previews v join posts p on p.preview_id = v.id
		where v.picture = $1 and p.id > $2 and ` + previewsOn + `
			and exists (select from timelines t where t.id = any (p.places) and t.access = $3)
		order by p.id limit $4`
	err = s.db.View(ctx, func(q primary.Querier) error {
		sets, err := ReadSets(ctx, q, viewer)
		if err != nil {
			return err
		}
		for _, query := range []string{inFiles, inPreviews} {
			for last := AttachmentID(0); ; {
				rows, err := q.Query(ctx, query, file[:], last, AccessPublic, publicChunk)
				if err != nil {
					return err
				}
				some, err := pgx.CollectRows(rows, scanAttached)
				if err != nil {
					return err
				}
				if len(some) == 0 {
					break
				}
				at, err := firstReadable(ctx, q, some, &Sets{}, sets)
				if err != nil {
					return err
				}
				if at >= 0 {
					found = some[at].file
					return nil
				}
				last = some[len(some)-1].id
			}
		}
		return ErrNotFound
	})
	return found, err
}

// firstReadable returns the index of the first file whose post or comment all of the viewers may
// read, or -1.
func firstReadable(ctx context.Context, q primary.Querier, files []attached, viewers ...*Sets) (int, error) {
	posts := make([]PostID, len(files))
	for i, f := range files {
		posts[i] = f.post
	}
	deciding, timelines, err := readAccessFacts(ctx, q, posts)
	if err != nil {
		return -1, err
	}
	known := func(id TimelineID) (Timeline, bool) {
		t, ok := timelines[id]
		return t, ok
	}
next:
	for i, f := range files {
		d, found := deciding[f.post]
		if !found {
			continue
		}
		for _, sets := range viewers {
			if _, banned := sets.Bans[f.owner]; banned || !sets.MayRead(d, known) {
				continue next
			}
		}
		return i, nil
	}
	return -1, nil
}
