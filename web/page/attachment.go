package page

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// The beginnings of the addresses of files: of those in posts that all readers may read, by
// the names of their bytes, and of all others, by the ids of their attachments.
const (
	PublicFiles = "/f/"
	Files       = "/attachments/"
)

// FilePath returns the address of a rendition. The file of a public post has the name of its
// bytes in its address, and so can be kept by caches for long. Any other file has the id of
// its attachment there, and the server decides on each request.
func FilePath(public bool, id timeline.AttachmentID, r timeline.Rendition) string {
	if public {
		return PublicFiles + r.File.String() + extension(r.MediaType)
	}
	return Files + strconv.FormatInt(int64(id), 10) + "/" + r.Name + extension(r.MediaType)
}

// PreviewPath returns the address of the picture of a post's preview, under the same rules as
// [FilePath]: in a post that is not public it has the id of the post.
func PreviewPath(public bool, post timeline.PostID, r timeline.Rendition) string {
	if public {
		return FilePath(true, 0, r)
	}
	return Files + "preview/" + strconv.FormatInt(int64(post), 10) + "/" + r.File.String() + extension(r.MediaType)
}

// extensions are the ends of the names of files, by their media types.
var extensions = map[string]string{
	"image/jpeg": ".jpg", "image/png": ".png", "image/gif": ".gif", "image/webp": ".webp",
	"audio/mpeg": ".mp3", "audio/mp4": ".m4a", "audio/ogg": ".ogg", "audio/flac": ".flac", "audio/wave": ".wav", "audio/aiff": ".aiff", "audio/midi": ".mid",
	"video/mp4": ".mp4", "video/webm": ".webm", "video/ogg": ".ogv", "video/avi": ".avi",
	"application/pdf": ".pdf", "text/plain; charset=utf-8": ".txt",
}

// extension returns the extension that a file of a media type has, such as ".jpg".
func extension(mediaType string) string {
	if end, known := extensions[mediaType]; known {
		return end
	}
	return ".bin"
}

// sameExtensions are the ends of names that fit a media type, besides the one in extensions.
var sameExtensions = map[string][]string{
	"image/jpeg": {".jpeg", ".jpe", ".jfif"}, "audio/mp4": {".mp4", ".m4b"}, "audio/ogg": {".oga", ".opus"}, "audio/wave": {".wave"},
	"audio/aiff": {".aif", ".aifc"}, "audio/midi": {".midi"}, "video/mp4": {".m4v", ".mov"}, "video/ogg": {".ogg"},
}

// FileName returns the name under which a file of a media type is saved: that of the upload
// with an end that fits the type. The WebP rendition of soup.jpg is soup.webp. The names of texts
// keep any end, because there are very many, and so do names of files with an unknown type.
func FileName(upload, mediaType string) string {
	fitting := extensions[mediaType]
	end := path.Ext(upload)
	lower := strings.ToLower(end)
	if fitting == "" || lower == fitting || slices.Contains(sameExtensions[mediaType], lower) || strings.HasPrefix(mediaType, "text/") {
		return upload
	}
	if lower == ".avif" || isExtension(lower) {
		upload = strings.TrimSuffix(upload, end)
	}
	return upload + fitting
}

// isExtension reports whether an end of a name is of a media type that is known.
func isExtension(end string) bool {
	for mediaType, usual := range extensions {
		if end == usual || slices.Contains(sameExtensions[mediaType], end) {
			return true
		}
	}
	return false
}

// A fileModel is a file of a post or comment.
type fileModel struct {
	Words  catalogue.Language
	Public bool // all readers may read the post
	*timeline.Attachment
}

// filesOf returns the pictures of a post or comment, which a grid shows, and its other files.
func filesOf(words catalogue.Language, public bool, all []timeline.Attachment) (pictures, others []fileModel) {
	for i := range all {
		f := fileModel{words, public, &all[i]}
		if _, ok := f.Rendition("grid"); ok {
			pictures = append(pictures, f)
		} else {
			others = append(others, f)
		}
	}
	return pictures, others
}

