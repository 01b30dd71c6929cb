package web

import (
	"bytes"
	"container/list"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// hotPages keep the rendered bytes of pages that everybody who is not signed in
// shares, so that a hot one costs a look at its river and a write. A page is
// good as long as its river's epoch and the state it shows are the same.
type hotPages struct {
	most int // bytes

	mu     sync.Mutex
	held   map[string]*list.Element // of *hotPage, the one used last in front
	recent *list.List
	bytes  int
}

// hotPage is one of them, in one form.
type hotPage struct {
	address  string // and form
	stamp    hotStamp
	kind     string
	language string // its code; empty: it has none, as JSON
	etag     string
	body     []byte
	packed   []byte // with gzip; nil where that is no gain
}

// hotStamp is all that the bytes of a page depend on beside its address.
type hotStamp struct {
	epoch   string
	changed int64
	behind  bool
	counts  headCounts
	around  string // what else is above the entries, and no river holds
}

func newHotPages(most int) *hotPages {
	return &hotPages{most: most, held: make(map[string]*list.Element), recent: list.New()}
}

// get finds a page as it would be rendered now.
func (h *hotPages) get(address string, stamp hotStamp) (*hotPage, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at, held := h.held[address]
	if !held || at.Value.(*hotPage).stamp != stamp {
		return nil, false
	}
	h.recent.MoveToFront(at)
	return at.Value.(*hotPage), true
}

// put keeps a page in the place of what its address had, and lets go of those
// that nobody asked for longest.
func (h *hotPages) put(page *hotPage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if at, held := h.held[page.address]; held {
		h.remove(at)
	}
	h.held[page.address] = h.recent.PushFront(page)
	h.bytes += page.size()
	for h.bytes > h.most && h.recent.Len() > 0 {
		h.remove(h.recent.Back())
	}
}

func (h *hotPages) remove(at *list.Element) {
	page := h.recent.Remove(at).(*hotPage)
	delete(h.held, page.address)
	h.bytes -= page.size()
}

func (p *hotPage) size() int { return len(p.body) + len(p.packed) + len(p.address) + 256 }

// newHotPage makes a page of what was rendered.
func newHotPage(address string, stamp hotStamp, build, kind, language string, body []byte) *hotPage {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%+v", build, address, stamp))
	page := &hotPage{
		address: address, stamp: stamp, kind: kind, language: language, body: body,
		// Weak: the same page may be written in other bytes, and is, with gzip.
		etag: `W/"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`,
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write(body)
	if err == nil && z.Close() == nil && packed.Len() < len(body) {
		page.packed = bytes.Clone(packed.Bytes())
	}
	return page
}

// serve answers with the page, or with word that the client has it.
func (p *hotPage) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("ETag", p.etag)
	header.Set("Cache-Control", "no-cache")
	header.Set("Vary", varies)
	if hasTag(r.Header.Get("If-None-Match"), p.etag) {
		w.WriteHeader(http.StatusNotModified)
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
	_, _ = w.Write(body) // who left is no error of ours
}

// varies is what a page's bytes depend on beside its address.
const varies = "Accept-Encoding, Accept-Language, Cookie, Authorization, X-API-Token"

// hasTag says whether an If-None-Match names the tag, weakly compared.
func hasTag(header, etag string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimSpace(candidate)
		if candidate == "*" || strings.TrimPrefix(candidate, "W/") == strings.TrimPrefix(etag, "W/") {
			return true
		}
	}
	return false
}

// acceptsGzip says whether a client takes gzip.
func acceptsGzip(header string) bool {
	for coding := range strings.SplitSeq(header, ",") {
		name, quality, _ := strings.Cut(coding, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			return strings.TrimSpace(quality) != "q=0"
		}
	}
	return false
}
