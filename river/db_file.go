package river

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	_ "github.com/mattn/go-sqlite3" // the driver
)

// errRiverDB is wrapped by every error of the river DB. After such an error the
// river DB is replaced.
var errRiverDB = errors.New("river DB")

// schemaVersion is raised with every change of the schema, or of the JSON in its
// columns. A file with another version is deleted, as everything in it can be built
// again.
const schemaVersion = 17

const schema = `
create table node (
	one integer primary key check (one = 1), boot text not null, clean integer not null,
	cursor integer not null, nonce text not null, log_epoch text not null, position integer not null,
	counter integer not null, purged integer not null
) strict;
create table rivers (
	id integer primary key autoincrement, epoch text not null,
	user_id integer not null, what text not null, their_id integer not null, query text not null,
	sorted text not null, search text, gates text not null, constructed integer not null, finished integer not null,
	floor_at integer not null, floor_post integer not null,
	version integer not null, stale integer not null, again integer not null, swept_at integer not null, swept_post integer not null,
	changed integer not null, trimmed integer not null,
	reach integer not null, visited_at integer not null, created_at integer not null, updated_at integer not null,
	unique (user_id, what, their_id, query)
) strict;
create table rivers_timelines (
	river_id integer not null, timeline_id integer not null, primary key (river_id, timeline_id)
) strict, without rowid;
create table entries (
	river_id integer not null, post_id integer not null, version integer not null,
	text_folded text, likes_folded text, comments_folded text, attachments_folded text,
	per_river_folded text not null, fresh_at integer not null, updated_at integer not null,
	deleted integer not null, river_version integer not null, changed integer not null,
	primary key (river_id, post_id)
) strict, without rowid;
create table folds (
	post_id integer primary key, version integer not null,
	text_folded text not null, likes_folded text not null, comments_folded text not null, attachments_folded text not null,
	facts text not null, fresh_at integer not null, all_comments integer not null, changed integer not null
) strict;
create table comment_folds (
	post_id integer not null, comment_id integer not null, json text not null, changed integer not null,
	primary key (post_id, comment_id)
) strict, without rowid;
create table cards (
	what text not null, id integer not null, json text not null, changed integer not null, primary key (what, id)
) strict, without rowid;
create table timelines (
	id integer primary key, what text not null, their_id integer not null, access text not null, changed integer not null
) strict;
create table sets (user_id integer primary key, json text not null, changed integer not null) strict;
create table marks (
	river_id integer not null, post_id integer not null, primary key (river_id, post_id)
) strict, without rowid;
create table quarantine (post_id integer primary key) strict;
create table jobs (
	place integer primary key, kind text not null, timeline_id integer not null, since integer not null, at integer not null, at_post integer not null
) strict;
`

// A riverDB is the SQLite database with a copy of a node's rivers. Only the loop uses it.
type riverDB struct {
	path   string
	db     *sql.DB
	files  files
	ledger *ledger
	outRev int64 // the revision of the quarantine that was written last
	used   int64 // bytes of the pages in use; see db_shrink.go
}

// openRiverDB opens the river DB at a path, or creates one. It replaces a file that is damaged,
// has another schema, or was in use when the machine went down.
func openRiverDB(ctx context.Context, path string) (*riverDB, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return createRiverDB(ctx, path)
	}
	r := &riverDB{path: path}
	if err := r.open(ctx); err == nil {
		if r.usable(ctx) && r.startLedger(ctx) == nil {
			return r, nil
		}
		r.closeFiles()
	}
	return createRiverDB(ctx, path)
}

// removeRiverDB deletes a river DB's files.
func removeRiverDB(path string) error {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w: %w", errRiverDB, err)
		}
	}
	return nil
}

// createRiverDB creates a new river DB in place of any existing file.
func createRiverDB(ctx context.Context, path string) (*riverDB, error) {
	if err := removeRiverDB(path); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("%w: %w", errRiverDB, err)
	}
	// The file holds private posts, so it is created with mode 0600. SQLite gives
	// -wal and -shm the same mode.
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errRiverDB, err)
	}
	r := &riverDB{path: path}
	if err := r.open(ctx); err != nil {
		return nil, err
	}
	_, err = r.db.ExecContext(ctx, schema+fmt.Sprintf("pragma user_version = %d", schemaVersion))
	if err == nil {
		err = r.startLedger(ctx)
	}
	if err != nil {
		r.closeFiles() // a later turn tries again
		return nil, fmt.Errorf("%w: making it: %w", errRiverDB, err)
	}
	return r, nil
}

// fileOf returns the SQLite URI of a path. It escapes characters with a meaning in URIs, such as
// '#' and '%'.
func fileOf(path string) string { return "file:" + (&url.URL{Path: path}).EscapedPath() }

func (r *riverDB) open(ctx context.Context) error {
	db, err := sql.Open("sqlite3", fileOf(r.path)+"?_journal_mode=WAL&_synchronous=OFF&_busy_timeout=5000&_txlock=immediate&_cache_size=-16384&_auto_vacuum=incremental&_stmt_cache_size=64")
	if err != nil {
		return fmt.Errorf("%w: %w", errRiverDB, err)
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, `pragma wal_autocheckpoint = 0`); err != nil { // see [ledger]
		_ = db.Close()
		return fmt.Errorf("%w: %w", errRiverDB, err)
	}
	r.db = db
	if _, err := db.ExecContext(ctx, fmt.Sprintf(`pragma journal_size_limit = %d`, journalLimit)); err != nil {
		_ = db.Close()
		return fmt.Errorf("%w: %w", errRiverDB, err)
	}
	return nil
}

