package web_test

import (
	"net/http"
	"strings"
	"testing"
)

// read requests a page with this Accept-Language header.
func (c *client) read(accepted, path string) answer {
	c.b.t.Helper()
	c.header.Set("Accept-Language", accepted)
	c.accept = "text/html"
	return c.get(path)
}

// A page is in the reader's language: by the setting, else by the browser.
func TestPagesSpeakTheReadersLanguage(t *testing.T) {
	long(t)
	t.Parallel()
	b := setup(t, "alice", "bobby")
	b.as("bobby").post("here", "user")
	speaks := func(a answer, language, says string) {
		t.Helper()
		if a.status != http.StatusOK || !strings.Contains(a.body, `<html lang="`+language+`"`) || !strings.Contains(a.body, says) ||
			a.header.Get("Content-Language") != language || !strings.Contains(a.header.Get("Vary"), "Accept-Language") {
			t.Errorf("%d %s %q, want %s and %q", a.status, a.header.Get("Content-Language"), a.header.Get("Vary"), language, says)
		}
	}
	visitor := b.visitor()
	// Twice, as the second is served from memory.
	var tags []string
	for range 2 {
		english, russian := visitor.read("de, en;q=0.8, ru;q=0.5", "/bobby"), visitor.read("ru-RU,ru;q=0.9,en;q=0.8", "/bobby")
		speaks(english, "en", ">Posts</a>")
		speaks(russian, "ru", ">Посты</a>")
		if tags = []string{english.header.Get("ETag"), russian.header.Get("ETag")}; tags[0] == "" || tags[0] == tags[1] {
			t.Errorf("the pages of two languages have the ETags %q", tags)
		}
	}
	visitor.header.Set("If-None-Match", tags[0])
	speaks(visitor.read("ru", "/bobby"), "ru", "Посты")
	if a := visitor.read("en", "/bobby"); a.status != http.StatusNotModified {
		t.Errorf("a page that the browser has answers %d", a.status)
	}
	visitor.header.Del("If-None-Match")
	speaks(visitor.read("de", "/bobby"), "en", "Posts")
	speaks(visitor.read("ru", "/users/sign_in"), "ru", "Логин или e-mail")

	alice := b.browser("alice")
	speaks(alice.read("ru", "/settings"), "ru", "Настройки")
	me := "/api/v1/users/" + numberOf(b.ids["alice"]) + ".json"
	alice.press("PATCH", me, "user[page_language]", "ru", "user[was][page_language]", "", "return_to", "/settings").leadsTo("/settings")
	speaks(alice.read("en", "/settings/appearance"), "ru", `<option value="ru" lang="ru" selected>Русский</option>`)
	speaks(alice.read("en", "/"), "ru", "Главная")
	if a := alice.press("PATCH", me, "user[page_language]", "xx", "return_to", "/settings"); a.status != http.StatusUnprocessableEntity || !strings.Contains(a.body, "Выберите один из вариантов.") {
		t.Errorf("a language that pages do not speak: %d", a.status)
	}
	// Errors are in the language of the page too; programs get them in English.
	if a := alice.press("PATCH", me, "user[display_name]", " ", "return_to", "/settings"); !strings.Contains(a.body, "Заполните это поле.") {
		t.Errorf("an empty name: %d", a.status)
	}
	program := b.as("alice")
	if a := program.send("PATCH", me, object{"user": object{"display_name": " ", "page_language": "ru"}}); a.at("error") != "Display name is empty." || a.at("code") != "invalid" {
		t.Errorf("a program is told %s", a.body)
	}
	program.send("PATCH", me, object{"user": object{"page_language": ""}}).ok()
	speaks(alice.read("en", "/settings"), "en", "Settings")
}

// A part of a page is answered in the language of the page.
func TestFragmentsSpeakTheLanguageOfTheirPage(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	post := b.as("bobby").post("here", "user")
	alice := b.as("alice")
	alice.header.Set("X-Amstel-As", "html")
	for _, tt := range []struct{ language, word, wrong string }{{"ru", "Убрать лайк", "Напишите что-нибудь или добавьте файл."}, {"en", "Unlike", "Write something, or add a file."}} {
		alice.header.Set("X-Amstel-Language", tt.language)
		alice.header.Set("X-River-Signature", alice.get("/bobby.json").at("river", "uuid").(string))
		html, _ := alice.form("POST", "/api/v1/posts/"+post+"/likes.json").ok().at("html", post).(string)
		if !strings.Contains(html, tt.word) {
			t.Errorf("%s: the entry is %q", tt.language, html)
		}
		if a := alice.form("POST", "/api/v1/posts/"+post+"/comments.json", "comment[text]", " "); a.at("error") != tt.wrong {
			t.Errorf("%s: %s", tt.language, a.body)
		}
	}
}
