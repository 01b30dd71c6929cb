package web

import (
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"slices"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/mokum"
)

// uploadPath is the path to which files are uploaded.
const uploadPath = "/api/v1/attachments"

// isUpload reports whether a request is an upload. The action reads the body of an upload as the
// body comes, and the body may be larger than in other requests.
func isUpload(r *http.Request) bool { return r.Method == http.MethodPost && pagePath(r) == uploadPath }

// The fields of an upload. A description belongs to the file that follows it in the body.
var (
	fileFields = []string{"attachment[attachment][]", "attachment[attachment]"}
	altFields  = []string{"attachment[alt][]", "attachment[alt]"}
)

// How long an upload may take: uploadStart, a second more for every uploadRate bytes that came,
// and uploadLongest in all. Then the reserved room is free again. The answer may take uploadStart,
// too.
const (
	uploadStart   = time.Minute
	uploadRate    = 8 << 10
	uploadLongest = 50 * time.Minute
)

const (
	uploadFields = 100      // fields besides the files
	uploadSlack  = 64 << 10 // bytes besides the files
	altBytes     = 8 << 10
)

// upload receives the files of a multipart form, one after another, and queues them. If a file is
// refused, the files before stay.
func (s *Server) upload(w http.ResponseWriter, q *request) error {
	if s.config.Files == nil {
		return timeline.ErrNotFound
	}
	limits := s.config.Files.Limits()
	most := limits.File*int64(limits.Post) + uploadSlack
	if q.ContentLength > most {
		return &http.MaxBytesError{Limit: most}
	}
	connection := http.NewResponseController(w)
	body := newPacedBody(w, q.Body, most)
	q.Body = body
	ids, err := s.receiveAll(q, limits)
	if _, full := errors.AsType[*timeline.QuotaError](err); full {
		// Some clients read no answer before they have sent everything.
		_, _ = io.CopyN(io.Discard, body, limits.File)
	}
	// The server's time for an answer began with the request.
	_ = connection.SetWriteDeadline(time.Now().Add(uploadStart))
	if err != nil {
		return err
	}
	files, err := s.store.UnattachedFiles(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	files = slices.DeleteFunc(files, func(f timeline.UploadedFile) bool { return !slices.Contains(ids, f.ID) })
	return s.done(w, q, "", uploadsOf(q, files))
}

// receiveAll receives the files in the body of a request, and returns their ids.
func (s *Server) receiveAll(q *request, limits timeline.AttachmentLimits) (ids []timeline.AttachmentID, err error) {
	parts, err := q.MultipartReader()
	if err != nil {
		return nil, errors.Join(errMedia, err)
	}
	var alt string
	for fields := 0; ; {
		part, err := nextPart(parts)
		if err != nil {
			return ids, err
		}
		if part == nil {
			break
		}
		switch name := part.FormName(); {
		case slices.Contains(fileFields, name) && part.FileName() != "":
			if len(ids) == limits.Post {
				return ids, &timeline.InvalidError{Field: "attachment", Reason: "are too many files", Code: "too_many", N: limits.Post}
			}
			id, err := s.receive(q, newUpload(q, part, alt, limits), part)
			if err != nil {
				return ids, err
			}
			ids, alt = append(ids, id), ""
		case slices.Contains(altFields, name):
			text, err := io.ReadAll(io.LimitReader(part, altBytes))
			if err != nil {
				return ids, brokenOff(err)
			}
			alt = string(text)
			fallthrough
		default:
			if fields++; fields > uploadFields {
				return ids, &timeline.InvalidError{Field: "body", Reason: "has too many fields"}
			}
		}
	}
	if len(ids) == 0 {
		return nil, &timeline.InvalidError{Field: "attachment", Reason: "has no file", Code: "empty"}
	}
	return ids, nil
}

// newUpload returns the facts about a file that are known before its first byte is read.
func newUpload(q *request, part *multipart.Part, alt string, limits timeline.AttachmentLimits) timeline.NewAttachment {
	a := timeline.NewAttachment{FileName: part.FileName(), Alt: alt}
	if q.ContentLength > 0 { // no file in the body is larger than the body
		a.Size = min(q.ContentLength, limits.File)
	}
	return a
}

// receive receives one file.
func (s *Server) receive(q *request, a timeline.NewAttachment, part *multipart.Part) (timeline.AttachmentID, error) {
	from := &notedReader{Reader: part}
	id, err := s.config.Files.Receive(q.Context(), q.who.User, a, from)
	if err != nil && from.err != nil {
		return 0, brokenOff(from.err)
	}
	return id, err
}

// nextPart returns the next part of a multipart form; nil at the end of the form.
func nextPart(parts *multipart.Reader) (*multipart.Part, error) {
	part, err := parts.NextPart()
	if any(err) == any(io.EOF) { // where the body is cut off, an error wraps io.EOF
		return nil, nil
	}
	if err != nil {
		return nil, brokenOff(err)
	}
	return part, nil
}

// brokenOff returns the error for a client after an error of reading an upload: the upload is too
// large or too slow, or else can't be read.
func brokenOff(err error) error {
	if _, large := errors.AsType[*http.MaxBytesError](err); large || errors.Is(err, errSlow) {
		return err
	}
	return errors.Join(errBody, err)
}

// A notedReader remembers the error that ends it, except for [io.EOF].
type notedReader struct {
	io.Reader
	err error
}

func (n *notedReader) Read(p []byte) (int, error) {
	read, err := n.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		n.err = err
	}
	return read, err
}

