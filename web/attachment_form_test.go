package web_test

import (
	"bytes"
	"mime/multipart"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

// multipart sends fields, and then files under a name, as the form of a page does.
func (c *client) multipart(path string, fields []string, as string, files ...file) answer {
	c.b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	write := func(err error) {
		c.b.t.Helper()
		if err != nil {
			c.b.t.Fatal(err)
		}
	}
	for i := 0; i < len(fields); i += 2 {
		write(form.WriteField(fields[i], fields[i+1]))
	}
	if len(files) == 0 { // of a field without a file
		_, err := form.CreateFormFile(as, "")
		write(err)
	}
	for _, f := range files {
		part, err := form.CreateFormFile(as, f.name)
		write(err)
		_, err = part.Write(f.bytes)
		write(err)
	}
	write(form.WriteField("last", "after the files"))
	write(form.Close())
	return c.do("POST", path, form.FormDataContentType(), &body)
}

// names returns the names and descriptions of the files of a list in an answer.
func names(list any) (all []string) {
	some, _ := list.([]any)
	for _, one := range some {
		alt, _ := at(one, "alt").(string)
		all = append(all, strings.TrimSuffix(at(one, "attachment_file_name").(string)+": "+alt, ": "))
	}
	return all
}

// TestFilesByForm posts and edits files by the forms of pages, without script.
func TestFilesByForm(t *testing.T) {
	t.Parallel()
	s := newStudio(t, timeline.AttachmentLimits{}, nil, "alice")
	alice, visitor := s.browser("alice"), s.visitor()
	entry := func() answer { t.Helper(); s.work(); return visitor.get("/alice.json").ok() }
	expect := func(what string, list any, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, names(list)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	if home := alice.get("/").html(); !strings.Contains(home, `enctype="multipart/form-data"`) || !strings.Contains(home, `<input type="file" name="post[files][]" multiple>`) {
		t.Error("the home page has no field for files")
	}
	alice.multipart("/", []string{"_action", "/api/v1/posts.json", "post[text]", "soup", "post[timelines][]", "user", "return_to", "/"}, "post[files][]",
		file{"a.jpg", "", photo(t, 1)}, file{"b.jpg", "", photo(t, 2)}, file{"c.jpg", "", photo(t, 3)}).leadsTo("/")
	shown := entry()
	expect("the new post", shown.at("entries", 0, "attachments"), "a.jpg", "b.jpg", "c.jpg")
	mine, on := ids(shown.at("entries", 0, "attachments")), "/api/v1/posts/"+shown.id("entries", 0, "id")
	edit := "/alice/" + shown.id("entries", 0, "id") + "/edit"
	as := func(what, id string) string { return "post[" + what + "][" + id + "]" }
	send := func(fields url.Values, files ...file) answer {
		t.Helper()
		return alice.multipart(edit, pairs(fields), "post[files][]", files...)
	}

	stale := alice.get(edit).ok().fields(edit)
	fields := alice.get(edit).ok().fields(edit)
	fields.Set(as("attachment_order", mine[0]), "9")
	fields.Set(as("attachment_alts", mine[2]), "a bowl")
	fields["post[attachment_ids][]"] = []string{"", mine[0], mine[2]}
	send(fields, file{"d.jpg", "", photo(t, 4)}).leadsTo("/alice/" + shown.id("entries", 0, "id"))
	expect("the edited post", entry().at("entries", 0, "attachments"), "c.jpg: a bowl", "a.jpg", "d.jpg")

	stale.Set("post[text]", "more soup")
	send(stale).leadsTo("/alice/" + shown.id("entries", 0, "id"))
	if after := entry(); after.at("entries", 0, "text") != "more soup" {
		t.Error("the text was not edited")
	} else {
		expect("after a form that is older than the files", after.at("entries", 0, "attachments"), "c.jpg: a bowl", "a.jpg", "d.jpg")
	}

	alice.multipart(on+"/comments.json", []string{"comment[text]", "a spoon", "return_to", "/alice"}, "comment[files][]", file{"e.jpg", "", photo(t, 5)}).leadsTo("/alice")
	shown = entry()
	expect("the new comment", shown.at("entries", 0, "comments", 0, "attachments"), "e.jpg")
	comment := shown.id("entries", 0, "comments", 0, "id")
	at := "/alice/" + shown.id("entries", 0, "id") + "/comments/" + comment + "/edit"
	fields = alice.get(at).ok().fields(at)
	fields.Set("comment[attachment_alts]["+ids(shown.at("entries", 0, "comments", 0, "attachments"))[0]+"]", "a spoon")
	if a := alice.multipart(at, pairs(fields), "comment[files][]"); a.status != 303 {
		t.Errorf("%d %s", a.status, a.body)
	}
	expect("the edited comment", entry().at("entries", 0, "comments", 0, "attachments"), "e.jpg: a spoon")

	fields = alice.get(edit).ok().fields(edit)
	fields["post[attachment_ids][]"] = []string{""}
	send(fields)
	expect("without files", entry().at("entries", 0, "attachments"))
}

// TestFilesThatDoNotFit sends forms with files for which there is no room. The form comes back
// with its text and the files that did fit, and says how much room is left.
func TestFilesThatDoNotFit(t *testing.T) {
	t.Parallel()
	s := newStudio(t, timeline.AttachmentLimits{File: 4 << 10, Post: 2}, nil, "alice", "bert")
	alice := s.browser("alice")
	large := file{"large.bin", "", bytes.Repeat([]byte("x"), 4<<10+1)}
	small := file{"small.txt", "", []byte("small")}
	fields := []string{"post[text]", "a text that took long", "post[timelines][]", "user", "return_to", "/alice"}
	for _, tt := range []struct {
		language, says string
		files          []file
		status         int
	}{
		{"en", "The file is too large: a file can have at most 4 KB.", []file{small, large}, 413},
		{"ru", "Файл слишком большой: можно не больше 4 КБ.", []file{small, large}, 413},
		{"en", "Too many files: add at most 2.", []file{small, small, small}, 422},
	} {
		alice.header.Set("Accept-Language", tt.language)
		for _, form := range []struct {
			path, as string
			fields   []string
		}{
			{"/api/v1/posts.json", "post", fields},
			{"/api/v1/posts/" + s.as("bert").post("bert's", "user") + "/comments.json", "comment", []string{"comment[text]", "a text that took long", "return_to", "/bert"}},
		} {
			refused := alice.multipart(form.path, form.fields, form.as+"[files][]", tt.files...)
			if refused.status != tt.status || !strings.Contains(refused.body, tt.says) || !strings.Contains(refused.body, ">a text that took long</textarea>") {
				t.Errorf("%s of %s: %d %s, want %d and %q", form.as, tt.language, refused.status, refused.body, tt.status, tt.says)
			}
			kept := regexp.MustCompile(`name="`+form.as+`\[attachment_ids\]\[\]" value="(\d+)" checked`).FindAllStringSubmatch(refused.body, -1)
			if len(kept) != len(tt.files)-1 {
				t.Errorf("%s: the form has the files %v", form.as, kept)
			}
			for _, id := range kept {
				s.as("alice").send("DELETE", "/api/v1/attachments/"+id[1], nil).ok()
			}
		}
	}
	if got := s.visitor().get("/alice.json").ok(); len(got.at("entries").([]any)) != 0 {
		t.Errorf("refused posts were posted: %s", got.body)
	}

	t.Log("a form of a visitor who is not signed in leaves no file")
	if a := s.visitor().multipart("/api/v1/posts.json", fields, "post[files][]", small); a.status != 401 {
		t.Errorf("%d %s", a.status, a.body)
	}
	if queue := s.as("alice").get("/api/v1/attachments").ok(); queue.at("queued_count") != 0.0 {
		t.Errorf("left over: %s", queue.body)
	}
}
