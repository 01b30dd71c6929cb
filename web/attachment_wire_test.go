package web_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"mime/multipart"
	"slices"
	"strings"
	"testing"

	"amstel.dev/amstel/timeline"
)

// TestUploadsOfOldPrograms uploads as Mokum's clients do: with the token in a field of the form, from
// another origin, and with ids as numbers or as text in posts and comments.
func TestUploadsOfOldPrograms(t *testing.T) {
	long(t)
	t.Parallel()
	s := newStudio(t, timeline.AttachmentLimits{}, nil, "alice", "bobby")
	alice := s.as("alice")
	send := func(path, fileField string, fields ...string) answer {
		t.Helper()
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		var err error
		for i := 0; i < len(fields); i += 2 {
			if fields[i] == "" {
				to, failed := form.CreateFormFile(fileField, "me.jpg")
				if failed == nil {
					_, failed = to.Write(photo(t, fields[i+1][0]))
				}
				err = errors.Join(err, failed)
				continue
			}
			err = errors.Join(err, form.WriteField(fields[i], fields[i+1]))
		}
		if err = errors.Join(err, form.Close()); err != nil {
			t.Fatal(err)
		}
		page := s.visitor() // no header, no cookie
		page.header.Set("Origin", "https://client.example")
		page.header.Set("Sec-Fetch-Site", "cross-site")
		return page.do("POST", path, form.FormDataContentType(), &body)
	}
	const field = "attachment[attachment][]"

	said := send("//api/v1/attachments.json", field, "utf8", "✓", "X-API-Token", alice.token, "", "a", "", "b")
	if said.status != 200 || said.header.Get("Access-Control-Allow-Origin") != "*" || said.at("queued_count") != 2.0 || len(said.at("attachments").([]any)) != 0 {
		t.Fatalf("an upload: %d %s", said.status, said.body)
	}
	first, second := said.id("attachments_queued", 0, "id"), said.id("attachments_queued", 1, "id")
	s.work()
	queue := alice.get("/api/v1/attachments.json").ok()
	if queue.at("queued_count") != 0.0 || len(queue.at("attachments_queued").([]any)) != 0 || !slices.Equal(ids(queue.at("attachments")), []string{first, second}) {
		t.Errorf("the queue: %s", queue.body)
	}
	for key, want := range map[string]any{
		"user_id": float64(s.ids["alice"]), "attachment_file_name": "me.jpg", "orientation": "landscape", "thumb_width": 300.0, "thumb_height": 200.0,
		"medium_width": 450.0, "medium_height": 300.0, "original_width": 900.0, "original_height": 600.0,
	} {
		if got := queue.at("attachments", 0, key); got != want {
			t.Errorf("%s is %v, want %v", key, got, want)
		}
	}
	post := alice.send("POST", "/api/v1/posts.json", object{"post": object{"text": "", "timelines": []string{"user"}, "attachment_ids": []any{json.Number(first)}}}).ok()
	if got := ids(post.at("post", "attachments")); !slices.Equal(got, []string{first}) || post.id("post", "attachments", 0, "post_id") != post.id("post", "id") {
		t.Errorf("the post has %v: %s", got, post.body)
	}
	comment := alice.send("POST", "/api/v1/posts/"+post.id("post", "id")+"/comments.json", object{"comment": object{"text": "and", "attachment_ids": []string{second}}}).ok()
	if got := ids(comment.at("attachments")); !slices.Equal(got, []string{second}) {
		t.Errorf("the comment has %v: %s", got, comment.body)
	}

	if a := send("/api/v1/avatars", "avatar[avatar]", "x-api-token", alice.token, "", "c"); a.status != 200 || !strings.HasSuffix(a.at("user", "avatar_url").(string), ".jpg") {
		t.Errorf("an avatar: %d %s", a.status, a.body)
	}
	for name, tt := range map[string]struct {
		fields []string
		code   string
	}{
		"no token":                     {[]string{"", "a"}, "cross_origin"},
		"another token":                {[]string{"X-API-Token", "0-0", "", "a"}, "bad_token"},
		"a token after the file":       {[]string{"", "a", "X-API-Token", alice.token}, "cross_origin"},
		"a token behind a long field":  {[]string{"alt", strings.Repeat("x", 5000), "X-API-Token", alice.token, "", "a"}, "cross_origin"},
		"a token that is cut off":      {[]string{"alt", strings.Repeat("x", 3700), "X-API-Token", alice.token + strings.Repeat("0", 500), "", "a"}, "cross_origin"},
		"a token of another account's": {[]string{"X-API-Token", s.as("bobby").token, "", "a"}, ""},
	} {
		a := send("/api/v1/attachments", field, tt.fields...)
		if tt.code != "" && (a.status != 401 && a.status != 403 || a.at("code") != tt.code) {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
		if tt.code == "" && a.at("attachments_queued", 0, "user_id") != float64(s.ids["bobby"]) {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	if left := alice.get("/api/v1/attachments.json").ok(); len(left.at("attachments").([]any))+len(left.at("attachments_queued").([]any)) != 0 {
		t.Errorf("something is left: %s", left.body)
	}
}
