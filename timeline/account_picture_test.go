package timeline

import (
	"errors"
	"testing"
)

// portrait returns the files of an avatar or a cover.
func portrait(bytes string) PictureFiles {
	return PictureFiles{named(bytes + " small"), named(bytes + " large")}
}

func TestPicturesOfAccounts(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	anna := s.add("anna")
	s.add("bert")
	cooks := s.group("anna", NewGroup{Name: "cooks", DisplayName: "Cooks"})
	set := func(files PictureFiles, role PictureRole) func() {
		return func() { s.must(s.SetUserPicture(t.Context(), anna, role, files, always)) }
	}
	card := []Change{{Kind: ChangeCard, User: anna}}

	s.same(card, s.changesOf(set(portrait("a"), Avatar)))
	s.same(nil, s.changesOf(set(portrait("a"), Avatar))) // the same picture again
	s.same(card, s.changesOf(set(portrait("c"), Cover)))
	addresses := func() [2]string {
		card := must(s.UserCards(t.Context(), []UserID{anna}))[anna]
		return [2]string{card.AvatarURL, card.CoverURL}
	}
	if got, want := addresses(), [2]string{PictureAddress(Avatar, named("a small")), PictureAddress(Cover, named("c small"))}; got != want {
		t.Errorf("the card has %q, want %q", got, want)
	}

	s.same([]Change{{Kind: ChangeCard, Group: cooks}}, s.changesOf(func() {
		s.must(s.SetGroupPicture(t.Context(), anna, "cooks", Avatar, portrait("g"), always))
	}))
	group := must(s.GroupCards(t.Context(), []GroupID{cooks}))[cooks]
	if want := PictureAddress(Avatar, named("g small")); group.AvatarURL != want || group.CoverURL != "" {
		t.Errorf("the group's card has %q, want %q", group.AvatarURL, want)
	}
	if got := addresses()[0]; got != PictureAddress(Avatar, named("a small")) {
		t.Errorf("after the group got a picture, anna has %q", got)
	}

	s.same(card, s.changesOf(set(portrait("b"), Avatar)))
	s.same(card, s.changesOf(set(PictureFiles{}, Cover)))
	s.same(nil, s.changesOf(set(PictureFiles{}, Cover)))
	for bytes, want := range map[string]bool{"a": false, "b": true, "c": false, "g": true, "x": false} {
		for _, large := range []bool{false, true} {
			wanted := portrait(bytes).Small
			if large {
				wanted = portrait(bytes).Large
			}
			got, err := s.PictureFile(t.Context(), Avatar, portrait(bytes).Small, large)
			if want && got != wanted || !want && !errors.Is(err, ErrNotFound) {
				t.Errorf("%s, large %v: got %v, %v, want it to be there: %v", bytes, large, got, err, want)
			}
			if _, err := s.PictureFile(t.Context(), Cover, portrait(bytes).Small, large); !errors.Is(err, ErrNotFound) {
				t.Errorf("%s, large %v, is a cover: %v", bytes, large, err)
			}
			if unneeded := must(s.UnneededFiles(t.Context(), []FileName{wanted})); len(unneeded) == 0 != want {
				t.Errorf("%s, large %v, is needed: %v, want %v", bytes, large, len(unneeded) == 0, want)
			}
		}
	}
	s.same(card, s.changesOf(set(PictureFiles{}, Avatar)))
	if got := addresses(); got != [2]string{} {
		t.Errorf("without a picture the card has %q", got)
	}
}

func TestPictureIsSetByThoseWhoMay(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	anna, bert := s.add("anna"), s.add("bert")
	s.group("anna", NewGroup{Name: "cooks", DisplayName: "Cooks"})
	s.follow("bert", "cooks")
	for name, tt := range map[string]struct {
		set  func() error
		want error
	}{
		"a member of a group":            {func() error { return s.SetGroupPicture(t.Context(), bert, "cooks", Avatar, portrait("a"), always) }, ErrForbidden},
		"a visitor who is not signed in": {func() error { return s.SetGroupPicture(t.Context(), 0, "cooks", Avatar, portrait("a"), always) }, ErrUnauthorized},
		"a group that is not there":      {func() error { return s.SetGroupPicture(t.Context(), anna, "bakers", Avatar, portrait("a"), always) }, ErrNotFound},
		"a person who is not there":      {func() error { return s.SetUserPicture(t.Context(), 1<<40, Avatar, portrait("a"), always) }, ErrNotFound},
		"files that a sweep removed":     {func() error { return s.SetUserPicture(t.Context(), anna, Cover, portrait("a"), never) }, ErrFileGone},
		"a role that does not exist":     {func() error { return s.SetUserPicture(t.Context(), anna, "banner", portrait("a"), always) }, nil},
		"a group's files that are gone":  {func() error { return s.SetGroupPicture(t.Context(), anna, "cooks", Cover, portrait("a"), never) }, ErrFileGone},
	} {
		err := tt.set()
		if err == nil || tt.want != nil && !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", name, err, tt.want)
		}
	}
	if n := one[int](s, `select count(*) from account_pictures`); n != 0 {
		t.Errorf("%d pictures were set, want none", n)
	}
}

// TestPicturesGoWithTheAccount deletes an account with an avatar and a cover.
func TestPicturesGoWithTheAccount(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	anna := s.add("anna")
	s.must(s.SetPassword(t.Context(), anna, "correct horse"))
	s.must(s.SetUserPicture(t.Context(), anna, Avatar, portrait("a"), always))
	s.must(s.SetUserPicture(t.Context(), anna, Cover, portrait("c"), always))
	s.must(s.DeleteAccount(t.Context(), anna, "correct horse"))
	for bytes, role := range map[string]PictureRole{"a": Avatar, "c": Cover} {
		if _, err := s.PictureFile(t.Context(), role, portrait(bytes).Small, false); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s is still shown: %v", role, err)
		}
	}
	if card := must(s.UserCards(t.Context(), []UserID{anna}))[anna]; card.AvatarURL != "" || card.CoverURL != "" {
		t.Errorf("the card still has %q and %q", card.AvatarURL, card.CoverURL)
	}
	s.exec(`update users set erase_at = $2 where id = $1`, anna, s.db.Now())
	s.must(s.EraseAccounts(t.Context()))
	if n := one[int](s, `select count(*) from account_pictures`); n != 0 {
		t.Errorf("%d pictures are left when the account is erased", n)
	}
	if err := s.SetUserPicture(t.Context(), anna, Avatar, portrait("b"), always); !errors.Is(err, ErrNotFound) {
		t.Errorf("a deleted account gets a picture: %v, want %v", err, ErrNotFound)
	}
}
