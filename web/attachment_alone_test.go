package web_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
)

// TestFilesWithoutText posts, comments and edits with files alone, by the forms of pages and
// by the API, and reads what is shown in place of the text.
func TestFilesWithoutText(t *testing.T) {
	long(t)
	t.Parallel()
	s := newStudio(t, timeline.AttachmentLimits{}, nil, "alice", "bert")
	alice, browser, bert := s.as("alice"), s.browser("alice"), s.as("bert")

	t.Log("by form")
	to := []string{"post[text]", " ", "post[timelines][]", "user", "return_to", "/alice"}
	browser.multipart("/api/v1/posts.json", to, "post[files][]", file{"soup.jpg", "", photo(t, 1)}).leadsTo("/alice")
	s.work()
	entry := s.visitor().get("/alice.json").ok()
	on := "/api/v1/posts/" + entry.id("entries", 0, "id")
	path := "/alice/" + entry.id("entries", 0, "id")
	if entry.at("entries", 0, "text") != "" || len(ids(entry.at("entries", 0, "attachments"))) != 1 {
		t.Errorf("posted: %s", entry.body)
	}
	browser.multipart(on+"/comments.json", []string{"comment[text]", "", "return_to", "/alice"}, "comment[files][]", file{"spoon.jpg", "", photo(t, 2)}).leadsTo("/alice")

	t.Log("by API")
	spoon := s.readyFile(bert, file{"spoon.jpg", "", photo(t, 3)})
	comment := bert.send("POST", on+"/comments", object{"comment": object{"attachment_ids": []any{spoon}}}).ok()
	if comment.at("text") != "" || len(ids(comment.at("attachments"))) != 1 {
		t.Errorf("commented: %s", comment.body)
	}
	if a := bert.send("PATCH", on+"/comments/"+comment.id("id"), object{"comment": object{}}); a.status != 422 {
		t.Errorf("an edit that says nothing: %d %s", a.status, a.body)
	}

	t.Log("what stands in place of the text")
	title := func(language string) string {
		t.Helper()
		browser.header.Set("Accept-Language", language)
		_, rest, _ := strings.Cut(browser.get(path).ok().body, "<title>")
		text, _, _ := strings.Cut(rest, "</title>")
		return text
	}
	shows := func(en, ru string) {
		t.Helper()
		for language, want := range map[string]string{"en": en, "ru": ru} {
			if got := title(language); !strings.HasPrefix(got, "(1) Alice: "+want) && !strings.HasPrefix(got, "Alice: "+want) {
				t.Errorf("the title is %q, want %q", got, want)
			}
			if page := browser.get("/notifications").ok().body; !strings.Contains(page, "<bdi>"+want+"</bdi>") {
				t.Errorf("no notice of %q:\n%s", want, page)
			}
		}
		n := alice.get("/api/v1/notifications.json").ok().at("notifications", 0)
		if at(n, "text") != en || at(n, "comment_text") != "Photo" {
			t.Errorf("the notice is %v", n)
		}
	}
	shows("Photo", "Фото")
	mine := ids(entry.at("entries", 0, "attachments"))
	alice.send("PATCH", on, object{"post": object{"attachment_ids": mine, "attachment_alts": object{mine[0]: "a bowl of soup"}}}).ok()
	shows("a bowl of soup", "a bowl of soup")
	var text string
	for _, tt := range []struct {
		name   string
		bytes  []byte
		en, ru string
	}{
		{"a.flac", []byte("fLaC sound"), "Audio", "Аудио"},
		{"a.webm", []byte("\x1a\x45\xdf\xa3 video"), "Video", "Видео"},
		{"a plan.txt", []byte("a plan"), "a plan.txt", "a plan.txt"},
	} {
		text = s.readyFile(alice, file{tt.name, "", tt.bytes}).String()
		alice.send("PATCH", on, object{"post": object{"attachment_ids": []string{text}}}).ok()
		shows(tt.en, tt.ru)
	}
	if home := browser.get(path).ok().body; strings.Count(home, `class="nsfw"`) != 0 {
		t.Error("a safe post is covered")
	}
	covered := alice.send("POST", "/api/v1/posts", object{"post": object{"timelines": []string{"user"}, "nsfw": true, "attachment_ids": []any{s.readyFile(alice, file{"b.jpg", "", photo(t, 4)})}}}).ok()
	if page := browser.get("/alice/" + covered.id("post", "id")).ok().body; strings.Count(page, `class="nsfw"`) != 1 {
		t.Errorf("a post that is not safe for work has %d covers", strings.Count(page, `class="nsfw"`))
	}

	t.Log("with neither text nor file")
	const en, ru = "Write something, or add a file.", "Напишите что-нибудь или добавьте файл."
	for language, want := range map[string]string{"en": en, "ru": ru} {
		browser.header.Set("Accept-Language", language)
		for what, refused := range map[string]answer{
			"a post":            browser.multipart("/api/v1/posts.json", to, "post[files][]"),
			"a comment":         browser.multipart(on+"/comments.json", []string{"comment[text]", "", "return_to", "/alice"}, "comment[files][]"),
			"an edited post":    browser.multipart(on+".json", []string{"_method", "PATCH", "post[text]", "", "post[attachment_ids][]", "", "return_to", path}, "post[files][]"),
			"an edited comment": bert.send("PATCH", on+"/comments/"+comment.id("id"), object{"comment": object{"text": "", "attachment_ids": []any{}}}),
		} {
			if refused.status != 422 || !strings.Contains(refused.body, want) && refused.at("error") != "Text is empty, and there is no file." {
				t.Errorf("%s: %d %s", what, refused.status, refused.body)
			}
		}
	}
	if shown := s.visitor().get(path + ".json").ok(); len(ids(shown.at("entries", 0, "attachments"))) != 1 || shown.at("entries", 0, "comments_count") != 2.0 {
		t.Errorf("an edit that was refused changed the post: %s", shown.body)
	}
}

// TestDiscussionsOfFilesWithoutText: the catch-up of a home names a post without text, and a
// file that is not ready.
func TestDiscussionsOfFilesWithoutText(t *testing.T) {
	t.Parallel()
	v := newVisits(t, "anna", "bert")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	anna, browser := v.ids["anna"], v.browser("anna")
	id, _, err := v.store.ReserveAttachment(t.Context(), anna, timeline.NewAttachment{FileName: "soup.jpg", Size: 1}, timeline.AttachmentLimits{})
	must(err)
	kept := func(context.Context, timeline.FileName) (bool, error) { return true, nil }
	must(v.store.ReceiveAttachment(t.Context(), anna, id, timeline.FileName{1}, 1, kept))
	post, err := v.store.CreatePost(t.Context(), anna, timeline.NewPost{To: []string{"user"}, Files: timeline.Files{IDs: []timeline.AttachmentID{id}}})
	must(err)
	browser.get("/").ok()
	v.advance(8 * time.Hour)
	browser.get("/").ok()
	v.as("bert").comment(fmt.Sprint(post), "what is it?")
	if a := v.as("anna").get("/api/v1/catch_up.json").ok(); a.at("discussions", 0, "text") != "Without text" {
		t.Errorf("the discussion is %s", a.body)
	}
	browser.header.Set("Accept-Language", "ru")
	if page := browser.get("/").ok().body; !strings.Contains(page, "Без текста") {
		t.Error("the page does not name the discussion")
	}
}
