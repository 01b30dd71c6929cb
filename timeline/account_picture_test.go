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
	avatar, cover, err := s.Pictures(t.Context(), anna, 0)
	if s.must(err); avatar != portrait("a") || cover != portrait("c") {
		t.Errorf("anna has %v and %v, want a and c", avatar, cover)
	}
	address := func(id UserID) string { return must(s.UserCards(t.Context(), []UserID{id}))[id].AvatarURL }
	if got, want := address(anna), PictureAddress(named("a small")); got != want {
		t.Errorf("the card has %q, want %q", got, want)
	}

	s.same([]Change{{Kind: ChangeCard, Group: cooks}}, s.changesOf(func() {
		s.must(s.SetGroupPicture(t.Context(), anna, "cooks", Avatar, portrait("g"), always))
	}))
	group := must(s.GroupCards(t.Context(), []GroupID{cooks}))[cooks]
	if want := PictureAddress(named("g small")); group.AvatarURL != want {
		t.Errorf("the group's card has %q, want %q", group.AvatarURL, want)
	}
	if avatar, _, err = s.Pictures(t.Context(), anna, 0); err != nil || avatar != portrait("a") {
		t.Errorf("after the group got a picture, anna has %v, %v", avatar, err)
	}

	s.same(card, s.changesOf(set(portrait("b"), Avatar)))
	s.same(card, s.changesOf(set(PictureFiles{}, Cover)))
	s.same(nil, s.changesOf(set(PictureFiles{}, Cover)))
	for file, want := range map[FileName]bool{
		named("a small"): false, named("b small"): true, named("b large"): true, named("c small"): false, named("g large"): true, named("x"): false,
	} {
		if has := must(s.HasPicture(t.Context(), file)); has != want {
			t.Errorf("%v is a picture: %v, want %v", file, has, want)
		}
		if unneeded := must(s.UnneededFiles(t.Context(), []FileName{file})); len(unneeded) == 0 != want {
			t.Errorf("%v is needed: %v, want %v", file, len(unneeded) == 0, want)
		}
	}
	s.same(card, s.changesOf(set(PictureFiles{}, Avatar)))
	if got := address(anna); got != "" {
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
		"a person that is not there":     {func() error { return s.SetUserPicture(t.Context(), 1<<40, Avatar, portrait("a"), always) }, ErrNotFound},
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
	for _, file := range []FileName{named("a small"), named("a large"), named("c small"), named("c large")} {
		if must(s.HasPicture(t.Context(), file)) {
			t.Errorf("%v is still shown", file)
		}
	}
	if err := s.SetUserPicture(t.Context(), anna, Avatar, portrait("b"), always); !errors.Is(err, ErrNotFound) {
		t.Errorf("a deleted account gets a picture: %v, want %v", err, ErrNotFound)
	}
}
