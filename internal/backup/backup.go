package backup

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/filestore"
)

// A Site is what a backup is made of, and what a restore writes.
type Site struct {
	Pool     *pgxpool.Pool
	URL      string // the address of the primary, for the programs of PostgreSQL
	Files    filestore.Store
	Programs string // the folder with pg_dump and pg_restore; empty: PATH and the usual places
}

// major returns the major version of the primary.
func (s Site) major(ctx context.Context) (major int, err error) {
	err = s.Pool.QueryRow(ctx, `select current_setting('server_version_num')::int / 10000`).Scan(&major)
	return major, err
}

// A Backup is one backup of a repository.
type Backup struct {
	Name     string
	Manifest *Manifest // nil if the backup is not finished
	Err      error     // why the manifest can't be used; [ErrUnfinished] if there is none
}

// List returns all backups of a repository, the oldest first.
func List(ctx context.Context, in Repository) ([]Backup, error) {
	names, err := in.Names(ctx)
	if err != nil {
		return nil, err
	}
	var all []Backup
	for _, name := range names {
		m, err := Read(ctx, in, name)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		all = append(all, Backup{name, m, err})
	}
	return all, nil
}

// filesAtOnce is how many files are copied or read at the same time.
const filesAtOnce = 4

// eachFile calls yield with each file of a backup, and its size.
func eachFile(ctx context.Context, in Repository, name string, yield func(filestore.Name, int64) error) (err error) {
	list, err := in.Open(ctx, name, partFiles)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, list.Close()) }()
	return readList(list, yield)
}

// readList reads the text of a list of files: a line for each, with the name and the size of the file.
func readList(list io.Reader, yield func(filestore.Name, int64) error) error {
	lines := bufio.NewScanner(list)
	for n := 1; lines.Scan(); n++ {
		text, digits, _ := strings.Cut(lines.Text(), " ")
		file, err := filestore.ParseName(text)
		size, sizeErr := strconv.ParseInt(digits, 10, 64)
		if err := cmp.Or(err, sizeErr); err != nil {
			return fmt.Errorf("line %d of the list of files: %w", n, err)
		}
		if err := yield(file, size); err != nil {
			return err
		}
	}
	return lines.Err()
}

// sizes returns the sizes of all files of a store.
func sizes(ctx context.Context, store filestore.Store) (map[filestore.Name]int64, error) {
	has := map[filestore.Name]int64{}
	for info, err := range store.List(ctx) {
		if err != nil {
			return nil, err
		}
		has[info.Name] = info.Size
	}
	return has, nil
}

// copyFile copies a file from one store to another, and returns its size. It returns [filestore.ErrNotFound] for a
// missing file, and [filestore.ErrDamaged] for one whose bytes do not match its name; the second store does not get it.
func copyFile(ctx context.Context, from, to filestore.Store, name filestore.Name) (size int64, err error) {
	file, err := from.Open(ctx, name)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := to.Put(ctx, file, anySize)
	if err == nil && info.Name != name {
		return 0, errors.Join(fmt.Errorf("%w: %s", filestore.ErrDamaged, name), to.Remove(ctx, info.Name))
	}
	return info.Size, err
}

// anySize is a limit for files that the site accepted before.
const anySize = 1 << 62
