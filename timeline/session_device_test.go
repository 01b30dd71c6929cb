package timeline

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSessionsOfAPerson(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx, anna := t.Context(), s.user("anna")
	begin := func(name string, remember bool, agent string) (secret string) {
		t.Helper()
		s.wait(time.Minute)
		secret, err := s.NewSession(ctx, s.user(name), remember, agent)
		s.must(err)
		return secret
	}
	begin("anna", false, "curl/8") // will have ended
	phone := begin("anna", true, "Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0")
	s.wait(25 * time.Hour)
	mac := begin("anna", true, "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15")
	berts := begin("bert", true, "")
	sameDevices := func(want []string) {
		t.Helper()
		all, err := s.Sessions(ctx, anna)
		s.must(err)
		var devices []string
		for _, one := range all {
			devices = append(devices, one.Browser+" on "+one.System)
		}
		if diff := cmp.Diff(want, devices); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	sameDevices([]string{"Safari on Mac", "Firefox on Android"})
	s.wait(time.Hour)
	who, err := s.Session(ctx, phone)
	s.must(err)
	sameDevices([]string{"Firefox on Android", "Safari on Mac"})
	if n := one[int](s, `select count(*) from sessions where agent ~ '[0-9(]'`); n != 0 {
		t.Error("more than words of the devices is kept")
	}

	all, err := s.Sessions(ctx, anna)
	s.must(err)
	if err := s.EndSessionByID(ctx, s.user("bert"), all[1].ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("another person's session: %v", err)
	}
	s.same([]Change{{Kind: ChangeSession, User: anna, Token: all[1].Hash}}, s.changesOf(func() { s.must(s.EndSessionByID(ctx, anna, all[1].ID)) }))
	if err := s.EndSessionByID(ctx, anna, all[1].ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("a session that has ended: %v", err)
	}
	if _, err := s.Session(ctx, mac); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("an ended session: %v", err)
	}
	begin("anna", true, "")
	s.must(s.EndOtherSessions(ctx, anna, who.Hash))
	sameDevices([]string{"Firefox on Android"})
	if _, err := s.Session(ctx, berts); err != nil {
		t.Errorf("the session of another person: %v", err)
	}
}

func TestDeviceOf(t *testing.T) {
	t.Parallel()
	for agent, want := range map[string]string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0":              "Edge/Windows",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 OPR/115.0.0.0":              "Opera/Windows",
		"Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0":                                                                     "Firefox/Linux",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0.0.0 Mobile/15E148 Safari/604.1": "Chrome/iPhone",
		"Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/130.0 Mobile/15E148 Safari/605.1.15":           "Firefox/iPad",
		"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36":                            "Chrome/Android",
		"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36":                             "Chrome/ChromeOS",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15":                      "Safari/Mac",
		"curl/8.5.0 on Linux": "/Linux", "Firefox": "Firefox/", "": "", "browsertest": "", "\xff\x00": "",
	} {
		got := deviceOf(agent)
		if got != want {
			t.Errorf("%q is %q, want %q", agent, got, want)
		}
		if again := deviceOf(got); again != got {
			t.Errorf("%q is %q the second time", got, again)
		}
	}
}

func TestSetEmail(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx, anna := t.Context(), s.user("anna")
	s.must(s.SetEmail(ctx, s.user("bert"), "bert@example.org"))
	s.must(s.SetEmail(ctx, anna, "Anna@example.org"))
	if got, err := s.Email(ctx, anna); got.Address != "Anna@example.org" || err != nil {
		t.Errorf("the address is %+v, %v", got, err)
	}
	taken, is := errors.AsType[*TakenError](s.SetEmail(ctx, anna, "BERT@example.org"))
	if !is || taken.Field != "email" {
		t.Errorf("another person's address: %v", taken)
	}
	for _, bad := range []string{"", "anna", "Anna <anna@example.org>", "anna@example.org\x00"} {
		if wrong, is := errors.AsType[*InvalidError](s.SetEmail(ctx, anna, bad)); !is || wrong.Field != "email" {
			t.Errorf("%q is an address: %v", bad, wrong)
		}
	}
	if err := s.SetEmail(ctx, 99, "new@example.org"); !errors.Is(err, ErrNotFound) {
		t.Errorf("of an unknown person: %v", err)
	}
	if got, _ := s.Email(ctx, anna); got.Address != "Anna@example.org" {
		t.Errorf("the address is %+v", got)
	}
}
