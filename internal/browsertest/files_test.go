package browsertest

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// pictures writes pictures of these names, each of its own shade, and returns their paths.
func (s *site) pictures(names ...string) (paths []string) {
	s.Helper()
	folder := s.TempDir()
	for i, name := range names {
		m := image.NewGray(image.Rect(0, 0, 90, 60))
		for at := range m.Pix {
			m.Pix[at] = uint8(40 * (i + 1))
		}
		m.SetGray(1, 1, color.Gray{Y: 255})
		var b bytes.Buffer
		s.must(png.Encode(&b, m))
		paths = append(paths, filepath.Join(folder, name))
		s.must(os.WriteFile(paths[i], b.Bytes(), 0o600))
	}
	return paths
}

// worked works off the queue of uploads, and waits until pages show the files.
func (s *site) worked() {
	s.Helper()
	for more := true; more; {
		var err error
		more, err = s.keeper.Work(s.Context())
		s.must(err)
	}
	s.shown()
}

// choose chooses files in the field of a CSS selector.
func (tb *tab) choose(selector string, paths ...string) {
	tb.Helper()
	tb.do(chromedp.SetUploadFiles(chromedp.CSS(selector), paths))
}

// loadedPictures is a script that returns the descriptions of the pictures in the entries of
// the page, in their order, of those that are loaded.
const loadedPictures = `[...document.querySelectorAll(".entry .pictures img")].filter((i) => i.complete && i.naturalWidth > 0).map((i) => i.alt).join("; ")`

// TestFilesByForm posts pictures, and describes, moves and removes them, as a person does in
// a browser, with and without script.
func TestFilesByForm(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for _, scripts := range []bool{false, true} {
		name := "without script"
		if scripts {
			name = "with script"
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, "ann")
			ann := b.person(s, "ann")
			send := ann.leave
			if scripts {
				ann.live("/ann")
				send = ann.click
			} else {
				ann.withoutScript()
				ann.do(chromedp.Navigate(s.url + "/ann"))
			}
			const own = "article.entry:nth-of-type(1)"

			t.Log("posts three pictures")
			ann.choose("#post-form input[type=file]", s.pictures("a.png", "b.png", "c.png")...)
			ann.enter("#post-form textarea", "look at these")
			send("#post-form button.primary")
			ann.sees("the post", `document.querySelector(".entry .text")?.textContent.includes("look at these")`)
			s.worked()
			if !scripts {
				ann.do(chromedp.Navigate(s.url + "/ann"))
			}
			ann.sees("three pictures", loadedPictures+` === "Picture: a.png; Picture: b.png; Picture: c.png"`)

			t.Log("describes one, removes one, moves one to the end")
			ann.leave(own + " [data-part=likes] .actions > a.link[href$='/edit']")
			ann.rewrite(".file-fields li:nth-child(3) input[maxlength]", "a dark field")
			ann.rewrite(".file-fields li:nth-child(1) .file-place input", "9")
			ann.click(".file-fields li:nth-child(2) input[type=checkbox]")
			ann.leave("form button.primary")
			ann.do(chromedp.Navigate(s.url + "/ann"))
			ann.sees("two pictures", loadedPictures+` === "a dark field; Picture: a.png"`)

			t.Log("comments with a picture")
			ann.click(own + " a[href^='#f']")
			ann.choose(own+" form[data-part=form] input[type=file]", s.pictures("spoon.png")...)
			ann.enter(own+" form[data-part=form] textarea", "and a spoon")
			send(own + " form[data-part=form] button")
			ann.sees("the comment", `document.querySelector(".entry .comment .text")?.textContent.includes("and a spoon")`)
			s.worked()
			if !scripts {
				ann.do(chromedp.Navigate(s.url + "/ann"))
			}
			ann.sees("the picture of the comment", loadedPictures+` === "a dark field; Picture: a.png; Picture: spoon.png"`)
		})
	}
}
