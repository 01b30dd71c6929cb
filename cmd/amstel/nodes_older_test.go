package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/world"
	"amstel.dev/amstel/migrations"
	"amstel.dev/amstel/timeline"
)

// olderVersion returns the commit of the version before this one: the last release or, before the
// first release, the commit before the one that added the newest migration. The test is skipped
// without the history of the repository; .ci/run fetches the history, and says if it can't.
func olderVersion(t *testing.T) string {
	t.Helper()
	git := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", "../..", "-c", "safe.directory=*"}, args...)...).Output()
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out))
	}
	if git("rev-parse", "--is-shallow-repository") != "false" {
		t.Skip("SKIPPED, NOT TESTED: the history of the repository is not here")
	}
	if tag := git("describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", "HEAD^"); tag != "" {
		return git("rev-parse", tag+"^{commit}")
	}
	added := git("log", "-1", "--format=%H", "--diff-filter=A", "--", fmt.Sprintf("migrations/%04d_*.sql", migrations.Newest()))
	if added == "" {
		return git("rev-parse", "HEAD") // the newest migration is not committed yet
	}
	return git("rev-parse", added+"^")
}

// buildVersion builds the program of a commit, and returns its path. The source is in the same folder
// each time, because Go takes packages from its cache for the same folder only.
func buildVersion(t *testing.T, commit string) string {
	t.Helper()
	source := filepath.Join(os.TempDir(), "amstel-older-"+commit)
	if err := os.Mkdir(source, 0o700); err != nil {
		source = t.TempDir() // another test uses the folder
	} else {
		t.Cleanup(func() { _ = os.RemoveAll(source) })
	}
	program := filepath.Join(t.TempDir(), "amstel")
	for _, script := range []string{
		`git -C ../.. -c 'safe.directory=*' archive "$1" | tar -x -C "$2"`,
		`cd "$2" && exec go build -buildvcs=false -gcflags=amstel.dev/amstel/...=-l -ldflags='-s -w' -o "$3" ./cmd/amstel`,
	} {
		if out, err := exec.Command("bash", "-o", "pipefail", "-c", script, "bash", commit, source, program).CombinedOutput(); err != nil {
			t.Fatalf("%s of %s: %v\n%s", script, commit, err, out)
		}
	}
	return program
}

