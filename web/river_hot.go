package web

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzip"

	"amstel.dev/amstel/web/cache"
)

// A hotPages caches the rendered bytes of pages that all visitors without an account share, by their
// [riverPage.hotAddress], so that a popular page costs a look at its river and a write.
type hotPages struct {
	held *cache.Sized[string, *hotPage]
}

// A hotPage is a rendered page in one form.
type hotPage struct {
	address   string // of the page, and its form
	validator hotValidator
	rendering        // with the whole body
	packed    []byte // gzipped; nil if that is not smaller
}

// A hotValidator is everything on which the bytes of a page depend, besides its address. A
// cached page is current if its validator equals the validator of a new rendering.
type hotValidator struct {
	epoch   string
	changed int64
	behind  bool
	counts  headCounts
	around  string // the rest of the page above its entries; see headFacts.cacheKey
}

func newHotPages(most int) hotPages {
	return hotPages{cache.NewSized(most, func(_ string, page *hotPage) int { return page.size() })}
}

// get returns a cached page that is current.
func (h hotPages) get(address string, validator hotValidator) (*hotPage, bool) {
	page, held := h.held.Get(address)
	return page, held && page.validator == validator
}

// put caches a page, replacing an older one with the same address.
func (h hotPages) put(page *hotPage) { h.held.Put(page.address, page) }

func (p *hotPage) size() int { return len(p.body) + len(p.packed) + len(p.address) + 256 }

// newHotPage returns a page with its ETag and gzipped bytes. The tag is a hash of the address and the
// validator. A feed keeps the tag of its content, which is the same on all nodes.
func newHotPage(address string, validator hotValidator, build string, shown rendering) *hotPage {
	page := &hotPage{address: address, validator: validator, rendering: shown}
	if shown.feed {
		return page // the middleware compresses the answers with feeds
	}
	if shown.pieces != nil {
		page.body, page.pieces = wholeBody(shown.pieces), nil
	}
	page.etag = bodyTag(fmt.Appendf(nil, "%s\n%s\n%+v", build, address, validator))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write(page.body)
	if err == nil && z.Close() == nil && packed.Len() < len(page.body) {
		page.packed = bytes.Clone(packed.Bytes())
	}
	return page
}

// serve serves the page, or with 304 if the client has it.
func (p *hotPage) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Cache-Control", "no-cache")
	header.Set("Vary", varies)
	if confirm(w, r, p.etag) {
		return
	}
	header.Set("Content-Type", p.kind)
	if p.language != "" {
		header.Set("Content-Language", p.language)
	}
	body := p.body
	if p.packed != nil && acceptsGzip(r.Header.Get("Accept-Encoding")) {
		header.Set("Content-Encoding", "gzip")
		body = p.packed
	}
	_, _ = w.Write(body) // a client that disconnects is not a server error
}

// acceptsGzip reports whether a client accepts gzip.
func acceptsGzip(header string) bool {
	for coding := range strings.SplitSeq(header, ",") {
		name, quality, _ := strings.Cut(coding, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			return strings.TrimSpace(quality) != "q=0"
		}
	}
	return false
}
