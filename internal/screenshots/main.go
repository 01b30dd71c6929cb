// Command screenshots takes pictures of the pages of a server with the sample
// community, in each combination of width, theme and language, for designers of the pages
// and writers of their manual. It starts the server itself:
//
//	make screenshots                                   all pages, to bin/screenshots
//	go run ./internal/screenshots -only home,settings  some pages
//
// A picture is named PAGE-WIDTH-THEME-LANGUAGE.png, and shows the whole page, but at
// most four windows of it.
package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// A shot is a page to take pictures of.
type shot struct {
	name string
	path string // POST at the beginning stands for the address of a post with comments
	by   reader
}

// A reader is a kind of visitor who looks at a page.
type reader int

const (
	member   reader = iota // anna, of the sample community
	stranger               // is not signed in
	newcomer               // has a new account, and administers the site
	readers  = 3
)

// accounts has the names of the accounts of readers.
var accounts = [readers]string{member: "anna", newcomer: "nora"}

var shots = []shot{
	{name: "front", path: "/", by: stranger},
	{name: "sign-up", path: "/users/sign_up", by: stranger},
	{name: "sign-in", path: "/users/sign_in", by: stranger},
	{name: "forgot", path: "/users/forgot", by: stranger},
	{name: "forgot-sent", path: "/users/forgot?sent", by: stranger},
	{name: "mails", path: "/about/mails", by: stranger},
	{name: "about", path: "/about", by: stranger},
	{name: "stranger-person", path: "/anna", by: stranger},
	{name: "stranger-post", path: "POST", by: stranger},
	{name: "not-found", path: "/anna/1", by: stranger},
	{name: "newcomer", path: "/", by: newcomer},
	{name: "site", path: "/settings/site", by: newcomer},
	{name: "suspensions", path: "/settings/suspensions?name=ann", by: newcomer},
	{name: "home", path: "/"},
	{name: "post", path: "POST"},
	{name: "own-page", path: "/anna"},
	{name: "person", path: "/dmitri"},
	{name: "private-person", path: "/boris"},
	{name: "comments", path: "/anna/comments"},
	{name: "likes", path: "/anna/likes"},
	{name: "photos", path: "/anna/photos"},
	{name: "calendar", path: "/anna/calendar"},
	{name: "edit", path: "POST/edit"},
	{name: "new-post", path: "/posts/new"},
	{name: "group-edit", path: "/kitchen/edit"},
	{name: "subscribers", path: "/anna/subscribers"},
	{name: "group", path: "/kitchen"},
	{name: "group-new", path: "/groups/new"},
	{name: "everything", path: "/filter/everything"},
	{name: "best-of", path: "/filter/best_of"},
	{name: "groups", path: "/filter/groups"},
	{name: "people", path: "/filter/people"},
	{name: "directs", path: "/filter/directs"},
	{name: "discussions", path: "/filter/discussions"},
	{name: "mentions", path: "/filter/mentions"},
	{name: "favourites", path: "/filter/favs"},
	{name: "search", path: "/s?q=hello"},
	{name: "notifications", path: "/notifications"},
	{name: "requests", path: "/requests"},
	{name: "settings", path: "/settings"},
	{name: "account", path: "/settings/account"},
	{name: "privacy", path: "/settings/privacy"},
	{name: "notices", path: "/settings/notices"},
	{name: "appearance", path: "/settings/appearance"},
	{name: "tokens", path: "/settings/tokens"},
	{name: "data", path: "/settings/data"},
	{name: "relations", path: "/settings/people"},
	{name: "lists", path: "/settings/lists"},
	{name: "status", path: "/about/status"},
	{name: "words", path: "/about/ban-hide-mute-block"},
	{name: "keys", path: "/about/keys"},
}

const (
	windowRatio = 4 // of a page higher than so many windows, the rest is left out
	startWithin = time.Minute
	shotWithin  = 3 * time.Minute // a busy machine takes its time
)

var windows = map[int64]int64{390: 844, 1024: 768, 1440: 900} // heights by width

