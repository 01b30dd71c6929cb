package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
)

// filesMost is the number of files that ends a batch. The batch holds a lock for each file until its
// transaction ends, and PostgreSQL has room for a few thousand locks.
const filesMost = 200

// Files writes the files of an import to the file store.
type Files interface {
	// Keep writes a file to the file store, and returns the file's name and size in bytes. path
	// is the path in the line: relative, with slashes. The error is a [FileError] for a file that
	// Keep refuses, and fs.ErrNotExist for a missing file.
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

// files returns the paths of the files that a line names and the import takes: the upload of an
// attachment. With restore, these are all renditions of the attachment, if the line has them, and the
// avatar and cover of an account.
func (l *line) files(restore bool) (paths []string) {
	switch l.kind {
	case kindFile, kindCommentFile:
		if renditions := l.list("renditions"); restore && len(renditions) > 0 {
			for _, text := range renditions {
				r, _ := parseRendition(text) // checkValues has checked the form
				paths = append(paths, r.path)
			}
			return paths
		}
		return []string{l.path}
	case kindUser, kindGroup:
		if !restore {
			return nil
		}
		for _, key := range pictureKeys {
			if path := l.value(key); path != "" {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// keepFiles writes the files of a batch to the file store. It runs before the transaction begins,
// because copying takes long, and other writers would wait for the transaction. It leaves out files
// that were imported before.
func (w *writer) keepFiles(ctx context.Context, lines []*line) (map[*line][]keptFile, error) {
	const query = `
		select what || ' ' || external_id from imported
		where source = $1 and what = any($2) and external_id = any($3)
		union all
		select what || ' ' || name from names where name = any($3)`
	var files []*line
	var ids []string
	for _, l := range lines {
		if len(l.files(w.restore)) > 0 {
			files, ids = append(files, l), append(ids, l.external())
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
	kept := make(map[*line][]keptFile, len(files))
	for _, l := range files {
		if slices.Contains(before, l.kind.String()+" "+l.external()) {
			continue
		}
		if w.files == nil {
			return nil, l.errorf("this import takes no files")
		}
		for _, path := range l.files(w.restore) {
			name, size, err := w.files.Keep(ctx, path)
			if refused, is := errors.AsType[*FileError](err); is {
				return nil, l.errorf("file %q: %s", path, refused.Reason)
			}
			if errors.Is(err, fs.ErrNotExist) {
				return nil, l.errorf("there is no file %q", path)
			}
			if err != nil {
				return nil, fmt.Errorf("line %d: file %q: %w", l.number, path, err)
			}
			kept[l] = append(kept[l], keptFile{name, size})
		}
	}
	return kept, nil
}

// lockFiles locks the names of the batch's files, so that no sweep removes a file before its row
// is committed. All writers lock files first.
func (t *batchTx) lockFiles(ctx context.Context) error {
	var names []timeline.FileName
	for _, files := range t.kept {
		for _, kept := range files {
			names = append(names, kept.name)
		}
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
	post    *timeline.PostID    // nil: the file belongs to the comment
	comment *timeline.CommentID // nil: the file belongs to the post
}

func (t *batchTx) addFile(f file, count *Count) {
	count.New++
	t.importedKeys[sourceKey{f.line.kind, f.line.external()}] = true
	t.pending.files = append(t.pending.files, f)
}

// writeFiles inserts the new attachments. They come after the attachments that their posts and
// comments have already. An attachment is queued for the workers of the server, unless it is restored
// with its renditions: then it is ready.
func (t *batchTx) writeFiles(ctx context.Context) error {
	const insert = `
		insert into attachments (id, user_id, post_id, comment_id, position, file_name, alt, state, upload, size, created_at, due_at, kind, media_type, frames)
		select k.id, k.user_id, k.post_id, k.comment_id,
			(select coalesce(max(a.position) + 1, 0) from attachments a where a.post_id = k.post_id or a.comment_id = k.comment_id)
				+ row_number() over (partition by k.post_id, k.comment_id order by k.n) - 1,
			k.file_name, k.alt, case when k.upload is null then 'ready' else 'queued' end, k.upload, k.size, k.at, now(), k.kind, k.media_type, k.frames
		from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::bytea[], $8::bigint[], $9::timestamptz[],
			$10::text[], $11::text[], $12::int[])
			with ordinality k(id, user_id, post_id, comment_id, file_name, alt, upload, size, at, kind, media_type, frames, n)`
	const renditions = `
		insert into renditions (attachment_id, name, file, media_type, size, width, height)
		select * from unnest($1::bigint[], $2::text[], $3::bytea[], $4::text[], $5::bigint[], $6::int[], $7::int[])`
	const kinds = `
		update post_words w set words = w.words || array_to_tsvector(f.kinds)
		from (
			select a.post_id, array_agg(distinct '@' || a.kind) kinds from attachments a
			where a.id = any($1) and a.post_id is not null and a.state = 'ready' group by 1
		) f
		where w.post_id = f.post_id`
	n := len(t.pending.files)
	if n == 0 {
		return nil
	}
	ids := make(map[*line]int64, n)
	lines := make([]*line, n)
	for i, f := range t.pending.files {
		lines[i] = f.line
	}
	if err := t.drawIDs(ctx, lines, func(l *line, id int64) { ids[l] = id }); err != nil {
		return err
	}
	var (
		all        = make([]int64, n)
		owners     = make([]timeline.UserID, n)
		posts      = make([]*timeline.PostID, n)
		comments   = make([]*timeline.CommentID, n)
		names      = make([]string, n)
		alts       = make([]string, n)
		uploads    = make([][]byte, n)
		sizes      = make([]int64, n)
		times      = make([]time.Time, n)
		whats      = make([]string, n)
		mediaTypes = make([]string, n)
		frames     = make([]int, n)
		made       renditionRows
	)
	for i, f := range t.pending.files {
		l, kept := f.line, t.kept[f.line]
		if len(kept) == 0 { // keepFiles found the file imported before, so it kept no file
			kept = make([]keptFile, max(1, len(l.list("renditions"))))
		}
		all[i], owners[i], posts[i], comments[i] = ids[l], f.owner, f.post, f.comment
		names[i], alts[i], sizes[i], times[i] = cmp.Or(l.prose("file_name"), path.Base(l.path)), l.alt, kept[0].size, l.at
		whats[i], frames[i] = "image", 1
		t.pending.markImported(l, ids[l])
		if t.restore && len(l.list("renditions")) > 0 {
			whats[i], mediaTypes[i], frames[i] = cmp.Or(l.value("kind"), "file"), l.value("media_type"), l.number32("frames", 1)
			sizes[i] = made.add(ids[l], l, kept)
		} else {
			uploads[i] = kept[0].name[:]
		}
	}
	var b pgx.Batch
	b.Queue(insert, all, owners, posts, comments, names, alts, uploads, sizes, times, whats, mediaTypes, frames)
	if len(made.files) > 0 {
		b.Queue(renditions, made.of, made.names, made.files, made.mediaTypes, made.sizes, made.widths, made.heights)
		b.Queue(kinds, all)
	}
	return t.tx.SendBatch(ctx, &b).Close()
}

// renditionRows are the columns of new renditions.
type renditionRows struct {
	of              []int64
	names           []string
	files           [][]byte
	mediaTypes      []string
	sizes           []int64
	widths, heights []int
}

// add adds the renditions of a line, and returns the size of the original.
func (r *renditionRows) add(id int64, l *line, kept []keptFile) (size int64) {
	for i, text := range l.list("renditions") {
		one, _ := parseRendition(text) // checkValues has checked the form
		r.of, r.names, r.files = append(r.of, id), append(r.names, one.name), append(r.files, kept[i].name[:])
		r.mediaTypes, r.sizes = append(r.mediaTypes, one.mediaType), append(r.sizes, kept[i].size)
		r.widths, r.heights = append(r.widths, one.width), append(r.heights, one.height)
		if one.name == "original" {
			size = kept[i].size
		}
	}
	return size
}

// pictureKeys are the keys of the avatar and the cover of an account, the small file of each before
// the large one.
var pictureKeys = []string{"avatar", "avatar_large", "cover", "cover_large"}

// writePictures inserts the avatars and covers of new accounts, if they are restored.
func (t *batchTx) writePictures(ctx context.Context) error {
	const insert = `
		insert into account_pictures (user_id, group_id, role, small, large) values (nullif($1, 0), nullif($2, 0), $3, $4, $5) on conflict do nothing`
	var b pgx.Batch
	for _, l := range t.lines {
		if l.kind != kindUser && l.kind != kindGroup || len(t.kept[l]) == 0 || t.members[l.name].line != l.number {
			continue
		}
		m := t.members[l.name]
		files := make(map[string]keptFile)
		for i, key := range slices.DeleteFunc(slices.Clone(pictureKeys), func(key string) bool { return l.value(key) == "" }) {
			files[key] = t.kept[l][i]
		}
		for _, role := range []timeline.PictureRole{timeline.Avatar, timeline.Cover} {
			small, there := files[string(role)]
			large, both := files[string(role)+"_large"]
			if !there || !both {
				continue
			}
			table := "users"
			if m.group != 0 {
				table = "groups"
			}
			b.Queue(insert, int64(m.user), int64(m.group), role, small.name[:], large.name[:])
			b.Queue(`update `+table+` set `+string(role)+`_url = $2 where id = $1`, int64(m.user)+int64(m.group), timeline.PictureAddress(role, small.name))
		}
	}
	if b.Len() == 0 {
		return nil
	}
	return t.tx.SendBatch(ctx, &b).Close()
}

// A rendition is one of the files of an attachment in the form of lines: its name, its path, its
// width and height in pixels, and its media type. Example: "thumb files/ab.jpg 100 80 image/jpeg".
type rendition struct {
	name, path, mediaType string
	width, height         int
}

// parseRendition reads a rendition in the form of lines.
func parseRendition(text string) (r rendition, err error) {
	parts := strings.SplitN(text, " ", 5)
	bad := fmt.Errorf("bad rendition %q: name, path, width, height and media type are wanted", text)
	if len(parts) != 5 {
		return r, bad
	}
	r.name, r.path, r.mediaType = parts[0], parts[1], parts[4]
	width, err := strconv.ParseInt(parts[2], 10, 32)
	if err != nil {
		return r, bad
	}
	height, err := strconv.ParseInt(parts[3], 10, 32)
	if err != nil || width < 0 || height < 0 || !localPath(r.path) || path.Ext(r.path) == "." ||
		!slices.Contains([]string{"original", "medium", "thumb", "grid", "grid2x"}, r.name) {
		return r, bad
	}
	r.width, r.height = int(width), int(height)
	return r, nil
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
