package page

import (
	"strings"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// The paths of the API of the viewer's own avatar and cover.
const (
	avatarAPI = "/api/v1/avatars" // Mokum's
	coverAPI  = "/api/v1/covers"
)

// IsPictureAPI reports whether avatars or covers are uploaded to a path: to that of the
// viewer's own, of a group's, or of the page of the viewer's profile.
func IsPictureAPI(path string) bool {
	if path == avatarAPI || path == coverAPI || path == SettingsPath {
		return true
	}
	group, is := strings.CutPrefix(path, "/api/v1/groups/")
	_, role, more := strings.Cut(group, "/")
	return is && more && (role == string(timeline.Avatar) || role == string(timeline.Cover))
}

// Pictures are the forms in which the avatar and the cover of a person or a group are
// changed.
type Pictures struct {
	Avatar, Cover string // the addresses of the pictures; empty without one
	Group         string // the name of the group; empty: the pictures are the viewer's own
	Problems      map[timeline.PictureRole]Problems
}

// Refuse adds the problems with an upload. It does nothing if there are no forms.
func (p *Pictures) Refuse(role timeline.PictureRole, problems Problems) {
	if p != nil {
		p.Problems = map[timeline.PictureRole]Problems{role: problems}
	}
}

// A pictureForm is the form of an avatar or of a cover.
type pictureForm struct {
	Role                timeline.PictureRole
	Address             string // of the picture; empty without one
	Action              string // where the form is sent
	API, Back           string // of the removal
	Label, Hint, Remove string
	Problems            Problems
}

func (p *Pictures) forms(words catalogue.Language) []pictureForm {
	avatar := pictureForm{Role: timeline.Avatar, Address: p.Avatar, Action: AvatarForm.action(), API: avatarAPI, Back: SettingsPath}
	cover := pictureForm{Role: timeline.Cover, Address: p.Cover, Action: CoverForm.action(), API: coverAPI, Back: SettingsPath}
	if p.Group != "" {
		base := groupAPI(p.Group) + "/"
		avatar.API, avatar.Back = base+string(timeline.Avatar), EditGroupPath(p.Group)
		cover.API, cover.Back = base+string(timeline.Cover), EditGroupPath(p.Group)
		avatar.Action, cover.Action = avatar.Back+"?form="+string(timeline.Avatar), cover.Back+"?form="+string(timeline.Cover)
	}
	avatar.Label, avatar.Hint, avatar.Remove = words.PictureAvatar(), words.PictureAvatarHint(), words.PictureAvatarRemove()
	cover.Label, cover.Hint, cover.Remove = words.PictureCover(), words.PictureCoverHint(), words.PictureCoverRemove()
	avatar.Problems, cover.Problems = p.Problems[timeline.Avatar], p.Problems[timeline.Cover]
	return []pictureForm{avatar, cover}
}

func (f pictureForm) id() string { return "picture-" + string(f.Role) }

// name returns the name of one of the form's fields.
func (f pictureForm) name(field string) string { return string(f.Role) + "[" + field + "]" }

// described returns the ids of the elements that describe the field of the file.
func (f pictureForm) described() string {
	return field{ID: f.id(), Problem: f.Problems.sentence(string(f.Role)), Hint: f.Hint}.described()
}

// avatarClass returns the classes of an avatar of a size.
func avatarClass(size string) string {
	if size == "" {
		return "avatar"
	}
	return "avatar avatar-" + size
}

// avatarSource returns the address of an avatar: the uploaded one, or else the generated
// picture of the name. The large one of an uploaded avatar is for the head of a page.
func avatarSource(url, name, size string) string {
	switch {
	case url == "":
		return "/system/avatars/" + pathPart(name) + ".svg"
	case size == "l":
		return timeline.LargePicture(url)
	}
	return url
}
