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
	name     string
	path     string // POST stands for the address of a post with comments
	stranger bool   // the reader is not signed in
}

var shots = []shot{
	{name: "front", path: "/", stranger: true},
	{name: "sign-up", path: "/users/sign_up", stranger: true},
	{name: "sign-in", path: "/users/sign_in", stranger: true},
	{name: "about", path: "/about", stranger: true},
	{name: "stranger-person", path: "/anna", stranger: true},
	{name: "stranger-post", path: "POST", stranger: true},
	{name: "not-found", path: "/anna/1", stranger: true},
	{name: "home", path: "/"},
	{name: "post", path: "POST"},
	{name: "own-page", path: "/anna"},
	{name: "person", path: "/dmitri"},
	{name: "private-person", path: "/boris"},
	{name: "comments", path: "/anna/comments"},
	{name: "likes", path: "/anna/likes"},
	{name: "calendar", path: "/anna/calendar"},
	{name: "subscribers", path: "/anna/subscribers"},
	{name: "group", path: "/kitchen"},
	{name: "group-new", path: "/groups/new"},
	{name: "everything", path: "/filter/everything"},
	{name: "best-of", path: "/filter/best_of"},
	{name: "groups", path: "/filter/groups"},
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
	{name: "people", path: "/settings/people"},
	{name: "lists", path: "/settings/lists"},
	{name: "status", path: "/about/status"},
	{name: "words", path: "/about/ban-hide-mute-block"},
	{name: "keys", path: "/about/keys"},
}

const (
	reader      = "anna" // the member of the sample community who looks at the pages
	windowRatio = 4      // of a page higher than so many windows, the rest is left out
	startWithin = time.Minute
	shotWithin  = 30 * time.Second
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
	link, err := exec.Command(program, "user", "link", "--data", data, reader).Output()
	if err != nil {
		return fmt.Errorf("make a link to sign in with: %w", err)
	}

	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU)
	allocator, free := chromedp.NewExecAllocator(context.Background(), options...)
	defer free()
	browser, cancel := chromedp.NewContext(allocator)
	defer cancel()
	if err := chromedp.Do(browser); err != nil {
		return fmt.Errorf("start Chromium: %w", err)
	}
	stranger, close1 := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	defer close1()
	member, close2 := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	defer close2()
	if err := chromedp.Do(member, chromedp.Navigate(strings.TrimSpace(string(link)))); err != nil {
		return fmt.Errorf("open the link to sign in with: %w", err)
	}
	if _, err := chromedp.RunResponse(member, chromedp.Click("form.form button.primary")); err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	const permalink = `(document.querySelector(".comment a[name]")?.getAttribute("href") ?? "").split("#")[0]`
	if err := chromedp.Do(member, chromedp.Navigate(url+"/"+reader)); err != nil {
		return fmt.Errorf("open the reader's page: %w", err)
	}
	post, err := chromedp.Run(member, chromedp.Evaluate[string](permalink))
	if err != nil || post == "" {
		return fmt.Errorf("find a post with comments: %q, %w", post, err)
	}
	for _, s := range shots {
		if len(only) > 0 && !slices.Contains(only, s.name) {
			continue
		}
		tab, path := member, s.path
		if s.stranger {
			tab = stranger
		}
		if path == "POST" {
			path = post
		}
		for width, height := range windows {
			for _, theme := range themes {
				for _, language := range languages {
					if !slices.Contains(widths, fmt.Sprint(width)) {
						continue
					}
					name := fmt.Sprintf("%s-%d-%s-%s.png", s.name, width, theme, language)
					picture, err := capture(tab, url+path, width, height, theme, language)
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

// serve starts a server with data in a folder, and returns the server's address and
// a function that ends the server.
func serve(program, data string) (url string, stop func() error, err error) {
	server := exec.Command(program, "serve", "--data", data, "--listen", "127.0.0.1:0")
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
