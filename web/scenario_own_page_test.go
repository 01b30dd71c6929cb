package web_test

import (
	"strings"
	"testing"

	"amstel.dev/amstel/timeline"
)

// TestRefusedFormsAnswerOnTheirOwnPage sends forms without script that are refused, with and
// without files: each is sent to the address of a page, comes back there with the typed text, and
// can be sent again from there. A reload of the address shows the page.
func TestRefusedFormsAnswerOnTheirOwnPage(t *testing.T) {
	long(t)
	t.Parallel()
	s := newStudio(t, timeline.AttachmentLimits{File: 4 << 10, Post: 2}, nil, "alice")
	alice, api := s.browser("alice"), s.as("alice")
	post := api.post("soup", "user")
	comment := api.comment(post, "a spoon")
	api.send("POST", "/api/v1/groups", object{"group": object{"name": "cooks", "display_name": "Cooks"}}).ok()
	path, long := "/alice/"+post, strings.Repeat("long ", 700)
	large := file{"large.bin", "", make([]byte, 4<<10+1)}
	for _, tt := range []struct {
		name, page, at string // the page with the form, and the address of the form
		field, typed   string
		files          string // the field of the files; empty: the form has none
	}{
		{"a post", "/", "/", "post[text]", long, "post[files][]"},
		{"a comment", path, path, "comment[text]", long, "comment[files][]"},
		{"an edited post", path + "/edit", path + "/edit", "post[text]", long, "post[files][]"},
		{"an edited comment", path + "/comments/" + comment + "/edit", path + "/comments/" + comment + "/edit", "comment[text]", long, "comment[files][]"},
		{"an edited group", "/cooks/edit", "/cooks/edit", "group[display_name]", strings.Repeat("x", 51), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fields := alice.get(tt.page).ok().fields(tt.at)
			fields.Set(tt.field, tt.typed)
			sent := []answer{}
			if tt.files == "" {
				sent = append(sent, alice.form("POST", tt.at, pairs(fields)...))
			} else {
				sent = append(sent, alice.multipart(tt.at, pairs(fields), tt.files))
				short := fields
				short.Set(tt.field, "kept")
				sent = append(sent, alice.multipart(tt.at, pairs(short), tt.files, large))
			}
			for i, refused := range sent {
				want := []string{tt.typed, "kept"}[i]
				if refused.status != 422 && refused.status != 413 || !strings.Contains(refused.body, `class="problem`) {
					t.Errorf("try %d: %d, %s", i, refused.status, refused.body)
					continue
				}
				if again := refused.fields(tt.at); again.Get(tt.field) != want {
					t.Errorf("try %d came back with %q", i, again.Get(tt.field))
				}
			}
		})
	}
	t.Run("a picture of a group", func(t *testing.T) {
		at := "/cooks/edit?form=avatar"
		alice.get("/cooks/edit").ok().fields(at)
		refused := alice.multipart(at, nil, "avatar[avatar]", file{"a.jpg", "", []byte("no picture")})
		if refused.status != 422 || !strings.Contains(refused.body, `id="picture-avatar-problem"`) {
			t.Errorf("%d, %s", refused.status, refused.body)
		}
		refused.fields(at)
	})
	t.Run("asking who will see it changes nothing", func(t *testing.T) {
		for page, ask := range map[string]string{path + "/edit": path + "/edit?ask=audience", "/cooks/edit": "/cooks/edit?ask=audience"} {
			fields := alice.get(page).ok().fields(page)
			for name := range fields {
				if name == "post[text]" || name == "group[description]" {
					fields.Set(name, "only asked")
				}
			}
			if asked := alice.form("POST", ask, pairs(fields)...); asked.status != 200 || !strings.Contains(asked.body, "only asked") {
				t.Errorf("%s: %d", ask, asked.status)
			}
			if strings.Contains(alice.get(page).ok().body, "only asked") {
				t.Errorf("%s changed something", ask)
			}
		}
	})
	t.Run("files of a form for something else are not kept", func(t *testing.T) {
		alice.multipart("/settings/lists", []string{"_action", "/api/v1/lists.json", "name", "friends"}, "post[files][]", file{"small.txt", "", []byte("small")})
		if lists := api.get("/api/v1/lists").ok(); !strings.Contains(lists.body, "friends") || strings.Contains(api.get("/api/v1/attachments").ok().body, "small.txt") {
			t.Errorf("the lists are %s, the files %s", lists.body, api.get("/api/v1/attachments").body)
		}
	})
}
