package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestProxyExamples runs three nodes behind each proxy of docs/proxy, with its example unchanged
// except for names, ports and TLS. While the nodes are restarted one by one, open pages show new
// posts, and pages load.
func TestProxyExamples(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		program, example string
		plain            []string // pairs of a text and its replacement, to work without TLS
		command          func(folder, example string) (*exec.Cmd, error)
	}{
		{"nginx", "nginx.conf", []string{
			"listen 443 ssl;", "listen PROXY;",
			"    ssl_certificate /etc/ssl/amstel.example.pem;\n", "",
			"    ssl_certificate_key /etc/ssl/private/amstel.example.key;\n", "",
			"Host $host", "Host $http_host", // with the port, which a real site does not need
		}, runNginx},
		{"haproxy", "haproxy.cfg", []string{
			"bind :443 ssl crt /etc/ssl/private/amstel.example.pem", "bind PROXY",
			"maxconn 100000", "maxconn 1000", // a test may not be allowed to open as many
		}, func(_, example string) (*exec.Cmd, error) {
			return exec.Command("haproxy", "-db", "-f", example), nil
		}},
		{"caddy", "Caddyfile", []string{"amstel.example {", "{\n\tadmin off\n\tauto_https off\n}\nhttp://PROXY {"}, func(folder, example string) (*exec.Cmd, error) {
			c := exec.Command("caddy", "run", "--config", example, "--adapter", "caddyfile")
			c.Env = append(os.Environ(), "HOME="+folder, "XDG_DATA_HOME="+folder, "XDG_CONFIG_HOME="+folder)
			return c, nil
		}},
	} {
		t.Run(tt.program, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(tt.program); errors.Is(err, exec.ErrNotFound) {
				t.Skipf("SKIPPED, NOT TESTED: %v", err)
			}
			proxy := steadyAddress(t)
			c := newCluster(t, 3, "--url=http://"+proxy, "--trust-proxy=127.0.0.0/8")
			c.behind(proxy, tt.example, tt.plain, tt.command)
			c.usedThrough("http://" + proxy)
		})
	}
}

// runNginx returns a command that runs nginx with a configuration that includes the example.
func runNginx(folder, example string) (*exec.Cmd, error) {
	whole := fmt.Sprintf("daemon off; master_process off; pid %[1]s/pid; error_log stderr warn; events {} http { access_log off;", folder)
	for _, what := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		whole += fmt.Sprintf(" %s_temp_path %s/%s;", what, folder, what)
	}
	path := filepath.Join(folder, "whole.conf")
	err := os.WriteFile(path, []byte(whole+" include "+example+"; }\n"), 0o600)
	return exec.Command("nginx", "-c", path, "-e", "stderr", "-p", folder), err
}

// behind starts a proxy before the nodes, with the example of that name, and waits until a node
// answers through it.
func (c *cluster) behind(proxy, name string, plain []string, command func(folder, example string) (*exec.Cmd, error)) {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "proxy", name))
	if err != nil {
		c.t.Fatal(err)
	}
	for i := 0; i < len(plain); i += 2 {
		if !strings.Contains(string(text), plain[i]) {
			c.t.Fatalf("the example has no %q", plain[i])
		}
	}
	for i, m := range c.nodes {
		plain = append(plain, fmt.Sprintf("127.0.0.1:808%d", i+1), m.address)
	}
	folder := c.t.TempDir()
	example := filepath.Join(folder, name)
	ours := strings.ReplaceAll(strings.NewReplacer(plain...).Replace(string(text)), "PROXY", proxy)
	if err := os.WriteFile(example, []byte(ours), 0o600); err != nil {
		c.t.Fatal(err)
	}
	program, err := command(folder, example)
	if err != nil {
		c.t.Fatal(err)
	}
	var said written
	program.Stdout, program.Stderr = &said, &said
	if err := program.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() {
		_ = program.Process.Kill()
		_ = program.Wait() // it was killed
		if c.t.Failed() {
			c.t.Logf("output of the proxy with %s: %.3000s", name, said.String())
		}
	})
	until(c.t, minute, func() string {
		a, err := ask(c.t.Context(), http.MethodGet, "http://"+proxy+"/readyz", credential{}, nil)
		if err != nil || a.status != http.StatusOK {
			return fmt.Sprintf("/readyz through the proxy answers %v, %d %s; the proxy's output: %s", err, a.status, a.body, said.String())
		}
		return ""
	})
}

