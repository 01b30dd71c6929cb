package timeline

import (
	"errors"
	"testing"
	"time"
)

// TestExportsOfADay: a person may request five exports in 24 hours, and deleted exports count too. A
// request while an export is queued returns that export, and does not count.
func TestExportsOfADay(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ask := func(who string) (Export, error) { return s.StartExport(t.Context(), s.user(who), "en") }
	for range exportsPerDay {
		e, err := ask("anna")
		s.must(err)
		again, err := ask("anna")
		s.must(err)
		if again.ID != e.ID {
			t.Errorf("two exports are queued: %d and %d", e.ID, again.ID)
		}
		s.must(s.DeleteExport(t.Context(), s.user("anna"), e.ID))
		s.wait(time.Hour)
	}
	var limit *ExportLimitError
	if _, err := ask("anna"); !errors.As(err, &limit) || limit.After != 19*time.Hour || !errors.Is(err, ErrThrottled) {
		t.Errorf("the next is answered %v", err)
	}
	if all, err := s.Exports(t.Context(), s.user("anna")); err != nil || len(all) > 0 {
		t.Errorf("there are %v, %v", all, err)
	}
	if _, err := ask("bert"); err != nil {
		t.Errorf("another person: %v", err)
	}
	s.wait(limit.After)
	if _, err := ask("anna"); err != nil {
		t.Errorf("a day after the first: %v", err)
	}
	if n := one[int](s, `select cardinality(export_times) from users where id = $1`, s.user("anna")); n != exportsPerDay {
		t.Errorf("%d times are kept", n)
	}
}
