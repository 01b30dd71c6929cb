package measure

import (
	"testing"

	"amstel.dev/amstel/timeline"
)

func TestNaivePageMustBeTheRivers(t *testing.T) {
	t.Parallel()
	if err := same([]timeline.PostID{1, 2}, []timeline.PostID{1, 2}); err != nil {
		t.Error(err)
	}
	if err := same([]timeline.PostID{1, 2}, []timeline.PostID{2, 1}); err == nil {
		t.Error("another order is taken for the same page")
	}
}
