package web_test

import (
	"archive/zip"
	"io"
	"strings"
	"testing"

	"amstel.dev/amstel/internal/attachment"
	"amstel.dev/amstel/internal/export"
	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline/exporter"
	"amstel.dev/amstel/web"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/page"
)

// TestExportIsForItsPersonOnly starts an export by the form of the settings, without script, and downloads
// the file. All other readers get 404, and so do requests with a token, and the person after the export
// was deleted.
func TestExportIsForItsPersonOnly(t *testing.T) {
	t.Parallel()
	files, err := filestore.OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := files.Close(); err != nil {
			t.Error(err)
		}
	})
	late := &lateKeeper{}
	b := setupOn(t, pgtest.New(t), web.Config{Files: late}, "alice", "bobby")
	late.Keeper = attachment.New(b.store, files, attachment.Options{Maker: fakeMaker{}})
	english, _ := catalogue.Find("en")
	worker := export.New(b.store, files, export.Options{Pages: func(string) exporter.Pages { return page.Export{Language: english} }})
	b.as("alice").post("the bridge is open", "user")
	b.as("alice").post("dear diary", "user_fyeo")
	hidden := b.as("bobby").post("a secret of bobby's", "user_fyeo")

	if _, err := b.pool.Exec(t.Context(), `
		insert into passkeys (user_id, credential_id, public_key, sign_count, backup_eligible, backed_up, transports, aaguid, name, created_at)
		values ($1, 'id', 'key of the phone', 0, false, false, '{}', '', 'a small phone', now())`, b.ids["alice"]); err != nil {
		t.Fatal(err)
	}

	alice, bobby := b.browser("alice"), b.browser("bobby")
	alice.header.Set("Origin", b.http.URL)
	bobby.header.Set("Origin", b.http.URL)
	alice.form("POST", "/api/v1/exports", "return_to", page.DataPath).leadsTo(page.DataPath)
	alice.form("POST", "/api/v1/exports", "return_to", page.DataPath).leadsTo(page.DataPath)
	if body := alice.get(page.DataPath).ok().body; strings.Count(body, `data-state="queued"`) != 1 {
		t.Fatalf("the page does not show one queued export:\n%s", body)
	}
	for more := true; more; {
		if more, err = worker.Work(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	shown := alice.get(page.DataPath).ok().body
	_, rest, found := strings.Cut(shown, `href="`+page.DataPath+`/`)
	path, _, _ := strings.Cut(rest, `"`)
	if !found || !strings.Contains(shown, `data-state="ready"`) {
		t.Fatalf("the page offers no file:\n%s", shown)
	}
	path = page.DataPath + "/" + path

	file := alice.get(path).ok()
	if got := file.header.Get("Cache-Control"); got != "private, no-store" {
		t.Errorf("the file may be kept: %q", got)
	}
	z, err := zip.NewReader(strings.NewReader(file.body), int64(len(file.body)))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	names := map[string]bool{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		names[f.Name] = true
		all.Write(text)
	}
	for _, want := range []string{"the bridge is open", "dear diary", "a small phone"} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("the file lacks %q", want)
		}
	}
	if strings.Contains(all.String(), "key of the phone") {
		t.Error("the file has the key of a passkey")
	}
	if strings.Contains(all.String(), "a secret of bobby's") || strings.Contains(all.String(), hidden) {
		t.Error("the file has what another person keeps for their eyes only")
	}
	if !names["index.html"] {
		t.Errorf("the file has no index.html, but %v", names)
	}

	for name, a := range map[string]answer{
		"another person":             bobby.get(path),
		"a visitor":                  b.visitor().get(path),
		"a token of the person":      b.as("alice").get(path),
		"another person by deleting": bobby.send("DELETE", "/api/v1/exports/"+strings.Split(path, "/")[3], nil),
	} {
		if a.status < 300 || strings.HasPrefix(a.body, "PK") { // a visitor is led to the page for signing in
			t.Errorf("%s is answered %d", name, a.status)
		}
	}
	alice.get(path).ok()
	alice.form("POST", "/api/v1/exports/"+strings.Split(path, "/")[3], "_method", "DELETE", "return_to", page.DataPath).leadsTo(page.DataPath)
	if a := alice.get(path); a.status != 404 {
		t.Errorf("a deleted export is answered %d", a.status)
	}

	// With the one of the morning and four more, the exports of the day are used up.
	session := b.session("alice")
	for range 4 {
		id := session.send("POST", "/api/v1/exports", nil).ok().id("export", "id")
		session.send("DELETE", "/api/v1/exports/"+id, nil).ok()
	}
	refused := session.send("POST", "/api/v1/exports", nil)
	if refused.status != 429 || refused.at("code") != "throttled" || refused.header.Get("Retry-After") == "" ||
		!strings.Contains(refused.body, "You have asked for a download of everything often enough today. Try again in 24 hours.") {
		t.Errorf("the sixth export is answered %d, %v: %s", refused.status, refused.header, refused.body)
	}
	alice.header.Set("Accept-Language", "ru")
	if a := alice.form("POST", "/api/v1/exports", "return_to", page.DataPath); a.status != 429 || !strings.Contains(a.body, "Попробуйте снова через 24 часа.") {
		t.Errorf("in Russian: %d %s", a.status, a.body)
	}
}
