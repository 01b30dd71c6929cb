package backup

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/migrations"
)

// ErrNotEmpty reports that a backup can't be restored into a database, because the database has tables.
var ErrNotEmpty = errors.New("the database is not empty")

// A FaultyError reports a backup that can't be restored, because parts of it are missing or damaged.
type FaultyError struct {
	Name   string
	Faults int
	First  string
}

func (e *FaultyError) Error() string {
	return fmt.Sprintf("%s is damaged, and nothing was restored; %d faults, the first: %s", e.Name, e.Faults, e.First)
}

// Restore restores a backup into an empty database and a file store. It reads the whole backup and compares it with its
// checksums before it writes anything. The files come first, and the database comes in one transaction: until it is
// committed the database is empty, and Restore can be called again.
func Restore(ctx context.Context, to Site, from Repository, name string) (*Manifest, error) {
	m, err := Read(ctx, from, name)
	if err != nil {
		return nil, fmt.Errorf("backup %s: %w", name, err)
	}
	if newest := migrations.Newest(); m.Schema > newest {
		return nil, fmt.Errorf("%s was made by a newer program, with schema %d, and this one has %d: use amstel %s or later", name, m.Schema, newest, m.Version)
	}
	if empty, err := isEmpty(ctx, to); err != nil {
		return nil, err
	} else if !empty {
		return nil, ErrNotEmpty
	}
	major, err := to.major(ctx)
	if err != nil {
		return nil, err
	}
	// A dump by pg_dump of a version is read by pg_restore of the same version or a later one.
	program, err := newTool(ctx, to, "pg_restore", max(major, m.Postgres))
	if err != nil {
		return nil, err
	}
	first := ""
	faults, err := Verify(ctx, from, name, m, func(line string) {
		if first == "" {
			first = line
		}
	})
	if err != nil {
		return nil, err
	}
	if faults > 0 {
		return nil, &FaultyError{name, faults, first}
	}
	if err := restoreFiles(ctx, to.Files, from, name); err != nil {
		return nil, err
	}
	if err := restoreDump(ctx, to, program, from, name); err != nil {
		return nil, fmt.Errorf("restore the database: %w", err)
	}
	if err := settle(ctx, to); err != nil {
		return nil, fmt.Errorf("the site is restored, but its first start will be slower, and migrates it: %w", err)
	}
	return m, nil
}

// isEmpty reports whether a database has no tables, views and sequences but those of extensions.
func isEmpty(ctx context.Context, s Site) (empty bool, err error) {
	const query = `
		select not exists (
			select from pg_class c join pg_namespace n on n.oid = c.relnamespace
			where n.nspname <> 'information_schema' and n.nspname not like 'pg\_%'
				and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'))`
	err = s.Pool.QueryRow(ctx, query).Scan(&empty)
	return empty, err
}

// restoreFiles copies the files of a backup that a file store does not have.
func restoreFiles(ctx context.Context, to filestore.Store, from Repository, name string) error {
	has, err := sizes(ctx, to)
	if err != nil {
		return err
	}
	parts, copying := errgroup.WithContext(ctx)
	parts.SetLimit(filesAtOnce)
	err = eachFile(ctx, from, name, func(file filestore.Name, _ int64) error {
		if _, ok := has[file]; ok {
			return nil
		}
		parts.Go(func() error {
			if _, err := copyFile(copying, from.Files(), to, file); err != nil {
				return fmt.Errorf("restore file %s: %w", file, err)
			}
			return nil
		})
		return copying.Err()
	})
	return cmp.Or(parts.Wait(), err)
}

// restoreDump restores the database.
func restoreDump(ctx context.Context, to Site, program *tool, from Repository, name string) (err error) {
	dump, err := from.Open(ctx, name, partDump)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dump.Close()) }()
	return program.run(ctx, dump, nil, "--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges",
		"--dbname="+to.Pool.Config().ConnConfig.Database)
}

// settle begins a new life of the change log, because a node that followed the site before the loss may know changes that the
// backup lacks. Then it migrates the database, and collects the statistics that a dump lacks.
func settle(ctx context.Context, s Site) error {
	if _, err := s.Pool.Exec(ctx, `update log_head set uuid = gen_random_uuid()`); err != nil {
		return err
	}
	if err := migrations.Up(ctx, s.Pool); err != nil {
		return err
	}
	_, err := s.Pool.Exec(ctx, `vacuum (analyze)`)
	return err
}
