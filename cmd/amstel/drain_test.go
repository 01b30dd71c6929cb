package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// launchOn starts amstel serve in a process of its own, with arguments that name a database, and waits until
// it serves. The process is killed when the test ends.
func launchOn(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0], append([]string{"serve", "--listen=127.0.0.1:0", "--data", t.TempDir()}, args...)...)}
	p.Env = append(os.Environ(), mainEnv+"=1", "DATABASE_URL=")
	p.Stderr = &p.stderr
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("amstel serve: %v: %s", p.Wait(), p.stderr.String())
	}
	p.url = strings.TrimSpace(line)
	return p
}

// A slow is a request that has sent its header and only part of its body.
type slow struct {
	t    *testing.T
	conn net.Conn
	from *bufio.Reader
}

const slowBody = "user%5Bemail%5D=zoe&user%5Bpassword%5D=nothing"

// slowRequest sends the header of a request to sign in, and returns when the server waits for
// the body.
func (p *process) slowRequest(t *testing.T) *slow {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	fmt.Fprintf(conn, "POST /users/sign_in HTTP/1.1\r\nHost: amstel\r\nAccept: application/json\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", len(slowBody))
	s := &slow{t, conn, bufio.NewReader(conn)}
	line, err := s.from.ReadString('\n')
	if err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("the header is answered %q, %v, want 100 Continue", line, err)
	}
	if _, err := s.from.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return s
}

// finish sends the body, and returns the status of the answer.
func (s *slow) finish() int {
	s.t.Helper()
	if _, err := io.WriteString(s.conn, slowBody); err != nil {
		s.t.Fatal(err)
	}
	response, err := http.ReadResponse(s.from, nil)
	if err != nil {
		s.t.Fatalf("a slow request: %v", err)
	}
	defer response.Body.Close()
	if text, err := io.ReadAll(response.Body); err != nil || !strings.Contains(string(text), "bad_credentials") {
		s.t.Errorf("a slow request: %s, %v", text, err)
	}
	return response.StatusCode
}

// upgrade opens a socket.
func (p *process) upgrade(ctx context.Context) (*websocket.Conn, *http.Response, error) {
	return websocket.Dial(ctx, "ws"+strings.TrimPrefix(p.url, "http")+"/live", &websocket.DialOptions{Subprotocols: []string{"amstel.v1"}})
}

// openEverything reads the page of everything, subscribes to it, and returns the socket when
// the hello has come.
func (p *process) openEverything(t *testing.T) *websocket.Conn {
	t.Helper()
	_, text := get(t, http.DefaultClient, p.url+"/filter/everything.json")
	var page struct{ River struct{ UUID string } }
	if err := json.Unmarshal([]byte(text), &page); err != nil {
		t.Fatal(err)
	}
	conn, _, err := p.upgrade(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.CloseNow() })
	sub := fmt.Sprintf(`{"type":"sub","river":%q,"page":"/filter/everything","as":"json"}`, page.River.UUID)
	if err := conn.Write(t.Context(), websocket.MessageText, []byte(sub)); err != nil {
		t.Fatal(err)
	}
	if _, hello, err := conn.Read(t.Context()); err != nil || !strings.Contains(string(hello), `"type":"hello"`) {
		t.Fatalf("the first frame is %s, %v, want a hello", hello, err)
	}
	return conn
}

// goodbye reads a socket to its end, and fails the test unless the last frame is a bye and the
// close code says that the server restarts.
func goodbye(t *testing.T, conn *websocket.Conn) {
	t.Helper()
	last := ""
	for {
		_, frame, err := conn.Read(t.Context())
		if err != nil {
			if code := websocket.CloseStatus(err); code != websocket.StatusServiceRestart || !strings.Contains(last, `"type":"bye"`) {
				t.Errorf("a socket is closed with %d after %s: %v", code, last, err)
			}
			return
		}
		last = string(frame)
	}
}

