package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"amstel.dev/amstel/internal/pgserver"
	"amstel.dev/amstel/internal/pgtest"
)

// A site is an amstel that serves in the test's process.
type site struct {
	url  string
	stop func() (code int, err string)
}

// start runs a command that serves, and waits until it prints the address of the site. The site is
// stopped when the test ends; a second call of stop returns the same as the first.
func start(t *testing.T, args ...string) site {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	var stderr bytes.Buffer
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, args, streams{out: in, err: &stderr})
		in.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	stop := sync.OnceValues(func() (int, string) {
		cancel()
		return <-code, stderr.String()
	})
	t.Cleanup(func() { stop() })
	if err != nil {
		code, said := stop()
		t.Fatalf("amstel %q: exit %d: %s", args, code, said)
	}
	return site{strings.TrimSpace(line), stop}
}

// get returns the status and body of a page, and ends the test if there is no answer.
func get(t *testing.T, client *http.Client, address string) (int, string) {
	t.Helper()
	response, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func TestServe(t *testing.T) {
	t.Parallel()
	_, db := fresh(t)
	data := t.TempDir()
	must(t, "user", "add", "anna", "--email=anna@example.org", db)
	s := start(t, "serve", "--listen=127.0.0.1:0", "--data", data, db)
	if status, text := get(t, http.DefaultClient, s.url+"/"); status != http.StatusOK || !strings.Contains(text, "data-river=") {
		t.Errorf("the first page answers %d", status)
	}
	if status, text := get(t, http.DefaultClient, s.url+"/readyz"); status != http.StatusOK {
		t.Errorf("/readyz answers %d: %s", status, text)
	}

	out, err, code := command(t.Context(), "serve", "--listen=127.0.0.1:0", "--data", data, db)
	if want := fmt.Sprintf("amstel serve is already running in this data folder: pid %d, at %s", os.Getpid(), s.url); code != exitFailed || !strings.Contains(err, want) {
		t.Errorf("a second one in the folder: exit %d, %q and %q, want %q", code, out, err, want)
	}
	address := strings.TrimPrefix(s.url, "http://")
	out, err, code = command(t.Context(), "serve", "--listen", address, "--data", t.TempDir(), db)
	if code != exitFailed || !strings.Contains(err, "another program listens on") {
		t.Errorf("one at the same port: exit %d, %q and %q", code, out, err)
	}
	if out := must(t, "check", "--data", data, db); !strings.Contains(out, "1 rivers with 0 entries, 0 differences") {
		t.Errorf("check says %q", out)
	}

	link := strings.TrimSpace(must(t, "user", "link", "anna", "--data", data, db))
	if !strings.HasPrefix(link, s.url+"/") {
		t.Fatalf("the link is %q", link)
	}
	jar, jarErr := cookiejar.New(nil)
	if jarErr != nil {
		t.Fatal(jarErr)
	}
	client := &http.Client{Jar: jar}
	if status, _ := get(t, client, link); status != http.StatusOK {
		t.Errorf("the link's page answers %d", status)
	}
	response, postErr := client.PostForm(link, url.Values{})
	if postErr != nil {
		t.Fatal(postErr)
	}
	response.Body.Close()
	if _, text := get(t, client, s.url+"/"); !strings.Contains(text, `data-viewer="anna"`) {
		t.Error("the link did not sign anna in")
	}

	if code, err := s.stop(); code != 0 {
		t.Errorf("stopping: exit %d: %s", code, err)
	}
	again := start(t, "serve", "--listen", address, "--data", data, db)
	if _, text := get(t, client, again.url+"/"); !strings.Contains(text, `data-viewer="anna"`) {
		t.Error("anna is not signed in after a restart")
	}
}

func TestNodesAndCron(t *testing.T) {
	long(t)
	t.Parallel()
	_, db := fresh(t)
	data := t.TempDir()
	one := start(t, "web", "--listen=127.0.0.1:0", "--data", data, db)
	other := start(t, "web", "--listen=127.0.0.1:0", "--data", data, db)
	for _, s := range []site{one, other} {
		if status, _ := get(t, http.DefaultClient, s.url+"/"); status != http.StatusOK {
			t.Errorf("%s answers %d", s.url, status)
		}
	}
	out, err, code := command(t.Context(), "web", "--listen=127.0.0.1:0", "--data", data, db,
		"--river", filepath.Join(data, "river-"+strings.TrimPrefix(one.url, "http://127.0.0.1:")+".db"))
	if code != exitFailed || !strings.Contains(err, "is another node's") {
		t.Errorf("a node with another's river DB: exit %d, %q and %q", code, out, err)
	}
	if out := must(t, "check", "--data", data, "--viewer=0", db); strings.Count(out, "0 differences") != 2 {
		t.Errorf("check says %q", out)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err, code := command(ctx, "cron", db); code != 0 {
		t.Errorf("cron: exit %d: %s", code, err)
	}
}

func TestNodeSettings(t *testing.T) {
	t.Parallel()
	_, db := fresh(t)
	for _, tt := range []struct {
		name string
		args []string
		code int
		err  string
	}{
		{"an address", []string{"serve", "--listen=8080"}, exitUsage, "--listen"},
		{"a public address", []string{"serve", "--listen=127.0.0.1:0", "--url=amstel.example"}, exitUsage, "--url"},
		{"a proxy", []string{"serve", "--trust-proxy=10.0.0.0"}, exitUsage, "--trust-proxy"},
		{"a time", []string{"serve", "--grace=long"}, exitUsage, "--grace"},
		{"a level", []string{"web", "--log=loud"}, exitUsage, "--log"},
		{"a port", []string{"web", "--port=high"}, exitUsage, "--port"},
		{"a river DB to check", []string{"check", "--river=/nowhere/river.db"}, exitUsage, "--river"},
		{"no river DB to check", []string{"check", "--data", t.TempDir()}, exitUsage, "no river DB"},
		{"whose link", []string{"user", "link", "anna", "--data", t.TempDir()}, exitUsage, "--url"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			args := tt.args
			if args[0] == "serve" {
				args = append(args, "--data", t.TempDir())
			}
			out, err, code := command(t.Context(), append(args, db)...)
			if code != tt.code || !strings.Contains(err, tt.err) {
				t.Errorf("exit %d, wrote %q and %q, want %d and %q", code, out, err, tt.code, tt.err)
			}
		})
	}
}

// A process is an amstel that serves in a process of its own.
type process struct {
	*exec.Cmd
	url    string
	stderr bytes.Buffer
}

// launch starts amstel serve with a private PostgreSQL in a data folder, and waits until it
// serves. The test is skipped if PostgreSQL is not installed, except in CI.
func launch(t *testing.T, data string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0], "serve", "--listen=127.0.0.1:0", "--data", data)}
	p.Env = append(os.Environ(), mainEnv+"=1", "DATABASE_URL=")
	p.Stderr = &p.stderr
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		_ = p.Wait()
		if strings.Contains(p.stderr.String(), pgserver.ErrMissing.Error()) && os.Getenv("CI") == "" {
			t.Skipf("SKIPPED, NOT TESTED: %s", p.stderr.String())
		}
		t.Fatalf("amstel serve: %s", p.stderr.String())
	}
	p.url = strings.TrimSpace(line)
	return p
}

