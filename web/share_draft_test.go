package web_test

import (
	"html"
	"regexp"
	"strings"
	"testing"
)

// TestShareButton sends what Mokum's share buttons send: from any origin, as JSON, without a
// token.
func TestShareButton(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	button := b.visitor()
	button.header.Set("Origin", "chrome-extension://abcdefghijklmnop")
	button.header.Set("Sec-Fetch-Site", "cross-site")
	button.header.Set("Cookie", "amstel=stale")

	asked := button.do("OPTIONS", "/sh", "", nil)
	if asked.status != 204 || asked.header.Get("Access-Control-Allow-Origin") != "*" || !strings.Contains(asked.header.Get("Access-Control-Allow-Methods"), "POST") ||
		!strings.Contains(asked.header.Get("Access-Control-Allow-Headers"), "Content-Type") {
		t.Errorf("the preflight: %d %v", asked.status, asked.header)
	}
	sent := object{
		"v": 3, "u": "https://example.org/a?b=1&c=2", "t": `A "title" </textarea><b>`, "q": "What was\nselected", "i": []any{"https://example.org/1.jpg", nil, object{"a": 1}, "data:image/png;base64,AA=="},
		"vi": []string{"/film.mp4"}, "ifr": nil, "au": []string{}, "ss": []string{"2.jpg 1x, 3.jpg 2x"}, "bi": "url('/4.png')",
	}
	made := button.send("POST", "/sh", sent)
	draft, ours := strings.CutPrefix(made.body, b.http.URL)
	if made.status != 201 || !ours || !strings.HasPrefix(made.header.Get("Content-Type"), "text/plain") || made.header.Get("Access-Control-Allow-Origin") != "*" ||
		len(made.header.Values("Set-Cookie")) > 0 || !regexp.MustCompile(`^/sh/[\w-]{40,}$`).MatchString(draft) {
		t.Fatalf("%d %v %q", made.status, made.header, made.body)
	}

	// Signed out: sign in, then the page.
	stranger := b.visitor()
	stranger.accept, stranger.http.Jar = "text/html", &jar{}
	stranger.get(draft).leadsTo("/users/sign_in?return_to=" + strings.ReplaceAll(draft, "/", "%2F"))
	stranger.form("POST", "/users/sign_in", "user[email]", "alice", "user[password]", "password of alice", "return_to", draft).leadsTo(draft)
	page := stranger.get(draft)
	source := page.html()
	typed := regexp.MustCompile(`(?s)<textarea[^>]*>(.*?)</textarea>`).FindStringSubmatch(source)
	if typed == nil || html.UnescapeString(typed[1]) != "A \"title\" </textarea><b>\nhttps://example.org/a?b=1&c=2\n\n“What was\nselected”" || page.header.Get("Cache-Control") != "no-store" {
		t.Errorf("the text is %q", typed)
	}
	var links []string
	for _, link := range regexp.MustCompile(`name="post\[links\]\[\]" value="([^"]*)"`).FindAllStringSubmatch(source, -1) {
		links = append(links, link[1])
	}
	if got := strings.Join(links, " "); got != "https://example.org/1.jpg https://example.org/3.jpg https://example.org/4.png https://example.org/film.mp4" {
		t.Errorf("the addresses to choose are %q", got)
	}
	if strings.Contains(source, "<img src=\"https://example.org") {
		t.Error("the page loads from another site")
	}
	// The unchanged form, with one of the addresses.
	stranger.form("POST", "/api/v1/posts.json", "post[text]", html.UnescapeString(typed[1]), "post[links][]", links[1], "post[timelines][]", "user", "return_to", "/").leadsTo("/")
	if text := b.as("bobby").get("/alice.json").at("entries", 0, "text"); text != html.UnescapeString(typed[1])+"\nhttps://example.org/3.jpg" {
		t.Errorf("the post is %q", text)
	}

	// A form and text/plain work too, and so does a page that links here.
	simple := b.visitor()
	if a := simple.do("POST", "//sh", "text/plain;charset=UTF-8", strings.NewReader(`{"u":"http://example.org"}`)); a.status != 201 {
		t.Errorf("as text: %d %s", a.status, a.body)
	}
	alice := b.browser("alice")
	for address, want := range map[string]string{
		"/sh?u=https%3A%2F%2Fexample.org%2F&t=Title&q=words":                   "Title\nhttps://example.org/\n\n“words”",
		"/sh?t=&q=Look%3A+https%3A%2F%2Fexample.org%2F&u=":                     "Look: https://example.org/",
		"/sh?u=https%3A%2F%2Fexample.org%2F&q=https%3A%2F%2Fexample.org%2F&t=": "https://example.org/",
	} {
		typed := regexp.MustCompile(`(?s)<textarea[^>]*>(.*?)</textarea>`).FindStringSubmatch(alice.get(address).html())
		if typed == nil || html.UnescapeString(typed[1]) != want {
			t.Errorf("%s: %q", address, typed)
		}
	}
	long := alice.get("/sh?u=https://example.org&q=" + strings.Repeat("long%20", 1000)).html()
	typed = regexp.MustCompile(`(?s)<textarea[^>]*>(.*?)</textarea>`).FindStringSubmatch(long)
	if n := len([]rune(html.UnescapeString(typed[1]))); n > 3000 || n < 2400 {
		t.Errorf("a long selection makes a post of %d characters", n)
	}
	for _, want := range []string{"javascript:(", b.http.URL + "/sh"} {
		if source := html.UnescapeString(b.visitor().get("/sh").html()); !strings.Contains(source, want) {
			t.Errorf("the page of the button lacks %q", want)
		}
	}
	if a := b.visitor().get("/manifest.webmanifest"); a.at("share_target", "action") != "/sh" || a.at("share_target", "params", "url") != "u" {
		t.Error(a.body)
	}

	for name, tt := range map[string]struct {
		body   any
		status int
		code   string
	}{
		"no JSON":             {"hello", 400, "bad_request"},
		"a list":              {`["u"]`, 400, "bad_request"},
		"nothing":             {object{"v": 3}, 422, "invalid"},
		"no address":          {object{"u": "javascript:alert(1)"}, 422, "invalid"},
		"a number":            {object{"u": 7}, 422, "invalid"},
		"no list of pictures": {object{"u": "https://example.org", "i": 7}, 422, "invalid"},
		"a zero character":    {`{"u":"https://example.org","t":"a\u0000b"}`, 422, "invalid"},
		"too large":           {object{"u": "https://example.org", "q": strings.Repeat("x", 300<<10)}, 413, "too_large"},
	} {
		if a := button.send("POST", "/sh", tt.body); a.status != tt.status || a.at("code") != tt.code || a.header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	if a := alice.get("/sh/unknown"); a.status != 404 || !strings.Contains(a.body, "has expired") {
		t.Errorf("an unknown draft: %d %s", a.status, a.body)
	}
	if a := alice.get("/sh?u=ftp%3A%2F%2Fexample.org"); a.status != 422 || !strings.Contains(a.body, "not the address of a web page") {
		t.Errorf("no address of a page: %d", a.status)
	}
	for range 30 {
		made = button.send("POST", "/sh", sent)
	}
	if made.status != 429 || made.header.Get("Retry-After") == "" || made.at("code") != "throttled" {
		t.Errorf("very many drafts: %d %s", made.status, made.body)
	}
}