// TestNodeDrains sends SIGTERM to a node. Before it ends, the node reports that it is not ready,
// refuses new sockets, says goodbye on open ones, and answers all further requests.
func TestNodeDrains(t *testing.T) {
	long(t)
	t.Parallel()
	_, db := fresh(t)
	// The pause leaves time for the requests of the test. No other step takes that long.
	p := launchOn(t, db, "--drain=30s", "--drain-pause=3s")
	one, other := p.openEverything(t), p.openEverything(t)
	request := p.slowRequest(t)
	if status, text := get(t, http.DefaultClient, p.url+"/readyz"); status != http.StatusOK {
		t.Fatalf("/readyz answers %d: %s", status, text)
	}

	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	status, text := http.StatusOK, ""
	for status == http.StatusOK { // the signal may not have arrived
		status, text = get(t, http.DefaultClient, p.url+"/readyz")
	}
	if status != http.StatusServiceUnavailable || text != "not ready: stopping: it is about to stop\n" {
		t.Errorf("/readyz answers %d: %s", status, text)
	}
	if status, _ := get(t, http.DefaultClient, p.url+"/filter/everything"); status != http.StatusOK {
		t.Errorf("a page read while the node stops is answered %d", status)
	}
	if _, text := get(t, http.DefaultClient, p.url+"/about/status.json"); !strings.Contains(text, `"state":"stopping"`) {
		t.Errorf("the status page says %s", text)
	}
	if conn, answer, err := p.upgrade(t.Context()); err == nil || answer == nil || answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" {
		t.Errorf("a new socket is answered %v, %v, want 503", answer, err)
		if err == nil {
			conn.CloseNow()
		}
	}
	goodbye(t, one)
	goodbye(t, other)
	if status := request.finish(); status != http.StatusUnauthorized {
		t.Errorf("the slow request is answered %d", status)
	}
	if err := p.Wait(); err != nil {
		t.Errorf("the process ends with %v", err)
	}
	said := p.stderr.String()
	for _, want := range []string{"msg=started", "msg=ready position=", "msg=stopping sockets=2 within=30s", "msg=drained sockets=2 whole=true"} {
		if !strings.Contains(said, want) {
			t.Errorf("the log does not say %q", want)
		}
	}
	// A busy machine is slow, and late with jobs.
	slow := strings.Count(said, `msg="slow request"`) + strings.Count(said, `msg="a job is late`)
	if strings.Count(said, "level=WARN") != slow || strings.Contains(said, "level=ERROR") || t.Failed() {
		t.Errorf("the log says %s", said)
	}
}

// TestNodeDoesNotWaitForEver sends SIGTERM to a node with a request that does not end. The node
// cuts the request off when the time of --drain is over.
func TestNodeDoesNotWaitForEver(t *testing.T) {
	long(t)
	t.Parallel()
	_, db := fresh(t)
	p := launchOn(t, db, "--drain=1s")
	request := p.slowRequest(t)
	began := time.Now()
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Errorf("it ends with %v: %s", err, p.stderr.String())
	}
	if took := time.Since(began); took < 900*time.Millisecond {
		t.Errorf("it did not wait: %s", took)
	}
	if n, err := request.from.Read(make([]byte, 1)); err == nil {
		t.Errorf("the request is answered with %d bytes", n)
	}
	if said := p.stderr.String(); !strings.Contains(said, "requests did not end in time") || !strings.Contains(said, "msg=drained sockets=0 whole=false") {
		t.Errorf("the log says %s", said)
	}
}

// TestSecondSignal: a second signal ends the process at once.
func TestSecondSignal(t *testing.T) {
	long(t)
	t.Parallel()
	_, db := fresh(t)
	p := launchOn(t, db, "--drain=10m", "--drain-pause=9m")
	p.slowRequest(t)
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for status := http.StatusOK; status == http.StatusOK; {
		status, _ = get(t, http.DefaultClient, p.url+"/readyz")
	}
	// The node reports that it is stopping shortly before a second signal gets its default
	// effect. One signal may be lost in between, so the test repeats it.
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = p.Wait()
	}()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for running := true; running; {
		select {
		case <-ended:
			running = false
		case <-again.C:
			_ = p.Process.Signal(syscall.SIGTERM) // the process may have ended
		}
	}
	if status, ok := p.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() || status.Signal() != syscall.SIGTERM {
		t.Errorf("it ends with %v", p.ProcessState)
	}
}
