package importer

import (
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// A kind is the type of a line.
type kind uint8

const (
	kindUser kind = iota
	kindGroup
	kindSubscription
	kindPost
	kindComment
	kindLike
	kindCommentLike
	kindBan
	kindFile
	kindCommentFile
	// Only exports have the kinds below.
	kindExport
	kindSetting
	kindName
	kindRequest
	kindInvitation
	kindExclusion
	kindFavourite
	kindHiddenPost
	kindHiddenUser
	kindMute
	kindList
	kindSearch
	kindIntake
	kindEarlierText
	kindCommentEarlierText
	kinds // the number of kinds

	firstExportedKind = kindExport
)

// String returns the kind as it is written in the file and in the table imported.
func (k kind) String() string {
	return [kinds]string{
		"user", "group", "subscription", "post", "comment", "like", "comment_like", "ban", "file", "comment_file",
		"export", "setting", "name", "request", "invitation", "exclusion", "favourite", "hidden_post", "hidden_user", "mute", "list", "search", "intake",
		"earlier_text", "comment_earlier_text",
	}[k]
}

// A line is one line of the file, checked as far as possible without other lines.
type line struct {
	number int
	kind   kind

	// exported is set for the lines of a file that begins with a line of the type export, which an
	// Amstel site wrote. Such lines may say more than those of other files: for example, they have
	// posts of files alone, deleted accounts, and ids that are kept.
	exported bool
	object   *object // all keys with their values, if the line has keys without a field below; else nil

	id          string   // post, comment, file, comment_file, request, invitation: the id in the file
	name        string   // user, group: the name
	displayName string   // user, group
	status      string   // user, group
	user        string   // the name of the person who wrote, commented, liked, subscribed, banned, and so on
	target      string   // subscription, ban: a name; comment, like, file: a post's id; comment_like, comment_file: a comment's id
	names       []string // group: administrators; post, earlier text: destinations; list: its members
	text        string   // post, comment, earlier text
	path        string   // file, comment_file: relative to the folder of the files
	alt         string   // file, comment_file: a description; may be empty
	at          time.Time

	detectOnce sync.Once
	lang       string // see [line.language]
}

// external returns the key under which the line is remembered as imported, unique among
// the lines of its kind. Names have no spaces, so two different pairs of names never
// have the same key.
func (l *line) external() string {
	switch l.kind {
	case kindUser, kindGroup:
		return l.name
	case kindPost, kindComment, kindFile, kindCommentFile, kindRequest, kindInvitation:
		return l.id
	case kindExport:
		return l.value("site")
	case kindSetting, kindName:
		return l.name
	case kindList, kindSearch:
		return l.user + " " + l.name
	case kindIntake:
		return l.user + " " + l.target + " " + l.value("address")
	case kindEarlierText, kindCommentEarlierText:
		return l.target + " " + l.at.Format(time.RFC3339Nano) + " " + l.value("written_at")
	}
	return l.user + " " + l.target
}

// identity returns a key that two lines of a file may share only if the lines are equal, or "" for a
// kind without such a key.
func (l *line) identity() string {
	switch l.kind {
	case kindUser, kindGroup:
		return "name " + l.name
	case kindPost, kindComment, kindFile, kindCommentFile:
		return l.kind.String() + " " + l.id
	}
	return ""
}

// hash returns a hash of everything that the line says.
func (l *line) hash(seed maphash.Seed) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	write := func(s string) {
		h.WriteString(s)
		h.WriteByte(0)
	}
	for _, s := range []string{l.kind.String(), l.id, l.name, l.displayName, l.status, l.user, l.target, l.text, l.path, l.alt, l.at.Format(time.RFC3339Nano)} {
		write(s)
	}
	for _, s := range l.names {
		write(s)
	}
	if l.object != nil {
		for _, key := range slices.Sorted(maps.Keys(l.object.values)) {
			write(key + " " + l.object.values[key])
		}
		for _, key := range slices.Sorted(maps.Keys(l.object.lists)) {
			write(key + " " + strings.Join(l.object.lists[key], "\x00"))
		}
	}
	return h.Sum64()
}

// A LineError is the reason why a line of the file can't be imported.
type LineError struct {
	Line   int // the number of the line; the first is 1
	Reason string
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// errorf returns a [LineError] about this line.
func (l *line) errorf(format string, args ...any) error {
	return newLineError(l.number, fmt.Sprintf(format, args...))
}

// newLineError returns a [LineError]. The reason may quote the line, and is cut to 300
// characters.
func newLineError(number int, reason string) error {
	const most = 300
	if utf8.RuneCountInString(reason) > most {
		reason = string([]rune(reason)[:most]) + "…"
	}
	return &LineError{number, reason}
}
