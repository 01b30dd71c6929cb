package web

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"amstel.dev/amstel/internal/picture"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/page"
)

// picturesPerHour is how many avatars and covers one account may upload in an hour, since
// each of them takes some tenths of a second of a processor.
const picturesPerHour = 60

// isPictureUpload reports whether a request uploads an avatar or a cover. The action reads the
// body itself, as with other uploads.
func isPictureUpload(r *http.Request) bool {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return r.Method == http.MethodPost && kind == "multipart/form-data" && (page.IsPictureAPI(pagePath(r)) || pictureForm(r) != "")
}

// pictureForm returns which picture of a group a form on the page for editing the group sets, or
// an empty role for other requests.
func pictureForm(r *http.Request) timeline.PictureRole {
	switch role := timeline.PictureRole(r.URL.Query().Get("form")); role {
	case timeline.Avatar, timeline.Cover:
		if strings.HasSuffix(pagePath(r), "/edit") {
			return role
		}
	}
	return ""
}

// sendGroupPicture carries out a form that sets the avatar or the cover of a group.
func (s *Server) sendGroupPicture(w http.ResponseWriter, q *request) error {
	if role := pictureForm(q.Request); role != "" {
		return s.setGroupPicture(role)(w, q)
	}
	return errMethod
}

// setOwnPicture gives the actor another avatar or cover: a part of an uploaded picture.
func (s *Server) setOwnPicture(role timeline.PictureRole) action {
	return func(w http.ResponseWriter, q *request) error {
		err := s.receivePicture(w, q, role, func(files timeline.PictureFiles, kept timeline.Kept) error {
			return s.store.SetUserPicture(q.Context(), q.who.User, role, files, kept)
		})
		return s.ownPictureIsSet(w, q, role, err)
	}
}

// removeOwnPicture removes the actor's avatar or cover.
func (s *Server) removeOwnPicture(role timeline.PictureRole) action {
	return func(w http.ResponseWriter, q *request) error {
		return s.ownPictureIsSet(w, q, role, s.store.SetUserPicture(q.Context(), q.who.User, role, timeline.PictureFiles{}, nil))
	}
}

// ownPictureIsSet answers a change of the actor's avatar or cover. If err is not nil, the change
// failed.
func (s *Server) ownPictureIsSet(w http.ResponseWriter, q *request, role timeline.PictureRole, err error) error {
	form := page.SettingsForm(role)
	if err != nil {
		return s.refuseSettings(w, q, form, err, func(m *page.SettingsModel) { m.Pictures.Refuse(role, m.Problems) })
	}
	whose, err := s.addresses.Names.Lookup(q.Context(), q.who.Name)
	if err != nil {
		return err
	}
	user, err := s.userAs(q, whose)
	if err != nil {
		return err
	}
	return s.saved(w, q, form, editedUser{user, s.effectOnNamed(w, q)})
}

// setGroupPicture gives a group that the actor administers another avatar or cover.
func (s *Server) setGroupPicture(role timeline.PictureRole) action {
	return func(w http.ResponseWriter, q *request) error {
		whose, err := s.named(q, true)
		if err != nil {
			return err
		}
		err = s.receivePicture(w, q, role, func(files timeline.PictureFiles, kept timeline.Kept) error {
			return s.store.SetGroupPicture(q.Context(), q.who.User, whose.Name, role, files, kept)
		})
		return s.groupPictureIsSet(w, q, whose, role, err)
	}
}

// removeGroupPicture removes the avatar or the cover of a group that the actor administers.
func (s *Server) removeGroupPicture(role timeline.PictureRole) action {
	return func(w http.ResponseWriter, q *request) error {
		whose, err := s.named(q, true)
		if err != nil {
			return err
		}
		err = s.store.SetGroupPicture(q.Context(), q.who.User, whose.Name, role, timeline.PictureFiles{}, nil)
		return s.groupPictureIsSet(w, q, whose, role, err)
	}
}

// groupPictureIsSet answers a change of a group's avatar or cover. If err is not nil, the change
// failed.
func (s *Server) groupPictureIsSet(w http.ResponseWriter, q *request, whose address.Owner, role timeline.PictureRole, err error) error {
	if err != nil {
		if f, may := fixableByUser(err); q.html && may && f.Status != http.StatusForbidden {
			m, err := s.groupEdits(q, whose)
			if err != nil {
				return err
			}
			m.Pictures.Refuse(role, q.problems(f))
			return s.page(w, q, f.Status, page.EditGroup(m))
		}
		return err
	}
	answer, err := s.groupAs(q, whose)
	if err != nil {
		return err
	}
	return s.done(w, q, page.EditGroupPath(whose.Name), answer)
}

