package text

import (
	"net/netip"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// maxLink is the largest length of the address of a link, in bytes.
const maxLink = 2000

// Link returns the first address in a text that leads to another host than own, the address of this
// site; or "" if there is none. All ways of writing an address have the same result: the scheme and
// the host are in lower case, all characters are ASCII, a default port is left out, and so is the part
// after a #. For example, "See HTTP://Example.ORG:80#top!" has the link http://example.org/. An
// address with a user name or a password is not a link.
func Link(said, own string) string {
	if !strings.Contains(said, "//") {
		return ""
	}
	_, home := cleanLink(own)
	for _, sign := range Signs(said) {
		if sign.Kind != SignAddress {
			continue
		}
		piece := said[sign.From:sign.To]
		if at := strings.IndexRune(piece, utf8.RuneError); at >= 0 {
			piece = piece[:at]
		}
		if link, host := cleanLink(TrimAddress(piece)); link != "" && host != home {
			return link
		}
	}
	return ""
}

// cleanLink returns an address in the form of [Link], and the host of the address, with the port if it
// is not the default. Both are empty if the address is not a link.
func cleanLink(address string) (link, host string) {
	u, err := url.Parse(address)
	if err != nil || u.User != nil || u.Hostname() == "" {
		return "", ""
	}
	name := u.Hostname()
	if ip, err := netip.ParseAddr(name); err == nil {
		name = strings.TrimSuffix(netip.AddrPortFrom(ip, 0).String(), ":0")
	} else if name, err = idna.Lookup.ToASCII(name); err != nil {
		return "", ""
	}
	u.Scheme = strings.ToLower(u.Scheme)
	if port := u.Port(); port != "" && port != map[string]string{"http": "80", "https": "443"}[u.Scheme] {
		name += ":" + port
	}
	u.Host, u.Fragment, u.RawFragment = name, "", ""
	if u.Path == "" {
		u.Path = "/"
	}
	u.RawQuery = escapeQuery(u.RawQuery)
	if link = u.String(); len(link) > maxLink {
		return "", ""
	}
	return link, u.Host
}

// escapeQuery returns a query with all bytes escaped that are not ASCII.
func escapeQuery(query string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(query) {
		if c := query[i]; c >= utf8.RuneSelf {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// TrimAddress returns an address without the punctuation at its end, which belongs to the sentence
// around it. It keeps a closing bracket, because [Signs] ends an address before a bracket that the
// address did not open.
func TrimAddress(s string) string {
	for s != "" {
		c, size := utf8.DecodeLastRuneInString(s)
		switch {
		case strings.ContainsRune("#/&-_*)]}»", c):
			return s
		case unicode.IsPunct(c), strings.ContainsRune(">|`", c):
			s = s[:len(s)-size]
		default:
			return s
		}
	}
	return s
}
