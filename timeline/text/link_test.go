package text_test

import (
	"net/url"
	"strings"
	"testing"

	"amstel.dev/amstel/timeline/text"
)

func TestLink(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ said, want string }{
		"none":                            {"no link, a www.example.org and mail@example.org", ""},
		"one":                             {"see https://example.org/a?b=c.", "https://example.org/a?b=c"},
		"in brackets":                     {"(see https://example.org/a_(b))", "https://example.org/a_(b)"},
		"capitals, default port, no path": {"HTTP://Example.ORG:80", "http://example.org/"},
		"another port":                    {"http://example.org:443/", "http://example.org:443/"},
		"a fragment":                      {"https://example.org/a#b", "https://example.org/a"},
		"other alphabets":                 {"https://Пример.рф/путь?q=слово", "https://xn--e1afmkfd.xn--p1ai/%D0%BF%D1%83%D1%82%D1%8C?q=%D1%81%D0%BB%D0%BE%D0%B2%D0%BE"},
		"of the site":                     {"https://own.example/ann/1", ""},
		"after one of the site":           {"https://OWN.example/ann/1 https://example.org/", "https://example.org/"},
		"the first of two":                {"https://a.example/ https://b.example/", "https://a.example/"},
		"a password":                      {"https://user:secret@example.org/ https://example.org/b", "https://example.org/b"},
		"no host":                         {"https:///a", ""},
		"a bad host":                      {"https://exa_mple..org/", ""},
		"an address of a machine":         {"http://127.0.0.1:99/ and more", "http://127.0.0.1:99/"},
		"of IPv6":                         {"http://[2001:DB8::1]:80/", "http://[2001:db8::1]/"},
		"too long":                        {"https://example.org/" + strings.Repeat("ы", 400), ""},
	} {
		if got := text.Link(tt.said, "HTTPS://Own.example:443"); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// FuzzLink: a link can be parsed, and has only the allowed parts and characters.
func FuzzLink(f *testing.F) {
	for _, said := range []string{"https://Пример.рф/путь?q=слово#a", "http://[2001:DB8::1]:80/", "https://a%zz/", "http://a:b@c/ HTTP://D:80"} {
		f.Add(said)
	}
	f.Fuzz(func(t *testing.T, said string) {
		link := text.Link(said, "")
		if link == "" {
			return
		}
		u, err := url.Parse(link)
		if err != nil || u.User != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.Fragment != "" {
			t.Fatalf("%q has the link %q, %v", said, link, err)
		}
		for _, c := range []byte(link) {
			if c <= ' ' || c > '~' {
				t.Fatalf("%q has the link %q", said, link)
			}
		}
	})
}
