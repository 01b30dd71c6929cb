package timeline

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestFeedAddress(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "boris")
	ctx, anna := t.Context(), s.user("anna")
	id, secret, err := s.NewFeedAddress(ctx, anna, FeedAddress{Page: "/filter/directs", Kind: "directs", TheirID: int64(anna)})
	s.must(err)
	if stored := one[[]byte](s, `select secret_hash from feed_addresses`); !slices.Equal(stored, digest(secret)) || len(secret) < 40 {
		t.Errorf("%q is not stored as its hash", secret)
	}
	o, err := s.FeedOwner(ctx, secret)
	if err != nil || o.User != anna || o.Name != "anna" || o.Address.ID != id || o.Address.Page != "/filter/directs" || o.Address.Kind != "directs" || o.Address.SeenAt != nil {
		t.Errorf("%+v, %v", o, err)
	}
	for _, other := range []string{"", "x", secret + "x", strings.ToLower(secret)} {
		if _, err := s.FeedOwner(ctx, other); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: %v", other, err)
		}
	}
	first := *must(s.FeedAddresses(ctx, anna))[0].SeenAt
	s.wait(feedSeenEvery - time.Second)
	must(s.FeedOwner(ctx, secret))
	if seen := must(s.FeedAddresses(ctx, anna))[0].SeenAt; !seen.Equal(first) {
		t.Errorf("the last use is written more often than once in %s", feedSeenEvery)
	}
	s.wait(time.Second)
	must(s.FeedOwner(ctx, secret))
	if seen := must(s.FeedAddresses(ctx, anna))[0].SeenAt; !seen.Equal(s.clock) {
		t.Errorf("last used at %v, want %v", seen, s.clock)
	}

	if err := s.RevokeFeedAddress(ctx, s.user("boris"), id); !errors.Is(err, ErrNotFound) {
		t.Errorf("another person revokes it: %v", err)
	}
	s.must(s.Suspend(ctx, anna))
	if _, err := s.FeedOwner(ctx, secret); !errors.Is(err, ErrNotFound) {
		t.Errorf("while its person is suspended: %v", err)
	}
	if _, _, err := s.NewFeedAddress(ctx, anna, FeedAddress{Page: "/"}); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("a suspended person makes one: %v", err)
	}
	s.must(s.Restore(ctx, anna))
	must(s.FeedOwner(ctx, secret))
	s.must(s.RevokeFeedAddress(ctx, anna, id))
	if _, err := s.FeedOwner(ctx, secret); !errors.Is(err, ErrNotFound) {
		t.Errorf("after it was revoked: %v", err)
	}
	if err := s.RevokeFeedAddress(ctx, anna, id); !errors.Is(err, ErrNotFound) {
		t.Errorf("revoked again: %v", err)
	}
}

func TestFeedAddressesAreBounded(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	for range maxFeedAddresses {
		_, _, err := s.NewFeedAddress(t.Context(), s.user("anna"), FeedAddress{Page: "/"})
		s.must(err)
	}
	_, _, err := s.NewFeedAddress(t.Context(), s.user("anna"), FeedAddress{Page: "/"})
	if wrong, is := errors.AsType[*InvalidError](err); !is || wrong.Code != "full" || len(must(s.FeedAddresses(t.Context(), s.user("anna")))) != maxFeedAddresses {
		t.Errorf("one too many: %v", err)
	}
}

// TestFeedFile: a key made with a feed address opens one file, as long as the address is valid and its
// owner may read the file.
func TestFeedFile(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "boris")
	ctx, boris := t.Context(), s.user("boris")
	address, secret, err := s.NewFeedAddress(ctx, boris, FeedAddress{Page: "/"})
	s.must(err)
	o := must(s.FeedOwner(ctx, secret))
	const attach = `
		insert into attachments (id, user_id, post_id, file_name, state, kind) values ($3, $1, $2, 'boat.jpg', 'ready', 'image') returning id`
	const render = `
		insert into renditions (attachment_id, name, file, media_type, size, width, height) values ($1, 'medium', $2, 'image/jpeg', 9, 1, 1)`
	var files []AttachmentID
	for i := range 2 {
		post := must(s.CreatePost(ctx, s.user("anna"), NewPost{To: []string{"user"}, Text: "a boat"}))
		id := one[AttachmentID](s, attach, s.user("anna"), post, i+1)
		one[int](s, `with done as (`+render+` returning 1 as n) select n from done`, id, make([]byte, 32))
		files = append(files, id)
	}
	open := func(address int64, key string, id AttachmentID) bool {
		found, err := s.FeedFile(ctx, address, key, id, "medium")
		if err != nil && !errors.Is(err, ErrNotFound) {
			t.Fatal(err)
		}
		return err == nil && found.FileName == "boat.jpg"
	}
	key := o.FileKey(files[0])
	if !open(address, key, files[0]) {
		t.Fatal("the key does not open its file")
	}
	if strings.Contains(secret, key) || open(address, key, files[1]) || open(address+1, key, files[0]) || open(address, "", files[0]) || open(address, key+"x", files[0]) {
		t.Error("a key opens more than its file")
	}
	s.must(s.Ban(ctx, s.user("anna"), "boris"))
	if open(address, key, files[0]) {
		t.Error("the file opens across a ban")
	}
	s.must(s.Unban(ctx, s.user("anna"), "boris"))
	if !open(address, key, files[0]) {
		t.Error("the file does not open after the ban")
	}
	s.must(s.RevokeFeedAddress(ctx, boris, address))
	if open(address, key, files[0]) {
		t.Error("the file opens after its address was revoked")
	}
}
