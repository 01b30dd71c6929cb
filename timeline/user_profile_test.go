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

func TestLook(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	ctx, anna := t.Context(), s.user("anna")
	secret, err := s.NewSession(ctx, anna, true, "")
	s.must(err)
	token, err := s.NewToken(ctx, anna, TokenSpec{Name: "bot", Scopes: AllScopes})
	s.must(err)
	is := func(theme, density, zone string) {
		t.Helper()
		who, err := s.Session(ctx, secret)
		s.must(err)
		bot, err := s.Token(ctx, token)
		s.must(err)
		for _, who := range []*Identity{who, bot} {
			if who.Theme != theme || who.Density != density || who.TimeZone != zone {
				t.Errorf("the look is %q, %q, %q", who.Theme, who.Density, who.TimeZone)
			}
		}
	}
	is("system", "comfortable", "")
	s.must(s.SetProfile(ctx, anna, ProfileEdit{Theme: new("dark"), Density: new("compact"), TimeZone: new("Europe/Amsterdam")}))
	is("dark", "compact", "Europe/Amsterdam")
	for _, bad := range []ProfileEdit{
		{Theme: new("")}, {Theme: new("black")}, {Density: new("dense")}, {TimeZone: new("Local")}, {TimeZone: new("Europe/Atlantis")}, {TimeZone: new("../../etc/passwd")},
	} {
		bad.DisplayName = new("changed")
		wrong, is := errors.AsType[*InvalidError](s.SetProfile(ctx, anna, bad))
		if !is || wrong.Code != "choice" {
			t.Errorf("%+v: %v", bad, wrong)
		}
	}
	is("dark", "compact", "Europe/Amsterdam")
	s.must(s.SetProfile(ctx, anna, ProfileEdit{TimeZone: new("")}))
	is("dark", "compact", "")
}
