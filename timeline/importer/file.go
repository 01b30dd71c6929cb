package importer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
)

// filesMost is how many lines of files one batch has at most. The lock of each file is held
// until the end of the transaction, and PostgreSQL has room for a few thousand locks.
const filesMost = 200

// Files writes the files of an import to the file store.
type Files interface {
	// Keep writes a file to the file store, and returns the file's name and size in bytes. path
	// is the path in the line: relative, with slashes. Keep returns a [FileError] for a file
	// that it refuses, and an error that is fs.ErrNotExist for a missing file.
	Keep(ctx context.Context, path string) (timeline.FileName, int64, error)
	// Kept reports whether the file store has a file.
	Kept(ctx context.Context, name timeline.FileName) (bool, error)
}

// A FileError is the reason why a file can't be imported, for people.
type FileError struct{ Reason string }

func (e *FileError) Error() string { return e.Reason }

// A keptFile is a file of the batch that the file store has.
type keptFile struct {
	name timeline.FileName
	size int64
}

// keepFiles writes the files of a batch to the file store, before the transaction begins:
// copying takes long, and no other writer should wait for it. Files that were imported
// before are left out.
func (w *writer) keepFiles(ctx context.Context, lines []*line) (map[*line]keptFile, error) {
	const query = `
		select what || ' ' || external_id from imported
		where source = $1 and what = any($2) and external_id = any($3)`
	var files []*line
	var ids []string
	for _, l := range lines {
		if l.kind == kindFile || l.kind == kindCommentFile {
			files, ids = append(files, l), append(ids, l.id)
		}
	}
	if len(files) == 0 {
		return nil, nil
	}
	rows, err := w.pool.Query(ctx, query, w.source, []string{kindFile.String(), kindCommentFile.String()}, ids)
	if err != nil {
		return nil, err
	}
	before, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	kept := make(map[*line]keptFile, len(files))
	for _, l := range files {
		if slices.Contains(before, l.kind.String()+" "+l.id) {
			continue
		}
		if w.files == nil {
			return nil, l.errorf("this import takes no files")
		}
		name, size, err := w.files.Keep(ctx, l.path)
		if refused, is := errors.AsType[*FileError](err); is {
			return nil, l.errorf("file %q: %s", l.path, refused.Reason)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil, l.errorf("there is no file %q", l.path)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: file %q: %w", l.number, l.path, err)
		}
		kept[l] = keptFile{name, size}
	}
	return kept, nil
}

// lockFiles locks the names of the batch's files, so that no sweep removes a file before its row
// is committed. All writers lock files first.
func (t *batchTx) lockFiles(ctx context.Context) error {
	var names []timeline.FileName
	for _, kept := range t.kept {
		names = append(names, kept.name)
	}
	if len(names) == 0 {
		return nil
	}
	return timeline.LockFiles(ctx, t.tx, t.files.Kept, names...)
}

// decideFile decides about a file of a post.
func (t *batchTx) decideFile(l *line, count *Count) error {
	p := t.posts[l.target]
	switch {
	case p == nil || p.line != nil && p.line.number > l.number:
		return l.errorf("no post %q comes before it", l.target)
	case p.gone:
		return t.skip(l, count)
	}
	t.addFile(file{line: l, owner: p.author, post: &p.id}, count)
	return nil
}

// decideCommentFile decides about a file of a comment.
func (t *batchTx) decideCommentFile(l *line, count *Count) error {
	c := t.comments[l.target]
	switch {
	case c == nil || c.line != nil && c.line.number > l.number:
		return l.errorf("no comment %q comes before it", l.target)
	case c.gone || c.post == nil || c.post.gone:
		return t.skip(l, count)
	}
	t.addFile(file{line: l, owner: c.author, comment: &c.id}, count)
	return nil
}

// A file is a new attachment of a post or of a comment.
type file struct {
	line    *line
	owner   timeline.UserID
	post    *timeline.PostID    // nil: it is of the comment
	comment *timeline.CommentID // nil: it is of the post
}

func (t *batchTx) addFile(f file, count *Count) {
	count.New++
	t.importedKeys[sourceKey{f.line.kind, f.line.external()}] = true
	t.pending.files = append(t.pending.files, f)
}

// writeFiles inserts the attachments, after the existing attachments of their posts and
// comments, and queues them for the server's workers.
func (t *batchTx) writeFiles(ctx context.Context) error {
	const draw = `select next_id(k.at) from unnest($1::timestamptz[]) with ordinality k(at, n) order by k.n`
	const insert = `
		insert into attachments (id, user_id, post_id, comment_id, position, file_name, alt, state, upload, size, created_at, due_at)
		select k.id, k.user_id, k.post_id, k.comment_id,
			(select coalesce(max(a.position) + 1, 0) from attachments a where a.post_id = k.post_id or a.comment_id = k.comment_id)
				+ row_number() over (partition by k.post_id, k.comment_id order by k.n) - 1,
			k.file_name, k.alt, 'queued', k.upload, k.size, k.at, now()
		from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::bytea[], $8::bigint[], $9::timestamptz[])
			with ordinality k(id, user_id, post_id, comment_id, file_name, alt, upload, size, at, n)`
	n := len(t.pending.files)
	if n == 0 {
		return nil
	}
	var (
		owners   = make([]timeline.UserID, n)
		posts    = make([]*timeline.PostID, n)
		comments = make([]*timeline.CommentID, n)
		names    = make([]string, n)
		alts     = make([]string, n)
		uploads  = make([][]byte, n)
		sizes    = make([]int64, n)
		times    = make([]time.Time, n)
	)
	for i, f := range t.pending.files {
		kept := t.kept[f.line]
		owners[i], posts[i], comments[i] = f.owner, f.post, f.comment
		names[i], alts[i], uploads[i], sizes[i], times[i] = path.Base(f.line.path), f.line.alt, kept.name[:], kept.size, f.line.at
	}
	rows, err := t.tx.Query(ctx, draw, times)
	if err != nil {
		return err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[timeline.AttachmentID])
	if err != nil {
		return err
	}
	for i, f := range t.pending.files {
		t.pending.markImported(f.line, int64(ids[i]))
	}
	_, err = t.tx.Exec(ctx, insert, ids, owners, posts, comments, names, alts, uploads, sizes, times)
	return err
}

// The limits of the texts of a file's line, in bytes and characters.
const (
	pathMost = 1000
	nameMost = 255
	altMost  = 1000
)

// localPath reports whether a path stays below its folder, and is written in the one canonical
// form.
func localPath(name string) bool {
	return fs.ValidPath(name) && name != "." && len(name) <= pathMost && len([]rune(path.Base(name))) <= nameMost &&
		!strings.ContainsFunc(name, func(c rune) bool { return c < ' ' || c == '\\' || c == 0x7f })
}