// receivePicture receives the upload of an avatar or a cover, cuts out the part that the form
// asks for, and calls set with the files. The upload waits in a temporary file, so that a
// slow client takes no memory.
func (s *Server) receivePicture(w http.ResponseWriter, q *request, role timeline.PictureRole, set func(timeline.PictureFiles, timeline.Kept) error) (err error) {
	if s.config.Files == nil {
		return timeline.ErrNotFound
	}
	if s.pictures.OnLimit(w, q.Request, q.quotaKey()) {
		return timeline.ErrThrottled
	}
	spool, err := os.CreateTemp("", "amstel-picture-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, spool.Close(), os.Remove(spool.Name())) }()
	connection := http.NewResponseController(w)
	most := min(s.config.Files.Limits().File, picture.DefaultBytes)
	q.Body = newPacedBody(w, q.Body, 2*most+uploadSlack)
	crop, err := readPicture(q, role, spool, most)
	if _, large := errors.AsType[*timeline.QuotaError](err); large {
		// A browser reads the answer only after it has sent everything, so read a body of up to
		// twice the limit to its end.
		_, _ = io.CopyN(io.Discard, q.Body, most+uploadSlack)
	}
	// The server's time for an answer began with the request. Only a test has a writer without
	// deadlines, because it has no connection.
	_ = connection.SetWriteDeadline(time.Now().Add(uploadStart))
	if err != nil {
		return err
	}
	if _, err := spool.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return explainPicture(role, s.config.Files.KeepPicture(q.Context(), role, spool, crop, set))
}

// readPicture reads the form of an upload: it writes the file to spool, and returns the wanted
// part of the picture.
func readPicture(q *request, role timeline.PictureRole, spool io.Writer, most int64) (crop picture.Crop, err error) {
	parts, err := q.MultipartReader()
	if err != nil {
		return crop, errors.Join(errMedia, err)
	}
	prefix := string(role) + "["
	numbers := map[string]*float64{prefix + "x]": &crop.X, prefix + "y]": &crop.Y, prefix + "width]": &crop.Width}
	for found, fields := false, 0; ; fields++ {
		part, err := nextPart(parts)
		switch {
		case err != nil:
			return crop, err
		case part == nil && !found:
			return crop, &timeline.InvalidError{Field: string(role), Reason: "has no file", Code: "empty"}
		case part == nil:
			return crop, nil
		}
		if fields == uploadFields {
			return crop, &timeline.InvalidError{Field: "body", Reason: "has too many fields"}
		}
		number := numbers[part.FormName()]
		switch {
		case part.FormName() == prefix+string(role)+"]" && part.FileName() != "" && !found:
			n, err := io.Copy(spool, io.LimitReader(part, most+1))
			if err != nil {
				return crop, brokenOff(err)
			}
			if n > most {
				return crop, &timeline.QuotaError{What: "file", Limit: most, Left: most}
			}
			found = true
		case number != nil:
			text, err := io.ReadAll(io.LimitReader(part, 32))
			if err != nil {
				return crop, brokenOff(err)
			}
			if len(text) == 0 { // as the form has it without script
				continue
			}
			if *number, err = strconv.ParseFloat(string(text), 64); err != nil {
				return crop, &timeline.InvalidError{Field: string(role), Reason: "has a corner or a width that is no number"}
			}
		}
	}
}

// explainPicture turns an error of [Files.KeepPicture] into the one for the client: for a picture that
// can't be used, a [timeline.InvalidError] with the reason.
func explainPicture(role timeline.PictureRole, err error) error {
	field := string(role)
	switch why := picture.Refusal(err); {
	case errors.Is(err, picture.ErrNoTool):
		return &timeline.InvalidError{Field: field, Reason: "can't be taken: this server has no tool for pictures", Code: "picture_tool"}
	case why == nil:
		return err
	case errors.Is(why, picture.ErrType):
		return &timeline.InvalidError{Field: field, Reason: "can't be used: " + why.Error(), Code: "picture_type"}
	case errors.Is(why, picture.ErrDamaged):
		return &timeline.InvalidError{Field: field, Reason: "can't be used: " + why.Error(), Code: "picture_damaged"}
	default:
		return &timeline.InvalidError{Field: field, Reason: "can't be used: " + why.Error(), Code: "picture_large"}
	}
}
