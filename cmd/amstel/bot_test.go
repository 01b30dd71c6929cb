package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
)

// clientFolder is the package of the client for TypeScript.
const clientFolder = "../../web/client"

// TestBotsAnswerEachMentionOnce runs the example bots of both clients, while the server is killed and started
// again, and so are the bots. Each bot answers each mention exactly once, even a mention from before the
// bot was started. The bot in TypeScript runs from the package that npm builds.
func TestBotsAnswerEachMentionOnce(t *testing.T) {
	long(t)
	t.Parallel()
	args := []string{"web", "--listen=127.0.0.1:0", "--database", pgtest.URL(t), "--river", filepath.Join(t.TempDir(), "river.db")}
	m := startKillable(t, "", args...)
	site := m.url
	args[1] = "--listen=" + strings.TrimPrefix(site, "http://")
	anna := signUp(t, site, "anna")
	bots := map[string]*robot{
		"gobot": {token: signUp(t, site, "gobot").token("bot"), command: goBot(t, site)},
		"jsbot": {token: signUp(t, site, "jsbot").token("bot"), command: nodeBot(t, site)},
	}
	post := anna.post("Good morning, @gobot and @jsbot")
	for _, b := range bots {
		b.start(t)
	}
	// answers waits until each bot has written n comments on the post.
	answers := func(n int) {
		t.Helper()
		limit := time.Now().Add(time.Minute)
		for {
			count := map[string]int{}
			for _, author := range anna.commenters(post) {
				count[author]++
			}
			if count["gobot"] == n && count["jsbot"] == n {
				return
			}
			if time.Now().After(limit) || count["gobot"] > n || count["jsbot"] > n {
				t.Fatalf("the post has comments %v, want %d of each bot; the bots wrote:\n%s\n%s", count, n, bots["gobot"].log, bots["jsbot"].log)
			}
			time.Sleep(20 * time.Millisecond) // what other processes do can only be polled
		}
	}
	answers(1)
	m.kill()
	startKillable(t, "", args...)
	anna.comment(post, "Once more, @jsbot, and you, @gobot!")
	answers(2)
	for _, b := range bots {
		b.stop()
	}
	anna.comment(post, "Are you there, @gobot? And @jsbot?")
	for _, b := range bots {
		b.start(t)
	}
	answers(3)
	anna.comment(post, "Nothing for robots: gobot, x@jsbot, @gobots")
	anna.comment(post, "The end, @gobot @jsbot")
	answers(4)
}

// A robot is a process that answers mentions.
type robot struct {
	token   string
	command func() *exec.Cmd
	running *exec.Cmd
	log     *written
}

// start starts the bot, and ends it with the test.
func (b *robot) start(t *testing.T) {
	t.Helper()
	b.log = &written{}
	b.running = b.command()
	b.running.Env = append(os.Environ(), "AMSTEL_TOKEN="+b.token)
	b.running.Stdout, b.running.Stderr = b.log, b.log
	if err := b.running.Start(); err != nil {
		t.Fatal(err)
	}
	running := b.running
	t.Cleanup(func() { _ = running.Process.Kill() }) // the process may have ended
}

// stop kills the bot.
func (b *robot) stop() {
	_ = b.running.Process.Kill()
	_ = b.running.Wait() // its error only says that the process was killed
}

// goBot builds the bot of the client for Go, and returns the command that runs it.
func goBot(t *testing.T, site string) func() *exec.Cmd {
	t.Helper()
	program := filepath.Join(t.TempDir(), "bot")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../../realtime/client/bot").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return func() *exec.Cmd { return exec.CommandContext(t.Context(), program, site) }
}

// nodeBot installs the package of the client as npm builds it, and returns the command that runs its bot. The
// option of the command gives Node.js before version 22 the WebSocket that browsers have.
func nodeBot(t *testing.T, site string) func() *exec.Cmd {
	t.Helper()
	folder := t.TempDir()
	pack := exec.CommandContext(t.Context(), "npm", "pack", "--silent", "--pack-destination", folder)
	pack.Dir = clientFolder
	name, err := pack.Output()
	if err != nil {
		t.Fatalf("npm pack: %v", err)
	}
	installed := filepath.Join(folder, "node_modules", "amstel-client")
	if err := os.MkdirAll(installed, 0o755); err != nil {
		t.Fatal(err)
	}
	unpack := exec.CommandContext(t.Context(), "tar", "xzf", filepath.Join(folder, strings.TrimSpace(string(name))), "-C", installed, "--strip-components=1")
	if out, err := unpack.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	source, err := os.ReadFile(filepath.Join(installed, "example", "bot.js"))
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(folder, "bot.mjs")
	if err := os.WriteFile(program, source, 0o644); err != nil {
		t.Fatal(err)
	}
	return func() *exec.Cmd {
		return exec.CommandContext(t.Context(), "node", "--experimental-websocket", "--no-warnings", program, site)
	}
}

// A person is an account with the session of a browser.
type person struct {
	t      *testing.T
	site   string
	cookie string
}

// signUp makes an account.
func signUp(t *testing.T, site, name string) *person {
	t.Helper()
	p := &person{t: t, site: site}
	p.call("POST", "/api/v1/users", fmt.Sprintf(`{"user": {"name": %q, "email": "%s@example.org", "password": "password of %s"}}`, name, name, name), nil)
	return p
}

// call sends a request and reads its answer.
func (p *person) call(method, path, body string, answer any) {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.site+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}, "Cookie": {p.cookie}}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		p.t.Fatalf("%s is answered %d %s", path, res.StatusCode, text)
	}
	if set := res.Header.Get("Set-Cookie"); set != "" && p.cookie == "" {
		p.cookie, _, _ = strings.Cut(set, ";")
	}
	if answer == nil {
		return
	}
	if err := json.Unmarshal(text, answer); err != nil {
		p.t.Fatalf("%s is answered %s", path, text)
	}
}

// token makes a token.
func (p *person) token(name string) string {
	p.t.Helper()
	var answer struct{ Token string }
	p.call("POST", "/api/v1/tokens", fmt.Sprintf(`{"token": {"name": %q}}`, name), &answer)
	return answer.Token
}

// post writes a post, and returns its number.
func (p *person) post(text string) int64 {
	p.t.Helper()
	var answer struct{ Post struct{ ID int64 } }
	p.call("POST", "/api/v1/posts", fmt.Sprintf(`{"post": {"timelines": ["user"], "text": %q}}`, text), &answer)
	return answer.Post.ID
}

// comment writes a comment.
func (p *person) comment(post int64, text string) {
	p.t.Helper()
	p.call("POST", fmt.Sprintf("/api/v1/posts/%d/comments", post), fmt.Sprintf(`{"comment": {"text": %q}}`, text), nil)
}

// commenters returns the names of those who wrote the comments on a post of anna's.
func (p *person) commenters(post int64) []string {
	p.t.Helper()
	var page struct {
		Entries []struct {
			Comments []struct {
				UserID int64 `json:"user_id"`
			}
		}
		Users map[int64]struct{ Name string }
	}
	p.call("GET", fmt.Sprintf("/anna/%d.json", post), "", &page)
	var names []string
	for _, c := range page.Entries[0].Comments {
		names = append(names, page.Users[c.UserID].Name)
	}
	return names
}
