package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"amstel.dev/amstel/internal/pgtest"
)

// A load writes to a site through its API, without an end.
type load struct {
	t     *testing.T
	site  string
	stop  chan struct{}
	ended sync.WaitGroup

	mu      sync.Mutex
	posts   []int64 // acknowledged
	uploads []int64 // acknowledged
	more    *sync.Cond
}

// startLoad starts one writer for each token.
func startLoad(t *testing.T, site string, tokens []string) *load {
	l := &load{t: t, site: site, stop: make(chan struct{})}
	l.more = sync.NewCond(&l.mu)
	for i, token := range tokens {
		l.ended.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-l.stop:
					return
				default:
				}
				if !l.write(token, fmt.Sprintf("%d of writer %d", n, i)) {
					return
				}
			}
		})
	}
	return l
}

// write writes a post and uploads a file. It reports whether both were acknowledged.
func (l *load) write(token, text string) bool {
	body, err := json.Marshal(map[string]any{"post": map[string]any{"timelines": []string{"user"}, "text": text}})
	if err != nil {
		l.t.Error(err)
		return false
	}
	var post struct {
		Post struct{ ID int64 }
	}
	if !l.send(token, "/api/v1/posts", "application/json", bytes.NewReader(body), &post) {
		return false
	}
	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	part, err := parts.CreateFormFile("attachment[attachment][]", "notes.txt")
	if err == nil {
		_, err = io.WriteString(part, strings.Repeat("the file "+text+"\n", 1000))
	}
	if err != nil || parts.Close() != nil {
		l.t.Error(err)
		return false
	}
	var upload struct {
		Attachments []struct{ ID int64 }
		Queued      []struct{ ID int64 } `json:"attachments_queued"`
	}
	if !l.send(token, "/api/v1/attachments", parts.FormDataContentType(), &form, &upload) {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.posts = append(l.posts, post.Post.ID)
	for _, one := range append(upload.Attachments, upload.Queued...) {
		l.uploads = append(l.uploads, one.ID)
	}
	l.more.Broadcast()
	return true
}

// send sends a request, and reports whether the answer was 200.
func (l *load) send(token, path, kind string, body io.Reader, answer any) bool {
	r, err := http.NewRequestWithContext(l.t.Context(), http.MethodPost, l.site+path, body)
	if err != nil {
		l.t.Error(err)
		return false
	}
	r.Header.Set("X-API-Token", token)
	r.Header.Set("Content-Type", kind)
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		l.t.Error(err)
		return false
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err == nil && a.StatusCode == http.StatusOK {
		err = json.Unmarshal(text, answer)
	}
	if err != nil || a.StatusCode != http.StatusOK {
		l.t.Errorf("%s is answered %d %.300s, %v", path, a.StatusCode, text, err)
		return false
	}
	return true
}

// acknowledged waits until n more posts are acknowledged, and returns all posts and uploads that are.
func (l *load) acknowledged(n int) (posts, uploads []int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for want := len(l.posts) + n; len(l.posts) < want && !l.t.Failed(); {
		l.more.Wait()
	}
	return slices.Clone(l.posts), slices.Clone(l.uploads)
}

// end stops the writers, and waits until they have stopped.
func (l *load) end() {
	close(l.stop)
	l.ended.Wait()
}

// lines returns the first column of a query.
func lines[T any](t *testing.T, pool *pgxpool.Pool, query string, args ...any) []T {
	t.Helper()
	rows, err := pool.Query(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[T])
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// pages returns the entries of the pages that list posts, as each of some people and as a visitor see them.
func pages(t *testing.T, site string, tokens map[string]string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for viewer, token := range tokens {
		paths := []string{"/", "/filter/discussions", "/filter/direct", "/filter/everything"}
		for name := range tokens {
			if name != "" {
				paths = append(paths, "/"+name, "/"+name+"/likes", "/"+name+"/comments")
			}
		}
		for _, path := range paths {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, site+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Accept", "application/json")
			if token != "" {
				r.Header.Set("X-API-Token", token)
			}
			a, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(a.Body)
			a.Body.Close()
			if err != nil {
				t.Fatal(err)
			}
			var page struct{ Entries json.RawMessage }
			if a.StatusCode == http.StatusOK {
				if err := json.Unmarshal(text, &page); err != nil {
					t.Fatalf("%s: %v", path, err)
				}
			}
			all[viewer+" at "+path] = fmt.Sprint(a.StatusCode, " ", strings.ReplaceAll(string(page.Entries), site, ""))
		}
	}
	return all
}

// TestBackupUnderLoad makes a backup while people write and upload, and loses the machine. The restored site has each write
// that was acknowledged before the backup began, and its files are sound. A backup after the writers have stopped brings back the
// same pages and the same export.
func TestBackupUnderLoad(t *testing.T) {
	long(t)
	t.Parallel()
	pool, db := fresh(t)
	data, place := t.TempDir(), "--to="+filepath.Join(t.TempDir(), "backups")
	must(t, "import", "../../internal/sample/sample.jsonl", "--data", data, db)
	tokens := map[string]string{"": ""}
	for _, name := range lines[string](t, pool, `select name from users order by id`) {
		tokens[name] = strings.TrimSpace(must(t, "user", "token", name, db))
	}
	var writers []string
	for name, token := range tokens {
		if name != "" && len(writers) < 3 {
			writers = append(writers, token)
		}
	}
	served := start(t, "serve", "--listen=127.0.0.1:0", "--writes=1000000", "--data", data, db)
	l := startLoad(t, served.url, writers)
	posts, uploads := l.acknowledged(30)
	if out := must(t, "backup", place, "--data", data, db); !strings.Contains(out, ": database ") {
		t.Errorf("the backup says %q", out)
	}
	l.acknowledged(1) // writers went on
	l.end()
	restored := lose(t, strings.TrimPrefix(place, "--to="))
	kept := map[string]bool{}
	for _, what := range []string{"posts", "attachments"} {
		for _, id := range lines[int64](t, restored.pool, `select id from `+what) {
			kept[fmt.Sprint(what, " ", id)] = true
		}
	}
	for what, ids := range map[string][]int64{"posts": posts, "attachments": uploads} {
		for _, id := range ids {
			if !kept[fmt.Sprint(what, " ", id)] {
				t.Errorf("%s %d was acknowledged before the backup and is lost", what, id)
			}
		}
		if len(ids) < 30 {
			t.Errorf("only %d %s were acknowledged", len(ids), what)
		}
	}
	again := start(t, "serve", "--listen=127.0.0.1:0", "--data", restored.data, restored.db)
	if status, _ := get(t, http.DefaultClient, again.url+"/"); status != http.StatusOK {
		t.Errorf("the first page answers %d", status)
	}
	restored.sound(t)
	again.stop()

	must(t, "backup", place, "--keep=1", "--data", data, db)
	want := pages(t, served.url, tokens)
	restored = lose(t, strings.TrimPrefix(place, "--to="))
	again = start(t, "serve", "--listen=127.0.0.1:0", "--data", restored.data, restored.db)
	got := pages(t, again.url, tokens)
	entries := 0
	for page, text := range want {
		entries += strings.Count(text, `"tag":`)
		if got[page] != text {
			t.Errorf("%s shows\n%.600s\nwant\n%.600s", page, got[page], text)
		}
	}
	if len(want) < 100 || entries < 500 {
		t.Errorf("compared are only %d pages with %d entries", len(want), entries)
	}
	restored.sound(t)
	first, second := filepath.Join(t.TempDir(), "site.zip"), filepath.Join(t.TempDir(), "site.zip")
	must(t, "export", "--all", first, "--data", data, db)
	must(t, "export", "--all", second, "--data", restored.data, restored.db)
	if a, b := readFile(t, first), readFile(t, second); !bytes.Equal(a, b) || len(a) < 1000 {
		t.Errorf("the export of the site has %d bytes, that of the restored one has %d others", len(a), len(b))
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A restoredSite is a site that is restored from a backup, on an empty database and in a new folder.
type restoredSite struct {
	pool     *pgxpool.Pool
	db, data string
}

// lose restores the newest backup of a folder on what stands for a new machine.
func lose(t *testing.T, place string) restoredSite {
	t.Helper()
	all := strings.Fields(must(t, "backups", "--in", place))
	newest := ""
	for _, word := range all {
		if name, ok := strings.CutSuffix(word, "Z:"); ok {
			newest = name + "Z"
		}
	}
	must(t, "backups", "--in", place, "--verify", newest)
	url := pgtest.EmptyURL(t)
	r := restoredSite{pgtest.Open(t, url), "--database=" + url, t.TempDir()}
	if out := must(t, "restore", "--from", filepath.Join(place, newest), "--data", r.data, r.db); !strings.Contains(out, "Restored "+newest) {
		t.Errorf("restore says %q", out)
	}
	return r
}

// sound fails the test if amstel check finds a fault.
func (r restoredSite) sound(t *testing.T) {
	t.Helper()
	out, err, code := command(t.Context(), "check", "--read-files", "--data", r.data, r.db)
	if code != 0 || !strings.Contains(out, " 0 of them missing and 0 damaged; 0 not needed") || strings.Contains(out, ": 0 needed") {
		t.Errorf("check: exit %d: %s%s", code, out, err)
	}
}

// TestBackupKilled kills a backup at each point of its work. Until the manifest is written it is no backup; the next run removes
// the rest, and each finished backup stays whole.
func TestBackupKilled(t *testing.T) {
	long(t)
	t.Parallel()
	pool, db := fresh(t)
	data, place := t.TempDir(), filepath.Join(t.TempDir(), "backups")
	must(t, "user", "add", "anna", "--email=anna@example.org", db)
	token := strings.TrimSpace(must(t, "user", "token", "anna", db))
	served := start(t, "serve", "--listen=127.0.0.1:0", "--data", data, db)
	l := &load{t: t, site: served.url}
	l.more = sync.NewCond(&l.mu)
	backup := []string{"backup", "--to", place, "--keep=2", "--data", data, db}
	upload := func(text string) {
		if l.write(token, text); t.Failed() {
			t.FailNow()
		}
	}
	upload("before all")
	must(t, backup...)
	finished := []string{}
	for i, tt := range []struct {
		point string
		done  bool // the backup is finished
	}{
		{"backup: snapshot", false}, {"backup: dumped", false}, {"backup: copied", false}, {"backup: listed", false}, {"backup: finished", true}, {"backup: removed", true},
	} {
		_, unfinished := backupsIn(t, place)
		upload(fmt.Sprint("before kill ", i))
		m := startKillable(t, killAtOnce+tt.point, backup...)
		m.waitKilled()
		var left []string
		finished, left = backupsIn(t, place)
		wantLeft := 1
		if tt.done || tt.point == "backup: snapshot" {
			wantLeft = 0
		}
		if len(unfinished) != 0 || len(left) != wantLeft {
			t.Errorf("%s: %v are unfinished, want %d; before it %v", tt.point, left, wantLeft, unfinished)
		}
		for _, name := range finished {
			must(t, "backups", "--in", place, "--verify", name)
		}
		newest := finished[len(finished)-1]
		_, said, code := command(t.Context(), backup...)
		if code != 0 || strings.Contains(said, "The unfinished backup") != (wantLeft == 1) {
			t.Errorf("%s: the next run: exit %d: %s", tt.point, code, said)
		}
		finished, left = backupsIn(t, place)
		if len(left) != 0 || len(finished) > 2 || !slices.Contains(finished, newest) {
			t.Errorf("%s: after the next run %v and the unfinished %v are there, want %s and a newer one", tt.point, finished, left, newest)
		}
	}
	for _, name := range finished {
		must(t, "backups", "--in", place, "--verify", name)
	}
	if files := lines[string](t, pool, `select distinct encode(file, 'hex') from renditions`); len(files) > 7 {
		t.Errorf("there are %d files", len(files))
	}
}

// backupsIn returns the names of the finished and of the unfinished backups of a folder.
func backupsIn(t *testing.T, place string) (finished, unfinished []string) {
	t.Helper()
	for line := range strings.Lines(must(t, "backups", "--in", place)) {
		name, state, _ := strings.Cut(line, ": ")
		switch {
		case strings.HasPrefix(state, "finished, "):
			finished = append(finished, name)
		case strings.Contains(state, "not finished"):
			unfinished = append(unfinished, name)
		default:
			t.Errorf("a backup is listed as %q", line)
		}
	}
	return finished, unfinished
}

// TestBackupInABucket: a backup on an S3 server is listed, verified and restored under the address of its bucket.
func TestBackupInABucket(t *testing.T) {
	long(t)
	t.Parallel()
	store := s3mem.New()
	fake := httptest.NewServer(gofakes3.New(store).Server())
	t.Cleanup(fake.Close)
	if err := store.CreateBucket("backups"); err != nil {
		t.Fatal(err)
	}
	_, db := fresh(t)
	must(t, "user", "add", "anna", "--email=anna@example.org", db)
	server := []string{"--backup-s3-endpoint", fake.URL, "--backup-s3-access-key=key", "--backup-s3-secret-key=secret"}
	with := func(args ...string) string { t.Helper(); return must(t, append(args, server...)...) }
	name, _, _ := strings.Cut(with("backup", "--to=s3://backups/of/site", "--data", t.TempDir(), db), ":")
	if out := with("backups", "--in=s3://backups/of/site/"); !strings.HasPrefix(out, name+": finished, ") {
		t.Errorf("the list is %q", out)
	}
	with("backups", "--in=s3://backups/of/site", "--verify", name)
	url := pgtest.EmptyURL(t)
	with("restore", "--from=s3://backups/of/site/"+name, "--data", t.TempDir(), "--database", url)
	if names := lines[string](t, pgtest.Open(t, url), `select name from users`); len(names) != 1 || names[0] != "anna" {
		t.Errorf("restored are %v", names)
	}
}

// TestRestoreMakesAPrivateDatabase: a backup of a private PostgreSQL is restored into a private one in a new folder, once.
func TestRestoreMakesAPrivateDatabase(t *testing.T) {
	long(t)
	t.Parallel()
	old, place, data := pgtest.Folder(t), t.TempDir(), pgtest.Folder(t)
	must(t, "user", "add", "anna", "--email=anna@example.org", "--data", old)
	name, _, _ := strings.Cut(must(t, "backup", "--to", place, "--data", old, "--url=https://amstel.example"), ":")
	restore := []string{"restore", "--from", filepath.Join(place, name), "--data", data}
	must(t, restore...)
	must(t, "user", "token", "anna", "--data", data)
	if _, said, code := command(t.Context(), restore...); code != exitUsage || !strings.Contains(said, "the database is not empty") {
		t.Errorf("a second time: exit %d: %s", code, said)
	}
}

// TestBackupCommandsRefuse: each refusal is one sentence that says what to do.
func TestBackupCommandsRefuse(t *testing.T) {
	long(t)
	t.Parallel()
	_, db := fresh(t)
	data, place := t.TempDir(), t.TempDir()
	out := must(t, "backup", "--to", place, "--data", data, db)
	name, _, _ := strings.Cut(out, ":")
	backup := filepath.Join(place, name)
	served := start(t, "serve", "--listen=127.0.0.1:0", "--data", data, db)
	for _, tt := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"a database that is not empty", []string{"restore", "--from", backup, "--data", t.TempDir(), db}, exitUsage, "the database is not empty, and nothing was changed"},
		{"a folder that is served", []string{"restore", "--from", backup, "--data", data, db}, exitUsage, "amstel serve is running in " + data},
		{"no name", []string{"restore", "--from", place, "--data", t.TempDir(), db}, exitUsage, "amstel backups --in " + place + " lists them"},
		{"no such backup", []string{"restore", "--from", filepath.Join(place, "20200101T000000Z"), "--data", t.TempDir(), db}, exitFailed, "not finished"},
		{"no repository", []string{"backups", "--in", t.TempDir()}, exitUsage, "is no repository of backups"},
		{"a bucket without a server", []string{"backup", "--to=s3://backups/amstel", "--data", data, db}, exitUsage, "need --backup-s3-endpoint"},
		{"a negative number", []string{"backup", "--to", place, "--keep=-1", "--data", data, db}, exitUsage, "--keep must be 1 or more"},
		{"a name that is none", []string{"backups", "--in", place, "--verify=yesterday"}, exitUsage, "is no name of a backup"},
	} {
		out, said, code := command(t.Context(), tt.args...)
		if code != tt.code || !strings.Contains(said, tt.want) || out != "" || strings.Contains(strings.TrimSpace(said), "\n") {
			t.Errorf("%s: exit %d, wrote %q and %q, want %d and %q", tt.name, code, out, said, tt.code, tt.want)
		}
	}
	served.stop()
	if err := os.Truncate(filepath.Join(backup, "database.dump"), 100); err != nil {
		t.Fatal(err)
	}
	out, said, code := command(t.Context(), "backups", "--in", place, "--verify", name)
	if code != exitFailed || !strings.Contains(out, "database.dump has 100 bytes") || !strings.Contains(said, "has 1 faults") {
		t.Errorf("a truncated dump: exit %d, %q and %q", code, out, said)
	}
}
