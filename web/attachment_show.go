package web

import (
	"fmt"
	"mime"
	"net/http"
	"strings"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// isFile reports whether a path is of an uploaded file, or of an avatar or a cover.
func isFile(path string) bool {
	return strings.HasPrefix(path, page.PublicFiles) || strings.HasPrefix(path, page.Files) || strings.HasPrefix(path, page.FeedFiles) ||
		strings.HasPrefix(path, "/system/") && strings.HasSuffix(path, ".jpg")
}

// showPublicFile serves a file of a post that all readers may read. The address names the hash
// of the file's bytes.
func (s *Server) showPublicFile(w http.ResponseWriter, q *request) error {
	var name timeline.FileName
	text, _, _ := strings.Cut(q.param("file"), ".")
	if err := name.UnmarshalText([]byte(text)); err != nil {
		return timeline.ErrNotFound
	}
	found, err := s.store.PublicFile(q.Context(), q.who.User, name)
	if err != nil {
		return err
	}
	if page.FilePath(true, 0, found.Rendition) != pagePath(q.Request) {
		return timeline.ErrNotFound
	}
	header := w.Header()
	header.Del("Set-Cookie") // caches keep the answer for all readers
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	return s.serveFile(w, q, found)
}

// showFile serves a file by the id of its attachment, if the visitor may read the post
// that the file is in. No shared cache keeps the answer, and a browser asks again each time.
func (s *Server) showFile(w http.ResponseWriter, q *request) error {
	id, err := q.id("id")
	if err != nil {
		return err
	}
	rendition, _, _ := strings.Cut(q.param("file"), ".")
	found, err := s.store.AttachmentFile(q.Context(), q.who.User, timeline.AttachmentID(id), rendition)
	if err != nil {
		return err
	}
	return s.servePrivate(w, q, found, page.FilePath(false, timeline.AttachmentID(id), found.Rendition))
}

// showPreviewFile serves the picture of a post's preview, if the visitor may read the post.
func (s *Server) showPreviewFile(w http.ResponseWriter, q *request) error {
	id, err := q.post()
	if err != nil {
		return err
	}
	found, err := s.store.PreviewFile(q.Context(), q.who.User, id)
	if err != nil {
		return err
	}
	return s.servePrivate(w, q, found, page.PreviewPath(false, id, found.Rendition))
}

// servePrivate serves a file, if the request is for the address that the file has now.
func (s *Server) servePrivate(w http.ResponseWriter, q *request, found timeline.AttachedFile, path string) error {
	if path != pagePath(q.Request) {
		return timeline.ErrNotFound
	}
	w.Header().Set("Cache-Control", "private, no-cache")
	w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
	return s.serveFile(w, q, found)
}

// filePolicy is the Content-Security-Policy of files: a file that is opened as a page runs
// nothing, loads nothing but itself and belongs to no origin.
const filePolicy = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"

// downloadRate is the number of bytes for which the answer with a file may take a second,
// beside a minute.
const downloadRate = 8 << 10

// serveFile serves a file, or the requested range of it. The caller has set how the answer is
// cached.
func (s *Server) serveFile(w http.ResponseWriter, q *request, found timeline.AttachedFile) (err error) {
	if s.config.Files == nil {
		return timeline.ErrNotFound
	}
	file, err := s.config.Files.Open(q.Context(), found.File)
	if err != nil {
		return fmt.Errorf("file %s of an attachment: %w", found.File, err)
	}
	defer file.Close()
	header := w.Header()
	header.Set("Content-Type", found.MediaType)
	header.Set("Content-Disposition", disposition(found))
	header.Set("Content-Security-Policy", filePolicy)
	header.Set("ETag", `"`+found.File.String()+`"`)
	// Only a test has a writer without deadlines, because it has no connection.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Minute + time.Duration(found.Size/downloadRate)*time.Second))
	http.ServeContent(w, q.Request, "", time.Time{}, file)
	return nil
}

// disposition returns the Content-Disposition of a file: only pictures, sound and video are
// shown by browsers, everything else is saved.
func disposition(f timeline.AttachedFile) string {
	how := "attachment"
	for _, kind := range []string{"image/", "audio/", "video/"} {
		if strings.HasPrefix(f.MediaType, kind) {
			how = "inline"
		}
	}
	if with := mime.FormatMediaType(how, map[string]string{"filename": page.FileName(f.FileName, f.MediaType)}); with != "" {
		return with
	}
	return how
}