// end sends a signal, waits for the end of the process, and returns its error.
func (p *process) end(sig syscall.Signal) error {
	if err := p.Process.Signal(sig); err != nil {
		return err
	}
	return p.Wait()
}

func TestServeWithPrivatePostgreSQL(t *testing.T) {
	long(t)
	t.Parallel()
	data := pgtest.Folder(t)
	p := launch(t, data)
	// While the process runs, another command uses its PostgreSQL.
	must(t, "user", "add", "anna", "--email=anna@example.org", "--data", data)
	if status, _ := get(t, http.DefaultClient, p.url+"/anna"); status != http.StatusOK {
		t.Errorf("the page of an account added beside the server answers %d", status)
	}
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Errorf("SIGTERM: %v: %s", err, p.stderr.String())
	}
	// After its end, a command starts PostgreSQL for its own duration.
	if token := must(t, "user", "token", "anna", "--data", data); len(token) < 20 {
		t.Errorf("the token is %q", token)
	}

	p = launch(t, data)
	if status, _ := get(t, http.DefaultClient, p.url+"/anna"); status != http.StatusOK {
		t.Errorf("after a restart the account's page answers %d", status)
	}
	if err := p.end(syscall.SIGKILL); err == nil {
		t.Error("a killed process ends without an error")
	}
	p = launch(t, data)
	if status, _ := get(t, http.DefaultClient, p.url+"/anna"); status != http.StatusOK {
		t.Errorf("after a kill the account's page answers %d", status)
	}
	if err := p.end(syscall.SIGINT); err != nil {
		t.Errorf("SIGINT: %v: %s", err, p.stderr.String())
	}
	if said := p.stderr.String(); strings.Contains(said, "level=ERROR") {
		t.Errorf("the log has errors: %s", said)
	}
}