func main() {
	program := flag.String("program", "bin/amstel", "the server's program")
	folder := flag.String("to", "bin/screenshots", "folder for the pictures")
	only := flag.String("only", "", "names of pages, separated by commas; empty: all")
	widths := flag.String("widths", "390,1024,1440", "widths of the window, in pixels")
	themes := flag.String("themes", "light,dark", "themes")
	languages := flag.String("languages", "en,ru", "languages")
	flag.Parse()
	if err := run(*program, *folder, list(*only), list(*widths), list(*themes), list(*languages)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func list(words string) []string {
	return strings.FieldsFunc(words, func(r rune) bool { return r == ',' })
}

// run starts a server and Chromium, and takes the pictures.
func run(program, folder string, only, widths, themes, languages []string) (err error) {
	for _, name := range only {
		if !slices.ContainsFunc(shots, func(s shot) bool { return s.name == name }) {
			return fmt.Errorf("there is no page %q to take a picture of", name)
		}
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	data, err := os.MkdirTemp("", "amstel-screenshots-")
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, os.RemoveAll(data)) }()
	url, stop, err := serve(program, data)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, stop()) }()
	if out, err := exec.Command(program, "import", "--data", data, "internal/sample/sample.jsonl").CombinedOutput(); err != nil {
		return fmt.Errorf("import the sample community: %w\n%s", err, out)
	}
	if out, err := exec.Command(program, "user", "add", "--data", data, "--email", "nora@example.org", "--admin", accounts[newcomer]).CombinedOutput(); err != nil {
		return fmt.Errorf("add an account: %w\n%s", err, out)
	}

	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU)
	allocator, free := chromedp.NewExecAllocator(context.Background(), options...)
	defer free()
	browser, cancel := chromedp.NewContext(allocator)
	defer cancel()
	if err := chromedp.Do(browser); err != nil {
		return fmt.Errorf("start Chromium: %w", err)
	}
	var tabs [readers]context.Context
	for by := range tabs {
		tab, shut := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
		defer shut()
		if tabs[by] = tab; accounts[by] == "" {
			continue
		}
		if err := signIn(tab, program, data, accounts[by]); err != nil {
			return fmt.Errorf("sign in as %s: %w", accounts[by], err)
		}
	}
	const permalink = `(document.querySelector(".comment a[name]")?.getAttribute("href") ?? "").split("#")[0]`
	if err := chromedp.Do(tabs[member], chromedp.Navigate(url+"/"+accounts[member])); err != nil {
		return fmt.Errorf("open the reader's page: %w", err)
	}
	post, err := chromedp.Run(tabs[member], chromedp.Evaluate[string](permalink))
	if err != nil || post == "" {
		return fmt.Errorf("find a post with comments: %q, %w", post, err)
	}
	for _, s := range shots {
		if len(only) > 0 && !slices.Contains(only, s.name) {
			continue
		}
		path := s.path
		if below, found := strings.CutPrefix(path, "POST"); found {
			path = post + below
		}
		for width, height := range windows {
			for _, theme := range themes {
				for _, language := range languages {
					if !slices.Contains(widths, fmt.Sprint(width)) {
						continue
					}
					name := fmt.Sprintf("%s-%d-%s-%s.png", s.name, width, theme, language)
					picture, err := capture(tabs[s.by], url+path, width, height, theme, language)
					if err == nil {
						err = os.WriteFile(filepath.Join(folder, name), picture, 0o644)
					}
					if err != nil {
						return fmt.Errorf("%s: %w", name, err)
					}
				}
			}
		}
	}
	return nil
}

// signIn signs in to an account with a link for it.
func signIn(tab context.Context, program, data, name string) error {
	link, err := exec.Command(program, "user", "link", "--data", data, name).Output()
	if err != nil {
		return fmt.Errorf("make a link to sign in with: %w", err)
	}
	if err := chromedp.Do(tab, chromedp.Navigate(strings.TrimSpace(string(link)))); err != nil {
		return fmt.Errorf("open the link to sign in with: %w", err)
	}
	_, err = chromedp.RunResponse(tab, chromedp.Click("form.form button.primary"))
	return err
}

// serve starts a server with data in a folder, and returns the server's address and
// a function that ends the server.
func serve(program, data string) (url string, stop func() error, err error) {
	server := exec.Command(program, "serve", "--data", data, "--listen", "127.0.0.1:0", "--mail", "file:"+filepath.Join(data, "mails"), "--mail-from", "site@amstel.example")
	server.Stderr = os.Stderr
	out, err := server.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := server.Start(); err != nil {
		return "", nil, err
	}
	stop = func() error {
		if err := server.Process.Signal(syscall.SIGTERM); err != nil {
			return err
		}
		return server.Wait()
	}
	timer := time.AfterFunc(startWithin, func() { _ = server.Process.Kill() }) // ends the reading below
	defer timer.Stop()
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if url = lines.Text(); strings.HasPrefix(url, "http") {
			return url, stop, nil
		}
	}
	return "", nil, errors.Join(errors.New("the server did not start"), server.Wait())
}

// capture returns a picture of a page, as PNG. The page is opened in a tab of its own,
// beside the reader's.
func capture(reader context.Context, url string, width, height int64, theme, language string) ([]byte, error) {
	tab, shut := chromedp.NewContext(reader)
	defer shut()
	ctx, cancel := context.WithTimeout(tab, shotWithin)
	defer cancel()
	if err := chromedp.Do(tab); err != nil { // the tab outlives the time limit of each action in it
		return nil, fmt.Errorf("open a tab: %w", err)
	}
	set := func(ctx context.Context, _ *chromedp.Target) error {
		if _, err := chromedp.Call(ctx, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: network.Headers{"Accept-Language": language}}); err != nil {
			return err
		}
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"},
		}})
		return err
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, height), chromedp.Func(set)); err != nil {
		return nil, fmt.Errorf("set the window: %w", err)
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(url)); err != nil {
		return nil, fmt.Errorf("open the page: %w", err)
	}
	whole, err := chromedp.Run(ctx, chromedp.Evaluate[float64]("document.documentElement.scrollHeight"))
	if err != nil {
		return nil, fmt.Errorf("read the page's height: %w", err)
	}
	shown := min(max(whole, float64(height)), float64(windowRatio*height))
	got, err := chromedp.Call(ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{
		CaptureBeyondViewport: new(true), Clip: &page.Viewport{Width: float64(width), Height: shown, Scale: 1},
	})
	return got.Data, err
}
