package attachment

import (
	"bytes"
	"net/http"
	"strings"
)

// headBytes is how many bytes of a file tell its type.
const headBytes = 4096

// typeOf returns the kind and the media type of a file other than a picture, by its first bytes.
// It never returns a type that a browser could run, such as HTML: a file that is neither sound,
// video, PDF nor plain text is application/octet-stream.
func typeOf(head []byte) (kind, mediaType string) {
	switch {
	case bytes.HasPrefix(head, []byte("fLaC")):
		return "audio", "audio/flac"
	case len(head) > 1 && head[0] == 0xff && head[1]&0xe6 == 0xe2: // a frame of MPEG audio, layer III
		return "audio", "audio/mpeg"
	case len(head) > 12 && string(head[4:8]) == "ftyp" && string(head[8:11]) == "M4A":
		return "audio", "audio/mp4"
	case bytes.HasPrefix(head, []byte("OggS")) && bytes.Contains(head, []byte("theora")):
		return "video", "video/ogg"
	case bytes.HasPrefix(head, []byte("OggS")):
		return "audio", "audio/ogg"
	}
	found := http.DetectContentType(head)
	kind, _, _ = strings.Cut(found, "/")
	switch {
	case kind == "audio", kind == "video":
		return kind, found
	case found == "application/pdf", found == "text/plain; charset=utf-8":
		return "file", found
	}
	return "file", "application/octet-stream"
}
