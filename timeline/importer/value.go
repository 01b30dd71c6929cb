package importer

import (
	"errors"
	"fmt"
	"net/url"
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

// This file reads and checks the values of keys that have no field in [line].

// value returns the value of a key that is a text, or "" without the key.
func (l *line) value(key string) string {
	if l.object == nil {
		return ""
	}
	return l.object.values[key]
}

// prose returns the value of a key that is a text for people, in Unicode's form NFC, in which the
// site stores all such texts; "" without the key.
func (l *line) prose(key string) string { return norm.NFC.String(l.value(key)) }

// list returns the value of a key that is a list of texts, or an empty list, not nil, without the
// key.
func (l *line) list(key string) []string {
	if l.object == nil || l.object.lists[key] == nil {
		return []string{}
	}
	return l.object.lists[key]
}

// flag returns the value of a key that is true or false, or the value without if the line does not
// have the key.
func (l *line) flag(key string, without bool) bool {
	switch l.value(key) {
	case "true":
		return true
	case "false":
		return false
	}
	return without
}

// number32 returns the value of a key that is a number, or the value without if the line does not
// have the key.
func (l *line) number32(key string, without int) int {
	n, err := strconv.Atoi(l.value(key))
	if err != nil {
		return without
	}
	return n
}

// time returns the value of a key that is a time, or nil without the key. [line.checkValues] has
// checked the form of the time.
func (l *line) time(key string) *time.Time {
	at, err := parseTime(l.value(key))
	if err != nil {
		return nil
	}
	return &at
}

// choices has the possible values of keys that have only a few.
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

// longest has the largest length of the texts of keys, in characters.
var longest = map[string]int{
	"description": textMost, "platform": 100, "lang": 8, "page_language": 8, "time_zone": 64, "email": 320, "password_hash": 1000,
	"file_name": nameMost, "media_type": 200, "name": 50, "query": 2000, "value": 2000, "site": 36, "url": 2000, "title": 200,
}

// addressMost is the largest length of the address of an intake, in bytes. The address of a feed that
// a person adds has the same limit.
const addressMost = 1500

// uuidForm is the form of the id of a site, a request and an invitation.
var uuidForm = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// checkValues returns an error if a value breaks a rule. Its error texts can follow "line 7: ".
func (l *line) checkValues() error {
	if l.object == nil {
		return nil
	}
	if l.kind >= firstExportedKind && l.kind != kindExport && !l.exported {
		return fmt.Errorf("a %s is for files that begin with a line of the type export", l.kind)
	}
	for key, value := range l.object.values {
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
		case "since", "written_at", "updated_at", "suspended_at", "erase_at", "rules_agreed_at":
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

// exportedStatus reports whether the status is one that accounts can have in exports only.
func (l *line) exportedStatus() bool {
	return l.status == "disallow-robots" || l.status == "deleted" || l.status == "fyeo" && l.kind == kindUser
}
