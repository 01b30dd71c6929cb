package backup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/minio/minio-go/v7"
	"github.com/pressly/goose/v3"

	"amstel.dev/amstel/internal/attachment"
	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/migrations"
	"amstel.dev/amstel/timeline"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// A desk is a site with one person, anna, who writes and uploads.
type desk struct {
	Site
	t      *testing.T
	store  *timeline.Store
	keeper *attachment.Keeper
	anna   timeline.UserID
	folder string // of the files
}

// siteAt returns a site on a database, with a new folder of files.
func siteAt(t *testing.T, url string) *desk {
	t.Helper()
	d := &desk{Site: Site{URL: url, Programs: os.Getenv("AMSTEL_POSTGRES_BIN")}, t: t, folder: t.TempDir()}
	d.Pool = pgtest.Open(t, url)
	files, err := filestore.OpenFolder(d.folder)
	d.must(err)
	t.Cleanup(func() { d.must(files.Close()) })
	d.Files = files
	d.store = timeline.New(d.Pool, timeline.Options{Argon: pgtest.Argon})
	d.keeper = attachment.New(d.store, files, attachment.Options{})
	return d
}

// newDesk returns a new site.
func newDesk(t *testing.T) *desk {
	t.Helper()
	d := siteAt(t, pgtest.URL(t))
	var err error
	d.anna, err = d.store.SignUp(t.Context(), timeline.NewUser{Name: "anna", Email: "anna@example.org", Password: "correct horse"})
	d.must(err)
	return d
}

func (d *desk) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// post writes a post with a file of a text, and returns the post and the name of the file.
func (d *desk) post(text string) (timeline.PostID, filestore.Name) {
	d.t.Helper()
	ctx := d.t.Context()
	id, err := d.keeper.Receive(ctx, d.anna, timeline.NewAttachment{FileName: "notes.txt", Size: int64(len(text))}, strings.NewReader(text))
	d.must(err)
	for more := true; more; {
		more, err = d.keeper.Work(ctx)
		d.must(err)
	}
	post, err := d.store.CreatePost(ctx, d.anna, timeline.NewPost{To: []string{"user"}, Text: "about " + text, Files: timeline.Files{IDs: []timeline.AttachmentID{id}}})
	d.must(err)
	return post, sumOfText(text)
}

func sumOfText(text string) filestore.Name {
	sum := newSummer()
	_, _ = io.WriteString(sum, text) // a hash takes everything
	return filestore.Name(sum.hash.Sum(nil))
}

// backup makes a backup, and ends the test after an error.
func (d *desk) backup(to Repository, opts Options) Report {
	d.t.Helper()
	report, err := Make(d.t.Context(), d.Site, to, opts)
	d.must(err)
	return report
}

// contents returns the rows of each table, as text. The uuid of the change log is left out.
func (d *desk) contents() map[string]string {
	d.t.Helper()
	const tables = `select format('%I.%I', schemaname, tablename) from pg_tables where schemaname = 'public' order by 1`
	rows, err := d.Pool.Query(d.t.Context(), tables)
	d.must(err)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	d.must(err)
	all := map[string]string{}
	for _, name := range names {
		var text string
		columns := "t::text"
		if name == "public.log_head" {
			columns = "position::text"
		}
		d.must(d.Pool.QueryRow(d.t.Context(), `select coalesce(string_agg(`+columns+`, chr(10) order by t::text collate "C"), '') from `+name+` t`).Scan(&text))
		all[name] = text
	}
	if len(all) < 30 {
		d.t.Fatalf("the database has only %d tables", len(all))
	}
	return all
}

// sound fails the test if a row names a file that is missing or damaged.
func (d *desk) sound() {
	d.t.Helper()
	sum, err := d.keeper.Check(d.t.Context(), true, func(line string) { d.t.Error(line) })
	d.must(err)
	if sum.Needed == 0 {
		d.t.Error("no row names a file")
	}
}

