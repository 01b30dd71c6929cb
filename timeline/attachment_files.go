package timeline

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// Two transactions meet at the advisory lock of a file's name: a writer of a row that names the
// file, and the sweep that removes files without rows.
//
//   - A writer puts the file. Then the writer takes the lock, looks whether the file exists, and
//     commits the row. If the file is gone, the writer begins again.
//   - The sweep takes the lock, looks whether a row names the file, and removes the file
//     before it commits.
//
// So the second of the two sees the work of the first.

// ErrFileGone reports that a row could not name a file, because a sweep had removed the file
// from the file store before the row was committed. The caller stores the file again.
var ErrFileGone = errors.New("the file store has the file no more")

// Kept reports whether the file store has a file.
type Kept func(context.Context, FileName) (bool, error)

// filesLock is the first half of the key of a file's advisory lock, "file" in ASCII. The second
// half is the beginning of the file's name. Two files whose names begin alike share a lock, which
// costs one of their writers a wait and nothing else.
const filesLock = 0x66696c65

// LockFiles locks the names of files until the transaction ends. It returns [ErrFileGone] if
// kept reports that a file is missing. LockFiles is exported for package importer.
func LockFiles(ctx context.Context, tx primary.Querier, kept Kept, files ...FileName) error {
	const lock = `select pg_advisory_xact_lock($1, $2)`
	key := func(f FileName) int32 { return int32(binary.BigEndian.Uint32(f[:])) }
	// All transactions take the locks in the same order, so two of them never wait for each other.
	files = slices.SortedFunc(slices.Values(files), func(a, b FileName) int { return cmp.Compare(key(a), key(b)) })
	for _, file := range files {
		if _, err := tx.Exec(ctx, lock, int32(filesLock), key(file)); err != nil {
			return err
		}
	}
	for _, file := range files {
		if is, err := kept(ctx, file); err != nil {
			return fmt.Errorf("look for file %s: %w", file, err)
		} else if !is {
			return fmt.Errorf("file %s: %w", file, ErrFileGone)
		}
	}
	return nil
}

// unneeded is the query of the files among $1 that no row names.
const unneeded = `
	select f from unnest($1::bytea[]) f
	where not exists (select from renditions where file = f) and not exists (select from attachments where upload = f)
		and not exists (select from account_pictures where small = f) and not exists (select from account_pictures where large = f)
		and not exists (select from previews where picture = f) and not exists (select from exports where file = f)`

// UnneededFiles returns the files, among the given ones, that no attachment, avatar, cover,
// preview or export names. A row may name one of them a moment later; [Store.RemoveFile] looks
// again, under a lock.
func (s *Store) UnneededFiles(ctx context.Context, files []FileName) (none []FileName, err error) {
	defer primary.Wrap(&err, "look for unneeded files among %d", len(files))
	names := make([][]byte, len(files))
	for i := range files {
		names[i] = files[i][:]
	}
	var found [][]byte
	if err := primary.Read(ctx, s.db.Pool, &found, unneeded, names); err != nil {
		return nil, err
	}
	for _, name := range found {
		none = append(none, FileName(name))
	}
	return none, nil
}

// RemoveFile calls remove if no row names the file, and lets no row name the file until remove has
// returned. It reports whether remove was called and succeeded. RemoveFile may be called again
// after remove failed.
func (s *Store) RemoveFile(ctx context.Context, file FileName, remove func(context.Context) error) (removed bool, err error) {
	defer primary.Wrap(&err, "remove file %s", file)
	err = s.write(ctx, func(tx *txn) error {
		removed = false
		if err := LockFiles(ctx, tx, func(context.Context, FileName) (bool, error) { return true, nil }, file); err != nil {
			return err
		}
		var free [][]byte
		if err := primary.Read(ctx, tx, &free, unneeded, [][]byte{file[:]}); err != nil || len(free) == 0 {
			return err
		}
		removed = true
		return remove(ctx)
	})
	return removed && err == nil, err
}

// A FileUse is a file that a row names.
type FileUse struct {
	File FileName
	By   string // the owner of the row, in words for people: "attachment 7 as thumb"
}

// FileUses calls yield for each file that a row names, once for each such row. If yield returns
// an error, FileUses stops and returns the error.
func (s *Store) FileUses(ctx context.Context, yield func(FileUse) error) (err error) {
	defer primary.Wrap(&err, "files that rows name")
	return FileUses(ctx, s.db.Pool, yield)
}

// FileUses is [Store.FileUses] in a transaction of the caller. It is exported for package backup.
func FileUses(ctx context.Context, tx primary.Querier, yield func(FileUse) error) error {
	const query = `
		select file, format('attachment %s as %s', attachment_id, name) from renditions
		union all
		select upload, format('attachment %s as upload', id) from attachments where upload is not null
		union all
		select file, format('export %s', id) from exports where file is not null
		union all
		select picture, format('preview %s as picture', id) from previews where picture is not null
		union all
		select f.file, format('%s as %s of the %s', coalesce('user ' || a.user_id, 'group ' || a.group_id), f.size, a.role)
		from account_pictures a
		cross join lateral (values (a.small, 'small file'), (a.large, 'large file')) f(file, size)`
	rows, err := tx.Query(ctx, query)
	if err != nil {
		return err
	}
	var name []byte
	var use FileUse
	_, err = pgx.ForEachRow(rows, []any{&name, &use.By}, func() error {
		use.File = FileName(name)
		return yield(use)
	})
	return err
}