// rendition returns a rendition of a file that has it.
func (f fileModel) rendition(name string) timeline.Rendition {
	r, _ := f.Rendition(name)
	return r
}

// path returns the address of a rendition; empty if the file has none of that name, as a
// file that was imported by its name alone.
func (f fileModel) path(name string) string {
	r, ok := f.Rendition(name)
	if !ok {
		return ""
	}
	return FilePath(f.Public, f.ID, r)
}

// srcset returns the picture of the grid for screens with one and two pixels a point.
func (f fileModel) srcset() string {
	return f.path("grid") + " 1x, " + f.path("grid2x") + " 2x"
}

func (f fileModel) width() string  { return strconv.Itoa(f.rendition("grid").Width) }
func (f fileModel) height() string { return strconv.Itoa(f.rendition("grid").Height) }

// alt returns the text in place of a picture: the author's, or else the name of the file.
func (f fileModel) alt() string {
	if f.Alt != "" {
		return f.Alt
	}
	return f.Words.FilePicture(f.FileName)
}

// about returns the type and the size of a file.
func (f fileModel) about() string {
	r := f.rendition("original")
	return strings.ToUpper(strings.TrimPrefix(extension(r.MediaType), ".")) + ", " + f.Words.Size(r.Size)
}

// RefusedFile returns the sentence that tells a person why a file of theirs was refused.
func RefusedFile(words catalogue.Language, why timeline.Refusal, name string) string {
	switch why {
	case timeline.RefusedType:
		return words.RefusedType(name)
	case timeline.RefusedBytes:
		return words.RefusedBytes(name)
	case timeline.RefusedPixels:
		return words.RefusedPixels(name)
	case timeline.RefusedFrames:
		return words.RefusedFrames(name)
	case timeline.RefusedDamaged:
		return words.RefusedDamaged(name)
	case timeline.RefusedEffort:
		return words.RefusedEffort(name)
	case timeline.RefusedNoTool:
		return words.RefusedNoTool(name)
	}
	return words.RefusedFailed(name)
}

// removeFileAPI returns the API path that removes a file that was refused.
func removeFileAPI(id timeline.AttachmentID) string {
	return "/api/v1/attachments/" + strconv.FormatInt(int64(id), 10) + ".json"
}

// A FileRow is a file in a form: whether the post or comment keeps the file, at which place
// and with which description.
type FileRow struct {
	ID       timeline.AttachmentID
	FileName string
	Alt      string
	Thumb    string // the address of a small picture; empty if there is none
	Kept     bool
	Refused  timeline.Refusal // why the file could not be used; empty of others
}

// A FilesHint has the limits that a form states for files: how many there may be, and how many
// bytes each may have. It is zero on a site to which nothing can be uploaded.
type FilesHint struct {
	Most int
	Size int64
}

// FileFields are the fields of a form for its files.
type FileFields struct {
	Rows []FileRow
	Mark string // of the rows as they were; empty: of a new post or comment
	FilesHint
}

// number returns the place of a row as its field has it.
func number(row int) string { return strconv.Itoa(row + 1) }

// fieldOfFile returns the name of a field of one file.
func fieldOfFile(of, field string, id timeline.AttachmentID) string {
	return of + "[" + field + "][" + strconv.FormatInt(int64(id), 10) + "]"
}

// dismissal returns the id of the form that dismisses a refused file.
func (r FileRow) dismissal() string { return "dismiss-" + strconv.FormatInt(int64(r.ID), 10) }

// bare reports whether the post has neither text nor files that are ready.
func (m EntryModel) bare() bool { return m.fold().Text.Text == "" && len(m.fold().Attachments) == 0 }

// attached reports whether the entry shows something below its text: files, a preview, or a sentence
// about files that are not ready.
func (m EntryModel) attached() bool {
	f := m.fold()
	return len(f.Attachments) > 0 || f.Text.Preview != nil || len(f.Text.Unready) > 0 || m.bare()
}
