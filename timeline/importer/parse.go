package importer

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"amstel.dev/amstel/timeline/text"
)

// The limits of the texts of a line. They are the limits of the site's forms.
const (
	textMost    = 3000 // characters
	displayMost = 50   // characters
	idMost      = 200  // bytes
)

// nameForm is the form of the names of people and groups.
var nameForm = regexp.MustCompile(`^[a-z0-9_][a-z0-9_-]{2,48}$`)

// The earliest and the first impossible time. Times are stored as positive milliseconds,
// and their seconds must fit into an id.
var (
	earliest = time.Date(1970, time.January, 2, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(2068, time.January, 1, 0, 0, 0, 0, time.UTC)
)

// parse reads one line, and checks everything that can be checked without other lines. Its error
// texts can follow "line 7: ". exported says whether the file is an export, whose lines may say more;
// see [line.exported].
func parse(number int, data []byte, exported bool) (*line, error) {
	o, err := decode(data)
	if err != nil {
		return nil, err
	}
	k, err := o.kind()
	if err != nil {
		return nil, err
	}
	keys, more := keysOf(k), false
	for key := range o.values {
		if key != "type" && !mayHave(k, key) {
			return nil, fmt.Errorf("unknown key %q in a %s", key, k)
		}
		more = more || key != "type" && !slices.Contains(keys, key)
	}
	for key := range o.lists {
		if !mayHave(k, key) {
			return nil, fmt.Errorf("unknown key %q in a %s", key, k)
		}
		more = more || key != "type" && !slices.Contains(keys, key)
	}
	for _, key := range keys {
		_, value := o.values[key]
		_, values := o.lists[key]
		if !value && !values {
			return nil, fmt.Errorf("%q is missing", key)
		}
	}
	l := &line{
		number:      number,
		kind:        k,
		exported:    exported,
		id:          o.values["id"],
		name:        o.values["name"],
		displayName: norm.NFC.String(o.values["display_name"]),
		status:      o.values["status"],
		user:        o.values["user"] + o.values["author"],
		target:      o.values["target"] + o.values["post"] + o.values["comment"],
		names:       slices.Concat(o.lists["admins"], o.lists["to"], o.lists["members"]),
		text:        norm.NFC.String(o.values["text"]), // the site stores all texts in NFC
		path:        o.values["path"],
		alt:         norm.NFC.String(strings.TrimSpace(o.values["alt"])),
	}
	if more || k >= firstExportedKind {
		delete(o.values, "text") // the line has it already, and it may be long
		l.object = o
	}
	l.at = earliest
	if slices.Contains(keys, "at") {
		if l.at, err = parseTime(o.values["at"]); err != nil {
			return nil, err
		}
	}
	if err := l.check(); err != nil {
		return nil, err
	}
	return l, l.checkValues()
}

// CheckLine returns an error if a line of a file that is no export can't be imported. It checks
// everything that can be checked without other lines.
func CheckLine(data []byte) error {
	_, err := parse(0, data, false)
	return err
}

// check returns an error if the line breaks a rule that needs no other line.
func (l *line) check() error {
	switch l.kind {
	case kindUser, kindGroup:
		if !nameForm.MatchString(l.name) {
			return fmt.Errorf("bad name %q: 3 to 49 of a-z, 0-9, _ and -, the first not a -", l.name)
		}
		if slices.Contains(text.Reserved(), l.name) && !l.exported {
			return fmt.Errorf("bad name %q: it is reserved", l.name)
		}
		if err := checkText("display_name", l.displayName, displayMost); err != nil && !(l.exported && l.displayName == "") {
			return err
		}
		if strings.ContainsFunc(l.displayName, unicode.IsControl) {
			return errors.New(`"display_name" has line breaks or control characters`)
		}
		if !slices.Contains([]string{"public", "protected", "private"}, l.status) && !(l.exported && l.exportedStatus()) {
			return fmt.Errorf("bad status %q: public, protected or private", l.status)
		}
		if l.kind == kindGroup && len(l.names) == 0 && !l.exported {
			return errors.New(`"admins" is empty: a group has at least one`)
		}
	case kindFile, kindCommentFile:
		if err := l.checkID(); err != nil {
			return err
		}
		if !localPath(l.path) {
			return fmt.Errorf("bad path %q: relative to the folder of the files, with slashes", l.path)
		}
		if n := utf8.RuneCountInString(l.alt); n > altMost {
			return fmt.Errorf(`"alt" has %d characters, more than %d`, n, altMost)
		}
		if strings.ContainsFunc(l.alt, unicode.IsControl) {
			return errors.New(`"alt" has line breaks or control characters`)
		}
	case kindPost, kindComment:
		if err := l.checkID(); err != nil {
			return err
		}
		if err := checkText("text", l.text, textMost); err != nil && !(l.exported && l.text == "") {
			return err // in an export the text may be empty: a post or comment may have only files
		}
		if l.kind == kindPost && len(l.names) == 0 {
			return errors.New(`"to" is empty`)
		}
	case kindSubscription, kindBan, kindRequest, kindInvitation, kindHiddenUser, kindMute:
		if l.user == l.target {
			return fmt.Errorf(`"user" and "target" of a %s are both %q`, l.kind, l.user)
		}
	}
	return nil
}

// checkID returns an error if the id of the line can't be kept.
func (l *line) checkID() error {
	if l.id == "" || len(l.id) > idMost || strings.ContainsFunc(l.id, unicode.IsControl) {
		return fmt.Errorf("bad id %q", l.id)
	}
	return nil
}

// checkText returns an error if a text that people read is empty or has more than most
// characters.
func checkText(key, text string, most int) error {
	switch n := utf8.RuneCountInString(text); {
	case strings.TrimSpace(text) == "":
		return fmt.Errorf("%q is empty", key)
	case n > most:
		return fmt.Errorf("%q has %d characters, more than %d", key, n, most)
	}
	return nil
}

// parseTime reads a time in UTC, and cuts it to milliseconds, the precision of the primary.
func parseTime(s string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return at, fmt.Errorf("bad time %q: RFC 3339 is wanted, as 2016-06-29T22:00:30Z", s)
	}
	if _, offset := at.Zone(); offset != 0 {
		return at, fmt.Errorf("bad time %q: UTC is wanted", s)
	}
	if at.Before(earliest) || !at.Before(latest) {
		return at, fmt.Errorf("bad time %q: out of the range that can be kept", s)
	}
	return at.UTC().Truncate(time.Millisecond), nil
}

// kind returns the kind of line that the key type names.
func (o *object) kind() (kind, error) {
	name, there := o.values["type"]
	if !there {
		return 0, errors.New(`"type" is missing`)
	}
	for k := range kinds {
		if k.String() == name {
			return k, nil
		}
	}
	return 0, fmt.Errorf("unknown type %q", name)
}
