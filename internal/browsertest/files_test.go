package browsertest

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"amstel.dev/amstel/timeline"
)

// pictures writes pictures with these names, each in a shade of its own, and returns their
// paths.
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

// loadedPictures is a script that returns the descriptions of the loaded pictures in the page's
// entries, in order.
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
			edits := ".sheet"
			if scripts {
				edits = ".in-place"
			}
			send(own + " a[href$='/menu']")
			send(".menu-box a[href$='/edit']")
			ann.rewrite(edits+" .file-fields li:nth-child(3) input[maxlength]", "a dark field")
			ann.rewrite(edits+" .file-fields li:nth-child(1) .file-place input", "9")
			ann.click(edits + " .file-fields li:nth-child(2) input[type=checkbox]")
			send(edits + " button.primary")
			if !scripts {
				ann.do(chromedp.Navigate(s.url + "/ann"))
			}
			ann.sees("two pictures", loadedPictures+` === "a dark field; Picture: a.png"`)

			t.Log("comments with a picture")
			send(own + " a[href$='#f']")
			ann.choose(own+" form.comment-form input[type=file]", s.pictures("spoon.png")...)
			ann.enter(own+" form.comment-form textarea", "and a spoon")
			send(own + " form.comment-form button:not([type])")
			ann.sees("the comment", `document.querySelector(".entry .comment .text")?.textContent.includes("and a spoon")`)
			s.worked()
			if !scripts {
				ann.do(chromedp.Navigate(s.url + "/ann"))
			}
			ann.sees("the picture of the comment", loadedPictures+` === "a dark field; Picture: a.png; Picture: spoon.png"`)
		})
	}
}

// hand is a script that gives a picture to a form by an event: by paste or drop.
const hand = `(async (kind, selector, name) => {
	const canvas = Object.assign(document.createElement("canvas"), { width: 9, height: 6 });
	canvas.getContext("2d").fillRect(0, 0, 5, 5);
	const data = new DataTransfer();
	data.items.add(new File([await new Promise((resolve) => canvas.toBlob(resolve))], name));
	const all = { bubbles: true, cancelable: true };
	const event = kind === "paste" ? new ClipboardEvent(kind, { ...all, clipboardData: data }) : new DragEvent(kind, { ...all, dataTransfer: data });
	document.querySelector(selector).dispatchEvent(event);
})`

