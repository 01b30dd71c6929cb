package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
)

// fayeModule is the client of Faye, which npm installs beside the client's compiler.
const fayeModule = "../../web/client/node_modules/faye"

// TestClientOfFayeComesBack runs the client of Faye, which was written for Mokum's server, by
// WebSocket and by polling, while the node is killed and started again. Each time the client
// comes back by itself, and gets the posts from in between and afterwards.
func TestClientOfFayeComesBack(t *testing.T) {
	long(t)
	t.Parallel()
	args := []string{"web", "--listen=127.0.0.1:0", "--database", pgtest.URL(t), "--river", filepath.Join(t.TempDir(), "river.db")}
	m := startKillable(t, "", args...)
	site := m.url
	args[1] = "--listen=" + strings.TrimPrefix(site, "http://")
	var cookie string
	call := func(method, path, body string) (answer struct {
		River struct{ UUID string }
	}) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, site+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}, "Cookie": {cookie}}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != 200 || json.Unmarshal(text, &answer) != nil {
			t.Fatalf("%s is answered %d %s", path, res.StatusCode, text)
		}
		if set := res.Header.Get("Set-Cookie"); set != "" && cookie == "" {
			cookie, _, _ = strings.Cut(set, ";")
		}
		return answer
	}
	call("POST", "/api/v1/users", `{"user": {"name": "anna", "email": "anna@example.org", "password": "password of anna"}}`)
	uuid := call("GET", "/index.json", "").River.UUID
	listening := map[string]*written{}
	for _, transport := range []string{"websocket", "long-polling"} {
		heard := &written{}
		listening[transport] = heard
		module, err := filepath.Abs(fayeModule)
		if err != nil {
			t.Fatal(err)
		}
		client := exec.CommandContext(t.Context(), "node", "testdata/faye.cjs", module, site, uuid, transport)
		client.Stdout, client.Stderr = heard, heard
		if err := client.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = client.Wait() })
	}
	hear := func(what string) {
		t.Helper()
		limit := time.Now().Add(time.Minute)
		for transport, heard := range listening {
			for !bytes.Contains([]byte(heard.String()), []byte(what)) {
				if time.Now().After(limit) {
					t.Fatalf("by %s the client does not hear %q, but %s", transport, what, heard)
				}
				time.Sleep(20 * time.Millisecond) // what another process does can only be polled
			}
		}
	}
	post := func(text string) {
		t.Helper()
		call("POST", "/api/v1/posts.json", `{"post": {"timelines": ["user"], "text": "`+text+`"}}`)
	}
	hear(`"subscribed"`)
	for _, round := range []string{"one", "two"} {
		post("before " + round)
		hear("before " + round)
		m.kill()
		m = startKillable(t, "", args...)
		post("meanwhile " + round)
		hear("meanwhile " + round)
		post("after " + round)
		hear("after " + round)
	}
}
