package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/internal/attachment"
	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
)

// TestDoctorOfASoundSite: a private PostgreSQL with a backup has no problem. The findings as JSON are the same.
func TestDoctorOfASoundSite(t *testing.T) {
	long(t)
	t.Parallel()
	data, place := pgtest.Folder(t), t.TempDir()
	s := start(t, "serve", "--listen=127.0.0.1:0", "--data", data)
	must(t, "backup", "--to", place, "--data", data)
	args := []string{"doctor", "--data", data, "--backups", place}
	out, said, code := command(t.Context(), args...)
	if code != 0 || said != "" {
		t.Errorf("exit %d, wrote %q and\n%s", code, said, out)
	}
	for _, want := range []string{
		"ok       database: PostgreSQL ", "ok       durability: PostgreSQL syncs each commit", "ok       schema: the database has the newest schema",
		"ok       river DB: ", "ok       address: " + s.url + " answers, on this machine only", "ok       backups: the newest backup, ", "clock: this machine and the database agree to ",
		"disk of the database: ", "disk of the data: ", "disk of the files: ", "ok       files: all 0 needed files are there", "open files: ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the findings lack %q:\n%s", want, out)
		}
	}
	var answer struct{ Findings []finding }
	if err := json.Unmarshal([]byte(must(t, append(args, "--json")...)), &answer); err != nil || len(answer.Findings) != strings.Count(out, "\n") {
		t.Errorf("as JSON there are %d findings, %v", len(answer.Findings), err)
	}
}

// TestDoctorWithoutADatabase: the doctor says that the primary can't be reached, and makes the other checks.
func TestDoctorWithoutADatabase(t *testing.T) {
	t.Parallel()
	nowhere := filepath.Join(t.TempDir(), "nowhere")
	for name, args := range map[string][]string{
		"no data folder": {"--data", nowhere},
		"no server":      {"--data", t.TempDir(), "--database=postgres://u:hunter2@localhost:1/x"},
	} {
		out, said, code := command(t.Context(), append([]string{"doctor"}, args...)...)
		if code != exitFailed || !strings.Contains(out, "problem  database: ") || !strings.Contains(out, "river DB: ") || strings.Contains(out, "schema: ") || strings.Contains(out+said, "hunter2") {
			t.Errorf("%s: exit %d, wrote %q and %q", name, code, said, out)
		}
	}
	if _, err := os.Stat(nowhere); err == nil {
		t.Error("the doctor made the data folder")
	}
}

