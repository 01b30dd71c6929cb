package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"amstel.dev/amstel/internal/pgtest"
)

// startDemo starts the demonstration with data in a folder, and returns a client that is signed in as the
// guest, the address of the site, and a function that stops the demonstration.
func startDemo(t *testing.T, data string, flags ...string) (guest *http.Client, address string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	var stderr written
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, append([]string{"demo", "--listen=127.0.0.1:0", "--data", data}, flags...), streams{out: in, err: &stderr})
		in.Close()
	}()
	stop = func() {
		cancel()
		if code := <-code; code != 0 {
			t.Errorf("the demonstration ends with %d: %s", code, stderr.String())
		}
	}
	lines := bufio.NewReader(out)
	address, _ = lines.ReadString('\n')
	invitation, _ := lines.ReadString('\n')
	link := regexp.MustCompile(`http\S+/users/link/\S+`).FindString(invitation)
	if link == "" {
		stop()
		t.Fatalf("the demonstration prints %q and %q: %s", address, invitation, stderr.String())
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	guest = &http.Client{Jar: jar}
	response, err := guest.PostForm(link, url.Values{})
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return guest, strings.TrimSpace(address), stop
}

func TestDemoGoesOnWithItsDataUnlessStartedAfresh(t *testing.T) {
	long(t)
	t.Parallel()
	data := pgtest.Folder(t)
	guest, address, stop := startDemo(t, data)
	if _, home := get(t, guest, address+"/"); !strings.Contains(home, `data-viewer="guest"`) || strings.Count(home, "<article") < 10 {
		t.Errorf("the guest's home has %d entries: %s", strings.Count(home, "<article"), home)
	}
	response, err := guest.PostForm(address+"/api/v1/posts", url.Values{"post[text]": {"The guest was here"}, "post[timelines][]": {"user"}})
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	stop()
	guest, address, stop = startDemo(t, data)
	if _, page := get(t, guest, address+"/guest"); !strings.Contains(page, "The guest was here") {
		t.Error("after a restart the guest's post is gone")
	}
	stop()
	guest, address, stop = startDemo(t, data, "--fresh")
	defer stop()
	if _, page := get(t, guest, address+"/guest"); strings.Contains(page, "The guest was here") {
		t.Error("after a fresh start the guest's post is still there")
	}
}

func TestDemoSparesASite(t *testing.T) {
	long(t)
	t.Parallel()
	data := pgtest.Folder(t)
	must(t, "user", "add", "anna", "--email=anna@example.org", "--data", data)
	for _, flags := range [][]string{nil, {"--fresh"}} {
		_, err, code := command(t.Context(), append([]string{"demo", "--listen=127.0.0.1:0", "--data", data}, flags...)...)
		if code != exitUsage || !strings.Contains(err, "has the database of a site") {
			t.Errorf("with %q: exit %d: %s", flags, code, err)
		}
	}
	if link := must(t, "user", "link", "anna", "--url=https://amstel.example", "--data", data); !strings.Contains(link, linkPath) {
		t.Errorf("the site has lost its person: %q", link)
	}
}