// openFolder opens the repository in a folder until the test ends.
func openFolder(t *testing.T, path string) Repository {
	t.Helper()
	r, err := OpenFolder(path, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// openBucket opens a repository in a bucket of a fake server.
func openBucket(t *testing.T) Repository {
	t.Helper()
	fake := httptest.NewUnstartedServer(gofakes3.New(s3mem.New()).Server())
	fake.Config.ErrorLog = log.New(io.Discard, "", 0) // the fake answers some errors twice
	fake.Start()
	t.Cleanup(fake.Close)
	opts := filestore.S3Options{Endpoint: fake.URL, Bucket: "backups", Prefix: "of/amstel", AccessKey: "key", SecretKey: "secret"}
	if _, err := OpenS3(t.Context(), opts); err == nil {
		t.Error("a bucket that does not exist is opened")
	}
	opts.Bucket = "other"
	client, err := minio.New(strings.TrimPrefix(fake.URL, "http://"), &minio.Options{Region: "us-east-1"})
	if err == nil {
		err = client.MakeBucket(t.Context(), opts.Bucket, minio.MakeBucketOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := OpenS3(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// names returns the names of all backups of a repository.
func names(t *testing.T, in Repository) []string {
	t.Helper()
	all, err := in.Names(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// verify fails the test if a backup is not finished or is damaged.
func verify(t *testing.T, in Repository, name string) {
	t.Helper()
	m, err := Read(t.Context(), in, name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if faults, err := Verify(t.Context(), in, name, m, func(line string) { t.Errorf("%s: %s", name, line) }); err != nil || faults > 0 {
		t.Errorf("%s has %d faults, %v", name, faults, err)
	}
}

// TestRestoredSiteHasEveryRow: a restored database has the rows of each table of the site, and the next
// ids of its sequences, a change log of another life, and sound files.
func TestRestoredSiteHasEveryRow(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	for name, open := range map[string]func(*testing.T) Repository{
		"folder": func(t *testing.T) Repository { return openFolder(t, t.TempDir()) },
		"bucket": openBucket,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from, repository := newDesk(t), open(t)
			from.post("the ferry")
			from.post("the lock")
			report := from.backup(repository, Options{Version: "v1", Address: "https://amstel.example"})
			verify(t, repository, report.Name)
			if m := report.Manifest; m.Files != 2 || m.Bytes != int64(len("the ferry")+len("the lock")) || report.Copied != 2 || m.Version != "v1" || m.Address != "https://amstel.example" || m.Postgres < 15 || len(m.Missing) > 0 {
				t.Errorf("the report is %+v of %+v", report, m)
			}
			to := siteAt(t, pgtest.EmptyURL(t))
			if _, err := Restore(t.Context(), to.Site, repository, report.Name); err != nil {
				t.Fatal(err)
			}
			to.sound()
			got := to.contents()
			for table, want := range from.contents() {
				if got[table] != want {
					t.Errorf("%s has\n%s\nwant\n%s", table, got[table], want)
				}
			}
			const head = `select (select uuid::text from log_head), nextval('id_sequence')`
			var uuids [2]string
			var ids [2]int64
			for i, d := range []*desk{from, to} {
				d.must(d.Pool.QueryRow(t.Context(), head).Scan(&uuids[i], &ids[i]))
			}
			if uuids[0] == uuids[1] || ids[1] < ids[0] {
				t.Errorf("the uuids of the logs are %v, the next ids %v", uuids, ids)
			}
		})
	}
}

// TestSecondBackupCopiesOnlyNewFiles: and a file that two backups name is there once.
func TestSecondBackupCopiesOnlyNewFiles(t *testing.T) {
	t.Parallel()
	d, repository := newDesk(t), openFolder(t, t.TempDir())
	d.post("the ferry")
	d.post("the lock")
	first := d.backup(repository, Options{})
	d.post("the bridge")
	second := d.backup(repository, Options{})
	if first.Copied != 2 || second.Copied != 1 || second.CopiedBytes != int64(len("the bridge")) || second.Manifest.Files != 3 {
		t.Errorf("the first copied %d, the second %d of %d bytes and names %d", first.Copied, second.Copied, second.CopiedBytes, second.Manifest.Files)
	}
	has, err := sizes(t.Context(), repository.Files())
	if err != nil || len(has) != 3 {
		t.Errorf("the repository has %d files, %v", len(has), err)
	}
	if first.Name >= second.Name {
		t.Errorf("the names are %s and then %s", first.Name, second.Name)
	}
	verify(t, repository, first.Name)
	verify(t, repository, second.Name)
}

// TestKeepRemovesTheOldest: and only the files that no other backup names.
func TestKeepRemovesTheOldest(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	d, repository := newDesk(t), openFolder(t, t.TempDir())
	d.post("the ferry")
	old, file := d.post("the lock")
	var all []string
	for range 3 {
		all = append(all, d.backup(repository, Options{}).Name)
	}
	d.must(d.store.DeletePost(t.Context(), d.anna, old))
	_, err := d.Pool.Exec(t.Context(), `delete from attachments where post_id = $1`, old) // as the hourly job does
	d.must(err)
	has := func() bool {
		t.Helper()
		is, err := filestore.Has(t.Context(), repository.Files(), file)
		d.must(err)
		return is
	}
	for i, tt := range []struct {
		keep, left, removed, unneeded int
		has                           bool
	}{{0, 4, 0, 0, true}, {3, 3, 2, 0, true}, {3, 3, 1, 1, false}, {10, 4, 0, 0, false}, {1, 1, 4, 0, false}} {
		report := d.backup(repository, Options{Keep: tt.keep})
		all = append(all, report.Name)
		left := names(t, repository)
		if len(left) != tt.left || len(report.Removed) != tt.removed || report.Unneeded != tt.unneeded || has() != tt.has {
			t.Errorf("%d: with --keep %d: %d left, %d removed, %d files unneeded, the file of a deleted post is there: %t; want %+v", i, tt.keep, len(left), len(report.Removed), report.Unneeded, has(), tt)
		}
		if want := all[len(all)-len(left):]; strings.Join(left, " ") != strings.Join(want, " ") {
			t.Errorf("%d: left are %v, want the newest, %v", i, left, want)
		}
		for _, name := range left {
			verify(t, repository, name)
		}
	}
}

// TestMissingFilesAreReported: a backup names the files that the site lacks, and those that were deleted while it was made.
func TestMissingFilesAreReported(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	d, repository := newDesk(t), openFolder(t, t.TempDir())
	d.post("the ferry")
	_, lost := d.post("lost")
	_, damaged := d.post("damaged")
	deleted, gone := d.post("deleted")
	d.must(d.Files.Remove(t.Context(), lost))
	d.must(os.WriteFile(filepath.Join(d.folder, damaged.String()[:2], damaged.String()), []byte("other"), 0o600))
	report := d.backup(repository, Options{Reached: func(point string) {
		if point != pointSnapshot {
			return
		}
		d.must(d.store.DeletePost(t.Context(), d.anna, deleted))
		_, err := d.Pool.Exec(t.Context(), `delete from attachments where post_id = $1`, deleted) // as the hourly job does
		d.must(err)
		d.must(d.Files.Remove(t.Context(), gone)) // as the daily sweep does
	}})
	want := map[string]string{lost.String(): "is missing", damaged.String(): "is damaged", gone.String(): "was deleted during the backup"}
	if len(report.Manifest.Missing) != 3 || report.Manifest.Files != 1 {
		t.Errorf("missing are %v, and %d files are there", report.Manifest.Missing, report.Manifest.Files)
	}
	for _, m := range report.Manifest.Missing {
		if text := m.String(); !strings.Contains(text, want[m.File]) || !strings.Contains(text, "attachment ") {
			t.Errorf("%q does not say %q and the attachment", text, want[m.File])
		}
	}
	verify(t, repository, report.Name)
	if has, err := sizes(t.Context(), repository.Files()); err != nil || len(has) != 1 {
		t.Errorf("the repository has %d files, %v", len(has), err)
	}
	// The dump is of the moment at which the files were listed, so the deleted row is in it.
	to := siteAt(t, pgtest.EmptyURL(t))
	_, err := Restore(t.Context(), to.Site, repository, report.Name)
	d.must(err)
	var rows int
	d.must(to.Pool.QueryRow(t.Context(), `select count(*) from renditions where file = $1`, gone[:]).Scan(&rows))
	if rows != 1 {
		t.Errorf("%d rows of the restored database name the deleted file", rows)
	}
}

// TestRestoreRefuses: after each refusal the database and the file store are as before.
func TestRestoreRefuses(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	from := newDesk(t)
	_, file := from.post("the ferry")
	dir := t.TempDir()
	repository := openFolder(t, dir)
	name := from.backup(repository, Options{Version: "v7"}).Name
	kept := filepath.Join("files", file.String()[:2], file.String())
	part := func(of string) string { return filepath.Join(name, of) }
	change := func(old, with string) func([]byte) []byte {
		return func(text []byte) []byte { return bytes.Replace(text, []byte(old), []byte(with), 1) }
	}
	cut := func(text []byte) []byte { return text[:50] }
	to := siteAt(t, pgtest.EmptyURL(t))
	for _, tt := range []struct {
		name   string
		path   string                   // of the damaged file
		damage func(text []byte) []byte // nil: the file is removed
		want   string
	}{
		{"a damaged file", kept, change("ferry", "fairy"), "file " + file.String() + " is damaged"},
		{"a missing file", kept, nil, "file " + file.String() + " is missing"},
		{"a truncated dump", part(partDump), cut, "database.dump has 50 bytes, and the manifest says"},
		{"a dump with other bytes", part(partDump), change("PGDMP", "PGDMQ"), "database.dump has other bytes"},
		{"no dump", part(partDump), nil, "database.dump is missing"},
		{"another list", part(partFiles), change(" 9", " 8"), "files.txt has other bytes"},
		{"a newer format", part(partManifest), change(`"format": 1`, `"format": 2`), "has the format 2, and this program reads formats up to 1: use amstel v7 or later"},
		{"a newer schema", part(partManifest), change(`"schema": `, `"schema": 9`), "made by a newer program, with schema 9"},
		{"no manifest", part(partManifest), nil, "is not finished"},
		{"half a manifest", part(partManifest), cut, "the manifest of"},
	} {
		path := filepath.Join(dir, tt.path)
		text, err := os.ReadFile(path)
		from.must(err)
		from.must(os.Remove(path))
		if tt.damage != nil {
			damaged := tt.damage(text)
			if bytes.Equal(damaged, text) {
				t.Fatalf("%s: nothing is damaged", tt.name)
			}
			from.must(os.WriteFile(path, damaged, 0o600))
		}
		_, err = Restore(t.Context(), to.Site, repository, name)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
		to.unchanged(tt.name)
		from.must(os.WriteFile(path, text, 0o600))
	}

	other := newDesk(t)
	before := other.contents()
	if _, err := Restore(t.Context(), other.Site, repository, name); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("a database that is not empty: %v", err)
	}
	for table, rows := range other.contents() {
		if rows != before[table] {
			t.Errorf("%s changed", table)
		}
	}
	// A dump that PostgreSQL refuses at its end: the transaction leaves nothing.
	_, err := to.Pool.Exec(t.Context(), `create function unneeded() returns event_trigger language plpgsql as $$ begin if tg_tag = 'CREATE TRIGGER' or tg_tag = 'CREATE INDEX' then raise 'no'; end if; end $$;
		create event trigger refuse on ddl_command_start execute function unneeded()`)
	from.must(err)
	if _, err := Restore(t.Context(), to.Site, repository, name); err == nil || !strings.Contains(err.Error(), "restore the database") {
		t.Errorf("a database that takes no index: %v", err)
	}
	if empty, err := isEmpty(t.Context(), to.Site); err != nil || !empty {
		t.Errorf("a failed restore leaves tables: %v", err)
	}
	_, err = to.Pool.Exec(t.Context(), `drop event trigger refuse; drop function unneeded`)
	from.must(err)
	if _, err := Restore(t.Context(), to.Site, repository, name); err != nil { // the files are there already
		t.Error(err)
	}
	to.sound()
}

// unchanged fails the test unless the database and the file store are empty.
func (d *desk) unchanged(after string) {
	d.t.Helper()
	if empty, err := isEmpty(d.t.Context(), d.Site); err != nil || !empty {
		d.t.Errorf("%s: the database is empty: %t, %v", after, empty, err)
	}
	if has, err := sizes(d.t.Context(), d.Files); err != nil || len(has) > 0 {
		d.t.Errorf("%s: the store has %d files, %v", after, len(has), err)
	}
}

// TestEachSiteHasItsRepository: a repository takes no backup of another site, and one backup at a time.
func TestEachSiteHasItsRepository(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	d, repository := newDesk(t), openFolder(t, t.TempDir())
	d.backup(repository, Options{})
	other := newDesk(t)
	_, err := other.Pool.Exec(t.Context(), `update site set value = 'other' where key = 'site_id'`) // the databases of tests are copies
	d.must(err)
	if _, err := Make(t.Context(), other.Site, repository, Options{}); err == nil || !strings.Contains(err.Error(), "another site") {
		t.Errorf("of another site: %v", err)
	}
	_, err = Make(t.Context(), d.Site, repository, Options{Reached: func(point string) {
		if point != pointSnapshot {
			return
		}
		if _, err := Make(t.Context(), d.Site, repository, Options{lockWithin: 1}); err == nil || !strings.Contains(err.Error(), "another backup of this site is being made") {
			t.Errorf("a second one at the same time: %v", err)
		}
	}})
	if err != nil || len(names(t, repository)) != 2 {
		t.Errorf("%d backups, %v", len(names(t, repository)), err)
	}
	if _, err := d.Pool.Exec(t.Context(), `delete from goose_db_version where version_id = (select max(version_id) from goose_db_version)`); err != nil {
		t.Fatal(err)
	}
	if _, err := Make(t.Context(), d.Site, repository, Options{}); err == nil || !strings.Contains(err.Error(), "with the program that serves the site") {
		t.Errorf("of an older schema: %v", err)
	}
}

// TestFailedDumpIsNoBackup: when pg_dump fails after a part of its output, nothing of the output stays, and the next run removes the rest.
// The password is in the environment of pg_dump, and not among its arguments.
func TestFailedDumpIsNoBackup(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	d := newDesk(t)
	dir, programs := t.TempDir(), t.TempDir()
	repository := openFolder(t, dir)
	whole := d.backup(repository, Options{})
	script := fmt.Sprintf("#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'pg_dump (PostgreSQL) 99.1'; exit; fi\necho half a dump\necho \"$@\" >%[1]s/args\nenv >%[1]s/env\necho no more >&2\nexit 1\n", programs)
	d.must(os.WriteFile(filepath.Join(programs, "pg_dump"), []byte(script), 0o700))
	broken := d.Site
	broken.Programs = programs
	broken.URL += " password='hunter 2'"
	report, err := Make(t.Context(), broken, repository, Options{})
	if err == nil || !strings.Contains(err.Error(), "no more") {
		t.Errorf("a dump that fails: %v", err)
	}
	args, err := os.ReadFile(filepath.Join(programs, "args"))
	d.must(err)
	env, err := os.ReadFile(filepath.Join(programs, "env"))
	d.must(err)
	if strings.Contains(string(args), "hunter") || !strings.Contains(string(env), "PGPASSWORD=hunter 2\n") {
		t.Errorf("pg_dump got the arguments %s", args)
	}
	left, err := os.ReadDir(filepath.Join(dir, report.Name))
	if len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
	again := d.backup(repository, Options{})
	if len(again.Unfinished) != 1 || strings.Join(names(t, repository), " ") != whole.Name+" "+again.Name {
		t.Errorf("removed as unfinished: %v; there are %v", again.Unfinished, names(t, repository))
	}
	verify(t, repository, whole.Name)
}

// TestUnfinishedPiecesAreRemoved: a process that died while it sent a dump to a bucket leaves pieces, and the next run removes them.
func TestUnfinishedPiecesAreRemoved(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	d, repository := newDesk(t), openBucket(t)
	b := repository.(*bucket)
	const name = "20200101T000000Z"
	core := minio.Core{Client: b.client}
	if _, err := core.NewMultipartUpload(t.Context(), b.opts.Bucket, b.key(name, partDump), minio.PutObjectOptions{}); err != nil {
		t.Fatal(err)
	}
	if report := d.backup(repository, Options{}); strings.Join(report.Unfinished, " ") != name {
		t.Errorf("removed as unfinished: %v", report.Unfinished)
	}
	if all := names(t, repository); len(all) != 1 || all[0] == name {
		t.Errorf("left are %v", all)
	}
}

// TestLongPartIsSentInPieces: a part with more bytes than a piece arrives whole, or not at all.
func TestLongPartIsSentInPieces(t *testing.T) {
	t.Parallel()
	repository := openBucket(t)
	b := repository.(*bucket)
	b.piece = 5 << 20 // the least that S3 takes
	const name = "20200101T000000Z"
	long := bytes.Repeat([]byte("0123456789"), 1<<20)
	want, err := putSummed(t.Context(), b, name, partDump, bytes.NewReader(long))
	if err != nil || want.Size != int64(len(long)) {
		t.Fatalf("%+v, %v", want, err)
	}
	if got, err := sumOf(t.Context(), b, name, partDump); err != nil || got != want {
		t.Errorf("read %+v, %v, want %+v", got, err, want)
	}
	if err := b.Remove(t.Context(), name); err != nil || len(names(t, b)) > 0 {
		t.Errorf("left are %v, %v", names(t, b), err)
	}
	torn := errors.New("torn")
	if err := b.Put(t.Context(), name, partDump, io.MultiReader(bytes.NewReader(long), iotest.ErrReader(torn))); !errors.Is(err, torn) {
		t.Errorf("a dump that breaks off: %v", err)
	}
	if all := names(t, b); len(all) > 0 {
		t.Errorf("left are %v", all)
	}
}

// TestOlderBackupIsMigrated: a backup of an older schema is restored, and then migrated.
func TestOlderBackupIsMigrated(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	from, repository := siteAt(t, pgtest.EmptyURL(t)), openFolder(t, t.TempDir())
	db := stdlib.OpenDBFromPool(from.Pool)
	t.Cleanup(func() { from.must(db.Close()) })
	provider, err := goose.NewProvider(goose.DialectPostgres, db, migrations.Files(), goose.WithDisableGlobalRegistry(true))
	from.must(err)
	before := migrations.Newest() - 1
	_, err = provider.UpTo(t.Context(), before)
	from.must(err)
	major, err := from.major(t.Context())
	from.must(err)
	m := &maker{Site: from.Site, Options: Options{Reached: func(string) {}}, to: repository}
	m.report.Manifest = &Manifest{Format: format, Schema: before, Postgres: major} // Make would refuse
	uses, err := m.dump(t.Context())
	from.must(err)
	from.must(m.copyFiles(t.Context(), uses))
	from.must(m.report.Manifest.write(t.Context(), repository, m.report.Name))
	to := siteAt(t, pgtest.EmptyURL(t))
	_, err = Restore(t.Context(), to.Site, repository, m.report.Name)
	from.must(err)
	for d, want := range map[*desk]int64{from: before, to: migrations.Newest()} {
		if got, err := migrations.Version(t.Context(), d.Pool); err != nil || got != want {
			t.Errorf("the schema is %d, %v, want %d", got, err, want)
		}
	}
}

// TestEnvironment: the settings of an address that libpq needs are variables, and those of pgx are left out.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"postgres://ann:s3%20cret@db.example:6432/site?sslmode=require&pool_max_conns=9": "PGHOST=db.example PGPORT=6432 PGUSER=ann PGDATABASE=site PGPASSWORD=s3 cret PGSSLMODE=require",
		"host=a,b port=1,2 user=ann dbname=site password='it''s' sslmode = disable":      "",
		`host=a,b port=1,2 user=ann dbname=site password='it\'s' sslmode = disable`:      "PGHOST=a,b PGPORT=1,2 PGUSER=ann PGDATABASE=site PGPASSWORD=it's PGSSLMODE=disable",
		"host=/run/x user=ann dbname=site pool_max_conns=9":                              "PGHOST=/run/x PGPORT=5432 PGUSER=ann PGDATABASE=site",
	} {
		env, err := environment(address)
		if want == "" {
			if err == nil {
				t.Errorf("%s gives %q", address, env)
			}
			continue
		}
		got := strings.ReplaceAll(strings.Join(env, " "), " LC_ALL=C.UTF-8", "")
		if err != nil || got != want {
			t.Errorf("%s gives %q, %v, want %q", address, got, err, want)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"/b/20261126T031500Z": "/b/ 20261126T031500Z true", "20261126T031500Z/": ". 20261126T031500Z true", "s3://x/y/20261126T031500Z": "s3://x/y/ 20261126T031500Z true",
		"/b/20261326T031500Z": "/b/ 20261326T031500Z false", "/b": "/ b false", "/b/files": "/b/ files false",
	} {
		repository, name, ok := Split(address)
		if got := fmt.Sprint(repository, " ", name, " ", ok); got != want {
			t.Errorf("%s is split into %q, want %q", address, got, want)
		}
	}
}