// TestDoctorFindings makes each thing wrong that the doctor looks for.
func TestDoctorFindings(t *testing.T) {
	long(t)
	t.Parallel()
	url := pgtest.URL(t)
	pool := pgtest.Open(t, url)
	place := t.TempDir()
	must(t, "backup", "--to", place, "--data", t.TempDir(), "--database", url)
	answers := func(status int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
	}
	secure, broken := httptest.NewTLSServer(answers(http.StatusOK)), httptest.NewTLSServer(answers(http.StatusBadGateway))
	t.Cleanup(secure.Close)
	t.Cleanup(broken.Close)
	ends := secure.Certificate().NotAfter
	exec := func(statement string) func(*doctor) {
		return func(*doctor) {
			if _, err := pool.Exec(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
	}
	of := func(d *doctor, name string) finding {
		for _, c := range d.checks() {
			if c.name == name {
				return c.run(t.Context())
			}
		}
		t.Fatalf("there is no check %q", name)
		return finding{}
	}
	at := func(when time.Time) func(*doctor) {
		return func(d *doctor) { d.now = func() time.Time { return when } }
	}
	later := func(by time.Duration) func(*doctor) {
		return func(d *doctor) { d.now = func() time.Time { return time.Now().Add(by) } }
	}
	asURL := func(address string, then ...func(*doctor)) func(*doctor) {
		return func(d *doctor) {
			d.URL, d.client = address, secure.Client()
			for _, f := range then {
				f(d)
			}
		}
	}
	for _, tt := range []struct {
		check string
		make  func(*doctor)
		state string
		want  string
	}{
		{"durability", func(*doctor) {}, stateProblem, "are off: fsync, full_page_writes; set them to on"},
		{"clock", later(0), stateOK, "agree to"},
		{"clock", later(30 * time.Second), stateWarning, "differ by "},
		{"clock", later(-5 * time.Minute), stateProblem, "differ by "},
		{"schema", exec(`delete from goose_db_version where version_id = (select max(version_id) from goose_db_version)`), stateWarning, "amstel migrate, or the next start"},
		{"schema", exec(`insert into goose_db_version (version_id, is_applied) values (999, true)`), stateProblem, "has schema 999"},
		{"schema", exec(`delete from goose_db_version where version_id = 999`), stateWarning, "amstel migrate"},
		{"disk of the data", func(d *doctor) { d.Data = filepath.Join(d.Data, "nowhere") }, stateProblem, "can't be used"},
		{"disk of the files", func(d *doctor) { d.S3Endpoint = "http://127.0.0.1:1" }, stateOK, "on an S3 server"},
		{"files", func(*doctor) {}, stateOK, "nothing was uploaded yet"},
		{"files", func(d *doctor) { uploadFile(t, d, "the ferry") }, stateOK, "all 1 needed files are there"},
		{"files", func(*doctor) {}, stateProblem, "and rows name files 1 times"}, // in another folder
		{"files", func(d *doctor) { openStore(t, d) }, stateProblem, "1 of 1 needed files are missing"},
		{"files", func(d *doctor) { putFile(t, d, "the ferry"); putFile(t, d, "left") }, stateWarning, "1 files that no row names"},
		{"river DB", func(d *doctor) { d.River = filepath.Join(d.Data, "nowhere", "river.db") }, stateProblem, "can't be written"},
		{"river DB", func(d *doctor) { d.River = d.Data }, stateProblem, "can't be written"},
		{"open files", func(d *doctor) { d.limit = func() (uint64, error) { return 1024, nil } }, stateWarning, "may have 1024 files open"},
		{"open files", func(d *doctor) { d.limit = func() (uint64, error) { return 0, errors.New("no") } }, stateWarning, "not known"},
		{"address", func(*doctor) {}, stateWarning, "not known"},
		{"address", asURL("http://amstel.example"), stateProblem, "is not https"},
		{"address", asURL("amstel.example"), stateProblem, "not an address"},
		{"address", asURL(secure.URL), stateOK, "its certificate ends on " + ends.Format(time.DateOnly)},
		{"address", asURL(secure.URL, at(ends.Add(-10*24*time.Hour))), stateWarning, "look why it was not renewed"},
		{"address", asURL(secure.URL, at(ends.Add(-time.Hour))), stateProblem, "look why it was not renewed"},
		{"address", asURL(secure.URL, func(d *doctor) { d.client = http.DefaultClient }), stateProblem, "browsers refuse the certificate"},
		{"address", asURL("https://127.0.0.1:1"), stateWarning, "can't be reached from here"},
		{"address", asURL(broken.URL, func(d *doctor) { d.client = broken.Client() }), stateProblem, "answers 502"},
		{"certificates", func(*doctor) {}, stateOK, "none of its own"},
		{"certificates", withCertificate(t, "", 0), stateWarning, "there is no certificate of amstel.example yet"},
		{"certificates", withCertificate(t, "amstel.example", 0o600), stateOK, "the certificate of amstel.example, got by amstel serve, ends on "},
		{"certificates", withCertificate(t, "amstel.example", 0o644), stateProblem, "other users can read the key"},
		{"certificates", withCertificate(t, "amstel.example", 0o600, later(80*24*time.Hour)), stateWarning, "look why it was not renewed"},
		{"certificates", withCertificate(t, "amstel.example", 0o600, later(91*24*time.Hour)), stateProblem, "look why it was not renewed"},
		{"mail server", func(*doctor) {}, stateOK, "sends no mail"},
		{"mail server", func(d *doctor) { d.Mail, d.MailFrom = "file:"+filepath.Join(d.Data, "mails"), "site@amstel.example" }, stateOK, "lets the site in"},
		{"mail server", func(d *doctor) { d.Mail, d.MailFrom = "smtp://site:hunter2@127.0.0.1:1", "site@amstel.example" }, stateProblem, "refuses the site"},
		{"mail server", func(d *doctor) { d.Mail, d.MailFrom = "mail.example", "site@amstel.example" }, stateProblem, "must be like smtp://"},
		{"waiting mails", func(*doctor) {}, stateOK, "no mail waits"},
		{"waiting mails", func(d *doctor) {
			exec(`insert into mails (user_id, kind, address, fault, created_at, due_at) select min(id), 'sign_in', 'anna@example.org', 'no room', now() - interval '2 hours', now() from users`)(d)
		}, stateWarning, "1 mails wait for more than an hour, the last for this reason: no room"},
		{"backups", func(d *doctor) { d.Backups = place }, stateOK, " old"},
		{"backups", func(d *doctor) { d.Backups = place; later(30 * time.Hour)(d) }, stateWarning, "did not run today"},
		{"backups", func(d *doctor) { d.Backups = place; later(8 * 24 * time.Hour)(d) }, stateProblem, "does not run"},
		{"backups", func(d *doctor) { d.Backups = d.Data }, stateProblem, "no repository"},
		{"backups", func(d *doctor) { // an unfinished one is not the newest
			d.Backups = place
			if err := os.Mkdir(filepath.Join(place, "20990101T000000Z"), 0o700); err != nil {
				t.Fatal(err)
			}
		}, stateOK, "old"},
		{"backups", func(d *doctor) {
			d.Backups = d.Data
			if err := os.MkdirAll(filepath.Join(d.Data, "files"), 0o700); err != nil {
				t.Fatal(err)
			}
		}, stateProblem, "has no finished backup"},
	} {
		d := &doctor{
			doctorCmd: &doctorCmd{primary: primary{Data: t.TempDir(), Database: url}}, db: &database{pool: pool, url: url},
			store: timeline.New(pool, timeline.Options{Argon: pgtest.Argon}), now: time.Now, limit: openFileLimit,
		}
		tt.make(d)
		if f := of(d, tt.check); f.State != tt.state || !strings.Contains(f.Text, tt.want) {
			t.Errorf("%s is %s: %s; want %s: %s", tt.check, f.State, f.Text, tt.state, tt.want)
		}
	}
}

// openStore opens the store of the files of a site until the test ends.
func openStore(t *testing.T, d *doctor) filestore.Store {
	t.Helper()
	files, err := d.openFiles(t.Context(), d.Data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := files.Close(); err != nil {
			t.Error(err)
		}
	})
	return files
}

// uploadFile uploads a file of a text, so that a row names it.
func uploadFile(t *testing.T, d *doctor, text string) {
	t.Helper()
	keeper := attachment.New(d.store, openStore(t, d), attachment.Options{})
	anna, err := d.store.SignUp(t.Context(), timeline.NewUser{Name: "anna", Email: "anna@example.org", NoPassword: true})
	if err == nil {
		_, err = keeper.Receive(t.Context(), anna, timeline.NewAttachment{FileName: "notes.txt", Size: int64(len(text))}, strings.NewReader(text))
	}
	for more := true; more && err == nil; {
		more, err = keeper.Work(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// putFile puts a file of a text into the store, as if that had been two days ago.
func putFile(t *testing.T, d *doctor, text string) {
	t.Helper()
	info, err := openStore(t, d).Put(t.Context(), strings.NewReader(text), 1000)
	if err == nil {
		then := time.Now().Add(-48 * time.Hour)
		err = os.Chtimes(filepath.Join(d.folder(d.Data), info.Name.String()[:2], info.Name.String()), then, then)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestRoom: the free space of a disk is a warning below a tenth, and a problem below a fiftieth, or below bounds for small disks.
func TestRoom(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		free, total byteSize
		state       string
	}{
		{50 * gib, 100 * gib, stateOK}, {10 * gib, 100 * gib, stateOK}, {9 * gib, 100 * gib, stateWarning}, {2 * gib, 100 * gib, stateWarning}, {2*gib - 1, 100 * gib, stateProblem},
		{2 * gib, 10 * gib, stateOK}, {2*gib - 1, 10 * gib, stateWarning}, {512*mib - 1, 10 * gib, stateProblem},
	} {
		if f := room("/x", tt.free, tt.total); f.State != tt.state || !strings.Contains(f.Text, "/x") {
			t.Errorf("%v of %v are %s: %s; want %s", tt.free, tt.total, f.State, f.Text, tt.state)
		}
	}
}
