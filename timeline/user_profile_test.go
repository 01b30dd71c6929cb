package timeline

import (
	"errors"
	"testing"
)

func TestDirectsFrom(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	ctx := t.Context()
	if got, err := s.DirectsFrom(ctx, s.user("anna")); got != "anybody" || err != nil {
		t.Errorf("a newcomer takes those of %q, %v", got, err)
	}
	_, err := s.db.Pool.Exec(ctx, `update users set directs_from = 'subscriptions' where name = 'anna'`)
	s.must(err)
	if got, err := s.DirectsFrom(ctx, s.user("anna")); got != "subscriptions" || err != nil {
		t.Errorf("then those of %q, %v", got, err)
	}
	if _, err := s.DirectsFrom(ctx, 99); !errors.Is(err, ErrNotFound) {
		t.Errorf("a visitor: %v", err)
	}
}

func TestGroupCardHasTheWayToJoin(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	s.group("anna", NewGroup{Name: "kitchen", Joining: "request", Posting: "admins"})
	named, err := s.Lookup(t.Context(), "kitchen")
	s.must(err)
	cards, err := s.GroupCards(t.Context(), []GroupID{named.Group})
	s.must(err)
	if card := cards[named.Group]; card == nil || card.Joining != "request" || card.Posting != "admins" {
		t.Errorf("the card is %+v", card)
	}
}