// A pacedBody is the body of an upload. A read fails with errSlow if the client sends too
// slowly.
type pacedBody struct {
	io.ReadCloser
	connection *http.ResponseController
	began      time.Time
	read       int64
}

// newPacedBody returns the body of an upload, which may have most bytes.
func newPacedBody(w http.ResponseWriter, body io.ReadCloser, most int64) *pacedBody {
	return &pacedBody{ReadCloser: http.MaxBytesReader(w, body, most), connection: http.NewResponseController(w), began: time.Now()}
}

func (b *pacedBody) Read(p []byte) (int, error) {
	within := min(uploadStart+time.Duration(b.read/uploadRate)*time.Second, uploadLongest)
	// Only a test has a writer without deadlines, because it has no connection.
	if err := b.connection.SetReadDeadline(b.began.Add(within)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return 0, err
	}
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = errSlow
	}
	return n, err
}

// uploads are files that are in no post or comment yet.
type uploads struct {
	Attachments []mokum.Attachment        `json:"attachments"`
	Queued      []mokum.Attachment        `json:"attachments_queued"`
	QueuedCount int                       `json:"queued_count"`
	Refused     []mokum.RefusedAttachment `json:"attachments_refused"`
}

// uploadsOf returns files of the actor, by their states. The reason of a refusal is in English for
// programs, and in the visitor's language for our own pages.
func uploadsOf(q *request, files []timeline.UploadedFile) uploads {
	u := uploads{Attachments: []mokum.Attachment{}, Queued: []mokum.Attachment{}, Refused: []mokum.RefusedAttachment{}}
	owner, words := q.who.User, catalogue.English
	if q.Header.Get(languageHeader) != "" {
		words = q.words
	}
	for i := range files {
		switch f := &files[i]; f.State {
		case timeline.AttachmentReady:
			u.Attachments = append(u.Attachments, mokum.UploadOf(f, owner))
		case timeline.AttachmentRefused:
			u.Refused = append(u.Refused, mokum.RefusedOf(words, f.ID, f.FileName, f.Refused))
		default:
			u.Queued = append(u.Queued, mokum.UploadOf(f, owner))
		}
	}
	u.QueuedCount = len(u.Queued)
	return u
}

// listUploads serves the files of the actor that are in no post or comment yet.
func (s *Server) listUploads(w http.ResponseWriter, q *request) error {
	files, err := s.store.UnattachedFiles(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	s.json(w, q, http.StatusOK, uploadsOf(q, files))
	return nil
}

// mostFiles returns how many files a post or comment may have; 0: as many as by default.
func (s *Server) mostFiles() int {
	if s.config.Files == nil {
		return 0
	}
	return s.config.Files.Limits().Post
}

// removeUpload deletes a file of the actor's that is in no post or comment, or a refused file.
func (s *Server) removeUpload(w http.ResponseWriter, q *request) error {
	id, err := q.id("id")
	if err != nil {
		return err
	}
	post, err := s.store.RemoveAttachment(q.Context(), q.who.User, timeline.AttachmentID(id))
	if err != nil {
		return err
	}
	told := effect{Entries: map[string]effectEntry{}}
	if post != 0 {
		told, _ = s.effectOn(w, q, post)
	}
	return s.done(w, q, "", resultOf{"removed", told})
}