// TestOlderVersionServesBesideThisOne starts a node of the older version, and then one of this version,
// which migrates the database under the older node. People write on both nodes, and the random world
// writes. Each node shows to each person the same posts as the other, open pages follow, and rivers
// equal fresh builds. Then this version takes over the river DB of the older node.
func TestOlderVersionServesBesideThisOne(t *testing.T) {
	long(t)
	t.Parallel()
	older := buildVersion(t, olderVersion(t))
	url := pgtest.EmptyURL(t)
	c := &cluster{t: t, db: "--database=" + url, data: t.TempDir(), pool: pgtest.Open(t, url)}
	c.store = timeline.New(c.pool, timeline.Options{Argon: pgtest.Argon})
	runOlder := func(args ...string) string {
		t.Helper()
		out, err := exec.Command(older, append(args, "--data", c.data, c.db)...).CombinedOutput()
		if err != nil {
			t.Fatalf("the older version ends %q with %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	first := &member{address: steadyAddress(t)}
	process := startProgram(t, older, "", "web", "--listen", first.address, "--data", c.data, "--log=error", c.db)
	first.url = process.url
	schema := func() int64 {
		t.Helper()
		version, err := migrations.Version(t.Context(), c.pool)
		if err != nil {
			t.Fatal(err)
		}
		return version
	}
	before := schema()
	people := map[string]credential{}
	for _, name := range []string{"anna", "ben"} {
		runOlder("user", "add", name, "--email", name+"@example.org")
		people[name] = credential{token: runOlder("user", "token", name)}
	}
	write := func(m *member, who, path string, body map[string]any) (id int64) {
		t.Helper()
		a, err := ask(t.Context(), http.MethodPost, m.url+path, people[who], body)
		if err != nil || a.status >= 300 {
			t.Fatalf("%s answers %s of %s with %d %s, %v", m.url, path, who, a.status, a.body, err)
		}
		var said struct{ Post struct{ ID int64 } }
		if err := json.Unmarshal([]byte(a.body), &said); err != nil {
			t.Fatal(err)
		}
		return said.Post.ID
	}
	post := func(m *member, who, text string) int64 {
		t.Helper()
		return write(m, who, "/api/v1/posts", map[string]any{"post": map[string]any{"timelines": []string{"user"}, "text": text}})
	}
	post(first, "anna", "before the upgrade")

	second := &member{address: steadyAddress(t)}
	c.start(second)
	c.nodes = []*member{first, second}
	t.Logf("the older version has schema %d, this one %d", before, schema())
	must(t, "settings", "quotas.token", "0", c.db) // the test asks again and again until nodes agree
	w := world.New(t, c.store, 1)
	// The nodes look at imported feeds themselves. The pages of a suspended person end, also if the person is restored.
	w.Without = map[string]bool{"imported feed": true, "suspend": true}
	for _, who := range w.People {
		people[who.Name] = c.token(who.ID)
	}
	names := slices.Sorted(maps.Keys(people))
	paths := []string{"/index.json", "/filter/everything.json", "/filter/discussions.json", "/filter/directs.json"}
	pages := map[*member][]*livePage{}
	for i, m := range c.nodes {
		for j, name := range names {
			pages[m] = append(pages[m], c.open(m.url, paths[j%2], people[name], uint64(10*i+j)))
		}
	}
	for i := range 40 {
		c.step(w)
		here, there := c.nodes[i%2], c.nodes[(i+1)%2]
		id := post(here, "anna", fmt.Sprintf("post %d", i))
		write(there, "ben", fmt.Sprintf("/api/v1/posts/%d/comments", id), map[string]any{"comment": map[string]any{"text": fmt.Sprintf("comment %d", i)}})
		write(here, "ben", fmt.Sprintf("/api/v1/posts/%d/likes", id), nil)
	}
	if err := w.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}

	for _, name := range names {
		if slices.ContainsFunc(w.Gone, func(p *world.Person) bool { return p.Name == name }) {
			continue
		}
		for _, path := range paths {
			until(t, minute, func() string { return c.versionsDiffer(path, people[name]) })
			if t.Failed() {
				t.FailNow() // each wait takes a minute
			}
		}
	}
	for m, open := range pages {
		for _, p := range open {
			until(t, minute, func() string {
				if p.endedWith() != 0 {
					return "" // the person's account was deleted
				}
				now, err := c.page(t.Context(), m.url, p.path+"?count=100", p.who)
				if err != nil {
					return err.Error()
				}
				return p.difference(now)
			})
			if t.Failed() {
				t.Fatal(p.describe())
			}
		}
	}
	if page, err := c.page(t.Context(), first.url, "/filter/everything.json", people["ben"]); err != nil || !slices.ContainsFunc(page.Entries, func(e entry) bool { return e.Text == "post 39" }) {
		t.Errorf("the older node does not show the last post, which the other node took: %v", err)
	}
	river := func(m *member) []string {
		return []string{"check", "--river", filepath.Join(c.data, "river-"+m.address[strings.LastIndex(m.address, ":")+1:]+".db")}
	}
	for _, said := range []string{runOlder(river(first)...), must(t, append(river(second), "--data", c.data, c.db)...)} {
		if !strings.Contains(said, " 0 differences") {
			t.Errorf("check prints %s", said)
		}
	}

	if err := process.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	ended := <-process.died
	if process.died <- ended; ended != nil {
		t.Errorf("the older node stopped with %v: %s", ended, process.said.String())
	}
	c.start(first)
	for _, name := range []string{"anna", "ben"} {
		until(t, minute, func() string { return c.versionsDiffer("/index.json", people[name]) })
	}
}

// versionsDiffer returns how the pages of two nodes of different versions differ for a person, or an
// empty string. Versions may draw an entry in different ways, so it does not compare tags.
func (c *cluster) versionsDiffer(path string, who credential) string {
	var all [][]entry
	for _, m := range c.nodes {
		page, err := c.page(c.t.Context(), m.url, path+"?count=100", who)
		if err != nil {
			return err.Error()
		}
		for i := range page.Entries {
			page.Entries[i].Tag = ""
		}
		all = append(all, page.Entries)
	}
	if diff := cmp.Diff(all[0], all[1]); diff != "" {
		return fmt.Sprintf("%s differs between the nodes: %s", path, diff)
	}
	return ""
}
