package main

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestServeWorksAtUploads uploads a file to a process, which makes an attachment of it without a further
// request. When that process has ended, the test reads the file from another one.
func TestServeWorksAtUploads(t *testing.T) {
	long(t)
	t.Parallel()
	_, db := fresh(t)
	data := t.TempDir()
	must(t, "user", "add", "anna", "--email=anna@example.org", db)
	token := strings.TrimSpace(must(t, "user", "token", "anna", "--data", data, db))
	s := start(t, "serve", "--listen=127.0.0.1:0", "--data", data, "--file-size=1KiB", db)
	request := func(method, address, kind string, body io.Reader) (int, http.Header, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, address, body)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-API-Token", token)
		r.Header.Set("Content-Type", kind)
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close()
		text, err := io.ReadAll(a.Body)
		if err != nil {
			t.Fatal(err)
		}
		return a.StatusCode, a.Header, string(text)
	}
	upload := func(bytesOfFile int) (int, string) {
		t.Helper()
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		part, err := form.CreateFormFile("attachment[attachment][]", "notes.txt")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = part.Write(bytes.Repeat([]byte("n"), bytesOfFile))
		if err := form.Close(); err != nil {
			t.Fatal(err)
		}
		status, _, said := request("POST", s.url+"/api/v1/attachments.json", form.FormDataContentType(), &body)
		return status, said
	}
	if status, said := upload(1025); status != http.StatusRequestEntityTooLarge || !strings.Contains(said, "file_too_large") {
		t.Errorf("a file above --file-size: %d %s", status, said)
	}
	if status, said := upload(1000); status != http.StatusOK {
		t.Fatalf("%d %s", status, said)
	}
	var queue struct {
		Attachments []struct {
			OriginalURL string `json:"original_url"`
		}
		Queued int `json:"queued_count"`
	}
	for deadline := time.Now().Add(time.Minute); len(queue.Attachments) == 0; {
		_, _, said := request("GET", s.url+"/api/v1/attachments.json", "", nil)
		if err := json.Unmarshal([]byte(said), &queue); err != nil {
			t.Fatalf("%s: %v", said, err)
		}
		if time.Now().After(deadline) {
			t.Fatalf("the upload is not worked at: %s", said)
		}
		time.Sleep(20 * time.Millisecond) // what another goroutine does shows only over HTTP
	}
	if code, said := s.stop(); code != 0 {
		t.Errorf("stopping: exit %d: %s", code, said)
	}
	other := start(t, "web", "--listen=127.0.0.1:0", "--data", data, db)
	status, header, text := request("GET", other.url+queue.Attachments[0].OriginalURL, "", nil)
	if status != http.StatusOK || text != strings.Repeat("n", 1000) || header.Get("Cache-Control") != "private, no-cache" {
		t.Errorf("%d, %d bytes, %v", status, len(text), header)
	}
	if status, _ := get(t, http.DefaultClient, other.url+queue.Attachments[0].OriginalURL); status != http.StatusNotFound {
		t.Errorf("without the token: %d", status)
	}

	checks := func(what, want string, code int, more ...string) {
		t.Helper()
		out, _, got := command(t.Context(), append([]string{"check", "--data", data, db}, more...)...)
		if got != code || !strings.Contains(out, want) {
			t.Errorf("check of %s: exit %d, want %d, and %q of\n%s", what, got, code, want, out)
		}
	}
	checks("a sound store", "uploaded files: 1 needed, 0 of them missing and 0 damaged; 0 not needed\n", 0, "--read-files")
	var file string
	err := filepath.WalkDir(filepath.Join(data, "files"), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := d.Info(); err == nil && info.Size() == 1000 {
			file = path
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, make([]byte, 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	checks("a damaged file that is not read", "0 of them missing and 0 damaged", 0)
	checks("a damaged file", " as original\nuploaded files: 1 needed, 0 of them missing and 1 damaged", 1, "--read-files")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	checks("a file that is gone", " as original\nuploaded files: 1 needed, 1 of them missing and 0 damaged", 1)
}