// usedThrough opens pages, loads pages and publishes posts through a proxy, while each node is
// restarted in turn.
func (c *cluster) usedThrough(site string) {
	c.t.Helper()
	var pages []*livePage
	var people []credential
	for i, name := range []string{"anna", "bert", "carl"} {
		id, _ := c.person(name)
		who := c.session(id)
		people = append(people, who)
		pages = append(pages, c.open(site, "/filter/everything.json", who, uint64(i)), c.open(site, "/index.json", credential{}, uint64(10+i)))
	}
	// The proxy adds headers by which nodes recognise clients behind it. Such clients may not
	// read metrics.
	if a, err := ask(c.t.Context(), http.MethodGet, site+"/metrics", credential{}, nil); err != nil || a.status != http.StatusNotFound {
		c.t.Errorf("through the proxy /metrics answers %v, %d", err, a.status)
	}
	c.publishThrough(site, people[0], "before", pages)

	// Pages can be loaded all the time, while each node is stopped and started again.
	ctx, cancel := context.WithCancel(c.t.Context())
	var reader sync.WaitGroup
	loads, failed := 0, 0
	reader.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			if _, err := c.page(ctx, site, "/filter/everything.json", people[i%len(people)]); err != nil && ctx.Err() == nil {
				failed++
				c.t.Log(err)
			}
			loads++
		}
	})
	for i, m := range c.nodes {
		c.stopNode(m)
		c.publishThrough(site, people[i], fmt.Sprintf("while node %d is down", i), pages)
		c.start(m)
		c.waitReady(m)
	}
	cancel()
	reader.Wait()
	if failed > 0 {
		c.t.Errorf("%d of %d page loads failed while nodes were restarted", failed, loads)
	}
	if *nodesLong { // wait longer than any proxy keeps a quiet connection
		quiet := make([]int, len(pages))
		for i, p := range pages {
			quiet[i] = p.countEnds()
		}
		<-time.After(100 * time.Second)
		for i, p := range pages {
			if p.countEnds() > quiet[i] {
				c.t.Errorf("the connection of a quiet page ended: %s", p.describe())
			}
		}
	}
	c.publishThrough(site, people[0], "after", pages)
	for _, p := range pages {
		until(c.t, minute, func() string { return c.difference(p) })
		if p.countEnds() == 0 {
			c.t.Errorf("a page's node was never restarted: %s", p.describe())
		}
	}
}

// countEnds returns how often the page's connection ended.
func (p *livePage) countEnds() (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, times := range p.closed {
		n += times
	}
	return n
}

// publishThrough publishes a post through the proxy, and waits until all pages show it.
func (c *cluster) publishThrough(site string, who credential, text string, pages []*livePage) {
	c.t.Helper()
	body := map[string]any{"post": map[string]any{"text": text, "timelines": []string{"user"}}, "_uuid": "00000000-0000-4000-8000-" + fmt.Sprintf("%012x", time.Now().UnixMilli())}
	until(c.t, minute, func() string {
		a, err := ask(c.t.Context(), http.MethodPost, site+"/api/v1/posts.json", who, body)
		if err != nil || a.status >= 300 {
			return fmt.Sprintf("%q can't be published: %v, %d %s", text, err, a.status, a.body)
		}
		return ""
	})
	for _, p := range pages {
		if c.t.Failed() {
			c.t.FailNow() // otherwise each page could take a whole minute
		}
		p.waitShows(text)
	}
}

// waitReady waits until a node is ready.
func (c *cluster) waitReady(m *member) {
	c.t.Helper()
	until(c.t, minute, func() string {
		a, err := ask(c.t.Context(), http.MethodGet, "http://"+m.address+"/readyz", credential{}, nil)
		if err != nil || a.status != http.StatusOK {
			return fmt.Sprintf("%s answers %v, %d %s", m.address, err, a.status, a.body)
		}
		return ""
	})
}
