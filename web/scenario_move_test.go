package web_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/audit"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline/importer"
	"amstel.dev/amstel/timeline/importer/archive"
	"amstel.dev/amstel/web"
)

// TestBackupMovesIn saves the pages of two people as backup programs do, and moves both into an empty site, one
// after the other, and again. The pages there are equal, and nothing is doubled.
func TestBackupMovesIn(t *testing.T) {
	long(t)
	t.Parallel()
	there := setup(t, "alice", "bobby", "carol")
	lived(t, there)
	pages := []string{"/alice", "/bobby", "/rowing", "/alice/likes", "/bobby/comments", "/filter/directs"}

	pool := pgtest.New(t)
	for i, name := range []string{"alice", "bobby", "alice", "bobby"} {
		report := moveIn(t, pool, backup(t, there.as(name), name))
		if again := i >= 2; again != (report.New() == 0) {
			t.Errorf("import %d: %v", i+1, &report)
		}
	}
	if findings, err := audit.Check(t.Context(), pool); err != nil || len(findings) > 0 {
		t.Errorf("the primary: %v %v", findings, err)
	}

	here := setupOn(t, pool, web.Config{})
	for name := range there.ids {
		found, err := here.store.Lookup(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		here.ids[name] = found.User
	}
	for _, viewer := range []string{"alice", "bobby", ""} {
		for _, path := range pages {
			if viewer == "" && path == "/filter/directs" {
				continue
			}
			want, got := there.shown(viewer, path), here.shown(viewer, path)
			if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 && viewer == "alice" {
				t.Errorf("%s for %q (-there +here):\n%s", path, viewer, diff)
			}
		}
	}
}

// lived creates the content of a backup: posts in all kinds of places, with comments and likes.
func lived(t *testing.T, b *bundle) {
	t.Helper()
	alice, bobby, carol := b.as("alice"), b.as("bobby"), b.as("carol")
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "rowing", "display_name": "Rowing", "status": "private"}}).ok()
	alice.send("POST", "/api/v1/groups/rowing/invitations", object{"to": "bobby"}).ok()
	for _, invitation := range bobby.get("/api/v1/invitations").ok().at("invitations").([]any) {
		bobby.send("PUT", "/api/v1/invitations/"+at(invitation, "uuid").(string), nil).ok()
	}
	bobby.send("POST", "/api/v1/users/alice/subscribers", nil).ok()
	alice.send("POST", "/api/v1/users/bobby/subscribers", nil).ok()
	busy := alice.post("De brug gaat open #Canals\n\nTwee regels, @bobby & <b>", "user")
	for i := range 7 {
		[]*client{bobby, carol, alice}[i%3].comment(busy, fmt.Sprint("comment ", i))
	}
	for _, c := range []*client{bobby, carol} {
		c.send("POST", "/api/v1/posts/"+busy+"/likes", nil).ok()
	}
	alice.post("in both", "user", "group:rowing")
	rowed := bobby.post("only in the group", "group:rowing")
	alice.comment(rowed, "a comment in the group")
	alice.send("POST", "/api/v1/posts/"+rowed+"/likes", nil).ok()
	alice.post("for few", "user_private")
	alice.post("for my eyes", "user_fyeo")
	direct := alice.post("a direct", "direct:bobby")
	bobby.comment(direct, "an answer")
	bobby.post("by bobby", "user")
}

// backup saves the pages of a person as backup programs do: the pages of the feed and of the directs, and each post
// of them. Their own group is saved, too.
func backup(t *testing.T, c *client, name string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	save := func(path string) answer {
		a := c.get(path).ok()
		if err := os.WriteFile(filepath.Join(folder, strings.NewReplacer("/", "_", "?", "_").Replace(path)+".json"), []byte(a.body), 0o600); err != nil {
			t.Fatal(err)
		}
		return a
	}
	for _, start := range []string{"//" + name + ".json", "//" + name + "/private.json", "//rowing.json", "//filter/directs.json", "//filter/fyeo.json", "//" + name + "/comments.json", "//" + name + "/likes.json"} {
		for path := start; path != ""; {
			page := save(path)
			for _, e := range page.at("entries").([]any) {
				save("/" + at(e, "url").(string) + ".json")
			}
			path, _ = page.at("older_entries_url").(string)
		}
	}
	return folder
}

// moveIn imports an archive.
func moveIn(t *testing.T, pool *pgxpool.Pool, folder string) importer.Report {
	t.Helper()
	a, err := archive.Open(folder, archive.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	lines, feed := io.Pipe()
	wrote := make(chan error, 1)
	go func() {
		_, skipped, err := a.Lines(feed, archive.Options{Find: func(name string) (importer.Account, error) {
			return importer.FindAccount(context.Background(), pool, name)
		}})
		if err == nil && len(skipped) > 0 {
			err = fmt.Errorf("not taken:\n%s", skipped)
		}
		wrote <- err
		feed.CloseWithError(err)
	}()
	report, err := importer.Import(t.Context(), pool, lines, importer.Options{Source: "mokum"})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-wrote; err != nil {
		t.Error(err)
	}
	return report
}

// shown returns the entries of a page in words that do not depend on the site's ids.
func (b *bundle) shown(viewer, path string) (all []string) {
	b.t.Helper()
	c := b.visitor()
	if viewer != "" {
		c = b.as(viewer)
	}
	a := c.get(path + ".json")
	if a.status != 200 {
		return []string{fmt.Sprint(a.status)}
	}
	name := func(id any) any { return a.at("users", numberText(id), "name") }
	for _, e := range a.at("entries").([]any) {
		said := fmt.Sprint(name(at(e, "user_id")), " ", at(e, "text"), " ", at(e, "published_at"), " ", at(e, "fresh_at"), " ", at(e, "timelines"), " ", at(e, "status"), " ", at(e, "is_direct"))
		for _, liker := range at(e, "likes").([]any) {
			said += fmt.Sprint(" liked by ", name(liker))
		}
		said += fmt.Sprint(" ", at(e, "comments_count"))
		for _, comment := range at(e, "comments").([]any) {
			said += fmt.Sprint(" | ", name(at(comment, "user_id")), " ", at(comment, "text"), " ", at(comment, "created_at"))
		}
		all = append(all, said)
	}
	return all
}
