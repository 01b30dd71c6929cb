package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"amstel.dev/amstel/internal/picture"
	"amstel.dev/amstel/timeline"
)

// A fussyMaker refuses pictures that end with a certain word.
type fussyMaker struct{ fakeMaker }

func (m fussyMaker) Make(ctx context.Context, upload []byte) (*picture.Picture, error) {
	if bytes.HasSuffix(upload, []byte("wide")) {
		return nil, picture.ErrPixels
	}
	return m.fakeMaker.Make(ctx, upload)
}

// TestRefusedFiles posts pictures that are refused afterwards. The author gets the reason in the
// entry, in the author's language and by the API, until the author dismisses the note. Other
// readers get no reason.
func TestRefusedFiles(t *testing.T) {
	long(t)
	t.Parallel()
	s := newStudio(t, timeline.AttachmentLimits{}, fussyMaker{}, "alice", "bert")
	alice, browser, bert, other := s.as("alice"), s.browser("alice"), s.as("bert"), s.browser("bert")
	wide := func(name string) file { return file{name, "", append(photo(t, 1), "wide"...)} }
	attach := func(c *client, name string) []any {
		return []any{json.Number(c.upload(wide(name)).ok().id("attachments_queued", 0, "id"))}
	}
	post := alice.send("POST", "/api/v1/posts", object{"post": object{"timelines": []string{"user"}, "attachment_ids": attach(alice, "soup.jpg")}}).ok()
	on, path := "/api/v1/posts/"+post.id("post", "id"), "/alice/"+post.id("post", "id")
	bert.send("POST", on+"/comments", object{"comment": object{"attachment_ids": attach(bert, "spoon.jpg")}}).ok()
	const en, ru = "The picture soup.jpg has too many pixels. Make it smaller, and add it again.", "В картинке soup.jpg слишком много пикселей. Уменьшите её и добавьте снова."
	says := func(who *client, language string, texts ...string) {
		t.Helper()
		who.header.Set("Accept-Language", language)
		page := who.get(path).ok().body
		for _, text := range []string{
			"soup.jpg is being prepared.", "spoon.jpg is being prepared.", "A file is being prepared.", "Файл soup.jpg обрабатывается.", "Файл обрабатывается.",
			en, ru, "The picture spoon.jpg", "The files could not be used", "Файлы использовать не удалось",
		} {
			wanted := false
			for _, some := range texts {
				wanted = wanted || strings.Contains(text, some)
			}
			if strings.Contains(page, text) != wanted {
				t.Errorf("%s: %q is there: %v", language, text, !wanted)
			}
		}
	}

	t.Log("while they wait")
	says(browser, "en", "soup.jpg is being prepared.", "A file is being prepared.")
	says(browser, "ru", "Файл soup.jpg обрабатывается.", "Файл обрабатывается.")
	says(other, "en", "spoon.jpg is being prepared.", "A file is being prepared.")
	if e := alice.get(path + ".json").ok(); e.at("entries", 0, "attachments_queued", 0, "attachment_file_name") != "soup.jpg" || strings.Contains(e.body, "spoon.jpg") {
		t.Errorf("the author's entry: %s", e.body)
	}
	s.work()

	t.Log("when they were refused")
	says(browser, "en", en, "The files could not be used")
	says(browser, "ru", ru, "Файлы использовать не удалось")
	says(other, "en", "The picture spoon.jpg", "The files could not be used")
	if e := s.visitor().get(path + ".json").ok(); strings.Contains(e.body, "soup.jpg") || strings.Contains(e.body, "spoon.jpg") {
		t.Errorf("others are told %s", e.body)
	}
	entry := alice.get(path + ".json").ok()
	refused := entry.at("entries", 0, "attachments_refused", 0)
	if at(refused, "code") != "pixels" || at(refused, "reason") != en || at(refused, "attachment_file_name") != "soup.jpg" {
		t.Errorf("the author's entry: %s", entry.body)
	}
	if edit := browser.get(path + "/edit").ok().body; !strings.Contains(edit, ru) || !strings.Contains(edit, `<button class="link" form="dismiss-`+numberText(at(refused, "id"))+`">`) ||
		!strings.Contains(edit, `<form id="dismiss-`+numberText(at(refused, "id"))+`" method="post" action="/api/v1/attachments/`) {
		t.Error("the page for editing does not say why, or does not offer to put that away")
	}
	if again := alice.send("PATCH", on, object{"post": object{"attachment_ids": []any{at(refused, "id")}}}); again.status != 422 {
		t.Errorf("a refused file was put into the post again: %d %s", again.status, again.body)
	}

	t.Log("the note is put away, by its owner alone")
	id := numberText(at(refused, "id"))
	for _, someone := range []*client{bert, s.visitor()} {
		if a := someone.send("DELETE", "/api/v1/attachments/"+id, nil); a.status != 404 && a.status != 401 {
			t.Errorf("by another: %d %s", a.status, a.body)
		}
	}
	browser.form("POST", "/api/v1/attachments/"+id+".json", "_method", "DELETE", "return_to", path).leadsTo(path)
	says(browser, "en", "The files could not be used", "could not be used")
	bert.header.Set("X-River-Signature", bert.get(path+".json").at("river", "uuid").(string))
	spoon := bert.get(path+".json").ok().at("entries", 0, "comments", 0, "attachments_refused", 0, "id")
	gone := bert.send("DELETE", "/api/v1/attachments/"+numberText(spoon), nil).ok()
	if !strings.Contains(gone.body, `"entries":{"`) || strings.Contains(gone.body, "spoon.jpg") {
		t.Errorf("the answer: %s", gone.body)
	}

	t.Log("of a file in no post the list says why")
	alice.upload(wide("loose.jpg")).ok()
	s.work()
	for language, want := range map[string]string{"": "The picture loose.jpg has too many pixels. Make it smaller, and add it again.", "ru": "В картинке loose.jpg слишком много пикселей. Уменьшите её и добавьте снова."} {
		if alice.header.Del("X-Amstel-Language"); language != "" {
			alice.header.Set("X-Amstel-Language", language)
		}
		list := alice.get("/api/v1/attachments").ok()
		if list.at("attachments_refused", 0, "reason") != want || list.at("attachments_refused", 0, "code") != "pixels" {
			t.Errorf("%q: %s", language, list.body)
		}
	}
}
