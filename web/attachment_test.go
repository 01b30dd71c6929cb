package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/internal/attachment"
	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/picture"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
)

// A studio is a site with uploads, which are worked at when the test says so.
type studio struct {
	*bundle
	keeper *attachment.Keeper
}

// A lateKeeper is a Keeper that is made after the site.
type lateKeeper struct{ *attachment.Keeper }

// newStudio starts a site with these people. Without a maker, a fake makes the renditions.
func newStudio(t *testing.T, limits timeline.AttachmentLimits, maker attachment.Maker, people ...string) *studio {
	t.Helper()
	files, err := filestore.OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := files.Close(); err != nil {
			t.Error(err)
		}
	})
	late := &lateKeeper{}
	b := setupOn(t, pgtest.New(t), web.Config{Files: late}, people...)
	if maker == nil {
		maker = fakeMaker{}
	}
	late.Keeper = attachment.New(b.store, files, attachment.Options{Limits: limits, Maker: maker})
	return &studio{b, late.Keeper}
}

// work processes the queue, and waits until pages show the result.
func (s *studio) work() {
	s.t.Helper()
	for more := true; more; {
		var err error
		if more, err = s.keeper.Work(s.t.Context()); err != nil {
			s.t.Fatal(err)
		}
	}
	if err := s.node.WaitApplied(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

// A fakeMaker returns renditions that are no pictures, but differ from each other.
type fakeMaker struct{}

func (fakeMaker) Make(_ context.Context, upload []byte) (*picture.Picture, error) {
	made := func(name string, width, height int) picture.Rendition {
		return picture.Rendition{Format: picture.JPEG, Width: width, Height: height, Bytes: append([]byte(name+" of "), upload...)}
	}
	return &picture.Picture{
		Uploaded: picture.JPEG, Frames: 1, Original: made("original", 900, 600), Medium: made("medium", 450, 300), Thumb: made("thumb", 300, 200),
		Grid: made("grid", 660, 440), Grid2x: made("grid2x", 900, 600),
	}, nil
}

// Flat returns pixels without a tool.
func (fakeMaker) Flat(_ context.Context, upload []byte) (image.Image, error) {
	m, _, err := image.Decode(bytes.NewReader(upload))
	if err != nil {
		return nil, picture.ErrType
	}
	return m, nil
}

// photo returns a JPEG of 90 x 60 pixels in one shade.
func photo(t *testing.T, shade uint8) []byte {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, 90, 60))
	for i := range m.Pix {
		m.Pix[i] = shade
	}
	m.SetGray(1, 1, color.Gray{Y: 255 - shade})
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A file is a file to upload.
type file struct {
	name, alt string
	bytes     []byte
}

// uploading returns the body of an upload, and its media type.
func uploading(t *testing.T, files ...file) (body *bytes.Buffer, kind string) {
	t.Helper()
	body = &bytes.Buffer{}
	form := multipart.NewWriter(body)
	for _, f := range files {
		if f.alt != "" {
			if err := form.WriteField("attachment[alt]", f.alt); err != nil {
				t.Fatal(err)
			}
		}
		part, err := form.CreatePart(textproto.MIMEHeader{
			"Content-Disposition": {fmt.Sprintf(`form-data; name="attachment[attachment][]"; filename=%q`, f.name)},
			"Content-Type":        {"image/jpeg"}, // the client's claim does not count
		})
		if err == nil {
			_, err = part.Write(f.bytes)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	return body, form.FormDataContentType()
}

func (c *client) upload(files ...file) answer {
	c.b.t.Helper()
	body, kind := uploading(c.b.t, files...)
	return c.do("POST", "/api/v1/attachments.json", kind, body)
}

// readyFile uploads a file of a person, runs the worker, and returns the file's id.
func (s *studio) readyFile(c *client, f file) json.Number {
	s.t.Helper()
	id := c.upload(f).ok().id("attachments_queued", 0, "id")
	s.work()
	return json.Number(id)
}

// ids returns the ids of a list of attachments in an answer.
func ids(list any) (all []string) {
	some, _ := list.([]any)
	for _, one := range some {
		all = append(all, numberText(at(one, "id")))
	}
	return all
}

// addresses returns the addresses of all renditions of an attachment of an answer.
func addresses(t *testing.T, attached any) (all []string) {
	t.Helper()
	for _, name := range []string{"original_url", "medium_url", "thumb_url", "grid_url", "grid2x_url"} {
		path, is := at(attached, name).(string)
		if !is {
			t.Fatalf("no %s in %v", name, attached)
		}
		all = append(all, path)
	}
	return all
}

// TestPictureIsPostedAndSeen uploads a photo with the real tool, posts the photo while it is
// queued, and reads it from a page, from the open page's changes and by its addresses.
func TestPictureIsPostedAndSeen(t *testing.T) {
	long(t)
	t.Parallel()
	maker, err := picture.New(picture.Limits{}, 2)
	if errors.Is(err, picture.ErrNoTool) && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := newStudio(t, timeline.AttachmentLimits{}, maker, "alice")
	alice, visitor := s.as("alice"), s.visitor()
	said := alice.upload(file{`C:\photos\soup.jpg`, "a bowl of soup", photo(t, 90)}).ok()
	id := said.id("attachments_queued", 0, "id")
	if said.at("queued_count") != 1.0 || said.at("attachments_queued", 0, "attachment_file_name") != "soup.jpg" || len(ids(said.at("attachments"))) != 0 {
		t.Errorf("the upload is answered %s", said.body)
	}
	if queue := alice.get("/api/v1/attachments.json").ok(); queue.body != said.body {
		t.Errorf("the queue is %s, not %s", queue.body, said.body)
	}
	post := alice.send("POST", "/api/v1/posts.json", object{"post": object{"text": "soup", "timelines": []string{"user"}, "attachment_ids": []json.Number{json.Number(id)}}}).ok()
	if list, is := post.at("post", "attachments").([]any); !is || len(list) != 0 {
		t.Errorf("a queued file is shown: %s", post.body)
	}
	before := visitor.get("/alice.json").ok()
	changes := func() answer {
		t.Helper()
		return visitor.get(fmt.Sprintf("/live/changes?river=%s&page=/alice&epoch=%s&counter=%s&position=%s&as=html", before.at("river", "uuid"), before.at("river", "epoch"),
			numberText(before.at("river", "counter")), numberText(before.at("river", "position")))).ok()
	}
	s.work()
	shown := visitor.get("/alice.json").ok()
	attached := shown.at("entries", 0, "attachments", 0)
	for name, want := range map[string]any{
		"attachment_file_name": "soup.jpg", "alt": "a bowl of soup", "kind": "image", "media_type": "image/jpeg", "orientation": "landscape",
		"original_width": 90.0, "original_height": 60.0, "thumb_width": 90.0, "thumb_height": 60.0, "post_id": post.at("post", "id"), "user_id": shown.at("entries", 0, "user_id"),
	} {
		if got := at(attached, name); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if before.at("entries", 0, "tag") == shown.at("entries", 0, "tag") {
		t.Error("the entry's tag is the same with a picture as without")
	}
	if queue := alice.get("/api/v1/attachments.json").ok(); queue.at("queued_count") != 0.0 || len(ids(queue.at("attachments"))) != 0 {
		t.Errorf("after it was posted, the queue is %s", queue.body)
	}
	grid := at(attached, "grid_url").(string)
	if patch := changes(); patch.at("type") != "patch" || !strings.Contains(patch.body, grid) {
		t.Errorf("the open page is told %s", patch.body)
	}
	html := visitor.do("GET", "/alice", "", nil).ok().body
	if want := fmt.Sprintf(`<img src="%s" srcset="%s 1x, %s 2x" width="90" height="60" alt="a bowl of soup"`, grid, grid, at(attached, "grid2x_url")); !strings.Contains(html, want) {
		t.Errorf("the page has no %s", want)
	}
	for _, path := range addresses(t, attached) {
		a := visitor.get(path).ok()
		if !strings.HasPrefix(path, "/f/") || a.header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("%s is kept by %q", path, a.header.Get("Cache-Control"))
		}
		wanted := "image/jpeg"
		if strings.HasSuffix(path, ".webp") {
			wanted = "image/webp"
		}
		if a.header.Get("Content-Type") != wanted || http.DetectContentType([]byte(a.body)) != wanted {
			t.Errorf("%s is of type %s, and its bytes of %s", path, a.header.Get("Content-Type"), http.DetectContentType([]byte(a.body)))
		}
		if saved := "inline; filename=soup" + path[strings.LastIndex(path, "."):]; a.header.Get("Content-Disposition") != saved {
			t.Errorf("%s is %q, want %q", path, a.header.Get("Content-Disposition"), saved)
		}
		if bad := visitor.get(strings.TrimSuffix(path, path[strings.LastIndex(path, "."):]) + ".html"); bad.status != 404 {
			t.Errorf("under another name: %d", bad.status)
		}
	}
	if _, err := jpeg.Decode(strings.NewReader(visitor.get(at(attached, "original_url").(string)).body)); err != nil {
		t.Errorf("the original: %v", err)
	}

	// An edit removes the picture, and the picture's address with it.
	alice.send("PATCH", "/api/v1/posts/"+post.id("post", "id")+".json", object{"post": object{"attachment_ids": []int{}}}).ok()
	if list := visitor.get("/alice.json").ok().at("entries", 0, "attachments").([]any); len(list) != 0 {
		t.Errorf("after it was removed, the entry has %v", list)
	}
	if a := visitor.get(grid); a.status != 404 || a.header.Get("Cache-Control") != "no-store" {
		t.Errorf("after it was removed: %d, kept by %q", a.status, a.header.Get("Cache-Control"))
	}
}

// TestFilesOfPosts puts files into posts and comments, in an order, and moves and removes
// them.
func TestFilesOfPosts(t *testing.T) {
	long(t)
	t.Parallel()
	s := newStudio(t, timeline.AttachmentLimits{Post: 3}, nil, "alice", "bert")
	alice, bert := s.as("alice"), s.as("bert")
	said := alice.upload(file{"a.jpg", "", photo(t, 1)}, file{"b.jpg", "b", photo(t, 2)}, file{"c.txt", "", []byte("plain text")}).ok()
	s.work()
	queue := alice.get("/api/v1/attachments").ok()
	mine := ids(queue.at("attachments"))
	if diff := cmp.Diff(ids(said.at("attachments_queued")), mine); diff != "" || len(mine) != 3 {
		t.Fatalf("uploaded and ready (-uploaded +ready):\n%s", diff)
	}
	a, b, c := mine[0], mine[1], mine[2]
	his := s.readyFile(bert, file{"d.jpg", "", photo(t, 4)}).String()

	post := alice.send("POST", "/api/v1/posts", object{"post": object{"text": "soup", "timelines": []string{"user"}, "attachment_ids": []string{c, a}}}).ok()
	on := "/api/v1/posts/" + post.id("post", "id")
	if diff := cmp.Diff([]string{c, a}, ids(post.at("post", "attachments"))); diff != "" {
		t.Errorf("the new post (-want +got):\n%s", diff)
	}
	if version := post.at("post", "version"); version != 1.0 {
		t.Errorf("the new post has the version %v", version)
	}
	set := func(who *client, path, what string, want int, list ...any) answer {
		t.Helper()
		got := who.send("PATCH", path, object{what: object{"attachment_ids": append([]any{}, list...)}})
		if got.status != want {
			t.Errorf("%v: %d %s, want %d", list, got.status, got.body, want)
		}
		return got
	}
	changed := set(alice, on, "post", 200, a, b, c)
	if diff := cmp.Diff([]string{a, b, c}, ids(changed.at("attachments"))); diff != "" {
		t.Errorf("the edited post (-want +got):\n%s", diff)
	}
	for _, bad := range [][]any{{"x"}, {-1}, {true}, {object{}}, {1}, {his}, {a, a}, {a, b, c, his}} {
		refused := set(alice, on, "post", 422, bad...)
		if refused.at("code") != "invalid" || refused.at("fields", "attachment_ids") == nil {
			t.Errorf("%v: %s", bad, refused.body)
		}
	}
	set(bert, on, "post", 403, his)
	if refused := alice.send("POST", "/api/v1/posts", object{"post": object{"text": "more", "timelines": []string{"user"}, "attachment_ids": []string{a}}}); refused.status != 422 {
		t.Errorf("a file of another post: %d %s", refused.status, refused.body)
	}
	if refused := alice.send("DELETE", "/api/v1/attachments/"+a, nil); refused.status != 409 {
		t.Errorf("a file of a post was deleted: %d %s", refused.status, refused.body)
	}

	comment := bert.send("POST", on+"/comments", object{"comment": object{"text": "mine", "attachment_ids": []string{his}}}).ok()
	if diff := cmp.Diff([]string{his}, ids(comment.at("attachments"))); diff != "" {
		t.Errorf("the new comment (-want +got):\n%s", diff)
	}
	entry := s.visitor().get("/alice.json").ok()
	if diff := cmp.Diff([]string{his}, ids(entry.at("entries", 0, "comments", 0, "attachments"))); diff != "" {
		t.Errorf("the comment of the entry (-want +got):\n%s", diff)
	}
	if page := s.visitor().do("GET", "/alice", "", nil).body; !strings.Contains(page, entry.at("entries", 0, "comments", 0, "attachments", 0, "grid_url").(string)) ||
		!strings.Contains(page, ">c.txt</bdi>") || !strings.Contains(page, "TXT, 1 KB") {
		t.Error("the page lacks the comment's picture or the file")
	}
	at := on + "/comments/" + comment.id("id")
	set(alice, at, "comment", 403, b)
	set(bert, at, "comment", 200)
	if gone := bert.get("/api/v1/attachments").ok(); gone.at("queued_count") != 0.0 || len(ids(gone.at("attachments"))) != 0 {
		t.Errorf("a file that a comment has no more is still there: %s", gone.body)
	}
	if edited := bert.get(at).ok(); edited.at("text") != "mine" || edited.at("attachments") != nil {
		t.Errorf("the comment is %s", edited.body)
	}
	one := s.readyFile(alice, file{"e.jpg", "", photo(t, 5)}).String()
	if refused := bert.send("DELETE", "/api/v1/attachments/"+one, nil); refused.status != 404 {
		t.Errorf("another's file: %d", refused.status)
	}
	alice.send("DELETE", "/api/v1/attachments/"+one, nil).ok()
	if left := alice.get("/api/v1/attachments").ok(); len(ids(left.at("attachments"))) != 0 {
		t.Errorf("after it was deleted: %s", left.body)
	}
}

// TestFilesAreAsPrivateAsTheirPosts requests every address of a file, as each kind of visitor
// who may not read its post.
func TestFilesAreAsPrivateAsTheirPosts(t *testing.T) {
	long(t)
	t.Parallel()
	s := newStudio(t, timeline.AttachmentLimits{}, nil, "alice", "reader", "banned", "stranger", "former")
	alice := s.as("alice")
	for _, name := range []string{"reader", "former"} {
		s.as(name).send("POST", "/api/v1/users/alice/subscribers", nil).ok()
	}
	alice.send("POST", "/api/v1/users/banned/ban", nil).ok()
	clients := map[string]*client{"anybody": s.visitor()}
	for _, name := range []string{"alice", "reader", "banned", "stranger", "former"} {
		clients[name] = s.session(name)
	}
	nonsense := s.visitor()
	nonsense.header.Set("Cookie", "amstel=nonsense")
	clients["nonsense"] = nonsense
	// expect asks for an address as each of the clients.
	expect := func(what, path string, may ...string) {
		t.Helper()
		for name, c := range clients {
			a := c.get(path)
			allowed := strings.Contains(" "+strings.Join(may, " ")+" ", " "+name+" ")
			cache := a.header.Get("Cache-Control")
			switch {
			case allowed && a.status != 200:
				t.Errorf("%s, %s by %s: %d", what, path, name, a.status)
			case allowed && strings.HasPrefix(path, "/f/"):
				if !strings.Contains(cache, "public") || a.header.Get("Set-Cookie") != "" {
					t.Errorf("%s, %s by %s is kept by %q, and sets the cookie %q", what, path, name, cache, a.header.Get("Set-Cookie"))
				}
			case allowed:
				if cache != "private, no-cache" || a.header.Get("Cross-Origin-Resource-Policy") != "same-origin" {
					t.Errorf("%s, %s by %s: %v", what, path, name, a.header)
				}
			case a.status != 404 || cache != "no-store" || a.header.Get("ETag") != "" || a.header.Get("Content-Disposition") != "":
				t.Errorf("%s, %s by %s: %d, %v", what, path, name, a.status, a.header)
			}
		}
	}
	// both asks for all addresses of a file, by attachment and by the names of the bytes.
	both := func(what string, a any, public, private []string) {
		t.Helper()
		rows, err := s.pool.Query(t.Context(), `select name, encode(file, 'hex') from renditions where attachment_id = $1`, json.Number(numberText(at(a, "id"))).String())
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		names := map[string]string{}
		for rows.Next() {
			var name, bytes string
			if err := rows.Scan(&name, &bytes); err != nil {
				t.Fatal(err)
			}
			names[name] = bytes
		}
		if len(names) != 5 {
			t.Fatalf("%s: there are the renditions %v", what, names)
		}
		for name, bytes := range names {
			expect(what, "/f/"+bytes+".jpg", public...)
			expect(what, "/attachments/"+numberText(at(a, "id"))+"/"+name+".jpg", private...)
		}
	}
	shade := uint8(0)
	upload := func() json.Number {
		shade++
		return s.readyFile(alice, file{"soup.jpg", "", photo(t, shade)})
	}
	post := func(to ...string) (attached any, id string) {
		t.Helper()
		a := alice.send("POST", "/api/v1/posts", object{"post": object{"text": "soup", "timelines": to, "attachment_ids": []json.Number{upload()}}}).ok()
		return a.at("post", "attachments", 0), a.id("post", "id")
	}

	loose := upload()
	both("in no post", object{"id": mustFloat(t, loose)}, nil, []string{"alice"})
	alice.send("DELETE", "/api/v1/attachments/"+loose.String(), nil).ok()
	direct, _ := post("direct:reader")
	both("a direct", direct, nil, []string{"alice", "reader"})
	eyes, _ := post("user_fyeo")
	both("for her eyes only", eyes, nil, []string{"alice"})
	sub, _ := post("user_private")
	both("a private sub-feed", sub, nil, []string{"alice"})

	all := []string{"alice", "reader", "former", "stranger", "anybody", "nonsense"}
	open, openPost := post("user")
	both("a public post", open, all, all)
	commented := s.as("reader").send("POST", "/api/v1/posts/"+openPost+"/comments", object{"comment": object{
		"text": "mine", "attachment_ids": []json.Number{s.readyFile(s.as("reader"), file{"mine.jpg", "", photo(t, 200)})},
	}}).ok().at("attachments", 0)
	both("a comment on it", commented, all, all)
	s.as("stranger").send("POST", "/api/v1/users/reader/ban", nil).ok()
	without := []string{"alice", "reader", "former", "anybody", "nonsense"}
	both("a comment across a ban", commented, without, without)
	both("the post of the comment across a ban", open, all, all)

	alice.send("PATCH", "/api/v1/users/"+numberText(float64(s.ids["alice"])), object{"user": object{"status": "private"}}).ok()
	subscribers := []string{"alice", "reader", "former"}
	both("a post that became private", open, nil, subscribers)
	both("a comment on a post that became private", commented, nil, subscribers)
	alice.send("DELETE", "/api/v1/users/alice/subscribers/former", nil).ok()
	both("after losing the right", open, nil, []string{"alice", "reader"})
	if again, is := alice.get("/alice/"+openPost+".json").ok().at("entries", 0, "attachments", 0, "thumb_url").(string); !is || !strings.HasPrefix(again, "/attachments/") {
		t.Errorf("the address of a private post's file is %q", again)
	}
	thumb := "/attachments/" + numberText(at(open, "id")) + "/thumb.jpg"
	if status := clients["reader"].get(thumb).status; status != 200 {
		t.Errorf("before the post is deleted: %d", status)
	}
	alice.send("DELETE", "/api/v1/posts/"+openPost, nil).ok()
	expect("a deleted post", thumb)
}

// mustFloat returns a number as encoding/json decodes it.
func mustFloat(t *testing.T, n json.Number) float64 {
	t.Helper()
	f, err := n.Float64()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestFilesAreServedSafely requests ranges, files that the client has already, and an HTML page
// uploaded as a picture.
func TestFilesAreServedSafely(t *testing.T) {
	t.Parallel()
	s := newStudio(t, timeline.AttachmentLimits{}, nil, "alice")
	alice := s.as("alice")
	sound := append([]byte("fLaC"), bytes.Repeat([]byte("0123456789"), 1000)...)
	page := []byte("<!doctype html><script>alert(1)</script>")
	flac, html := s.readyFile(alice, file{"tune.flac", "", sound}), s.readyFile(alice, file{"Ünï \"x\".jpg", "", page})
	said := alice.send("POST", "/api/v1/posts", object{"post": object{"text": "soup", "timelines": []string{"user"}, "attachment_ids": []json.Number{flac, html}}}).ok()
	tune, other := said.at("post", "attachments", 0, "original_url").(string), said.at("post", "attachments", 1, "original_url").(string)
	if !strings.HasSuffix(tune, ".flac") || !strings.HasSuffix(other, ".bin") {
		t.Errorf("the addresses are %s and %s", tune, other)
	}
	c := s.visitor()
	c.header.Set("Accept-Encoding", "gzip")
	whole := c.get(tune).ok()
	if whole.body != string(sound) || whole.header.Get("Accept-Ranges") != "bytes" || whole.header.Get("Content-Encoding") != "" || whole.header.Get("Content-Type") != "audio/flac" {
		t.Errorf("the whole file: %d bytes, %v", len(whole.body), whole.header)
	}
	c.header.Set("Range", "bytes=4-13")
	if part := c.get(tune); part.status != 206 || part.body != "0123456789" || part.header.Get("Content-Range") != "bytes 4-13/10004" {
		t.Errorf("a part: %d %q %v", part.status, part.body, part.header)
	}
	c.header.Set("Range", "bytes=99999-")
	if part := c.get(tune); part.status != 416 {
		t.Errorf("a part that is not there: %d", part.status)
	}
	c.header.Del("Range")
	c.header.Set("If-None-Match", whole.header.Get("ETag"))
	if same := c.get(tune); same.status != 304 || same.body != "" {
		t.Errorf("what is there already: %d", same.status)
	}
	c.header.Del("If-None-Match")
	if head := c.do("HEAD", tune, "", nil); head.status != 200 || head.body != "" || head.header.Get("Content-Length") != "10004" {
		t.Errorf("HEAD: %d %v", head.status, head.header)
	}
	a := c.get(other).ok()
	if a.header.Get("Content-Type") != "application/octet-stream" || a.header.Get("X-Content-Type-Options") != "nosniff" || a.header.Get("Content-Encoding") != "" ||
		!strings.HasPrefix(a.header.Get("Content-Disposition"), "attachment; filename") || !strings.Contains(a.header.Get("Content-Security-Policy"), "sandbox") ||
		!strings.Contains(a.header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("a page that says it is a picture: %v", a.header)
	}
	if inline := whole.header.Get("Content-Disposition"); inline != "inline; filename=tune.flac" {
		t.Errorf("sound has the disposition %q", inline)
	}
	for _, path := range []string{"/f/", "/f/x.jpg", "/f/" + strings.Repeat("0", 64) + ".jpg", strings.ToUpper(tune), "/attachments/1/original.jpg", "/attachments/1/", "/attachments/99999999999999999999/thumb.jpg", "/attachments/x/thumb.jpg"} {
		if bad := c.get(path); bad.status != 404 {
			t.Errorf("%s: %d", path, bad.status)
		}
	}
	if bad := c.do("POST", tune, "", nil); bad.status != 405 {
		t.Errorf("POST: %d", bad.status)
	}
}

// TestBadUploads makes uploads that are refused, each with its code.
func TestBadUploads(t *testing.T) {
	t.Parallel()
	s := newStudio(t, timeline.AttachmentLimits{File: 2000, Person: 5000, Site: 5900, Unattached: 4, Post: 2}, nil, "alice", "bert", "carl")
	alice := s.as("alice")
	refused := func(a answer, status int, code string) {
		t.Helper()
		if a.status != status || a.at("code") != code || a.at("error") == "" {
			t.Errorf("%d %s, want %d %s", a.status, a.body, status, code)
		}
	}
	text := func(n int) file { return file{"x.txt", "", bytes.Repeat([]byte("x"), n)} }
	refused(s.visitor().upload(text(10)), 401, "unauthorized")
	refused(s.visitor().get("/api/v1/attachments"), 401, "unauthorized")
	refused(alice.send("POST", "/api/v1/attachments", object{}), 415, "unsupported_media_type")
	refused(alice.upload(), 422, "invalid")
	refused(alice.upload(text(2001)), 413, "file_too_large")
	refused(alice.upload(text(1), text(1), text(1)), 422, "invalid")
	refused(alice.upload(file{"x.txt", "a\nb", []byte("x")}), 422, "invalid")
	body, kind := uploading(t, text(500))
	refused(alice.do("POST", "/api/v1/attachments", kind, io.LimitReader(body, 300)), 400, "bad_request")
	body, kind = uploading(t, text(500))
	refused(alice.do("POST", "/api/v1/attachments", kind+"x", body), 400, "bad_request")
	huge, kind := uploading(t, text(100_000))
	refused(alice.do("POST", "/api/v1/attachments", kind, huge), 413, "too_large")
	stranger := s.session("alice")
	stranger.header.Set("Sec-Fetch-Site", "cross-site")
	refused(stranger.upload(text(1)), 403, "cross_origin")

	// The first two of the three fit, and stay.
	if queue := alice.get("/api/v1/attachments").ok(); queue.at("queued_count") != 2.0 {
		t.Errorf("the queue is %s", queue.body)
	}
	alice.upload(text(1), text(1)).ok()
	crowded := alice.upload(text(1))
	refused(crowded, 409, "unattached")
	if want := "4 of your files are in no post or comment yet. Post or remove some of them first."; crowded.at("error") != want {
		t.Errorf("a person with too many files is told %q, want %q", crowded.at("error"), want)
	}
	bert := s.as("bert")
	bert.upload(text(1900), text(1900)).ok()
	full := bert.upload(text(1500))
	refused(full, 413, "files_full")
	if !strings.Contains(full.at("error").(string), "you have 2 KB of 5 KB left") {
		t.Errorf("a full person is told %q", full.at("error"))
	}
	carl := s.as("carl")
	carl.upload(text(1900)).ok()
	refused(carl.upload(text(500)), 507, "site_full")

	// An undecodable picture is refused with a reason.
	s.work()
	if files := alice.get("/api/v1/attachments").ok(); files.at("queued_count") != 0.0 || len(ids(files.at("attachments"))) != 4 {
		t.Errorf("the files are %s", files.body)
	}
}
