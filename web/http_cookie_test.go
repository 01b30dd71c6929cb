package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/river"
)

// A late is a node whose pages have the change at position 5, but not all changes before it.
type late struct {
	still
	reached []int64
}

func (*late) Position() int64 { return 5 }

func (r *late) WaitPosition(_ context.Context, position int64) error {
	r.reached = append(r.reached, position)
	return river.ErrBehind
}

func TestNodeWaitsForWhatItsVisitorWrote(t *testing.T) {
	t.Parallel()
	r := &late{}
	s, err := New(Config{Rivers: r, URL: "http://amstel.example"})
	if err != nil {
		t.Fatal(err)
	}
	withoutPrimary(s)
	for _, tt := range []struct {
		cookie  string
		reached []int64
	}{
		{"", nil}, {"amstel-position=3", []int64{3}}, {"amstel-position=5", []int64{5}}, {"amstel-position=9", []int64{9}},
		{"amstel-position=nonsense", nil}, {"amstel-position=99999999999999999999", nil},
	} {
		r.reached = nil
		request := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
		request.Header.Set("Cookie", tt.cookie)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, request)
		// A node that does not reach the position in time shows its present state.
		if w.Code != http.StatusOK || !slices.Equal(r.reached, tt.reached) {
			t.Errorf("with %q: %d, waited for %v", tt.cookie, w.Code, r.reached)
		}
	}
}

func TestPositionIsSetOnce(t *testing.T) {
	t.Parallel()
	s, err := New(Config{Rivers: &late{}, URL: "https://amstel.example"})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	s.slideCookie(w, "secret", time.Now().Add(30*24*time.Hour))
	s.setPosition(w, 5)
	s.setPosition(w, 5)
	cookies := w.Result().Cookies()
	if len(cookies) != 2 || cookies[0].Name != "__Host-amstel" || cookies[1].Name != positionCookie || cookies[1].Value != "5" || cookies[1].MaxAge > 60 {
		t.Errorf("%v", cookies)
	}
	if cookies[0].Expires.IsZero() || !cookies[0].Secure || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteLaxMode || cookies[0].Path != "/" {
		t.Errorf("%v", cookies[0])
	}
	// A session for a day ends with the browser.
	w = httptest.NewRecorder()
	s.slideCookie(w, "secret", time.Now().Add(24*time.Hour))
	if cookie := w.Header().Get("Set-Cookie"); strings.Contains(cookie, "Expires") || strings.Contains(cookie, "Max-Age") {
		t.Error(cookie)
	}
}
