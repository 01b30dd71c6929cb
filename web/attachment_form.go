package web

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// formFiles are the file fields of forms, each with the field for the ids of attachments. A
// stored file is added to the ids.
var formFiles = map[string]string{
	"post[files][]": "post[attachment_ids][]", "comment[files][]": "comment[attachment_ids][]",
}

// takesFiles reports whether a request is a form that may have files. Only the fields tell a form
// of a post or comment, whose files are kept, from other forms.
func (s *Server) takesFiles(r *http.Request) bool {
	if s.config.Files == nil || r.Method != http.MethodPost {
		return false
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "multipart/form-data"
}

// A halfForm is a form with files that is read up to its first file. The route and the
// visitor have to be known before a file is read.
type halfForm struct {
	parts *multipart.Reader
	next  *multipart.Part // with the first file; nil: the form has none
	keep  bool            // the form is that of a post or comment
	left  int64           // bytes that the other fields may still have
	limit int64           // bytes that they may have together
}

type halfFormKey struct{}

// beginForm reads the fields of a form up to its first file.
func (s *Server) beginForm(w http.ResponseWriter, r *http.Request) (*http.Request, error) {
	limits := s.config.Files.Limits()
	most := limits.File*int64(limits.Post) + s.config.BodyLimit + uploadSlack
	if r.ContentLength > most {
		return nil, &http.MaxBytesError{Limit: most}
	}
	form := &halfForm{left: s.config.BodyLimit, limit: s.config.BodyLimit}
	r = r.WithContext(context.WithValue(r.Context(), halfFormKey{}, form))
	r.Body = newPacedBody(w, r.Body, most)
	r.PostForm, r.Form = url.Values{}, r.URL.Query()
	var err error
	if form.parts, err = r.MultipartReader(); err != nil {
		return nil, errors.Join(errBody, err)
	}
	form.next, err = form.fields(r.PostForm)
	return r, err
}

// keepFiles sets whether endForm keeps the files of a form that beginForm began.
func keepFiles(r *http.Request, keep bool) { r.Context().Value(halfFormKey{}).(*halfForm).keep = keep }

// fieldBytes is the weight of a field besides its name and value, so that even empty fields
// reach the limit.
const fieldBytes = 64

// fields reads fields up to the next file, and returns the file; nil at the end of the form.
func (f *halfForm) fields(into url.Values) (*multipart.Part, error) {
	for {
		part, err := nextPart(f.parts)
		if err != nil || part == nil || part.FileName() != "" {
			return part, err
		}
		value, err := io.ReadAll(io.LimitReader(part, f.left+1))
		if err != nil {
			return nil, brokenOff(err)
		}
		if f.left -= int64(fieldBytes + len(part.FormName()) + len(value)); f.left < 0 {
			return nil, &http.MaxBytesError{Limit: f.limit}
		}
		into.Add(part.FormName(), string(value))
	}
}

// endForm reads what beginForm left of a form, keeps its files, and adds their ids to the
// fields. It returns why a file was not kept. The form is read to its end all the same: a browser
// reads no answer before it has sent everything, and the answer shows the other fields again.
func (s *Server) endForm(w http.ResponseWriter, q *request) error {
	form, is := q.Context().Value(halfFormKey{}).(*halfForm)
	if !is || form.next == nil || !form.keep || !q.who.signedIn() {
		return nil
	}
	limits := s.config.Files.Limits()
	var kept int
	var unkept error
	for part := form.next; part != nil; {
		if field, known := formFiles[part.FormName()]; known && unkept == nil {
			var id timeline.AttachmentID
			if kept++; kept > limits.Post {
				unkept = &timeline.InvalidError{Field: "attachment_ids", Reason: fmt.Sprintf("are more than %d", limits.Post), Code: "too_many", N: limits.Post}
			} else if id, unkept = s.receive(q, newUpload(q, part, "", limits), part); unkept == nil {
				q.PostForm.Add(field, mokum.IDText(id))
			}
		}
		var err error
		if part, err = form.fields(q.PostForm); err != nil {
			unkept = cmp.Or(unkept, err)
			break
		}
	}
	// The server's time for an answer began with the request.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(uploadStart))
	return unkept
}

// files returns the attachments that a post or comment is to have: those of attachment_ids, in
// their order, or by the numbers of attachment_order, with the descriptions of
// attachment_alts. files returns nil if the input has no attachment_ids, or if a form sends the
// files back unchanged.
func (in input) files() (*timeline.Files, error) {
	const name = "attachment_ids"
	if !in.has(name) {
		return nil, nil
	}
	list, is := in[name].([]any)
	if !is {
		list = []any{in[name]}
	}
	files := &timeline.Files{}
	for _, item := range list {
		if item == "" { // of a form without any file
			continue
		}
		id, ok := idOf(item)
		if !ok {
			return nil, &timeline.InvalidError{Field: name, Reason: "hold something that is no id"}
		}
		files.IDs = append(files.IDs, timeline.AttachmentID(id))
	}
	if err := in.orderFiles(files.IDs); err != nil {
		return nil, err
	}
	alts, err := in.in("attachment_alts")
	if err != nil {
		return nil, err
	}
	for _, id := range files.IDs {
		if of := mokum.IDText(id); alts.has(of) {
			if files.Alts == nil {
				files.Alts = make(map[timeline.AttachmentID]string)
			}
			if files.Alts[id], err = alts.text(of); err != nil {
				return nil, err
			}
		}
	}
	was, err := in.in("was")
	if err != nil {
		return nil, err
	}
	if mark, err := was.text("files"); err != nil || mark == filesMark(files.IDs, files.Alts) {
		return nil, err
	}
	return files, nil
}

// orderFiles sorts attachments by the numbers of attachment_order. One without a number, such
// as a file of the same form, comes after those with a number.
func (in input) orderFiles(ids []timeline.AttachmentID) error {
	order, err := in.in("attachment_order")
	if err != nil {
		return err
	}
	numbers := make(map[timeline.AttachmentID]int64, len(order))
	for _, id := range ids {
		number, ok := idOf(order[mokum.IDText(id)])
		if !ok {
			number = math.MaxInt64
		}
		numbers[id] = number
	}
	slices.SortStableFunc(ids, func(a, b timeline.AttachmentID) int { return cmp.Compare(numbers[a], numbers[b]) })
	return nil
}

// idOf returns the positive number in a value, which forms send as text. It returns false for any
// other value.
func idOf(v any) (id int64, ok bool) {
	var text string
	switch v := v.(type) {
	case string:
		text = v
	case json.Number:
		text = v.String()
	}
	id, err := strconv.ParseInt(text, 10, 64)
	return id, err == nil && id > 0
}

// filesMark returns a mark of the files of a form, in their order and with their descriptions.
// The form sends the mark back, so that a form that changes no file leaves the files alone.
func filesMark(ids []timeline.AttachmentID, alts map[timeline.AttachmentID]string) string {
	sum := sha256.New()
	for _, id := range ids {
		fmt.Fprintf(sum, "%d %q\n", id, alts[id])
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// fileRows returns the rows of a form with the files that a post or comment has, and their
// mark. A refused file has a row that says so.
func fileRows(files []timeline.UploadedFile) (rows []page.FileRow, mark string) {
	var ids []timeline.AttachmentID
	alts := make(map[timeline.AttachmentID]string)
	for _, f := range files {
		row := page.FileRow{ID: f.ID, FileName: f.FileName, Alt: f.Alt, Kept: true, Refused: f.Refused}
		if at := slices.IndexFunc(f.Renditions, func(r timeline.Rendition) bool { return r.Name == "thumb" }); at >= 0 {
			row.Thumb = page.FilePath(false, f.ID, f.Renditions[at])
		}
		if row.Refused == "" {
			ids = append(ids, f.ID)
			alts[f.ID] = f.Alt
		}
		rows = append(rows, row)
	}
	return rows, filesMark(ids, alts)
}

// rowsAgain returns the rows of a form that is shown again: has are the rows of the files of the
// post or comment, and files the choices that the form sent. Uploaded files that are in no post
// yet come last.
func (s *Server) rowsAgain(q *request, has []page.FileRow, files *timeline.Files) ([]page.FileRow, error) {
	if files == nil {
		return has, nil
	}
	loose, err := s.store.UnattachedFiles(q.Context(), q.who.User)
	if err != nil {
		return nil, err
	}
	loose = slices.DeleteFunc(loose, func(f timeline.UploadedFile) bool { return !slices.Contains(files.IDs, f.ID) })
	more, _ := fileRows(loose)
	all := append(slices.Clone(has), more...)
	place := func(id timeline.AttachmentID) int {
		if at := slices.Index(files.IDs, id); at >= 0 {
			return at
		}
		return len(files.IDs)
	}
	for i := range all {
		all[i].Kept = slices.Contains(files.IDs, all[i].ID)
		if alt, is := files.Alts[all[i].ID]; is {
			all[i].Alt = alt
		}
	}
	slices.SortStableFunc(all, func(a, b page.FileRow) int { return cmp.Compare(place(a.ID), place(b.ID)) })
	return all, nil
}

// filesHint returns the hint of a form about its files, or the zero hint if nothing can be
// uploaded.
func (s *Server) filesHint() page.FilesHint {
	if s.config.Files == nil {
		return page.FilesHint{}
	}
	limits := s.config.Files.Limits()
	return page.FilesHint{Most: limits.Post, Size: limits.File}
}
