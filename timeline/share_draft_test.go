package timeline

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
)

func TestCleanShareDraft(t *testing.T) {
	t.Parallel()
	long := "https://example.org/" + strings.Repeat("x", draftURL)
	many := []string{}
	for i := range 2 * draftLinks {
		many = append(many, "/"+strings.Repeat("x", i+1)+".jpg")
	}
	for name, tt := range map[string]struct {
		sent, want ShareDraft
		code       string
	}{
		"a page": {
			sent: ShareDraft{URL: " https://example.org/a?b=c#d ", Title: " One\n  title\x00", Quote: "\r\na\r\nb ", Pictures: []string{"https://example.org/1.jpg", "https://example.org/1.jpg"}},
			want: ShareDraft{URL: "https://example.org/a?b=c#d", Title: "One title", Quote: "a\nb", Pictures: []string{"https://example.org/1.jpg"}, Media: []string{}},
		},
		"addresses as pages have them": {
			sent: ShareDraft{
				URL:      "https://example.org/a/b.html",
				Pictures: []string{"../c.png", "//cdn.example/d.png", "e-300.jpg 300w, e-900.jpg 900w, e-600.jpg 600w", "f.jpg, f@2x.jpg 2x", `url("/g.png")`, "url( h.png )"},
				Media:    []string{"i.mp4", "https://пример.рф/й.mp3"},
			},
			want: ShareDraft{
				URL: "https://example.org/a/b.html",
				Pictures: []string{"https://example.org/c.png", "https://cdn.example/d.png", "https://example.org/a/e-900.jpg", "https://example.org/a/f@2x.jpg",
					"https://example.org/g.png", "https://example.org/a/h.png"},
				Media: []string{"https://example.org/a/i.mp4", "https://пример.рф/й.mp3"},
			},
		},
		"what is not on the web": {
			sent: ShareDraft{URL: "https://example.org", Pictures: []string{
				"data:image/gif;base64,R0lGOD", "javascript:alert(1)", "file:///etc/passwd", "blob:https://example.org/1", "", " ", "https://a:b@example.org/c.jpg", "https://example.org/a b", "http://[::1", long, "none", "%zz",
			}},
			want: ShareDraft{URL: "https://example.org", Pictures: []string{"https://example.org/none"}, Media: []string{}},
		},
		"a text without a page": {sent: ShareDraft{Quote: "see https://example.org"}, want: ShareDraft{Quote: "see https://example.org", Pictures: []string{}, Media: []string{}}},
		"too much": {
			sent: ShareDraft{URL: "http://example.org", Title: strings.Repeat("ж", 400), Quote: strings.Repeat("ж", 9000), Pictures: many},
			want: ShareDraft{URL: "http://example.org", Title: strings.Repeat("ж", draftTitle-1) + "…", Quote: strings.Repeat("ж", draftQuote-1) + "…", Media: []string{}},
		},
		"nothing":          {code: "empty"},
		"nothing but mail": {sent: ShareDraft{URL: "mailto:a@example.org"}, code: "address"},
		"a script":         {sent: ShareDraft{URL: "javascript:alert(1)", Title: "x"}, code: "address"},
		"a long address":   {sent: ShareDraft{URL: long, Title: "x"}, code: "address"},
		"a relative page":  {sent: ShareDraft{URL: "/a", Title: "x"}, code: "address"},
	} {
		got, err := tt.sent.Clean()
		wrong, refused := errors.AsType[*InvalidError](err)
		switch {
		case tt.code != "":
			if !refused || wrong.Code != tt.code || wrong.Field != "u" {
				t.Errorf("%s: %v, want %s", name, err, tt.code)
			}
		case name == "too much" && len(got.Pictures) != draftLinks:
			t.Errorf("%s: %d pictures", name, len(got.Pictures))
		default:
			if name == "too much" {
				got.Pictures = nil
			}
			if diff := gocmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
			}
		}
	}
}

func TestShareDraft(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	ctx := t.Context()
	s.clock = time.Now()
	home := Client{Network: netip.MustParsePrefix("192.0.2.1/32")}
	d := ShareDraft{URL: "https://example.org", Title: "Title", Quote: "Quote", Pictures: []string{"https://example.org/1.jpg"}, Media: []string{}}
	secret, err := s.KeepShareDraft(ctx, home, d)
	s.must(err)
	got, err := s.ShareDraft(ctx, secret)
	if diff := gocmp.Diff(d, got); diff != "" || err != nil || len(secret) < 40 {
		t.Errorf("%q: %v %s", secret, err, diff)
	}
	if stored := one[[]byte](s, `select secret_hash from share_drafts`); !slices.Equal(stored, digest(secret)) {
		t.Error("the secret is not stored as its hash")
	}
	for _, other := range []string{"", "x", secret + "x", strings.ToLower(secret)} {
		if _, err := s.ShareDraft(ctx, other); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: %v", other, err)
		}
	}

	// A network may make only a few drafts at once, and more as time passes. Other networks have bounds of
	// their own.
	for range boundDraft.burst - 1 {
		_, err := s.KeepShareDraft(ctx, home, d)
		s.must(err)
	}
	if _, err := s.KeepShareDraft(ctx, home, d); !errors.Is(err, ErrThrottled) {
		t.Errorf("one more than a network may: %v", err)
	}
	if n := one[int](s, `select count(*) from share_drafts`); n != boundDraft.burst {
		t.Errorf("%d drafts are kept", n)
	}
	_, err = s.KeepShareDraft(ctx, Client{Network: netip.MustParsePrefix("192.0.2.2/32")}, d)
	s.must(err)
	// All networks of an IPv6 /48 share a bound.
	for i := range boundDraftWide.burst + 1 {
		_, err := s.KeepShareDraft(ctx, Client{Network: netip.PrefixFrom(netip.AddrFrom16([16]byte{0x20, 1, 0xd, 0xb8, 0, 1, 0, byte(i)}), 64)}, d)
		if throttled := errors.Is(err, ErrThrottled); throttled != (i == boundDraftWide.burst) {
			t.Errorf("draft %d of a /48: %v", i+1, err)
		}
	}

	s.must(s.PrunePrimary(ctx, Ages{}))
	_, err = s.ShareDraft(ctx, secret)
	s.must(err)
	s.wait(draftLasts + time.Minute)
	if _, err := s.ShareDraft(ctx, secret); !errors.Is(err, ErrNotFound) {
		t.Errorf("after an hour: %v", err)
	}
	s.must(s.PrunePrimary(ctx, Ages{}))
	if n := one[int](s, `select count(*) from share_drafts`); n != 0 {
		t.Errorf("%d drafts are left", n)
	}
}
