package static

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

// Prefix is the path under which the files are served.
const Prefix = "/static/"

// embedded holds the stylesheet, the scripts and the icons. The first pattern compiles
// even before the scripts are built.
//
//go:embed *.[cjs]* *.ico *.png
var embedded embed.FS

// files holds the embedded files, which can't change while the process runs.
var files = sync.OnceValue(load)

type file struct {
	body   []byte
	packed func() map[string][]byte // the body by its encoding, packed at the first call
	hash   string
	mime   string
	alias  string // the name with the hash: "amstel.0123456789ab.css"
}

// Path returns the address of the file with a plain name ("amstel.css"). If there is no such
// file, it returns an address that answers 404.
func Path(name string) string {
	f, ok := files()[name]
	if !ok {
		return Prefix + name
	}
	return Prefix + f.alias
}

// Script returns the address of the pages' script in the language of a code.
func Script(language string) string {
	if name := "client." + language + ".js"; files()[name] != nil {
		return Path(name)
	}
	return Path("client.js")
}

// File returns the content of the file with a plain name, and its media type, or nil if there is
// no such file.
func File(name string) (body []byte, mediaType string) {
	f, ok := files()[name]
	if !ok {
		return nil, ""
	}
	return f.body, f.mime
}

// Handler serves the files below Prefix. A browser may cache a file for ever under the name with
// its hash. Under its plain name, or with the hash of another build, the present file is served
// and may not be cached, so that a page of an older node still finds its stylesheet. A file is
// sent with its length, in the best encoding that the browser accepts.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "only GET is known here", http.StatusMethodNotAllowed)
			return
		}
		asked := path.Base(r.URL.Path)
		f, ok := files()[plain(asked)]
		if !ok {
			http.NotFound(w, r)
			return
		}
		header := w.Header()
		header.Set("Content-Type", f.mime)
		header.Set("X-Content-Type-Options", "nosniff")
		encoding, body := f.chosen(r.Header.Get("Accept-Encoding"))
		etag := `"` + f.hash + encoding + `"`
		header.Set("ETag", etag)
		header.Set("Vary", "Accept-Encoding")
		header.Set("Cache-Control", "no-cache")
		if asked == f.alias {
			header.Set("Cache-Control", "public, max-age=31536000, immutable")
		}
		if r.Header.Get("If-None-Match") == etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		if encoding != "" {
			header.Set("Content-Encoding", encoding)
		}
		header.Set("Content-Length", strconv.Itoa(len(body)))
		if r.Method == http.MethodGet {
			_, _ = w.Write(body) // a client that disconnects is not a server error
		}
	})
}

// load returns every embedded file by its plain name.
func load() map[string]*file {
	found := make(map[string]*file)
	entries, err := embedded.ReadDir(".")
	if err != nil {
		panic("static: what the compiler embedded can't be read: " + err.Error())
	}
	for _, e := range entries {
		body, err := embedded.ReadFile(e.Name())
		if err != nil {
			panic("static: what the compiler embedded can't be read: " + err.Error())
		}
		sum := sha256.Sum256(body)
		hash := hex.EncodeToString(sum[:6])
		ext := path.Ext(e.Name())
		found[e.Name()] = &file{
			body:   body,
			packed: sync.OnceValue(func() map[string][]byte { return packed(body) }),
			hash:   hash,
			mime:   typeOf(ext),
			alias:  strings.TrimSuffix(e.Name(), ext) + "." + hash + ext,
		}
	}
	return found
}

// plain returns a name without its hash: "amstel.css" for "amstel.0123456789ab.css".
func plain(name string) string {
	ext := path.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	hash := path.Ext(stem)
	if len(hash) != 13 {
		return name
	}
	if _, err := hex.DecodeString(hash[1:]); err != nil {
		return name
	}
	return strings.TrimSuffix(stem, hash) + ext
}

// typeOf returns the content type of an extension. It does not use the machine's table of
// types, because machines differ.
func typeOf(ext string) string {
	switch ext {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".ico":
		return "image/vnd.microsoft.icon"
	}
	if t := mime.TypeByExtension(ext); t != "" {
		return t
	}
	return "application/octet-stream"
}