// TestFilesOfTheComposer chooses, pastes and drops files, which are uploaded at once, sorts,
// describes and removes them, and sends the post before the last upload ends.
func TestFilesOfTheComposer(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	s := newSite(t, "ann")
	ann := b.person(s, "ann")
	ann.live("/ann")
	const rows = `[...document.querySelectorAll(".file-rows li")].map((li) => li.querySelector("bdi").textContent + (li.dataset.id ? "" : "…")).join(" ")`

	t.Log("chooses, pastes and drops")
	ann.choose("#post-form input[type=file]", s.pictures("chosen.png")...)
	ann.sees("the first file", rows+` === "chosen.png"`)
	ann.eval(hand + `("paste", "#post-form textarea", "pasted.png")`)
	ann.sees("the second file", rows+` === "chosen.png pasted.png"`)
	ann.eval(hand + `("drop", "#post-form", "dropped.png")`)
	ann.sees("the third file", rows+` === "chosen.png pasted.png dropped.png"`)

	t.Log("sorts, describes and removes")
	ann.click(".file-rows li:nth-child(3) button[aria-label='Move dropped.png up']")
	ann.sees("another order", rows+` === "chosen.png dropped.png pasted.png"`)
	ann.enter(".file-rows li:nth-child(2) input:not([type=hidden])", "a corner")
	ann.click(".file-rows li:nth-child(1) button[aria-label='Remove chosen.png']")
	ann.sees("two files", rows+` === "dropped.png pasted.png"`)
	ann.until("the end of the removed upload", func() bool {
		files, err := s.store.UnattachedFiles(t.Context(), s.ids["ann"])
		s.must(err)
		return len(files) == 2
	})

	t.Log("is told why a file is refused, and sends nothing before it is removed")
	large := filepath.Join(t.TempDir(), "large.bin")
	s.must(os.WriteFile(large, make([]byte, mostBytes+1), 0o600))
	ann.choose("#post-form input[type=file]", large)
	ann.sees("the reason", `document.querySelector(".file-rows .problem")?.textContent === "The file is too large: a file can have at most 64 KB."`)
	ann.enter("#post-form textarea", "look at these")
	ann.click("#post-form button.primary")
	ann.sees("the focus on the way out", `document.activeElement.getAttribute("aria-label") === "Remove large.bin"`)
	ann.click(".file-rows button[aria-label='Remove large.bin']")

	t.Log("sends the post while a file is uploaded")
	begun, release := make(chan struct{}, 1), make(chan struct{})
	s.door.put(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/api/v1/attachments.json" && r.Method == http.MethodPost {
			begun <- struct{}{}
			<-release
		}
		return false
	})
	ann.choose("#post-form input[type=file]", s.pictures("late.png")...)
	<-begun
	ann.click("#post-form button.primary")
	ann.sees("a form that waits", `document.querySelector("#post-form[data-uploading] .file-rows progress")`)
	close(release)
	ann.reads("look at these")
	ann.sees("an empty form", rows+` === "" && document.querySelector("#post-form textarea").value === ""`)
	s.worked()
	ann.sees("the pictures", loadedPictures+` === "a corner; Picture: pasted.png; Picture: late.png"`)
	ann.same()
}

// TestFilesWithoutText posts and comments with pictures alone, and with nothing, which the page
// refuses with a sentence, with and without script.
func TestFilesWithoutText(t *testing.T) {
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
			send, again := ann.leave, func() { ann.do(chromedp.Navigate(s.url + "/ann")) }
			if scripts {
				ann.live("/ann")
				send, again = ann.click, func() {}
			} else {
				ann.withoutScript()
				again()
			}
			const refused = `document.querySelector(".problem")?.textContent === "Write something, or add a file."`
			const post, comment = "#post-form", "article.entry form.comment-form"

			t.Log("a post")
			send(post + " button.primary")
			ann.sees("why nothing was posted", refused)
			ann.choose(post+" input[type=file]", s.pictures("soup.png")...)
			send(post + " button.primary")
			ann.sees("the post", `document.querySelector("article.entry .text")?.textContent.trim() === ""`)
			ann.sees("an empty form", `!document.querySelector("#post-form .file-rows li, #post-form .problem")`)
			s.worked()
			again()
			ann.sees("the picture", loadedPictures+` === "Picture: soup.png"`)

			t.Log("a comment")
			send("article.entry a[href$='#f']")
			send(comment + " button:not([type])")
			ann.sees("why there is no comment", refused)
			if !scripts {
				again()
				ann.leave("article.entry a[href$='#f']")
			}
			ann.choose(comment+" input[type=file]", s.pictures("spoon.png")...)
			if scripts {
				ann.do(chromedp.Focus(chromedp.CSS(comment+" textarea")), chromedp.KeyEvent(kb.Escape))
				ann.sees("an open form, as it has a file", `document.querySelector("`+comment+` .file-rows li")`)
			}
			send(comment + " button:not([type])")
			ann.sees("the comment", `document.querySelector(".comment .text")?.textContent.trim() === ""`)
			s.worked()
			again()
			ann.sees("the picture of the comment", loadedPictures+` === "Picture: soup.png; Picture: spoon.png"`)
			if scripts {
				ann.same()
			}
		})
	}
}

