package main

import (
	"net/netip"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/push"
	"amstel.dev/amstel/internal/pushtest"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/page"
)

// device makes a browser of a person with pushes on.
func device(t *testing.T, store *timeline.Store, service *pushtest.Service, user timeline.UserID) *pushtest.Browser {
	t.Helper()
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	secret, err := store.NewSession(t.Context(), user, true, "")
	ok(err)
	who, err := store.Session(t.Context(), secret)
	ok(err)
	b := service.Browser()
	const public = "https://push.example/1" // the store takes no endpoint on another port
	ok(store.AddPushReceiver(t.Context(), user, who.Hash, timeline.PushEndpoint{Address: public, PublicKey: b.Public, Auth: b.Auth}))
	_, err = store.Pool().Exec(t.Context(), `update push_receivers set endpoint = $1 where endpoint = $2`, b.Endpoint, public)
	ok(err)
	return b
}

// TestPushSaysWhatHappened: a push has the words of the notice, in the language of its reader.
func TestPushSaysWhatHappened(t *testing.T) {
	t.Parallel()
	ahead := time.Duration(0)
	service := pushtest.Start(t, time.Now)
	store := timeline.New(pgtest.New(t), timeline.Options{Argon: pgtest.Argon, Now: func() time.Time { return time.Now().Add(ahead) }})
	people := make(map[string]timeline.UserID)
	browsers := make(map[string]*pushtest.Browser)
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, language := range map[string]string{"anna": "en", "bert": "ru", "carl": ""} {
		id, err := store.SignUp(t.Context(), timeline.NewUser{Name: name, Email: name + "@example.org", NoPassword: true})
		ok(err)
		_, err = store.Pool().Exec(t.Context(), `update users set page_language = $2 where id = $1`, id, language)
		ok(err)
		people[name], browsers[name] = id, device(t, store, service, id)
	}
	own, err := store.CreatePost(t.Context(), people["anna"], timeline.NewPost{To: []string{"user"}, Text: "Low water today."})
	ok(err)
	comment, err := store.AddComment(t.Context(), people["bert"], own, timeline.NewComment{Text: "I bring boots. @carl?"})
	ok(err)
	direct, err := store.CreatePost(t.Context(), people["anna"], timeline.NewPost{To: []string{"direct:bert"}, Text: "Thank you!"})
	ok(err)
	ahead = time.Minute // until pushes are due
	worker := push.New(store, push.Options{URL: "https://amstel.example", Permit: []netip.AddrPort{service.Address()}, Roots: service.Roots(), Write: pushWords, Language: catalogue.Russian})
	for more := true; more; {
		more, err = worker.Work(t.Context())
		ok(err)
	}
	for name, want := range map[string]pushtest.Message{
		"anna": {Title: "bert commented on your post", Body: "I bring boots. @carl?", Path: page.CommentPath("anna", own, comment), Lang: "en"},
		"bert": {Title: "anna пишет вам личное сообщение", Body: "Thank you!", Path: page.PostPath("anna", direct), Lang: "ru"},
		"carl": {Title: "bert упоминает вас в комментарии", Body: "I bring boots. @carl?", Path: page.CommentPath("anna", own, comment), Lang: "ru"},
	} {
		got := browsers[name].Messages()
		for i := range got {
			got[i].Tag = ""
		}
		if diff := gocmp.Diff([]pushtest.Message{want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
