package web_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"amstel.dev/amstel/internal/picture"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// picture sends the form of an avatar or a cover, with the part to keep as x, y and width.
func (c *client) picture(path, role string, upload []byte, part ...string) answer {
	c.b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	to, err := form.CreateFormFile(role+"["+role+"]", "me.jpg")
	if err == nil {
		_, err = to.Write(upload)
	}
	for i, value := range part {
		err = errors.Join(err, form.WriteField(role+"["+[]string{"x", "y", "width"}[i]+"]", value))
	}
	if err := errors.Join(err, form.Close()); err != nil {
		c.b.t.Fatal(err)
	}
	return c.do("POST", path, form.FormDataContentType(), &body)
}

// pixelsOf decodes the JPEG at an address.
func (c *client) pixelsOf(path string) image.Image {
	c.b.t.Helper()
	a := c.get(path).ok()
	if kind, kept := a.header.Get("Content-Type"), a.header.Get("Cache-Control"); kind != "image/jpeg" || kept != "public, max-age=31536000, immutable" {
		c.b.t.Errorf("%s is %q, kept by %q", path, kind, kept)
	}
	if a.header.Get("Set-Cookie") != "" || !strings.Contains(a.header.Get("Content-Security-Policy"), "sandbox") {
		c.b.t.Errorf("%s has the header %v", path, a.header)
	}
	m, err := jpeg.Decode(strings.NewReader(a.body))
	if err != nil {
		c.b.t.Fatalf("%s: %v", path, err)
	}
	return m
}

// TestAvatarArrivesOnOpenPages uploads an avatar with the real tool. An open page of another
// reader gets it, and both sizes exist; they are gone when another avatar replaces it.
func TestAvatarArrivesOnOpenPages(t *testing.T) {
	long(t)
	t.Parallel()
	maker, err := picture.New(picture.Limits{}, 2)
	if errors.Is(err, picture.ErrNoTool) && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := newStudio(t, timeline.AttachmentLimits{}, maker, "alice", "bert")
	alice, visitor := s.as("alice"), s.visitor()
	alice.post("soup", "user")
	generated := "/system/avatars/alice.png"
	before := visitor.get("/alice.json").ok()
	author := func(page answer) any {
		return page.at("users", numberText(float64(s.ids["alice"])), "avatar_url")
	}
	if got := author(before); got != generated {
		t.Errorf("without an avatar the page has %v, want %s", got, generated)
	}
	m, err := png.Decode(strings.NewReader(visitor.get(generated).ok().body))
	if err != nil || m.Bounds().Dx() != page.GeneratedPixels {
		t.Errorf("the generated picture: %v", err)
	}
	if html := visitor.do("GET", "/alice", "", nil).ok().body; !strings.Contains(html, `src="/system/avatars/alice.svg"`) {
		t.Error("the page has no generated picture")
	}

	said := alice.picture("/api/v1/avatars", "avatar", photo(t, 90)).ok()
	small, is := said.at("user", "avatar_url").(string)
	if !is || !strings.HasPrefix(small, "/system/avatars/") || !strings.HasSuffix(small, ".jpg") {
		t.Fatalf("the answer is %s", said.body)
	}
	large := strings.TrimSuffix(small, ".jpg") + "-large.jpg"
	for path, want := range map[string]int{small: 100, large: 400} {
		if got := visitor.pixelsOf(path).Bounds().Size(); got != image.Pt(want, want) {
			t.Errorf("%s has %v pixels, want %d", path, got, want)
		}
	}
	if err := s.node.WaitApplied(t.Context()); err != nil {
		t.Fatal(err)
	}
	patch := visitor.get(fmt.Sprintf("/live/changes?river=%s&page=/alice&epoch=%s&counter=%s&position=%s&as=html", before.at("river", "uuid"), before.at("river", "epoch"),
		numberText(before.at("river", "counter")), numberText(before.at("river", "position")))).ok()
	if patch.at("type") != "patch" || !strings.Contains(patch.body, small) {
		t.Errorf("the open page is told %s", patch.body)
	}
	after := visitor.get("/alice.json").ok()
	if got := author(after); got != small {
		t.Errorf("the page has %v, want %s", got, small)
	}
	if html := visitor.do("GET", "/alice", "", nil).ok().body; !strings.Contains(html, `src="`+small+`"`) || !strings.Contains(html, `src="`+large+`"`) {
		t.Error("the page lacks the avatar beside the post, or the large one in its head")
	}

	next := alice.picture("/api/v1/avatars.json", "avatar", photo(t, 30)).ok().at("user", "avatar_url").(string)
	if next == small {
		t.Error("another avatar has the same address")
	}
	for _, path := range []string{small, large} {
		if a := visitor.get(path); a.status != 404 || a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("after it was replaced %s is answered %d, kept by %q", path, a.status, a.header.Get("Cache-Control"))
		}
	}
	if got := alice.send("DELETE", "/api/v1/avatars", nil).ok().at("user", "avatar_url"); got != generated {
		t.Errorf("after it was removed the avatar is %v", got)
	}
	if a := visitor.get(next); a.status != 404 {
		t.Errorf("after it was removed: %d", a.status)
	}
}

