package web_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/internal/attachment"
	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
)

// TestPreviewOfALink posts links by the API, and reads their previews as JSON, in pages and as
// files: of a public post, of a post that becomes private, and of a post whose author wants no
// preview.
func TestPreviewOfALink(t *testing.T) {
	t.Parallel()
	files, err := filestore.OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { files.Close() })
	late := &lateKeeper{}
	b := setupOn(t, pgtest.New(t), web.Config{Files: late}, "alice", "bobby")
	late.Keeper = attachment.New(b.store, files, attachment.Options{})
	picture := []byte("RIFF of a page")
	kept, err := files.Put(t.Context(), bytes.NewReader(picture), 100)
	if err != nil {
		t.Fatal(err)
	}
	// finish finishes the page at an address, which must be the page in the queue. With an empty
	// address, the queue must be empty.
	finish := func(address string) {
		t.Helper()
		lease, err := b.store.TakePreview(t.Context(), time.Minute)
		if err != nil || (lease == nil) != (address == "") || lease != nil && lease.Address != address {
			t.Fatalf("in the queue is %v, %v; want %q", lease, err, address)
		}
		if lease == nil {
			return
		}
		err = b.store.FinishPreview(t.Context(), *lease, &timeline.Preview{
			Title: "Soup <b>of the day</b>", Site: "Soups", About: "A recipe.",
			Picture: &timeline.Rendition{File: timeline.FileName(kept.Name), MediaType: "image/webp", Size: kept.Size, Width: 660, Height: 440},
		}, func(ctx context.Context, name timeline.FileName) (bool, error) {
			return filestore.Has(ctx, files, filestore.Name(name))
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.node.WaitApplied(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	alice, bobby := b.as("alice"), b.as("bobby")
	post := func(fields object) string {
		t.Helper()
		fields["timelines"] = []string{"user"}
		return alice.send("POST", "/api/v1/posts.json", object{"post": fields}).ok().id("post", "id")
	}
	embeds := func(id string) []any {
		t.Helper()
		return alice.get("/alice/"+id+".json").ok().at("entries", 0, "embeds").([]any)
	}

	id := post(object{"text": "cook this: https://soups.example/1."})
	finish("https://soups.example/1")
	public := "/f/" + timeline.FileName(kept.Name).String() + ".webp"
	want := object{
		"type": "link", "url": "https://soups.example/1", "title": "Soup <b>of the day</b>", "provider_name": "Soups", "description": "A recipe.",
		"thumbnail_url": public, "thumbnail_width": 660.0, "thumbnail_height": 440.0,
	}
	if got := embeds(id); len(got) != 1 || fmt.Sprint(got[0]) != fmt.Sprint(want) {
		t.Errorf("the entry has %v, want %v", got, want)
	}
	html := b.visitor().get("/alice").body
	for _, part := range []string{`<a class="preview" href="https://soups.example/1"`, `<img src="` + public + `" width="660" height="440"`, "Soup &lt;b&gt;of the day&lt;/b&gt;", "A recipe.", "<small>Soups</small>"} {
		if !strings.Contains(html, part) {
			t.Errorf("the page has no %s", part)
		}
	}
	if a := b.visitor().get(public).ok(); a.body != string(picture) || a.header.Get("Content-Type") != "image/webp" {
		t.Errorf("the picture is %q, %v", a.body, a.header)
	}

	alice.send("PATCH", "/api/v1/posts/"+id+".json", object{"post": object{"timelines": []string{"user_private"}}}).ok()
	private := "/attachments/preview/" + id + "/" + timeline.FileName(kept.Name).String() + ".webp"
	if got := embeds(id)[0].(object)["thumbnail_url"]; got != private {
		t.Errorf("the picture of the private post is at %v, want %s", got, private)
	}
	if a := alice.get(private).ok(); a.body != string(picture) || a.header.Get("Cache-Control") != "private, no-cache" {
		t.Errorf("the picture of the private post is %q, %v", a.body, a.header)
	}
	for what, a := range map[string]answer{
		"bobby": bobby.get(private), "a visitor": b.visitor().get(private), "the public address": alice.get(public),
		"another name": alice.get(strings.Replace(private, timeline.FileName(kept.Name).String(), strings.Repeat("0", 64), 1)),
	} {
		if a.status != 404 {
			t.Errorf("%s: %d", what, a.status)
		}
	}

	if a := alice.send("PATCH", "/api/v1/posts/"+id+".json", object{"post": object{"link_preview": "perhaps"}}); a.status != 422 || len(embeds(id)) != 1 {
		t.Errorf("a choice that is none: %d, %s", a.status, a.body)
	}
	alice.send("PATCH", "/api/v1/posts/"+id+".json", object{"post": object{"link_preview": false}}).ok()
	if got := embeds(id); len(got) != 0 {
		t.Errorf("without a preview the entry has %v", got)
	}
	if a := alice.get(private); a.status != 404 {
		t.Errorf("its picture: %d", a.status)
	}

	post(object{"text": "https://soups.example/2", "link_preview": false})
	finish("")
	unsafe := post(object{"text": "https://soups.example/3", "nsfw": true})
	finish("https://soups.example/3")
	if html := b.visitor().get("/alice/" + unsafe).body; strings.Index(html, `class="preview"`) < strings.LastIndex(html, `<details class="nsfw">`) {
		t.Error("the preview of a post that is not safe for work is not behind a click")
	}
}
