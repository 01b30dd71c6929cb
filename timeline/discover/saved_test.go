package discover

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"amstel.dev/amstel/internal/sitetest"
	"amstel.dev/amstel/timeline"
)

func TestSavedSearches(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, "anna", "bert")
	d := New(s.Store)
	me, ctx := s.User("anna"), t.Context()
	boats, err := d.SaveSearch(ctx, me, " Boats ", "BOATS  from:@Bert")
	s.Must(err)
	bare, err := d.SaveSearch(ctx, me, "", "#amstel")
	s.Must(err)
	if boats.Name != "Boats" || boats.Query != "boats from:bert" || bare.Name != "#amstel" {
		t.Errorf("%+v, %+v", boats, bare)
	}
	if _, err := d.SaveSearch(ctx, me, "boats", "x"); !errors.Is(err, timeline.ErrTaken) {
		t.Errorf("the same name again: %v", err)
	}
	if _, err := d.SaveSearch(ctx, me, "x", "-x"); !sitetest.IsInvalid(err) {
		t.Errorf("nonsense: %v", err)
	}
	if err := d.RenameSearch(ctx, me, bare.ID, "BOATS"); !errors.Is(err, timeline.ErrTaken) {
		t.Errorf("renamed to the other's: %v", err)
	}
	if err := d.RenameSearch(ctx, s.User("bert"), bare.ID, "x"); !errors.Is(err, timeline.ErrNotFound) {
		t.Errorf("another's: %v", err)
	}
	s.Must(d.RenameSearch(ctx, me, bare.ID, "river"))
	s.Must(d.DropSearch(ctx, me, boats.ID))
	if err := d.DropSearch(ctx, me, boats.ID); !errors.Is(err, timeline.ErrNotFound) {
		t.Errorf("dropped twice: %v", err)
	}
	all, err := d.SavedSearches(ctx, me)
	s.Must(err)
	if !slices.Equal(all, []SavedSearch{{bare.ID, "river", "#amstel"}}) {
		t.Errorf("%v", all)
	}
	for i := 1; i < maxSavedSearches; i++ {
		_, err := d.SaveSearch(ctx, me, fmt.Sprint("n", i), "x")
		s.Must(err)
	}
	if _, err := d.SaveSearch(ctx, me, "one more", "x"); !sitetest.IsInvalid(err) {
		t.Errorf("one too many: %v", err)
	}
}
