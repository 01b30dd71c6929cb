package timeline

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// endpointAt returns an endpoint of a new browser.
func endpointAt(address string) PushEndpoint {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	return PushEndpoint{Address: address, PublicKey: key.PublicKey().Bytes(), Auth: make([]byte, 16)}
}

// device starts a session of a person on a device with pushes, and returns its secret and hash.
func (s *site) device(name, address string) (secret string, hash []byte) {
	s.t.Helper()
	secret, err := s.NewSession(s.t.Context(), s.user(name), true, "Mozilla/5.0 (Android) Firefox/130")
	s.must(err)
	s.must(s.AddPushReceiver(s.t.Context(), s.user(name), digest(secret), endpointAt(address)))
	return secret, digest(secret)
}

// receivers returns how many browsers of a person get pushes.
func (s *site) receivers(name string) int {
	s.t.Helper()
	all, err := s.PushReceivers(s.t.Context(), s.user(name))
	s.must(err)
	return len(all)
}

// receiver returns the id of the newest browser of a person that gets pushes.
func (s *site) receiver(name string) int64 {
	s.t.Helper()
	all, err := s.PushReceivers(s.t.Context(), s.user(name))
	s.must(err)
	return all[0].ID
}

// duePushes takes the pushes that are due, and returns the posts of those that may be sent.
func (s *site) duePushes() (posts []PostID) {
	s.t.Helper()
	for {
		lease, err := s.TakePush(s.t.Context(), time.Minute)
		s.must(err)
		if lease == nil {
			return posts
		}
		p, err := s.NoticeToPush(s.t.Context(), *lease)
		if errors.Is(err, ErrNotFound) {
			s.must(s.DropPush(s.t.Context(), *lease))
			continue
		}
		s.must(err)
		if len(p.Notices) != 1 || p.Notices[0].ID != lease.Notice {
			s.t.Errorf("the push of notice %d tells of %+v", lease.Notice, p.Notices)
		}
		posts = append(posts, p.Notices[0].Post)
		s.must(s.FinishPush(s.t.Context(), *lease))
	}
}

// wantPushes waits until pushes are due, and checks of which posts they tell.
func (s *site) wantPushes(what string, want ...PostID) {
	s.t.Helper()
	s.wait(pushAfter)
	if got := s.duePushes(); fmt.Sprint(got) != fmt.Sprint(want) {
		s.t.Errorf("%s: pushes tell of the posts %v, want %v", what, got, want)
	}
}

// TestPushReceiverEndsWithItsSession: a browser gets no more pushes when its session ends, in each way in which one ends; what waits is deleted.
func TestPushReceiverEndsWithItsSession(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(s *site, secret string) error{
		"signing out": func(s *site, secret string) error { return s.EndSession(t.Context(), secret) },
		"signing out all other devices": func(s *site, _ string) error {
			return s.EndOtherSessions(t.Context(), s.user("anna"), []byte("another"))
		},
		"a suspension": func(s *site, _ string) error { return s.Suspend(t.Context(), s.user("anna")) },
		"turning pushes off": func(s *site, _ string) error {
			return s.RemovePushReceiver(t.Context(), s.user("anna"), s.receiver("anna"))
		},
		"a password set by an administrator":   func(s *site, _ string) error { return s.SetPassword(t.Context(), s.user("anna"), "correct horse 5") },
		"the endpoint is of another person":    func(s *site, _ string) error { s.device("carl", "https://push.example/1"); return nil },
		"a session that was not used for long": func(s *site, _ string) error { s.wait(31 * 24 * time.Hour); return s.PrunePrimary(t.Context(), Ages{}) },
		"a deleted account": func(s *site, _ string) error {
			return s.DeleteAccount(t.Context(), s.user("anna"), zoesPassword)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, "anna", "bert", "carl")
			s.must(s.SetPassword(t.Context(), s.user("anna"), zoesPassword))
			secret, _ := s.device("anna", "https://push.example/1")
			s.comment("bert", s.post("anna"))
			var pushes int
			count := func() int {
				s.must(s.db.Pool.QueryRow(t.Context(), `select count(*) from pushes`).Scan(&pushes))
				return pushes
			}
			if count() != 1 || s.receivers("anna") != 1 {
				t.Fatalf("before: %d pushes for %d browsers", pushes, s.receivers("anna"))
			}
			s.must(end(s, secret))
			if count() != 0 || s.receivers("anna") != 0 {
				t.Errorf("afterwards %d pushes wait for %d browsers", pushes, s.receivers("anna"))
			}
		})
	}
}

