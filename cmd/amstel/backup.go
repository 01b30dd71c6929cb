package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"amstel.dev/amstel/internal/backup"
	"amstel.dev/amstel/internal/filestore"
)

// A repositoryPlace holds the flags for the S3 server of a repository of backups. They are flags of their own, because a backup
// beside the files that it is for, with the keys that can delete both, is lost together with them.
type repositoryPlace struct {
	BackupS3Endpoint  string `name:"backup-s3-endpoint" env:"AMSTEL_BACKUP_S3_ENDPOINT" placeholder:"ADDRESS" help:"S3-compatible server of the backups, such as https://s3.eu-central-1.amazonaws.com (for a repository s3://BUCKET/PREFIX)."`
	BackupS3Region    string `name:"backup-s3-region" env:"AMSTEL_BACKUP_S3_REGION" placeholder:"NAME" help:"Region of this server (us-east-1)."`
	BackupS3AccessKey string `name:"backup-s3-access-key" env:"AMSTEL_BACKUP_S3_ACCESS_KEY" placeholder:"KEY" help:"Access key for the bucket of the backups."`
	BackupS3SecretKey string `name:"backup-s3-secret-key" env:"AMSTEL_BACKUP_S3_SECRET_KEY" placeholder:"SECRET" help:"Secret key for the bucket of the backups. Give it by its environment variable: other users of the machine can read flags."`
}

// s3Scheme begins the address of a repository in a bucket.
const s3Scheme = "s3://"

// openRepository opens the repository at a place: a folder, or s3://BUCKET/PREFIX. If create is set, a missing folder is made.
func (p repositoryPlace) openRepository(ctx context.Context, place string, create bool) (backup.Repository, error) {
	address, ok := strings.CutPrefix(place, s3Scheme)
	if !ok {
		in, err := backup.OpenFolder(place, create)
		if err != nil {
			return nil, &settingError{err.Error()}
		}
		return in, nil
	}
	bucket, prefix, _ := strings.Cut(address, "/")
	if bucket == "" || p.BackupS3Endpoint == "" {
		return nil, &settingError{"backups on an S3 server need --backup-s3-endpoint and a place as s3://BUCKET/PREFIX"}
	}
	return backup.OpenS3(ctx, filestore.S3Options{
		Endpoint: p.BackupS3Endpoint, Bucket: bucket, Prefix: prefix, Region: p.BackupS3Region, AccessKey: p.BackupS3AccessKey, SecretKey: p.BackupS3SecretKey,
	})
}

type backupCmd struct {
	primary
	filePlace
	repositoryPlace
	To   string `required:"" placeholder:"PLACE" help:"Repository of the backups of this site: a folder, or s3://BUCKET/PREFIX. A missing folder is made. Other users of the machine can't read it."`
	Keep int    `placeholder:"N" help:"After this backup, remove the oldest ones beyond N. Without this flag, all stay."`
	URL  string `placeholder:"ADDRESS" help:"Public address of the site, noted in the backup (the address of the last amstel serve in --data)."`
}

// Validate returns an error for a negative number of backups, and if the flags name two places for uploaded files.
func (c *backupCmd) Validate() error {
	if c.Keep < 0 {
		return errors.New("--keep must be 1 or more")
	}
	return c.filePlace.Validate()
}

// errIncomplete reports a finished backup that lacks files, because the site lacks them too.
var errIncomplete = errors.New("the backup is finished, but uploaded files are missing or damaged on the site: amstel check lists them")

// Run makes a backup.
func (c *backupCmd) Run(ctx context.Context, to streams) (err error) {
	repository, err := c.openRepository(ctx, c.To, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, repository.Close()) }()
	db, err := c.connect(ctx, to)
	if err != nil {
		return err
	}
	defer db.close(&err)
	files, err := c.openFiles(ctx, c.Data)
	if err != nil {
		return fmt.Errorf("open the uploaded files: %w", err)
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	address := c.URL
	if address == "" {
		_, address = readServing(c.Data)
	}
	from := backup.Site{Pool: db.pool, URL: db.url, Files: files, Programs: c.PostgresBin}
	report, err := backup.Make(ctx, from, repository, backup.Options{Keep: c.Keep, Version: versionName(), Address: address, Reached: reached})
	for _, name := range report.Unfinished {
		to.notice(fmt.Sprintf("The unfinished backup %s was removed.", name))
	}
	if err != nil {
		return err
	}
	m, lost := report.Manifest, false
	for _, missing := range m.Missing {
		lost = lost || !missing.Deleted
		to.notice(missing.String())
	}
	_, err = fmt.Fprintf(to.out, "%s: database %s, %d files of %s; %d new files of %s copied; %d old backups and %d unneeded files removed\n",
		report.Name, byteSize(m.Dump.Size), m.Files, byteSize(m.Bytes), report.Copied, byteSize(report.CopiedBytes), len(report.Removed), report.Unneeded)
	if err == nil && lost {
		err = errIncomplete
	}
	return err
}

type backupsCmd struct {
	repositoryPlace
	In     string `required:"" placeholder:"PLACE" help:"Repository of the backups: a folder, or s3://BUCKET/PREFIX."`
	Verify string `placeholder:"NAME" help:"Read this backup with all its files, and compare it with its checksums. Exit with 1 if it is damaged."`
}

// Run lists the backups of a repository, or verifies one of them.
func (c *backupsCmd) Run(ctx context.Context, to streams) (err error) {
	repository, err := c.openRepository(ctx, c.In, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, repository.Close()) }()
	if c.Verify != "" {
		return verifyBackup(ctx, repository, c.Verify, to)
	}
	all, err := backup.List(ctx, repository)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		to.notice(fmt.Sprintf("There are no backups in %s.", c.In))
	}
	for _, b := range all {
		line := b.Name + ": "
		if m := b.Manifest; m == nil {
			line += b.Err.Error()
		} else {
			line += fmt.Sprintf("finished, %s, %s in %d files and the database, by amstel %s with schema %d on PostgreSQL %d", m.At.Format(time.DateTime), byteSize(m.Size()), m.Files, m.Version, m.Schema, m.Postgres)
			if len(m.Missing) > 0 {
				line += fmt.Sprintf("; %d files missing", len(m.Missing))
			}
		}
		if _, err := fmt.Fprintln(to.out, line); err != nil {
			return err
		}
	}
	return nil
}

// verifyBackup reads a backup, and prints a line for each fault and a line for the whole.
func verifyBackup(ctx context.Context, in backup.Repository, name string, to streams) error {
	if !backup.IsName(name) {
		return &settingError{fmt.Sprintf("--verify: %q is no name of a backup: amstel backups without --verify lists them", name)}
	}
	m, err := backup.Read(ctx, in, name)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	faults, err := backup.Verify(ctx, in, name, m, func(line string) { fmt.Fprintln(to.out, line) })
	if err != nil {
		return err
	}
	if faults > 0 {
		return fmt.Errorf("%s has %d faults: remove the damaged files, and the next backup copies them again from the site", name, faults)
	}
	_, err = fmt.Fprintf(to.out, "%s: all %d files and the database have the right checksums\n", name, m.Files)
	return err
}
