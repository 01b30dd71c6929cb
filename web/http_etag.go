package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"amstel.dev/amstel/internal/wirejson"
	"amstel.dev/amstel/web/mokum"
)

// varies lists the request headers that the bytes of a page depend on.
const varies = "Accept-Encoding, Accept, Accept-Language, Cookie, Authorization, X-API-Token, X-Amstel-Language"

// bodyTag returns the ETag of a body, which is given in parts. The tag is weak, because the same body
// is sent in different bytes with gzip.
func bodyTag(parts ...[]byte) string {
	hash := sha256.New()
	for _, part := range parts {
		hash.Write(part)
	}
	return `W/"` + base64.RawURLEncoding.EncodeToString(hash.Sum(nil)[:16]) + `"`
}

// pageTag returns the ETag of a body that contains a river's JSON, as of a page: the bodyTag without the
// time of the answer and the two numbers that rise while the page stays the same. A client
// that keeps an answer with older numbers loses nothing: when it listens to the river, it asks
// for the changes since an earlier counter, and there were none.
func pageTag(body []byte, r mokum.River) string {
	before, after, _ := bytes.Cut(body, wirejson.MustEncode(r))
	r.Timestamp, r.Counter, r.Position = "", 0, 0
	return bodyTag(before, wirejson.MustEncode(r), after)
}

// piecesTag returns the ETag of a body in pieces: as pageTag, with the hashes of fragments in place of
// the fragments.
func piecesTag(pieces []piece, r mokum.River) string {
	var hashed [][]byte
	shown := wirejson.MustEncode(r)
	r.Timestamp, r.Counter, r.Position = "", 0, 0
	lasting := wirejson.MustEncode(r)
	for _, one := range pieces {
		if one.bytes != nil {
			hashed = append(hashed, bytes.Replace(one.bytes, shown, lasting, 1))
		}
		for _, f := range one.run.fragments {
			hashed = append(hashed, f.sum[:])
		}
	}
	return bodyTag(hashed...)
}

// confirm sets the ETag of an answer, and reports whether the client has the answer already. If so, the
// answer is 304, without a body. Call confirm only after the answer was made by the present
// rights: a client may have an answer that it may no longer read.
func confirm(w http.ResponseWriter, r *http.Request, etag string) bool {
	w.Header().Set("ETag", etag)
	if !hasTag(r.Header.Get("If-None-Match"), etag) {
		return false
	}
	w.WriteHeader(http.StatusNotModified)
	return true
}

// hasTag reports whether an If-None-Match has the tag, by weak comparison.
func hasTag(header, etag string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimSpace(candidate)
		if candidate == "*" || strings.TrimPrefix(candidate, "W/") == strings.TrimPrefix(etag, "W/") {
			return true
		}
	}
	return false
}

// confirmable reports whether an answer may be confirmed by its ETag: a successful read, which
// clients may keep.
func confirmable(w http.ResponseWriter, r *http.Request, status int) bool {
	read := r.Method == http.MethodGet || r.Method == http.MethodHead
	return read && status == http.StatusOK && !strings.Contains(w.Header().Get("Cache-Control"), "no-store")
}