// TestPartOfAPictureIsKept cuts the dark half and the light half out of one picture.
func TestPartOfAPictureIsKept(t *testing.T) {
	t.Parallel()
	s := newStudio(t, timeline.AttachmentLimits{}, nil, "alice")
	alice := s.as("alice")
	m := image.NewGray(image.Rect(0, 0, 80, 40))
	for x := 40; x < 80; x++ {
		for y := range 40 {
			m.Pix[m.PixOffset(x, y)] = 255
		}
	}
	var upload bytes.Buffer
	if err := png.Encode(&upload, m); err != nil {
		t.Fatal(err)
	}
	for part, want := range map[string]bool{"0 0 0.4": false, "0.55 0 0.4": true} {
		said := alice.picture("/api/v1/avatars", "avatar", upload.Bytes(), strings.Fields(part)...).ok()
		r, _, _, _ := alice.pixelsOf(said.at("user", "avatar_url").(string)).At(50, 50).RGBA()
		if light := r > 0x8000; light != want {
			t.Errorf("the part %s is light: %v, want %v", part, light, want)
		}
	}
}

// TestPicturesOfGroups lets an administrator set an avatar and a cover, and others try.
func TestPicturesOfGroups(t *testing.T) {
	long(t)
	t.Parallel()
	s := newStudio(t, timeline.AttachmentLimits{}, nil, "alice", "bert")
	alice, bert := s.as("alice"), s.as("bert")
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "cooks", "display_name": "Cooks"}}).ok()
	bert.send("POST", "/api/v1/groups/cooks/subscribers", nil).ok()
	for role, size := range map[string]image.Point{"avatar": {100, 100}, "cover": {800, 200}} {
		path := "/api/v1/groups/cooks/" + role
		for name, c := range map[string]*client{"a member": bert, "a visitor": s.visitor()} {
			if a := c.picture(path, role, photo(t, 90)); a.status != 403 && a.status != 401 {
				t.Errorf("%s set the %s of a group: %d", name, role, a.status)
			}
			if a := c.send("DELETE", path, nil); a.status != 403 && a.status != 401 {
				t.Errorf("%s removed the %s of a group: %d", name, role, a.status)
			}
		}
		set := alice.picture(path, role, photo(t, 90)).ok().at("group", role+"_url").(string)
		if got := bert.pixelsOf(set).Bounds().Size(); got != size {
			t.Errorf("the %s has %v pixels, want %v", role, got, size)
		}
		if html := bert.do("GET", "/cooks", "", nil).ok().body; !strings.Contains(html, strings.TrimSuffix(set, ".jpg")) {
			t.Errorf("the group's page lacks the %s", role)
		}
		alice.send("DELETE", path, nil).ok()
		if a := bert.get(set); a.status != 404 {
			t.Errorf("after it was removed the %s is answered %d", role, a.status)
		}
	}
	if a := alice.picture("/api/v1/groups/bakers/avatar", "avatar", photo(t, 90)); a.status != 404 {
		t.Errorf("of no group: %d", a.status)
	}
}