// TestPushReceivers: a session has one endpoint and an endpoint one session, ten browsers of a person get pushes, and only what browsers
// send is taken.
func TestPushReceivers(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx, anna := t.Context(), s.user("anna")
	_, hash := s.device("anna", "https://push.example/1")
	s.must(s.AddPushReceiver(ctx, anna, hash, endpointAt("https://push.example/2")))
	for i := range mostPushReceivers {
		s.wait(time.Minute)
		s.device("anna", fmt.Sprintf("https://push.example/more/%d", i))
	}
	all, err := s.PushReceivers(ctx, anna)
	s.must(err)
	if len(all) != mostPushReceivers || all[0].Browser != "Firefox" || all[0].System != "Android" || !all[0].CreatedAt.Equal(s.db.Now()) || string(all[len(all)-1].Hash) == string(hash) {
		t.Errorf("the browsers are %+v", all)
	}
	_, hash = s.device("anna", "https://push.example/new")
	if err := s.AddPushReceiver(ctx, s.user("bert"), hash, endpointAt("https://push.example/3")); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("another person's session: %v", err)
	}
	if err := s.AddPushReceiver(ctx, anna, []byte("ended"), endpointAt("https://push.example/3")); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("a session that has ended: %v", err)
	}
	if err := s.RemovePushReceiver(ctx, s.user("bert"), all[0].ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("to turn off another person's browser: %v", err)
	}
	for _, address := range []string{
		"", "http://push.example/1", "https:///1", "https://anna@push.example/1", "https://push.example:8443/1", "file:///etc/passwd",
		"https://push.example/" + strings.Repeat("x", mostEndpoint), "https://push.example/\x00",
	} {
		if err := s.AddPushReceiver(ctx, anna, hash, endpointAt(address)); !errors.As(err, new(*InvalidError)) {
			t.Errorf("the endpoint %.40q: %v", address, err)
		}
	}
	for name, spoil := range map[string]func(*PushEndpoint){
		"no point of the curve": func(e *PushEndpoint) { e.PublicKey[20]++ },
		"a short key":           func(e *PushEndpoint) { e.PublicKey = e.PublicKey[:33] },
		"a long secret":         func(e *PushEndpoint) { e.Auth = make([]byte, 17) },
	} {
		at := endpointAt("https://push.example/3")
		spoil(&at)
		if err := s.AddPushReceiver(ctx, anna, hash, at); !errors.As(err, new(*InvalidError)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPushTellsOnlyWhatItsReaderMaySee: pushes tell of mentions, directs and comments on own posts that their reader may see at that moment, once
// each, after a while.
func TestPushTellsOnlyWhatItsReaderMaySee(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl")
	ctx := t.Context()
	s.device("anna", "https://push.example/1")
	s.device("bert", "https://push.example/2")
	own := s.post("anna")
	s.comment("bert", own)
	if got := s.duePushes(); got != nil {
		t.Errorf("at once: %v", got)
	}
	s.wantPushes("a comment", own)
	direct := s.post("bert", "direct:anna")
	mention, err := s.CreatePost(ctx, s.user("carl"), NewPost{To: []string{"user"}, Text: "hello @anna and @bert"})
	s.must(err)
	s.must(s.Like(ctx, s.user("carl"), own))
	s.wantPushes("a direct, two mentions and a like", direct, mention, mention)
	s.wantPushes("once more")

	hidden, err := s.CreatePost(ctx, s.user("carl"), NewPost{To: []string{"user"}, Text: "again @anna"})
	s.must(err)
	s.must(s.SetProfile(ctx, s.user("carl"), ProfileEdit{Status: new("private")}))
	s.wantPushes("a feed that is private meanwhile")
	s.must(s.SetProfile(ctx, s.user("carl"), ProfileEdit{Status: new("public")}))
	s.wantPushes("and public again")
	s.must(s.DeletePost(ctx, s.user("carl"), hidden))

	gone, err := s.CreatePost(ctx, s.user("carl"), NewPost{To: []string{"user"}, Text: "gone @anna"})
	s.must(err)
	s.must(s.DeletePost(ctx, s.user("carl"), gone))
	edited, err := s.CreatePost(ctx, s.user("carl"), NewPost{To: []string{"user"}, Text: "edited @anna"})
	s.must(err)
	s.must(s.EditPost(ctx, s.user("carl"), edited, PostEdit{Text: new("edited")}))
	s.wantPushes("a deleted post and a name that was removed")
}

// TestReleasedPostIsPushed: a post that waits for an administrator is pushed to the people whom it mentions when it is released, and not before.
func TestReleasedPostIsPushed(t *testing.T) {
	t.Parallel()
	s := newVillage(t)
	_, err := s.db.Pool.Exec(t.Context(), `update users set admin = true where name = 'dora'`)
	s.must(err)
	s.setSite(SiteEdit{"newcomers.days": "1"})
	s.device("anna", "https://push.example/1")
	id, err := s.CreatePost(t.Context(), s.user("bert"), NewPost{To: []string{"user"}, Text: "look https://example.org/ @anna"})
	s.must(err)
	s.wantPushes("a post that waits")
	s.must(s.ReleasePost(t.Context(), s.user("dora"), id))
	s.wantPushes("when it is released", id)
}

// TestPushKeyIsMadeOnce: all nodes have the same key, also if the first two ask for it at the same time.
func TestPushKeyIsMadeOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	keys := make([]string, 8)
	var all sync.WaitGroup
	for i := range keys {
		all.Go(func() {
			key, err := s.PushKey(context.WithoutCancel(t.Context()))
			if err != nil {
				t.Error(err)
				return
			}
			b, err := key.Bytes()
			if err != nil {
				t.Error(err)
			}
			keys[i] = string(b)
		})
	}
	all.Wait()
	for _, key := range keys {
		if key != keys[0] || key == "" {
			t.Fatalf("the keys are %x", keys)
		}
	}
}
