package importer

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"amstel.dev/amstel/timeline"
)

// value returns the value of a key that has no field of its own, or "".
func (l *line) value(key string) string {
	if l.more == nil {
		return ""
	}
	return l.more.values[key]
}

// prose returns such a value in Unicode's form NFC, as all texts that are written here.
func (l *line) prose(key string) string { return norm.NFC.String(l.value(key)) }

// list returns the list of a key that has no field of its own, never nil.
func (l *line) list(key string) []string {
	if l.more == nil || l.more.lists[key] == nil {
		return []string{}
	}
	return l.more.lists[key]
}

// flag returns the value of a key that is true or false, or what it is without the key.
func (l *line) flag(key string, without bool) bool {
	switch l.value(key) {
	case "true":
		return true
	case "false":
		return false
	}
	return without
}

// number32 returns the value of a key that is a number, or what it is without the key.
func (l *line) number32(key string, without int) int {
	n, err := strconv.Atoi(l.value(key))
	if err != nil {
		return without
	}
	return n
}

// time returns the value of a key that is a time; nil without the key. [line.checkMore] has
// checked the form.
func (l *line) time(key string) *time.Time {
	at, err := parseTime(l.value(key))
	if err != nil {
		return nil
	}
	return &at
}

// choices has the values that a key can have, where they are few.
var choices = map[string][]string{
	"theme":        {"system", "light", "dark"},
	"density":      {"comfortable", "compact"},
	"directs_from": {"anybody", "subscriptions"},
	"posting":      {"anybody", "members", "admins"},
	"joining":      {"open", "request"},
	"scope":        {"all", "person"},
	"state":        {timeline.IntakeOn, timeline.IntakePaused, timeline.IntakeStopped},
	"kind":         {"image", "audio", "video", "file"},
}

// longest has the greatest length of a text, in characters.
var longest = map[string]int{
	"description": textMost, "platform": 100, "lang": 8, "page_language": 8, "time_zone": 64, "email": 320, "password_hash": 1000,
	"file_name": nameMost, "media_type": 200, "name": 50, "query": 2000, "value": 2000, "site": 36, "url": 2000, "title": 200,
}

// addressMost is the greatest length of the address of an imported feed, in bytes. The address of a
// feed that a person adds has the same limit.
const addressMost = 1500

// uuidForm is the form of the id of a site, a request and an invitation.
var uuidForm = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// checkMore returns an error if a key that has no field of its own breaks a rule.
func (l *line) checkMore() error {
	if l.more == nil {
		return nil
	}
	if l.kind >= firstExportedKind && l.kind != kindExport && !l.exported {
		return fmt.Errorf("a %s is for files that begin with a line of the type export", l.kind)
	}
	for key, value := range l.more.values {
		if known := choices[key]; known != nil && !slices.Contains(known, value) {
			return fmt.Errorf("bad %s %q: %s", key, value, strings.Join(known, ", "))
		}
		if most := longest[key]; most > 0 && utf8.RuneCountInString(value) > most {
			return fmt.Errorf("%q has more than %d characters", key, most)
		}
		switch key {
		case "avatar", "avatar_large", "cover", "cover_large":
			if !localPath(value) {
				return fmt.Errorf("bad path %q: relative to the folder of the files, with slashes", value)
			}
		case "since", "written_at", "updated_at", "suspended_at":
			if _, err := parseTime(value); err != nil {
				return err
			}
		case "frames":
			if n := l.number32(key, 1); n < 1 {
				return fmt.Errorf("%q is %d, less than 1", key, n)
			}
		}
	}
	for _, r := range l.list("renditions") {
		if _, err := parseRendition(r); err != nil {
			return err
		}
	}
	if len(l.list("notices_off")) > 100 || len(l.names) > 10_000 {
		return errors.New("a list is too long")
	}
	switch l.kind {
	case kindExport:
		if l.value("version") != "1" {
			return fmt.Errorf("the export has version %s: this program reads version 1; use a newer one", l.value("version"))
		}
		if !uuidForm.MatchString(l.value("site")) {
			return fmt.Errorf("bad site %q: a UUID is wanted", l.value("site"))
		}
	case kindRequest, kindInvitation:
		if !uuidForm.MatchString(l.id) {
			return fmt.Errorf("bad id %q: a UUID is wanted", l.id)
		}
	case kindName:
		if !nameForm.MatchString(l.name) {
			return fmt.Errorf("bad name %q", l.name)
		}
	case kindIntake:
		at, err := url.Parse(l.value("address"))
		if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" || len(l.value("address")) > addressMost {
			return fmt.Errorf("bad address %q: it begins with http:// or https://, and has %d bytes at most", l.value("address"), addressMost)
		}
		for _, key := range []string{"title", "address", "url"} {
			if strings.ContainsFunc(l.value(key), unicode.IsControl) {
				return fmt.Errorf("%q has line breaks or control characters", key)
			}
		}
	case kindList, kindSearch:
		if strings.TrimSpace(l.name) == "" || strings.ContainsFunc(l.name, unicode.IsControl) {
			return fmt.Errorf("bad name %q", l.name)
		}
	case kindEarlierText, kindCommentEarlierText:
		if utf8.RuneCountInString(l.text) > textMost {
			return fmt.Errorf("%q is too long", "text")
		}
	}
	return nil
}

// exportedStatus reports whether an account can have the status, which the forms of files that
// other programs write do not have.
func (l *line) exportedStatus() bool {
	return l.status == "disallow-robots" || l.status == "deleted" || l.status == "fyeo" && l.kind == kindUser
}

// A rendition is one of the files of an attachment, as a line has it: "thumb files/ab.jpg 100 80 image/jpeg", that
// is, its name, its path, its width and its height in pixels, and its media type.
type rendition struct {
	name, path, mediaType string
	width, height         int
}

// parseRendition reads a rendition.
func parseRendition(text string) (r rendition, err error) {
	parts := strings.SplitN(text, " ", 5)
	bad := fmt.Errorf("bad rendition %q: name, path, width, height and media type are wanted", text)
	if len(parts) != 5 {
		return r, bad
	}
	r.name, r.path, r.mediaType = parts[0], parts[1], parts[4]
	width, err := strconv.ParseInt(parts[2], 10, 32)
	if err != nil {
		return r, bad
	}
	height, err := strconv.ParseInt(parts[3], 10, 32)
	if err != nil || width < 0 || height < 0 || !localPath(r.path) || path.Ext(r.path) == "." ||
		!slices.Contains([]string{"original", "medium", "thumb", "grid", "grid2x"}, r.name) {
		return r, bad
	}
	r.width, r.height = int(width), int(height)
	return r, nil
}
