package backup

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/migrations"
	"amstel.dev/amstel/timeline"
)

// Options are the settings of [Make].
type Options struct {
	Keep    int    // how many finished backups stay, with the new one; 0: all
	Version string // of the program
	Address string // the public address of the site; may be empty
	// Reached is called with the name of each point that the work reaches, so that a test can kill the process there. It
	// may be nil.
	Reached func(point string)

	lockWithin time.Duration // how long to wait for another backup of the site to end; 0: ten seconds
}

// The points at which [Options.Reached] is called. At each of them a process that dies leaves something half done.
const (
	pointSnapshot = "backup: snapshot" // the snapshot is taken, and nothing is written
	pointDumped   = "backup: dumped"   // the primary is dumped, and no file is copied
	pointCopied   = "backup: copied"   // some file is copied
	pointListed   = "backup: listed"   // all is there but the manifest
	pointFinished = "backup: finished" // the backup is finished, and no older one is removed
	pointRemoved  = "backup: removed"  // older backups are removed, and their files are still there
)

// A Report says what [Make] did.
type Report struct {
	Name        string
	Manifest    *Manifest
	Copied      int   // files that no earlier backup had
	CopiedBytes int64 // their size
	Unfinished  []string
	Removed     []string // the oldest backups, because of Options.Keep
	Unneeded    int      // files that were removed, because no backup names them any more
}

// lockKey is the key of the advisory lock in the primary that a process holds while it makes a backup, "backup" in
// ASCII. A bucket knows no locks.
const lockKey = 0x6261636b7570

// A maker is the state of Make.
type maker struct {
	Site
	Options
	to     Repository
	lock   *pgx.Conn
	report Report
}

// Make makes a backup of a site while the site serves, and then removes the oldest backups beyond Options.Keep.
func Make(ctx context.Context, from Site, to Repository, opts Options) (_ Report, err error) {
	if opts.Reached == nil {
		opts.Reached = func(string) {}
	}
	// PostgreSQL frees the lock of a process that died only after a moment.
	opts.lockWithin = cmp.Or(opts.lockWithin, 10*time.Second)
	m := &maker{Site: from, Options: opts, to: to}
	if m.lock, err = pgx.ConnectConfig(ctx, from.Pool.Config().ConnConfig); err != nil {
		return m.report, err
	}
	defer func() { err = errors.Join(err, m.lock.Close(context.WithoutCancel(ctx))) }() // frees the lock
	if _, err := m.lock.Exec(ctx, `select set_config('lock_timeout', $1, false)`, fmt.Sprint(max(1, opts.lockWithin.Milliseconds()))); err != nil {
		return m.report, err
	}
	if _, err := m.lock.Exec(ctx, `select pg_advisory_lock($1)`, int64(lockKey)); err != nil {
		return m.report, fmt.Errorf("another backup of this site is being made: %w", err)
	}
	earlier, err := m.prepare(ctx)
	if err != nil {
		return m.report, err
	}
	uses, err := m.dump(ctx)
	if err != nil {
		return m.report, err
	}
	if err := m.copyFiles(ctx, uses); err != nil {
		return m.report, err
	}
	m.Reached(pointListed)
	if err := m.report.Manifest.write(ctx, to, m.report.Name); err != nil {
		return m.report, err
	}
	m.Reached(pointFinished)
	return m.report, m.removeOld(ctx, earlier)
}

// prepare reads what the manifest says about the site, removes unfinished backups, and returns the names of the others.
func (m *maker) prepare(ctx context.Context) (earlier []string, err error) {
	manifest := &Manifest{Format: format, Version: m.Version, Address: m.Address}
	m.report.Manifest = manifest
	if manifest.Schema, err = migrations.Version(ctx, m.Pool); err != nil {
		return nil, err
	}
	if newest := migrations.Newest(); manifest.Schema != newest {
		return nil, fmt.Errorf("the database has schema %d, and this program has %d: make the backup with the program that serves the site", manifest.Schema, newest)
	}
	const site = `select convert_from(value, 'UTF8') from site where key = 'site_id'`
	if err := m.Pool.QueryRow(ctx, site).Scan(&manifest.Site); err != nil {
		return nil, fmt.Errorf("read the id of the site: %w", err)
	}
	if manifest.Postgres, err = m.major(ctx); err != nil {
		return nil, err
	}
	all, err := List(ctx, m.to)
	if err != nil {
		return nil, err
	}
	for _, b := range all {
		switch {
		case errors.Is(b.Err, ErrUnfinished):
			if err := m.to.Remove(ctx, b.Name); err != nil {
				return nil, err
			}
			m.report.Unfinished = append(m.report.Unfinished, b.Name)
		case b.Err != nil:
			return nil, b.Err
		case b.Manifest.Site != manifest.Site:
			return nil, fmt.Errorf("%s is a backup of another site: give each site a place of its own", b.Name)
		default:
			earlier = append(earlier, b.Name)
		}
	}
	return earlier, nil
}

