package browsertest

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"

	"amstel.dev/amstel/internal/preview"
)

// fetches runs a worker that fetches the pages of previews, as a node does. The worker may
// connect to a server of the test too.
func (s *site) fetches(server *httptest.Server) {
	options := preview.Options{URL: s.url, Permit: []netip.AddrPort{netip.MustParseAddrPort(server.Listener.Addr().String())}}
	if s.maker != nil {
		options.Maker = s.maker
	}
	worker := preview.New(s.store, s.files, options)
	ctx, cancel := context.WithCancel(s.Context())
	var running sync.WaitGroup
	running.Go(func() { worker.Run(ctx, nil) })
	s.Cleanup(func() {
		cancel()
		running.Wait()
	})
}

// TestPreviewAppears posts a link to a page of another server: its preview appears on the open
// pages of the author and of a reader, with its picture, and goes when the author wants none.
func TestPreviewAppears(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	s := newSite(t, "ann", "bob")
	soups := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/soup.png" {
			w.Header().Set("Content-Type", "image/png")
			var data bytes.Buffer
			s.must(png.Encode(&data, image.NewGray(image.Rect(0, 0, 300, 200))))
			w.Write(data.Bytes())
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<title>Soup of the day</title><meta name="description" content="With leeks."><meta property="og:image" content="/soup.png">`)
	}))
	t.Cleanup(soups.Close)
	s.fetches(soups)
	ann, bob := b.person(s, "ann"), b.person(s, "bob")
	ann.live("/ann")
	bob.live("/ann")
	const card = `document.querySelector(".entry a.preview")`

	ann.enter("#post-form textarea", "cook this: "+soups.URL+"/")
	ann.click("#post-form button.primary")
	for _, reader := range []*tab{ann, bob} {
		reader.sees("the preview", card+`?.textContent.replace(/\s+/g, " ").trim() === "Soup of the day With leeks. 127.0.0.1"`)
		if s.maker != nil {
			reader.sees("its picture", card+`.querySelector("img").naturalWidth === 300`)
		}
	}

	t.Log("wants none any more")
	ann.click(".entry a[href$='/menu']")
	ann.click(".menu-box a[href$='/edit']")
	ann.click(".in-place .form-more > summary")
	ann.click(".in-place input[type=checkbox][name='post[link_preview]']")
	ann.click(".in-place button.primary")
	for _, reader := range []*tab{ann, bob} {
		reader.sees("no preview", `document.querySelector(".entry .text") && !`+card)
	}
	ann.same()
	bob.same()

	t.Log("wants none from the beginning")
	ann.click("#post-form details.post-to > summary")
	ann.click("#post-form input[type=checkbox][name='post[link_preview]']")
	ann.enter("#post-form textarea", "and this: "+soups.URL+"/another")
	ann.click("#post-form button.primary")
	ann.sees("the post", `document.querySelectorAll(".entry").length === 2`)
	post := 0
	s.must(s.pool.QueryRow(t.Context(), `select count(*) from previews where address = $1`, soups.URL+"/another").Scan(&post))
	if post != 0 {
		t.Error("the page is fetched all the same")
	}
}
