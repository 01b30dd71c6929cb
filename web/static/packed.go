package static

import (
	"bytes"
	"compress/gzip"
	"strings"

	"github.com/andybalholm/brotli"
)

// A packing is a way of compressing that browsers understand (RFC 9110, section 8.4.1).
type packing struct {
	encoding string
	pack     func([]byte) []byte
}

// packings are tried in this order. Brotli makes scripts and styles about a tenth smaller than gzip
// does.
var packings = []packing{{"br", brotliPacked}, {"gzip", gzipPacked}}

// packed returns the body in each encoding that makes it smaller.
func packed(body []byte) map[string][]byte {
	found := make(map[string][]byte)
	for _, p := range packings {
		if one := p.pack(body); len(one) < len(body)*9/10 {
			found[p.encoding] = one
		}
	}
	return found
}

// gzipPacked returns the body compressed by gzip. Writing to memory never fails.
func gzipPacked(body []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		panic("static: " + err.Error()) // a constant
	}
	_, _ = w.Write(body)
	_ = w.Close()
	return b.Bytes()
}

// brotliPacked returns the body compressed by Brotli. Writing to memory never fails.
func brotliPacked(body []byte) []byte {
	var b bytes.Buffer
	w := brotli.NewWriterLevel(&b, brotli.BestCompression)
	_, _ = w.Write(body)
	_ = w.Close()
	return b.Bytes()
}

// chosen returns the encoding to answer with, and the body in it. Accepted is the request's
// Accept-Encoding; an encoding with a weight of 0 is refused.
func (f *file) chosen(accepted string) (encoding string, body []byte) {
	if accepted == "" {
		return "", f.body
	}
	takes := make(map[string]bool)
	for part := range strings.SplitSeq(accepted, ",") {
		name, weight, _ := strings.Cut(strings.ToLower(part), ";")
		weight = strings.TrimRight(strings.TrimSpace(strings.ReplaceAll(weight, " ", "")), "0")
		takes[strings.TrimSpace(name)] = weight != "q=" && weight != "q=0."
	}
	for _, p := range packings {
		if one, is := f.packed()[p.encoding]; is && takes[p.encoding] {
			return p.encoding, one
		}
	}
	return "", f.body
}