// TestPicturesThatCanNotBe sends what is no picture, too much, or nothing, by the API and by
// the form of the settings.
func TestPicturesThatCanNotBe(t *testing.T) {
	t.Parallel()
	s := newStudio(t, timeline.AttachmentLimits{File: 4000}, nil, "alice")
	alice := s.as("alice")
	browser := s.browser("alice")
	for name, tt := range map[string]struct {
		upload   []byte
		part     []string
		status   int
		code     string
		sentence string
	}{
		"no picture":         {[]byte("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"), nil, 422, "invalid", "This file is not a picture that can be used."},
		"too many bytes":     {append(photo(t, 1), make([]byte, 4000)...), nil, 413, "file_too_large", ""},
		"a corner of no use": {photo(t, 1), []string{"left"}, 422, "invalid", ""},
	} {
		a := alice.picture("/api/v1/avatars", "avatar", tt.upload, tt.part...)
		if a.status != tt.status || a.at("code") != tt.code {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
		page := browser.picture("/api/v1/avatars.json", "avatar", tt.upload, tt.part...)
		if page.status != tt.status || tt.sentence != "" && !strings.Contains(page.body, tt.sentence) {
			t.Errorf("%s, by the form: %d, without %q", name, page.status, tt.sentence)
		}
	}
	if a := alice.send("POST", "/api/v1/avatars", object{}); a.status != 415 && a.status != 422 {
		t.Errorf("without a form: %d %s", a.status, a.body)
	}
	if a := s.visitor().picture("/api/v1/avatars", "avatar", photo(t, 1)); a.status != 401 {
		t.Errorf("by a visitor who is not signed in: %d", a.status)
	}
	for _, path := range []string{
		"/system/avatars/" + strings.Repeat("0", 64) + ".jpg", "/system/avatars/x.jpg", "/system/covers/" + strings.Repeat("A", 64) + "-large.jpg",
	} {
		if a := alice.get(path); a.status != 404 {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	good := browser.picture("/api/v1/covers.json", "cover", photo(t, 1))
	if good.status != 303 && good.status != 200 {
		t.Errorf("by the form: %d %s", good.status, good.body)
	}
	if page := browser.do("GET", "/settings", "", nil).ok().body; !strings.Contains(page, "/system/covers/") || !strings.Contains(page, "Remove the cover") {
		t.Error("the settings lack the new cover")
	}
}

// zeros is a reader without end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// TestLargePictureIsReadToItsEnd sends avatars above the limit from clients that read no answer
// before they have sent everything. The server reads up to twice the limit, so that such a
// client gets an answer, and no more.
func TestLargePictureIsReadToItsEnd(t *testing.T) {
	t.Parallel()
	const most = 16 << 20 // more than the buffers of a connection hold
	s := newStudio(t, timeline.AttachmentLimits{File: most}, nil, "alice")
	alice := s.as("alice")
	for _, tt := range []struct {
		size int64
		read bool
	}{{most + 1, true}, {2*most - 1000, true}, {3 * most, false}} {
		var head, tail bytes.Buffer
		form := multipart.NewWriter(&head)
		_, err := form.CreateFormFile("avatar[avatar]", "me.jpg")
		fmt.Fprintf(&tail, "\r\n--%s--\r\n", form.Boundary())
		if err != nil {
			t.Fatal(err)
		}
		whole := int64(head.Len()) + tt.size + int64(tail.Len())
		body := io.MultiReader(&head, io.LimitReader(zeros{}, tt.size), &tail)
		connection, err := net.Dial("tcp", s.http.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		_, err = fmt.Fprintf(connection, "POST /api/v1/avatars HTTP/1.1\r\nHost: %s\r\nX-API-Token: %s\r\nAccept: application/json\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n",
			s.http.Listener.Addr(), alice.token, form.FormDataContentType(), whole)
		var sent int64
		if err == nil {
			sent, err = io.Copy(connection, body)
		}
		if !tt.read {
			if err == nil {
				t.Errorf("%d bytes were read to the end", whole)
			}
			continue
		}
		if err != nil {
			t.Errorf("after %d of %d bytes: %v", sent, whole, err)
			continue
		}
		response, err := http.ReadResponse(bufio.NewReader(connection), nil)
		if err != nil {
			t.Errorf("the answer to %d bytes: %v", whole, err)
			continue
		}
		said, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != 413 || !strings.Contains(string(said), "The file is too large: a file can have at most 16 MB.") {
			t.Errorf("the answer to %d bytes: %d %s, %v", whole, response.StatusCode, said, err)
		}
		if err := response.Body.Close(); err != nil {
			t.Error(err)
		}
	}
}