// TestRefusedFiles has pictures refused while their author looks on: in the form for a post, which
// is not sent with one, and in an entry, on an open page in Russian.
func TestRefusedFiles(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	s := newSite(t, "ann")
	russian := "ru"
	s.must(s.store.SetProfile(t.Context(), s.ids["ann"], timeline.ProfileEdit{PageLanguage: &russian}))
	ann := b.person(s, "ann")
	ann.live("/ann")
	broken := filepath.Join(t.TempDir(), "broken.jpg")
	s.must(os.WriteFile(broken, []byte("\xff\xd8\xff and no more"), 0o600))
	const sentence = "Картинка broken.jpg повреждена или неполна. Сохраните её заново или выберите другую."
	const row = "#post-form .file-rows li"
	uploaded := func() {
		t.Helper()
		ann.choose("#post-form input[type=file]", broken)
		ann.sees("the file", `document.querySelector("`+row+`[data-id]")`)
	}

	t.Log("in the form")
	uploaded()
	s.worked()
	ann.sees("the reason", `document.querySelector("`+row+` .problem")?.textContent === "`+sentence+`"`)
	ann.enter("#post-form textarea", "look at this")
	ann.click("#post-form button.primary")
	ann.sees("the focus on the way out", `document.activeElement.getAttribute("aria-label") === "Убрать broken.jpg"`)
	ann.click(row + " button")

	t.Log("in the entry")
	uploaded()
	ann.click("#post-form button.primary")
	ann.sees("the queue", `document.querySelector("article.entry .attachments .hint")?.textContent === "Файл broken.jpg обрабатывается."`)
	s.worked()
	ann.sees("the reason", `document.querySelector("article.entry .attachments .problem")?.textContent === "`+sentence+`"`)
	ann.click("article.entry .file-refused button")
	ann.sees("the entry without the note", `!document.querySelector("article.entry .attachments")?.textContent.trim()`)
	ann.same()
}

// TestLightbox looks at the pictures of a post large, by keys, buttons and swipes, and, without
// script, by their links.
func TestLightbox(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	s := newSite(t, "ann")
	ann := b.person(s, "ann")
	ann.open("/ann")
	ann.choose("#post-form input[type=file]", s.pictures("a.png", "b.png", "c.png")...)
	ann.enter("#post-form textarea", "look at these")
	ann.click("#post-form button.primary")
	ann.reads("look at these")
	s.worked()
	ann.open("/ann")
	shows := func(name string) {
		t.Helper()
		ann.sees(name, fmt.Sprintf(`(() => {
			const image = document.querySelector("dialog.lightbox[open] img");
			return image.complete && image.naturalWidth === 90 && image.alt === "Picture: %s" && document.querySelector("dialog.lightbox figcaption").textContent.startsWith(image.alt);
		})()`, name))
	}
	press := func(key string) {
		t.Helper()
		ann.do(chromedp.KeyEvent(key))
	}
	ann.click(".pictures li:nth-child(2) a")
	shows("b.png")
	press(kb.ArrowRight)
	shows("c.png")
	press(kb.ArrowRight)
	shows("a.png")
	press(kb.ArrowLeft)
	shows("c.png")
	ann.click(".lightbox-before")
	shows("b.png")
	ann.eval(`(() => {
		const dialog = document.querySelector("dialog.lightbox");
		const touch = (x) => [new Touch({ identifier: 1, target: dialog, clientX: x, clientY: 100 })];
		dialog.dispatchEvent(new TouchEvent("touchstart", { changedTouches: touch(300) }));
		dialog.dispatchEvent(new TouchEvent("touchend", { changedTouches: touch(400) }));
	})()`)
	shows("a.png")
	press(kb.Escape)
	ann.sees("the page again, with the focus on the picture", `!document.querySelector("dialog") && document.activeElement === document.querySelector(".pictures li:nth-child(1) a")`)
	ann.same()

	t.Log("without script the link leads to the file")
	ann.withoutScript()
	ann.do(chromedp.Navigate(s.url + "/ann"))
	ann.leave(".pictures li:nth-child(3) a")
	ann.sees("the file", `location.pathname.startsWith("/f/") && document.contentType === "image/png"`)
}