// dump writes the primary in one snapshot. It returns the files that rows of the snapshot name, each with one of the
// rows in words.
func (m *maker) dump(ctx context.Context) (uses map[filestore.Name]string, err error) {
	program, err := newTool(ctx, m.Site, "pg_dump", m.report.Manifest.Postgres)
	if err != nil {
		return nil, err
	}
	tx, err := m.Pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, tx.Rollback(context.WithoutCancel(ctx))) }()
	var snapshot string
	if err := tx.QueryRow(ctx, `select pg_export_snapshot(), now()`).Scan(&snapshot, &m.report.Manifest.At); err != nil {
		return nil, err
	}
	m.report.Manifest.At = m.report.Manifest.At.UTC()
	if m.report.Name, err = m.name(ctx); err != nil {
		return nil, err
	}
	uses = map[filestore.Name]string{}
	if err := timeline.FileUses(ctx, tx, func(use timeline.FileUse) error {
		uses[filestore.Name(use.File)] = use.By
		return nil
	}); err != nil {
		return nil, fmt.Errorf("files that rows name: %w", err)
	}
	m.Reached(pointSnapshot)
	// A dump that breaks off must not become a part: the reader gets the error of the program in place of an end.
	out, in := io.Pipe()
	go func() { in.CloseWithError(program.run(ctx, nil, in, "--format=custom", "--snapshot="+snapshot)) }()
	m.report.Manifest.Dump, err = putSummed(ctx, m.to, m.report.Name, partDump, out)
	out.CloseWithError(err) // ends the program if nothing reads its output any more
	if err != nil {
		return nil, fmt.Errorf("dump the database: %w", err)
	}
	m.Reached(pointDumped)
	return uses, nil
}

// name returns the name of the new backup: its time, or, if there is a backup of this time or a later one, the second after it. So
// names are in the order in which the backups were made, even after a clock was set back.
func (m *maker) name(ctx context.Context) (string, error) {
	taken, err := m.to.Names(ctx)
	name := m.report.Manifest.At.Format(nameForm)
	if err != nil || len(taken) == 0 || taken[len(taken)-1] < name {
		return name, err
	}
	newest, err := time.Parse(nameForm, taken[len(taken)-1])
	return newest.Add(time.Second).Format(nameForm), err
}

// copyFiles copies the files that the repository does not have yet, and writes the list of all.
func (m *maker) copyFiles(ctx context.Context, uses map[filestore.Name]string) error {
	has, err := sizes(ctx, m.to.Files())
	if err != nil {
		return err
	}
	var mu sync.Mutex // guards missing and the report
	var missing []Missing
	names := slices.SortedFunc(maps.Keys(uses), func(a, b filestore.Name) int { return bytes.Compare(a[:], b[:]) })
	parts, copying := errgroup.WithContext(ctx)
	parts.SetLimit(filesAtOnce)
	for _, name := range names {
		if _, ok := has[name]; ok {
			continue
		}
		parts.Go(func() error {
			size, err := copyFile(copying, m.Files, m.to.Files(), name)
			mu.Lock()
			defer mu.Unlock()
			damaged := errors.Is(err, filestore.ErrDamaged)
			switch {
			case damaged || errors.Is(err, filestore.ErrNotFound):
				missing = append(missing, Missing{File: name.String(), By: uses[name], Damaged: damaged})
				return nil
			case err != nil:
				return fmt.Errorf("copy file %s: %w", name, err)
			}
			m.report.Copied++
			m.report.CopiedBytes += size
			m.Reached(pointCopied)
			return nil
		})
	}
	if err := parts.Wait(); err != nil {
		return err
	}
	if has, err = sizes(ctx, m.to.Files()); err != nil {
		return err
	}
	if err := m.noteMissing(ctx, missing); err != nil {
		return err
	}
	var list bytes.Buffer
	for _, name := range names {
		if size, ok := has[name]; ok {
			fmt.Fprintln(&list, name, size)
			m.report.Manifest.Files++
			m.report.Manifest.Bytes += size
		}
	}
	m.report.Manifest.List, err = putSummed(ctx, m.to, m.report.Name, partFiles, &list)
	return err
}

// noteMissing notes the files that could not be copied, and which of them no row names any more.
func (m *maker) noteMissing(ctx context.Context, missing []Missing) error {
	slices.SortFunc(missing, func(a, b Missing) int { return bytes.Compare([]byte(a.File), []byte(b.File)) })
	var files []timeline.FileName
	for _, one := range missing {
		name, err := filestore.ParseName(one.File)
		if err != nil {
			return err
		}
		files = append(files, timeline.FileName(name))
	}
	unneeded, err := timeline.New(m.Pool, timeline.Options{}).UnneededFiles(ctx, files)
	if err != nil {
		return err
	}
	for i := range missing {
		missing[i].Deleted = slices.ContainsFunc(unneeded, func(f timeline.FileName) bool { return hex.EncodeToString(f[:]) == missing[i].File })
	}
	m.report.Manifest.Missing = missing
	return nil
}

// removeOld removes the oldest backups, and the files of the repository that no backup names any more: of backups that were
// removed, now or by a run that died, and of unfinished ones.
func (m *maker) removeOld(ctx context.Context, earlier []string) error {
	// If the connection broke, its lock is gone, and another process may count on the files.
	if err := m.lock.Ping(ctx); err != nil {
		return fmt.Errorf("the backup is finished, but older ones are not removed: %w", err)
	}
	if excess := len(earlier) + 1 - m.Keep; m.Keep > 0 && excess > 0 {
		for _, name := range earlier[:excess] {
			if err := m.to.Remove(ctx, name); err != nil {
				return err
			}
			m.report.Removed = append(m.report.Removed, name)
		}
		earlier = earlier[excess:]
	}
	m.Reached(pointRemoved)
	unneeded, err := sizes(ctx, m.to.Files())
	if err != nil {
		return err
	}
	for _, name := range append(earlier, m.report.Name) {
		if err := eachFile(ctx, m.to, name, func(file filestore.Name, _ int64) error {
			delete(unneeded, file)
			return nil
		}); err != nil {
			return fmt.Errorf("read the list of files of %s, so that none of them is removed: %w", name, err)
		}
	}
	for file := range unneeded {
		if err := m.to.Files().Remove(ctx, file); err != nil {
			return err
		}
		m.report.Unneeded++
	}
	return nil
}
