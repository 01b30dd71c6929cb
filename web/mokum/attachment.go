package mokum

import (
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/page"
)

// An Attachment is a file of a post or comment in Mokum's shape. It leaves out missing
// renditions: for example, only pictures have a thumbnail.
type Attachment struct {
	ID             timeline.AttachmentID `json:"id"`
	UserID         timeline.UserID       `json:"user_id"`
	PostID         timeline.PostID       `json:"post_id,omitempty"` // 0: in no post yet
	FileName       string                `json:"attachment_file_name"`
	UpdatedAt      string                `json:"updated_at,omitempty"`
	Orientation    string                `json:"orientation,omitempty"`
	ThumbURL       string                `json:"thumb_url,omitempty"`
	ThumbWidth     int                   `json:"thumb_width,omitempty"`
	ThumbHeight    int                   `json:"thumb_height,omitempty"`
	MediumURL      string                `json:"medium_url,omitempty"`
	MediumWidth    int                   `json:"medium_width,omitempty"`
	MediumHeight   int                   `json:"medium_height,omitempty"`
	OriginalURL    string                `json:"original_url,omitempty"`
	OriginalWidth  int                   `json:"original_width,omitempty"`
	OriginalHeight int                   `json:"original_height,omitempty"`

	// The following fields are ours.
	Kind         string `json:"kind,omitempty"` // "image", "audio", "video" or "file"; empty until the file is ready
	MediaType    string `json:"media_type,omitempty"`
	Size         int64  `json:"size,omitempty"` // of the original, in bytes
	Frames       int    `json:"frames,omitempty"`
	Alt          string `json:"alt,omitempty"`
	GridURL      string `json:"grid_url,omitempty"`
	GridWidth    int    `json:"grid_width,omitempty"`
	GridHeight   int    `json:"grid_height,omitempty"`
	Grid2xURL    string `json:"grid2x_url,omitempty"`
	Grid2xWidth  int    `json:"grid2x_width,omitempty"`
	Grid2xHeight int    `json:"grid2x_height,omitempty"`
}

// AttachmentsOf returns the files of a post or comment in Mokum's shape; never nil. Their
// addresses depend on whether all readers may read the post.
func AttachmentsOf(files []timeline.Attachment, by timeline.UserID, post timeline.PostID, public bool) []Attachment {
	all := make([]Attachment, 0, len(files))
	for i := range files {
		all = append(all, attachmentOf(&files[i], by, post, public))
	}
	return all
}

func attachmentOf(a *timeline.Attachment, by timeline.UserID, post timeline.PostID, public bool) Attachment {
	shown := Attachment{
		ID: a.ID, UserID: by, PostID: post, FileName: a.FileName, UpdatedAt: Stamp(time.UnixMilli(a.UploadedAt)), Kind: a.Kind, Alt: a.Alt,
	}
	if a.Frames > 1 {
		shown.Frames = a.Frames
	}
	for _, r := range a.Renditions {
		path := page.FilePath(public, a.ID, r)
		switch r.Name {
		case "thumb":
			shown.ThumbURL, shown.ThumbWidth, shown.ThumbHeight = path, r.Width, r.Height
		case "medium":
			shown.MediumURL, shown.MediumWidth, shown.MediumHeight = path, r.Width, r.Height
		case "grid":
			shown.GridURL, shown.GridWidth, shown.GridHeight = path, r.Width, r.Height
		case "grid2x":
			shown.Grid2xURL, shown.Grid2xWidth, shown.Grid2xHeight = path, r.Width, r.Height
		case "original":
			shown.OriginalURL, shown.OriginalWidth, shown.OriginalHeight = path, r.Width, r.Height
			shown.MediaType, shown.Size = r.MediaType, r.Size
			switch {
			case r.Width == 0:
			case r.Width < r.Height:
				shown.Orientation = "portrait"
			default:
				shown.Orientation = "landscape"
			}
		}
	}
	return shown
}

// A RefusedAttachment is a refused file, as its owner sees it. The field is ours.
type RefusedAttachment struct {
	ID       timeline.AttachmentID `json:"id"`
	FileName string                `json:"attachment_file_name"`
	Reason   string                `json:"reason"` // a sentence
	Code     timeline.Refusal      `json:"code"`
}

// RefusedOf returns a refused file, with its reason in a language.
func RefusedOf(words catalogue.Language, id timeline.AttachmentID, name string, why timeline.Refusal) RefusedAttachment {
	return RefusedAttachment{id, name, page.RefusedFile(words, why, name), why}
}

// Unready are the files of a post or comment that are not among its attachments. Only their
// owner gets them. The fields are ours.
type Unready struct {
	Queued  []Attachment        `json:"attachments_queued,omitempty"`
	Refused []RefusedAttachment `json:"attachments_refused,omitempty"`
}

// unreadyOf returns the unready files of a post or comment by a person for the viewer.
func unreadyOf(viewer *timeline.Sets, files []timeline.Unready, by timeline.UserID, post timeline.PostID) (u Unready) {
	if viewer.User == 0 || viewer.User != by {
		return u
	}
	for _, f := range files {
		if f.Refused == "" {
			u.Queued = append(u.Queued, Attachment{ID: f.ID, UserID: by, PostID: post, FileName: f.FileName})
		} else {
			u.Refused = append(u.Refused, RefusedOf(catalogue.English, f.ID, f.FileName, f.Refused))
		}
	}
	return u
}

// UploadOf returns a file that is in no post or comment yet in Mokum's shape.
func UploadOf(f *timeline.UploadedFile, by timeline.UserID) Attachment {
	a := timeline.Attachment{ID: f.ID, FileName: f.FileName, Kind: f.Kind, Frames: f.Frames, Alt: f.Alt, UploadedAt: f.UploadedAt, Renditions: f.Renditions}
	if f.State != timeline.AttachmentReady {
		a.Kind = ""
	}
	return attachmentOf(&a, by, 0, false)
}