// usable reports whether the node can continue with the file.
func (r *riverDB) usable(ctx context.Context) bool {
	var version int
	if err := r.db.QueryRowContext(ctx, `pragma user_version`).Scan(&version); err != nil || version != schemaVersion {
		return false
	}
	var boot string
	var clean bool
	err := r.db.QueryRowContext(ctx, `select boot, clean from node`).Scan(&boot, &clean)
	if errors.Is(err, sql.ErrNoRows) {
		return true // the file was created but never written
	}
	if err != nil || !clean && boot != bootID() {
		return false
	}
	var check string
	return r.db.QueryRowContext(ctx, `pragma quick_check(1)`).Scan(&check) == nil && check == "ok"
}

// bootID returns Linux's id of the machine's present boot, or "" if the id is unknown.
func bootID() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
}

// startLedger opens the ledger, and records how the files are now.
func (r *riverDB) startLedger(ctx context.Context) (err error) {
	if r.ledger, err = openLedger(r.path, func() (int, int, error) { return r.checkpoint(ctx) }); err != nil {
		return fmt.Errorf("%w: %w", errRiverDB, err)
	}
	return r.recordFiles(ctx)
}

// checkpoint copies as many frames as possible from the journal to the database. It
// returns how many frames the journal has, and how many of these are copied.
func (r *riverDB) checkpoint(ctx context.Context) (frames, copied int, err error) {
	var busy int
	err = r.db.QueryRowContext(ctx, `pragma wal_checkpoint(passive)`).Scan(&busy, &frames, &copied)
	return max(frames, 0), max(copied, 0), err
}

// closeFiles closes files that are no longer used.
func (r *riverDB) closeFiles() {
	_ = r.db.Close() // an error does not matter: the file is deleted or replaced
	if r.ledger != nil {
		r.ledger.close()
	}
}

// recordFiles records the state of the files after a write by this process, so that
// [riverDB.checkIntact] notices changes by other programs.
func (r *riverDB) recordFiles(ctx context.Context) error {
	err := r.ledger.read()
	if err == nil && len(r.ledger.frames)-r.ledger.copied >= checkpointAt {
		var frames, copied int
		if frames, copied, err = r.checkpoint(ctx); err == nil {
			err = r.ledger.markCopied(frames, copied)
		}
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errRiverDB, err)
	}
	files, err := statFiles(r.path)
	if err != nil {
		return fmt.Errorf("%w: %w", errRiverDB, err)
	}
	// Open files keep their inodes. Another inode at the same path means that the
	// file was replaced.
	if was := r.files; was.main.inode != 0 && !was.same(files) {
		return fmt.Errorf("%w: %w: the file was replaced", errRiverDB, errForeignWrite)
	}
	r.files = files
	return nil
}

// same reports whether now describes the same files by inode. A file that did not
// exist before may exist now.
func (f files) same(now files) bool {
	return f.main.inode == now.main.inode && (f.wal.inode == 0 || f.wal.inode == now.wal.inode) && (f.shm == 0 || f.shm == now.shm)
}

// checkIntact returns an error if another process has changed the files since they
// were recorded, as far as is known: each turn compares only a part of a large
// file. SQLite itself does not notice such changes to open files.
func (r *riverDB) checkIntact() error {
	files, err := statFiles(r.path)
	if err != nil {
		return fmt.Errorf("%w: %w", errRiverDB, err)
	}
	if files != r.files {
		return fmt.Errorf("%w: %w", errRiverDB, errForeignWrite)
	}
	return r.compare(pagesATurn)
}

// compare compares up to most pages of each file with the hashes of the pages
// written.
func (r *riverDB) compare(most int) error {
	if err := r.ledger.compare(most); err != nil {
		return fmt.Errorf("%w: %w", errRiverDB, err)
	}
	return nil
}

// files describes a river DB's files: the database and its journal. Of the
// journal's index (-shm) it has only the inode, as readers write to the index too.
type files struct {
	main, wal file
	shm       uint64
}

type file struct {
	inode  uint64
	size   int64
	change time.Time
}

func statFiles(path string) (f files, err error) {
	if f.main, err = statFile(path); err != nil {
		return files{}, err
	}
	if f.wal, err = statFile(path + "-wal"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return files{}, err
	}
	shm, err := statFile(path + "-shm")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return files{}, err
	}
	f.shm = shm.inode
	return f, nil
}

func statFile(path string) (file, error) {
	info, err := os.Stat(path)
	if err != nil {
		return file{}, err
	}
	f := file{size: info.Size(), change: info.ModTime()}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		f.inode = stat.Ino
	}
	return f, nil
}

// recreate replaces the file by a new one.
func (r *riverDB) recreate(ctx context.Context) (*riverDB, error) {
	r.closeFiles()
	return createRiverDB(ctx, r.path)
}

// discard deletes the file, which may have filled its disk.
func (r *riverDB) discard() {
	r.closeFiles()
	_ = removeRiverDB(r.path) // the creation of the next file reports the error
}

// close closes the file. If clean is set, close first makes the last state durable, so that the
// file survives a crash of the machine.
func (r *riverDB) close(clean bool) error {
	defer r.ledger.close()
	if clean {
		if _, err := r.db.Exec(`update node set clean = 1`); err != nil {
			_ = r.db.Close()
			return fmt.Errorf("%w: %w", errRiverDB, err)
		}
		if _, err := r.db.Exec(`pragma wal_checkpoint(truncate)`); err != nil {
			_ = r.db.Close()
			return fmt.Errorf("%w: %w", errRiverDB, err)
		}
	}
	if err := r.db.Close(); err != nil {
		return fmt.Errorf("%w: %w", errRiverDB, err)
	}
	return nil
}
